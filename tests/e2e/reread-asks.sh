#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# R reads the run again. It says whether files have changed and asks, because that means parsing all of it.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
keep "$test_dir/run"
steps=$test_dir/run/profiler/step_trace_raw_0_detail_time.csv

open_run 80 24 --no-state "$test_dir/run"
term_keys 4
expect_line -2 '3 steps' "$WAIT"
term_keys R
expect_line -2 'no file has changed; read ' "$WAIT"
term_keys Escape
expect_line -2 '3 steps' "$WAIT"
term_keys R j
expect_line -2 'nothing was read' "$WAIT"

# The last step goes.
sed '/^3,/d' "$steps" >"$test_dir/shorter" && cat "$test_dir/shorter" >"$steps"
term_keys R
expect_line -2 'files have changed; read ' "$WAIT"
term_keys Enter
expect_line -2 '2 steps' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
