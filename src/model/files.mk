# SPDX-License-Identifier: Apache-2.0
# Questions and answers without a screen, over open stores. No SQL leaves this folder and nothing here
# draws.
noinst_LIBRARIES += libmodel.a
libmodel_a_CPPFLAGS = $(AM_CPPFLAGS)
libmodel_a_CFLAGS = $(AM_CFLAGS)
libmodel_a_SOURCES = \
	src/model/links.c src/model/links.h \
	src/model/live.c src/model/live.h \
	src/model/members.c src/model/members.h \
	src/model/op_origin.c src/model/op_origin.h \
	src/model/pipeline.c src/model/pipeline.h \
	src/model/places.c src/model/places.h \
	src/model/relations.c src/model/relations.h \
	src/model/roofline.c src/model/roofline.h \
	src/model/run_list.c src/model/run_list.h \
	src/model/session.c src/model/session.h \
	src/model/settings.c src/model/settings.h \
	src/model/windows.c src/model/windows.h
include $(srcdir)/src/model/timeline/files.mk
include $(srcdir)/src/model/view/files.mk
include $(srcdir)/src/model/views/files.mk
include $(srcdir)/src/model/writer/files.mk
