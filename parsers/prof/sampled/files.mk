# SPDX-License-Identifier: Apache-2.0
# What was sampled over time: memory, links, processors, the chip.
libparsers_a_SOURCES += \
	parsers/prof/sampled/core_samples.c parsers/prof/sampled/core_samples.h \
	parsers/prof/sampled/memory.c parsers/prof/sampled/memory.h \
	parsers/prof/sampled/rates.c \
	parsers/prof/sampled/sampled.c parsers/prof/sampled/sampled.h \
	parsers/prof/sampled/soc.c parsers/prof/sampled/soc.h \
	parsers/prof/sampled/system.c parsers/prof/sampled/system.h \
	parsers/prof/sampled/system_process.c \
	parsers/prof/sampled/tscpu.c parsers/prof/sampled/tscpu.h \
	parsers/prof/sampled/usage.c parsers/prof/sampled/usage.h \
	parsers/prof/sampled/usage_cpu.c
