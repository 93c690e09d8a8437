#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that is still written: --follow reads what was added while the screen is open, without it R does at
# once; the screen keeps its place.
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

# row RANK PATTERN...: the row of a rank in the table, which lies below the verdict, has all of these.
row() {
    for pattern in "$@"; do
        term_capture | grep -E "^[^0-9]? +$rank  " | grep -Eq "$pattern" || return 1
    done
}
expect_row() {
    rank=$1
    shift
    term_poll "$WAIT" row "$@" || fail "no row of rank $rank with $*"
}

live run
# A column that says the same of all ranks goes below them.
expect_steps() { # RANK STEPS
    rank=$1 steps=$2
    has_steps() { row " $steps  " || term_has "Steps $steps "; }
    term_poll "$WAIT" has_steps || fail "rank $1 has not $2 steps"
}
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

# A job of two units: the one that is not in front is followed, too.
make_demo 1 "$test_dir/both" --raw --ranks=2 --steps=8
for r in 0 1; do
    mkdir -p "$test_dir/job/worker_$r/profiler"
    mv "$test_dir/both/profiler"/PROF_00000$((r + 1))_* "$test_dir/job/worker_$r/profiler"
    mv "$test_dir/both/profiler"/*_$r.* "$test_dir/job/worker_$r/profiler"
done
data=$(echo "$test_dir/job/worker_1/profiler"/PROF_*/device_1/data)
marks=$data/ts_track.data.1.slice_0
cp "$marks" "$test_dir/marks"
truncate -s $((100 * MARK)) "$marks"
rm -f "$data"/*.done "$data"/../end_info*
open_run 80 24 --no-state --follow --period=1 "$test_dir/job"
expect_line 3 '2 ranks' "$WAIT"
expect_row 0 'NOT ANALYSED' ' 8  '
expect_row 1 'STILL RUNNI'
term_wait 'rank 1 is behind: last complete step' "$WAIT"
dd if="$test_dir/marks" bs=$MARK skip=100 2>/dev/null >>"$marks"
expect_steps 1 8
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers

# A rank that comes while the job is open is found, be it a unit of its own ...
mkdir "$test_dir/late"
mv "$test_dir/job/worker_1" "$test_dir/late"
open_run 80 24 --no-state --follow --period=1 "$test_dir/job"
expect_line 1 'rank 0  8 steps' "$WAIT"
mv "$test_dir/late/worker_1" "$test_dir/job"
term_wait 'rank 1 has come: there are 2 now' "$WAIT"
expect_line 1 'rank 0 of 2  8 steps' "$WAIT"
term_keys q
expect_line 3 '2 ranks' "$WAIT"
expect_steps 1 8
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers

# ... or another device of the folder that is shown.
make_demo 1 "$test_dir/flat" --raw --ranks=3 --steps=4
mkdir "$test_dir/device_2"
mv "$test_dir/flat/profiler"/PROF_000003_* "$test_dir/flat/profiler"/*_2 "$test_dir/flat/profiler"/*_2.* \
    "$test_dir/device_2"
open_run 80 24 --no-state --follow --period=1 "$test_dir/flat"
expect_line 3 '2 ranks' "$WAIT"
expect_row 1 ''
mv "$test_dir/device_2"/* "$test_dir/flat/profiler"
term_wait 'rank 2 has come: there are 3 now' "$WAIT"
expect_line 3 '3 ranks' "$WAIT"
expect_row 2 'NOT ANA' ' [0-9.]+ ms '
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers

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
