#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Analysed files beside the raw data they were made of: nothing is said where both agree; where a number was
# changed the finding names the file, its line, the row and both values; where the vendor's own analysis is
# known to be wrong, that.
set -eu
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-agree-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
npuscope=${NPUSCOPE:-${top_builddir:-.}/npuscope}
samples=${NPUSCOPE_SAMPLES:-}
XDG_CACHE_HOME=$tmp/cache LC_ALL=C
export XDG_CACHE_HOME LC_ALL

fail() { echo "agree: $*"; exit 1; }
said() { # DIR: file:line:text of each difference
    "$npuscope" query -q --no-cache --rank=all -F csv --no-header "$1" \
        "select replace(s.path, rtrim(s.path, replace(s.path, '/', '')), '') ||
        ':' || ifnull(n.line, '') || ':' || n.text from note n join source s on s.id = n.source_id where n.code = 'DIFFERS' order by 1" >"$tmp/query" ||
        fail "$1 is not read" >&2
    sed 's/^"//; s/"$//' "$tmp/query"
}
nothing() { # DIR WHAT
    said "$1" >"$tmp/said"
    [ ! -s "$tmp/said" ] || { head -3 "$tmp/said"; fail "$2 do not agree"; }
    echo "agree: $2: nothing differs"
}

# Two demos of one seed.
for options in "--ranks=2 --steps=3 --seed=7" "--ranks=1 --steps=2 --model=transformer"; do
    rm -rf "$tmp/both" "$tmp/raw"
    # shellcheck disable=SC2086
    "$npuscope" demo -q --gen=1 $options "$tmp/both"
    # shellcheck disable=SC2086
    "$npuscope" demo -q --raw $options "$tmp/raw"
    cp -r "$tmp/raw/profiler/." "$tmp/both/profiler"
    nothing "$tmp/both" "demo $options"
    case $options in *seed=7) mv "$tmp/both" "$tmp/whole" ;; esac
done

# Names of kernel_details.csv have that of the launch before them, those of msprof's database beside it have not.
"$npuscope" demo -q --raw --gen=2 --ranks=1 --steps=2 "$tmp/names" && "$npuscope" analyse -q "$tmp/names" >/dev/null || fail "names"
unit=$(echo "$tmp/names/"*_ascend_ms)
kernels=$unit/ASCEND_PROFILER_OUTPUT/kernel_details.csv
"$npuscope" export db -dir "$unit" >/dev/null || fail "names: no database"
grep -q '::.*/GetNext-op1,' "$kernels" || fail "names: no launch is named"
nothing "$tmp/names" "names of launches and a database"
was=$(sed -n 2p "$kernels" | cut -d, -f10)
sed -i "2s/,$was,/,77.770,/" "$kernels"
said "$tmp/names" >"$tmp/said"
grep -q '^kernel_details.csv:2:.*/GetNext-op1: time 0.0[0-9]* ms, 0.0[0-9]* ms in .*db; 1 of [0-9]* ops' "$tmp/said" &&
    [ "$(wc -l <"$tmp/said")" = 1 ] || { head -3 "$tmp/said"; fail "names: a time that was changed"; }

# One number changed in one file: what is said of it.
changed() { # FILE SED LINE WHAT [FILE OF WHICH IT IS SAID]
    cp "$tmp/whole/profiler/$1" "$tmp/kept"
    sed "$2" "$tmp/kept" >"$tmp/whole/profiler/$1"
    cmp -s "$tmp/kept" "$tmp/whole/profiler/$1" && fail "$1: $2 changes nothing"
    said "$tmp/whole" >"$tmp/said"
    cp "$tmp/kept" "$tmp/whole/profiler/$1"
    [ "$(wc -l <"$tmp/said")" = 1 ] ||
        { head -3 "$tmp/said"; fail "$1: $2: said $(wc -l <"$tmp/said") times"; }
    # Lines and what is said are patterns.
    # shellcheck disable=SC2254
    case $(cat "$tmp/said") in
    "${5-$1}:"*"; known of "*) fail "$1: $2: a reason for what has none: $(cat "$tmp/said")" ;;
    "${5-$1}:"$3:$4) echo "agree: $(cut -c1-150 "$tmp/said")" ;;
    *) fail "$1: $2: $(cat "$tmp/said"), not line $3 $4" ;;
    esac
}
f=$tmp/whole/profiler
cell() { sed -n "$2p" "$f/$1" | cut -d, -f"$3"; }
second=$(cell step_trace_raw_0_detail_time.csv 3 3)
changed step_trace_raw_0_detail_time.csv "3s/$second/${second}0/" 3 \
    "step 2: end * ms, * ms in *ts_track.data.0.slice_0; 1 of 3 steps differ"
one=$(cell output_timeline_data_1.txt 4 4)
changed output_timeline_data_1.txt "4s/,$one\$/,9.5/" 4 \
    "*: time * ms, * ms in *hwts.data.1.slice_0; 1 of * ops with executions differ"
changed output_timeline_data_0.txt 5d "*" \
    "*: executions 2, 3 in *hwts.data.0.slice_0; 1 of * ops with executions differ"
one=$(cell aicore_intermediate_0_detail.csv 2 2)
changed aicore_intermediate_0_detail.csv "2s/$one/9.5/" 2 \
    "*: mean time 9.5 ms, 0.0* ms in *hwts.data.0.slice_0; 1 of * ops differ"
one=$(cell aicore_intermediate_0_type.csv 3 2)
changed aicore_intermediate_0_type.csv "3s/$one/9.5/" 3 \
    "*: sum of means 9.5 ms, * ms in *hwts.data.0.slice_0; 1 of * op types differ"
changed aicore_intermediate_0_type.csv 4d "" "*: only in *hwts.data.0.slice_0; 1 of * op types differ"
changed aicpu_intermediate_0.csv "3s/,0.0[0-9]*,/,0.77,/" 3 \
    "task 2: total time 0.770000 ms, 0.0* ms in *AICPU.0.slice_0; 1 of 3 AI CPU tasks differ"
changed flops_1.txt "3s/, [0-9.]*, /, 1.5, /" 3 \
    "*: FLOPs 1500000, * in *aicore.data.1.slice_0; 1 of * ops with FLOPs differ"
changed flops_summary_0.json 's/"FLOPs": [0-9.]*/"FLOPs": 1.5/' "" \
    "sum: FLOPs 1500000, * in *aicore.data.0.slice_0; 1 of 1 sums of FLOPs differ"

# Files of one topic, of which one is not used.
in=" bytes in memory_usage_0.pb"
changed memory_usage_summary_0.json 's/"peak_mem": [0-9.]*/"peak_mem": 0.5/' "" \
    "rank 0: peak 536870912 bytes, *$in; 1 of 1 sums of memory differ"
changed memory_usage_summary_0.json 's/"static_mem": [0-9.]*/"static_mem": 0.25/' "" \
    "rank 0: static memory 268435456 bytes, *$in; 1 of 1 sums of memory differ"
changed memory_usage_summary_0.json 's/"allocations": [0-9]*/"allocations": 7/' "" \
    "rank 0: allocations 7, * in memory_usage_0.pb; 1 of 1 sums of memory differ"
changed memory_usage_details_0.json 's/"size": [0-9.]*/"size": 0.5/' "" \
    "node 0 of 1: size 536870912 bytes, *$in; 1 of * nodes differ"
changed memory_usage_details_0.json 's/"lines": \[[0-9.]*/"lines": [0.5/' "" \
    "node 0 of 1: memory in use 536870912 bytes, *$in; 1 of * nodes differ"
changed memory_usage_details_0.json 's/"allocations": [0-9]*/"allocations": 9/' "" \
    "node 0 of 1: allocations 9, 2 in memory_usage_0.pb; 1 of * nodes differ"
changed memory_usage_details_0.json 's/"name": "Cast-op2"/"name": "Cast-op9"/' "" \
    "node 1 of 1: name Cast-op9, Cast-op2 in memory_usage_0.pb; 1 of * nodes differ"
changed memory_usage_details_0.json 's/"tensor_id": 1, "size": [0-9.]*/"tensor_id": 1, "size": 0.5/' "" \
    "GetNext-op1:0: size 536870912 bytes, *$in; 1 of * tensors differ"
changed memory_usage_details_0.json 's/"tensor_name": "GetNext-op1:0"/"tensor_name": "GetNext-op1:7"/' "" \
    "GetNext-op1:7: not in memory_usage_0.pb; 1 of * tensors differ"
in="in minddata_pipeline_raw_0.csv; 1 of 4 ops of the data pipeline differ"
one=$(sed -n 's/.*\]",\([0-9.]*\),.*/\1/p' "$f/minddata_pipeline_raw_0.csv" | head -1)
changed minddata_pipeline_raw_0.csv "3s/,$one,/,9.5,/" "" "op 2: mean queue 1.3*, 9.5 $in" \
    pipeline_profiling_0.json
changed minddata_pipeline_raw_0.csv "4s/,MapOp,8/,MapOp,7/" "" "op 3: workers 8, 7 $in" \
    pipeline_profiling_0.json
changed minddata_pipeline_raw_0.csv "4s/,MapOp,/,MopOp,/" "" "op 3: type MapOp, MopOp $in" \
    pipeline_profiling_0.json
changed minddata_pipeline_raw_0.csv 4d "" "op 3: not $in" pipeline_profiling_0.json
changed pipeline_profiling_0.json 's/"size": *\[[0-9]*/"size": [10/' "" "op *: mean queue *, * $in"
in="* in *AICPUMI.0.slice_0; 1 of 3"
changed minddata_aicpu_0.txt '2s/ [0-9]*$/ 7/' 2 "wait 2: queue size 7, $in queue sizes differ"
changed minddata_aicpu_0.txt '3s/ [0-9]* \([0-9]*\)$/ 450999999 \1/' 3 \
    "wait 3: length *, $in waits for data differ"
changed minddata_aicpu_0.txt '1s/ 4/ 3/' 1 "wait 1: start *, $in waits for data differ"
cp "$f/memory_usage_0.pb" "$tmp/pb"
head -c 5000 "$tmp/pb" >"$f/memory_usage_0.pb"
nothing "$tmp/whole" "a cut file that is not used"
cp "$tmp/pb" "$f/memory_usage_0.pb"
cp "$f/minddata_pipeline_raw_0.csv" "$tmp/csv"
awk 'NR == 3 { long = "0, 0, "; for (i = 0; i < 20; i++) long = long long; sub(/"\[/, "\"[" long) } { print }' "$tmp/csv" | sed '4s/,MapOp,/,MopOp,/' >"$f/minddata_pipeline_raw_0.csv"
nothing "$tmp/whole" "a large file that is not used"
cp "$tmp/csv" "$f/minddata_pipeline_raw_0.csv"

# As a finding; the file says so too.
sed "2s/,[0-9.]*/,9.5/" "$f/aicore_intermediate_0_detail.csv" >"$tmp/kept"
cp "$tmp/kept" "$f/aicore_intermediate_0_detail.csv"
"$npuscope" report -q --no-cache --rank=0 "$tmp/whole" >"$tmp/said"
grep -q '^WARN *CON-08 *aicore_intermediate_0_detail.csv line 2: .*: mean time 9.5 ms, ' "$tmp/said" ||
    { grep CON "$tmp/said"; fail "no finding"; }

# The vendor's own files.
data=$samples/data/gen1
[ -n "$samples" ] && [ -d "$data/JOB3" ] || { echo "agree: no captures at hand, the rest is skipped"; exit \
    0; }
vendor() { # NAME RAW EXPECTED...
    name=$1
    mkdir "$tmp/$name"
    shift
    for from; do cp -R "$from" "$tmp/$name/"; done
    chmod -R u+w "$tmp/$name"
}
vendor job3 "$data/JOB3" "$data/JOB3-expected/r0.6/."
nothing "$tmp/job3" "JOB3 and its files of r0.6"
cp "$data/JOB3-expected/r1.3/step_trace_raw_1_detail_time.csv" "$tmp/job3/"
chmod u+w "$tmp/job3/step_trace_raw_1_detail_time.csv"
nothing "$tmp/job3" "JOB3 and its steps of r1.3"
vendor r13 "$data/graph_text_r13/raw/." "$data/graph_text_r13/expected/."
nothing "$tmp/r13" "raw data of r1.3 and its files"

# Every difference has its reason, and some have that one.
known() { # CASE REASON FILES
    vendor "$1" "$data/$1/raw/." "$data/$1/expected/."
    said "$tmp/$1" >"$tmp/said"
    grep -v "; known of the profiler: $2\$" "$tmp/said" && fail "$1: differs for no reason"
    sed 's/:.*//' "$tmp/said" | sort -u >"$tmp/files"
    [ "$(wc -l <"$tmp/files")" = "$3" ] || { cat "$tmp/files"; fail "$1: not $3 files differ"; }
    echo "agree: $1: $3 files differ, all as known: $2"
}
known graph_r20 "executions that overlap others are missing" 10
known graph_r16 "executions that overlap others are missing" 10
known graph_dyn_r20 "sums were divided by the executions of the first task alone" 6
known graph_text_r15 "a step begins with its forward start where a slice of the marks begins" 2
