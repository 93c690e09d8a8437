#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A bigger run shows how far reading is; every key works meanwhile; to quit then leaves no process, no half
# store and no temporary file; ^C keeps what is whole.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run" --size=300000

loading() {
    term_start 80 24 "$NPUSCOPE" "$test_dir/run"
    expect_line 1 LOAD "$WAIT"
}

for way in Q F10 TERM HUP; do
    loading
    case $way in
    TERM | HUP)
        term_signal $way
        expect_exit "$([ $way = TERM ] && echo 143 || echo 129)" "$WAIT"
        ;;
    *)
        term_keys "$way"
        expect_exit 0 "$WAIT"
        ;;
    esac
    no_leftovers
    echo "$way while reading: nothing left behind"
done

loading
term_keys 2
term_wait '[2 Files]' "$WAIT"
term_keys '?'
term_wait 'Help: Files' "$WAIT"
term_keys q
term_keys 3
term_wait '[3 Ops]' "$WAIT"
expect_no LOAD 60
term_wait Conv2D "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers

# The second time the store is there: no reading, the same rows.
term_start 80 24 "$NPUSCOPE" "$test_dir/run"
expect_line 1 'npuscope  ' "$WAIT"
term_keys 3
term_wait Conv2D "$WAIT"
term_has LOAD && fail "it was read again"
grep -q LOAD "$term_bytes" && fail "it was read again"
term_keys Q
expect_exit 0 "$WAIT"
