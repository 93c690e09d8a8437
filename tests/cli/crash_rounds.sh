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
# Rare ones: a communication op of which one task began, a step whose data is still waited for.
rare=
[ "$rounds" ] || rare="155 506 508 642 667 669 844 966"
# Words of seeds.
# shellcheck disable=SC2086
python3 "$top_srcdir/tests/cli/crash_rounds.py" "$NPUSCOPE" "$work" "${rounds:-50}" "${CRASH_SEED:-1}" $rare
