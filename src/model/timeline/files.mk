# SPDX-License-Identifier: Apache-2.0
# The timeline without a screen: cells of a window, events, figures, several ranks on one axis, curves,
# steps.
libmodel_a_SOURCES += \
	src/model/timeline/chrome.c src/model/timeline/chrome.h \
	src/model/timeline/curves.c src/model/timeline/curves.h \
	src/model/timeline/lineup.c src/model/timeline/lineup.h \
	src/model/timeline/lineup_align.c src/model/timeline/lineup_align.h \
	src/model/timeline/lineup_export.c src/model/timeline/lineup_export.h \
	src/model/timeline/lineup_match.c src/model/timeline/lineup_match.h \
	src/model/timeline/lineup_match_events.c \
	src/model/timeline/lineup_match_int.h \
	src/model/timeline/nesting.c src/model/timeline/nesting.h \
	src/model/timeline/steps.c src/model/timeline/steps.h \
	src/model/timeline/timeline.c src/model/timeline/timeline.h \
	src/model/timeline/timeline_area.c \
	src/model/timeline/timeline_busy.c \
	src/model/timeline/timeline_cells.c \
	src/model/timeline/timeline_dir.c \
	src/model/timeline/timeline_facts.c \
	src/model/timeline/timeline_find.c \
	src/model/timeline/timeline_running.c \
	src/model/timeline/timeline_int.h \
	src/model/timeline/timeline_names.c
