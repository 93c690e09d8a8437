#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo --raw against demo --gen=1 of the same options: what the import makes of the raw files is what it makes
# of the analysed ones. Also of runs that crashed or lost a slice: a part of the same rows, no others. FLOPs:
# the analysed files hold products of rounded figures, so they are compared to 12 digits (rates: 9). Types of
# ops have their place in aicore_intermediate, which holds no more than averages: their executions are
# compared instead.
set -eu
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-raw-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
npuscope=${NPUSCOPE:-${top_builddir:-.}/npuscope}
XDG_CACHE_HOME=$tmp/cache LC_ALL=C
export XDG_CACHE_HOME LC_ALL

fail() { echo "demo_raw: $*"; exit 1; }
ask() { # DIR SQL >rows; status 4 says of damaged files, which only some are to have
    status=0
    "$npuscope" query -q --rank=all -F csv --no-header "$tmp/$1" "$2" || status=$?
    case $1:$status in *:0 | crash:4 | share:4) return 0 ;; esac
    return 1
}

exec_rows="select x.rank, s.text, x.stream, x.ts_ns, x.dur_ns from op_exec x join op o on o.id = x.op_id
    join string s on s.id = o.name_id order by 1, 4, 3"
type_rows="select x.rank, t.text, count(*), sum(x.dur_ns) from op_exec x join op o on o.id = x.op_id
    join string s on s.id = o.name_id left join op b on b.name_id = o.name_id and b.type_id is not null
    join string t on t.id = b.type_id group by 1, 2 order by 1, 2"
step_rows="select rank, step, start_ns, end_ns, fp_ns, bp_ns, total_ns, interval_ns, fp_bp_ns, tail_ns, complete
    from step order by 1, 2"
part_rows="select p.rank, p.step, p.stream, s.text, p.start_ns, p.end_ns, p.dur_ns from step_part p
    join string s on s.id = p.name_id where p.kind = 'reduce' order by 1, 2, 5"
aicpu_rows="select a.rank, s.text, ts_ns, total_ns, dispatch_ns, compute_ns, run_start, run_end from aicpu_exec a
    join string s on s.id = a.name_id order by 1, 3"
flops_rows="select f.rank, s.text, printf('%.12g', coalesce(cube_flops, 0) + coalesce(vector_flops, 0)),
    printf('%.9g', flops_per_s), printf('%.9g', utilisation) from op_flops f join op o on o.id = f.op_id
    join string s on s.id = o.name_id order by 1, 2"
comm_rows="select c.rank, s.text, c.step, c.transit_ns, c.wait_ns from comm_exec c join string s on s.id = c.name_id
    where c.step is not null order by 1, 3, 2"
link_rows="select l.rank, s.text, l.step, l.src_rank, l.dst_rank, l.size_b, l.time_ns from comm_link l join string s on s.id = l.name_id
    where l.stat = 'op' order by 1, 3, 2, 4"
op_rows="select distinct s.text, o.graph_id, block_num, a.text, b.text, c.text, d.text, f.text, g.text, o.stream, o.task from op o
    join string s on s.id = o.name_id join string a on a.id = o.in_shapes_id join string b on b.id = o.in_types_id
    join string c on c.id = o.in_formats_id join string d on d.id = o.out_shapes_id join string f on f.id = o.out_types_id
    join string g on g.id = o.out_formats_id order by 1"

same() { # DIR OTHER WHAT SQL
    ask "$1" "$4" >"$tmp/one"
    ask "$2" "$4" >"$tmp/two"
    [ -s "$tmp/one" ] || fail "$3: no rows of $1"
    cmp -s "$tmp/one" "$tmp/two" || { diff "$tmp/one" "$tmp/two" | head -6; fail "$3 of $1 and $2 differ"; }
    echo "demo_raw: $2: $3: $(wc -l <"$tmp/one") rows agree"
}
part() { # DIR OTHER WHAT SQL: the rows of OTHER are some of those of DIR, not all
    ask "$1" "$4" | sort >"$tmp/one"
    ask "$2" "$4" | sort >"$tmp/two"
    [ -s "$tmp/two" ] || fail "$3: no rows of $2"
    [ -z "$(comm -13 "$tmp/one" "$tmp/two" | head -1)" ] || {
        comm -13 "$tmp/one" "$tmp/two" | head -3
        fail "$3: $2 has rows that $1 has not"
    }
    cmp -s "$tmp/one" "$tmp/two" && fail "$3: nothing is missing in $2"
    echo "demo_raw: $2: $3: $(wc -l <"$tmp/two") of $(wc -l <"$tmp/one") rows"
}
demo() { # NAME OPTIONS
    name=$1
    shift
    "$npuscope" demo -q "$@" "$tmp/$name" || fail "cannot write $name"
}

# Both networks, one rank and more than a host has.
n=0
while read -r options; do
    n=$((n + 1))
    # The options are words.
    # shellcheck disable=SC2086
    demo "a$n" --gen=1 $options
    # shellcheck disable=SC2086
    demo "r$n" --raw $options
    same "a$n" "r$n" executions "$exec_rows"
    same "a$n" "r$n" "ops by type" "$type_rows"
    same "a$n" "r$n" steps "$step_rows"
    same "a$n" "r$n" "AI CPU tasks" "$aicpu_rows"
    same "a$n" "r$n" FLOPs "$flops_rows"
    same "a$n" "r$n" tensors "$op_rows"
    case $options in *ranks=1\ *) ;; *) same "a$n" "r$n" communication "$part_rows"
        same "a$n" "r$n" "communication ops" "$comm_rows"
        same "a$n" "r$n" "links of communication ops" "$link_rows" ;; esac
done <<'LIST'
--ranks=2 --steps=3 --seed=7
--ranks=1 --steps=1 --seed=2
--ranks=10 --steps=1 --model=transformer
LIST

# The same of all versions, which name the communication ops and AI CPU tasks of text files by less.
for era in r16 r15 r13; do
    demo "$era" --raw --ranks=2 --steps=3 --seed=7 --era=$era
    same r1 "$era" executions "$exec_rows"
    same r1 "$era" steps "$step_rows"
done
same r1 r16 communication "$part_rows"
same r1 r16 "AI CPU tasks" "$aicpu_rows"
for era in r15 r13; do
    same r1 "$era" "communication by stream" \
        "select rank, step, stream, start_ns, end_ns from step_part where kind = 'reduce' order by 1, 2, 4"
    same r1 "$era" "times of AI CPU tasks" \
        "select rank, ts_ns, total_ns, dispatch_ns, compute_ns from aicpu_exec order by 1, 2"
done

# The same options give the same bytes; another seed gives others.
demo again --raw --ranks=2 --steps=3 --seed=7
diff -r "$tmp/r1" "$tmp/again" >/dev/null || fail "the same seed gave other bytes"
demo other --raw --ranks=2 --steps=3 --seed=8
diff -r "$tmp/r1" "$tmp/other" >/dev/null && fail "another seed gave the same bytes"

# A crash in the second step: a part of the run, each rank up to another instant; a step that is not whole;
# nothing closed that was open.
demo crash --raw --ranks=2 --steps=3 --seed=7 --crashed=2
part r1 crash executions "$exec_rows"
part r1 crash communication "$part_rows"
rows=$(ask crash "select rank, step, complete from step order by 1, 2" | tr '\n' ' ')
[ "$rows" = "0,1,1 0,2,0 1,1,1 1,2,0 " ] || fail "steps of the crashed run: $rows"
rows=$(ask crash "select count(distinct n) from (select rank, count(*) n from op_exec group by rank)")
[ "$rows" = 2 ] || fail "both ranks stopped at the same task"
# One rank has the start of one communication op last, the other its end and the start of the next: two marks
# of 40 bytes more. (Marks of a step that are odd in number give no communication rows.)
marks() { find "$tmp/crash" -name "ts_track.data.$1.slice_0" -exec wc -c {} + | awk '{ print $1 }'; }
more=$(($(marks 0) - $(marks 1)))
[ "${more#-}" -ge 80 ] || fail "no rank hangs in an earlier communication op than the others"
for file in hwts.data ts_track.data aicore.data DATA_PREPROCESS.AICPU; do
    [ "$(find "$tmp/crash" -name "$file.0.slice_0" | wc -l)" = 1 ] || fail "$file is not there"
    [ "$(find "$tmp/crash" -name "$file.0.slice_0.done" | wc -l)" = 0 ] || fail "$file was closed"
    "$npuscope" files -q "$tmp/crash" | grep -q "/$file.0.slice_0 .*TORN" || fail "$file is whole"
done
[ -z "$(find "$tmp/crash" -name 'end_info*')" ] || fail "a crashed run has an end"
demo share --raw --ranks=1 --steps=10 --crashed=60%
rows=$(ask share "select max(step), count(*) from step where complete")
[ "$rows" = 6,6 ] || fail "a crash at 60% of ten steps leaves $rows whole steps"

# A lost slice: rows around it are there.
demo long --raw --ranks=1 --steps=70 --seed=5
demo lost --raw --ranks=1 --steps=70 --seed=5 --lose-slice=1
[ "$(find "$tmp/long" -name 'hwts.data.0.slice_?' | wc -l)" -ge 3 ] || fail "a run of 70 steps has one slice"
diff -rq "$tmp/long" "$tmp/lost" | grep -v 'hwts.data.0.slice_1' | grep -q . &&
    fail "more than a slice is missing"
part long lost executions "$exec_rows"
same long lost steps "$step_rows"

# GPUs, the CPU, PyNative mode: the same ops as long, to the six digits of a C++ float; those of a GPU begin 3
# us before their kernels. A host's ops are in host_op where a device has its own, and the AI CPU's ops are
# the host's.
sums="select s.text, count(*), sum(x.dur_ns) from op_exec x join op o on o.id = x.op_id join string s on s.id = o.name_id
    where x.rank = 1 group by 1 order by 1"
host_sums="select s.text, count(*), sum(h.dur_ns) from host_op h join string s on s.id = h.name_id
    where h.rank = 1 and s.text not like '%AllReduce%' group by 1 order by 1"
ask a1 "$sums" >"$tmp/device"
near() { # WHAT, longer by this each time, FILE, FILE
    join -t, "$3" "$4" >"$tmp/both"
    [ "$(wc -l <"$tmp/both")" = "$(wc -l <"$3")" ] || fail "$1: other ops"
    awk -F, -v more="$2" '$2 != $4 || $5 - more * $4 < $3 * 0.99999 - 40 || $5 - more * $4 > $3 * 1.00001 + 40 { print; bad = 1 }
        END { exit bad }' "$tmp/both" >"$tmp/log" || { head -3 "$tmp/log"; fail "$1: other times"; }
    echo "demo_raw: $1: $(wc -l <"$tmp/both") ops agree"
}
for mode in gpu cpu pynative; do
    demo $mode --raw --mode=$mode --ranks=2 --steps=3 --seed=7
    demo again_$mode --raw --mode=$mode --ranks=2 --steps=3 --seed=7
    diff -r "$tmp/$mode" "$tmp/again_$mode" >/dev/null || fail "$mode: the same seed gave other bytes"
done
ask gpu "$sums" >"$tmp/rows"
near gpu 3000 "$tmp/device" "$tmp/rows"
ask pynative "$sums" >"$tmp/rows"
near pynative 0 "$tmp/device" "$tmp/rows"
ask cpu "$host_sums" >"$tmp/rows"
near cpu 0 "$tmp/device" "$tmp/rows"
[ "$(ask gpu "select count(*) from step where complete")" = 6 ] || fail "gpu: not three steps on each rank"
[ "$(ask gpu "select count(*) from step_part where kind = 'reduce'")" = \
    "$(ask a1 "select count(*) from step_part where kind = 'reduce'")" ] ||
    fail "gpu: other communication than on Ascend"

# What does not go together.
for options in "--raw --gen=2 --era=r13" "--raw --gen=2 --lose-slice=1" "--raw --gen=2 --mode=cpu" \
    "--crashed=2" "--era=r13" "--raw --crashed=x" "--raw --crashed=100%" "--raw --steps=2 --crashed=3" \
    "--mode=cpu" \
    "--raw --mode=gpu --crashed=2" "--raw --mode=cpu --era=r13"; do
    # shellcheck disable=SC2086
    "$npuscope" demo -q $options "$tmp/never" 2>"$tmp/log" && fail "$options was taken"
    [ -s "$tmp/log" ] && [ ! -e "$tmp/never" ] || fail "$options: $(cat "$tmp/log")"
done
echo "demo_raw: crashes, lost slices and eras are as they should be"
