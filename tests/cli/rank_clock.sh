#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A lost device clock, by the collectives of the other ranks: see rank_clock.py. ROUNDS (4).
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-clock.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
python3 "$top_srcdir/tests/cli/rank_clock.py" "$NPUSCOPE" "$work" "${ROUNDS:-4}"
