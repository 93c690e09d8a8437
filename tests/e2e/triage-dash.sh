#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Triage answers without a key: the rank that the others wait for and the op it is late in, the last activity of
# the rank that hangs; at every size nothing of it is cut. Enter shows the proof of the line in front, j goes to
# the next line and from the last one to the ranks, t to the place on the timeline.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/late" --ranks=4 --steps=8 --size=3000
make_demo 1 "$test_dir/hung" --raw --crashed=60% --ranks=4 --steps=6
make_demo 2 "$test_dir/one" --ranks=1 --steps=6 --size=3000
lines=$(cli triage -q -F json "$test_dir/late" | grep -c '^  {"kind": ')
next=$(cli triage -q -F json "$test_dir/late" | sed -n 's/^  {"kind": "link", .*"text": "\([^,]*\),.*/\1/p')
[ "$lines" -gt 1 ] && [ -n "$next" ] || fail "the verdict has one line: '$next'"
said=$(cli triage -q -F json "$test_dir/late" | sed -n 's/^  {"kind": "late", .*"text": "\([^"]*\)".*/\1/p')
[ -n "$said" ] || fail "no rank is late"
find "$test_dir/hung" -exec touch -d 2020-01-01 {} +

# What is true of the run, by its own rows.
late=$(cli query -q --rank=0 -F csv --no-header "$test_dir/late" "SELECT rank FROM (SELECT rank, avg(computing_ns)
    AS ns FROM job.step WHERE step > 11 GROUP BY rank) ORDER BY ns DESC LIMIT 1")
cli triage -q -F json "$test_dir/hung" >"$test_dir/hung.json" # 4: inputs are cut
hung=$(sed -n 's/^  {"rank": \([0-9]*\), "op": "\([^"]*\)".*/\1 \2/p' "$test_dir/hung.json")
op=$(basename "${hung#* }") hung=${hung%% *}
[ -n "$late" ] && [ -n "$hung" ] && [ -n "$op" ] || fail "nothing to look for: '$late' '$hung' '$op'"

# All words on the screen, as one line: sentences may be wrapped.
words() {
    term_capture | tr -s ' \n' ' '
}
says() {
    words | grep -Fq "$1"
}
expect_words() {
    term_poll "$WAIT" says "$1" || fail "not on the screen: $1"
}

for size in '80 24' '100 30' '120 40' '160 50' '200 60'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/late"
    expect_words "rank $late is late: "
    expect_words ' all others wait for it (its '
    term_capture | sed 's/  *[0-9]$//' | tr -s ' \n' ' ' | grep -Fq "$said" || # but for the key of its pane
        fail "not what the command says: $said"
    expect_words ' p50 '
    expect_words ', mean of 4 ranks '
    expect_words ' compute '
    expect_words ' top ops '
    expect_line -1 'Enter proof  j k next' "$WAIT"
    term_keys Enter
    expect_line 5 "rank $late is late: " "$WAIT"
    expect_words 'Rule'
    expect_words 'Rank by rank, mean of a step, without the first'
    expect_words ' compute comm only prep wait late '
    expect_no ' 0 ms' "$WAIT" # of a rank that is not late
    term_keys q j Enter
    expect_line 5 "$next" "$WAIT"
    term_keys q
    for _ in $(seq 2 "$lines"); do term_keys j; done
    term_keys Enter
    expect_line 1 'rank 0 of 4' "$WAIT"
    expect_words "rank $late is late: "
    term_keys Q
    expect_exit 0 "$WAIT"

    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/hung"
    expect_words "CRASHED 01:12:07 UTC rank $hung is still in $op (step "
    expect_words ' have left it'
    words | grep -Eq ' input interval [0-9.]+% of a step [(]all ranks[)]: data and host, no host queue' ||
        fail "no line of the input with a queue of the device alone"
    expect_words "Last activity of rank $hung (device clock, 0 = last record)"
    words | grep -q " [mu]s Communication $op RUNNING, no end record" || fail "the last activity does not show $op"
    expect_words ' a step fwd+bwd '
    words | grep -Eq ' fwd[+]bwd [^ ]+ [0-9.]+% tail ' || fail 'no tail beside fwd+bwd'
    expect_no ' prep ' "$WAIT" # the column of the ranks is Interval, and so is the rest
    term_keys Enter
    expect_line 5 "rank $hung is still in $op" "$WAIT"
    expect_words "Last activity of rank $hung"
    term_keys q t
    expect_line 1 "rank $hung of 4" "$WAIT"
    expect_line 2 '[5 Time]' "$WAIT"
    # The queue that Triage speaks of: no capacity was recorded, so the most it held is what is full.
    term_keys 8
    expect_line 2 '[8 Data]' "$WAIT"
    full() { term_capture | grep -q 'GetNext_deq.* max .*█'; }
    term_poll "$WAIT" full || fail "the queue of the device has no scale"
    term_keys 1
    expect_line 2 '[1 Triage]' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"

    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/one"
    expect_words 'VERDICT '
    expect_no ' is late' "$WAIT"
    expect_words 'top ops '
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers

# One rounding: bar and input have the mean of all ranks, the findings of one rank its own, and say whose it is.
prep_of() { # LABEL: the share of prep in that line
    term_capture | grep "^ *$1 " | grep -Eo '(prep|^ *prep) .*' | grep -Eo '[0-9.]+%' | head -n 1
}
make_demo 2 "$test_dir/pair" --ranks=2 --steps=6
open_run 160 50 --no-state "$test_dir/pair"
expect_words ' a step compute '
words | grep -Eq ' input prep [0-9.]+% of a step [(]all ranks[)]: .* queue [(]rank 0[)] ' || fail "whose prep, whose queue?"
words | grep -q ' top ops .* all ranks ' || fail "whose ops?"
[ -n "$(prep_of input)" ] && [ "$(prep_of input)" = "$(prep_of 'a step')" ] ||
    fail "prep is $(prep_of input) and $(prep_of 'a step')"
term_keys v
expect_words ' Where a step goes rank 0: mean, '
words | grep -Eq ' input prep [0-9.]+% of a step [(]rank 0[)]: ' || fail "prep is not said to be of rank 0"
[ -n "$(prep_of input)" ] && [ "$(prep_of input)" = "$(prep_of prep)" ] ||
    fail "prep of rank 0 is $(prep_of input) and $(prep_of prep)"
# Each part has the fill that it has in Steps.
fill_of() { # LABEL: of the row that begins with it
    term_capture | sed -n "s/^  *$1  *[0-9.]* [mu]s  *[0-9.]*%  *\([█▓▒░]\).*/\1/p" | head -n 1
}
fills="$(fill_of compute)computing $(fill_of prep)prep $(fill_of idle)idle"
term_keys 4
expect_words ' █ computing ▓ comm only ░ prep ▒ idle'
[ "$fills" = '█computing ░prep ▒idle' ] || fail "fills in Triage: $fills"
term_keys Q
expect_exit 0 "$WAIT"

# The folder of a rank stands on the screen once, uncut: in its row, or below the table.
for size in '100 30' '160 50' '200 60' '260 60'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/pair"
    once() { [ "$(term_capture | grep -o '/node-1_20012_[0-9]*_ascend_ms' | wc -l)" = 1 ]; }
    term_poll "$WAIT" once || fail "the folder is not there once"
    expect_no 'node-1_20012[0-9_]*…' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done

# What a table of two ranks leaves is for the last activity, to the last row of the body.
make_demo 1 "$test_dir/two" --raw --crashed=60% --ranks=2 --steps=6
find "$test_dir/two" -exec touch -d 2020-01-01 {} +
open_run 80 24 --no-state "$test_dir/two"
expect_words ' Last activity of rank '
expect_words ' Last step last 2 steps '
filled() { [ -n "$(term_capture | sed -n 22p | tr -d ' ')" ]; }
term_poll "$WAIT" filled || fail "rows are empty below the last activity"
# The note of the cursor's row in full, which the table cuts.
term_keys 2 v
expect_line 3 '[notes]' "$WAIT"
expect_words ' a record is cut (40 of 64 bytes) '
term_keys Q
expect_exit 0 "$WAIT"

open_run 100 30 --no-state "$test_dir/two"
expect_words ' Last step Warnings last 2 steps '
term_keys Q
expect_exit 0 "$WAIT"

# A device that waits for data: the queues say so, and the part that limits is the one that pane Data names.
make_demo 1 "$test_dir/data" --ranks=1 --steps=8 --size=3000
empty=$(cli query -q -F csv --no-header "$test_dir/data" "SELECT sum(size = 0) || ' of ' || count(*) FROM queue_sample
    WHERE queue = 'host'")
open_run 100 30 --no-state "$test_dir/data"
expect_words 'the device waits for data before each step: '
expect_words 'Map(id=3) limits'
expect_words "the pipeline, $empty batches found the host's queue empty"
expect_no ' input ' "$WAIT" # the verdict has said it
term_keys 8
expect_words 'Map(id=3) limits the pipeline: its queue is '
term_keys Q
expect_exit 0 "$WAIT"

# A device that hardly waits: that data is no limit comes first, then at every width the slowest part, then how often
# the queue was empty where there is room. Of generation 2 only the parts are recorded, not what the batches found.
make_demo 1 "$test_dir/fed" --ranks=1 --steps=8
make_demo 2 "$test_dir/parts" --ranks=1 --steps=8
share=$(cli query -q -F csv --no-header "$test_dir/fed" "SELECT printf('%.1f', 100.0 * sum(size = 0) / count(*))
    FROM queue_sample WHERE queue = 'host'")
open_run 140 40 --no-state "$test_dir/fed"
expect_words " of a step: data is no limit; Map(id=3) is the slowest part; the host's queue empty for $share% of batches"
term_keys Q
expect_exit 0 "$WAIT"
open_run 80 24 --no-state "$test_dir/parts"
expect_words ' of a step: data is no limit; Map(id=3) is the slowest part'
term_keys 8 # and there, too
expect_words ' of a step: data is no limit; Map(id=3) is the slowest part: its queue is '
expect_no 'limits the pipeline' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# From 64 ranks on they are grouped, with a strip of ranks by steps; nothing is said before they are read.
make_demo 1 "$test_dir/many" --raw --ranks=64 --steps=6 --size=400
many=$(cli triage -q -F json "$test_dir/many" | sed -n 's/.*"kind": "late", .* "rank": \([0-9]*\),.*/\1/p')
[ -n "$many" ] || fail "no rank is late"
open_run 100 30 --no-state "$test_dir/many"
expect_words "rank $many is late: "
expect_words " ranks 1 late ($many) 63 wait for it"
expect_line 1 'rank 0 of 64' "$WAIT"
[ "$(term_capture | grep -cE '^ [0-9]+ +(▁|▂|▄|▆|▇){6}$')" -ge 3 ] || fail "no strip of ranks by steps"
term_keys Q
expect_exit 0 "$WAIT"

# ASCII without colour: other characters, the same words.
open_run 100 30 --ascii --color=never --no-state "$test_dir/late"
expect_words "rank $late is late: "
expect_words ' compute ==='
expect_words '% comm only %'
term_keys Q
expect_exit 0 "$WAIT"

# One long sentence about the state goes on in the next line.
make_demo 1 "$test_dir/few"
find "$test_dir/few" -type f ! -name 'step_trace*' -exec rm {} +
open_run 80 24 --no-state "$test_dir/few"
term_wait 'no info file says when the run' "$WAIT"
term_wait ' began or ended' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
