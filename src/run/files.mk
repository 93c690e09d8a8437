# SPDX-License-Identifier: Apache-2.0
# What lies in a directory: run roots, file kinds and states, facts and clocks of the run. Reads names and
# info files only; no rows, no SQL, no screen.
noinst_LIBRARIES += librun.a
librun_a_CPPFLAGS = $(AM_CPPFLAGS)
librun_a_CFLAGS = $(AM_CFLAGS)
librun_a_SOURCES = \
	src/run/build.h \
	src/run/chip.c src/run/chip.h \
	src/run/cluster_ranks.c \
	src/run/dir.c src/run/dir.h \
	src/run/expect.c src/run/expect.h \
	src/run/facts.c src/run/facts.h \
	src/run/inventory.c src/run/inventory.h \
	src/run/kind.c src/run/kind.h \
	src/run/known_diff.c src/run/known_diff.h \
	src/run/layout.c src/run/layout.h \
	src/run/opclass.c src/run/opclass.h \
	src/run/pattern.c \
	src/run/probe.c src/run/probe.h \
	src/run/prof_folder.c src/run/prof_folder.h \
	src/run/ranks.c \
	src/run/runinfo.c src/run/runinfo.h \
	src/run/slices.c \
	src/run/state.c src/run/state.h \
	src/run/unit.c
include $(srcdir)/src/run/find/files.mk
