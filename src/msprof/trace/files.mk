# SPDX-License-Identifier: Apache-2.0
# msprof_*.json, step_trace_*.json, msprof_tx_*.json: layers of the timeline, one file each.
libmsprof_a_SOURCES += \
	src/msprof/trace/trace.c src/msprof/trace/trace.h \
	src/msprof/trace/trace_base.c \
	src/msprof/trace/trace_ccu.c \
	src/msprof/trace/trace_comm.c \
	src/msprof/trace/trace_cores.c \
	src/msprof/trace/trace_count.c \
	src/msprof/trace/trace_dpu.c \
	src/msprof/trace/trace_host.c \
	src/msprof/trace/trace_overlap.c \
	src/msprof/trace/trace_put.c \
	src/msprof/trace/trace_soc.c \
	src/msprof/trace/trace_step.c \
	src/msprof/trace/trace_task.c \
	src/msprof/trace/trace_tx.c \
	src/msprof/trace/trace_usage.c \
	src/msprof/trace/trace_v6.c
