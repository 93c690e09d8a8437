#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A statement that takes long says so after a moment, and Esc or ^C stops it; keys typed meanwhile wait until
# it is done.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run"
keep "$test_dir/run"

endless() { # rows: a statement that counts so many
    echo "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c LIMIT $1) SELECT count(*) AS n FROM c"
}

for key in Escape C-c; do
    open_run 80 24 --no-state "$test_dir/run"
    term_keys BTab # from Triage to SQL
    expect_line 2 '[; SQL]' "$WAIT"
    term_type "$(endless 20000000000)"
    term_keys '\;' '\;' Enter
    expect_line -2 'working, ' "$WAIT"
    expect_line -2 'Esc stops'
    term_keys "$key"
    expect_line -2 'stopped; ' "$WAIT"
    term_wait 'The statement was stopped' "$WAIT"
    # The program goes on: the same place takes a statement that ends.
    term_keys Enter
    expect_line -2 'working, ' "$WAIT"
    term_keys "$key"
    expect_line -2 'stopped; ' "$WAIT"
    term_keys C-u
    term_type "$(endless 5)"
    term_keys '\;' '\;' Enter
    expect_line -2 '1 row in ' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done

# Keys that come while it works are taken afterwards, in their order.
open_run 80 24 --no-state "$test_dir/run"
term_keys BTab
term_type "$(endless 4000000)"
term_keys '\;' '\;' Enter
expect_line -2 'working, ' "$WAIT"
term_keys F1
term_wait 'Help: SQL' "$WAIT"
term_keys q
term_wait '4000000' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
