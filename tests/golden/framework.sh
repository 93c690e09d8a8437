#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# FRAMEWORK files of runs that were never analysed against the framework's own analysis of them. Skipped
# without the samples or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/gen2" ] || { echo "framework: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "framework: skipped, no python3"; exit 77; }
exec python3 "$top/tests/golden/framework.py" "${top_builddir:-.}/npuscope" "$samples" "$@"
