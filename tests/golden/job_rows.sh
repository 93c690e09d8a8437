#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Raw jobs of generation 1 through the store against what the collector's own analysis made of them. Skipped
# without the captures or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
tool=${top_builddir:-.}/tests/golden/import_query

[ -d "$samples/data/gen1/JOB3" ] || { echo "job_rows: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "job_rows: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/job_rows.py" "$tool" "$samples/data/gen1"
