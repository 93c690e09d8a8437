# SPDX-License-Identifier: Apache-2.0
# The csv and json tables of the export, one file a table or family.
libmsprof_a_SOURCES += \
	src/msprof/tables/aicpu.c \
	src/msprof/tables/api.c \
	src/msprof/tables/ccu_csv.c \
	src/msprof/tables/comm.c \
	src/msprof/tables/comm_before.c src/msprof/tables/comm_before.h \
	src/msprof/tables/comm_json.c \
	src/msprof/tables/comm_matrix.c \
	src/msprof/tables/cores.c src/msprof/tables/cores.h \
	src/msprof/tables/csv.c \
	src/msprof/tables/fusion.c \
	src/msprof/tables/l2.c \
	src/msprof/tables/memory.c \
	src/msprof/tables/op_statistic.c \
	src/msprof/tables/op_summary.c \
	src/msprof/tables/ops.c src/msprof/tables/ops.h \
	src/msprof/tables/pmu_blocks.c src/msprof/tables/pmu_blocks.h \
	src/msprof/tables/pmu_window.c src/msprof/tables/pmu_window.h \
	src/msprof/tables/sampled.c \
	src/msprof/tables/step_trace.c \
	src/msprof/tables/system.c \
	src/msprof/tables/task_report.c src/msprof/tables/task_report.h \
	src/msprof/tables/task_time.c \
	src/msprof/tables/tscpu.c \
	src/msprof/tables/tx.c \
	src/msprof/tables/usage.c src/msprof/tables/usage.h
