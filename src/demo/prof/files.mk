# SPDX-License-Identifier: Apache-2.0
# The synthetic run as raw PROF folders of CANN.
libdemo_a_SOURCES += \
	src/demo/prof/prof.c src/demo/prof/prof.h \
	src/demo/prof/prof_device.c \
	src/demo/prof/prof_files.c \
	src/demo/prof/prof_host.c
