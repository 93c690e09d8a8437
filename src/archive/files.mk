# SPDX-License-Identifier: Apache-2.0
# Archives given as profiles: their members unpacked into a private folder, copies of archives in the cache. The only
# folder with libarchive. Knows no file kind, no table and no screen.
noinst_LIBRARIES += libarc.a
libarc_a_CPPFLAGS = $(AM_CPPFLAGS) $(LIBARCHIVE_CFLAGS) $(ZLIB_CFLAGS)
libarc_a_CFLAGS = $(AM_CFLAGS)
libarc_a_SOURCES = \
	src/archive/copies.c \
	src/archive/copy.c src/archive/copy.h \
	src/archive/copy_dir.h \
	src/archive/inner.c src/archive/inner.h \
	src/archive/member.c src/archive/member.h \
	src/archive/pack.c src/archive/pack.h \
	src/archive/record.c src/archive/record.h \
	src/archive/stream.c src/archive/stream.h \
	src/archive/unpack.c src/archive/unpack.h \
	src/archive/write.c src/archive/write.h
