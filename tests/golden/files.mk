# SPDX-License-Identifier: Apache-2.0
# Golden tests: results on real and generated profiles against independent readings, or against what other
# tools wrote. Skipped where those are not at hand.
check_PROGRAMS += tests/golden/parse_dump
tests_golden_parse_dump_SOURCES = tests/golden/parse_dump.c
tests_golden_parse_dump_LDADD = libparsers.a libstore.a librun.a libbase.a \
	$(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
check_PROGRAMS += tests/golden/import_query
tests_golden_import_query_SOURCES = tests/golden/import_query.c
tests_golden_import_query_LDADD = libimport.a libparsers.a libstore.a librun.a libarc.a libbase.a \
	$(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(LIBARCHIVE_LIBS) $(ZLIB_LIBS)
check_PROGRAMS += tests/golden/demo_make
tests_golden_demo_make_SOURCES = tests/golden/demo_make.c
tests_golden_demo_make_LDADD = libdemo.a libmsprof.a libmindspore.a libemit.a libparsers.a librun.a \
	libbase.a $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
check_PROGRAMS += tests/golden/flight_say
tests_golden_flight_say_SOURCES = tests/golden/flight_say.c
tests_golden_flight_say_LDADD = libparsers.a libstore.a librun.a libbase.a \
	$(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
# One line for each, so that two people can add to it at the same time.
GOLDEN_TESTS =
GOLDEN_TESTS += tests/golden/agree.sh
GOLDEN_TESTS += tests/golden/analyse.sh
GOLDEN_TESTS += tests/golden/analyse_roundtrip.sh
GOLDEN_TESTS += tests/golden/chips.sh
GOLDEN_TESTS += tests/golden/database_tables.sh
GOLDEN_TESTS += tests/golden/databases.sh
GOLDEN_TESTS += tests/golden/demo_framework.sh
GOLDEN_TESTS += tests/golden/demo_raw.sh
GOLDEN_TESTS += tests/golden/flight.sh
GOLDEN_TESTS += tests/golden/framework.sh
GOLDEN_TESTS += tests/golden/offline.sh
GOLDEN_TESTS += tests/golden/offline_copies.sh
GOLDEN_TESTS += tests/golden/offline_db.sh
GOLDEN_TESTS += tests/golden/job_rows.sh
GOLDEN_TESTS += tests/golden/launch.sh
GOLDEN_TESTS += tests/golden/memscope.sh
GOLDEN_TESTS += tests/golden/msprof.sh
GOLDEN_TESTS += tests/golden/msprof_exact.sh
GOLDEN_TESTS += tests/golden/msprof_roundtrip.sh
GOLDEN_TESTS += tests/golden/msprof_variants.sh
GOLDEN_TESTS += tests/golden/offline_roundtrip.sh
GOLDEN_TESTS += tests/golden/parallel.sh
GOLDEN_TESTS += tests/golden/prof_rows.sh
GOLDEN_TESTS += tests/golden/rare_files.sh
GOLDEN_TESTS += tests/golden/samples_csv.sh
GOLDEN_TESTS += tests/golden/samples_json.sh
GOLDEN_TESTS += tests/golden/snapshot.sh
GOLDEN_TESTS += tests/golden/samples_state.sh
GOLDEN_TESTS += tests/golden/triage.sh
GOLDEN_TESTS += tests/golden/working.sh
GOLDEN_TESTS += tests/golden/working_samples.sh
TESTS += $(GOLDEN_TESTS)
EXTRA_DIST += $(GOLDEN_TESTS)
EXTRA_DIST += tests/golden/analyse.py
EXTRA_DIST += tests/golden/analyse_roundtrip.py
EXTRA_DIST += tests/golden/chips.py
EXTRA_DIST += tests/golden/chips_freq.py
EXTRA_DIST += tests/golden/chips_mini.py
EXTRA_DIST += tests/golden/chips_sampled.py
EXTRA_DIST += tests/golden/chips_times.py
EXTRA_DIST += tests/golden/database_tables.py
EXTRA_DIST += tests/golden/databases.py
EXTRA_DIST += tests/golden/demo_framework.py
EXTRA_DIST += tests/golden/flight.py
EXTRA_DIST += tests/golden/framework.py
EXTRA_DIST += tests/golden/framework_case.py
EXTRA_DIST += tests/golden/offline.py
EXTRA_DIST += tests/golden/offline_copies.py
EXTRA_DIST += tests/golden/offline_db.py
EXTRA_DIST += tests/golden/job_rows.py
EXTRA_DIST += tests/golden/launch.py
EXTRA_DIST += tests/golden/memscope.py
EXTRA_DIST += tests/golden/msprof.py
EXTRA_DIST += tests/golden/msprof_exact.py
EXTRA_DIST += tests/golden/msprof_roundtrip.py
EXTRA_DIST += tests/golden/msprof_variants.py
EXTRA_DIST += tests/golden/offline_roundtrip.py
EXTRA_DIST += tests/golden/parallel.py
EXTRA_DIST += tests/golden/prof_rows.py
EXTRA_DIST += tests/golden/rare_files.py
EXTRA_DIST += tests/golden/samples_csv.py
EXTRA_DIST += tests/golden/samples_json.py
EXTRA_DIST += tests/golden/snapshot.py
EXTRA_DIST += tests/golden/samples_state.py
EXTRA_DIST += tests/golden/triage_check.py
EXTRA_DIST += tests/golden/working.py
EXTRA_DIST += tests/golden/working_samples.py
