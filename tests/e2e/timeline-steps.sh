#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A step range moves the timeline to these steps, and jumps on a track and the side tables stay within them: the
# longest gap is that of all events, found here one by one. Means are of the steps in the range, the first of which
# is left out only where it is the first recorded one.
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

# Mean length of steps FROM to TO: "30.94 ms".
mean_of() {
    cli query -q -F csv "$run" "SELECT printf('%.2f ms', avg(total_ns) / 1e6) m FROM steps
        WHERE step BETWEEN $1 AND $2" | sed -n 2p
}
all=$(mean_of 2 6) begin=$(mean_of 2 3) later=$(mean_of 3 4)
[ "$begin" != "$(mean_of 1 3)" ] && [ "$later" != "$(mean_of 4 4)" ] || fail "steps too alike: $begin $later"

open_run 100 24 --no-state "$run"
expect_line 1 "6 steps  $all/step" "$WAIT"
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
# The side tables: the window of the gap goes beyond the step, what they say does not.
term_resize 120 40
term_keys : 'steps 4' Enter
term_keys : gap Enter
term_wait 'Gaps on Stream #3 within step 4, longest first' "$WAIT"
term_wait 'Stream #3 in the window within step 4, by time' "$WAIT"
longest() { term_capture | grep -A 2 'Gaps on Stream' | sed -n '3s/^. *[0-9.]* ms  *\([0-9.]* [mu]s\) .*/\1/p'; }
is_longest() { [ "$(longest)" = "$one" ]; }
term_poll "$WAIT" is_longest || fail "the first gap of the table is $(longest), not $one"
term_resize 100 24
term_keys : 'steps all' Enter
expect_no 'step 4:' "$WAIT"
term_keys : gap Enter
term_wait 'longest gap of the track: ' "$WAIT"
# Means of a range, by the title and Steps alike.
for range in "3-4 $later" "1-3 $begin"; do
    term_keys 4 : "steps ${range%% *}" Enter
    expect_line 1 "6 steps  steps ${range%% *}: ${range#* }/step" "$WAIT"
    term_wait " Total  mean ${range#* } " "$WAIT"
done
term_keys 1
term_wait 'of steps 2-3, without the first' "$WAIT"
term_keys : 'steps 3-4' Enter
term_wait 'mean, p50, p95 of steps 3-4' "$WAIT"
term_keys : 'steps all' Enter
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
# Of the whole run the first gap of the table is one between two ops; what lies after the last op comes last.
open_run 120 40 --no-state "$test_dir/run"
term_keys 5
is_between() {
    term_capture | grep -A 2 'Gaps on Stream #3, longest' | sed -n 3p |
        grep -q ' [mun]*s  *[A-Z][^ ]*-op[0-9]*  *[A-Z][^ ]*-op[0-9]* '
}
term_poll "$WAIT" is_between || fail "the first gap of the run is between no two ops"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
