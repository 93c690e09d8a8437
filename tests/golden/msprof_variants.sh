#!/bin/sh
# `npuscope export` of samples with one thing changed: see msprof_variants.py. Skipped without the shared data or without Python.
shared=${NPUSCOPE_SHARED:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$shared/data/msprof" ] || { echo "msprof_variants: skipped, no shared data at hand"; exit 77; }
command -v python3 >/dev/null || { echo "msprof_variants: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/msprof_variants.py" "${top_builddir:-.}/npuscope" "$shared"
