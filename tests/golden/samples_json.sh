#!/bin/sh
# JSON, trace and text kinds on the shared profiles against an independent reading in Python. Skipped without the profiles or without Python.
shared=${NPUSCOPE_SHARED:-${top_srcdir:-.}/../shared}
tool=${top_builddir:-.}/tests/golden/parse_dump

[ -d "$shared/data/outputs" ] || { echo "samples_json: skipped, no shared data at hand"; exit 77; }
command -v python3 >/dev/null || { echo "samples_json: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/samples_json.py" "$tool" "$shared"
