# SPDX-License-Identifier: Apache-2.0
# Tools that know nothing of profiles: errors, memory, text, threads; large/ arrays, read/ input.
# Includes nothing outside of base. Nothing here knows a file kind, a table or the screen.
noinst_LIBRARIES += libbase.a
libbase_a_CPPFLAGS = $(AM_CPPFLAGS) $(PCRE2_CFLAGS) $(CJSON_CFLAGS) $(ZLIB_CFLAGS)
libbase_a_CFLAGS = $(AM_CFLAGS)
libbase_a_SOURCES = \
	src/base/arena.c src/base/arena.h \
	src/base/bounded.h \
	src/base/buf.c src/base/buf.h \
	src/base/clock.h \
	src/base/err.c src/base/err.h \
	src/base/grow.h \
	src/base/hash.h \
	src/base/heap.h \
	src/base/limits.h \
	src/base/lang/fill.c src/base/lang/fill.h \
	src/base/lang/locale_utf8.c src/base/lang/locale_utf8.h \
	src/base/lang/said.c src/base/lang/said.h \
	src/base/log.c src/base/log.h \
	src/base/path.c src/base/path.h \
	src/base/percentile.h \
	src/base/re.c src/base/re.h \
	src/base/relay.c src/base/relay.h \
	src/base/round.h \
	src/base/sig.c src/base/sig.h \
	src/base/spans.c src/base/spans.h \
	src/base/str.c src/base/str.h \
	src/base/swar.h \
	src/base/text.c src/base/text.h \
	src/base/text_table.c src/base/text_table.h \
	src/base/lang/tr.c src/base/lang/tr.h \
	src/base/unit.c src/base/unit.h \
	src/base/val.h \
	src/base/words.c src/base/words.h
include $(srcdir)/src/base/large/files.mk
