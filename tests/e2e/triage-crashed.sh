#!/bin/sh
# Triage of raw jobs that ended in the middle of a step: coverage, what was done last and what never ended, how far the ranks came.
# On copies of a sample, cut here; skipped without it.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

sample=$NPUSCOPE_SHARED/data/gen1/graph_r20/raw
[ -d "$sample" ] || skip "no shared data at hand"

# crash DEVICE TASKS MARKS: sizes of the last slices: HWTS ends behind the start of a task and a part of a record, the marks inside a step.
crash() {
    data=$(echo "$test_dir/two"/PROF_*/device_"$1"/data)
    rm -f "$data"/../end_info* "$data"/*.done "$data/hwts.data.$1.slice_2"
    truncate -s "$2" "$data/hwts.data.$1.slice_1"
    truncate -s "$3" "$data/ts_track.data.$1.slice_1"
}

cp -r "$sample" "$test_dir/two"
crash 0 3688 420
crash 1 5002 820
find "$test_dir/two" -exec touch -d 2020-01-01 {} +
cp -rp "$test_dir/two" "$test_dir/one"
rm -rf "$test_dir"/one/PROF_000002* "$test_dir"/one/*_1 "$test_dir"/one/*_1.*
# 4: a result, and an input that is cut.
cli import -q "$test_dir/one" >"$test_dir/out"
[ $? -eq 4 ] || fail "the cut run was read as whole"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/one"
    expect_line 1 'CRASHED' "$WAIT"
    term_wait 'State      CRASHED   start time yes, stop time no' "$WAIT"
    term_wait 'Coverage   3 complete steps, step 4 is cut after ' "$WAIT"
    term_wait 'Last activity before the end' "$WAIT"
    term_wait 'Stream 8 ' "$WAIT"
    term_wait 'RUNNING, no end record' "$WAIT"
    term_wait 'queue host' "$WAIT"
    expect_no 'last complete step' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"

    # A job begins with its ranks; Enter shows one.
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/two"
    term_wait '2 ranks' "$WAIT"
    term_keys Enter
    term_wait 'Ranks      0 1   last complete step 3 4' "$WAIT"
    term_keys '}'
    term_wait 'Stream 4 ' "$WAIT"
    term_wait 'RUNNING, no end record' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
