#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `npuscope analyse` against the files that the versions' own analysis made of the same raw data. Skipped
# without the captures or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/gen1/JOB3" ] || { echo "analyse: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "analyse: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/analyse.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
