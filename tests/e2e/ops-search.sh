#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Search: marks and moves, hides nothing; n and N go round; what is not found is said and the place kept.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
all=$(cli ops -q --format=csv --no-header "$test_dir/run" | wc -l)
# Rows, counted from 1, whose type holds "train" in the order of the pane.
cli ops -q --format=csv --no-header "$test_dir/run" | grep -in '^[^,]*train' | cut -d: -f1 >"$test_dir/hits"
n=$(wc -l <"$test_dir/hits")
[ "$n" -ge 2 ] || fail "the profile is of no use here: $n rows"
hit() { sed -n "$1p" "$test_dir/hits"; }

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 3
    expect_line -2 " 1/$all " "$WAIT"
    term_keys /
    term_type train
    term_keys Enter
    expect_line -2 " $(hit 1)/$all " "$WAIT"
    term_wait ReluGrad # nothing is hidden
    i=2
    while [ "$i" -le "$n" ]; do
        term_keys n
        expect_line -2 " $(hit "$i")/$all " "$WAIT"
        i=$((i + 1))
    done
    term_keys n
    expect_line -2 " $(hit 1)/$all " "$WAIT"
    expect_line -2 'went on from the first row'
    term_keys N
    expect_line -2 " $(hit "$n")/$all " "$WAIT"
    expect_line -2 'went on from the last row'
    term_keys N
    expect_line -2 " $(hit $((n - 1)))/$all " "$WAIT"

    term_keys /
    term_type no-such-op
    term_keys Enter
    expect_line -2 'not found: no-such-op' "$WAIT"
    expect_line -2 " $(hit $((n - 1)))/$all "
    term_keys /
    term_type '(open'
    term_keys Enter
    expect_line -2 'missing closing parenthesis' "$WAIT"
    term_type ':find-back ^cast$'
    term_keys Enter
    expect_line -2 " $(cli ops -q --format=csv --no-header "$test_dir/run" | grep -n '^Cast,' |
        cut -d: -f1)/$all " "$WAIT"
    term_type ':5'
    term_keys Enter
    expect_line -2 " 5/$all " "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
