#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A folder of several runs: their list at the start, W and :run; the run's folder on every screen; ranks of different
# runs are never put together, on the screen and by triage.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/all/four" --ranks=4 --steps=6 --size=2000
make_demo 2 "$test_dir/all/short" --ranks=2 --steps=3 --size=2000
make_demo 2 "$test_dir/all/long" --ranks=2 --steps=9 --size=2000
TERM_CWD=$test_dir

for size in '80 24' '160 50'; do
    rm -rf "${test_dir:?}/home"
    # shellcheck disable=SC2086
    open_run $size --ascii --no-state all
    term_wait 'Runs here' "$WAIT"
    expect_no 'not read yet' "$WAIT"
    term_capture | grep 'four ' | grep 'ranks 0-3' | grep -q '6 steps  [0-9.]* ms/step' || fail "the run of four ranks"
    term_capture | grep 'short ' | grep 'ranks 0-1' | grep -q '3 steps  [0-9.]* ms/step' || fail "the short run"
    term_keys Down Down Enter
    expect_line 1 'run 3 of 3 short  rank 0 of 2' "$WAIT"
    expect_line -2 'run 3 of 3: short, rank 0' "$WAIT"
    expect_line -1 'W runs' "$WAIT"
    term_keys '}'
    expect_line 1 'run 3 of 3 short  rank 1 of 2' "$WAIT"
    term_keys '}'
    expect_line 1 'run 3 of 3 short  rank 0 of 2' "$WAIT"
    for pane in 2 3 4 5 9; do
        term_keys "$pane"
        expect_line 1 'run 3 of 3 short' "$WAIT"
    done
    term_type ':run four'
    term_keys Enter
    expect_line 1 'run 1 of 3 four  rank 0 of 4' "$WAIT"
    term_type ':run 2'
    term_keys Enter
    expect_line 1 'run 2 of 3 long  rank 0 of 2' "$WAIT"
    term_type ':run nowhere'
    term_keys Enter
    expect_line -2 'there is no such run here' "$WAIT"
    term_keys W
    term_wait '> long ' "$WAIT"
    term_keys Escape Q
    expect_exit 0 "$WAIT"
done

# The list begins at the run that was left, also where it was opened by another name; --run goes first.
rm -rf "${test_dir:?}/home"
open_run 80 24 --ascii all
term_wait '> four ' "$WAIT"
term_keys Down Down Enter
expect_line 1 'run 3 of 3 short  rank 0 of 2' "$WAIT"
term_keys '}' 3
expect_line 1 'run 3 of 3 short  rank 1 of 2' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
open_run 80 24 --ascii all/../all
term_wait '> short ' "$WAIT"
term_keys Enter
expect_line 1 'run 3 of 3 short' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
open_run 80 24 --ascii --run=long all
expect_line 1 'run 2 of 3 long' "$WAIT"
expect_line -1 'W runs' "$WAIT"
expect_no 'Runs here'
term_keys Q
expect_exit 0 "$WAIT"

# The smallest screen has room for folder and state.
open_run 40 10 --ascii --no-state all
term_wait '> four   ANALYSED' "$WAIT"
term_keys Escape Q
expect_exit 0 "$WAIT"

# Names of folders are cut where there is no room, the state and the figures are not; without room for the time it goes.
make_demo 2 "$test_dir/names/second" --steps=4 --size=2000
make_demo 1 "$test_dir/names/third" --size=2000
for size in '80 24 ' '100 30 host time'; do
    # shellcheck disable=SC2086
    set -- $size
    open_run "$1" "$2" --ascii --no-state names
    expect_no 'not read yet' "$WAIT"
    term_capture | grep 'second/node-1_' | grep ' ANALYSED ' | grep -q ' 4 steps  [0-9.]* ms/step |' ||
        fail "the run in a folder with a long name, $1 columns"
    term_capture | grep '> third/profiler\|  third/profiler' | grep -q "${3:+host time }.* ANALYSED " ||
        fail "the run with the time of the host, $1 columns"
    term_keys Escape Q
    expect_exit 0 "$WAIT"
done

# One that was chosen needs no list.
open_run 80 24 --ascii --no-state --run=short all
expect_line 1 'run 3 of 3 short' "$WAIT"
expect_no 'Runs here'
term_keys Q
expect_exit 0 "$WAIT"

# Without a screen: the same list, and one run alone.
cli triage -q "$test_dir/all" >"$test_dir/out" || fail "triage of three runs"
grep -q '^  3  short   *[0-9-]* [0-9:]* UTC  *0-1  *ANALYSED' "$test_dir/out" || fail "the list of runs"
grep -q 'behind' "$test_dir/out" && fail "ranks of different runs are compared"
[ "$(cli steps -q --rank=all --run=short -C step --format=csv --no-header "$test_dir/all" | wc -l)" = 6 ] ||
    fail "not three steps of two ranks"
cli steps -q --run=9 "$test_dir/all" >"$test_dir/out" 2>"$test_dir/err" && fail "a run that is not there"
grep -q "there is no run '9' here" "$test_dir/err" || fail "what is said of it"
