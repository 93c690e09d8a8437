# SPDX-License-Identifier: Apache-2.0
# Bytes become rows in a sink. Here: the registry of families of kinds and of groups. A parser knows neither
# SQL nor the screen.
noinst_LIBRARIES += libparsers.a
libparsers_a_CPPFLAGS = $(AM_CPPFLAGS)
# -ffp-contract=off: the same doubles on every machine, also where multiply and add can be fused.
libparsers_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
libparsers_a_SOURCES = \
	parsers/group.c \
	parsers/group_find.c parsers/group_find.h \
	parsers/layouts.h \
	parsers/parsers.h \
	parsers/registry.c parsers/registry.h
include $(srcdir)/parsers/database/files.mk
include $(srcdir)/parsers/framework/files.mk
include $(srcdir)/parsers/working/files.mk
include $(srcdir)/parsers/kinds/files.mk
include $(srcdir)/parsers/logs/files.mk
include $(srcdir)/parsers/mindspore/files.mk
include $(srcdir)/parsers/mindspore/records/files.mk
include $(srcdir)/parsers/prof/files.mk
include $(srcdir)/parsers/read/files.mk
include $(srcdir)/parsers/tables/files.mk
include $(srcdir)/parsers/trace/files.mk
