# SPDX-License-Identifier: Apache-2.0
# Where in a tree of folders runs lie, and which units are one run.
librun_a_SOURCES += \
	src/run/find/discover.c src/run/find/discover.h \
	src/run/find/roots.c src/run/find/roots.h \
	src/run/find/runs.c src/run/find/runs.h \
	src/run/find/search_kept.c src/run/find/search_kept.h
