# SPDX-License-Identifier: Apache-2.0
# Logs and dumps that a run with a fault leaves: stories of lines as tables, put together rank by rank.
libdemo_a_SOURCES += \
	src/demo/logs/log_pickle.c src/demo/logs/log_pickle.h
