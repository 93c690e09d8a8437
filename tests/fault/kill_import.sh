#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kill imports with SIGKILL at random moments and calls: see kill_import.py. KILL_ROUNDS rounds (50),
# KILL_SEED the moments.
name="kill"
. "$(dirname "$0")/lib.sh"
rounds=${KILL_ROUNDS:-${NPUSCOPE_TEST_SLOW:+20}}
# shellcheck disable=SC2086 # no seed is no argument
fault kill_import.py "${rounds:-50}" ${KILL_SEED:-}
