#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# :diff goes to the first event of the step at the cursor that differs from the step before, on the cursor's
# track; what it must find is computed from the events and steps that the commands print.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null || skip "no python3"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
cli query -q -F csv "SELECT v.ts_ns, v.dur_ns, (SELECT text FROM string WHERE id = v.name_id) FROM event v JOIN track t ON t.id = v.track_id
    WHERE t.kind = 'stream' AND t.stream = 3 ORDER BY v.ts_ns" "$test_dir/run" >"$test_dir/events" || fail "no events"
cli query -q -F csv 'SELECT step, start_ns, end_ns FROM step ORDER BY step' "$test_dir/run" \
    >"$test_dir/steps" || fail "no steps"
first_diff() { # SHARE in percent: number (from 1) and name of the first event of step 2 that differs from step 1
    python3 - "$test_dir/events" "$test_dir/steps" "$1" <<'END'
import csv, sys
events = [(int(r[0]), int(r[1]), r[2]) for r in list(csv.reader(open(sys.argv[1])))[1:]]
steps = {int(r[0]): (int(r[1]), int(r[2])) for r in list(csv.reader(open(sys.argv[2])))[1:]}
a, b = ([e for e in events if steps[k][0] <= e[0] < steps[k][1]] for k in (1, 2))
for i, (x, y) in enumerate(zip(a, b)):
    if x[2] != y[2] or (abs(x[1] - y[1]) > 1000 and abs(x[1] - y[1]) * 100 > float(sys.argv[3]) * x[1]):
        print(i + 1, y[2])
        break
else:
    print("same", min(len(a), len(b)))
END
}
in_step() { # STEP: what of it lies on the stream: "692 events 28.92 ms"
    python3 - "$test_dir/events" "$test_dir/steps" "$1" <<'END'
import csv, sys
a, b = next((int(r[1]), int(r[2])) for r in list(csv.reader(open(sys.argv[2])))[1:] if r[0] == sys.argv[3])
of = [(max(int(r[0]), a), min(int(r[0]) + int(r[1]), b)) for r in list(csv.reader(open(sys.argv[1])))[1:]]
of = [x for x in of if x[0] < b and x[1] > a]
print(len(of), "events", f"{sum(y - x for x, y in of) / 1e6:.2f} ms")
END
}
# A share for which it is not the first event, and one that no event reaches.
for share in 7 6 5 4 3 2 1; do
    at=$(first_diff $share)
    case $at in same* | '1 '*) ;; *) break ;; esac
done
case $at in same* | '1 '*) fail "the steps differ in no way that shows anything: $at" ;; esac
case $(first_diff 1000) in same*) ;; *) fail "an event is eleven times as long as one step before" ;; esac

command_line() {
    term_type "$1"
    term_keys Enter
}
for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 5
    term_wait 'Stream #3' "$WAIT"
    term_type @
    expect_line -2 'go to' "$WAIT"
    command_line 'step 1'
    term_wait 'step 1 +0 ns' "$WAIT"
    command_line ':diff'
    expect_line -2 'step 1 is the first one' "$WAIT"
    term_type @
    expect_line -2 'go to' "$WAIT"
    command_line 'step 2'
    term_wait 'step 2 +0 ns' "$WAIT"
    on_stream() { term_capture | grep -q '^▶Stream #3'; }
    term_poll "$WAIT" on_stream || fail "the cursor is not on Stream #3"
    command_line ':diff 1000%'
    expect_message "steps 1 and 2: the same $(first_diff 1000 | sed 's/same //') events" "$WAIT"
    command_line ":diff $share%"
    expect_message "step 2, event ${at%% *}: " "$WAIT"
    expect_message 'in step 1 ' "$WAIT"
    term_wait "   ${at#* }  " "$WAIT"
    # The whole of both steps in numbers.
    expect_message "; all $(in_step 2), before $(in_step 1 | sed 's/ events//')" "$WAIT"
    command_line ':diff some'
    expect_line -2 'how much is a difference?' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
