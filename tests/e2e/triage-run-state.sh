#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Triage: how the run ended, where a step goes, what is wrong with files; Enter on a finding tells why.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
cp -r "$test_dir/run" "$test_dir/torn"
detail=$test_dir/torn/profiler/ascend_timeline_display_0.json
size=$(wc -c <"$detail")
head -c $((size / 2)) "$detail" >"$test_dir/half" && mv "$test_dir/half" "$detail"
keep "$test_dir/run"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_wait '[1 Triage]' "$WAIT"
    term_wait 'State      ANALYSED' "$WAIT"
    term_wait 'Where a step goes' "$WAIT"
    # Mean of steps 2 and 3 of the step trace, the first one left out.
    mean=$(awk -F, 'NR > 2 && $1 + 0 > 1 { s += $4; n++ } END { printf "%.2f", s * 10 / n / 1e6 }' \
        "$test_dir/run/profiler/step_trace_raw_0_detail_time.csv")
    expect_line 1 "3 steps  $mean ms/step" "$WAIT"
    expect_line -1 'q quit' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"

    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/torn"
    term_wait '[1 Triage]' "$WAIT"
    term_wait 'FIL-' "$WAIT"
    term_keys 2
    term_wait '[2 Files]' "$WAIT"
    term_keys p
    term_wait TORN "$WAIT"
    term_wait 'ascend_timeline_display_0.json' "$WAIT"
    expect_no 'aicore_intermediate_0_detail.csv' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
