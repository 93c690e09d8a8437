# SPDX-License-Identifier: Apache-2.0
# Filling a store: rows in, chunks of the timeline, levels of detail. What is only read lies one folder up.
libstore_a_SOURCES += \
	src/store/fill/chunk.c src/store/fill/chunk.h \
	src/store/fill/chunk_sum.c \
	src/store/fill/fill.c src/store/fill/fill.h \
	src/store/fill/fill_add.c \
	src/store/fill/fill_base.c \
	src/store/fill/fill_columns.c \
	src/store/fill/fill_execs.c \
	src/store/fill/fill_generic.c \
	src/store/fill/fill_int.h \
	src/store/fill/fill_lod.c \
	src/store/fill/fill_ops.c \
	src/store/fill/fill_rows.c \
	src/store/fill/fill_settle.c \
	src/store/fill/fill_tracks.c \
	src/store/fill/lod.c src/store/fill/lod.h
