#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Filters in the timeline: what does not match is dimmed and keeps its place, the count is that of the
# commands, n and N go from match to match, the table of events has the same filters, F switches them.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
count() { # WHERE: events that fit, of all
    cli query -q --no-header -F csv \
        "SELECT count(*) FROM event v JOIN track t ON t.id = v.track_id WHERE $1" "$test_dir/run"
}
named="(SELECT text FROM string WHERE id = v.name_id)"
all=$(count 1)
conv=$(count "$named LIKE '%conv2d-op3'")
long=$(count "$named LIKE '%conv2d%' AND v.dur_ns > 100000")
[ "$conv" -gt 1 ] && [ "$long" -gt 1 ] && [ "$all" -gt "$long" ] ||
    fail "the profile does not fit: $conv, $long of $all"
thin=$(printf '\342\200\211')
with_space() { # 4384 as 4 384, with the thin space of the screen
    echo "$1" | sed ":a; s/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1$thin\2/; ta"
}

type_filter() {
    term_type "\\"
    expect_line -1 'Enter apply' "$WAIT"
    term_type "$1"
}
picture() { term_capture | sed -n '6,16p'; }
# The row of a track with its colours: cells of the dim one (245) and others.
colours() { term_capture -e | grep -a "$1" | grep -ao '38;5;[0-9]*' | sort -u | tr '\n' ' '; }

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 5
    term_wait 'Stream #3' "$WAIT"
    first_track
    picture >"$test_dir/before"
    lively=$(colours 'Stream #3')
    merged=$(colours 'Stream #7')

    # While it is typed, then kept: the count of the commands, everything in its place, what does not match
    # dim.
    type_filter 'name~conv2d-op3$'
    expect_line -2 "$conv of $(with_space "$all")" "$WAIT"
    term_keys Enter
    expect_line 3 'name~conv2d-op3$' "$WAIT"
    expect_line -2 "match $conv of" "$WAIT"
    picture >"$test_dir/after"
    cmp -s "$test_dir/before" "$test_dir/after" ||
        { diff "$test_dir/before" "$test_dir/after"; fail "a filter changes more than colours"; }
    dim=$(colours 'Scope Name')
    [ "$dim" = '38;5;245 ' ] || fail "what does not match is not dim: $dim"
    [ "$(colours 'Stream #7')" = '38;5;245 ' ] || fail "a track without a match is not dim"
    [ "$(colours 'Stream #3')" != "$lively" ] || fail "nothing of Stream #3 is dimmed: $lively"

    # n and N: each match once, and no other event.
    term_type @
    expect_line -2 'go to' "$WAIT"
    term_type '0s'
    term_keys Enter
    expect_line -2 'cursor 0.00 ms' "$WAIT"
    strip() { term_line -4; }
    found=0
    while [ $found -le "$conv" ]; do
        was=$(strip)
        term_keys n
        next() { [ "$(strip)" != "$was" ] || term_line -2 | grep -q 'not found'; }
        term_poll "$WAIT" next || fail "n does nothing"
        term_line -2 | grep -q 'not found' && break
        strip | grep -qi 'conv2d-op3 ' || fail "n goes to $(strip)"
        found=$((found + 1))
    done
    [ "$found" = "$conv" ] || fail "n finds $found of $conv"
    was=$(strip)
    term_keys N
    back() { [ "$(strip)" != "$was" ]; }
    term_poll "$WAIT" back || fail "N does nothing"

    # A search goes on among what the filters keep.
    term_type '/relu'
    term_keys Enter
    expect_line -2 'not found from here to the end' "$WAIT"

    # The table of events has the filter, and says the same.
    term_keys v
    expect_line 3 'name~conv2d-op3$' "$WAIT"
    expect_line -2 "/$conv" "$WAIT"
    term_keys V
    term_wait 'Stream #3' "$WAIT"

    # Off, on and away in the list of filters; what does not compile is refused where it is typed.
    term_keys F
    term_wait '[x] name~conv2d-op3$' "$WAIT"
    term_keys Space
    term_wait '[ ] name~conv2d-op3$' "$WAIT"
    term_keys q
    expect_no 'match ' "$WAIT"
    lively_again() { [ "$(colours 'Stream #7')" = "$merged" ]; }
    term_poll "$WAIT" lively_again || fail "still dim after the filter was switched off"
    term_type ':nofilter'
    term_keys Enter
    type_filter 'conv2d dur>100us'
    expect_line -2 "$long of $(with_space "$all")" "$WAIT"
    term_type ' name~('
    expect_line -2 'at 2' "$WAIT"
    term_keys Enter
    expect_line -2 'name~(' "$WAIT" # it is still asked
    term_keys C-u
    term_type 'source_off>10'
    expect_line -2 "the timeline cannot be asked for 'Byte or line'" "$WAIT"
    term_keys Escape
    expect_no 'match ' "$WAIT"

    # The table of events can be asked for it; the timeline says that it cannot, and keeps to the other
    # filters.
    type_filter 'name~conv2d-op3$'
    expect_line -2 "$conv of" "$WAIT"
    term_keys Enter v
    expect_line -2 "/$conv" "$WAIT"
    type_filter 'source_off>=0'
    term_keys Enter
    expect_line 3 'source_off>=0' "$WAIT"
    term_keys V
    expect_line -2 "the timeline cannot be asked for 'Byte or line'" "$WAIT"
    term_keys j
    expect_line -2 "match $conv of" "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
