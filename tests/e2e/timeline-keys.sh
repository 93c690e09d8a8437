#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The timeline: zoom, pan, undo, whole run, next and previous event, fit, marks and area, find, go to, pin and
# hide. Times that are expected come from the profile's own step trace and from the timeline command.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"

span() { # of the window, as the ruler says it
    term_line 4 | sed -n 's/.*span \([0-9.]* [num]*s\).*/\1/p'
}
has_span() {
    [ "$(span)" = "$1" ]
}
lacks_span() {
    [ -n "$(span)" ] && [ "$(span)" != "$1" ]
}
span_is() {
    term_poll "$WAIT" has_span "$1" || fail "the window is $(span), not $1"
}
span_changes() {
    term_poll "$WAIT" lacks_span "$1" || fail "the window is still $1"
}
command_line() {
    term_keys "$1"
    expect_line -2 "$2" "$WAIT"
    term_type "$3"
    term_keys Enter
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 5
    term_wait '[5 Time]' "$WAIT"
    term_wait 'Stream #3' "$WAIT"
    first_track
    whole=$(span)
    [ -n "$whole" ] || fail "no span on the ruler"
    term_still "$test_dir/whole" "$WAIT"

    # Zoom in and out about the cursor, undo both, whole run again.
    term_keys w
    span_changes "$whole"
    once=$(span)
    term_keys +
    span_changes "$once"
    term_keys s
    span_is "$once"
    term_keys z
    span_changes "$once"
    term_keys z
    span_is "$once"
    term_keys z
    span_is "$whole"
    expect_screen "$WAIT" <"$test_dir/whole"
    term_keys w
    span_is "$once"
    term_keys w
    span_changes "$once"
    left=$(term_line 4 | cut -c1-10)
    term_keys d d
    ruler_moved() { [ "$(term_line 4 | cut -c1-10)" != "$left" ]; }
    term_poll "$WAIT" ruler_moved || fail "d does not move the window"
    term_keys a a
    term_poll "$WAIT" term_line_has 4 "$left" || fail "a does not move it back"
    term_keys o
    span_is "$whole"

    # Steps from the step trace: the second one begins where the first one ends.
    command_line @ 'go to' 'step 2'
    expect_line -2 'cursor 30.31 ms' "$WAIT"
    term_wait 'step 2 +0 ns' "$WAIT"
    term_keys o
    span_is "$whole"

    # Find by regular expression, with n until there is no more; the strip has the event and its duration.
    command_line / / 'Conv2D-op3$'
    term_wait 'Conv2D-op3  ' "$WAIT"
    term_wait 'on Stream #3' "$WAIT"
    command_line / / 'no-such-event'
    expect_line -2 'not found' "$WAIT"

    # After going elsewhere finding starts at the cursor, not at the event that is still selected.
    command_line @ 'go to' 'step 3'
    expect_line -2 'cursor 60.34 ms' "$WAIT"
    command_line / / 'Conv2D-op3$'
    term_wait 'step 3 +' "$WAIT"
    command_line @ 'go to' 'step 2'
    expect_line -2 'cursor 30.31 ms' "$WAIT"
    command_line / / 'Conv2D-op3$'
    term_wait 'step 2 +' "$WAIT"
    command_line @ 'go to' '0s'
    command_line / / 'Conv2D-op3$'
    term_wait 'step 1 +' "$WAIT"
    term_keys o

    # Next and previous event of a track; f fits the selected one.
    strip() { term_capture | grep -E '^[ │]*[A-Za-z].* on Stream #3' | head -n 1; }
    first=$(strip)
    term_keys .
    moved() { [ -n "$(strip)" ] && [ "$(strip)" != "$first" ]; }
    term_poll "$WAIT" moved || fail ". does not select the next event"
    term_keys ,
    back_again() { [ "$(strip)" = "$first" ]; }
    term_poll "$WAIT" back_again || fail ", does not select the event before"
    term_keys f f
    span_changes "$whole"
    case $(span) in *' us') ;; *) fail "fit shows $(span)" ;; esac
    term_keys o
    span_is "$whole"

    # Look-ups on a track: the longest gap, the busiest stretch as long as the window.
    command_line : : gap
    expect_line -2 'longest gap of the track: ' "$WAIT"
    span_changes "$whole"
    gap=$(span)
    command_line : : busiest
    expect_line -2 "busiest $gap of the track: " "$WAIT"
    span_is "$gap"
    # The event of the same name in the next step, and back.
    first=$(strip)
    command_line : : same
    term_poll "$WAIT" moved || fail ":same does not select another event"
    case $(strip) in *Conv2D-op3\ *) ;; *) fail ":same selects $(strip)" ;; esac
    command_line : : 'same back'
    term_poll "$WAIT" back_again || fail ":same back does not select the event before"
    command_line : : 'same back'
    expect_line -2 'first event of that name' "$WAIT"
    term_keys o
    span_is "$whole"

    # Marks and an area: occupied time and sum of durations apart, by track.
    term_keys m
    expect_line -2 'mark A' "$WAIT"
    term_keys l l l l l M
    expect_line -2 '1 mark' "$WAIT"
    area() { term_capture | grep -qE 'Stream #3 +[0-9 ]+ +[0-9.]+ [mu]s +[0-9.]+% +[0-9.]+ [mu]s'; }
    term_poll "$WAIT" area || fail "no statistics of the area"
    term_keys q
    expect_no '1 mark' "$WAIT"

    # Tracks: pinned to the top, hidden, shown again.
    command_line / / 'Conv2D-op3$'
    term_wait 'on Stream #3' "$WAIT"
    term_keys p
    expect_line 7 'Stream #3' "$WAIT"
    term_keys x
    expect_line -2 'hidden; X shows it again' "$WAIT"
    expect_line 7 Steps "$WAIT"
    term_keys X
    expect_line 7 'Stream #3' "$WAIT"

    # From a row that has a time to the timeline, and back with q.
    term_keys 4
    term_wait '[4 Steps]' "$WAIT"
    expect_line -2 '1/3' "$WAIT"
    term_keys j t
    term_wait '[5 Time]' "$WAIT"
    expect_line -2 'cursor ' "$WAIT"
    term_wait 'step 2 ' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
