# SPDX-License-Identifier: Apache-2.0
# The synthetic run as torch_npu leaves it after analysis (*_ascend_pt): what is not as MindSpore's.
libdemo_a_SOURCES += \
	src/demo/ascend_pt/pt.h \
	src/demo/ascend_pt/pt_details.c \
	src/demo/ascend_pt/pt_mem.c \
	src/demo/ascend_pt/pt_steps.c \
	src/demo/ascend_pt/pt_trace.c
