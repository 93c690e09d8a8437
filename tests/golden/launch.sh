#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Delays between launch and run against an independent computation. Skipped without the samples or without
# Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "launch: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "launch: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/launch.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
