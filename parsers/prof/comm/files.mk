# SPDX-License-Identifier: Apache-2.0
# Communication ops and tasks: HCCL, AI CPU communication, CCU.
libparsers_a_SOURCES += \
	parsers/prof/comm/ccu.c parsers/prof/comm/ccu.h \
	parsers/prof/comm/ccu_runs.c \
	parsers/prof/comm/comm.c parsers/prof/comm/comm.h \
	parsers/prof/comm/comm_rules.c \
	parsers/prof/comm/kfc.c parsers/prof/comm/kfc.h \
	parsers/prof/comm/kfc_comm.c parsers/prof/comm/kfc_comm.h \
	parsers/prof/comm/kfc_place.c
