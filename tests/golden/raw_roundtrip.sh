#!/bin/sh
# What `npuscope analyse` makes of demo --raw against the files of demo --gen=1 with the same options: the same bytes.
# Left out: profiler_info, host_info, hccl_raw, which analyse does not write. flops_scope holds a set of nodes, whose order the vendor leaves
# open (formats/gen1-raw.md 7.8): compared as a set, sums to 12 digits.
set -eu
. "${top_srcdir:-.}/tests/golden/cli_lib.sh"

fail() { echo "raw_roundtrip: $*"; exit 1; }
made() { # OPTIONS: both runs, and what analyse makes of the raw one
    rm -rf "$tmp/analysed" "$tmp/raw" "$tmp/made"
    # The options are words.
    # shellcheck disable=SC2086
    "$npuscope" demo -q --gen=1 $1 "$tmp/analysed"
    # shellcheck disable=SC2086
    "$npuscope" demo -q --raw $1 "$tmp/raw"
    mkdir "$tmp/made"
    "$npuscope" analyse -q --rank=all --ms-version=r2.0 -o "$tmp/made" "$tmp/raw" >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail "analyse $1"; }
}
compare() {
    python3 "${top_srcdir:-.}/tests/golden/raw_roundtrip.py" "$tmp/analysed/profiler" "$tmp/made" "$tmp/raw/profiler"
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

# A changed byte of any kind is found.
for file in framework_raw_0.csv output_timeline_data_0.txt ascend_timeline_display_0.json step_trace_raw_0_detail_time.csv flops_0.txt; do
    cp "$tmp/made/$file" "$tmp/kept"
    tr 7 8 <"$tmp/kept" >"$tmp/made/$file"
    compare >"$tmp/log" && fail "other digits in $file were not found"
    cp "$tmp/kept" "$tmp/made/$file"
done
echo "raw_roundtrip: other digits are found"
