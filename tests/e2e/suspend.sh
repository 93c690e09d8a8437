#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ^Z gives a clean shell, fg the screen again, in the size of now.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"

TERM_CWD=$test_dir
term_shell 80 24
term_type 'stty -g >before; '"$NPUSCOPE"' run'
term_keys Enter
term_wait '2 Files' "$WAIT"
term_keys 3
term_wait '[3 Ops]' "$WAIT"
expect_line -2 'types   sorted by Time' "$WAIT"
term_still "$test_dir/screen" "$WAIT"
for round in 1 2; do
    term_keys C-z
    term_wait Stopped "$WAIT"
    modes=$(term_get '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag}')
    [ "$modes" = '0 1 0 0' ] || fail "stopped, the terminal has: $modes"
    rm -f "$test_dir/during"
    term_type 'stty -g >during'
    term_keys Enter
    term_poll "$WAIT" test -s "$test_dir/during" || fail "the shell does not answer"
    cmp "$test_dir/before" "$test_dir/during" || fail "the terminal's modes are not the shell's"
    [ $round = 1 ] || term_resize 160 50
    term_type fg
    term_keys Enter
    term_wait '[3 Ops]' "$WAIT"
    [ $round = 2 ] || expect_screen "$WAIT" <"$test_dir/screen"
done
term_poll "$WAIT" term_line_has -2 'types   sorted by Time' || fail "not drawn for the new size"
[ "$(term_capture | wc -l)" -ge 50 ] || fail "not the new size"
term_keys j
expect_line -2 ' 2/' "$WAIT"
term_keys Q
term_wait '$' "$WAIT"
term_poll "$WAIT" nothing_runs || fail "still running"
term_type 'stty -g >after; echo finished'
term_keys Enter
term_wait finished "$WAIT"
term_poll "$WAIT" cmp -s "$test_dir/before" "$test_dir/after" || fail "the terminal's modes are not as before"
