# SPDX-License-Identifier: Apache-2.0
# The synthetic run as MindSpore 2.x leaves it after analysis (*_ascend_ms).
libdemo_a_SOURCES += \
	src/demo/ascend_ms/ascend_comm.c \
	src/demo/ascend_ms/ascend_fusion.c \
	src/demo/ascend_ms/ascend_host.c \
	src/demo/ascend_ms/ascend_info.c \
	src/demo/ascend_ms/ascend_kernels.c \
	src/demo/ascend_ms/ascend_mem.c \
	src/demo/ascend_ms/ascend_ms.c src/demo/ascend_ms/ascend_ms.h \
	src/demo/ascend_ms/ascend_names.c \
	src/demo/ascend_ms/ascend_scope.c src/demo/ascend_ms/ascend_scope.h \
	src/demo/ascend_ms/ascend_steps.c \
	src/demo/ascend_ms/ascend_tasks.c \
	src/demo/ascend_ms/ascend_trace.c src/demo/ascend_ms/ascend_trace.h \
	src/demo/ascend_ms/ascend_trace_event.c \
	src/demo/ascend_ms/ascend_trace_fw.c
