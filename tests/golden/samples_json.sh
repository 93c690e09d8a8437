#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# JSON, trace and text kinds on the sample profiles against an independent reading in Python. Skipped without
# the profiles or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
tool=${top_builddir:-.}/tests/golden/parse_dump

[ -d "$samples/data/outputs" ] || { echo "samples_json: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "samples_json: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/samples_json.py" "$tool" "$samples"
