#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Panes of databases alone against those of the text files of the same run. Skipped without the samples or
# without
# Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "databases: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "databases: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/databases.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
