#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sorting, choice of columns and units of a table.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run"
keep "$test_dir/run"

first_is() { # TYPE: first row under the table's header; a long name may be cut
    term_line 5 | grep -qE "^▶($1 |$(echo "$1" | cut -c1-10)[^ ]*…)"
}
first_row() {
    term_poll "$WAIT" first_is "$1" || fail "the first row is not $1"
}
top() { # SORT: what the command line says comes first
    cli ops -q --format=csv --no-header --sort="$1" -n 1 "$test_dir/run" | cut -d, -f1
}

header_lacks_core() {
    term_line 4 | grep -q "Type" && ! term_line_has 4 Core
}

arrow_of() {
    title=$(term_line -2 | sed -n 's/.*sorted by \([A-Za-z%]*\).*/\1/p')
    term_line 4 | grep -qE "$title ?[▾▴]"
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 3
    expect_line -2 'sorted by Time' "$WAIT"
    expect_line 4 'Time ▾' "$WAIT"
    # Names are cut at 80 columns; the detail below the table has them in full.
    term_wait "$(top total_ns)" "$WAIT"

    term_keys I
    expect_line 4 'Time ▴' "$WAIT"
    first_row "$(top +total_ns)"
    term_keys I
    expect_line 4 'Time ▾' "$WAIT"
    term_keys '>'
    expect_line -2 'sorted by %' "$WAIT"
    term_keys '<' '<'
    expect_line -2 'sorted by Core' "$WAIT"
    term_type ':sort calls'
    term_keys Enter
    expect_line -2 'sorted by Calls' "$WAIT"
    first_row "$(top calls)"
    expect_line 4 'Calls ▾' "$WAIT"
    term_type ':sort +calls'
    term_keys Enter
    first_row "$(top +calls)"
    expect_line 4 'Calls ▴' "$WAIT"
    term_type ':sort -calls'
    term_keys Enter
    first_row "$(top -calls)"
    expect_line 4 'Calls ▾' "$WAIT"
    term_keys F6
    term_wait 'Sort by' "$WAIT"
    term_keys g Enter
    expect_line -2 'sorted by Type' "$WAIT"
    expect_line 4 'Type ▴' "$WAIT"
    first_row "$(top type)"

    # Columns: off and on again; the order stays.
    expect_line 4 'Calls'
    term_keys C
    term_wait 'Columns' "$WAIT"
    term_wait '[x] Core'
    term_keys j Space
    term_wait '[ ] Core' "$WAIT"
    term_keys q
    term_poll "$WAIT" header_lacks_core || fail "the column is still there"
    term_keys C j Space q
    expect_line 4 'Core' "$WAIT"

    # Units: one for the whole table; the context row says which.
    term_keys u
    expect_line 3 'unit s' "$WAIT"
    term_keys u u u
    expect_line 3 'unit ns' "$WAIT"
    term_wait ' 115160 ns' "$WAIT"
    # Numbers wider than their column make it wider: none is cut, and the arrow stays beside its title.
    ! term_capture | sed -n '5,18p' | grep -qE '[0-9.]…|[0-9]… ns' || fail "a number is cut"
    for column in calls avg_ns core type; do
        term_type ":sort $column"
        term_keys Enter
        term_poll "$WAIT" arrow_of || fail "the sort arrow is not to be seen"
    done
    term_type ':set unit=auto'
    term_keys Enter
    expect_no 'unit ns' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
