#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damaged raw folders: see raw_damage.py. ROUNDS of each of four runs, and SEED, for more than a check needs.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-raw-damage.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
XDG_CACHE_HOME=$work/cache python3 "$top_srcdir/tests/cli/raw_damage.py" "$NPUSCOPE" "$work" "${ROUNDS:-5}" \
    "${SEED:-1}"
