#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `npuscope export` and `analyze` against what CANN's msprof made of the same PROF folders. Skipped without
# them or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "msprof: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "msprof: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/msprof.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
