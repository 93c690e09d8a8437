#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# export, analyze, triage and report on damaged PROF folders: see msprof_damage.py. ROUNDS, SEED and CASE for
# more than a check needs.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
[ -d "$samples/data/msprof" ] || {
    echo "skipped: no samples at hand"
    exit 77
}
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-msprof-damage.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${NPUSCOPE:=${top_builddir:-$top_srcdir/build}/npuscope}"
XDG_CACHE_HOME=$work/cache python3 "$top_srcdir/tests/cli/msprof_damage.py" "$NPUSCOPE" \
    "$samples/data/msprof" "$work" \
    "${ROUNDS:-1}" "${SEED:-1}" "${CASE:-}"
