#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every pane shows what the profile holds, at 80x24 and 160x50, both generations. What is expected is read
# from the profile's own files here, not by the program.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/g1"
make_demo 2 "$test_dir/g2"
keep "$test_dir/g1"
keep "$test_dir/g2"
p1=$test_dir/g1/profiler
p2=$(echo "$test_dir"/g2/*_ascend_ms/ASCEND_PROFILER_OUTPUT)

pane() { # KEY TITLE: go there
    term_keys "$1"
    term_wait "[$1 $2]" "$WAIT"
}

# row TEXT...: a line of the screen contains all of them, in this order, with anything between
has_row() {
    term_capture | grep -qE -e "$row_re"
}
row() {
    row_re=$(printf '%s.*' "$@")
    term_poll "$WAIT" has_row || fail "no line with: $*"
}

lines() { # data lines of a CSV
    echo $(($(wc -l <"$1") - 1))
}

see_g1() {
    types=$(lines "$p1/aicore_intermediate_0_type.csv")
    calls=$(awk -F, '$1 == "Conv2D" { print $3 }' "$p1/aicore_intermediate_0_type.csv")
    steps=$(grep -c '^[0-9]' "$p1/step_trace_raw_0_detail_time.csv")
    pane 2 Files
    row 'aicore_intermediate_0_detail.csv' "$(lines "$p1/aicore_intermediate_0_detail.csv")" ok ops
    row 'aicore_intermediate_0_type.csv' "$types" ok
    pane 3 Ops
    row Type Core Time Calls Avg
    row ' Conv2D ' ' [mu]s' " $calls "
    row ' Add ' ' 16 '
    expect_line -2 'types   sorted by Time' "$WAIT"
    pane 4 Steps
    row Step Total Interval 'Fwd\+bwd' Tail
    row ' \(1\) ' '30.29 ms' '0 ms' '29.96 ms' '324 us'
    row ' 3 ' '30.29 ms'
    expect_line -2 "$steps steps" "$WAIT"
    pane 6 FLOPs
    row Scope 'GFLOPs ▾' % TFLOPS 'Util%'
    pane 7 Mem
    row 'peak 2.1 GiB alive'
    term_type ':view node'
    term_keys Enter
    row '[>▶] *18  BNTrainingUpdate-op19' '49.0 MiB'
    expect_line -2 '693 nodes   sorted by To peak' "$WAIT"
    term_keys P
    row '[>▶] *255  ReluGrad-op256' '2.1 GiB'
    term_type ':view tensor'
    term_keys Enter
    row 'GetNext-op1:0' '18.4 MiB'
    expect_line -2 '2 tensors   sorted by Size' "$WAIT"
    pane 8 Data
    row Op Workers Queue
    row 'ImageFolder\(id=|ImageFolderOp'
    pane 9 Comm
    expect_line 2 '[9 Comm]' "$WAIT"
    pane 0 Host
    row Stage Time Start
    term_wait 'Start: own clock' "$WAIT"
    term_type ':view aicpu'
    term_keys Enter
    row Kernel Calls Avg
    row 'GetNext-op1' ' 3 ' '91.0 us'
    expect_line -2 '1 kernel   sorted by Total' "$WAIT"
}

see_g2() {
    calls=$(awk -F, '$2 == "Conv2D" { print $4 }' "$p2/op_statistic.csv")
    pane 2 Files
    row 'kernel_detail' 'ok' 'ops'
    row 'api_statistic' 'ok' 'host'
    pane 3 Ops
    row ' Conv2D ' AIC ' [mu]s' " $calls "
    pane 4 Steps
    row Step Total Computing Preparing Idle # one rank alone: nothing communicates
    row 'Comm only +0 ns'
    row ' \(11\) ' '29.40 ms'
    row ' 13 ' '28.33 ms'
    expect_line -2 "$(lines "$p2/step_trace_time.csv") steps" "$WAIT"
    pane 6 FLOPs
    row Scope 'GFLOPs ▾' % TFLOPS
    row '_backbone-ResNet/' 518.7 66.3 27.5
    row 'each op once: 782.4 GFLOPs in their own time'
    pane 7 Mem
    row 'MindSpore\+GE +peak 4.0 GiB reserved'
    term_type ':view alive'
    term_keys Enter
    term_wait '[alive by op]' "$WAIT"
    row 'GiB allocated \(the most\) +listed: '
    term_type ':view peaks'
    term_keys Enter
    term_wait '[peaks]' "$WAIT"
    row Component 'Peak reserved' 'Peak alloc' 'Peak process'
    row '[>▶]MindSpore\+' '4.0 GiB' '2.4 GiB'
    row ' APP ' '9.2 GiB' '9.2 GiB'
    pane 8 Data
    row 'MapOp\(id=3\)|Map\(id=3\)'
    pane 0 Host
    row API Level Calls Total
    term_type ':view aicpu'
    term_keys Enter
    row Kernel Calls
    row 'GetNext-op1' ' 3 '
}

for size in '80 24' '160 50'; do
    for gen in 1 2; do
        # shellcheck disable=SC2086
        open_run $size "$test_dir/g$gen"
        expect_line 1 "g$gen" "$WAIT"
        see_g$gen
        term_keys Q
        expect_exit 0 "$WAIT"
        echo "generation $gen at $size: every pane shows its data"
    done
done

# Measurements have words of their own, not the names of the file's fields.
words=$(cli query -q -F csv "$test_dir/g1" 'SELECT count(*) AS n FROM host_sample' | sed -n 2p)
[ "$words" -gt 1 ] || fail "the run has no measurements"
cli host -q --by=sample -F csv "$test_dir/g1" | grep -q '^context switches,' || fail "no word for context switches"
! cli host -q --by=counter -F csv "$test_dir/g1" | cut -d, -f1 | grep '_' || fail "a field's name among measurements"

# Scopes are offered only where an op has one: raw files of MindSpore 2.x name none, those of 1.x do.
make_demo 1 "$test_dir/raw1" --raw
make_demo 2 "$test_dir/raw2" --raw
cli ops -q --by=scope "$test_dir/raw1" | grep -q '/layer1-' || fail "no scopes in raw data of MindSpore 1.x"
[ -z "$(cli ops -q --by=scope "$test_dir/raw2" 2>/dev/null)" ] || fail "scopes without a name"
open_run 160 50 "$test_dir/raw2"
pane 3 Ops
expect_line 3 '[type]  single op  type and shape' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
