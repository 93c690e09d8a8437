# SPDX-License-Identifier: Apache-2.0
# Working databases of msprof's export, below host/sqlite and device_N/sqlite, read where nothing else of a PROF
# folder is left (doc/formats/msprof.md#working-databases). Clocks are those of its info files.
libparsers_a_SOURCES += \
	parsers/working/working.c parsers/working/working.h \
	parsers/working/working_comm.c \
	parsers/working/working_counters.c \
	parsers/working/working_curves.c \
	parsers/working/working_find.c \
	parsers/working/working_host.c \
	parsers/working/working_maps.c \
	parsers/working/working_tasks.c
