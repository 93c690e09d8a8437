#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `npuscope export summary` makes of demo --raw --gen=2 against msprof's tables in demo --gen=2 of the
# same options: the same cells.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

fail() { echo "msprof_roundtrip: $*"; exit 1; }
compare() { # FOLDER OF THE ANALYSED RUN, PROF FOLDER [part|chip|wide]
    rm -rf "$tmp/out"
    status=0
    "$npuscope" export summary -dir "$2" --output="$tmp/out" >"$tmp/log" 2>&1 || status=$?
    case $status in 0 | 4) ;; *) cat "$tmp/log"; fail "export of $2: status $status" ;; esac
    python3 "${top_srcdir:-.}/tests/golden/msprof_roundtrip.py" "$1"/PROF_*/mindstudio_profiler_output \
        "$tmp/out/mindstudio_profiler_output" ${3:+"$3"}
}
both() { # OPTIONS
    rm -rf "$tmp/analysed" "$tmp/raw"
    # The options are words.
    # shellcheck disable=SC2086
    "$npuscope" demo -q --gen=2 $1 "$tmp/analysed"
    # shellcheck disable=SC2086
    "$npuscope" demo -q --raw --gen=2 $1 "$tmp/raw"
}

# Ranks that are told apart by their nodes: the first of each run, and the last. 96 steps: task ids begin
# anew.
while read -r options; do
    echo "msprof_roundtrip: $options"
    both "$options"
    for run in $(find "$tmp/raw" -mindepth 1 -maxdepth 1 -name '*_ascend_ms' | sort | sed -n '1p;$p' |
        uniq); do
        compare "$tmp/analysed/${run##*/}" "$run"/PROF_* || fail "$options"
    done
done <<'LIST'
--ranks=2 --steps=3 --seed=7
--ranks=4 --steps=1 --model=transformer
--ranks=10 --steps=1 --seed=3
--ranks=1 --steps=96 --seed=2
LIST

# The same run on other chips: what they have in common with 910B. Mix kernels are in the second network.
while read -r chip how log other options; do
    echo "msprof_roundtrip: $chip $options"
    both "$options"
    rm -rf "$tmp/a"
    # shellcheck disable=SC2086
    "$npuscope" demo -q --raw --gen=2 --chip="$chip" $options "$tmp/a"
    for run in "$tmp"/a/*_ascend_ms; do
        [ -n "$(find "$run" -name "$log*")" ] && [ -z "$(find "$run" -name "$other*")" ] ||
            fail "no task log of $chip"
        compare "$tmp/analysed/${run##*/}" "$run"/PROF_* "$how" || fail "$chip"
    done
done <<'LIST'
910A chip hwts.data stars --ranks=2 --steps=2 --seed=7
310P chip hwts.data stars --ranks=1 --steps=2 --seed=7
310B chip stars_soc.data hwts --ranks=1 --steps=2 --seed=7
950 wide stars_soc.data hwts --ranks=2 --steps=2 --seed=7
950 wide stars_block.data hwts --ranks=1 --steps=1 --model=transformer
LIST

# A changed digit is found.
both "--ranks=1 --steps=1"
run=$(find "$tmp/raw" -name '*_ascend_ms')
compare "$tmp/analysed/${run##*/}" "$run"/PROF_* || fail "one step"
for file in op_summary task_time api_statistic; do
    table=$(find "$tmp/analysed" -name "${file}_*.csv")
    cp "$table" "$tmp/kept"
    sed '2s/[0-9]/&7/' "$tmp/kept" >"$table"
    compare "$tmp/analysed/${run##*/}" "$run"/PROF_* >"$tmp/found" &&
        fail "another digit in $file was not found"
    cp "$tmp/kept" "$table"
done

# A run that crashed in its second step: nothing closed that was open, a part of the rows, each rank up to
# another instant.
"$npuscope" demo -q --gen=2 --ranks=2 --steps=3 --seed=7 "$tmp/whole"
"$npuscope" demo -q --raw --gen=2 --ranks=2 --steps=3 --seed=7 --crashed=2 "$tmp/crash"
"$npuscope" demo -q --raw --gen=2 --ranks=2 --steps=3 --seed=7 --crashed=2 "$tmp/again"
diff -r "$tmp/crash" "$tmp/again" >/dev/null || fail "the same options gave other bytes"
[ -z "$(find "$tmp/crash" -name 'end_info*')" ] || fail "a crashed run has an end"
for file in stars_soc.data.0 ffts_profile.data.0 ts_track.data.0 aging.compact.task_track \
    aging.api_event.data; do
    [ "$(find "$tmp/crash" -name "$file.slice_0" | wc -l)" -ge 1 ] || fail "$file is not there"
    [ -z "$(find "$tmp/crash" -name "$file.slice_0.done")" ] || fail "$file was closed"
    "$npuscope" files -q --no-cache "$tmp/crash" | grep -q "/$file.slice_0 .*TORN" || fail "$file is whole"
done
: >"$tmp/rows"
for run in "$tmp"/crash/*_ascend_ms; do
    compare "$tmp/whole/${run##*/}" "$run"/PROF_* part || fail "a crashed run"
    grep -c . "$tmp/out/mindstudio_profiler_output"/task_time_*.csv >>"$tmp/rows"
    # The task that ran and the op that waits have a start and no end.
    steps=$(grep -c . "$tmp/out/mindstudio_profiler_output"/step_trace_*.csv)
    [ "$steps" = 2 ] || fail "not one whole step but $((steps - 1)) in the crashed run"
done
[ "$(sort -u "$tmp/rows" | wc -l)" = 2 ] || fail "both ranks stopped at the same task"
echo "msprof_roundtrip: changed digits are found; a crashed run has a part of the rows"
