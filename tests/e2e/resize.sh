#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Any size, in any order, with a prompt or help open: the screen is the one of a fresh start at that size.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"

fresh() { # COLS ROWS PANE-KEY: keeps a fresh start's screen
    open_run "$1" "$2" --no-state "$test_dir/run"
    settle
    cp "$test_dir/b" "$test_dir/first"
    term_keys "$3"
    term_poll "$WAIT" left_first || fail "the first screen stays"
    settle
    term_capture >"$test_dir/fresh.$1x$2"
    term_keys Q
    expect_exit 0 "$WAIT"
}

# Waits until two looks 0.2 s apart are the same.
still() {
    term_capture >"$test_dir/a"
    sleep 0.2
    term_capture >"$test_dir/b"
    cmp -s "$test_dir/a" "$test_dir/b"
}
left_first() {
    term_capture >"$test_dir/a"
    ! cmp -s "$test_dir/a" "$test_dir/first"
}
settle() {
    term_poll "$WAIT" still || fail "the screen does not come to rest"
}

pane=4
for size in '80 24' '160 50' '40 10'; do
    # shellcheck disable=SC2086
    fresh $size $pane
done
open_run 80 24 --no-state "$test_dir/run"
term_keys $pane
expect_screen "$WAIT" <"$test_dir/fresh.80x24"
for size in '160 50' '40 10' '32 8' '80 24' '20 3' '1 1' '200 60' '40 10' '160 50' '80 24'; do
    # shellcheck disable=SC2086
    set -- $size
    term_resize "$1" "$2"
    case $size in
    '32 8') expect_line 1 'npuscope needs at least' "$WAIT" ;;
    '20 3' | '1 1' | '200 60') ;;
    *) expect_screen "$WAIT" <"$test_dir/fresh.$1x$2" ;;
    esac
done
# With help open, with a prompt open.
term_keys '?'
term_wait 'Help: ' "$WAIT"
term_resize 32 8
expect_line 1 'npuscope needs at least' "$WAIT"
term_resize 160 50
term_wait 'Help: ' "$WAIT"
term_keys q
term_keys :
term_type 'hel'
term_resize 40 10
term_wait ':hel' "$WAIT"
term_resize 80 24
expect_line -2 ':hel' "$WAIT"
term_keys Escape
expect_screen "$WAIT" <"$test_dir/fresh.80x24"
term_keys Q
expect_exit 0 "$WAIT"
