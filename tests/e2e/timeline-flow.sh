#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Raw PROF folders: from an op to the host's call and back, what is known of the selected event, and the
# command that a finding names.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run" --raw
keep "$test_dir/run"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys Enter
    term_wait "Command     npuscope files -f 'state=ABSENT' PATH" "$WAIT"
    term_keys q 5
    term_wait '[5 Time]' "$WAIT"
    first_track
    # The first op of the device behind the middle of the run; the framework's begin with what encloses them.
    term_type '/^Conv2D-op'
    term_keys Enter
    term_wait ' on Stream ' "$WAIT"
    event=$(term_capture | grep -o 'Conv2D-op[0-9]*  .* on Stream [0-9]*' | head -1)
    [ -n "$event" ] || fail "no op is selected"
    term_keys %
    term_wait ' on Thread ' "$WAIT"
    term_keys %
    term_wait "$event" "$WAIT"
    # Enter tells of the selected event, whichever others are in its cell.
    term_keys Enter
    term_wait 'type: Conv2D' "$WAIT"
    term_wait 'task: ' "$WAIT"
    expect_no 'line 0' "$WAIT"
    term_keys q
    term_wait "$event" "$WAIT"
    term_keys Q
    expect_exit 0
done
