#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# r1.4 and r1.7 differ from the releases before and after them (doc/formats/mindspore1.md#versions).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

# analyse ERA VERSION: the files of VERSION in $tmp/VERSION
analyse() {
    [ -d "$tmp/$1" ] || "$npuscope" demo -q --gen=1 --raw --era="$1" --ranks=2 --steps=3 "$tmp/$1"
    "$npuscope" analyse -q --ms-version="$2" --output="$tmp/$2" "$tmp/$1" >/dev/null || true
}
fail() {
    echo "FAIL: $*"
    exit 1
}
# has FILE TEXT, lacks FILE TEXT: below $tmp
has() {
    grep -qF -- "$2" "$tmp/$1" || fail "$1 lacks $2"
}
lacks() {
    ! grep -qF -- "$2" "$tmp/$1" || fail "$1 has $2"
}

for v in r1.3 r1.4; do
    analyse r13 "$v"
done
[ ! -e "$tmp/r1.3/flops_scope_0.json" ] || fail "r1.3 has scopes"
[ ! -e "$tmp/r1.4/flops_utilization_step_0.json" ] || fail "r1.4 has steps of FLOPs"
has r1.4/flops_scope_0.json 'network-TrainOneStepCell(Default)'
has r1.3/hccl_raw_0.csv "{'allReduce_1"
has r1.4/hccl_raw_0.csv '{""allReduce_1_0"": [""-"", '

"$npuscope" analyse -q --output="$tmp/default" "$tmp/r13" >/dev/null || true
diff -r "$tmp/default" "$tmp/r1.3" || fail "text without ts_track is not analysed as r1.3"
[ -e "$tmp/default/step_trace_raw_0_detail_time.csv" ] || fail "nothing was analysed"

# one step: its mean is a row of zeros, which hccl_raw takes for a step up to r1.6, here with --compat
"$npuscope" demo -q --gen=1 --raw --era=r16 --ranks=2 --steps=1 "$tmp/one"
for v in r1.6 r1.7; do
    "$npuscope" analyse -q --ms-version="$v" --output="$tmp/one-$v" "$tmp/one" >/dev/null || true
    "$npuscope" analyse -q --ms-version="$v" --compat --output="$tmp/compat-$v" "$tmp/one" >/dev/null || true
done
steps_of() {
    sed -n '2,$s/,.*//p' "$tmp/$1/hccl_raw_0.csv" | tr '\n' ' '
}
for steps in "one-r1.6:1 - " "compat-r1.6:0 - " "one-r1.7:1 - " "compat-r1.7:1 - "; do
    [ "$(steps_of "${steps%%:*}")" = "${steps#*:}" ] || fail "${steps%%:*} has the steps $(steps_of "${steps%%:*}")"
done

for v in r1.6 r1.7 r1.8; do
    analyse r16 "$v"
done
python3 - "$tmp" <<'P' || fail "memory"
import json, sys
n = {v: {len(g["breakdowns"]) for g in json.load(open("%s/%s/memory_usage_details_0.json" % (sys.argv[1], v))).values()}
     for v in ("r1.6", "r1.7", "r1.8")}
sys.exit(0 if n["r1.7"] == n["r1.8"] == {1} and n["r1.6"] != {1} else print(n) or 1)
P
has r1.6/ascend_timeline_display_0.json '"AI CPU Op"'
has r1.7/ascend_timeline_display_0.json '"AICPU Op"'
has r1.8/ascend_timeline_display_0.json '"AICPU OP"'
has r1.7/ascend_timeline_display_0.json '"tid": 100000, "args": {"name": "Step"}'
lacks r1.7/hccl_raw_0.csv 'AllReduce-op' # a '-' in the path before hides the kind
has r1.8/hccl_raw_0.csv 'AllReduce-op'
echo "analyse_versions: r1.4 and r1.7 beside their neighbours"
