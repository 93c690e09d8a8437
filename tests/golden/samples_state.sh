#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The state of every file of the samples: ok, or another with its reason. Skipped without the samples or Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}

[ -d "$samples/data" ] || { echo "samples_state: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "samples_state: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/samples_state.py" "${top_builddir:-.}/npuscope" "$samples/data"
