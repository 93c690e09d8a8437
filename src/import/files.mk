# SPDX-License-Identifier: Apache-2.0
# The one place that brings parsers and store together: plan, worker process, progress, derived tables, the
# overview of a job.
noinst_LIBRARIES += libimport.a
libimport_a_CPPFLAGS = $(AM_CPPFLAGS)
libimport_a_CFLAGS = $(AM_CFLAGS)
libimport_a_SOURCES = \
	src/import/cluster_db.c src/import/cluster_db.h \
	src/import/generic.c \
	src/import/groups.c src/import/groups.h \
	src/import/import.c src/import/import.h \
	src/import/import_groups.c src/import/import_int.h src/import/importer.c \
	src/import/jobread.c \
	src/import/overview.c src/import/overview.h \
	src/import/plan.c src/import/plan.h \
	src/import/precedence.c src/import/precedence.h \
	src/import/room.c src/import/room.h \
	src/import/worker.c src/import/worker.h
include $(srcdir)/src/import/agree/files.mk
include $(srcdir)/src/import/derived/files.mk
