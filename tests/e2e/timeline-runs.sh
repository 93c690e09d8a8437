#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two runs of the same rank below one folder, under each other in the timeline: told apart by what differs in
# their paths, aligned at a step.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

mkdir "$test_dir/runs"
make_demo 2 "$test_dir/runs/before" --ranks=1 --steps=4 --seed=1
make_demo 2 "$test_dir/runs/after" --ranks=1 --steps=5 --seed=2

rows() { term_line -2 | sed -n 's:^track [0-9]*/\([0-9]*\).*:\1:p'; }
rows_doubled() { [ "$(rows)" -gt "$one" ] 2>/dev/null; }

open_run 160 60 --no-state "$test_dir/runs"
term_wait 'Runs here' "$WAIT"
term_keys Escape
expect_no 'Runs here' "$WAIT"
term_keys 5
term_wait 'Stream 3' "$WAIT"
first_track
one=$(rows)
term_type '=r'
term_wait 'rank 0 of before' "$WAIT"
term_wait 'rank 0 of after' "$WAIT"
term_keys Down Space Enter
term_poll "$WAIT" rows_doubled || fail "the other run does not come: $(rows) rows, $one before"
term_wait ' rank 0 of after' "$WAIT"
expect_no 'reading ' "$WAIT"

# Step 12 of both begins in the same place.
term_type '@'
expect_line -2 'go to' "$WAIT"
term_type 'step 12'
term_keys Enter
term_wait 'step 12' "$WAIT"
term_type '=b'
expect_line -2 'aligned 1 rank at the begin of the step' "$WAIT"
head_moved() { term_capture | grep -q ' rank 0 of [a-z]*   moved by [+-]'; }
term_wait '▶after  ' "$WAIT"
term_poll "$WAIT" head_moved || fail "no run was moved"
term_type '=0'
term_keys PageUp PageDown
head_still() { ! head_moved; }
term_poll "$WAIT" head_still || fail "a run is still moved"
term_keys q q
expect_exit 0
term_end
