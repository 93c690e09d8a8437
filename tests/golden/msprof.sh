#!/bin/sh
# `npuscope export` and `analyze` against what CANN's msprof made of the same PROF folders. Skipped without them or without Python.
shared=${NPUSCOPE_SHARED:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$shared/data/msprof" ] || { echo "msprof: skipped, no shared data at hand"; exit 77; }
command -v python3 >/dev/null || { echo "msprof: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/msprof.py" "${top_builddir:-.}/npuscope" "$shared" "$@"
