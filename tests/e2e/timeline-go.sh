#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# @ takes what the ruler shows: the time at its left end, "+5 ms" and the bare "+10" after it, which count from
# that end in its unit; what the row below the tracks says ("step 2 +1.5 ms"); and ".+" and "-" from the cursor.
# A click on the minimap shows that part of the run.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 1 "$run"
keep "$run"

go() {
    term_type @
    expect_line -2 'go to' "$WAIT"
    term_type "$1"
    term_keys Enter
}
cursor() { # in ns, as the message row has it
    term_capture | sed -n 's/.*cursor \([0-9.]*\) \([mu]*s\)$/\1 \2/p' |
        awk '{ printf "%.0f", $1 * ($2 == "s" ? 1e9 : $2 == "ms" ? 1e6 : 1e3) }'
}
is_at() { # NS, within a cell's rounding of what is printed
    at=$(cursor)
    [ -n "$at" ] && [ $((at - $1)) -le 10000 ] && [ $(($1 - at)) -le 10000 ]
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$run"
    term_keys 5
    term_wait '[5 Time]' "$WAIT"
    go 'step 2'
    term_wait 'step 2 +0 ns' "$WAIT"
    term_capture | sed -n 4p >"$test_dir/ruler"
    left=$(awk '{ print $1, $2 }' "$test_dir/ruler")                       # "61.33 ms"
    first=$(grep -o '+[0-9.]* [mu]*s' "$test_dir/ruler" | head -1)         # "+5 ms"
    bare=$(grep -o '+[0-9.]*  ' "$test_dir/ruler" | head -1 | tr -d ' ')   # "+10"
    [ -n "$first" ] && [ -n "$bare" ] || fail "no labels in the ruler: $(cat "$test_dir/ruler")"
    unit=$(echo "$first" | awk '{ print $2 == "s" ? 1000000000 : $2 == "ms" ? 1000000 : 1000 }')
    base=$(echo "$left" | awk '{ printf "%.0f", $1 * ($2 == "s" ? 1e9 : $2 == "ms" ? 1e6 : 1e3) }')
    go "$first"
    term_poll "$WAIT" is_at $((base + $(echo "$first" | tr -dc 0-9) * unit)) || fail "$first is at $(cursor), left end $left"
    go "$bare"
    term_poll "$WAIT" is_at $((base + $(echo "$bare" | tr -dc 0-9) * unit)) || fail "$bare is at $(cursor)"
    go '.+2ms'
    term_poll "$WAIT" is_at $((base + $(echo "$bare" | tr -dc 0-9) * unit + 2000000)) || fail ".+2ms is at $(cursor)"
    go '-2ms'
    term_poll "$WAIT" is_at $((base + $(echo "$bare" | tr -dc 0-9) * unit)) || fail "-2ms is at $(cursor)"
    go 'step 2 +1.50 ms'
    term_wait 'step 2 +1.50 ms' "$WAIT"
    go "$left"
    term_poll "$WAIT" is_at "$base" || fail "$left is at $(cursor)"
    go '+later'
    expect_message 'where is that?' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers

# The minimap, by a click: the window goes there and keeps its width.
open_run 120 40 --no-state "$run"
term_keys 5
term_wait '[5 Time]' "$WAIT"
term_type ':set mouse=on'
term_keys Enter
go 'step 2'
term_wait 'step 2 +0 ns' "$WAIT"
was=$(term_capture | sed -n 's/.* span \([0-9.]* ms\) .*/\1/p' | head -1)
term_click 20 3
before() { now=$(cursor) && [ -n "$now" ] && [ "$now" -lt "$base" ]; }
term_poll "$WAIT" before || fail "a click at the left of the minimap left the cursor at $(cursor)"
term_wait " span $was " "$WAIT"
term_click 90 3
after() { now=$(cursor) && [ -n "$now" ] && [ "$now" -gt "$base" ]; }
term_poll "$WAIT" after || fail "a click at the right of the minimap left the cursor at $(cursor)"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers

# Tracks of one name in several layers: a head, or the layer beside the name, tells them apart at every size.
make_demo 2 "$test_dir/g2" --steps=2
keep "$test_dir/g2"
for size in '80 24' '120 40' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/g2"
    term_keys 5
    term_wait 'Stream 3' "$WAIT"
    if term_capture | grep -q '^ CANN *$'; then
        term_wait ' MindSpore' "$WAIT" # heads
    else
        same=$(term_capture | sed -n '6,$p' | grep -oE '^.(Thread )?[0-9]+ [A-Za-z…]*' | sort | uniq -d)
        [ -z "$same" ] || fail "these are called the same: $same"
        term_wait ' 20012 CANN ' "$WAIT"
    fi
    # Where there is room, a selected event says what the tables know of its op.
    if [ "${size%% *}" = 160 ]; then
        term_keys .
        term_wait ' delay ' "$WAIT"
        # its name stands in the strip, and only there
        event=$(term_capture | sed -n 's/^   \([^ ]*-op[0-9]*\)  [0-9.]* ms  .* on Stream .*/\1/p')
        [ "$(term_capture | sed -n '/ Selected /,$p' | grep -c "^[^A-Za-z]*$event\b")" = 1 ] || fail "said twice: $event"
        want=$(cli query -q -F csv --no-header "$test_dir/g2" "SELECT 'type ' || type FROM ops WHERE op_name LIKE '%/$event' LIMIT 1" | tr -d '"')
        [ -n "$want" ] || fail "no op is called $event"
        term_wait " $want " "$WAIT"
        term_wait ' core A' "$WAIT"
    fi
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers
