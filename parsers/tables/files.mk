# SPDX-License-Identifier: Apache-2.0
# Analysed files, one file a family, named <subject>_<syntax>.
libparsers_a_SOURCES += \
	parsers/tables/any_database.c \
	parsers/tables/any_table.c \
	parsers/tables/comm_json.c \
	parsers/tables/data_csv.c \
	parsers/tables/data_json.c \
	parsers/tables/data_summary_json.c \
	parsers/tables/data_text.c \
	parsers/tables/exec_text.c \
	parsers/tables/framework_csv.c \
	parsers/tables/groups_json.c \
	parsers/tables/groups_json.h \
	parsers/tables/hccl_csv.c \
	parsers/tables/host_csv.c \
	parsers/tables/kernels_csv.c \
	parsers/tables/mapped_csv.c \
	parsers/tables/memory_csv.c \
	parsers/tables/memory_json.c \
	parsers/tables/memscope.c \
	parsers/tables/monitor_jsonl.c \
	parsers/tables/opprof_csv.c \
	parsers/tables/ops_json.c \
	parsers/tables/ops_text.c \
	parsers/tables/opstat_csv.c \
	parsers/tables/settings_json.c \
	parsers/tables/snapshot.h \
	parsers/tables/snapshot_read.c \
	parsers/tables/snapshot_rows.c \
	parsers/tables/shapes_text.c \
	parsers/tables/step_cols.h \
	parsers/tables/steps_csv.c
