#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Timeline: a rank that lost its device clock comes where the other ranks' collectives place it, and says so.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

job=$test_dir/job
make_demo 2 "$job" --raw --steps=2 --size=300 --ranks=2
lost=$(find "$job" -name 'dev_start.log*' | sort | head -n 1)
[ -n "$lost" ] || fail "the demo has no clock file"
rm "$lost"

open_run 120 40 --ascii --no-state "$job"
term_wait '1 Triage' "$WAIT"
term_type 5
term_wait 'Ascend Hardware' "$WAIT"
term_type ':stack 0-1'
term_keys Enter
term_wait 'rank 0 is moved by ' "$WAIT"
term_wait ': its clock was lost, its collectives place it so within ' "$WAIT"
term_wait 'rank 0   moved by ' "$WAIT"
# It is not moved again after =0.
term_type '=0'
term_wait 'no rank is moved any more' "$WAIT"
term_capture | grep -q 'rank 0   moved by' && fail "=0 does not bring it back"
term_keys Q
expect_exit 0 "$WAIT"
