#!/bin/sh
# A run that is still written: --follow reads what was added while the screen is open, without it R does at once; the screen keeps its place.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

HWTS=64 MARK=40 # bytes of a record
make_demo 1 "$test_dir/whole" --raw --steps=8
whole=$(echo "$test_dir/whole/profiler"/PROF_*/device_0/data)

# live NAME: the run as it was while it was written: no mark of an end, few records.
live() {
    cp -r "$test_dir/whole" "$test_dir/$1"
    data=$(echo "$test_dir/$1/profiler"/PROF_*/device_0/data)
    rm -f "$data"/*.done "$data"/../end_info*
    : >"$data/hwts.data.0.slice_0"
    : >"$data/ts_track.data.0.slice_0"
    write_to 30 40
}

# write_to HWTS% MARKS%: append whole records until so much of each file is there.
write_to() {
    grow hwts.data.0.slice_0 $HWTS "$1"
    grow ts_track.data.0.slice_0 $MARK "$2"
}

grow() {
    has=$(($(wc -c <"$data/$1") / $2)) all=$(($(wc -c <"$whole/$1") / $2))
    dd if="$whole/$1" bs="$2" skip="$has" count=$((all * $3 / 100 - has)) 2>/dev/null >>"$data/$1"
}

steps() {
    cli triage -q --format=json "$test_dir/$1" | sed -n 's/^"last_complete_step": \([0-9]*\),$/\1/p'
}

live run
open_run 80 24 --no-state --follow --period=1 "$test_dir/run"
expect_line 1 'STILL RUNNING' "$WAIT"
expect_line -2 FOLLOW "$WAIT"
term_wait 'Last activity before the end' "$WAIT"
was=$(steps run)
term_wait "Coverage   $was complete steps" "$WAIT"
write_to 60 70
is=$(steps run)
[ "$is" -gt "$was" ] || fail "no more steps than $was were written"
term_wait "Coverage   $is complete steps" "$WAIT"

# The cursor stays on its step while rows come.
term_keys 4 j
expect_line -2 '2/' "$WAIT"
write_to 100 100
expect_line -2 '8 steps' "$WAIT"
expect_line -2 '2/8' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers

# q on Triage ends it as usual.
open_run 80 24 --no-state --follow "$test_dir/run"
expect_line -2 FOLLOW "$WAIT"
term_keys q
expect_exit 0 "$WAIT"

# R
live other
open_run 80 24 --no-state "$test_dir/other"
expect_line 1 'STILL RUNNING' "$WAIT"
was=$(steps other)
term_wait "Coverage   $was complete steps" "$WAIT"
write_to 100 100
term_keys R
term_wait 'Coverage   8 complete steps' "$WAIT"
expect_no 'again?' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
