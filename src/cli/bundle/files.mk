# SPDX-License-Identifier: Apache-2.0
# What somebody else needs to help with a run, gathered and packed.
libcli_a_SOURCES += \
	src/cli/bundle/bundle.c src/cli/bundle/bundle.h \
	src/cli/bundle/excerpt.c src/cli/bundle/excerpt.h \
	src/cli/bundle/host.c \
	src/cli/bundle/parts.h \
	src/cli/bundle/readme.c \
	src/cli/bundle/results.c \
	src/cli/bundle/sources.c
