#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Panes of raw PROF folders against those of what CANN's msprof made of them. Skipped without them or without
# Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "prof_rows: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "prof_rows: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/prof_rows.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
