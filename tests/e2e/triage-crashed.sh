#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Triage of raw jobs that ended in the middle of a step: coverage, what was done last and what never ended,
# how far the ranks came.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/one" --raw --crashed=3 --steps=5
make_demo 1 "$test_dir/two" --raw --crashed=4 --steps=5 --ranks=2
# The marks of rank 1 end inside its second step, in the middle of a record of 40 bytes.
marks=$(echo "$test_dir/two/profiler"/PROF_*/device_1/data/ts_track.data.1.slice_0)
truncate -s $((40 * 40 + 12)) "$marks"
find "$test_dir/one" "$test_dir/two" -exec touch -d 2020-01-01 {} +
# 4: a result, and an input that is cut.
for run in one two; do
    cli import -q "$test_dir/$run" >"$test_dir/out"
    [ $? -eq 4 ] || fail "the cut run was read as whole"
done
behind=$(cli triage -q --format=json --rank=1 "$test_dir/two" |
    sed -n 's/^"last_complete_step": \([0-9]*\),$/\1/p')
[ "$behind" -lt 3 ] || fail "rank 1 is at step $behind"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/one"
    expect_line 1 'CRASHED' "$WAIT"
    term_wait 'State      CRASHED   start time yes, stop time no' "$WAIT"
    term_wait 'Coverage   2 complete steps, step 3 is cut after ' "$WAIT"
    term_wait 'Last activity before the end' "$WAIT"
    term_wait '0 ms  Stream 3 ' "$WAIT"
    term_wait 'RUNNING, no end record' "$WAIT"
    # The newest first.
    term_capture | sed -n '/Last activity/,/^[^ ]*$/s/^ *\(-*[0-9.]* [mu]s\) .*/\1/p' >"$test_dir/times"
    sort -c -k2,2r -k1,1nr "$test_dir/times" || fail 'the last activity is not in order of time'
    term_wait 'AI CPU ' "$WAIT"
    expect_no 'last complete step' "$WAIT"
    # Steps counts as the title does, and says how long the cut one ran.
    cut=$(term_capture | sed -n 's/.* step 3 is cut after \([0-9.]* ms\).*/\1/p' | head -n 1)
    term_keys 4 G
    term_wait '2 steps, 1 cut ' "$WAIT"
    term_capture | grep "^▶ *3 .* $cut " >/dev/null || fail "the step is not cut after $cut"
    term_keys Q
    expect_exit 0 "$WAIT"

    # A job begins with its ranks below the verdict; Enter shows one.
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/two"
    term_wait '2 ranks' "$WAIT"
    term_keys G k Enter
    term_wait "Ranks      0 1   last complete step 3 $behind" "$WAIT"
    [ "$size" != '80 24' ] || term_capture | grep -Eq '^ +… [1-9] more$' || fail 'what has no room is not counted'
    term_wait "rank 1 is behind: last complete step $behind, of the others 3" "$WAIT"
    term_keys '}'
    expect_line 1 'rank 1 of 2' "$WAIT"
    term_wait 'RUNNING, no end record' "$WAIT"
    term_wait "Coverage   $behind complete step" "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
