#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An analysis that is killed, stopped or has no room leaves whole files or none: kill_analyse.py. KILL_ROUNDS
# moments of each sort.
name="kill-analyse"
. "$(dirname "$0")/lib.sh"
fault kill_analyse.py "${KILL_ROUNDS:-${NPUSCOPE_TEST_SHORT:+4}}"
