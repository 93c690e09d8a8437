#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every way to end gives the terminal back (modes, alternate screen, cursor, mouse) and leaves no process
# behind.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"

# ended WAY STATUS: after the act
ended() {
    expect_exit "$2" "$WAIT"
    no_leftovers
    echo "$1: status $2, terminal as before, no process left"
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size "$test_dir/run"
    [ "$(term_get '#{alternate_on}')" = 1 ] || fail "the alternate screen is not in use"
    term_keys 1 q
    ended "q on the first pane, $size" 0
done
for way in Q F10 ':q'; do
    open_run 80 24 "$test_dir/run"
    term_keys 3
    term_wait '[3 Ops]' "$WAIT"
    case $way in
    :*)
        term_type "$way"
        term_keys Enter
        ;;
    *) term_keys "$way" ;;
    esac
    ended "$way" 0
done
# A signal; the status is what the shell says of it.
for way in 'TERM 143' 'HUP 129' 'INT 130' 'QUIT 131'; do
    open_run 80 24 "$test_dir/run"
    # shellcheck disable=SC2086
    set -- $way
    term_signal "$1"
    ended "SIG$1" "$2"
done
# A defect of the program itself: the same, and one line that says so.
# shellcheck disable=SC3045 # every shell we meet has it
ulimit -c 0
open_run 80 24 "$test_dir/run"
term_signal ABRT
term_wait 'npuscope: fatal: ' "$WAIT"
ended SIGABRT 134

# ^C stops what is running; where nothing is, it says so and stays.
open_run 80 24 "$test_dir/run"
term_keys C-c
expect_line -2 'nothing is running; Q quits' "$WAIT"
term_keys Q
ended '^C, then Q' 0
