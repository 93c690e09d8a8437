#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a short table leaves of a wide screen shows the other views of its pane, and in Triage those of other panes;
# z hides them, a narrow screen has none. The card of a file shows how it begins.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run"
keep "$test_dir/run"
types=$(cli ops -q --by=type -F csv --no-header -C type "$test_dir/run" | wc -l)
largest=$(cli ops -q --by=type -F csv --no-header -C type "$test_dir/run" | sed -n 1p)

open_run 160 50 --no-state "$test_dir/run"
term_keys 3
for _ in 1 2 3 4; do
    term_keys v
done
term_wait '[core]' "$WAIT"
# The types below the cores: of all, and the largest first.
term_wait "of $types types by Time" "$WAIT"
term_capture | grep -A2 " of $types types by Time" | tail -n 1 | grep -q "^ $largest " || fail "the first type is not $largest"
term_wait ' stream   ' "$WAIT"
term_keys z
expect_no " of $types types by Time" "$WAIT"
term_keys z
term_wait " of $types types by Time" "$WAIT"
term_resize 119 50
expect_no " of $types types by Time" "$WAIT"
term_resize 200 60
term_wait " $types types by Time" "$WAIT"

# Triage has the steps beside it, which were not opened before.
term_keys 1
term_wait ' Steps: split ' "$WAIT"
term_resize 119 50
expect_no 'Steps: split' "$WAIT"
term_resize 120 60

# Host begins with where its time goes; the framework's ops of this run have no times: a view of counts is not there.
term_keys 0
term_wait '[API calls]' "$WAIT"
term_wait ' AI CPU   1 kernel ' "$WAIT"
expect_no ' framework ops' "$WAIT"

# Files: the first line of the file under the cursor.
term_keys 2
term_type '/op_statistic.csv'
term_keys Enter
term_wait '│ First lines' "$WAIT"
term_wait "│ $(head -n 1 "$(find "$test_dir/run" -name op_statistic.csv)" | cut -c1-30)" "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# Of a job they say which rank they are of, because the table above is of all.
make_demo 2 "$test_dir/job" --ranks=2
keep "$test_dir/job"
open_run 160 50 --no-state "$test_dir/job"
term_wait ' Steps of rank 0: split ' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
