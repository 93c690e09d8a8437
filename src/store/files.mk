# The database: schema as data, opening and checking, queries, the sink that rows go into. The only folder
# with SQLite. Knows no parser and no view.
noinst_LIBRARIES += libstore.a
libstore_a_CPPFLAGS = $(AM_CPPFLAGS) $(SQLITE_CFLAGS)
libstore_a_CFLAGS = $(AM_CFLAGS)
libstore_a_SOURCES = \
	src/store/cache.c \
	src/store/chunk.c src/store/chunk.h \
	src/store/chunk_sum.c \
	src/store/db.c src/store/db.h \
	src/store/dbout.c src/store/dbout.h \
	src/store/dbout_file.c src/store/dbout_file.h \
	src/store/exec_sum.c \
	src/store/export.c src/store/export.h \
	src/store/fill.c src/store/fill.h \
	src/store/fill_add.c \
	src/store/fill_bulk.c src/store/fill_bulk.h \
	src/store/fill_columns.c \
	src/store/fill_execs.c \
	src/store/fill_generic.c \
	src/store/fill_index.c src/store/fill_index.h \
	src/store/fill_int.h \
	src/store/fill_lod.c \
	src/store/fill_ops.c \
	src/store/fill_rows.c \
	src/store/fill_settle.c \
	src/store/fill_tracks.c \
	src/store/foreign.c src/store/foreign.h \
	src/store/lod.c src/store/lod.h \
	src/store/note.c src/store/note.h \
	src/store/pages.c src/store/pages.h \
	src/store/record.c src/store/record.h \
	src/store/scan.c \
	src/store/schema.c src/store/schema.h \
	src/store/schema_tables.h \
	src/store/sink.c src/store/sink.h \
	src/store/sink_count.h \
	src/store/stamp.c src/store/stamp.h \
	src/store/store.c src/store/store.h \
	src/store/store_int.h \
	src/store/sum_vfs.c src/store/sum_vfs.h \
	src/store/topname.h \
	src/store/vtab.c

# A checksum of everything that rows come from, findings too: a store made by other sources is never taken for a current one. Names in order of
# their bytes, whatever the order above.
STAMPED = $(libbase_a_SOURCES) $(librun_a_SOURCES) $(libstore_a_SOURCES) $(libparsers_a_SOURCES) $(libimport_a_SOURCES) \
	$(libmodel_a_SOURCES) $(libanalysis_a_SOURCES)
store_stamp.h: $(STAMPED)
	$(AM_V_GEN)cd '$(abs_top_srcdir)' && \
	  sum=`for f in $(STAMPED); do echo "$$f"; done | LC_ALL=C sort | xargs cat | cksum | tr ' ' '-'` && test -n "$$sum" && \
	  echo "#define STORE_STAMP \"$$sum\"" >'$(abs_top_builddir)/$@.tmp' && mv '$(abs_top_builddir)/$@.tmp' '$(abs_top_builddir)/$@'
BUILT_SOURCES += store_stamp.h
CLEANFILES += store_stamp.h store_stamp.h.tmp
src/store/libstore_a-stamp.$(OBJEXT): store_stamp.h
