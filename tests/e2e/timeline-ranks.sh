#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ranks under each other in the timeline: read when they are wanted, the same track of each with the rank's label;
# aligned at the start and the end of an event and at a step, moved by hand and back.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run" --ranks=3

command_line() {
    term_type "$1"
    term_keys Enter
}
# Ranks of the rows of a track on the screen, one after the other.
ranks_of() { # TRACK
    term_capture | sed -n "s/^.\(rank [0-9]*\)  $1 .*/\1/p" | tr '\n' ' '
}
ranks_are() { [ "$(ranks_of "$1")" = "$2" ]; }
rows() { term_line -2 | sed -n 's:^track [0-9]*/\([0-9]*\).*:\1:p'; }

strip() { term_line -4; }
strip_moved() { [ "$(strip)" != "$was" ]; }

open_run 160 50 --no-state "$test_dir/run"
term_keys 5
term_wait 'Stream 3' "$WAIT"
first_track
one=$(rows)
! term_capture | grep -q '^.rank [0-9]  ' || fail "one rank alone has its label before its tracks"
term_type '='
expect_line -2 'align ranks at' "$WAIT"
term_keys s
expect_line -2 'this needs a second rank' "$WAIT"

# Nobody has read rank 2 yet; its rows come when that is done.
command_line ':stack 0,2'
rows_doubled() { [ "$(rows)" -gt "$one" ] 2>/dev/null; }
term_poll "$WAIT" rows_doubled || fail "rank 2 does not come: $(rows) rows, $one before"
expect_no 'reading ' "$WAIT"
[ "$(rows)" -eq $((one * 2)) ] || fail "$(rows) rows, not twice $one"
term_poll "$WAIT" ranks_are 'Stream 3' 'rank 0 rank 2 ' || fail "ranks of Stream 3: $(ranks_of 'Stream 3')"
term_poll "$WAIT" ranks_are 'Plane 0' 'rank 0 rank 2 ' || fail "ranks of Plane 0: $(ranks_of 'Plane 0')"
[ "$(term_capture | grep -c '^ Ascend Hardware$')" = 1 ] || fail "the head of a layer is not there once"
# The other rank is reached with }, on the same track (rank 1 is not shown).
command_line '/^Conv2D-op3$'
term_wait 'on Stream 3' "$WAIT"
term_keys '}' '}'
expect_line 1 'rank 2 of 3' "$WAIT"
cursor_in() { # rank of the cursor row
    term_capture | sed -n 's/^▶rank \([0-9]*\) .*/\1/p'
}
in_rank_2() { [ "$(cursor_in)" = 2 ]; }
term_poll "$WAIT" in_rank_2 || fail "the cursor is on rank $(cursor_in)"
term_capture | grep -q '^▶rank 2  Stream 3 ' || fail "the cursor is not on Stream 3"
command_line ':stack 0,7'
expect_line -2 'there is no rank 7 here' "$WAIT"
command_line ':stack all'
expect_no 'reading ' "$WAIT"
three() { [ "$(rows)" -eq $((one * 3)) ] 2>/dev/null; }
term_poll "$WAIT" three || fail "$(rows) rows, not three times $one"

# The row of interest of every rank comes first: p pins it in all of them.
command_line ':rank 0'
expect_line 1 'rank 0 of 3' "$WAIT"
term_type @
expect_line -2 'go to' "$WAIT"
command_line 'step 12'
term_wait 'step 12 +0 ns' "$WAIT"
term_keys q # nothing is selected
nothing_selected() { [ -z "$(strip | tr -d ' ')" ]; }
term_poll "$WAIT" nothing_selected || fail "still selected: $(strip)"
for _ in 1 2 3 4 5 6; do # the first ops of the step
    term_capture | grep -q '  Conv2D-op3 .* on Stream 3' && break
    was=$(strip)
    term_keys .
    term_poll "$WAIT" strip_moved || fail ". selects nothing"
done
term_capture | grep -q '  Conv2D-op3 .* on Stream 3' || fail "no Conv2D-op3 at the beginning of the step"
term_keys p
pinned() { [ "$(term_capture | sed -n 's/^.\(rank [0-9]\)  \([^ ]* [^ ]*\) .*/\1 \2/p' | head -n 4 | tr '\n' ,)" = \
    'rank 0 Stream 3,rank 1 Stream 3,rank 2 Stream 3,rank 0 Step Trace(Model,' ]; }
term_poll "$WAIT" pinned || fail "the pinned rows are not the first ones"

# Start of the selected event: in every rank it begins in the same cell, and the strip says the same time.
term_keys f f
expect_line 4 ' us' "$WAIT"
term_still "$test_dir/still" "$WAIT" # the strip is drawn after the ruler
strip_time() { term_capture | sed -n 's/.*Conv2D-op3  *\([0-9.]* ms\).*/\1/p'; }
strip_end() { # start plus duration, in us
    term_capture | sed -n 's/.*Conv2D-op3  *\([0-9.]*\) ms  *\([0-9.]*\) us.*/\1 \2/p' |
        awk '{ printf "%.1f\n", $1 * 1000 + $2 }'
}
start=$(strip_time)
[ -n "$start" ] || fail "no time of the selected event"
moved() { term_capture | grep -o ' rank [0-9]  *moved by [+-]' | wc -l; }
term_type '=s'
expect_line -2 'aligned 2 ranks at the start of the event' "$WAIT"
[ "$(moved)" = 2 ] || fail "$(moved) of 2 ranks say how far they are moved"
for rank in 1 2; do
    term_keys '}'
    expect_line 1 "rank $rank of 3" "$WAIT"
    term_keys Enter
    term_wait 'on Stream 3' "$WAIT"
    there() { in=$(cursor_in) && [ "$in" = "$rank" ] && [ "$(strip_time)" = "$start" ]; }
    term_poll "$WAIT" there || fail "rank $rank has the event at $(strip_time), not at $start"
done
# Its end, from the last rank; then rank 0 has it where rank 2 has (both are said to the microsecond).
end=$(strip_end)
term_type '=e'
expect_line -2 'aligned 2 ranks at the end of the event' "$WAIT"
term_keys '}'
expect_line 1 'rank 0 of 3' "$WAIT"
term_keys Enter
same_end() { [ "$(cursor_in)" = 0 ] &&
    awk -v a="$(strip_end)" -v b="$end" 'BEGIN { exit !(a - b < 2.1 && b - a < 2.1) }'; }
term_poll "$WAIT" same_end || fail "rank 0 ends at $(strip_end) us, not at $end us"

# Back, by hand, by step.
term_type '=0'
expect_line -2 'no rank is moved any more' "$WAIT"
unmoved() { [ "$(moved)" = 0 ]; }
term_poll "$WAIT" unmoved || fail "still moved: $(moved)"
command_line ':offset rank=2 -412us'
expect_line -2 'rank 2 is moved by -412 us' "$WAIT"
term_wait 'rank 2   moved by -412 us' "$WAIT"
command_line ':offset 2 0'
term_poll "$WAIT" unmoved || fail "still moved: $(moved)"
command_line ':offset 9 1us'
expect_line -2 'rank 9 is not in the timeline' "$WAIT"
command_line ':offset 2 much'
expect_line -2 'which rank by how much' "$WAIT"
command_line ':offset rank=2 +412us'
expect_line -2 'rank 2 is moved by +412 us' "$WAIT"
step() { term_capture | sed -n 's/^ *\(step [0-9]* +[0-9.]* [mnu]*s\).*/\1/p'; }
was=$(step)
[ -n "$was" ] || fail "no step at the cursor"
term_type '=b'
expect_line -2 'aligned 2 ranks at the begin of the step' "$WAIT"
for rank in 1 2; do
    term_keys '}'
    expect_line 1 "rank $rank of 3" "$WAIT"
    same_step() { [ "$(cursor_in)" = "$rank" ] && [ "$(step)" = "$was" ]; }
    term_poll "$WAIT" same_step || fail "rank $rank is at $(step), rank 0 at $was"
done

# The menu switches single ranks; none is the selected one alone.
term_type '=r'
term_wait 'Ranks under each other' "$WAIT"
term_keys g j Space
term_wait '[ ] rank 1' "$WAIT"
term_keys Enter
expect_no 'Ranks under each other' "$WAIT"
two() { [ "$(rows)" -eq $((one * 2)) ] 2>/dev/null; }
term_poll "$WAIT" two || fail "$(rows) rows after rank 1 was switched off"
command_line ':stack none'
# The steps of rank 2 have three lanes, shown when it is alone; rank 0 has four, shown of no rank.
alone() { [ "$(rows)" -eq "$one" ] 2>/dev/null && term_has ' lane 3' && ! term_has ' lane 4'; }
expect_line 1 'rank 2 of 3' "$WAIT"
term_poll "$WAIT" alone || fail "$(rows) tracks of rank 2 alone, not $one, or other lanes"
term_wait '  lane 3' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers

# Narrow: the last row is that of the last rank.
open_run 80 24 --no-state "$test_dir/run"
term_keys 5
term_wait 'Stream 3' "$WAIT"
command_line ':stack all'
term_poll "$WAIT" three || fail "80x24: $(rows) rows"
term_keys PageDown PageDown PageDown PageDown PageDown PageDown PageDown PageDown PageDown PageDown PageDown \
    PageDown
at_end() { term_capture | grep -A 1 '^▶rank 2  ' | grep -q '^ Device' ; }
term_poll "$WAIT" at_end || fail "the cursor is not on the last row, of rank 2"
term_keys Q
expect_exit 0 "$WAIT"

# Ranks and offsets are there again the next time.
open_run 160 50 "$test_dir/run"
term_keys 5
term_wait 'Stream 3' "$WAIT"
command_line ':stack 0,2'
term_poll "$WAIT" two || fail "$(rows) rows"
command_line ':offset rank=2 -412us'
expect_line -2 'rank 2 is moved by -412 us' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
open_run 160 50 "$test_dir/run"
term_poll "$WAIT" two || fail "$(rows) rows the next time"
term_wait 'rank 2   moved by -412 us' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
