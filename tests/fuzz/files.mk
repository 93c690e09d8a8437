# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: fuzz_<what>.c, those of raw data in raw/, with LLVMFuzzerTestOneInput; one name and one _LDADD line each, and
# its first inputs in tests/fuzz/corpus/<what>/. In every build the targets are built with a main that replays
# files, and `make check` replays the corpus. With CC=clang --enable-fuzz they fuzz: `make check-fuzz
# FUZZ_SECONDS=60`.
FUZZ_TARGETS = \
	tests/fuzz/fuzz_analyse \
	tests/fuzz/fuzz_archive \
	tests/fuzz/fuzz_configure \
	tests/fuzz/fuzz_csv \
	tests/fuzz/fuzz_database \
	tests/fuzz/fuzz_database_group \
	tests/fuzz/fuzz_flight \
	tests/fuzz/raw/fuzz_g1_job \
	tests/fuzz/fuzz_json_small \
	tests/fuzz/fuzz_json_stream \
	tests/fuzz/fuzz_logs \
	tests/fuzz/fuzz_msprof \
	tests/fuzz/fuzz_offline \
	tests/fuzz/fuzz_parse_data \
	tests/fuzz/fuzz_parse_generic \
	tests/fuzz/fuzz_parse_host \
	tests/fuzz/fuzz_parse_kernels \
	tests/fuzz/fuzz_parse_maps \
	tests/fuzz/fuzz_parse_ops \
	tests/fuzz/fuzz_parse_rest \
	tests/fuzz/fuzz_parse_steps \
	tests/fuzz/fuzz_parse_tools \
	tests/fuzz/fuzz_parse_trace \
	tests/fuzz/fuzz_parse_text \
	tests/fuzz/fuzz_parse_json \
	tests/fuzz/fuzz_pickle \
	tests/fuzz/raw/fuzz_prof_device \
	tests/fuzz/raw/fuzz_prof_folder \
	tests/fuzz/raw/fuzz_prof_host \
	tests/fuzz/raw/fuzz_prof_pmu \
	tests/fuzz/raw/fuzz_prof_sampled \
	tests/fuzz/raw/fuzz_raw_aicore \
	tests/fuzz/raw/fuzz_raw_aicpu \
	tests/fuzz/raw/fuzz_raw_aicpumi \
	tests/fuzz/raw/fuzz_raw_framework \
	tests/fuzz/raw/fuzz_raw_fwbin \
	tests/fuzz/raw/fuzz_raw_hccl \
	tests/fuzz/raw/fuzz_raw_hwts \
	tests/fuzz/raw/fuzz_raw_marks \
	tests/fuzz/raw/fuzz_raw_memory \
	tests/fuzz/raw/fuzz_raw_op_range \
	tests/fuzz/fuzz_re \
	tests/fuzz/fuzz_runinfo \
	tests/fuzz/raw/fuzz_strategy_pb \
	tests/fuzz/fuzz_text
tests_fuzz_fuzz_analyse_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_archive_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_configure_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_csv_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_database_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_database_group_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_flight_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_g1_job_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_json_small_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_json_stream_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_logs_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_msprof_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_offline_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_data_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_generic_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_host_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_kernels_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_maps_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_ops_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_rest_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_steps_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_tools_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_trace_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_text_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_parse_json_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_pickle_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_prof_device_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_prof_folder_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_prof_host_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_prof_pmu_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_prof_sampled_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_aicore_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_aicpu_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_aicpumi_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_framework_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_fwbin_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_hccl_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_hwts_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_marks_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_memory_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_raw_op_range_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_re_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_runinfo_LDADD = $(FUZZ_LDADD)
tests_fuzz_raw_fuzz_strategy_pb_LDADD = $(FUZZ_LDADD)
tests_fuzz_fuzz_text_LDADD = $(FUZZ_LDADD)

check_PROGRAMS += $(FUZZ_TARGETS)
check_LIBRARIES = tests/fuzz/libfuzz.a
tests_fuzz_libfuzz_a_SOURCES = tests/fuzz/fuzz.c tests/fuzz/fuzz.h tests/fuzz/fuzz_folder.c \
	tests/fuzz/fuzz_folder.h \
	tests/fuzz/fuzz_group.c tests/fuzz/fuzz_group.h tests/fuzz/fuzz_pieces.c tests/fuzz/fuzz_pieces.h \
	tests/fuzz/fuzz_written.c tests/fuzz/fuzz_written.h
if !ENABLE_FUZZ
tests_fuzz_libfuzz_a_SOURCES += tests/fuzz/replay.c
endif
FUZZ_LDADD = tests/fuzz/libfuzz.a $(FUZZ_LINK) $(npuscope_LDADD)

TESTS += tests/fuzz/replay.sh
if !ENABLE_FUZZ
TESTS += tests/fuzz/damage.sh
endif
EXTRA_DIST += tests/fuzz/damage.sh tests/fuzz/pack.py tests/fuzz/pack_database.py tests/fuzz/pieces.py \
	tests/fuzz/framework.py tests/fuzz/fuzz_parse.h tests/fuzz/offline.py \
	tests/fuzz/raw/fuzz_raw.h \
	tests/fuzz/corpus tests/fuzz/replay.sh tests/fuzz/run.sh

check-fuzz: $(FUZZ_TARGETS)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/fuzz/run.sh
.PHONY: check-fuzz
