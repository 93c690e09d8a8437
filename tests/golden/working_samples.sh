#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Working databases made of msprof's own results of the samples against the samples' raw data. Skipped without
# the samples or without Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
top=${top_srcdir:-.}

[ -d "$samples/data/msprof" ] || { echo "working_samples: skipped, no samples at hand"; exit 77; }
command -v python3 >/dev/null || { echo "working_samples: skipped, no python3"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
exec python3 "$top/tests/golden/working_samples.py" "${top_builddir:-.}/npuscope" "$samples"
