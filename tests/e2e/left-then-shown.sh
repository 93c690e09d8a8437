#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command leaves large files for later; the screen that opens after it reads them, and shows what a whole
# import shows.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run" --steps=10 --size=5000
cli steps -q -F csv "$test_dir/run" >"$test_dir/steps" || fail "no steps"
left=$(python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM source WHERE state = ? AND used IS NULL", ["UNREAD"]).fetchone()[0])' "$(echo "$test_dir/home/.cache/npuscope/"*.npus)") ||
    fail "no store"
[ "$left" -gt 0 ] || fail "nothing was left, this test shows nothing"
events=$(cli query -q --no-header -F csv --no-cache "$test_dir/run" 'SELECT count(*) FROM event')

open_run 80 24 "$test_dir/run"
term_keys 5
term_wait '[5 Time]' "$WAIT"
term_wait ' Stream 3 ' "$WAIT"
term_keys 1 BTab
term_type 'SELECT count(*) AS n FROM event'
term_keys '\;' '\;' Enter
expect_line -2 '1 row in' "$WAIT"
term_wait " $events" "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
