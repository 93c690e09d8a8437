#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# analyse of rank folders that were never analysed: several ranks, options, what is there already, links.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

fail() {
    echo "FAIL: $*"
    exit 1
}
# rows STATE FILE: how many rows of a table have this state
rows() {
    grep -c " $1 " "$2" || true
}
run=$tmp/job
"$npuscope" demo -q --raw --gen=2 --ranks=2 --steps=2 "$run"
# what msprof makes of it, and what an analysis adds
"$npuscope" analyse -q "$run" >"$tmp/said" || fail "analyse ended with $?"
[ "$(rows FAILED "$tmp/said")" = 0 ] || fail "files failed: $(cat "$tmp/said")"
for rank in "$run"/*_ascend_ms; do
    for file in trace_view.json kernel_details.csv step_trace_time.csv op_statistic.csv api_statistic.csv; do
        [ -s "$rank/ASCEND_PROFILER_OUTPUT/$file" ] || fail "$file is missing"
    done
    python3 -m json.tool "$rank/ASCEND_PROFILER_OUTPUT/trace_view.json" >/dev/null || fail "no JSON"
    [ -z "$(find "$rank" -name mindstudio_profiler_output)" ] || fail "msprof's files are left"
done
cp -r "$run" "$tmp/first"

# what is there stays, and is made anew when told so
"$npuscope" analyse -q "$run" >"$tmp/said"
[ "$(rows written "$tmp/said")" = 0 ] || fail "written again: $(cat "$tmp/said")"
[ "$(rows kept "$tmp/said")" -ge 10 ] || fail "not kept: $(cat "$tmp/said")"
"$npuscope" analyse -q --force --jobs=1 "$run" >/dev/null
diff -r "$run" "$tmp/first" || fail "one rank after the other gives other files"

# a rank that left nothing does not end the others
"$npuscope" demo -q --raw --gen=2 --ranks=3 --steps=1 "$tmp/gap"
empty=$(find "$tmp/gap" -name '*_ascend_ms' | sort | sed -n 2p)
rm -r "$empty"/PROF_* "$empty/FRAMEWORK"
code=0
"$npuscope" analyse -q "$tmp/gap" >"$tmp/said" 2>"$tmp/errors" || code=$?
[ "$code" = 1 ] || fail "a rank that left nothing: status $code"
grep -q 'rank 1 has neither PROF_\* nor FRAMEWORK' "$tmp/errors" ||
    fail "it is not told: $(cat "$tmp/errors")"
[ "$(grep -c 'trace_view.json  *written' "$tmp/said")" = 2 ] || fail "the other ranks: $(cat "$tmp/said")"

# where results cannot be written, standard error says so with path and reason, too
"$npuscope" demo -q --raw --gen=2 --ranks=1 --steps=1 "$tmp/shut"
shut=$(find "$tmp/shut" -name '*_ascend_ms' | head -n 1)
: >"$shut/ASCEND_PROFILER_OUTPUT"
code=0
"$npuscope" analyse -q "$tmp/shut" >"$tmp/said" 2>"$tmp/errors" || code=$?
[ "$code" = 1 ] || fail "nothing could be written, and the exit status is $code"
grep -q 'ASCEND_PROFILER_OUTPUT/trace_view.json: .*directory' "$tmp/errors" ||
    fail "no error about the folder: $(cat "$tmp/errors")"
[ "$(wc -l <"$tmp/errors")" -ge "$(rows FAILED "$tmp/said")" ] || fail "not every file that failed is told"

# several runs below a folder: all of them, each row with its folder, --run one of them; the same names in another folder
mkdir "$tmp/runs"
for name in a b; do
    "$npuscope" demo -q --raw --gen=2 --ranks=1 --steps=1 "$tmp/runs/$name"
done
"$npuscope" demo -q --raw --gen=1 --ranks=1 --steps=1 "$tmp/runs/c"
"$npuscope" analyse -q --format=csv --run=2 --output="$tmp/second" "$tmp/runs" >"$tmp/said"
[ "$(ls "$tmp/second")" != "" ] || fail "--run=2 made nothing"
"$npuscope" analyse -q --format=csv --output="$tmp/apart" "$tmp/runs" >"$tmp/said" || fail "several runs: $?"
for name in a b c; do
    grep -q "^$name.*,0,.*,written," "$tmp/said" || fail "run $name has no row: $(cat "$tmp/said")"
    [ "$(find "$tmp/apart/$name" -type f | wc -l)" -ge 5 ] || fail "run $name has no files"
done
"$npuscope" analyse -q "$tmp/runs" >/dev/null
for name in a b; do
    [ -n "$(find "$tmp/runs/$name" -name trace_view.json)" ] || fail "run $name was not analysed"
done

# another folder: of one rank directly, of several one each
one=$(find "$run" -name '*_ascend_ms' | sort | head -n 1)
"$npuscope" analyse -q --output="$tmp/one" "$one" >/dev/null
diff -r "$tmp/one" "$one/ASCEND_PROFILER_OUTPUT" || fail "--output of one rank"
"$npuscope" analyse -q --output="$tmp/all" "$run" >/dev/null
for rank in "$run"/*_ascend_ms; do
    diff -r "$tmp/all/$(basename "$rank")/ASCEND_PROFILER_OUTPUT" "$rank/ASCEND_PROFILER_OUTPUT" ||
        fail "--output of several ranks"
done

# options
"$npuscope" analyse -q --force --pretty --output="$tmp/one" "$one" >/dev/null
[ "$(wc -l <"$tmp/one/trace_view.json")" -gt 1000 ] || fail "--pretty has no lines"
"$npuscope" analyse -q --export-type=db --output="$tmp/db" "$one" >/dev/null
made=$(find "$tmp/db" -type f | sed 's,.*/,,' | sort | tr '\n' ' ')
[ "$made" = "ascend_mindspore_profiler_0.db communication_analyzer.db " ] || fail "--export-type=db made $made"
"$npuscope" analyse -q --data-simplification=no --output="$tmp/kept" "$one" >/dev/null
ls "$one"/PROF_*/mindstudio_profiler_output/op_summary_*.csv >/dev/null || fail "msprof's files are not left"
for wrong in --step-list=2,9 --step-list=x --export-type=xml; do
    "$npuscope" analyse -q "$wrong" --output="$tmp/wrong" "$one" >/dev/null 2>&1 && fail "$wrong was taken"
done

# the steps that were asked for
"$npuscope" analyse -q --step-list=2 --output="$tmp/step" "$one" >/dev/null
[ "$(wc -l <"$tmp/step/kernel_details.csv")" -lt "$(wc -l <"$tmp/one/kernel_details.csv")" ] ||
    fail "--step-list has as many kernels"

# a run that died: no profiler_info, data up to there
"$npuscope" demo -q --raw --gen=2 --ranks=1 --steps=2 --crashed=60% "$tmp/died"
rm -f "$tmp"/died/*_ascend_ms/profiler_info_*.json
"$npuscope" analyse -q "$tmp/died" >"$tmp/said" 2>/dev/null || [ $? -eq 4 ] || fail "a run that died"
[ -n "$(find "$tmp/died" -name kernel_details.csv -size +0)" ] ||
    fail "a run that died has no kernels: $(cat "$tmp/said")"

# a link where results belong is not followed
rm -r "$one/ASCEND_PROFILER_OUTPUT"
mkdir "$tmp/elsewhere"
ln -s "$tmp/elsewhere" "$one/ASCEND_PROFILER_OUTPUT"
"$npuscope" analyse -q --export-type=text,db "$one" >/dev/null 2>&1 && fail "a link was no failure"
[ -z "$(ls "$tmp/elsewhere")" ] || fail "written through a link: $(ls "$tmp/elsewhere")"
echo "analyse of rank folders: files, options and links as they should be"
