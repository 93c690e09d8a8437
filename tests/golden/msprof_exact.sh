#!/bin/sh
# `npuscope export summary` without --compat: right where msprof is not. Skipped without the shared data or without Python.
shared=${NPUSCOPE_SHARED:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$shared/data/msprof" ] || { echo "msprof_exact: skipped, no shared data at hand"; exit 77; }
command -v python3 >/dev/null || { echo "msprof_exact: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/msprof_exact.py" "${top_builddir:-.}/npuscope" "$shared"
