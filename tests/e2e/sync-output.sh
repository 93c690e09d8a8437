#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A terminal that answers that it knows synchronised output gets each frame between begin and end of an update;
# one that says no, or nothing, gets plain frames. An answer in pieces is no key, one that comes late is not
# left to the shell (sync_output.py).
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

command -v python3 >/dev/null || skip 'no python3'
run=$test_dir/run
make_demo 1 "$run"
keep "$run"
private python3 "$top_srcdir/tests/e2e/sync_output.py" "$NPUSCOPE" "$run" "$NPUSCOPE_TEST_SLOW" || fail 'see above'
no_leftovers
