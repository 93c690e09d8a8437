#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs killed at random: what triage says of them is what happened (crash_rounds.py). CRASH_ROUNDS: rounds
# (50, a quarter in CI's slow builds); CRASH_SEED: of the first one (1); CRASH_JOBS: at once (1). More:
# make check-crash-truth ROUNDS=1000.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-rounds.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
rounds=${CRASH_ROUNDS:-${NPUSCOPE_TEST_SHORT:+12}}
python3 "$top_srcdir/tests/cli/crash_rounds.py" "$NPUSCOPE" "$work" "${rounds:-50}" "${CRASH_SEED:-1}"
