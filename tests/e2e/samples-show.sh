#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The samples on the screen: names and counts as the files have them. Skipped where they are not at hand.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

outputs=$NPUSCOPE_SAMPLES/data/outputs
[ -d "$outputs/mindinsight/run_1" ] && [ -d "$outputs/msinsight-text/level1" ] || skip "no samples"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$outputs/mindinsight/run_1"
    term_keys 3
    term_wait '[3 Ops]' "$WAIT"
    term_wait MatMul "$WAIT"
    first=$(cli ops -q --format=csv --no-header -n 1 "$outputs/mindinsight/run_1" | cut -d, -f1)
    term_poll "$WAIT" term_line_has 5 "$first" || fail "the first type is not $first"
    term_keys 4
    term_wait '[4 Steps]' "$WAIT"
    expect_line 5 '284.27 ms' "$WAIT"
    expect_line 6 '205.68 ms' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"

    # shellcheck disable=SC2086
    open_run $size --no-state "$outputs/msinsight-text/level1"
    term_keys 3
    term_wait 'hcom_allReduce_' "$WAIT"
    term_wait 'ForeachAddList' "$WAIT"
    term_keys 4
    term_wait '[4 Steps]' "$WAIT"
    expect_line 5 '50' "$WAIT"
    expect_line 5 '8.87 ms' "$WAIT"
    expect_line 5 '101.96 ms' "$WAIT"
    for pane in '1 Triage' '2 Files' '5 Time' '6 FLOPs' '7 Mem' '8 Data' '9 Comm' '0 Host'; do
        term_keys "${pane%% *}"
        term_wait "[$pane]" "$WAIT"
        term_has 'This could not be read' && fail "$pane cannot be read"
    done
    term_keys Q
    expect_exit 0 "$WAIT"
done
