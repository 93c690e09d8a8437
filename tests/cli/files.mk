# SPDX-License-Identifier: Apache-2.0
# The command line: statuses and messages, damaged and hostile input, terminals and signals, manual pages.
# One line for each, so that two people can add to it at the same time.
CLI_TESTS =
CLI_TESTS += tests/cli/analyse_crashed.sh
CLI_TESTS += tests/cli/analyse_damage.sh
CLI_TESTS += tests/cli/analyse_flat.sh
CLI_TESTS += tests/cli/analyse_folders.sh
CLI_TESTS += tests/cli/anonymise.sh
CLI_TESTS += tests/cli/bootstrap.sh
CLI_TESTS += tests/cli/bundle.sh
CLI_TESTS += tests/cli/analyse_versions.sh
CLI_TESTS += tests/cli/archives.sh
CLI_TESTS += tests/cli/cache_age.sh
CLI_TESTS += tests/cli/chrome_arrows.sh
CLI_TESTS += tests/cli/columns.sh
CLI_TESTS += tests/cli/commands_demo.sh
CLI_TESTS += tests/cli/commands_samples.sh
CLI_TESTS += tests/cli/configure.sh
CLI_TESTS += tests/cli/crash_rounds.sh
CLI_TESTS += tests/cli/crash_truth.sh
CLI_TESTS += tests/cli/damage.sh
CLI_TESTS += tests/cli/demo_check.sh
CLI_TESTS += tests/cli/demo_logs.sh
CLI_TESTS += tests/cli/demo_panes.sh
CLI_TESTS += tests/cli/completion.sh
CLI_TESTS += tests/cli/doctor.sh
CLI_TESTS += tests/cli/errors.sh
CLI_TESTS += tests/cli/export.sh
CLI_TESTS += tests/cli/clock_skew.sh
CLI_TESTS += tests/cli/host_zone.sh
CLI_TESTS += tests/cli/log_places.sh
CLI_TESTS += tests/cli/fault_truth.sh
CLI_TESTS += tests/cli/hostile.sh
CLI_TESTS += tests/cli/import.sh
CLI_TESTS += tests/cli/framework_damage.sh
CLI_TESTS += tests/cli/job_damage.sh
CLI_TESTS += tests/cli/logs_demo.sh tests/cli/logs_hostile.sh tests/cli/logs_own.sh tests/cli/logs_tables.sh
CLI_TESTS += tests/cli/man.sh
CLI_TESTS += tests/cli/many_files.sh
CLI_TESTS += tests/cli/marks.sh
CLI_TESTS += tests/cli/msprof_cli.sh
CLI_TESTS += tests/cli/msprof_damage.sh
CLI_TESTS += tests/cli/msprof_memory.sh
CLI_TESTS += tests/cli/not_run.sh
CLI_TESTS += tests/cli/offline_damage.sh
CLI_TESTS += tests/cli/old_kernel.sh
CLI_TESTS += tests/cli/op.sh
CLI_TESTS += tests/cli/no_proc.sh
CLI_TESTS += tests/cli/output.sh
CLI_TESTS += tests/cli/pretty.sh
CLI_TESTS += tests/cli/query.sh
CLI_TESTS += tests/cli/query_limits.sh
CLI_TESTS += tests/cli/raw_damage.sh
CLI_TESTS += tests/cli/schema.sh
CLI_TESTS += tests/cli/sort.sh
CLI_TESTS += tests/cli/tutorial.sh
CLI_TESTS += tests/cli/sizes.sh
CLI_TESTS += tests/cli/sizes_4g.sh
CLI_TESTS += tests/cli/stamp.sh
CLI_TESTS += tests/cli/store_damage.sh
CLI_TESTS += tests/cli/strange.sh
CLI_TESTS += tests/cli/terminal.sh
CLI_TESTS += tests/cli/triage.sh
CLI_TESTS += tests/cli/units.sh
CLI_TESTS += tests/cli/windows.sh
TESTS += $(CLI_TESTS)
check_PROGRAMS += tests/lib/old_kernel
EXTRA_DIST += $(CLI_TESTS)
EXTRA_DIST += tests/cli/analyse_damage.py
EXTRA_DIST += tests/cli/offline_damage.py
EXTRA_DIST += tests/cli/archives.py
EXTRA_DIST += tests/cli/commands.py
EXTRA_DIST += tests/cli/tutorial.py
EXTRA_DIST += tests/cli/configure.py
EXTRA_DIST += tests/cli/crash_rounds.py
EXTRA_DIST += tests/cli/crash_truth.py
EXTRA_DIST += tests/cli/damage.py
EXTRA_DIST += tests/cli/marks.py
EXTRA_DIST += tests/cli/demo_check.py
EXTRA_DIST += tests/cli/demo_logs.py
EXTRA_DIST += tests/cli/fault_truth.py
EXTRA_DIST += tests/cli/hostile.py
EXTRA_DIST += tests/cli/logs_hostile.py
EXTRA_DIST += tests/cli/store_damage.py
EXTRA_DIST += tests/cli/framework_damage.py
EXTRA_DIST += tests/cli/job_damage.py
EXTRA_DIST += tests/cli/lib.sh
EXTRA_DIST += tests/cli/msprof_damage.py
EXTRA_DIST += tests/cli/query_limits.py
EXTRA_DIST += tests/cli/raw_damage.py
EXTRA_DIST += tests/cli/schema.py
EXTRA_DIST += tests/cli/sizes.py
EXTRA_DIST += tests/cli/sizes_4g.py
EXTRA_DIST += tests/cli/sort.py
EXTRA_DIST += tests/cli/terminal.py
EXTRA_DIST += tests/cli/triage.py
EXTRA_DIST += tests/cli/units.py

# Before a release: more rounds of crash_rounds.sh, and more seeds of logs.sh and fault_truth.sh.
check-crash-truth: npuscope$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) CRASH_ROUNDS="$${ROUNDS:-1000}" $(SHELL) $(srcdir)/tests/cli/crash_rounds.sh
check-log-truth: npuscope$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) bad=0; \
	LOGS_SEEDS="$${SEEDS:-50}" $(SHELL) $(srcdir)/tests/golden/logs.sh || bad=1; \
	FAULT_SEEDS="$${SEEDS:-50}" $(SHELL) $(srcdir)/tests/cli/fault_truth.sh || bad=1; exit $$bad
.PHONY: check-crash-truth check-log-truth
