#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A step range moves the timeline to these steps, and jumps on a track stay within them: the longest gap is that
# of all events, found here one by one.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 1 "$run" --steps=6
# The longest gap on a stream within steps FROM to TO: "1.07 ms".
gap_of() {
    cli query -q -F json "$run" "SELECT step, start_ns, end_ns FROM step; SELECT ts_ns, dur_ns FROM event e
        JOIN track t ON t.id = e.track_id WHERE t.stream = 3 AND t.kind = 'stream' ORDER BY ts_ns" | python3 -c '
import json, sys
steps, events = [x["rows"] if isinstance(x, dict) else x for x in json.load(sys.stdin)]
wanted = [s for s in steps if int(sys.argv[1]) <= s["step"] <= int(sys.argv[2])]
at, end, longest = min(s["start_ns"] for s in wanted), max(s["end_ns"] for s in wanted), 0
for e in events:
    if e["ts_ns"] >= end or e["ts_ns"] + e["dur_ns"] <= at:
        continue
    longest = max(longest, e["ts_ns"] - at)
    at = max(at, e["ts_ns"] + e["dur_ns"])
longest = max(longest, end - at)
print("%.2f ms" % (longest / 1e6) if longest >= 1e6 else "%.1f us" % (longest / 1e3))' "$1" "$2"
}

one=$(gap_of 4 4) two=$(gap_of 2 3)
[ -n "$one" ] && [ -n "$two" ] && [ "$one" != "$two" ] || fail "nothing to tell apart: '$one' '$two'"

open_run 100 24 --no-state "$run"
term_keys 5
on_busiest() { term_capture | grep -q '^▶Stream #3'; }
term_poll "$WAIT" on_busiest || fail "the timeline does not begin at the busiest stream"
term_keys : 'steps 4' Enter
term_wait '   step 4' "$WAIT"
term_keys : gap Enter
term_wait "longest gap of the track in step 4: $one from" "$WAIT"
term_keys : 'steps 2-3' Enter
term_wait '   steps 2-3' "$WAIT"
term_keys : gap Enter
term_wait "longest gap of the track in steps 2-3: $two from" "$WAIT"
term_keys : busiest Enter
term_wait ' of the track in steps 2-3: ' "$WAIT"
term_keys : 'steps all' Enter
expect_no 'steps 2-3' "$WAIT"
term_keys : gap Enter
term_wait 'longest gap of the track: ' "$WAIT"
# The prompt offers the range that is chosen, and in a table the step of the cursor's row.
term_keys 4 g j s
expect_line -2 'steps (60-80, 60.., all): 2' "$WAIT"
term_keys BSpace '3-4' Enter
term_wait ' steps 3-4' "$WAIT"
term_keys 3 s
expect_line -2 'steps (60-80, 60.., all): 3-4' "$WAIT"
term_keys Escape
# All tabs and whole parts of the context at 80 columns, the range first.
term_keys 4
term_resize 80 24
expect_line 3 '[split]  chart  histogram' "$WAIT"
expect_line 3 '   steps 3-4' "$WAIT"
! term_capture | sed -n 3p | grep -q "…" || fail "the context is cut inside a word"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
