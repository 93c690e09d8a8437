#!/bin/sh
# What PROF folders of chips other than 910B hold beside tasks: in the timeline and in the export.
set -eu
. "${top_srcdir:-.}/tests/golden/cli_lib.sh"

fail() { echo "chips: $*"; exit 1; }

"$npuscope" demo -q --raw --gen=2 --chip=950 --ranks=1 --steps=1 --model=transformer "$tmp/a"
run=$(find "$tmp/a" -mindepth 1 -maxdepth 1 -name '*_ascend_ms')
"$npuscope" export timeline -dir "$run"/PROF_* --output="$tmp/out" || fail "no timeline"
python3 "${top_srcdir:-.}/tests/golden/chips.py" "$run"/PROF_* "$tmp/out/mindstudio_profiler_output"

# The same in the store: a track for each core that ran blocks, from their log, and one for the fusion tasks.
logged=$(($(cat "$run"/PROF_*/device_0/data/stars_block.data.0.slice_* | wc -c) / 64))
"$npuscope" query -q --format=csv "SELECT s.text, count(*), sum(t.n) FROM track t JOIN string s ON s.id = t.process_id WHERE t.kind = 'engine' GROUP BY 1" "$run" >"$tmp/tracks"
grep -q "^Block Detail,[0-9]*,$logged\$" "$tmp/tracks" || { cat "$tmp/tracks"; fail "not all $logged blocks"; }
grep -q "^Fusion Task,1," "$tmp/tracks" || fail "no fusion tasks"
echo "chips: $logged blocks in the store"
