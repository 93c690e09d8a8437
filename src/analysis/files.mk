# SPDX-License-Identifier: Apache-2.0
# State of the run, findings and their evidence. Asks the model, never the parsers.
noinst_LIBRARIES += libanalysis.a
libanalysis_a_CPPFLAGS = $(AM_CPPFLAGS)
libanalysis_a_CFLAGS = $(AM_CFLAGS)
libanalysis_a_SOURCES = \
	src/analysis/checks.c src/analysis/checks.h \
	src/analysis/ending.c src/analysis/ending.h \
	src/analysis/ending_compare.c \
	src/analysis/job_logs.c src/analysis/job_logs.h \
	src/analysis/job_met.c src/analysis/job_met.h \
	src/analysis/log_groups.c src/analysis/log_groups.h \
	src/analysis/log_rows.c src/analysis/log_rows.h \
	src/analysis/log_vals.h \
	src/analysis/peers.c src/analysis/peers.h src/analysis/peers_int.h src/analysis/peers_link.c \
	src/analysis/peers_base.c \
	src/analysis/peers_late.c \
	src/analysis/rank_clock.c src/analysis/rank_clock.h \
	src/analysis/triage.c src/analysis/triage.h \
	src/analysis/verdict.c src/analysis/verdict.h
