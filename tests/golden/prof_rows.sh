#!/bin/sh
# Panes of raw PROF folders against those of what CANN's msprof made of them. Skipped without them or without Python.
shared=${NPUSCOPE_SHARED:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$shared/data/msprof" ] || { echo "prof_rows: skipped, no shared data at hand"; exit 77; }
command -v python3 >/dev/null || { echo "prof_rows: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/prof_rows.py" "${top_builddir:-.}/npuscope" "$shared" "$@"
