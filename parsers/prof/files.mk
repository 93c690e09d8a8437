# SPDX-License-Identifier: Apache-2.0
# The model of a PROF folder (doc/formats/prof.md): which files it holds, what it says of itself, clocks,
# names. Knows no table of the store; rows/ does.
libparsers_a_SOURCES += \
	parsers/prof/clock.c \
	parsers/prof/jobs.c parsers/prof/jobs.h \
	parsers/prof/layouts_legacy.c \
	parsers/prof/layouts_prof.c \
	parsers/prof/legacy_layout.h \
	parsers/prof/model.c parsers/prof/model.h \
	parsers/prof/meta.c parsers/prof/meta.h \
	parsers/prof/meta_mend.c parsers/prof/meta_mend.h \
	parsers/prof/meta_other.c parsers/prof/meta_other.h \
	parsers/prof/names.c parsers/prof/names.h \
	parsers/prof/notes.c \
	parsers/prof/prof.c parsers/prof/prof.h \
	parsers/prof/prof_layout.h \
	parsers/prof/read.c \
	parsers/prof/tags.c \
	parsers/prof/words.c parsers/prof/words.h
include $(srcdir)/parsers/prof/comm/files.mk
include $(srcdir)/parsers/prof/device/files.mk
include $(srcdir)/parsers/prof/host/files.mk
include $(srcdir)/parsers/prof/rows/files.mk
include $(srcdir)/parsers/prof/sampled/files.mk
