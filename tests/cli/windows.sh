#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Windows of a dynamic profile: which one is shown, how another is chosen, what is said of them.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

fail() {
    echo "windows: $*"
    sed 's/^/    /' "$tmp/err"
    failed=$((failed + 1))
}

# window RANK START STOP STEPS: a profile of as many steps in the folder of a window
window() {
    "$npuscope" demo -q --ranks=1 --steps="$4" --size=2000 "$tmp/one" 2>"$tmp/err" || { fail "demo"; exit 1; }
    mkdir -p "$tmp/run/rank$1_start$2_stop$3"
    mv "$tmp/one/"*_ascend_ms "$tmp/run/rank$1_start$2_stop$3/"
    rm -r "$tmp/one"
}
window 0 2 5 4
window 0 20 21 2
window 0 100 102 3

# steps WORDS...: the number of steps that are printed
steps() {
    "$npuscope" steps --format=csv --no-header "$@" "$tmp/run" 2>"$tmp/err" | wc -l | tr -d ' '
}
[ "$(steps)" = 4 ] || fail "the first window is not shown unless another is chosen"
grep -qF 'this is window 2-5 of rank 0; there are 2-5, 20-21, 100-102' "$tmp/err" ||
    fail "the windows are not named"
[ "$(steps --window=20-21)" = 2 ] || fail "--window=20-21 shows another one"
[ "$(steps --window=100-102 --rank=0)" = 3 ] || fail "--window=100-102 --rank=0 shows another one"
"$npuscope" steps --window=7-9 "$tmp/run" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && grep -qF 'there is no window 7-9 here, only 2-5, 20-21, 100-102' "$tmp/err" ||
    fail "a wrong window"
[ -s "$tmp/out" ] && fail "a wrong window prints something"
"$npuscope" triage --window=20-21 "$tmp/run" 2>"$tmp/err" | grep -q 'Window *steps 20 to 21' || fail "triage"
"$npuscope" demo -q --ranks=1 --steps=2 --size=2000 "$tmp/plain" 2>"$tmp/err"
"$npuscope" steps --window=2-5 "$tmp/plain" >"$tmp/out" 2>"$tmp/err"
grep -qF 'this is no dynamic profile' "$tmp/err" || fail "a run without windows"

# Ranks are compared within the window that is chosen.
"$npuscope" demo -q --gen=2 --raw --crashed=60% --ranks=3 --steps=4 "$tmp/dead" 2>"$tmp/err" || fail "demo"
rank=0
for d in "$tmp/dead/"*_ascend_ms; do
    mkdir -p "$tmp/run/rank${rank}_start200_stop203"
    mv "$d" "$tmp/run/rank${rank}_start200_stop203/"
    rank=$((rank + 1))
done
"$npuscope" triage -q --format=json --window=200-203 "$tmp/run" >"$tmp/out" 2>"$tmp/err"
grep -q '^  {"rank": [0-2], "op": "hcom_allReduce_.*"left_by": \[[0-2], [0-2]\]}' "$tmp/out" ||
    fail "nobody is blocked in the window"
grep -q '"evidence": \[' "$tmp/out" && grep -q 'is still in hcom_allReduce.*, which 2 others have left' "$tmp/out" ||
    fail "the ranks of a window are not compared"
"$npuscope" steps --window=20-21 --rank=2 "$tmp/run" >"$tmp/out" 2>"$tmp/err"
grep -qF 'there is no rank 2 in window 20-21, only 0' "$tmp/err" || fail "a rank of other windows"
"$npuscope" steps --window=200-203 --rank=all "$tmp/run" >"$tmp/out" 2>"$tmp/err"
grep -q 'this is window' "$tmp/err" && fail "windows are named though one is chosen"
"$npuscope" triage -q --format=json --window=20-21 "$tmp/run" 2>"$tmp/err" | grep -q '"blocked": \[\]' ||
    fail "ranks of other windows are compared"
rm -r "$tmp/run/"rank?_start200_stop203

# What each window is doing, and the next one.
live=$tmp/live
mkdir "$live"
printf '{"start_step": 300, "stop_step": 301, "analyse_mode": 0}' >"$tmp/profiler_config.json"
mv "$tmp/run" "$live/run"
touch -d '1 hour ago' "$live/run/rank0_start2_stop5"/*_ascend_ms/ASCEND_PROFILER_OUTPUT \
    "$live/run/rank0_start2_stop5"/*_ascend_ms/ASCEND_PROFILER_OUTPUT/*
touch "$live/run/rank0_start20_stop21"/*_ascend_ms/ASCEND_PROFILER_OUTPUT/trace_view.json
rm -r "$live/run/rank0_start100_stop102"/*_ascend_ms/ASCEND_PROFILER_OUTPUT
touch "$live/run/rank0_start100_stop102"/*_ascend_ms/profiler_info_0.json
mkdir -p "$live/run/rank0_start200_stop201/h_1_ascend_ms/PROF_1/device_0/data" "$live/run/rank1_start200_stop201"
touch -d '1 hour ago' "$live/run/rank1_start200_stop201"
mkdir "$live/run/rank0_startx_stop3" "$live/run/rank0_start1_stop2_more"
list() { # WANT: the states of the windows
    "$npuscope" windows --format=csv --no-header "$live/run" >"$tmp/out" 2>"$tmp/err"
    got=$(cut -d, -f1-4 "$tmp/out" | tr '\n' ' ')
    [ "$got" = "$1" ] || fail "windows: '$got', not '$1'"
}
windows='2,5,0,analysed 20,21,0,analysing 100,102,0,analysing 200,201,0,collecting 200,201,1,interrupted '
list "${windows}300,301,,waiting "
grep -qF "$tmp/profiler_config.json" "$tmp/out" || fail "the configuration is not named"
"$npuscope" windows "$live/run" 2>/dev/null | grep -qF 'Changed (UTC)' || fail "a time without its zone"
printf '{"start_step": -1, "stop_step": -1}' >"$tmp/profiler_config.json"
list "$(echo "$windows" | sed 's/102,0,analysing/102,0,collected/')"
grep -q 'asks for no window' "$tmp/err" || fail "no window is asked for, and it is not said"
printf '{"start_step": ' >"$tmp/profiler_config.json"
list "$(echo "$windows" | sed 's/102,0,analysing/102,0,collected/')"
rm "$tmp/profiler_config.json"
"$npuscope" windows "$tmp/plain" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && grep -q 'there are no windows' "$tmp/err" || fail "a folder without windows"
"$npuscope" windows "$tmp/none" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] || fail "a folder that is not there"

# --follow prints what changes, also as npuscope DIR --follow without a terminal.
follow() { # OPTION...
    rm -rf "$tmp/job" && mkdir -p "$tmp/job/out"
    rm -f "$tmp/out" # with lines of the call before
    printf '{"start_step": 7, "stop_step": 8, "analyse_mode": 1}' >"$tmp/job/profiler_config.json"
    "$npuscope" "$@" --follow --period=1 "$tmp/job/out" >"$tmp/out" 2>"$tmp/err" </dev/null &
    pid=$!
    wanted ' UTC  next window 7-8: waiting'
    mkdir -p "$tmp/job/out/rank0_start7_stop8/h_1_ascend_ms"
    wanted 'window 7-8  rank 0  collecting'
    wanted 'next window 7-8: collecting'
    : >"$tmp/job/out/rank0_start7_stop8/h_1_ascend_ms/profiler_info_0.json"
    wanted 'window 7-8  rank 0  analysing'
    mkdir "$tmp/job/out/rank0_start7_stop8/h_1_ascend_ms/ASCEND_PROFILER_OUTPUT"
    touch -d '1 hour ago' "$tmp/job/out/rank0_start7_stop8/h_1_ascend_ms/ASCEND_PROFILER_OUTPUT"
    wanted 'window 7-8  rank 0  analysed'
    "$npuscope" configure -q --set start_step=20 --set step_num=3 "$tmp/job/profiler_config.json"
    wanted 'next window 20-22: waiting'
    kill -TERM $pid
    wait $pid
    [ $? -eq 143 ] || fail "$*: the status after a signal"
    [ "$(wc -l <"$tmp/out")" -eq 8 ] || fail "$*: $(wc -l <"$tmp/out") lines, not 8: $(cat "$tmp/out")"
}
wanted() { # TEXT: until the output has it
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -qF "$1" "$tmp/out" && return
        kill -0 $pid 2>/dev/null || break
        sleep 0.5
    done
    fail "it does not print '$1': $(cat "$tmp/out")"
}
follow windows
follow
"$npuscope" --follow "$tmp/plain" >"$tmp/out" 2>"$tmp/err" </dev/null
[ $? -eq 1 ] && grep -q 'this needs a terminal' "$tmp/err" || fail "--follow without windows and a terminal"

[ $failed -eq 0 ]
