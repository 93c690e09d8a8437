#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Facts of Triage take as many lines as they need, findings the lines that are left; the windows of finding and
# verdict wrap below their last column; the title keeps steps and time of a step before the folder.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run" --steps=4
make_demo 1 "$test_dir/a-folder-with-a-long-name/many/third" --steps=4
make_demo 1 "$test_dir/a-folder-with-a-long-name/many/fourth" --steps=4
make_demo 2 "$test_dir/crashed" --raw --ranks=2 --steps=6 --crashed=5
for run in "$test_dir/run" "$test_dir/crashed" "$test_dir"/a-*/many; do
    keep "$run"
done

open_run 80 24 --no-state "$test_dir/run"
term_wait 'Ascend 910B' "$WAIT"
term_wait 'Peak memory 4.0 GiB reserved' "$WAIT"
term_wait ' hbm.csv, hccs.csv, pcie.csv, nic.csv, roce.csv' "$WAIT" # the second line
term_resize 100 30
term_wait ' nic.csv, roce.csv' "$WAIT"
term_keys Enter
term_wait 'Evidence (' "$WAIT"
# The reason of a row is whole, and below the reason's column.
term_wait 'sys_interconnection (before 2.6: pcie)' "$WAIT"
below() { term_capture | grep -q '^│ \{30,\}sys_interconnection (before'; }
term_poll "$WAIT" below || fail "a reason is not below its column"
term_keys q Q
expect_exit 0 "$WAIT"

open_run 80 24 --no-state "$test_dir/crashed"
term_wait 'is still in' "$WAIT"
term_keys Enter
term_wait 'Last activity of rank' "$WAIT"
term_wait ' RUNNING, no end record' "$WAIT"
expect_no 'comm only' "$WAIT" # which no rank has
term_keys q Q
expect_exit 0 "$WAIT"

# The timeline draws the same to its end, also what began at its last instant.
open_run 120 40 --no-state "$test_dir/crashed"
term_keys 5
cli query -q -F csv --no-header "$test_dir/crashed" "SELECT stream FROM last_activity
    WHERE state = 'running' AND kind = 'stream'" >"$test_dir/running"
[ "$(wc -l <"$test_dir/running")" -ge 2 ] || fail "not two streams with a task that runs"
while read -r stream; do
    runs() { term_capture | grep -q "^.Stream $stream .*▸ "; }
    term_poll "$WAIT" runs || fail "Stream $stream has no task that runs"
done <"$test_dir/running"
term_keys Q
expect_exit 0 "$WAIT"

open_run 80 24 --no-state "$test_dir/a-folder-with-a-long-name/many"
term_wait 'Runs here' "$WAIT"
expect_line 1 '4 steps  30' "$WAIT"
expect_line 1 '/many  run ' "$WAIT"
term_keys q Q
expect_exit 0 "$WAIT"

# The op types above a rank's findings are those of the rank, with the shares of Ops.
make_demo 2 "$test_dir/crashed4" --raw --ranks=4 --steps=6 --crashed=5 --model=transformer
keep "$test_dir/crashed4"
share=$(cli ops --rank=2 -q -F csv --no-header --columns=type,share_pct -f 'type=MatMulV2' "$test_dir/crashed4" | cut -d, -f2)
open_run 160 50 --no-state --rank=2 "$test_dir/crashed4"
term_keys 1 v
term_wait '[findings]' "$WAIT"
as_in_ops() {
    term_capture | sed -n 's/^ top ops  \(rank 2: \)*MatMulV2 *\([0-9.]*\)%.*/\2/p' | awk -v want="$share" '{ ok = sprintf("%.1f", want) == $1 } END { exit !ok }'
}
term_poll "$WAIT" as_in_ops || fail "top ops are not those of rank 2: $share %"
term_keys Q
expect_exit 0 "$WAIT"
