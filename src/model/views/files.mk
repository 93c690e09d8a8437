# SPDX-License-Identifier: Apache-2.0
# The tables people look at, as data: columns, titles, units, what an empty one means. No code that walks
# them.
libmodel_a_SOURCES += \
	src/model/views/colset.c src/model/views/colset.h \
	src/model/views/colset_comm.c \
	src/model/views/colset_data.c \
	src/model/views/colset_files.c \
	src/model/views/colset_flops.c \
	src/model/views/colset_host.c \
	src/model/views/colset_logs.c \
	src/model/views/colset_mem.c \
	src/model/views/colset_op.c \
	src/model/views/colset_ops.c \
	src/model/views/colset_steps.c \
	src/model/views/colset_time.c \
	src/model/views/colset_triage.c \
	src/model/views/empty.c src/model/views/empty.h \
	src/model/views/op_names.c src/model/views/op_names.h
