# SPDX-License-Identifier: Apache-2.0
# The model of a PROF folder as rows of the store. Only these files of parsers/prof know a sink.
libparsers_a_SOURCES += \
	parsers/prof/rows/comm_figures.c parsers/prof/rows/comm_figures.h \
	parsers/prof/rows/curves.c parsers/prof/rows/curves.h \
	parsers/prof/rows/framework_launch.c \
	parsers/prof/rows/framework_memory.c \
	parsers/prof/rows/framework_ops.c \
	parsers/prof/rows/framework_origin.c \
	parsers/prof/rows/framework_place.c \
	parsers/prof/rows/framework_read.c \
	parsers/prof/rows/framework_steps.c \
	parsers/prof/rows/rows.c parsers/prof/rows/rows.h \
	parsers/prof/rows/rows_activity.c \
	parsers/prof/rows/rows_aicpu.c \
	parsers/prof/rows/rows_base.c \
	parsers/prof/rows/rows_ccu.c \
	parsers/prof/rows/rows_comm.c \
	parsers/prof/rows/rows_cores.c \
	parsers/prof/rows/rows_counters.c parsers/prof/rows/rows_counters.h \
	parsers/prof/rows/rows_dpu.c \
	parsers/prof/rows/rows_preview.c \
	parsers/prof/rows/rows_framework.c parsers/prof/rows/rows_framework.h \
	parsers/prof/rows/rows_host.c \
	parsers/prof/rows/rows_kfc.c \
	parsers/prof/rows/rows_lost.c \
	parsers/prof/rows/rows_memory.c \
	parsers/prof/rows/rows_ops.c \
	parsers/prof/rows/rows_samples.c \
	parsers/prof/rows/rows_set.c \
	parsers/prof/rows/rows_soc.c \
	parsers/prof/rows/rows_steps.c \
	parsers/prof/rows/rows_system.c \
	parsers/prof/rows/rows_tracks.c \
	parsers/prof/rows/rows_tscpu.c \
	parsers/prof/rows/rows_tx.c \
	parsers/prof/rows/rows_usage.c \
	parsers/prof/rows/rows_v6.c
