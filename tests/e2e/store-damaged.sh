#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A store that is damaged while it is on the screen is read again by itself, with a message.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null 2>&1 || skip "no python3"

make_demo 2 "$test_dir/run"
for run in "$test_dir/run/"*_ascend_ms; do break; done
keep "$run"
cli ops --no-header -F csv -n 1 -C type "$run" >"$test_dir/first" || fail "ops"
for store in "$test_dir/home/.cache/npuscope/"*.npus; do break; done

open_run 120 30 --no-state "$run"
term_wait 'Triage' "$WAIT"
# A bit of each page but those of the small tables, which are read by now.
python3 - "$store" <<'END' || fail "python3"
import sys
with open(sys.argv[1], "r+b") as f:
    data = bytearray(f.read())
    for at in range(70 * 4096 + 300, len(data), 4096):
        data[at] ^= 1
    f.seek(0)
    f.write(data)
END
term_keys 3
term_wait 'reading the run again' "$WAIT"
term_wait "$(cut -c 1-12 "$test_dir/first")" "$WAIT"
n=0
until cli ops "$run" >"$test_dir/out" 2>"$test_dir/err" && ! grep -q damaged "$test_dir/err"; do
    n=$((n + 1))
    [ $n -lt 50 ] || fail "the store is still damaged"
done
[ -f "$store" ] || fail "no store was made"
term_keys Q
expect_exit 0 "$WAIT"
