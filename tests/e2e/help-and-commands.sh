#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The help of each pane, the command line with completion, history and answers to what it does not know.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"

run_command() {
    term_keys :
    expect_line -2 ':' "$WAIT"
    term_type "$1"
    term_keys Enter
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size "$test_dir/run"
    for pane in '1 Triage' '2 Files' '3 Ops' '4 Steps' '5 Time' '6 FLOPs' '7 Mem' '8 Data' '9 Comm' \
        '0 Host'; do
        term_keys "${pane%% *}"
        term_wait "[$pane]" "$WAIT"
        term_keys '?'
        term_wait "Help: ${pane#* }" "$WAIT"
        term_wait 'Panes ' "$WAIT"
        case $pane in
        '9 Comm') expect_no 'Move ' "$WAIT" ;; # nothing communicates: there is nothing to move in
        *) term_wait 'Move ' "$WAIT" ;;
        esac
        term_keys q
        expect_no 'Help: ' "$WAIT"
        term_wait "[$pane]"
    done
    term_keys 3
    term_wait '[3 Ops]' "$WAIT"
    term_still "$test_dir/before" "$WAIT"
    term_keys F1
    term_wait 'Help: Ops' "$WAIT"
    term_keys / r e v e r s e Enter
    term_wait reverse "$WAIT"
    term_keys Escape
    expect_no 'Help: ' "$WAIT"
    expect_screen "$WAIT" <"$test_dir/before"

    # A pane's key leaves the text and goes there.
    term_keys '?'
    term_wait 'Help: Ops' "$WAIT"
    term_keys 4
    term_wait '[4 Steps]' "$WAIT"
    expect_no 'Help: ' "$WAIT"
    term_keys 3
    term_wait '[3 Ops]' "$WAIT"

    run_command 'pane steps'
    term_wait '[4 Steps]' "$WAIT"
    term_keys :
    term_type 'pane fl'
    term_keys Tab
    expect_line -2 ':pane flops' "$WAIT"
    term_keys Enter
    term_wait '[6 FLOPs]' "$WAIT"
    term_keys : Up
    expect_line -2 ':pane flops' "$WAIT"
    term_keys Up
    expect_line -2 ':pane steps' "$WAIT"
    term_keys Enter
    term_wait '[4 Steps]' "$WAIT"
    run_command 'nonsense'
    expect_line -2 "there is no command 'nonsense'" "$WAIT"
    run_command 'steps 2'
    expect_line -2 '1/1' "$WAIT"
    run_command 'steps all'
    expect_line -2 'all steps' "$WAIT"
    expect_line -2 '/3 '
    run_command 'set theme=pink'
    expect_message 'there is no theme' "$WAIT"
    term_keys : Escape
    expect_no ' Esc cancel' "$WAIT"
    term_keys ^
    expect_line -2 'no binding for ^' "$WAIT"
    # Alt with a digit: a view of the pane.
    term_keys 3 M-2
    term_wait '[single op]' "$WAIT"
    term_keys M-9
    expect_line -2 'this pane has no view of that number' "$WAIT"
    term_keys M-1
    term_wait '[type]' "$WAIT"
    run_command q
    expect_exit 0 "$WAIT"
done
