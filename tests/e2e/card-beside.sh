#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# From 120 columns on the cursor row is a card beside its table: its columns, and the first rows of what Enter
# opens, which follow the cursor. z hides it; a narrower screen has the lines under the table instead.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
detail=$test_dir/run/profiler/aicore_intermediate_0_detail.csv

# Op types are whole where columns that are less needed can go.
for size in '100 30' '120 40' '200 60'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 3 v
    term_wait '[single op]' "$WAIT"
    whole() { term_capture | grep '^▶' | grep -q '  Conv2DBackpropFilterD  '; }
    term_poll "$WAIT" whole || fail "$size: the op type is cut"
    term_keys Q
    expect_exit 0 "$WAIT"
done

# Heads and figures are whole: the legend of the bars begins after their name, what does not fit is left out.
open_run 200 60 --no-state "$test_dir/run"
term_keys 3 v v v v v
term_wait '[executions]' "$WAIT"
term_poll "$WAIT" term_has 'Block  Duration ' || fail 'the legend is over the name of the bars'
term_resize 120 40
term_wait '[executions]' "$WAIT"
term_wait 'p50 ' "$WAIT"
! term_capture | grep -E 'max [0-9.]*…' || fail 'a figure is cut'
# Files counts those that are there.
term_keys 2
term_wait "   $(find "$test_dir/run" -type f | wc -l) files, " "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# count TYPE: ops of this type in the profile
count() {
    cut -d, -f1 "$detail" | grep -c "/$1-op[0-9]*\$"
}

open_run 160 50 "$test_dir/run"
term_keys 3
term_wait '│ Conv2DBackpropFilterD' "$WAIT"
term_wait "│ $(count Conv2DBackpropFilterD) ops by " "$WAIT"
term_keys j
term_wait "│ $(count Conv2D) ops by " "$WAIT"
# first_op: the first op in the card, as soon as it is drawn there
first_op() {
    first=$(term_capture | sed -n 's/.*│ *[0-9.]* us .*\(Conv2D-op[0-9]*\) *$/\1/p' | head -n 1)
    [ -n "$first" ]
}

# The ops there are those that Enter opens, in the same order.
term_poll "$WAIT" first_op || fail "no op of the type in its card"
term_keys Enter
expect_line 3 'Ops > Conv2D' "$WAIT"
term_line 5 | grep -qF -- "$first" || fail "Enter shows another first op than the card: $(term_line 5)"
# Of an op: the curve of its executions, and the slowest of them by their instants.
term_wait 'p50 ' "$WAIT"
term_wait ' executions by Duration' "$WAIT"
term_wait '━ at ' "$WAIT"
term_keys z
expect_no 'executions by Duration' "$WAIT"
term_keys z
term_wait ' executions by Duration' "$WAIT"
term_keys q q
term_keys q
expect_exit 0 "$WAIT"

# Of a step: its slowest executions.
make_demo 2 "$test_dir/analysed"
keep "$test_dir/analysed"
open_run 120 40 "$test_dir/analysed"
term_keys 4
term_wait ' executions by Duration' "$WAIT"
term_resize 119 40
expect_no ' executions by Duration' "$WAIT"
term_resize 120 40
term_wait ' executions by Duration' "$WAIT"
term_keys q q
expect_exit 0 "$WAIT"

# Of a place in the code on one core: as many executions as the row has calls.
open_run 160 50 --no-state "$test_dir/analysed"
term_keys 3 v v v v v v v
term_wait '[code]' "$WAIT"
agrees() {
    calls=$(term_capture | sed -n 's/.*│ Calls  *\([0-9]*\) *$/\1/p' | head -n 1)
    [ -n "$calls" ] && term_capture | grep -q "│ $calls executions by Duration"
}
term_poll "$WAIT" agrees || fail "the card has other executions than the row's $calls calls"
term_keys Q
expect_exit 0 "$WAIT"
