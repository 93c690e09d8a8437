# SPDX-License-Identifier: Apache-2.0
# The one place that brings parsers and store together: plan, worker process, progress, derived tables, the
# overview of a job.
noinst_LIBRARIES += libimport.a
libimport_a_CPPFLAGS = $(AM_CPPFLAGS)
libimport_a_CFLAGS = $(AM_CFLAGS)
libimport_a_SOURCES = \
	src/import/activity.c src/import/activity.h \
	src/import/cluster_db.c src/import/cluster_db.h \
	src/import/comm_names.c src/import/comm_names.h \
	src/import/comm_ranks.c src/import/comm_ranks.h \
	src/import/derive.c src/import/derive.h \
	src/import/flops.c src/import/flops.h \
	src/import/generic.c \
	src/import/groups.c src/import/groups.h \
	src/import/import.c src/import/import.h \
	src/import/import_groups.c src/import/import_int.h src/import/importer.c \
	src/import/jobread.c \
	src/import/launch.c src/import/launch.h \
	src/import/launch_place.c src/import/launch_place.h \
	src/import/mem_names.c src/import/mem_names.h \
	src/import/op_types.c src/import/op_types.h \
	src/import/overlap.c src/import/overlap.h \
	src/import/overview.c src/import/overview.h \
	src/import/plan.c src/import/plan.h \
	src/import/precedence.c src/import/precedence.h \
	src/import/room.c src/import/room.h \
	src/import/totals.c src/import/totals.h \
	src/import/worker.c src/import/worker.h
include $(srcdir)/src/import/agree/files.mk
