# SPDX-License-Identifier: Apache-2.0
# Options, commands, and where their output goes. Standard output belongs to out.c. Includes neither parsers
# nor the screen.
noinst_LIBRARIES += libcli.a
libcli_a_CPPFLAGS = $(AM_CPPFLAGS)
libcli_a_CFLAGS = $(AM_CFLAGS)
libcli_a_SOURCES = \
	src/cli/anonymise.c src/cli/anonymise.h \
	src/cli/cli.c src/cli/cli.h \
	src/cli/commands.c src/cli/commands.h \
	src/cli/complete.c src/cli/complete.h \
	src/cli/context.c \
	src/cli/damage.c \
	src/cli/generate.c src/cli/generate.h \
	src/cli/help_text.c src/cli/help_text.h \
	src/cli/host.c src/cli/host.h \
	src/cli/job.c \
	src/cli/load.c \
	src/cli/man.c \
	src/cli/man_texts.c src/cli/man_texts.h \
	src/cli/open.c src/cli/open.h \
	src/cli/options.c src/cli/options.h \
	src/cli/out.c src/cli/out.h \
	src/cli/progress.c src/cli/progress.h \
	src/cli/rank_table.c src/cli/rank_table.h \
	src/cli/ranks.c \
	src/cli/table.c src/cli/table.h \
	src/cli/unpack.c \
	src/cli/window.c src/cli/window.h
include $(srcdir)/src/cli/bundle/files.mk
include $(srcdir)/src/cli/cmd/files.mk
include $(srcdir)/src/cli/msprof/files.mk
