# SPDX-License-Identifier: Apache-2.0
# What starts and steers the profilers: the switches, their forms, files of them. Knows neither runs nor the
# screen.
noinst_LIBRARIES += libconfigure.a
libconfigure_a_CPPFLAGS = $(AM_CPPFLAGS)
libconfigure_a_CFLAGS = $(AM_CFLAGS)
libconfigure_a_SOURCES = \
	src/configure/choice.c src/configure/choice.h \
	src/configure/config_check.c src/configure/config_check.h \
	src/configure/config_edit.c src/configure/config_edit.h \
	src/configure/config_int.h \
	src/configure/config_msprof.c \
	src/configure/config_read.c src/configure/config_read.h \
	src/configure/config_remark.c \
	src/configure/config_rules.c \
	src/configure/config_value.c \
	src/configure/config_write.c src/configure/config_write.h \
	src/configure/json_strict.c src/configure/json_strict.h \
	src/configure/presets.c src/configure/presets.h \
	src/configure/shell.c src/configure/shell.h \
	src/configure/switches.c src/configure/switches.h \
	src/configure/tokens.c src/configure/tokens.h
