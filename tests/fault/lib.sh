# SPDX-License-Identifier: Apache-2.0
# What the fault tests share; sourced after `name` is set. Gives NPUSCOPE, $work (a folder of its own, removed
# at the end), $library (what makes calls fail; empty where it cannot be built) and `fault FILE.py
# ARGUMENT...`.
# shellcheck shell=sh
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}" "${NPUSCOPE:=$top_builddir/npuscope}"
# In memory where that is possible: what a killed process wrote stays in either.
work=$(mktemp -d "/dev/shm/npuscope-$name.XXXXXX" 2>/dev/null ||
    mktemp -d "${TMPDIR:-/tmp}/npuscope-$name.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
library=$top_builddir/tests/fault/fault.so
[ -f "$library" ] || library=
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS PYTHONDONTWRITEBYTECODE

fault() {
    script=$1
    shift
    python3 "$top_srcdir/tests/fault/$script" "$NPUSCOPE" "$library" "$work/w" "$@"
}
