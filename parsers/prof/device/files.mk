# SPDX-License-Identifier: Apache-2.0
# What devices say of their tasks: when they ran, which of the host's they are, steps, counters.
libparsers_a_SOURCES += \
	parsers/prof/device/aicpu.c parsers/prof/device/aicpu.h \
	parsers/prof/device/aicpu_tasks.c \
	parsers/prof/device/blocks.c parsers/prof/device/blocks.h \
	parsers/prof/device/clock_mend.c parsers/prof/device/clock_mend.h \
	parsers/prof/device/device.c parsers/prof/device/device.h \
	parsers/prof/device/device_log.c parsers/prof/device/device_log.h \
	parsers/prof/device/device_match.c \
	parsers/prof/device/device_mini.c parsers/prof/device/device_mini.h \
	parsers/prof/device/device_outer.c \
	parsers/prof/device/device_sched.c \
	parsers/prof/device/device_tiling.c \
	parsers/prof/device/devices.c parsers/prof/device/devices.h \
	parsers/prof/device/flips.c parsers/prof/device/flips.h \
	parsers/prof/device/marks.c parsers/prof/device/marks.h \
	parsers/prof/device/metrics.c parsers/prof/device/metrics.h \
	parsers/prof/device/mini_times.c parsers/prof/device/mini_times.h \
	parsers/prof/device/overlap.c parsers/prof/device/overlap.h \
	parsers/prof/device/pair.c parsers/prof/device/pair.h \
	parsers/prof/device/pmu.c parsers/prof/device/pmu.h \
	parsers/prof/device/steps.c parsers/prof/device/steps.h \
	parsers/prof/device/streams.c parsers/prof/device/streams.h
