#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --linear on a terminal: lines in, lines out, nothing of a full screen. A move says the row that the cursor came
# to and not the one it left, a search and a command say what they changed, a wrong word is named, and it ends
# with q, the end of input or ^C. Without a terminal every pane is printed once.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 1 "$run"
keep "$run"

lines() { # TEXT: type it and Enter
    term_type "$1"
    term_keys Enter
}
start() {
    term_start 100 50 "$NPUSCOPE" --linear --no-state "$run"
    term_wait 'Enter proof' "$WAIT"
}

start
lines 3
term_wait '[type]' "$WAIT"
types=$(cli ops -q --by=type -F csv --no-header -C type "$run")
first=$(echo "$types" | sed -n 1p) second=$(echo "$types" | sed -n 2p) third=$(echo "$types" | sed -n 3p)
lines ''
term_wait "▶$second" "$WAIT"
term_capture | grep -q "▶$first" || fail 'the whole screen had no cursor row'
before=$(term_capture | grep -c "$first ")
lines 'j'
term_wait "▶$third" "$WAIT"
[ "$(term_capture | grep -c "$first ")" = "$before" ] || fail 'rows that did not change are said again'
lines 'nonsense'
term_wait "'nonsense' is not the name of a key; a command begins with :" "$WAIT"
lines ':sort type'
term_wait 'sorted by Type' "$WAIT"
lines "/$first"
term_wait "▶$first" "$WAIT"
lines ':'
lines 'view shape' # the prompt is open: what comes is its text
term_wait '[type and shape]' "$WAIT"
term_type ':sql SELECT 40 + 2'
term_keys '\;' Enter
term_wait ' SELECT 40 + 2;' "$WAIT" # the statement is open: an empty line runs it
lines ''
term_wait '42' "$WAIT"
lines 'Esc'
# the terminal itself writes no sequence but what it writes for a line
grep -q "$(printf '\033')" "$test_dir/bytes" && fail 'there are escape sequences'
lines 'q q'
lines 'Q'
expect_exit 0 "$WAIT"

start
term_keys C-d
expect_exit 0 "$WAIT"
start
term_keys C-c
expect_exit 130 "$WAIT"

cli --linear "$run" </dev/null >"$test_dir/out" || fail "without a terminal: status $?"
[ "$(grep -c '^== ' "$test_dir/out")" = 11 ] || fail "not every pane is there: $(grep '^== ' "$test_dir/out")"
no_leftovers
