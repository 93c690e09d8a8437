# SPDX-License-Identifier: Apache-2.0
# The synthetic run as files of MindSpore 1.x; raw_* are those of a run that was never analysed.
libdemo_a_SOURCES += \
	src/demo/mindspore/analysed.c src/demo/mindspore/analysed.h \
	src/demo/mindspore/analysed_files.c \
	src/demo/mindspore/data.c \
	src/demo/mindspore/flops.c \
	src/demo/mindspore/graph.c src/demo/mindspore/graph.h \
	src/demo/mindspore/hccl.c \
	src/demo/mindspore/host.c \
	src/demo/mindspore/mem.c \
	src/demo/mindspore/ops.c \
	src/demo/mindspore/overlap.c src/demo/mindspore/overlap.h \
	src/demo/mindspore/raw.c src/demo/mindspore/raw.h \
	src/demo/mindspore/raw_files.c \
	src/demo/mindspore/raw_framework.c \
	src/demo/mindspore/raw_gpu.c \
	src/demo/mindspore/raw_hccl.c \
	src/demo/mindspore/raw_host.c \
	src/demo/mindspore/raw_mem.c \
	src/demo/mindspore/raw_stamps.c src/demo/mindspore/raw_stamps.h \
	src/demo/mindspore/raw_tasks.c \
	src/demo/mindspore/steps.c \
	src/demo/mindspore/timeline.c
