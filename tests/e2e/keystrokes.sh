#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How many keys an answer takes from opening: the costliest type and its slowest shape 2, the longest gap in step 15
# at any size 6, the verdict on the pipeline 1, a filter removed 1 (or a click). Answers are computed here from
# the tables. Others have tests of their own: the share of a regex while it is typed (filter-share), the late rank
# (triage-dash) and the last activity of one that hangs (triage-crashed), both 0, who holds the peak 1 (memory-peak).
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null || skip "no python3"

sql() {
    cli query -q -F csv --no-header "$run" "$1" | tr -d '"'
}

run=$test_dir/run
make_demo 1 "$run" --steps=16
type=$(cli ops -q --by=type -F csv --no-header -C type --top=1 "$run")
slowest=$(cli ops -q --by=op -F csv --no-header -C in_shapes --filter="type=$type" --sort=-avg --top=1 "$run" | tr -d '"')
[ -n "$type" ] && [ -n "$slowest" ] || fail "no type or shape: '$type' '$slowest'"
sql "SELECT v.ts_ns, v.dur_ns FROM event v JOIN track t ON t.id = v.track_id WHERE t.kind = 'stream' AND t.stream = 3
    ORDER BY v.ts_ns" >"$test_dir/events"
span=$(sql 'SELECT start_ns, end_ns FROM step WHERE step = 15')
gap=$(python3 - "$test_dir/events" "$span" <<'END_PY'
import sys
a, b = (int(x) for x in sys.argv[2].split(","))
ends, longest = a, 0
for line in open(sys.argv[1]):
    t, d = (int(x) for x in line.split(","))
    if t >= b:
        break
    if t + d <= a:
        continue
    longest = max(longest, t - ends)
    ends = max(ends, t + d)
ns = max(longest, b - ends)
print(f"{ns / 1e6:.2f} ms" if ns >= 1e6 else f"{ns / 1e3:.3g} us")
END_PY
)
limit=$(sql "SELECT min((SELECT text FROM string WHERE id = p.type_id)) || '(id=' || op || ')' FROM pipeline_op p
    WHERE op = (SELECT op FROM pipeline_op WHERE cpu_per_worker IS NOT NULL ORDER BY cpu_per_worker DESC LIMIT 1) GROUP BY op")

for size in '80 24' '120 40' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$run"
    term_keys 3 Enter
    term_wait "Ops > $type" "$WAIT"
    shape() { term_capture | tr -d '\n' | grep -qF "$slowest"; }
    term_poll "$WAIT" shape || fail "the slowest shape is not shown: $slowest"
    term_keys q 1
    term_wait '[1 Triage]' "$WAIT"
    term_keys s 1 5 Enter 5 i
    expect_line -2 "$gap" "$WAIT"
    term_keys 8
    verdict() { term_capture | tr -s ' \n' ' ' | grep -qF "$said"; } # the device hardly waits
    said=" of a step: data is no limit; $limit is the slowest part: its queue is "
    term_poll "$WAIT" verdict || fail "not on the screen: $said"
    # One key, or a click on its chip, removes a filter.
    term_keys 3
    term_wait '[3 Ops]' "$WAIT"
    for how in key click; do
        term_type ':filter ^BN'
        term_keys Enter
        expect_line 3 '1:^BN' "$WAIT"
        if [ $how = key ]; then
            term_keys BSpace
        else
            term_type ':set mouse=on'
            term_keys Enter
            term_click 3 3
        fi
        expect_line -2 'filter removed: ^BN' "$WAIT"
        expect_no '1:^BN' "$WAIT"
    done
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers
