# SPDX-License-Identifier: Apache-2.0
# Logs and dumps beside a profile: lines, blocks and signatures of text logs; flight recorders, status files,
# stacks. Knows no other file and no rank but what a line says.
libparsers_a_SOURCES += \
	parsers/logs/flight.c parsers/logs/flight.h \
	parsers/logs/flight_build.c parsers/logs/flight_build.h \
	parsers/logs/flight_compare.c parsers/logs/flight_compare.h \
	parsers/logs/flight_entry.c parsers/logs/flight_entry.h \
	parsers/logs/flight_json.c \
	parsers/logs/flight_roots.c \
	parsers/logs/flight_text.c parsers/logs/flight_text.h \
	parsers/logs/hccl_status.c parsers/logs/hccl_status.h \
	parsers/logs/log_block.c parsers/logs/log_block.h \
	parsers/logs/log_code.c parsers/logs/log_code.h \
	parsers/logs/log_field.c parsers/logs/log_field.h \
	parsers/logs/log_head.c parsers/logs/log_head.h \
	parsers/logs/log_scan.c parsers/logs/log_scan.h \
	parsers/logs/log_time.c parsers/logs/log_time.h \
	parsers/logs/pystack.c parsers/logs/pystack.h \
	parsers/logs/signature.c parsers/logs/signature.h \
	parsers/logs/signatures_device.c \
	parsers/logs/signatures_hccl.c \
	parsers/logs/signatures_marks.c \
	parsers/logs/signatures_own.c parsers/logs/signatures_own.h \
	parsers/logs/signatures_program.c \
	parsers/logs/signatures_runtime.c
