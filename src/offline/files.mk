# SPDX-License-Identifier: Apache-2.0
# What MindSpore's analyse() (2.5 on) and torch_npu's would have written into ASCEND_PROFILER_OUTPUT
# (doc/formats/framework.md): joins msprof's files with the framework's. Reads parsers/framework, includes
# msprof; never includes mindspore.
noinst_LIBRARIES += liboffline.a
liboffline_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
liboffline_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
liboffline_a_SOURCES = \
	src/offline/copies.c \
	src/offline/export.c \
	src/offline/framework.c \
	src/offline/offline.c src/offline/offline.h \
	src/offline/run.c src/offline/run.h
