#!/bin/sh
# Imports onto a disk that is too small, or becomes full: see full_disk.py. FULL_POINTS moments (20) of each way to import.
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}" "${NPUSCOPE:=$top_builddir/npuscope}"
work=$(mktemp -d /dev/shm/npuscope-full.XXXXXX 2>/dev/null || mktemp -d "${TMPDIR:-/tmp}/npuscope-full.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
library=$top_builddir/tests/fault/fault.so
[ -f "$library" ] || library=
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"
PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS PYTHONDONTWRITEBYTECODE
python3 "$top_srcdir/tests/fault/full_disk.py" "$NPUSCOPE" "$library" "$work/w" "${FULL_POINTS:-20}"
