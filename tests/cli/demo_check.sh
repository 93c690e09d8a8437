#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Synthetic profiles read by Python's csv and json alone: every file agrees with every other (demo_check.py
# says how). A changed number must be found, or the check would prove nothing.
set -eu
command -v python3 >/dev/null 2>&1 || { echo "demo_check: skipped, no python3"; exit 77; }
make_one=${top_builddir:-.}/tests/golden/demo_make
check=${top_srcdir:-.}/tests/cli/demo_check.py

tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-demo-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

while read -r options; do
    echo "demo_check: $options"
    # The options are words.
    # shellcheck disable=SC2086
    "$make_one" "$tmp/run" $options
    PYTHONDONTWRITEBYTECODE=1 python3 "$check" "$tmp/run"
    rm -rf "$tmp/run"
done <<'LIST'
gen=2 ranks=2 steps=2 seed=7
gen=2 ranks=4 steps=1 model=1
gen=2 ranks=1 size=9000
gen=1 ranks=2 steps=4 seed=7
gen=1 ranks=4 steps=2 model=1
gen=1 ranks=1 steps=1
LIST

# One digit of one duration, in either generation.
damage() { # OPTIONS FILE SED
    "$make_one" "$tmp/run" ranks=1 steps=1 "$1"
    file=$(find "$tmp/run" -name "$2")
    sed "$3" "$file" >"$tmp/changed"
    if cmp -s "$file" "$tmp/changed"; then echo "demo_check: the damage to $2 does nothing"; exit 1; fi
    cp "$tmp/changed" "$file"
    if PYTHONDONTWRITEBYTECODE=1 python3 "$check" "$tmp/run" >"$tmp/log"; then
        echo "demo_check: a changed number in $2 was not found"
        exit 1
    fi
    rm -rf "$tmp/run"
}
damage gen=2 step_trace_time.csv '2s/1\.*/2./'
damage gen=1 output_timeline_data_0.txt '5s/1$/2/;5s/[03456789]$/1/'
damage gen=2 op_statistic.csv '2s/AI_CORE,5/AI_CORE,4/'
echo "demo_check: changed numbers are found"
