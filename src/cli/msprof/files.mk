# SPDX-License-Identifier: Apache-2.0
# The command lines of msprof.py (doc/formats/msprof.md#command-line).
libcli_a_SOURCES += \
	src/cli/msprof/msprof.c src/cli/msprof/msprof.h \
	src/cli/msprof/msprof_args.c src/cli/msprof/msprof_args.h \
	src/cli/msprof/msprof_help.c src/cli/msprof/msprof_help.h \
	src/cli/msprof/msprof_query.c src/cli/msprof/msprof_query.h \
	src/cli/msprof/msprof_switch.c src/cli/msprof/msprof_switch.h
