#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Enter on a step shows its ops, and q comes back to all steps. Where op times are not recorded step by step
# (generation 1) it shows the step itself and says why.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/g1"
make_demo 2 "$test_dir/g2"
keep "$test_dir/g1"
keep "$test_dir/g2"

# The figures of one step, from the executions in the vendor's file.
kernels=$(echo "$test_dir"/g2/*_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv)
calls=$(awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^Step/) s = i; if ($i == "Type") t = i } next }
    $s == 12 && $t == "Conv2D" { n++ }
    END { print n }' "$kernels")
[ "$calls" -gt 0 ] || fail "no Conv2D in step 12 of $kernels"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/g2"
    # An op left open does not stand between the step's ops and the way back.
    term_keys 3 Enter
    expect_line 3 'Ops > ' "$WAIT"
    term_keys 4
    expect_line -2 '3 steps' "$WAIT"
    term_keys j
    expect_line -2 ' 2/3 ' "$WAIT"
    term_still "$test_dir/steps" "$WAIT"
    term_keys Enter
    expect_line 2 '[3 Ops]' "$WAIT"
    expect_line 3 'steps 12' "$WAIT"
    expect_line -2 'step 12 only' "$WAIT"
    term_poll "$WAIT" term_has ' Conv2D ' || fail "no ops"
    term_capture | grep -E ' Conv2D ' | grep -qE " $calls " || fail "not the $calls calls of step 12"
    term_keys q
    expect_line 2 '[4 Steps]' "$WAIT"
    term_keys z z # the message goes with the next key
    expect_screen "$WAIT" <"$test_dir/steps"
    term_keys Enter
    expect_line 3 'steps 12' "$WAIT"
    term_keys Escape
    expect_line 2 '[4 Steps]' "$WAIT"
    expect_line -2 'all steps' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"

    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/g1"
    term_keys 4 j Enter
    expect_line 3 'Steps > step 2' "$WAIT"
    expect_line -2 'know no steps' "$WAIT"
    term_keys q ']'
    expect_line 3 'steps 2' "$WAIT"
    term_keys 3
    expect_line 3 'steps 2   per step, the same for every step' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
