#!/bin/sh
# Every command on the shared profiles against an independent reading in Python (cli_check.py). Skipped without the profiles.
set -eu
. "${top_srcdir:-.}/tests/golden/cli_lib.sh"
shared=${NPUSCOPE_SHARED:-${top_srcdir:-.}/../shared}/data/outputs
[ -d "$shared" ] || { echo "cli_samples: skipped, no shared data at hand"; exit 77; }

python3 "$check" "$npuscope" "$shared/mindinsight/run_1/normal_run/profiler" "$shared/mindinsight/profiler" "$shared/mindspore-ut/profiler" \
    "$shared/msinsight-text/level0" "$shared/msinsight-text/level1"
