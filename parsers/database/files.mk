# SPDX-License-Identifier: Apache-2.0
# Databases of msprof, torch_npu, MindSpore and their analysis become rows (doc/formats/analysed.md#databases).
# database_maps holds plain tables as data; the others join tables. No SQL here: src/store/foreign.h reads.
libparsers_a_SOURCES += \
	parsers/database/database.c parsers/database/database.h \
	parsers/database/database_calls.c \
	parsers/database/database_comm.c \
	parsers/database/database_counters.c \
	parsers/database/database_curves.c \
	parsers/database/database_gc.c \
	parsers/database/database_group.c parsers/database/database_group.h \
	parsers/database/database_host.c \
	parsers/database/database_ids.c parsers/database/database_ids.h \
	parsers/database/database_links.c \
	parsers/database/database_maps.c \
	parsers/database/database_memory.c \
	parsers/database/database_metrics.c \
	parsers/database/database_ops.c \
	parsers/database/database_stacks.c \
	parsers/database/database_sums.c \
	parsers/database/database_tasks.c \
	parsers/database/database_tracks.c
