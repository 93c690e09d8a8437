#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The default demo has something on every pane, for every rank; documented values of its options are those that
# are accepted; its counters of operations are the same raw and analysed.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0
fail() {
    echo "$*"
    failed=$((failed + 1))
}

# panes DIR: rows of each pane's command, for each rank
panes() {
    for command in files ops steps timeline flops memory data comm host; do
        for rank in 0 1; do
            rows=$("$npuscope" $command -q -r $rank -n 100 -F csv --no-header "$1" | grep -c .)
            [ "$rows" -gt 0 ] || fail "$1: $command of rank $rank has no rows"
        done
    done
    "$npuscope" triage -q "$1" | grep -q '^0-1  *State *ANALYSED' || fail "$1: triage says no state"
    n=$("$npuscope" query -q -F csv --no-header "SELECT count(*) FROM (SELECT type FROM ops UNION SELECT type
        FROM op_stats)" "$1")
    [ "$n" -gt 1 ] || fail "$1: SQL finds no ops"
}
"$npuscope" demo -q "$tmp/default" || exit 1
panes "$tmp/default"
"$npuscope" demo -q --gen=1 --steps=3 "$tmp/gen1" || exit 1
panes "$tmp/gen1"

# Settings of info files are in the store once.
for run in default gen1; do
    twice=$("$npuscope" query -q -F csv --no-header "SELECT count(*) - count(DISTINCT source_id || ' ' || key || ' ' ||
        ifnull(value, '')) FROM setting" "$tmp/$run")
    [ "$twice" = 0 ] || fail "$run: $twice settings twice"
done

# On the screens, too: no pane says that it is empty.
"$npuscope" --linear "$tmp/default" >"$tmp/screens" || fail "--linear: status $?"
grep -q FLOPs "$tmp/screens" || fail "no screen with FLOPs"
if grep -E "no FLOPs|To get it|to get it" "$tmp/screens"; then fail "a pane of the default demo is empty"; fi

# Files that are not read because others have the same are spare, and the reason is said once.
"$npuscope" files -q -F csv --no-header -C state,note,used "$tmp/default" >"$tmp/states"
! grep '^UNREAD,' "$tmp/states" || fail 'files of a run that is read say UNREAD'
spare=$(grep -c '^spare,[^,]' "$tmp/states")
[ "$spare" -gt 5 ] || fail "$spare files are spare, with a reason"
! grep '^spare,' "$tmp/states" | grep -v ',no$' || fail 'a spare file says its reason twice'

# FLOPs are those of the network: conv1 of ResNet-50 at batch 32, 2 x 32 x 112 x 112 x 64 x 3 x 49, of which the
# cube unit counts blocks of 8192.
got=$("$npuscope" flops -q -n 1 -C mflops -F csv --no-header -f 'op_name~conv1-Conv2d/Conv2D-op3' "$tmp/default")
[ "${got%.*}" = 7552 ] || [ "${got%.*}" = 7553 ] || fail "conv1 has $got MFLOPs"

# Raw data of the same run give the same table.
"$npuscope" demo -q --steps=2 --ranks=1 "$tmp/analysed" && "$npuscope" demo -q --steps=2 --ranks=1 --gen=2 --raw \
    "$tmp/raw" || exit 1
"$npuscope" export summary --compat -dir "$(find "$tmp/raw" -type d -name 'PROF_*')" >/dev/null 2>&1 || fail "export: $?"
for table in op_summary fusion_op; do
    cmp "$(find "$tmp/analysed" -name "${table}_*.csv")" "$(find "$tmp/raw" -name "${table}_*.csv")" ||
        fail "$table: raw and analysed differ"
done

# The other group, and where operations are not counted.
"$npuscope" demo -q --steps=1 --ranks=1 --metrics=pipe "$tmp/pipe" || fail "--metrics=pipe"
grep -q aic_mac_ratio "$(find "$tmp/pipe" -name kernel_details.csv)" || fail "--metrics=pipe has no busy pipes"
for wrong in --gen=1 "--gen=2 --raw --chip=910A"; do
    # shellcheck disable=SC2086
    "$npuscope" demo -q $wrong --metrics=arithmetic "$tmp/wrong" 2>/dev/null && fail "$wrong counts operations"
done

# Values as help lists them.
values() { # OPTION: what help says of it
    "$npuscope" help demo | awk -v o="$1=" 'index($0, " " o) { on = 1; print; next } /^ *-/ { on = 0 } on'
}
for era in r20 r16 r15 r13; do
    values --era | grep -q "$era" || fail "help does not list --era=$era"
    "$npuscope" demo -q --gen=1 --raw --ranks=1 --steps=1 --era=$era "$tmp/era$era" || fail "--era=$era"
done
for era in r27 r26 r25 torch_npu; do
    values --era | grep -q "$era" || fail "help does not list --era=$era"
    "$npuscope" demo -q --gen=2 --raw --ranks=2 --steps=3 --era=$era "$tmp/era$era" || fail "--era=$era"
    "$npuscope" demo -q --gen=1 --raw --era=$era "$tmp/wrong" 2>/dev/null && fail "--era=$era is of --gen=1"
    # What was never analysed has something on every pane, too; torch_npu records no data pipeline.
    for command in files ops steps timeline flops memory data comm host; do
        [ $era.$command = torch_npu.data ] && continue
        rows=$("$npuscope" $command -q -r 1 -n 100 -F csv --no-header "$tmp/era$era" | grep -c .)
        [ "$rows" -gt 0 ] || fail "$era: $command has no rows"
    done
    for kind in async_npu async_mindspore:async_task_queue; do
        n=$("$npuscope" query -q -r 1 -F csv --no-header "SELECT count(*) FROM flow f JOIN string s ON
            s.id = f.kind_id WHERE s.text IN ('${kind%:*}', '${kind#*:}')" "$tmp/era$era")
        [ "$n" -gt 2 ] || fail "$era: no arrows of $kind"
    done
    n=$("$npuscope" query -q -r 1 -F csv --no-header "SELECT count(DISTINCT name_id) FROM mem_alloc" "$tmp/era$era")
    [ "$n" -gt 9 ] || fail "$era: allocations have $n owners"
done
n=$(values --era | grep -o 'r[12][0-9]' | sort -u | wc -l)
[ "$n" = 7 ] || fail "help lists $n eras"
for wrong in r17 2.0 r2.0; do
    "$npuscope" demo -q --gen=1 --raw --era=$wrong "$tmp/wrong" 2>"$tmp/said" && fail "--era=$wrong is taken"
    grep -q 'r20' "$tmp/said" || fail "--era=$wrong: the message does not say what is: $(cat "$tmp/said")"
done
for gen in 1 2; do
    "$npuscope" demo -q --gen=$gen --ranks=1 --steps=1 "$tmp/only$gen" || fail "--gen=$gen"
done
"$npuscope" demo -q --gen=3 "$tmp/wrong" 2>/dev/null && fail "--gen=3 is taken"
for chip in 910B 910A 310P 310B 950; do
    "$npuscope" demo -q --gen=2 --raw --ranks=1 --steps=1 --chip=$chip "$tmp/chip$chip" || fail "--chip=$chip"
done
exit $failed
