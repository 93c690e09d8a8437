# SPDX-License-Identifier: Apache-2.0
# What all writers of vendor files share: files that appear when they are whole, float and JSON text as
# Python writes it, tables as JSON, the report. Knows no format of a vendor.
noinst_LIBRARIES += libemit.a
libemit_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libemit_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
libemit_a_SOURCES = \
	src/emit/beside.c src/emit/beside.h \
	src/emit/csvjson.c src/emit/csvjson.h \
	src/emit/decimal.c src/emit/decimal.h \
	src/emit/emit.c src/emit/emit.h \
	src/emit/json_tidy.c src/emit/json_tidy.h \
	src/emit/pretty.c src/emit/pretty.h \
	src/emit/report.c src/emit/report.h \
	src/emit/repr.c
