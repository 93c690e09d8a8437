# SPDX-License-Identifier: Apache-2.0
# What an analysis wrote, compared with what the raw data say.
libimport_a_SOURCES += \
	src/import/agree/agree.c src/import/agree/agree.h \
	src/import/agree/agree_files.c src/import/agree/agree_files.h \
	src/import/agree/agree_int.h \
	src/import/agree/agree_ops.c src/import/agree/agree_ops.h \
	src/import/agree/agree_rows.c src/import/agree/agree_rows.h \
	src/import/agree/agree_sides.c
