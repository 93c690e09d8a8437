# SPDX-License-Identifier: Apache-2.0
# What CANN's msprof would have exported of raw PROF folders (doc/formats/msprof.md). Reads parsers/prof;
# never includes mindspore.
noinst_LIBRARIES += libmsprof.a
libmsprof_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libmsprof_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
libmsprof_a_SOURCES = \
	src/msprof/args.h \
	src/msprof/calls.c src/msprof/calls.h \
	src/msprof/ccu.c src/msprof/ccu.h \
	src/msprof/clock.c src/msprof/clock.h \
	src/msprof/comm_walk.c src/msprof/comm_walk.h \
	src/msprof/dpu.c src/msprof/dpu.h \
	src/msprof/msprof.c src/msprof/msprof.h \
	src/msprof/query.c \
	src/msprof/readme.c \
	src/msprof/run.h \
	src/msprof/soc.c src/msprof/soc.h \
	src/msprof/soc_kept.h \
	src/msprof/window.c src/msprof/window.h
include $(srcdir)/src/msprof/db/files.mk
include $(srcdir)/src/msprof/tables/files.mk
include $(srcdir)/src/msprof/trace/files.mk
