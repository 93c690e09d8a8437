#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The roofline of FLOPs: the chip's peak is what the profile's own use of it is a share of; the op that loses most
# time against its limits comes first, and the limits are those of the figures that `flops --by=op` prints.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 1 "$run"
peak=$(cli flops -q --by=op -F csv --no-header -C tflops_per_s,util_pct "$run" | awk -F, '$2 > 1 { printf "%.1f", $1 / $2 * 100; exit }')
[ -n "$peak" ] || fail "no op has a use of the chip"
# One peak for sums, too: of types, of scopes, and of the tree's last line.
agrees() { # of lines with rate and use
    awk -F, -v peak="$peak" '{ d = $1 / peak * 100 - $2; n++; if (d < -0.15 || d > 0.15) exit 1 } END { exit n == 0 }'
}
for by in type scope; do
    cli flops -q --by=$by -F csv --no-header -C tflops_per_s,util_pct -f 'util_pct>1' "$run" | agrees ||
        fail "rate and use of a $by do not agree"
done
# MindSpore's own figures of the run are means over different things: each says which.
cli flops -q --by=total -F csv --no-header -C kind,step,rate_over,util_over "$run" >"$test_dir/totals"
grep -qx 'all,,ops,steps' "$test_dir/totals" || fail "the figures of the run do not say what they are"
grep -qx 'all,2,,fwd+bwd' "$test_dir/totals" || fail "the use of a step does not say what it is of"
cli flops -q --by=total -F csv --no-header -C kind,inside "$run" | grep -qx 'Default,Total' ||
    fail "a scope does not say what it is in"
# Those of raw data are ours, and have no rate of the run beside a use that does not follow from it.
make_demo 1 "$test_dir/raw" --raw
cli flops -q --by=total -F csv --no-header -C kind,step,tflops_per_s,made_by "$test_dir/raw" >"$test_dir/ours"
grep -qx 'all,,,npuscope' "$test_dir/ours" || fail "the sums of raw data have a rate of the run, or are not ours"
grep -q 'all,2,[0-9.]*,npuscope' "$test_dir/ours" || fail "a step of raw data has no rate"
cli flops -q --by=total -F csv --no-header -C kind,step,made_by "$run" | grep -qx 'all,,profiler' ||
    fail "the sums of the profiler are not its own"
open_run 80 24 --no-state "$run"
term_wait ' TFLOPS over fwd+bwd' "$WAIT"
term_capture | sed -n 's/.* step, \([0-9.]*\) TFLOPS over fwd+bwd, \([0-9.]*\)% of peak.*/\1,\2/p' | agrees ||
    fail "rate and use of a step do not agree in Triage"
term_keys 6
term_wait 'each op once: ' "$WAIT"
term_capture | sed -n 's/.* = \([0-9.]*\) TFLOPS, \([0-9.]*\)% of peak.*/\1,\2/p' | agrees ||
    fail "rate and use in the tree do not agree"
term_wait ' Util% ' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
# Without a peak there is no column for its use.
make_demo 2 "$test_dir/no-peak"
open_run 80 24 --no-state "$test_dir/no-peak"
term_wait '(each op once), ' "$WAIT"
in_triage=$(term_capture | sed -n 's/.*FLOPs \(.*\) (each op once), \(.*\) over op time$/\1, \2/p')
[ -n "$in_triage" ] || fail 'no FLOPs in Triage'
term_keys 6
term_wait 'each op once: ' "$WAIT"
in_pane=$(term_capture | sed -n 's/ *each op once: \(.*\) in their own time = \(.*\)/\1, \2/p')
[ "$in_triage" = "$in_pane" ] || fail "Triage has $in_triage, FLOPs $in_pane"
expect_no 'Util%' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
for screen in '80 24' '120 40' '160 50'; do
    # shellcheck disable=SC2086
    open_run $screen --no-state "$run"
    term_keys 6 v
    term_wait '[roofline]' "$WAIT"
    term_wait " peak $peak TFLOPS   most moved by an op " "$WAIT"
    term_wait 'Farthest below the roof' "$WAIT"
    term_wait ' GB/s   meet at ' "$WAIT"
    expect_no '…LOP' "$WAIT"
    expect_no '0.000' "$WAIT"
    # By the rate and the share of the first: of compute, the share is that of the peak.
    term_capture | awk -v peak="$peak" '/TFLOPS +compute/ { for (i = 1; i < NF; i++) if ($i ~ /%$/) share = $i + 0
        rate = $(NF - 2); d = rate / peak * 100 - share; exit d < -0.1 || d > 0.1 || share == 0 }' || fail "share and rate do not agree"
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers

# Without FLOPs of ops there is none, and it says so rather than drawing an empty plot.
make_demo 2 "$test_dir/pipe" --metrics=pipe
open_run 80 24 --no-state "$test_dir/pipe"
term_keys 6
term_wait '[6 FLOPs]' "$WAIT"
expect_no roofline "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
