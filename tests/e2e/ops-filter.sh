#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The filter line: live while typing, with the count; an error keeps the last result; Esc gives all rows back.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
types=$test_dir/run/profiler/aicore_intermediate_0_type.csv
all=$(cli ops -q --format=csv --no-header "$test_dir/run" | wc -l)
conv=$(grep -ci '^[^,]*conv' "$types")
[ "$conv" -gt 0 ] && [ "$conv" -lt "$all" ] || fail "the profile is of no use here: $conv of $all"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 3
    expect_line -2 "$all types   sorted by Time" "$WAIT"
    term_still "$test_dir/before" "$WAIT"

    term_keys \\
    expect_line -2 "$all of $all" "$WAIT"
    [ "$(term_get '#{cursor_flag}')" = 1 ] || fail "no cursor in the prompt"
    term_type con
    term_type v
    expect_line -2 " $conv of $all" "$WAIT"
    expect_line -2 '\ conv'
    expect_no ReluGrad "$WAIT"
    term_wait Conv2D
    term_keys Escape
    term_poll "$WAIT" term_has ReluGrad || fail "Esc did not restore the rows"
    expect_line -2 "$all types   sorted by Time" "$WAIT"
    expect_screen "$WAIT" <"$test_dir/before"
    [ "$(term_get '#{cursor_flag}')" = 0 ] || fail "the cursor was left on"

    # A half-typed regular expression: the reason with its place, and the rows as they were.
    term_keys \\
    term_type 'type~conv'
    expect_line -2 " $conv of $all" "$WAIT"
    term_type '('
    expect_line -2 'missing closing parenthesis at' "$WAIT"
    term_wait Conv2D
    term_has ReluGrad && fail "an error in the line lost the last result"
    term_keys Enter
    expect_line -2 '\ type~conv(' # stays to be mended
    term_keys BSpace
    expect_line -2 " $conv of $all" "$WAIT"
    term_keys Enter
    expect_line 3 'type~conv' "$WAIT"
    expect_line -2 "$conv of $all types" "$WAIT"

    # The query behind the view knows the filter: its result has just those types.
    term_keys '\;' '\;'
    term_wait '[; SQL]' "$WAIT"
    term_keys Enter
    expect_line -2 "1/$conv " "$WAIT"
    term_keys Escape
    term_type ":pane ops"
    term_keys Enter
    expect_line -2 "$conv of $all types" "$WAIT"

    # Filters add up; the list switches them off; the one that took the last row is named.
    term_keys \\
    term_type 'type=NoSuchType'
    expect_line -2 "0 of $all" "$WAIT"
    term_keys Enter
    expect_line -2 "'type=NoSuchType' took the last one away" "$WAIT"
    term_keys F
    term_wait '[x] type=NoSuchType' "$WAIT"
    term_keys j Space
    term_wait '[ ] type=NoSuchType' "$WAIT"
    term_keys q
    expect_line -2 "$conv of $all types" "$WAIT"
    expect_line 3 '1:type~conv' "$WAIT"

    # Backspace on an empty line removes the last one, with none left it closes the line.
    term_keys F
    term_wait '[ ] type=NoSuchType' "$WAIT"
    term_keys j Space
    term_wait '[x] type=NoSuchType' "$WAIT"
    term_keys q
    expect_line 3 '1:type~conv  2:type=NoSuchType' "$WAIT"
    term_keys \\
    expect_line -2 "0 of $all" "$WAIT"
    term_keys BSpace
    expect_line -2 "$conv of $all" "$WAIT"
    expect_line 3 '1:type~conv' "$WAIT"
    term_keys BSpace
    expect_line -2 "$all of $all" "$WAIT"
    expect_no '1:type' "$WAIT"
    term_keys BSpace
    expect_line -2 "$all types   sorted by Time" "$WAIT"
    term_keys \\
    term_type 'type~conv'
    term_keys Enter
    expect_line 3 '1:type~conv' "$WAIT"
    term_type ':nofilter'
    term_keys Enter
    expect_line -2 "$all types   sorted by Time" "$WAIT"
    expect_screen "$WAIT" <"$test_dir/before"
    term_keys Q
    expect_exit 0 "$WAIT"
done
