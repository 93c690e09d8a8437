#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rows that damage made untrue are marked: see marks.py. ROUNDS of each run, and SEED, for more than a check
# needs; MARKS_RUNS: folders with further runs.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-marks.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
rounds=${ROUNDS:-${NPUSCOPE_TEST_SLOW:+2}}
# shellcheck disable=SC2086 # several folders
python3 "$top_srcdir/tests/cli/marks.py" "$NPUSCOPE" "$work" "${rounds:-6}" \
    "${SEED:-1}" ${MARKS_RUNS:-}
