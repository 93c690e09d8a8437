#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A view written to a file is what the command line prints; copying says what was done and does it.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
mkdir "$test_dir/out"
TERM_CWD=$test_dir/out

same() { # FILE OPTION...
    file=$test_dir/out/$1
    shift
    cli ops -q "$@" "$test_dir/run" >"$test_dir/wanted.out" || fail "npuscope ops $*"
    [ -s "$test_dir/wanted.out" ] || fail "npuscope ops $* printed nothing"
    cmp "$test_dir/wanted.out" "$file" || {
        diff "$test_dir/wanted.out" "$file" | head
        fail "$file is not what npuscope ops $* prints"
    }
}

for size in '80 24' '160 50'; do
    rm -f "$test_dir"/out/*
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 3
    expect_line -2 'types   sorted by Time' "$WAIT"
    shown=$(term_line -2 | sed 's/ types.*//')
    # The width of the screen decides which columns are drawn, never which are written.
    term_keys e
    expect_line -2 'ops-type.csv' "$WAIT"
    term_keys Enter
    expect_line -2 "wrote $shown rows to ops-type.csv" "$WAIT"
    same ops-type.csv --format=csv

    term_keys e Enter
    expect_line -2 'ops-type.csv' "$WAIT"
    term_wait 'exist' "$WAIT"
    term_type ':export! ops-type.csv'
    term_keys Enter
    expect_line -2 "wrote $shown rows to ops-type.csv" "$WAIT"

    # Filter, order and columns of the view are kept.
    term_keys \\
    term_type conv
    term_keys Enter
    expect_line 3 'conv' "$WAIT"
    term_keys I
    expect_line 4 'Time ▴' "$WAIT"
    for f in csv json ndjson md txt; do
        term_type ":export part.$f"
        term_keys Enter
        expect_line -2 "rows to part.$f" "$WAIT"
    done
    same part.csv --format=csv --filter=conv --sort=+total_ns
    same part.json --format=json --filter=conv --sort=+total_ns
    same part.ndjson --format=ndjson --filter=conv --sort=+total_ns
    same part.md --format=markdown --filter=conv --sort=+total_ns
    same part.txt --format=text --filter=conv --sort=+total_ns
    [ "$(grep -c '^| Conv2D' "$test_dir/out/part.md")" -eq "$(wc -l <"$test_dir/out/part.ndjson")" ] ||
        fail "rows are missing in part.md"
    grep -q '^| type |.* total_ns |' "$test_dir/out/part.md" || fail "part.md has no header"
    term_type ':export part.xls'
    term_keys Enter
    expect_line -2 'the name must end in .csv, .json, .ndjson, .md or .txt' "$WAIT"
    term_type ':export /no/such/dir/x.csv'
    term_keys Enter
    expect_message '/no/such/dir' "$WAIT"

    # Instants are absolute, as the commands print them.
    term_keys 8
    expect_line 2 '[8 Data]' "$WAIT"
    term_type ':view batch'
    term_keys Enter
    expect_line -2 ' times ' "$WAIT"
    term_type ':export batch.csv'
    term_keys Enter
    expect_line -2 'rows to batch.csv' "$WAIT"
    cli data -q --by=batch --format=csv "$test_dir/run" | diff - "$test_dir/out/batch.csv" ||
        fail "batch.csv is not what npuscope data --by=batch prints"
    term_keys 3
    expect_line -2 'types' "$WAIT"

    # yy: one row, into the buffer of the tmux this runs in; c: the cell; ya: all of them.
    term_keys y y
    expect_line -2 'copied 1 row (' "$WAIT"
    term_run show-buffer | grep -q '^Conv2D' || fail "the row is not in the buffer"
    rows=$(wc -l <"$test_dir/out/part.ndjson")
    term_keys y a
    expect_line -2 "copied $rows rows (" "$WAIT"
    [ "$(term_run show-buffer | grep -c Conv2D)" -ge "$rows" ] || fail "not all rows are in the buffer"
    term_keys c
    expect_line -2 'copied ' "$WAIT"
    term_keys y z
    expect_line -2 'yy copies the row' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
