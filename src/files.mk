# SPDX-License-Identifier: Apache-2.0
include $(srcdir)/src/base/files.mk
include $(srcdir)/src/base/read/files.mk
include $(srcdir)/src/archive/files.mk
include $(srcdir)/src/run/files.mk
include $(srcdir)/src/configure/files.mk
include $(srcdir)/src/store/files.mk
include $(srcdir)/src/logs/files.mk
include $(srcdir)/src/model/files.mk
include $(srcdir)/src/analysis/files.mk
include $(srcdir)/src/import/files.mk
include $(srcdir)/src/demo/files.mk
include $(srcdir)/src/emit/files.mk
include $(srcdir)/src/msprof/files.mk
include $(srcdir)/src/mindspore/files.mk
include $(srcdir)/src/offline/files.mk
include $(srcdir)/src/cli/files.mk

npuscope_SOURCES = src/main.c
# Order: users before what they use.
npuscope_LDADD = libcli.a libui.a libanalysis.a libmodel.a libdemo.a liboffline.a libmsprof.a libmindspore.a \
	libemit.a libimport.a liblogs.a libparsers.a libstore.a libconfigure.a librun.a libarc.a libbase.a \
	$(NCURSES_LIBS) $(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(LIBARCHIVE_LIBS) $(ZLIB_LIBS)

# make static: terminals that are built in. An object of its own, so that the linker takes it before that of ncurses.
if STATIC_PROGRAM
npuscope_SOURCES += ui/widget/term_builtin.c
TERMINFO = ansi cygwin linux vt100 vt102 vt220 alacritty eterm-color gnome gnome-256color konsole konsole-256color mintty nsterm \
	putty putty-256color rxvt rxvt-256color rxvt-unicode rxvt-unicode-256color st st-256color vte-256color \
	screen screen-256color screen.xterm-256color tmux tmux-256color xterm xterm-256color xterm-color xterm-direct
terminfo.h: $(srcdir)/pack/terminfo.sh Makefile
	$(AM_V_GEN)sh $(srcdir)/pack/terminfo.sh $(TERMINFO_ROOT) $(TERMINFO) >$@.tmp && mv $@.tmp $@
ui/widget/term_builtin.$(OBJEXT): terminfo.h
BUILT_SOURCES += terminfo.h
CLEANFILES += terminfo.h terminfo.h.tmp
endif
