#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Log pane: opens at the first error of the verdict with what the profiles say around it; lines, meanings,
# places in groups, files; Enter shows the line in its file, t its moment; nothing of it where there are no logs.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

job=$test_dir/job

# What stands beside it changes a moment later.
cursor_row() {
    term_capture | grep '^>' | cut -c 1-90
}

term_row() {
    [ "$(cursor_row)" = "$1" ]
}

term_other_row() {
    term_capture | grep -q '^>' && ! term_row "$1"
}

make_demo 2 "$job" --raw --steps=4 --size=2000 --ranks=4 --crashed=60% --fault=aicore --fault-rank=2 --era=torch_npu

# filter LINE: type it at the prompt of filters
filter() {
    term_type '&'
    expect_line -1 'Enter apply' "$WAIT"
    term_type "$1"
    term_keys Enter
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --ascii --no-state "$job"
    term_wait 'AI Core exception' "$WAIT"
    expect_line 2 'L Log' "$WAIT"
    term_type L
    term_wait '[lines]  what  hang board  files' "$WAIT"
    term_wait '  ERROR  core ' "$WAIT"
    row=$(cursor_row)
    case $row in
    *' 2  ERROR  core '*'The error from device('*) ;;
    *) fail "not at the first error: $row" ;;
    esac
    # The profile's last activity stands before it.
    term_capture | sed '/^>/q' | grep -q 'INFO .*Notify_Wait, RUN' || fail "nothing of the profiles before it"
    # The next error, and back.
    term_type n
    term_poll "$WAIT" term_other_row "$row" || fail "n does not move"
    term_capture | grep '^>' | grep -q ' ERROR ' || fail "n goes to a line that is no error"
    term_type N
    term_poll "$WAIT" term_row "$row" || fail "N does not come back"

    # The line as it stands in its file.
    term_keys Enter
    term_wait 'Line of a log' "$WAIT"
    term_wait 'Meaning     a core faulted' "$WAIT"
    term_type /
    term_type 'Around it'
    term_keys Enter
    term_wait '  [ERROR] RUNTIME(' "$WAIT"
    term_capture | grep -q '^| > *[0-9]*  .ERROR. RUNTIME(' || fail "the line is not marked in its file"
    term_keys q

    filter 'severity=ERROR'
    expect_line -2 '7 of 100 lines' "$WAIT"
    # The column says the same in every row, and may have gone below them.
    errors_are_left() { term_capture | grep -q '^>.* ERROR \|Sev  *ERROR'; }
    term_poll "$WAIT" errors_are_left || fail "no error is left"
    term_keys BSpace
    expect_line -2 '/100 ' "$WAIT"

    # A line of the profile has a place on the timeline.
    filter 'source=profile rank=2'
    expect_line -2 ' of 100 lines' "$WAIT"
    cursor_row | grep -q ' 2  INFO ' || fail "not a line of rank 2's profile"
    term_type t
    expect_line 2 '[5 Time]' "$WAIT"
    expect_line 1 'rank 2 ' "$WAIT"
    term_keys q
    expect_line 2 '[L Log]' "$WAIT"
    term_keys BSpace
    expect_line -2 '/100 ' "$WAIT"

    term_type v
    term_wait 'lines  [what]  hang board  files' "$WAIT"
    term_wait 'a core faulted' "$WAIT"
    term_type v
    term_wait 'lines  what  [hang board]  files' "$WAIT"
    [ "$(term_capture | grep -c ' WAITS ')" = 4 ] || fail "not four ranks that wait"
    term_keys Enter
    term_wait 'Python stack, innermost first' "$WAIT"
    term_keys q
    term_type v
    term_wait 'agent.log' "$WAIT"
    term_keys Enter
    term_wait 'Log > agent.log' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done

cli --linear "$job" </dev/null >"$test_dir/out" || fail "--linear: status $?"
grep -q '^== logs ==' "$test_dir/out" || fail "--linear lacks the pane"
grep -q ' ERROR  core ' "$test_dir/out" || fail "--linear has no lines of logs"

# Without logs neither the bar nor Tab has the pane; its key says where they were looked for.
open_run 80 24 --ascii --no-state --no-logs "$job"
term_wait '4 ranks' "$WAIT"
expect_line 2 '0 Host ; SQL' "$WAIT"
term_keys 0 Tab
expect_line 2 '; SQL]' "$WAIT"
term_type ':pane logs'
term_keys Enter
term_wait 'No logs of this job were found' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
