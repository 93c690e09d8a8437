# SPDX-License-Identifier: Apache-2.0
# The command line: statuses and messages, damaged and hostile input, terminals and signals, manual pages.
# One line for each, so that two people can add to it at the same time.
CLI_TESTS =
CLI_TESTS += tests/cli/analyse_crashed.sh
CLI_TESTS += tests/cli/analyse_damage.sh
CLI_TESTS += tests/cli/bootstrap.sh
CLI_TESTS += tests/cli/cache_age.sh
CLI_TESTS += tests/cli/chrome_arrows.sh
CLI_TESTS += tests/cli/columns.sh
CLI_TESTS += tests/cli/commands_demo.sh
CLI_TESTS += tests/cli/commands_samples.sh
CLI_TESTS += tests/cli/crash_truth.sh
CLI_TESTS += tests/cli/damage.sh
CLI_TESTS += tests/cli/demo_check.sh
CLI_TESTS += tests/cli/errors.sh
CLI_TESTS += tests/cli/hostile.sh
CLI_TESTS += tests/cli/import.sh
CLI_TESTS += tests/cli/job_damage.sh
CLI_TESTS += tests/cli/man.sh
CLI_TESTS += tests/cli/msprof_cli.sh
CLI_TESTS += tests/cli/msprof_damage.sh
CLI_TESTS += tests/cli/msprof_memory.sh
CLI_TESTS += tests/cli/not_run.sh
CLI_TESTS += tests/cli/stamp.sh
CLI_TESTS += tests/cli/terminal.sh
TESTS += $(CLI_TESTS)
EXTRA_DIST += $(CLI_TESTS)
EXTRA_DIST += tests/cli/analyse_damage.py
EXTRA_DIST += tests/cli/commands.py
EXTRA_DIST += tests/cli/crash_truth.py
EXTRA_DIST += tests/cli/damage.py
EXTRA_DIST += tests/cli/demo_check.py
EXTRA_DIST += tests/cli/hostile.py
EXTRA_DIST += tests/cli/job_damage.py
EXTRA_DIST += tests/cli/lib.sh
EXTRA_DIST += tests/cli/msprof_damage.py
EXTRA_DIST += tests/cli/terminal.py
