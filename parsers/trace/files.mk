# SPDX-License-Identifier: Apache-2.0
# Timelines in the Chrome trace format, whoever wrote them.
libparsers_a_SOURCES += \
	parsers/trace/trace.c \
	parsers/trace/trace_clock.c parsers/trace/trace_clock.h \
	parsers/trace/trace_steps.c \
	parsers/trace/trace_track.c parsers/trace/trace_track.h
