# SPDX-License-Identifier: Apache-2.0
# What MindSpore's analyse() (2.5 on) and torch_npu's would have written into ASCEND_PROFILER_OUTPUT
# (doc/formats/framework.md): joins msprof's files with the framework's. Reads parsers/framework, includes
# msprof; of mindspore the analysis of the data pipeline.
noinst_LIBRARIES += liboffline.a
liboffline_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
liboffline_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
liboffline_a_SOURCES = \
	src/offline/allocations.c src/offline/allocations.h \
	src/offline/comm.c src/offline/comm.h \
	src/offline/comm_json.c \
	src/offline/comm_matrix.c \
	src/offline/copies.c \
	src/offline/cpu_ops.c src/offline/cpu_ops.h \
	src/offline/csv_rows.c src/offline/csv_rows.h \
	src/offline/dataset.c \
	src/offline/decimal28.c src/offline/decimal28.h \
	src/offline/events.c src/offline/events.h \
	src/offline/export.c \
	src/offline/framework.c \
	src/offline/kernels.c src/offline/kernels.h \
	src/offline/links.c src/offline/links.h \
	src/offline/memory_record.c \
	src/offline/minddata.c \
	src/offline/module_mem.c \
	src/offline/offline.c src/offline/offline.h \
	src/offline/op_details.c \
	src/offline/op_memory.c \
	src/offline/pools.c src/offline/pools.h \
	src/offline/pyset.c src/offline/pyset.h \
	src/offline/rewrite.c \
	src/offline/run.c src/offline/run.h \
	src/offline/scope.c src/offline/scope.h \
	src/offline/step_sums.c src/offline/step_sums.h \
	src/offline/step_trace.c \
	src/offline/table.c src/offline/table.h \
	src/offline/timeline.c src/offline/timeline.h \
	src/offline/torch_details.c \
	src/offline/torch_joins.c src/offline/torch_joins.h \
	src/offline/torch_kernels.c \
	src/offline/torch_steps.c \
	src/offline/torch_trace.c \
	src/offline/trace_view.c
