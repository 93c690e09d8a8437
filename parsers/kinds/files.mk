# SPDX-License-Identifier: Apache-2.0
# The rows of file kinds, a table for each family. Data alone: what reads a kind lies in the other folders.
libparsers_a_SOURCES += \
	parsers/kinds/expects.c \
	parsers/kinds/kinds.h \
	parsers/kinds/kinds_listed.c \
	parsers/kinds/kinds_mindspore.c \
	parsers/kinds/kinds_ops.c \
	parsers/kinds/kinds_raw.c \
	parsers/kinds/kinds_state.c \
	parsers/kinds/kinds_system.c \
	parsers/kinds/kinds_trace.c
