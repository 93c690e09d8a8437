# SPDX-License-Identifier: Apache-2.0
# Logs and dumps of a job: which files there are, what they say of each rank, and which rank the fall began
# with. Knows neither the store nor the screen.
noinst_LIBRARIES += liblogs.a
liblogs_a_CPPFLAGS = $(AM_CPPFLAGS)
liblogs_a_CFLAGS = $(AM_CFLAGS)
liblogs_a_SOURCES = \
	src/logs/clock_skew.c src/logs/clock_skew.h \
	src/logs/log_around.c src/logs/log_around.h \
	src/logs/log_clocks.c \
	src/logs/log_dumps.c \
	src/logs/log_files.c src/logs/log_files.h \
	src/logs/log_hard.c \
	src/logs/log_load.c \
	src/logs/log_open.c \
	src/logs/log_setup.c \
	src/logs/log_verdict.c src/logs/log_verdict.h \
	src/logs/log_waits.c \
	src/logs/log_who.c \
	src/logs/log_zones.c \
	src/logs/logs.c src/logs/logs.h src/logs/logs_int.h \
	src/logs/suspects.c \
	src/logs/verdict_int.h
