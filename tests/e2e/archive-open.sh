#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A profile packed as tar.gz opens like its folder: the screen shows the same, under the archive's name.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 2 "$test_dir/run"
for run in "$test_dir/run/"*_ascend_ms; do break; done
tar -C "$test_dir" -czf "$test_dir/run.tar.gz" run || fail "tar"
rows() {
    term_capture | sed -n '4,20p' | tr -s ' ' | sed 's/[^ -~]//g; s/ *$//'
}

open_run 100 30 --no-state "$run"
term_keys 3
term_wait 'Conv2DBackprop' "$WAIT"
term_still "$test_dir/still" "$WAIT"
rows >"$test_dir/folder"
term_keys Q
expect_exit 0 "$WAIT"

open_run 100 30 --no-state "$test_dir/run.tar.gz"
expect_line 1 'run.tar.gz' "$WAIT"
term_keys 3
term_wait 'Conv2DBackprop' "$WAIT"
term_still "$test_dir/still" "$WAIT"
rows >"$test_dir/archive"
cmp "$test_dir/folder" "$test_dir/archive" || fail "the archive shows something else than its folder"
term_keys Q
expect_exit 0 "$WAIT"
