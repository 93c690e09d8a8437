# SPDX-License-Identifier: Apache-2.0
# Tests. `make check` runs all of TESTS: unit tests (cmocka, left out without it), lint scripts, screens (e2e,
# skipped without tmux). Each list is one name a line, so that two people can add to it.
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)

# What a test finds in its environment. Nothing of the user's own: a private cache, no time zone, no locale. A
# status that is none of ours for what a sanitizer ends.
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)' NPUSCOPE='$(abs_top_builddir)/npuscope$(EXEEXT)'; \
	export top_srcdir top_builddir NPUSCOPE; \
	NPUSCOPE_SAMPLES="$${NPUSCOPE_SAMPLES:-$(abs_top_srcdir)/../shared}"; export NPUSCOPE_SAMPLES; \
	XDG_CACHE_HOME='$(abs_top_builddir)/tests/xdg/cache' XDG_STATE_HOME='$(abs_top_builddir)/tests/xdg/state' \
	XDG_CONFIG_HOME='$(abs_top_builddir)/tests/xdg/config'; export XDG_CACHE_HOME XDG_STATE_HOME XDG_CONFIG_HOME; \
	TZ=UTC LC_ALL=C.UTF-8; export TZ LC_ALL; \
	CC='$(CC)' LINT_CFLAGS='$(NCURSES_CFLAGS) $(SQLITE_CFLAGS) $(PCRE2_CFLAGS) $(CJSON_CFLAGS) $(ZLIB_CFLAGS) $(CMOCKA_CFLAGS)'; export CC LINT_CFLAGS; \
	LINT_SOURCES='$(SOURCES)' LINT_WARN='$(WARN_CFLAGS)'; export LINT_SOURCES LINT_WARN; \
	LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/lib/lsan.supp:print_suppressions=0'; export LSAN_OPTIONS; \
	ASAN_OPTIONS="$${ASAN_OPTIONS:+$$ASAN_OPTIONS:}exitcode=99" UBSAN_OPTIONS="$${UBSAN_OPTIONS:+$$UBSAN_OPTIONS:}exitcode=99"; \
	export ASAN_OPTIONS UBSAN_OPTIONS; \
	FUZZ_TARGETS='$(FUZZ_TARGETS)'; export FUZZ_TARGETS; \
	unset NPUSCOPE_OPTIONS NO_COLOR;

if HAVE_CMOCKA
include $(srcdir)/tests/unit/files.mk
endif
include $(srcdir)/tests/lint/files.mk
include $(srcdir)/tests/e2e/files.mk
include $(srcdir)/tests/fuzz/files.mk
include $(srcdir)/tests/golden/files.mk
include $(srcdir)/tests/cli/files.mk
include $(srcdir)/tests/fault/files.mk

# The unit tests under valgrind (uninitialised reads that the sanitizers do not see).
tests/lib/slowed.so: tests/lib/slowed.c
	$(AM_V_CC)$(MKDIR_P) tests/lib && $(CC) $(PCRE2_CFLAGS) -O1 -shared -fPIC -o $@ $(srcdir)/tests/lib/slowed.c
CLEANFILES += tests/lib/slowed.so
EXTRA_DIST += tests/lib/slowed.c tests/lib/need.sh
can-check-valgrind:
	@$(SHELL) $(srcdir)/tests/lib/need.sh check-valgrind valgrind
check-valgrind: can-check-valgrind $(UNIT_TESTS) tests/lib/slowed.so
	NPUSCOPE_TEST_GUEST=1 LD_PRELOAD='$(abs_builddir)/tests/lib/slowed.so' $(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(UNIT_TESTS)' LOG_COMPILER=valgrind \
	  LOG_FLAGS='-q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect'

# After `make check` in a build with --enable-coverage: lines and branches by folder.
coverage:
	$(SHELL) $(srcdir)/tests/lib/coverage.sh
EXTRA_DIST += tests/lib/coverage.sh

# compile_commands.json in the build folder: how each source is compiled, for editors and analysers.
compile-commands:
	$(AM_V_GEN)$(MAKE) $(AM_MAKEFLAGS) -n V=1 $(addprefix -W $(srcdir)/,$(filter %.c,$(SOURCES))) \
	  all $(check_PROGRAMS) | $(AWK) -v build='$(abs_builddir)' -v source="`cd $(srcdir) && pwd`" \
	  -f $(srcdir)/tests/lib/compile_commands.awk >compile_commands.json.tmp && \
	mv compile_commands.json.tmp compile_commands.json
.PHONY: compile-commands
EXTRA_DIST += tests/lib/compile_commands.awk
CLEANFILES += compile_commands.json

# Speed beside the peers, on files that the generators beside the samples make; the table also goes to
# bench/results.json of the build folder. Tables of a million rows are measured without a screen by a program
# of their own.
EXTRA_PROGRAMS = tests/bench/rows
tests_bench_rows_SOURCES = tests/bench/rows.c
tests_bench_rows_LDADD = libmodel.a libstore.a libconfigure.a librun.a libbase.a $(SQLITE_LIBS) $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
# The tokenizers alone, on both machines: pack/check_scan.sh.
EXTRA_PROGRAMS += tests/bench/scan
tests_bench_scan_SOURCES = tests/bench/scan.c
tests_bench_scan_LDADD = libbase.a $(PCRE2_LIBS) $(CJSON_LIBS) $(ZLIB_LIBS)
bench: npuscope$(EXEEXT) tests/bench/rows$(EXEEXT)
	python3 $(srcdir)/tests/bench/bench.py ./npuscope$(EXEEXT) "$${NPUSCOPE_SAMPLES:-$(abs_top_srcdir)/../shared}/bench" bench
bench-quick: npuscope$(EXEEXT) tests/bench/rows$(EXEEXT)
	python3 $(srcdir)/tests/bench/bench.py ./npuscope$(EXEEXT) "$${NPUSCOPE_SAMPLES:-$(abs_top_srcdir)/../shared}/bench" bench --quick
EXTRA_DIST += tests/bench/bench.py tests/bench/database.py tests/bench/inputs.py tests/bench/logs.py tests/bench/measure.py tests/bench/repeat.py \
	tests/bench/framework_raw.py tests/bench/hwts_text.py tests/bench/offline_python.py tests/bench/prof_struct.py
.PHONY: bench bench-quick

clean-local: clean-tests
clean-tests:
	-rm -rf tests/xdg tests/fuzz/found screens
	-find . -name '*.gcda' -o -name '*.gcno' | xargs rm -f
.PHONY: can-check-valgrind check-valgrind clean-tests coverage
