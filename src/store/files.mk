# SPDX-License-Identifier: Apache-2.0
# The database: schema as data, opening and checking, queries, the sink that rows go into. The only folder
# with SQLite. Knows no parser and no view.
noinst_LIBRARIES += libstore.a
libstore_a_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
libstore_a_CFLAGS = $(AM_CFLAGS)
libstore_a_SOURCES = \
	src/store/cache.c \
	src/store/db.c src/store/db.h \
	src/store/dbout.c src/store/dbout.h \
	src/store/exec_sum.c \
	src/store/export.c src/store/export.h \
	src/store/foreign.c src/store/foreign.h \
	src/store/foreign_rows.c src/store/foreign_rows.h \
	src/store/foreign_source.c src/store/foreign_source.h \
	src/store/note.c src/store/note.h \
	src/store/query.c \
	src/store/scan.c \
	src/store/schema.c src/store/schema.h \
	src/store/schema_tables.h \
	src/store/schema_views.c \
	src/store/side.c \
	src/store/sink.c src/store/sink.h \
	src/store/sink_count.h \
	src/store/stamp.c src/store/stamp.h \
	src/store/store.c src/store/store.h \
	src/store/store_int.h \
	src/store/sum_vfs.c src/store/sum_vfs.h \
	src/store/topname.h \
	src/store/vtab.c
include $(srcdir)/src/store/fill/files.mk
include $(srcdir)/src/store/pages/files.mk
include $(srcdir)/src/store/anonymise/files.mk

# A checksum of everything that rows come from, findings too: a store made by other sources is never taken for
# a current one. Names in order of their bytes, whatever the order above.
STAMPED = $(libbase_a_SOURCES) $(librun_a_SOURCES) $(libstore_a_SOURCES) $(libparsers_a_SOURCES) \
	$(libimport_a_SOURCES) \
	$(libmodel_a_SOURCES) $(libanalysis_a_SOURCES)
store_stamp.h: $(STAMPED)
	$(AM_V_GEN)cd '$(abs_top_srcdir)' && \
	sum=`for f in $(STAMPED); do echo "$$f"; done | LC_ALL=C sort | xargs cat | cksum | tr ' ' '-'` && test -n "$$sum" && \
	echo "#define STORE_STAMP \"$$sum\"" >'$(abs_top_builddir)/$@.tmp' && mv '$(abs_top_builddir)/$@.tmp' '$(abs_top_builddir)/$@'
BUILT_SOURCES += store_stamp.h
CLEANFILES += store_stamp.h store_stamp.h.tmp
src/store/libstore_a-stamp.$(OBJEXT): store_stamp.h
