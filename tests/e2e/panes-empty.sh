#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where a run holds nothing for a pane, the pane says what was looked for, why it is not there and which
# option would have made it. A profile without memory and FLOPs.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
rm "$test_dir"/run/profiler/memory_usage_* "$test_dir"/run/profiler/flops_*
keep "$test_dir/run"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size "$test_dir/run"
    term_keys 7
    term_wait '[7 Mem]' "$WAIT"
    expect_line 6 'No memory ' "$WAIT"
    term_wait 'Looked for' "$WAIT"
    term_wait 'profile_memory=True' "$WAIT"
    for key in F6 C; do
        term_keys "$key"
        expect_line -2 'there is no table here' "$WAIT"
    done
    term_keys 6
    term_wait 'No FLOPs in this run.' "$WAIT"
    term_wait 'aicore_metrics=0' "$WAIT"
    expect_line -2 'no data' "$WAIT"
    expect_line -1 '2 files  1 triage' "$WAIT"
    # Keys of tables do nothing bad where there is no table, and Esc at the top level leaves nothing.
    term_keys Enter j k n N '<' '>' I u y y c G v
    for key in \\ / F C F6 e; do
        term_keys "$key" Escape
    done
    term_keys Escape BSpace Escape
    expect_line -2 'nothing to leave here' "$WAIT"
    expect_line 2 '[6 FLOPs]' "$WAIT"
    term_wait 'No FLOPs in this run.' "$WAIT"
    term_keys 1 Escape Escape
    expect_line -2 'q quits' "$WAIT"
    expect_line 2 '[1 Triage]' "$WAIT"
    term_keys 3
    term_wait '[3 Ops]' "$WAIT"
    term_wait Conv2D "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
cli memory -q --format=csv "$test_dir/run" >"$test_dir/out" 2>"$test_dir/err"
[ ! -s "$test_dir/out" ] || [ "$(wc -l <"$test_dir/out")" -le 1 ] ||
    fail "memory was printed: $(cat "$test_dir/out")"
grep -q 'no memory' "$test_dir/err" || fail "the command does not say why: $(cat "$test_dir/err")"
