# The synthetic run: one model of a run, written as files of any profiler, analysed or raw, whole or
# crashed. Only the command line includes it.
noinst_LIBRARIES += libdemo.a
libdemo_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libdemo_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
libdemo_a_SOURCES = \
	src/demo/demo.c src/demo/demo.h \
	src/demo/demo_build.h \
	src/demo/demo_calls.c \
	src/demo/demo_cut.c src/demo/demo_cut.h \
	src/demo/demo_data.c src/demo/demo_data.h \
	src/demo/demo_gen1.c \
	src/demo/demo_gen2.c \
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
	src/demo/demo_write.h \
	src/demo/gen1.h \
	src/demo/gen1_data.c \
	src/demo/gen1_flops.c \
	src/demo/gen1_graph.c src/demo/gen1_graph.h \
	src/demo/gen1_hccl.c \
	src/demo/gen1_host.c \
	src/demo/gen1_mem.c \
	src/demo/gen1_ops.c \
	src/demo/gen1_overlap.c src/demo/gen1_overlap.h \
	src/demo/gen1_steps.c \
	src/demo/gen1_timeline.c \
	src/demo/gen2.h \
	src/demo/gen2_comm.c \
	src/demo/gen2_host.c \
	src/demo/gen2_info.c \
	src/demo/gen2_kernels.c \
	src/demo/gen2_mem.c \
	src/demo/gen2_scope.c src/demo/gen2_scope.h \
	src/demo/gen2_steps.c \
	src/demo/gen2_tasks.c \
	src/demo/gen2_trace.c \
	src/demo/raw1.c src/demo/raw1.h \
	src/demo/raw1_framework.c \
	src/demo/raw1_gpu.c \
	src/demo/raw1_hccl.c \
	src/demo/raw1_host.c \
	src/demo/raw1_mem.c \
	src/demo/raw1_stamps.c src/demo/raw1_stamps.h \
	src/demo/raw1_tasks.c \
	src/demo/raw2.c src/demo/raw2.h \
	src/demo/raw2_device.c \
	src/demo/raw2_host.c
