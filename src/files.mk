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
