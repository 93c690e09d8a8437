# SPDX-License-Identifier: Apache-2.0
# msprof_*.db, one file a family of tables.
libmsprof_a_SOURCES += \
	src/msprof/db/db.c src/msprof/db/db.h \
	src/msprof/db/db_args.c \
	src/msprof/db/db_ccu.c \
	src/msprof/db/db_comm.c \
	src/msprof/db/db_cores.c \
	src/msprof/db/db_device.c \
	src/msprof/db/db_dpu.c \
	src/msprof/db/db_facts.c \
	src/msprof/db/db_host.c \
	src/msprof/db/db_rows.c \
	src/msprof/db/db_sampled.c \
	src/msprof/db/db_soc.c \
	src/msprof/db/db_usage.c
