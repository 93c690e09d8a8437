#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# While a filter is typed, the line says what the rows that it keeps are together: their time, and their share of
# the AI Core; above the table once it is on, in the last rows where a small screen has no row above it. Both are those of the rows of `ops`, added up here.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 1 "$run"
cli ops -q --by=type -F csv --no-header -C type,total_ns,share_pct "$run" >"$test_dir/rows"
share=$(awk -F, '$1 ~ /^BN|Relu/ { s += $3 } END { printf "%.1f%%", s }' "$test_dir/rows")
time=$(awk -F, '$1 ~ /^BN|Relu/ { s += $2 } END { printf "%.2f ms", s / 1e6 }' "$test_dir/rows")
n=$(grep -cE '^BN|^[^,]*Relu' "$test_dir/rows")
[ "$n" -gt 2 ] && [ "$share" != 0.0% ] || fail "nothing to add up: $n rows, $share"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$run"
    term_keys 3
    term_wait '[type]' "$WAIT"
    term_keys "\\"
    term_type '^BN|Relu'
    expect_line -2 "$n of $(grep -c . "$test_dir/rows")   Time $time   $share of AI Core" "$WAIT"
    term_keys Enter
    # the line above the table says it from then on, once
    expect_line 3 "1:^BN|Relu  $n of $(grep -c . "$test_dir/rows") types  $time  $share of AI Core   [type]" "$WAIT"
    expect_line -2 " types   sorted by Time" "$WAIT"
    term_keys "\\" BSpace Escape # takes the last one off
    expect_no 'of AI Core' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
open_run 60 12 --no-state "$run"
term_keys 3 "\\"
term_type '^BN|Relu'
term_keys Enter
expect_line -1 "   Time $time   $share of AI Core" "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
