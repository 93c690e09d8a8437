#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A raw run that died in its third step: whole steps are counted, and analyse says why a file of the version
# is not made.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

# At once, although the files were made just now; dates in the future are no sign that the run goes on.
state() {
    "$npuscope" triage -q --format=json "$1" | sed -n 's/^"state": "\(.*\)",$/\1/p'
}
for gen in 1 2; do
    "$npuscope" demo -q --gen=$gen --raw --ranks=2 --steps=4 --crashed=3 "$tmp/gen$gen"
    [ "$(state "$tmp/gen$gen")" = CRASHED ] || { echo "FAIL: generation $gen is $(state "$tmp/gen$gen")"; exit 1; }
done
find "$tmp/gen1" -type f -exec touch -d '+1 day' {} +
"$npuscope" triage -q --format=json "$tmp/gen1" >"$tmp/said" || true
grep -q '^"state": "CRASHED"' "$tmp/said" && grep -q 'clock skew: .* in the future' "$tmp/said" ||
    { echo "FAIL: dates in the future"; cat "$tmp/said"; exit 1; }

steps=$("$npuscope" comm -q --by=rank --format=csv "$tmp/gen1" | cut -d, -f1 | tr '\n' ' ') || true
[ "$steps" = "steps 2 " ] || { echo "FAIL: whole steps: $steps"; exit 1; }
mean=$("$npuscope" comm -q --by=rank --format=csv "$tmp/gen1" | sed 1d | cut -d, -f2) || true
second=$("$npuscope" steps -q --format=csv "$tmp/gen1" | grep '^2,' | cut -d, -f3) || true
[ -n "$mean" ] && [ "$mean" = "$second" ] ||
    { echo "FAIL: the mean without the first step and the cut one: $mean, of $second"; exit 1; }
"$npuscope" demo -q --gen=1 --raw --ranks=1 --steps=5 --crashed=3 "$tmp/run"
"$npuscope" analyse -q --output="$tmp/out" "$tmp/run" >"$tmp/said" || true
grep 'profiler_info_0.json.*raw data does not hold' "$tmp/said" >/dev/null ||
    { echo "FAIL: profiler_info is not told"; cat "$tmp/said"; exit 1; }
[ ! -e "$tmp/out/profiler_info_0.json" ] || { echo "FAIL: it was written"; exit 1; }
"$npuscope" analyse -q --ms-version=r1.10 --output="$tmp/old" "$tmp/run" >"$tmp/said" || true
if grep profiler_info "$tmp/said"; then
    echo "FAIL: r1.10 had no such file"
    exit 1
fi
