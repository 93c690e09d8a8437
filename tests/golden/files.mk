# SPDX-License-Identifier: Apache-2.0
# Golden tests: results on real and generated profiles against independent readings. Skipped where those are
# not at hand.
check_PROGRAMS += tests/golden/parse_dump
tests_golden_parse_dump_SOURCES = tests/golden/parse_dump.c
tests_golden_parse_dump_LDADD = libparsers.a libstore.a librun.a libbase.a \
	$(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
check_PROGRAMS += tests/golden/import_query
tests_golden_import_query_SOURCES = tests/golden/import_query.c
tests_golden_import_query_LDADD = libimport.a libparsers.a libstore.a librun.a libbase.a \
	$(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
check_PROGRAMS += tests/golden/demo_make
tests_golden_demo_make_SOURCES = tests/golden/demo_make.c
tests_golden_demo_make_LDADD = libdemo.a libmsprof.a libmindspore.a libemit.a libparsers.a librun.a \
	libbase.a $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
# One line for each, so that two people can add to it at the same time.
GOLDEN_TESTS =
GOLDEN_TESTS += tests/golden/analyse.sh
GOLDEN_TESTS += tests/golden/analyse_damage.sh
GOLDEN_TESTS += tests/golden/agree.sh
GOLDEN_TESTS += tests/golden/parallel.sh
GOLDEN_TESTS += tests/golden/cache_age.sh
GOLDEN_TESTS += tests/golden/chrome_arrows.sh
GOLDEN_TESTS += tests/golden/cli_demo.sh
GOLDEN_TESTS += tests/golden/cli_errors.sh
GOLDEN_TESTS += tests/golden/cli_import.sh
GOLDEN_TESTS += tests/golden/cli_samples.sh
GOLDEN_TESTS += tests/golden/cli_tty.sh
GOLDEN_TESTS += tests/golden/columns.sh
GOLDEN_TESTS += tests/golden/damage.sh
GOLDEN_TESTS += tests/golden/demo_check.sh
GOLDEN_TESTS += tests/golden/demo_raw.sh
GOLDEN_TESTS += tests/golden/hostile.sh
GOLDEN_TESTS += tests/golden/man.sh
GOLDEN_TESTS += tests/golden/msprof.sh
GOLDEN_TESTS += tests/golden/msprof_exact.sh
GOLDEN_TESTS += tests/golden/msprof_variants.sh
GOLDEN_TESTS += tests/golden/msprof_cli.sh
GOLDEN_TESTS += tests/golden/msprof_memory.sh
GOLDEN_TESTS += tests/golden/msprof_damage.sh
GOLDEN_TESTS += tests/golden/prof_rows.sh
GOLDEN_TESTS += tests/golden/raw_crashed.sh tests/golden/crash_truth.sh
GOLDEN_TESTS += tests/golden/raw_damage.sh
GOLDEN_TESTS += tests/golden/raw_g1.sh
GOLDEN_TESTS += tests/golden/raw_roundtrip.sh
GOLDEN_TESTS += tests/golden/raw2_roundtrip.sh
GOLDEN_TESTS += tests/golden/chips.sh
GOLDEN_TESTS += tests/golden/samples_csv.sh
GOLDEN_TESTS += tests/golden/samples_json.sh
GOLDEN_TESTS += tests/golden/stamp.sh
GOLDEN_TESTS += tests/golden/triage.sh
TESTS += $(GOLDEN_TESTS)
EXTRA_DIST += $(GOLDEN_TESTS)
EXTRA_DIST += tests/golden/analyse.py tests/golden/msprof.py tests/golden/msprof_exact.py \
	tests/golden/msprof_variants.py
EXTRA_DIST += tests/golden/analyse_damage.py tests/golden/msprof_damage.py
EXTRA_DIST += tests/golden/parallel.py tests/golden/prof_rows.py
EXTRA_DIST += tests/golden/cli_check.py
EXTRA_DIST += tests/golden/cli_lib.sh
EXTRA_DIST += tests/golden/cli_tty.py
EXTRA_DIST += tests/golden/crash_truth.py tests/golden/damage.py
EXTRA_DIST += tests/golden/demo_check.py
EXTRA_DIST += tests/golden/hostile.py
EXTRA_DIST += tests/golden/raw_damage.py
EXTRA_DIST += tests/golden/raw_g1.py
EXTRA_DIST += tests/golden/raw_roundtrip.py tests/golden/raw2_roundtrip.py tests/golden/chips.py \
	tests/golden/chips_sampled.py tests/golden/chips_mini.py tests/golden/chips_times.py \
	tests/golden/chips_freq.py
EXTRA_DIST += tests/golden/samples_csv.py
EXTRA_DIST += tests/golden/samples_json.py
EXTRA_DIST += tests/golden/triage_check.py
