#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# analyse of MindSpore 2.3 and 2.4: the flat folder of two ranks gives each a rank folder with the files that
# these versions have, made of its own PROF folder; values are those of the same run as 2.5 left it.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

fail() {
    echo "FAIL: $*"
    exit 1
}
run=$tmp/r25
flat=$tmp/flat/profiler
"$npuscope" demo -q --raw --gen=2 --era=r25 --ranks=2 --steps=2 --seed=3 "$run"
mkdir -p "$flat/FRAMEWORK"
rank=0
for folder in "$run"/*_ascend_ms; do
    cp "$folder"/FRAMEWORK/op_range_* "$flat/FRAMEWORK"
    cp "$folder"/FRAMEWORK/*_"$rank".* "$flat"
    cp -r "$folder"/PROF_* "$flat"
    printf '%s' "{\"rank_id\": $rank, \"ms_version\": \"2.4.0\", \"rank_size\": 2, \"jit_level\": \"O0\"," \
        "\"profiling_start_time\": \"2026-03-14 01:12:07\", \"profiling_options\": {}}" \
        >"$flat/profiler_info_$rank.json"
    printf 'Name,Size(KB)\r\nMatMul,%s\r\n' "$rank" >"$flat/operator_memory_$rank.csv"
    rank=$((rank + 1))
done
# each rank is read from its own PROF folder and FRAMEWORK file
for table in op_exec host_op track step; do
    "$npuscope" query -q -F csv --no-header "SELECT count(*) FROM $table GROUP BY rank" "$tmp/flat" \
        2>/dev/null >"$tmp/counts" || true
    if [ "$(sort -u "$tmp/counts" | wc -l)" != 1 ] || [ "$(wc -l <"$tmp/counts")" != 2 ]; then
        fail "$table of two ranks: $(cat "$tmp/counts")"
    fi
done
"$npuscope" analyse -q "$run" >/dev/null
"$npuscope" analyse -q "$tmp/flat" >"$tmp/said" || fail "analyse ended with $?"
if grep FAILED "$tmp/said"; then fail "files failed"; fi

rank=0
for folder in "$run"/*_ascend_ms; do
    theirs=$folder/ASCEND_PROFILER_OUTPUT
    ours=$flat/rank-${rank}_20260314011207_ascend_ms/ASCEND_PROFILER_OUTPUT
    for file in trace_view.json memory_record.csv npu_module_mem.csv op_statistic.csv; do
        cmp "$theirs/$file" "$ours/$file" || fail "$file of rank $rank"
    done
    cmp "$flat/operator_memory_$rank.csv" "$ours/operator_memory.csv" || fail "operator_memory of rank $rank"
    for file in api_statistic.csv l2_cache.csv data_preprocess.csv dataset.csv; do
        [ ! -e "$ours/$file" ] || fail "$file is none of 2.4"
    done
    cmp "$theirs/dataset.csv" "$flat/dataset_$rank.csv" || fail "dataset of rank $rank"
    [ -s "$flat/minddata_pipeline_raw_$rank.csv" ] || fail "no minddata_pipeline_raw of rank $rank"
    python3 - "$theirs" "$ours" <<'PY' || fail "values of rank $rank"
import csv, json, os, sys

def rows(folder, name):
    with open(os.path.join(folder, name), newline="") as f:
        return list(csv.reader(f))

theirs, ours = sys.argv[1:]
a, b = rows(theirs, "kernel_details.csv"), rows(ours, "kernel_details.csv")
assert b[0][0] == "Device_id" and "Step ID" not in b[0], b[0]
same = [i for i, c in enumerate(b[0]) if c in a[0] and c != "Name"]
assert len(a) == len(b) > 100 and len(same) > 10
for x, y in zip(a, b):
    assert [x[a[0].index(b[0][i])] for i in same] == [y[i] for i in same], (x, y)
    assert x[a[0].index("Name")].endswith(y[b[0].index("Name")]), (x, y)
a, b = rows(theirs, "step_trace_time.csv"), rows(ours, "step_trace_time.csv")
assert b[0] == a[0][:-1] and len(b) == 2 and b[1][0] == "", b
for k in range(1, 6):
    assert abs(float(a[1][k]) - float(b[1][k])) < 0.001 and len(b[1][k]) < 12, (k, a, b)
x, y = (json.load(open(os.path.join(f, "communication.json"))) for f in (theirs, ours))
ops = {name: op for step in x.values() for name, op in step["collective"].items() if "@" in name}
assert list(y) == ["step"] and len(ops) > 1  # no step is marked
assert ops == {name: op for name, op in y["step"]["collective"].items() if "@" in name}
assert list(json.load(open(os.path.join(ours, "communication_matrix.json")))) == ["step"]
PY
    rank=$((rank + 1))
done

# as the originals compute it: one pair of custom info stays, times of steps are sums of msprof's rows as they come
"$npuscope" analyse -q --compat --output="$tmp/compat" "$tmp/flat" >/dev/null || fail "--compat ended with $?"
rank=0
for folder in "$run"/*_ascend_ms; do
    cmp "$folder/ASCEND_PROFILER_OUTPUT/dataset.csv" "$tmp/compat/dataset_$rank.csv" || fail "--compat: dataset"
    "$npuscope" export timeline -dir "$folder"/PROF_* --compat --output="$tmp/msprof$rank" >/dev/null ||
        fail "export ended with $?"
    python3 - "$tmp/msprof$rank" "$tmp/compat/rank-${rank}_20260314011207_ascend_ms" <<'PY' || fail "--compat: steps"
import csv, glob, json, os, sys

events = json.load(open(glob.glob(os.path.join(sys.argv[1], "**", "msprof_*.json"), recursive=True)[0]))
with open(os.path.join(sys.argv[2], "ASCEND_PROFILER_OUTPUT/step_trace_time.csv"), newline="") as f:
    header, row = csv.reader(f)
ts = [float(e.get("ts", 0)) for e in events]
dur = [float(e.get("dur", 0)) for e in events]
total = {n: sum(d for e, d in zip(events, dur) if e["name"] == n)
         for n in ("Computing", "Communication(Not Overlapped)", "Communication", "Free")}
at = [e["name"].find("/Receive-op") for e in events]
bubble = sum(dur[i] for i in at)
alone = total["Communication(Not Overlapped)"]
wanted = [total["Computing"], alone, total["Communication"] - alone, total["Communication"], total["Free"],
          max(a + b for a, b in zip(ts, dur)) - min(ts) - bubble, bubble, alone - bubble]
assert len(events) > 1000 and min(ts) == 0 and total["Communication"] > 0 and len(header) == 9
assert row[0] == "" and all(abs(float(a) - b) <= 1e-9 * abs(b) for a, b in zip(row[1:], wanted)), (row, wanted)
PY
    rank=$((rank + 1))
done

# what is there is found again and stays
"$npuscope" analyse -q "$tmp/flat" >"$tmp/said"
if grep -E " (written|FAILED) " "$tmp/said"; then fail "written again"; fi
[ "$(find "$flat" -name 'rank-*' | wc -l)" = 2 ] || fail "folders: $(ls "$flat")"
# another folder has one for each rank
"$npuscope" analyse -q --output="$tmp/out" "$tmp/flat" >/dev/null
for folder in "$flat"/rank-*; do
    diff -r "$folder" "$tmp/out/$(basename "$folder")" || fail "--output"
    cmp "$flat/dataset_1.csv" "$tmp/out/dataset_1.csv" || fail "--output: dataset"
done
# a killed job has nothing but PROF folders and FRAMEWORK
cp -r "$tmp/flat" "$tmp/killed"
rm -rf "$tmp/killed/profiler"/rank-* "$tmp/killed/profiler"/*_[01].*
"$npuscope" analyse -q "$tmp/killed" >"$tmp/said" || [ $? -eq 4 ] || fail "killed: analyse ended with $?"
[ "$(grep -c 'kernel_details.csv *written' "$tmp/said")" = 2 ] || fail "killed: $(cat "$tmp/said")"
for rank in 0 1; do
    set -- "$flat/rank-${rank}_"*/ASCEND_PROFILER_OUTPUT "$tmp/killed/profiler/rank-${rank}_"*/ASCEND_PROFILER_OUTPUT
    cmp "$1/kernel_details.csv" "$2/kernel_details.csv" || fail "killed: kernels of rank $rank"
done
# of 2.4 an empty table has its header; 2.3 makes it of other data
sed -i 's/Dataset/dataset/g' "$flat"/FRAMEWORK/op_range_0
"$npuscope" analyse -q --force "$tmp/flat" >/dev/null || fail "no dataset: analyse ended with $?"
[ "$(cat "$flat/dataset_0.csv")" = "$(head -n 1 "$flat/dataset_1.csv")" ] || fail "empty dataset"
rm "$flat"/dataset_*
sed -i 's/2\.4\.0/2.3.1/' "$flat"/profiler_info_*
"$npuscope" analyse -q "$tmp/flat" | grep -q "dataset_0.csv *no data *2.3 made it of host_info" || fail "dataset of 2.3"
sed -i 's/2\.3\.1/2.4.0/' "$flat"/profiler_info_*
# 2.1 and 2.2 had no such files
rm -rf "$flat"/rank-* "$flat"/FRAMEWORK
sed -i 's/2\.4\.0/2.2.14/' "$flat"/profiler_info_*
"$npuscope" analyse -q "$tmp/flat" >/dev/null || true
[ -z "$(find "$flat" -name 'ASCEND_PROFILER_OUTPUT')" ] || fail "made of 2.2"
echo "analyse_flat: two ranks of MindSpore 2.4"
