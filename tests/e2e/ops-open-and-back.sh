#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Enter goes down (type, op, card), q back up to the row it came from, and out of the program at the top.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
detail=$test_dir/run/profiler/aicore_intermediate_0_detail.csv
ops=$(tail -n +2 "$detail" | wc -l)
convs=$(cut -d, -f1 "$detail" | grep -c '/Conv2D-op[0-9]*$')

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size "$test_dir/run"
    term_keys 3
    expect_line -2 ' 1/' "$WAIT"
    term_keys j
    expect_line -2 ' 2/' "$WAIT"
    term_still "$test_dir/types" "$WAIT"
    term_keys Enter
    expect_line 3 'Ops > Conv2D' "$WAIT"
    expect_line -2 "$convs of $ops ops" "$WAIT"
    term_wait 'Conv2D-op'
    term_keys j j
    expect_line -2 " 3/$convs" "$WAIT"
    term_still "$test_dir/list" "$WAIT"
    term_keys Enter
    term_wait 'mean ' "$WAIT"
    term_wait '  Type              Conv2D'
    term_wait '3 executions'
    # The crumbs end with the whole last part of the name; a mean has no more digits than the table shows.
    expect_line 3 "Ops > Conv2D > " "$WAIT"
    term_line 3 | grep -qE '/Conv2D-op[0-9]+$' || fail "the name of the op is cut at its end"
    [ "$size" != '80 24' ] || term_line 3 | grep -qF '/…/' || fail "the cut is not to be seen"
    term_wait '  Avg  '
    ! term_capture | grep -E '  Avg ' | grep -q ' = ' || fail "a mean with all its digits"
    term_keys q
    expect_screen "$WAIT" <"$test_dir/list"
    term_keys Escape
    expect_screen "$WAIT" <"$test_dir/types"
    # A kernel of the AI CPU, of which no op is known: its executions, and back.
    term_keys \\
    term_type 'core=AICPU'
    term_keys Enter
    expect_line -2 '1/1' "$WAIT"
    term_keys Enter
    term_wait '[0 Host]' "$WAIT"
    expect_line 3 'AI CPU executions' "$WAIT"
    expect_line -2 '1/3 ' "$WAIT"
    term_keys q q
    term_wait '[3 Ops]' "$WAIT"
    expect_line -2 '1/1' "$WAIT"
    term_keys F Space q
    term_keys q
    term_wait '[1 Triage]' "$WAIT"
    term_keys q
    expect_exit 0 "$WAIT"
done
