#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command on the sample profiles against an independent reading in Python (commands.py). Skipped
# without the profiles.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}/data/outputs
[ -d "$samples" ] || { echo "commands_samples: skipped, no samples at hand"; exit 77; }

python3 "$check" "$npuscope" "$samples/mindinsight/run_1/normal_run/profiler" \
    "$samples/mindinsight/profiler" "$samples/mindspore-ut/profiler" \
    "$samples/msinsight-text/level0" "$samples/msinsight-text/level1"
