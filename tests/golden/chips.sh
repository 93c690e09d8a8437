#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What PROF folders of chips other than 910B hold beside tasks: in the timeline and in the export.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

fail() { echo "chips: $*"; exit 1; }

"$npuscope" demo -q --raw --gen=2 --chip=950 --ranks=1 --steps=1 --model=transformer "$tmp/a"
run=$(find "$tmp/a" -mindepth 1 -maxdepth 1 -name '*_ascend_ms')
"$npuscope" export timeline -dir "$run"/PROF_* --output="$tmp/out" || fail "no timeline"
python3 "${top_srcdir:-.}/tests/golden/chips.py" "$run"/PROF_* "$tmp/out/mindstudio_profiler_output"

# The same in the store: a track for each core that ran blocks, from their log, and one for the fusion tasks.
logged=$(($(cat "$run"/PROF_*/device_0/data/stars_block.data.0.slice_* | wc -c) / 64))
"$npuscope" query -q --format=csv \
    "SELECT s.text, count(*), sum(t.n) FROM track t JOIN string s ON s.id = t.process_id WHERE t.kind = 'engine' GROUP BY 1" "$run" >"$tmp/tracks"
grep -q "^Block Detail,[0-9]*,$logged\$" "$tmp/tracks" ||
    { cat "$tmp/tracks"; fail "not all $logged blocks"; }
grep -q "^Fusion Task,1," "$tmp/tracks" || fail "no fusion tasks"
echo "chips: $logged blocks in the store"

# Counters that were sampled: no task has any, each core has curves, tables and a layer.
here=${top_srcdir:-.}/tests/golden
sampled() { # CHIP [v6]
    "$npuscope" demo -q --raw --gen=2 --chip="$1" --ranks=1 --steps=2 "$tmp/s$1"
    run=$(find "$tmp/s$1" -mindepth 1 -maxdepth 1 -name '*_ascend_ms')
    python3 "$here/chips_sampled.py" make "$run"/PROF_* ${2:+"$2"}
    "$npuscope" export summary -dir "$run"/PROF_* --output="$tmp/x$1" >/dev/null 2>"$tmp/log" || [ $? = 4 ] ||
        { cat "$tmp/log"; fail "$1: no summary"; }
    "$npuscope" export timeline -dir "$run"/PROF_* --output="$tmp/x$1" || [ $? = 4 ] || fail "$1: no timeline"
    mkdir "$tmp/x$1/only"
    "$npuscope" export db -dir "$run"/PROF_* --output="$tmp/x$1/only" || fail "$1: no database"
    python3 "$here/chips_sampled.py" check "$run"/PROF_* "$tmp/x$1" ${2:+"$2"}
    head -1 "$tmp/x$1"/mindstudio_profiler_output/op_summary_*.csv | grep -q cycles &&
        fail "$1: samples became counters of ops"
    "$npuscope" query -q --format=csv \
        "SELECT s.text, t.unit, count(*), sum(t.n) FROM track t JOIN string s ON s.id = t.process_id WHERE t.kind = 'counter' AND s.text LIKE 'AI Core %' GROUP BY 1, 2 HAVING s.text <> 'AI Core Freq'" "$run" >"$tmp/tracks" 2>"$tmp/log" || [ $? = 4 ] # a record is damaged
    grep -q '^AI Core Utilization,%,3,12$' "$tmp/tracks" ||
        { cat "$tmp/tracks"; fail "$1: no curves of the cores"; }
    grep -q '^AI Core Metrics,' "$tmp/tracks" || fail "$1: no curves of metrics"
}
sampled 910A
sampled 950 v6

# The frequency of the cores, which changes in none of them.
frequency() { # CHIP LAYER ROWS
    "$npuscope" demo -q --raw --gen=2 --chip="$1" --ranks=1 --steps=1 "$tmp/f$1"
    run=$(find "$tmp/f$1" -mindepth 1 -maxdepth 1 -name '*_ascend_ms')
    rm -f "$run"/PROF_*/device_0/data/lpmFreqConv*
    for kind in timeline db; do
        "$npuscope" export "$kind" -dir "$run"/PROF_* --output="$tmp/g$1" >/dev/null 2>"$tmp/log" ||
            [ $? = 4 ] || { cat "$tmp/log"; fail "$1: no $kind"; }
        [ "$kind" = db ] || rm -f "$tmp/g$1"/msprof_*.db
    done
    python3 "$here/chips_freq.py" "$run"/PROF_* "$tmp/g$1" "$2" "$3" || fail "$1: another frequency"
}
frequency 910B ends 2
frequency 310B filled 2
frequency 310P filled 0
frequency 910A none 0
frequency 950 none 0

# Chip 0 says the same in a log of its own: the tables of a folder are those it had as one of 910A.
"$npuscope" demo -q --raw --gen=2 --chip=910A --ranks=1 --steps=2 "$tmp/m"
run=$(find "$tmp/m" -mindepth 1 -maxdepth 1 -name '*_ascend_ms')
"$npuscope" export summary -dir "$run"/PROF_* --output="$tmp/was" >/dev/null 2>&1 || fail "910A: no summary"
counts=$(python3 "$here/chips_mini.py" "$run"/PROF_*)
"$npuscope" export summary -dir "$run"/PROF_* --output="$tmp/is" >/dev/null 2>&1 || fail "310: no summary"
for table in op_summary op_statistic step_trace; do
    cat "$tmp/was/mindstudio_profiler_output/$table"_*.csv >"$tmp/1"
    cat "$tmp/is/mindstudio_profiler_output/$table"_*.csv >"$tmp/2"
    cmp "$tmp/1" "$tmp/2" || fail "310: another $table"
done
python3 "$here/chips_times.py" "$tmp"/was/mindstudio_profiler_output/task_time_*.csv \
    "$tmp"/is/mindstudio_profiler_output/task_time_*.csv || fail "310: other times of tasks"
n=$("$npuscope" query -q --format=csv "SELECT sum(n) FROM track WHERE kind = 'stream'" "$run" | tail -1)
[ "$n" = "${counts% *}" ] || fail "310: $n of ${counts% *} tasks"
[ "${counts#* }" -gt 100 ] || fail "310: no counters were made"
echo "chips: 310 says the same as 910A of $n tasks"
