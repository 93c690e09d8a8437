# SPDX-License-Identifier: Apache-2.0
# SQLite's file format written directly (sqlite.org/fileformat2.html), for the tables that grow with the
# run. Knows no table of ours.
libstore_a_SOURCES += \
	src/store/pages/dbout_file.c src/store/pages/dbout_file.h \
	src/store/pages/fill_bulk.c src/store/pages/fill_bulk.h \
	src/store/pages/fill_index.c src/store/pages/fill_index.h \
	src/store/pages/page_rows.c src/store/pages/page_rows.h \
	src/store/pages/pages.c src/store/pages/pages.h \
	src/store/pages/record.c src/store/pages/record.h
