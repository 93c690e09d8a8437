#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `npuscope analyse` makes of demo --raw against the files of demo --gen=1 with the same options: the
# same bytes. Left out: profiler_info and host_info, which analyse does not write. flops_scope holds a set of
# nodes, and the keys of hccl_raw come in the order of a directory, whose order the vendor leaves open
# (doc/formats/mindspore1.md#flops, #hccl_raw): compared as sets, sums to 12 digits.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

fail() { echo "analyse_roundtrip: $*"; exit 1; }
made() { # OPTIONS: both runs, and what analyse makes of the raw one
    rm -rf "$tmp/analysed" "$tmp/raw" "$tmp/made"
    # The options are words.
    # shellcheck disable=SC2086
    "$npuscope" demo -q --gen=1 $1 "$tmp/analysed"
    # shellcheck disable=SC2086
    "$npuscope" demo -q --raw $1 "$tmp/raw"
    mkdir "$tmp/made"
    "$npuscope" analyse -q --rank=all --ms-version=r2.0 -o "$tmp/made" "$tmp/raw" >"$tmp/log" 2>&1 ||
        { cat "$tmp/log"; fail "analyse $1"; }
}
compare() {
    python3 "${top_srcdir:-.}/tests/golden/analyse_roundtrip.py" "$tmp/analysed/profiler" "$tmp/made" \
        "$tmp/raw/profiler"
}

while read -r options; do
    made "$options"
    compare || fail "$options"
done <<'LIST'
--ranks=2 --steps=3 --seed=7
--ranks=1 --steps=1 --seed=2
--ranks=4 --steps=2 --model=transformer
--ranks=10 --steps=2 --seed=3
LIST

# The same run as older versions leave it, each analysed as the newest version that could have made it: what
# no version writes differently.
made "--ranks=2 --steps=3 --seed=7"
for era in r16 r15 r13; do
    "$npuscope" demo -q --raw --ranks=2 --steps=3 --seed=7 --era=$era "$tmp/$era"
    mkdir "$tmp/$era.made"
    "$npuscope" analyse -q --rank=all -o "$tmp/$era.made" "$tmp/$era" >"$tmp/log" 2>&1 ||
        { cat "$tmp/log"; fail "analyse of $era"; }
    for file in aicore_intermediate_1_detail.csv aicore_intermediate_1_type.csv \
        ascend_timeline_summary_1.json flops_1.txt memory_usage_summary_1.json \
        minddata_aicpu_1.txt output_format_data_hwts_1.txt output_op_compute_time_1.txt \
            output_timeline_data_1.txt step_trace_point_info_1.json; do
        cmp "$tmp/made/$file" "$tmp/$era.made/$file" || fail "$file of $era"
    done
done
echo "analyse_roundtrip: runs of r1.6, r1.5 and r1.3 give what no version writes differently"

# Of a run that crashed: the same graph, a part of the same executions and tasks, the steps that were whole.
"$npuscope" demo -q --raw --ranks=2 --steps=6 --seed=7 --crashed=60% "$tmp/crash"
"$npuscope" demo -q --gen=1 --ranks=2 --steps=6 --seed=7 "$tmp/whole"
mkdir "$tmp/cut"
status=0
"$npuscope" analyse -q --rank=all --ms-version=r2.0 -o "$tmp/cut" "$tmp/crash" >"$tmp/log" 2>&1 || status=$?
case $status in 0 | 4) ;; *) cat "$tmp/log"; fail "analyse of a crashed run: status $status" ;; esac
for rank in 0 1; do
    whole=$tmp/whole/profiler
    cmp -s "$whole/framework_raw_$rank.csv" "$tmp/cut/framework_raw_$rank.csv" ||
        fail "another graph of the crashed run"
    for file in "output_timeline_data_$rank.txt" "aicpu_intermediate_$rank.csv"; do
        n=$(wc -l <"$tmp/cut/$file")
        [ "$n" -gt 1 ] && [ "$n" -lt "$(wc -l <"$whole/$file")" ] ||
            fail "$file of the crashed run has $n lines"
        head -n "$n" "$whole/$file" | cmp -s - "$tmp/cut/$file" ||
            fail "$file of the crashed run is not the beginning of that of the whole one"
    done
    head -n 4 "$whole/step_trace_raw_${rank}_detail_time.csv" >"$tmp/one"
    head -n 4 "$tmp/cut/step_trace_raw_${rank}_detail_time.csv" >"$tmp/two"
    cmp -s "$tmp/one" "$tmp/two" || fail "other steps of the crashed run"
    [ "$(wc -l <"$tmp/cut/step_trace_raw_${rank}_detail_time.csv")" = 5 ] ||
        fail "not three steps and their mean in the crashed run"
done
echo "analyse_roundtrip: the files of a crashed run begin as those of the whole one"

# A changed byte of any kind is found.
for file in framework_raw_0.csv output_timeline_data_0.txt ascend_timeline_display_0.json \
    step_trace_raw_0_detail_time.csv flops_0.txt; do
    cp "$tmp/made/$file" "$tmp/kept"
    tr 7 8 <"$tmp/kept" >"$tmp/made/$file"
    compare >"$tmp/log" && fail "other digits in $file were not found"
    cp "$tmp/kept" "$tmp/made/$file"
done
echo "analyse_roundtrip: other digits are found"
