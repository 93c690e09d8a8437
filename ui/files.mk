# SPDX-License-Identifier: Apache-2.0
# The screen. Nothing includes ui but main. No SQL here; no pane keeps rows.
noinst_LIBRARIES += libui.a
libui_a_CPPFLAGS = $(AM_CPPFLAGS) $(NCURSES_CFLAGS)
libui_a_CFLAGS = $(AM_CFLAGS)
libui_a_SOURCES = \
	ui/ui.h
include $(srcdir)/ui/app/files.mk
include $(srcdir)/ui/pane/files.mk
include $(srcdir)/ui/widget/files.mk
