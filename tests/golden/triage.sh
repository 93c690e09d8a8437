#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `triage` on raw jobs that were cut in several ways against an independent reading in Python
# (triage_check.py). Skipped without the captures.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}/data/gen1
[ -d "$samples/graph_r20/raw" ] || { echo "triage: skipped, no samples at hand"; exit 77; }

python3 "${top_srcdir:-.}/tests/golden/triage_check.py" "$npuscope" "$samples" "$tmp/runs"
