# SPDX-License-Identifier: Apache-2.0
# What the analysis of MindSpore 1.x would have written of its raw data (doc/formats/mindspore1.md). Reads
# parsers/mindspore; never includes msprof.
noinst_LIBRARIES += libmindspore.a
libmindspore_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libmindspore_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
libmindspore_a_SOURCES = \
	src/mindspore/aicore.c \
	src/mindspore/aicpu.c \
	src/mindspore/analyse.c src/mindspore/analyse.h \
	src/mindspore/cluster.c \
	src/mindspore/dynamic.c \
	src/mindspore/events.c \
	src/mindspore/flops.c \
	src/mindspore/framework.c \
	src/mindspore/gpu.c src/mindspore/gpu.h \
	src/mindspore/gpu_dynamic.c \
	src/mindspore/gpu_timeline.c \
	src/mindspore/hccl.c \
	src/mindspore/memory.c \
	src/mindspore/minddata.c src/mindspore/minddata.h \
	src/mindspore/minddata_files.c \
	src/mindspore/minddata_in.c \
	src/mindspore/ops.c \
	src/mindspore/parallel.c \
	src/mindspore/pynative.c \
	src/mindspore/rules.c src/mindspore/rules.h \
	src/mindspore/run.c src/mindspore/run.h \
	src/mindspore/scopes.c \
	src/mindspore/stamps.c \
	src/mindspore/steps.c \
	src/mindspore/timeline.c src/mindspore/timeline.h \
	src/mindspore/timeline_rows.c
