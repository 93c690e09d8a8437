#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was chosen comes back with the next start: pane, rank, view, sort, columns, filters, marks, histories.
# Another run has its own; --no-state and --no-cache neither read nor write; a damaged file is ignored and
# said to be.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run" --ranks=2
make_demo 1 "$test_dir/other"
keep --rank=all "$test_dir/run"
keep "$test_dir/other"
state=$test_dir/home/.cache/npuscope/state

chosen() { # what the second start must show
    expect_line 2 '[3 Ops]' "$WAIT"
    expect_line 1 'rank 1' "$WAIT"
    expect_line 3 'conv' "$WAIT"
    expect_line 4 'Total ▴' "$WAIT"
    ! term_line 4 | grep -q 'Type' || fail "the hidden column is back"
    expect_line -2 ' ops' "$WAIT"
    term_capture | sed -n 7p | grep -q '^a' || fail "the mark is not on the third row"
}

open_run 80 24 "$test_dir/run"
term_keys '}'
expect_line 1 'rank 1' "$WAIT"
expect_no ' LOAD ' "$WAIT"
term_keys 3 v
term_wait ' ops   sorted by Total' "$WAIT"
term_type '\conv'
term_keys Enter I g j j m k C
term_wait '[x] Type' "$WAIT"
term_keys j Space q
chosen
term_keys BTab # to Steps and round to SQL, whose history is kept as well
term_keys 1 BTab
term_type 'SELECT 41+1 AS answer'
term_keys '\;' '\;' Enter
expect_line -2 '1 row in' "$WAIT"
term_keys 3 Q
expect_exit 0 "$WAIT"
cp "$state" "$test_dir/first"

open_run 80 24 "$test_dir/run"
chosen
term_keys 1 BTab Up
term_wait 'SELECT 41+1 AS answer;' "$WAIT"
term_keys F10
expect_exit 0 "$WAIT"

# Another run knows nothing of it, and does not take it away.
open_run 80 24 "$test_dir/other"
expect_line 2 '[1 Triage]' "$WAIT"
term_keys 3
expect_line 4 'Time ▾' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
open_run 80 24 --pane=ops "$test_dir/run"
chosen
# What was asked for on the command line goes before what was last.
term_keys Q
expect_exit 0 "$WAIT"
open_run 80 24 --rank=0 "$test_dir/run"
expect_line 1 'rank 0' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

for option in --no-state --no-cache; do
    cp "$state" "$test_dir/before"
    open_run 80 24 "$option" "$test_dir/other"
    expect_line 2 '[1 Triage]' "$WAIT"
    term_keys 4 Q
    expect_exit 0 "$WAIT"
    cmp -s "$state" "$test_dir/before" || fail "$option wrote the state"
done

# Damage: cut, or something in it that npuscope does not write.
head -c 100 "$test_dir/first" >"$state"
open_run 80 24 "$test_dir/run"
expect_message 'is damaged and is ignored' "$WAIT"
expect_line 2 '[1 Triage]'
term_keys j
expect_no 'is damaged' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
head -n 1 "$state" | grep -qx 'npuscope-state 1' && [ "$(tail -n 1 "$state")" = end ] ||
    fail "the state is not whole again"
sed 's/^pane /\x01ane /' "$test_dir/first" >"$state"
open_run 80 24 "$test_dir/run"
expect_message 'is damaged and is ignored' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
