#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# { and } go through the ranks, :rank to one; each shows its own numbers, filters stay.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

for gen in 1 2; do
    run=$test_dir/g$gen
    make_demo "$gen" "$run" --ranks=3
    keep "$run"
    for rank in 0 1 2; do
        # Exact nanoseconds of the first step differ between ranks.
        cli steps -q --rank="$rank" --format=csv --no-header "$run" | head -n 1 >"$test_dir/first.$rank"
        [ -s "$test_dir/first.$rank" ] || fail "no steps of rank $rank"
    done
    cmp -s "$test_dir/first.0" "$test_dir/first.1" && fail "the ranks do not differ, this test shows nothing"
    for size in '80 24' '160 50'; do
        # shellcheck disable=SC2086
        open_run $size "$run"
        expect_line 1 'rank 0 of 3' "$WAIT"
        grep -qF 'there are ranks' "$term_bytes" && fail "the hint of the commands is written to the terminal"
        term_keys 4
        term_wait '[4 Steps]' "$WAIT"
        see() { # RANK
            expect_line 1 "rank $1 of 3" "$WAIT"
            expect_no LOAD "$WAIT"
            # Time of the first step: total in generation 1, computing in generation 2.
            ms=$(awk -F, -v "gen=$gen" '{ printf "%.2f", $(gen == 1 ? 3 : 2) / 1e6 }' "$test_dir/first.$1")
            term_wait " $ms ms" "$WAIT"
        }
        see 0
        term_keys '}'
        see 1
        term_keys '}'
        see 2
        term_keys '}'
        see 0
        term_keys '{'
        see 2
        term_type ':rank 1'
        term_keys Enter
        see 1
        term_type ':rank 7'
        term_keys Enter
        expect_line -2 'there is no such rank here' "$WAIT"
        term_keys 3 \\
        term_type conv
        term_keys Enter
        expect_line -2 ' of ' "$WAIT"
        term_keys '{'
        expect_line 1 'rank 0 of 3' "$WAIT"
        expect_line 3 conv "$WAIT"
        expect_no ReluGrad "$WAIT"
        term_keys Q
        expect_exit 0 "$WAIT"
    done
done

# Two runs in one folder: { } and panes over all ranks keep to the one in front.
for seed in 3 4; do
    make_demo 2 "$test_dir/two/run$seed" --ranks=2 --seed="$seed" --size=2000
    cli comm -q --by=type --rank=all -C total_ns -F csv --no-header "$test_dir/two/run$seed" |
        awk '{ printf "%.2f ms", $1 / 1e6 }' >"$test_dir/total.$seed"
done
cmp -s "$test_dir/total.3" "$test_dir/total.4" && fail "the runs do not differ, this test shows nothing"
keep "$test_dir/two"
open_run 120 30 --no-state "$test_dir/two"
term_wait 'Runs here' "$WAIT"
term_keys Enter
expect_line 1 'run 1 of 2 run3  rank 0 of 2' "$WAIT"
term_keys 9
term_wait "$(cat "$test_dir/total.3")" "$WAIT"
expect_line -2 '1/1 ' "$WAIT"
expect_no "$(cat "$test_dir/total.4")"
term_type ':run run4'
term_keys Enter
expect_line 1 'run 2 of 2 run4  rank 0 of 2' "$WAIT"
term_wait "$(cat "$test_dir/total.4")" "$WAIT"
expect_no "$(cat "$test_dir/total.3")"
term_type ':rank 1'
term_keys Enter
expect_line 1 'run 2 of 2 run4  rank 1 of 2' "$WAIT"
term_keys '}'
expect_line 1 'run 2 of 2 run4  rank 0 of 2' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
