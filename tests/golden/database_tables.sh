#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each table of each sample database against an independent reading. Skipped without the samples or without
# Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "database_tables: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "database_tables: skipped, no python3"; exit 77; }
PYTHONDONTWRITEBYTECODE=1 exec python3 "$top/tests/golden/database_tables.py" "${top_builddir:-.}/npuscope" \
    "${top_builddir:-.}/tests/golden/parse_dump" "$samples" "$@"
