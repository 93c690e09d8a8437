#!/bin/sh
# Kill imports with SIGKILL at random moments and calls: see kill_import.py. KILL_ROUNDS rounds (50), KILL_SEED the moments.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}" "${NPUSCOPE:=$top_builddir/npuscope}"
# In memory where that is possible: what a killed process wrote stays in either.
work=$(mktemp -d /dev/shm/npuscope-kill.XXXXXX 2>/dev/null || mktemp -d "${TMPDIR:-/tmp}/npuscope-kill.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
library=$top_builddir/tests/fault/fault.so
[ -f "$library" ] || library=
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS PYTHONDONTWRITEBYTECODE
# shellcheck disable=SC2086 # no seed is no argument
python3 "$top_srcdir/tests/fault/kill_import.py" "$NPUSCOPE" "$library" "$work/w" "${KILL_ROUNDS:-50}" ${KILL_SEED:-}
