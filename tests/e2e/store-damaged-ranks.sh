#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damaged stores of ranks that are not in front are read again by themselves: when a pane over all ranks meets the
# damage, and when one is gone to.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null 2>&1 || skip "no python3"

run=$test_dir/run
make_demo 2 "$run" --ranks=6
keep "$run"
# The time of all ranks' communication: a rank that cannot be read is missing in it.
total() { cli comm --no-header -F csv --rank="$1" --by=type -C total_ns "$run"; }
total all >"$test_dir/want" || fail "comm"
for rank in 0 1 2 3 4 5; do
    [ "$(total $rank)" -gt 0 ] || fail "no communication of rank $rank"
done

# damage WHAT RANK...: a bit of the table of communication ops in their stores, or of all pages after the first
damage() {
    what=$1
    shift
    for rank in "$@"; do
        store=$(cli query -q -F csv --no-header "$run" "SELECT store_path FROM job.unit WHERE rank = $rank")
        [ -f "$store" ] || fail "no store of rank $rank"
        python3 - "$store" "$what" <<'END' || fail "python3"
import sqlite3
import sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro&immutable=1", uri=True)
size = db.execute("PRAGMA page_size").fetchone()[0]
root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'comm_exec'").fetchone()[0]
db.close()
with open(sys.argv[1], "r+b") as f:
    data = bytearray(f.read())
    for page in [root] if sys.argv[2] == "comm" else range(2, len(data) // size + 1):
        data[(page - 1) * size + 300] ^= 1
    f.seek(0)
    f.write(data)
END
    done
}

# whole: every store of the job is there and nothing reports damage any more
whole() {
    total all >"$test_dir/out" 2>"$test_dir/err" &&
        ! grep -q damaged "$test_dir/err" && cmp -s "$test_dir/out" "$test_dir/want"
}

open_run 120 40 --no-state "$run"
expect_line 3 '6 ranks' "$WAIT"
# Of two not even the table that says what is in them can be read.
damage all 4 5
damage comm 1 2 3
term_keys 9
# More of them than one store is repaired times.
term_wait "$(awk '{ printf "%.2f ms", $1 / 1e6 }' "$test_dir/want")" "$WAIT"
grep -q 'the store of rank [1-3] is damaged: reading it again' "$term_bytes" || fail "no message"
term_keys v
expect_no 'cannot' "$WAIT"
term_poll "$WAIT" whole || fail "stores are still damaged: $(cat "$test_dir/err")"

# One that is attached, in front or not, and gone to.
damage all 4
term_keys 3
term_type ':rank 4'
term_keys Enter
expect_line 1 'rank 4 of 6' "$WAIT"
term_wait "$(cli ops --no-header -F csv -n 1 -C type --rank=0 "$run" | cut -c 1-12)" "$WAIT"
term_poll "$WAIT" whole || fail "the store of rank 4 is still damaged: $(cat "$test_dir/err")"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
