#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The SQL console: opens with an empty line, another ; puts the statement of the table there, Up brings earlier
# statements; Tab completes tables and columns; an error says where it is; results have units when the name of a
# column has one.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 2 "$run"
avg=$(cli query -q -F csv --no-header "$run" 'SELECT printf("%.0f", max(dur_ns) / 1e3) FROM op_exec')
[ -n "$avg" ] || fail "no durations"

statement() { # types it, with the ; that tmux would take for its own
    term_type "${1%;}"
    term_keys '\;'
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$run"
    term_keys 3
    term_wait '[3 Ops]' "$WAIT"
    term_keys '\;'
    term_wait 'Up: earlier ones' "$WAIT"
    expect_line -1 "; the table's statement" "$WAIT"
    expect_no 'SELECT' "$WAIT"
    term_keys '\;'
    expect_line 4 'SELECT * FROM (' "$WAIT"
    term_keys C-c
    expect_no 'SELECT' "$WAIT"
    # Completion: a column before any table is named, a table, a column of it.
    term_type 'SELECT max(dur_n'
    term_keys Tab
    term_wait 'SELECT max(dur_ns' "$WAIT"
    term_type ') AS longest_ns, sum(output_s'
    term_keys C-u
    term_type 'SELECT max(dur_ns) AS longest_ns, count(*) AS n FROM op_exe'
    term_keys Tab
    term_wait 'FROM op_exec' "$WAIT"
    term_keys '\;' Enter
    term_wait '1 row in' "$WAIT"
    term_capture | grep -qE "^▶ *$avg us " || fail "the result has no unit: not $avg us"
    # An error names its place, below the line that it is in.
    term_keys '\;' C-c
    statement 'SELECT name_id, durr FROM op;'
    term_keys Enter
    term_wait 'no such column: durr' "$WAIT"
    caret() { term_capture | grep -A1 '^ SELECT name_id, durr' | tail -1 | grep -qE '^ {17}\^$'; }
    term_poll "$WAIT" caret || fail "no caret below durr"
    term_keys C-c
    statement 'SELECT 1 FORM op;'
    term_keys Enter
    term_wait 'near "op": syntax error' "$WAIT"
    # The one before, by Up.
    term_keys C-c Up Up
    term_wait 'SELECT name_id, durr FROM op;' "$WAIT"
    term_keys Q
    term_keys Escape
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers
