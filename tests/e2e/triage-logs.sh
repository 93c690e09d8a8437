#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Why a job died, without a key at 80x24: jobs of several faults with the logs that they leave. The rank, the
# class of the fault and its first error are on the first screen; Enter shows the evidence; --no-logs leaves
# it out.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
TERM_CWD=$test_dir

see() { # NAME RANK TEXT FIRST OPTION...: the fault, and what the first screen says
    name=$1 rank=$2 text=$3 first=$4
    shift 4
    make_demo 2 "$test_dir/$name" --raw --steps=4 --size=2000 --ranks=4 --fault="$name" --fault-rank="$rank" "$@"
    open_run 80 24 --no-state "$test_dir/$name"
    term_wait "rank $rank" "$WAIT"
    term_wait "$text" "$WAIT"
    [ -z "$first" ] || term_wait "$first" "$WAIT"
    expect_line 4 'CRASHED' "$WAIT"
    term_keys Enter
    term_wait 'Confidence' "$WAIT"
    [ -z "$first" ] || term_wait 'First error' "$WAIT"
    term_keys G
    term_wait '; npuscope logs PATH prints this' "$WAIT"
    term_keys q Q
    expect_exit 0 "$WAIT"
}

see aicore 2 'AI Core exception' '.log:' --crashed=60% --era=torch_npu
see killed 1 'killed by SIGKILL' 'agent.log:' --crashed=60% --era=torch_npu
see host_oom 3 'host out of memory' 'messages:' --crashed=60%
see py_exception 0 'Python exception' '.txt:' --crashed=60% --era=torch_npu
see straggler 2 'rank never arrived' '' --crashed=60% --era=torch_npu
see disk_full 1 'disk full' '.log:' --crashed=60%

# Files lists them with the others, and why each counts; Enter shows how one begins.
open_run 100 30 --no-state "$test_dir/host_oom"
term_wait 'host out of memory' "$WAIT"
term_keys 2
term_wait '[2 Files]' "$WAIT"
term_keys v
term_wait '[logs]' "$WAIT"
term_wait 'of rank 3' "$WAIT"
term_keys Enter
term_wait 'How it begins' "$WAIT"
term_keys q Q
expect_exit 0 "$WAIT"

open_run 80 24 --no-state --no-logs "$test_dir/aicore"
term_wait '4 ranks' "$WAIT"
term_wait 'ended without being stopped' "$WAIT"
expect_no 'AI Core exception' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# Logs without any profile: Triage has the verdict, Log the lines; the other panes say why they are empty.
mkdir "$test_dir/only"
cp -r "$test_dir/aicore/log" "$test_dir"/aicore/rank-*.txt "$test_dir/only"
for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086 # two words
    open_run $size --no-state "$test_dir/only"
    term_wait 'rank 2' "$WAIT"
    term_wait 'AI Core exception' "$WAIT"
    term_wait 'First error' "$WAIT"
    term_wait 'all of it' "$WAIT"
    term_keys Enter
    term_wait 'Verdict' "$WAIT"
    term_keys G
    term_wait '; npuscope logs PATH prints this' "$WAIT"
    term_keys q L
    term_wait 'Time (UTC)' "$WAIT"
    expect_line 2 '[L Log]' "$WAIT"
    term_wait ' core ' "$WAIT"
    for pane in 3 4 5 6 7 8 9 0; do
        term_keys "$pane"
        expect_line 2 "[$pane " "$WAIT"
        term_wait 'there are only logs here, no profile' "$WAIT"
    done
    term_keys 2
    term_wait 'There is no profile here, only logs' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
"$NPUSCOPE" triage "$test_dir/only" >"$test_dir/only.txt"
grep -q 'Verdict of the logs' "$test_dir/only.txt" || fail 'triage of logs alone'
