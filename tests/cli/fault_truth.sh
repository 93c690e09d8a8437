#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Faults with profiles beside the logs: cause and ranks are those of the truth (fault_truth.py). FAULT_SEEDS:
# seeds for each kind of fault and form of lines (1); FAULT_JOBS: at once (1). More: make check-log-truth SEEDS=50.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-faults.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
python3 "$top_srcdir/tests/cli/fault_truth.py" "$NPUSCOPE" "$work" "${FAULT_SEEDS:-1}"
