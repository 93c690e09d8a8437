#!/bin/sh
# Analysed files beside the raw data they were made of: nothing is said where both agree; where a number was changed the finding names the
# file, its line, the row and both values; where the vendor's own analysis is known to be wrong, that.
set -eu
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-agree-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
npuscope=${NPUSCOPE:-${top_builddir:-.}/npuscope}
shared=${NPUSCOPE_SHARED:-}
XDG_CACHE_HOME=$tmp/cache LC_ALL=C
export XDG_CACHE_HOME LC_ALL

fail() { echo "agree: $*"; exit 1; }
said() { # DIR: file:line:text of each difference
    "$npuscope" query -q --no-cache --rank=all -F csv --no-header "$1" "select replace(s.path, rtrim(s.path, replace(s.path, '/', '')), '') ||
        ':' || ifnull(n.line, '') || ':' || n.text from note n join source s on s.id = n.source_id where n.code = 'DIFFERS' order by 1" | sed 's/^"//; s/"$//'
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

# One number changed in one file: what is said of it.
changed() { # FILE SED LINE WHAT
    cp "$tmp/whole/profiler/$1" "$tmp/kept"
    sed "$2" "$tmp/kept" >"$tmp/whole/profiler/$1"
    cmp -s "$tmp/kept" "$tmp/whole/profiler/$1" && fail "$1: $2 changes nothing"
    said "$tmp/whole" >"$tmp/said"
    cp "$tmp/kept" "$tmp/whole/profiler/$1"
    [ "$(wc -l <"$tmp/said")" = 1 ] || { head -3 "$tmp/said"; fail "$1: $2: said $(wc -l <"$tmp/said") times"; }
    # Lines and what is said are patterns.
    # shellcheck disable=SC2254
    case $(cat "$tmp/said") in
    "$1:"*"; known of "*) fail "$1: $2: a reason for what has none: $(cat "$tmp/said")" ;;
    "$1:"$3:$4) echo "agree: $(cut -c1-150 "$tmp/said")" ;;
    *) fail "$1: $2: $(cat "$tmp/said"), not line $3 $4" ;;
    esac
}
f=$tmp/whole/profiler
cell() { sed -n "$2p" "$f/$1" | cut -d, -f"$3"; }
second=$(cell step_trace_raw_0_detail_time.csv 3 3)
changed step_trace_raw_0_detail_time.csv "3s/$second/${second}0/" 3 "step 2: end * ms, * ms in *ts_track.data.0.slice_0; 1 of 3 steps differ"
one=$(cell output_timeline_data_1.txt 4 4)
changed output_timeline_data_1.txt "4s/,$one\$/,9.5/" 4 "*: time * ms, * ms in *hwts.data.1.slice_0; 1 of * ops with executions differ"
changed output_timeline_data_0.txt 5d "*" "*: executions 2, 3 in *hwts.data.0.slice_0; 1 of * ops with executions differ"
one=$(cell aicore_intermediate_0_detail.csv 2 2)
changed aicore_intermediate_0_detail.csv "2s/$one/9.5/" 2 "*: mean time 9.5 ms, 0.0* ms in *hwts.data.0.slice_0; 1 of * ops differ"
one=$(cell aicore_intermediate_0_type.csv 3 2)
changed aicore_intermediate_0_type.csv "3s/$one/9.5/" 3 "*: sum of means 9.5 ms, * ms in *hwts.data.0.slice_0; 1 of * op types differ"
changed aicore_intermediate_0_type.csv 4d "" "*: only in *hwts.data.0.slice_0; 1 of * op types differ"
changed aicpu_intermediate_0.csv "3s/,0.0[0-9]*,/,0.77,/" 3 "task 2: total time 0.770000 ms, 0.0* ms in *AICPU.0.slice_0; 1 of 3 AI CPU tasks differ"
changed flops_1.txt "3s/, [0-9.]*, /, 1.5, /" 3 "*: FLOPs 1500000, * in *aicore.data.1.slice_0; 1 of * ops with FLOPs differ"
changed flops_summary_0.json 's/"FLOPs": [0-9.]*/"FLOPs": 1.5/' "" "sum: FLOPs 1500000, * in *aicore.data.0.slice_0; 1 of 1 sums of FLOPs differ"

# As a finding; the file says so too.
sed "2s/,[0-9.]*/,9.5/" "$f/aicore_intermediate_0_detail.csv" >"$tmp/kept"
cp "$tmp/kept" "$f/aicore_intermediate_0_detail.csv"
"$npuscope" report -q --no-cache --rank=0 "$tmp/whole" >"$tmp/said"
grep -q '^WARN *CON-08 *aicore_intermediate_0_detail.csv line 2: .*: mean time 9.5 ms, ' "$tmp/said" || { grep CON "$tmp/said"; fail "no finding"; }

# The vendor's own files.
data=$shared/data/gen1
[ -n "$shared" ] && [ -d "$data/JOB3" ] || { echo "agree: no captures at hand, the rest is skipped"; exit 0; }
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
    grep -v "; known of the vendor: $2\$" "$tmp/said" && fail "$1: differs for no reason"
    sed 's/:.*//' "$tmp/said" | sort -u >"$tmp/files"
    [ "$(wc -l <"$tmp/files")" = "$3" ] || { cat "$tmp/files"; fail "$1: not $3 files differ"; }
    echo "agree: $1: $3 files differ, all as known: $2"
}
known graph_r20 "executions that overlap others are missing" 10
known graph_r16 "executions that overlap others are missing" 10
known graph_dyn_r20 "sums were divided by the executions of the first task alone" 6
known graph_text_r15 "a step begins with its forward start where a slice of the marks begins" 2
