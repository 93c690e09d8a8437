# SPDX-License-Identifier: Apache-2.0
# The synthetic run: one model of a run, written as files of any profiler, analysed or raw, whole or
# crashed. Only the command line includes it.
noinst_LIBRARIES += libdemo.a
libdemo_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libdemo_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
libdemo_a_SOURCES = \
	src/demo/demo.c src/demo/demo.h \
	src/demo/demo_build.c src/demo/demo_build.h \
	src/demo/demo_calls.c \
	src/demo/demo_cut.c src/demo/demo_cut.h \
	src/demo/demo_data.c src/demo/demo_data.h \
	src/demo/demo_data_raw.c \
	src/demo/demo_fault.c src/demo/demo_fault.h \
	src/demo/demo_fused.c src/demo/demo_fused.h \
	src/demo/demo_gpt.c \
	src/demo/demo_mem.c \
	src/demo/demo_net.c src/demo/demo_net.h \
	src/demo/demo_num.h \
	src/demo/demo_pmu.c src/demo/demo_pmu.h \
	src/demo/demo_resnet.c \
	src/demo/demo_run.c src/demo/demo_run.h \
	src/demo/demo_slices.c src/demo/demo_slices.h \
	src/demo/demo_speed.h \
	src/demo/demo_stat.h \
	src/demo/demo_walk.c \
	src/demo/demo_write.h
include $(srcdir)/src/demo/ascend_ms/files.mk
include $(srcdir)/src/demo/ascend_pt/files.mk
include $(srcdir)/src/demo/framework/files.mk
include $(srcdir)/src/demo/logs/files.mk
include $(srcdir)/src/demo/mindspore/files.mk
include $(srcdir)/src/demo/prof/files.mk
