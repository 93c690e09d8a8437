# SPDX-License-Identifier: Apache-2.0
# The pane of the timeline: its keys, what it jumps to, ranks side by side; the drawing is in ui/widget.
libui_a_SOURCES += \
	ui/pane/timeline/align.c \
	ui/pane/timeline/export.c \
	ui/pane/timeline/filter.c \
	ui/pane/timeline/go.c \
	ui/pane/timeline/jump.c \
	ui/pane/timeline/keys.c \
	ui/pane/timeline/ranks.c \
	ui/pane/timeline/timeline.c \
	ui/pane/timeline/timeline_int.h
