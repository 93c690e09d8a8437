#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Terminals: ASCII, monochrome, no locale, dumb, unknown, unset, not a terminal.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"

ascii_only() {
    for pane in '2 Files' '3 Ops' '4 Steps' '7 Mem' '8 Data' '9 Comm' '0 Host'; do
        term_keys "${pane%% *}"
        term_wait "[$pane]" "$WAIT"
        term_capture | LC_ALL=C grep '[^ -~]' && fail "$1: not ASCII in [$pane]"
    done
    term_keys Q
    expect_exit 0 "$WAIT"
    LC_ALL=C grep -q '[^[:print:][:cntrl:]]' "$term_bytes" && fail "$1: bytes that are not ASCII"
    echo "$1: ASCII only"
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --ascii "$test_dir/run"
    ascii_only "--ascii at $size"
done
TERM_LANG=C
open_run 80 24 "$test_dir/run"
ascii_only 'LC_ALL=C'
open_run 80 24 --utf8 "$test_dir/run"
term_keys 3
expect_line 4 ▾ "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
unset TERM_LANG

# Without colour: no colour sequence, and the cursor row is still marked.
colour=$(printf '\033')'\[([0-9]*;)*(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;[0-9]*)*m'
open_run 80 24 "$test_dir/run"
term_keys 3
term_wait '[3 Ops]' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
grep -qE "$colour" "$term_bytes" || fail "no colours where there should be: the check below shows nothing"
term_start 80 24 env NO_COLOR=1 "$NPUSCOPE" "$test_dir/run"
term_keys 3
term_wait '[3 Ops]' "$WAIT"
expect_line 5 '▶Conv2D' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
grep -qE "$colour" "$term_bytes" && fail "NO_COLOR: colours"
# What its legend says is told apart without colours: shades are communication.
make_demo 1 "$test_dir/ranks" --ranks=2
keep "$test_dir/ranks"
term_start 80 24 env NO_COLOR=1 "$NPUSCOPE" "$test_dir/ranks"
term_keys 5
term_wait 'height: busy share   ░▒▓█ communication' "$WAIT"
expect_no '█cube' "$WAIT"
# shellcheck disable=SC2317
shades() { term_capture | grep -qE '^.Plane [0-9]* .*(░|▒|▓)'; }
term_poll "$WAIT" shades || fail "NO_COLOR: communication looks like other work"
term_keys Q
expect_exit 0 "$WAIT"
TERM_TYPE=vt100
open_run 80 24 "$test_dir/run"
term_keys 3
term_wait '[3 Ops]' "$WAIT"
term_wait Conv2D "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
grep -qE "$colour" "$term_bytes" && fail "vt100: colours"
unset TERM_TYPE

# A terminal that can't move its cursor: said in one line, the terminal untouched.
for term in TERM=dumb TERM= TERM=no-such-terminal -uTERM; do
    case $term in
    -u*) term_start 80 24 env -u TERM "$NPUSCOPE" "$test_dir/run" ;;
    *) term_start 80 24 env "$term" "$NPUSCOPE" "$test_dir/run" ;;
    esac
    expect_exit 1 "$WAIT"
    expect_line 1 'npuscope: ' "$WAIT"
    term_wait 'npuscope report' "$WAIT"
done
exit 0
