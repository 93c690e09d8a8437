# SPDX-License-Identifier: Apache-2.0
# What the host says: calls, the tasks they issued, what those tasks are.
libparsers_a_SOURCES += \
	parsers/prof/host/call_records.c parsers/prof/host/call_records.h \
	parsers/prof/host/call_tree.c parsers/prof/host/call_tree.h \
	parsers/prof/host/dpu.c parsers/prof/host/dpu.h \
	parsers/prof/host/host.c parsers/prof/host/host.h \
	parsers/prof/host/host_at.h \
	parsers/prof/host/host_words.c \
	parsers/prof/host/joined.c parsers/prof/host/joined.h \
	parsers/prof/host/rt_ops.c parsers/prof/host/rt_ops.h \
	parsers/prof/host/tensors.c parsers/prof/host/tensors.h \
	parsers/prof/host/tx.c parsers/prof/host/tx.h
