# SPDX-License-Identifier: Apache-2.0
# Logs and dumps that a run with a fault leaves: stories of lines as tables, put together rank by rank.
libdemo_a_SOURCES += \
	src/demo/logs/log_book.c src/demo/logs/log_book.h \
	src/demo/logs/log_faults.c src/demo/logs/log_faults.h \
	src/demo/logs/log_flight.c src/demo/logs/log_flight.h \
	src/demo/logs/log_last.c src/demo/logs/log_last.h \
	src/demo/logs/log_lines.c src/demo/logs/log_lines.h \
	src/demo/logs/log_pickle.c src/demo/logs/log_pickle.h \
	src/demo/logs/log_say.c src/demo/logs/log_say.h \
	src/demo/logs/log_time.c src/demo/logs/log_time.h \
	src/demo/logs/log_truth.c src/demo/logs/log_truth.h \
	src/demo/logs/logs.c
