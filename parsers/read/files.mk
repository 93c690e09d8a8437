# SPDX-License-Identifier: Apache-2.0
# What parsers of all formats read with: lines, csv by column maps, json walks, slices, records. Knows no
# file kind.
libparsers_a_SOURCES += \
	parsers/read/csvconv.c parsers/read/csvconv.h \
	parsers/read/csvmap.c parsers/read/csvmap.h \
	parsers/read/csvrows.c parsers/read/csvrows.h \
	parsers/read/jsoncell.c parsers/read/jsoncell.h \
	parsers/read/jwalk.c parsers/read/jwalk.h \
	parsers/read/layout_rows.h \
	parsers/read/lines.c parsers/read/lines.h \
	parsers/read/opwords.c parsers/read/opwords.h \
	parsers/read/pickle.c parsers/read/pickle.h \
	parsers/read/pickle_values.c parsers/read/pickle_values.h \
	parsers/read/records.c parsers/read/records.h \
	parsers/read/slices.c parsers/read/slices.h \
	parsers/read/u64map.c parsers/read/u64map.h
