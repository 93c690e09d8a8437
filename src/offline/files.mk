# SPDX-License-Identifier: Apache-2.0
# What MindSpore's analyse() (2.3 on) and torch_npu's would have written into ASCEND_PROFILER_OUTPUT
# (doc/formats/framework.md): joins msprof's files with the framework's. trace/ reads msprof's timeline and
# writes MindSpore's, torch/ joins and writes torch_npu's, tables/ and comm/ make the other files, db/ the
# databases. Reads parsers/framework, includes msprof; of mindspore the analysis of the data pipeline.
noinst_LIBRARIES += liboffline.a
liboffline_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
liboffline_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
liboffline_a_SOURCES = \
	src/offline/comm/comm.c src/offline/comm/comm.h \
	src/offline/comm/comm_json.c \
	src/offline/comm/comm_matrix.c \
	src/offline/db/analysis_db.c \
	src/offline/db/comm_tables.c \
	src/offline/db/db.c src/offline/db/db.h \
	src/offline/db/msprof_db.c \
	src/offline/db/text_tables.c \
	src/offline/db/torch_api.c \
	src/offline/db/torch_db.c src/offline/db/torch_db.h \
	src/offline/export.c \
	src/offline/framework.c \
	src/offline/offline.c src/offline/offline.h \
	src/offline/run.c src/offline/run.h \
	src/offline/tables/allocations.c src/offline/tables/allocations.h \
	src/offline/tables/copies.c \
	src/offline/tables/cpu_ops.c src/offline/tables/cpu_ops.h \
	src/offline/tables/csv_rows.c src/offline/tables/csv_rows.h \
	src/offline/tables/dataset.c \
	src/offline/tables/kernels.c src/offline/tables/kernels.h \
	src/offline/tables/memory_record.c \
	src/offline/tables/minddata.c \
	src/offline/tables/module_mem.c \
	src/offline/tables/op_details.c \
	src/offline/tables/op_memory.c \
	src/offline/tables/table.c src/offline/tables/table.h \
	src/offline/torch/torch_details.c \
	src/offline/torch/torch_joins.c src/offline/torch/torch_joins.h \
	src/offline/torch/torch_kernels.c \
	src/offline/torch/torch_passes.c src/offline/torch/torch_passes.h \
	src/offline/torch/torch_python.c src/offline/torch/torch_python.h \
	src/offline/torch/torch_steps.c \
	src/offline/torch/torch_trace.c \
	src/offline/trace/decimal28.c src/offline/trace/decimal28.h \
	src/offline/trace/events.c src/offline/trace/events.h \
	src/offline/trace/links.c src/offline/trace/links.h \
	src/offline/trace/pools.c src/offline/trace/pools.h \
	src/offline/trace/pyset.c src/offline/trace/pyset.h \
	src/offline/trace/rewrite.c \
	src/offline/trace/scope.c src/offline/trace/scope.h \
	src/offline/trace/step_sums.c src/offline/trace/step_sums.h \
	src/offline/trace/step_trace.c \
	src/offline/trace/step_trace_24.c \
	src/offline/trace/timeline.c src/offline/trace/timeline.h \
	src/offline/trace/trace_view.c
