# SPDX-License-Identifier: Apache-2.0
# What follows from several files of a run: names, types, launches, tracks, overlap, FLOPs, totals.
libimport_a_SOURCES += \
	src/import/derived/activity.c src/import/derived/activity.h \
	src/import/derived/comm_names.c src/import/derived/comm_names.h \
	src/import/derived/comm_ranks.c src/import/derived/comm_ranks.h \
	src/import/derived/derive.c src/import/derived/derive.h \
	src/import/derived/flops.c src/import/derived/flops.h \
	src/import/derived/launch.c src/import/derived/launch.h \
	src/import/derived/launch_place.c src/import/derived/launch_place.h \
	src/import/derived/mem_names.c src/import/derived/mem_names.h \
	src/import/derived/op_types.c src/import/derived/op_types.h \
	src/import/derived/overlap.c src/import/derived/overlap.h \
	src/import/derived/totals.c src/import/derived/totals.h
