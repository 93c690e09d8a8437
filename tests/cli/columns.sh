#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The ids of columns that scripts rely on, in csv and json, for one rank and for several.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

"$npuscope" demo -q --gen=1 --steps=2 --ranks=2 "$tmp/one" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --ranks=2 --size=2000 "$tmp/two" || exit 1

# begins COLUMNS COMMAND...: the head of what it prints, then with the rank in front
begins() {
    want=$1
    shift
    for several in '' 'rank,'; do
        # shellcheck disable=SC2086
        got=$("$npuscope" "$@" -q -n 1 ${several:+--rank=all} -F csv | head -n 1)
        bare=$want
        case ${several}$want in rank,*,rank,*) bare=$(echo "$want" | sed 's/,rank,/,/') ;; esac
        case $got, in "$several$bare,"*) ;; *) echo \
            "$* ${several:+--rank=all}: '$got', not '$several$bare'"; failed=$((failed + 1)) ;; esac
        # shellcheck disable=SC2086
        json=$("$npuscope" "$@" -q -n 1 ${several:+--rank=all} -F json |
            python3 -c 'import json, sys; print(",".join(json.load(sys.stdin)[0]))')
        [ "$json" = "$got" ] || { echo "$*: json has '$json', csv '$got'"; failed=$((failed + 1)); }
    done
}

for run in one two; do
    begins path,kind,rank,device,size_b,rows,lost,state,feeds,note files "$tmp/$run"
    begins type,core,total_ns,share_pct,cum_pct,calls,avg_ns ops --by=type "$tmp/$run"
    begins op_name,type,core,avg_ns,calls,total_ns ops --by=op "$tmp/$run"
    begins ts_ns,dur_ns,track,name,category timeline "$tmp/$run"
done
begins step,start_ns,total_ns,interval_ns,fp_bp_ns,tail_ns steps "$tmp/one"
begins step,total_ns,computing_ns,comm_not_overlapped_ns,preparing_ns,idle_ns,overlapped_ns steps "$tmp/two"
# A step is as long as its parts together, and as the iteration of the timeline, to what the host takes to begin it.
"$npuscope" timeline -q -F csv -C name,dur_ns --no-header --filter 'name~^Iteration.[0-9]+$' "$tmp/two" |
    sed 's/.*,//' >"$tmp/iterations"
"$npuscope" steps -q -F csv --no-header -C total_ns,computing_ns,comm_not_overlapped_ns,preparing_ns,idle_ns "$tmp/two" |
    paste -d , - "$tmp/iterations" |
    awk -F , '{ d = $1 - $6; if ($1 != $2 + $3 + $4 + $5 || !$6 || d > 1e5 || d < -1e5) bad = bad "\n" $0 }
    END { if (!NR || bad) { print "steps, their parts and iterations:" bad; exit 1 } }' || failed=$((failed + 1))
begins op_name,type,mflops,tflops_per_s,util_pct flops --by=op "$tmp/one"
# Without --by of a graph what its pane opens on.
head=$("$npuscope" memory -q --by=node -F csv "$tmp/one" | head -n 1)
begins "$head" memory "$tmp/one"

# What sums are of: in text where a row says step, for programs only when they ask.
bases() { # TABLE RUN: what the rows say, each word once
    "$npuscope" ops -q --by="$1" "$tmp/$2" | awk 'NR == 1 { at = $NF == "Per" } NR > 1 && at { print $NF }' | sort -u |
        tr '\n' ' '
}
for want in 'type one step ' 'stat one run step ' 'scope one ' 'op one ' 'type two '; do
    # shellcheck disable=SC2086
    set -- $want
    got=$(bases "$1" "$2")
    [ "$1 $2 $got" = "$want" ] || { echo "ops --by=$1 of $2: Per says '$got'"; failed=$((failed + 1)); }
done
"$npuscope" ops -q "$tmp/one" | awk '/AICPU/ && $NF != "step" || /^Conv2D / && $NF != "step" { exit 1 }' ||
    { echo "the base of an op type is another one"; failed=$((failed + 1)); }
# AI CPU kernels beside types of a mean step: what the run has of them by its number of steps.
got=$("$npuscope" ops -q -F csv --no-header -C total_ns,calls --filter core=AICPU "$tmp/one")
want=$("$npuscope" query -q -F csv --no-header "$tmp/one" "SELECT sum(total_ns) * 1.0 / n, count(*) / n FROM aicpu_exec,
    (SELECT count(*) AS n FROM step WHERE rank = 0) WHERE rank = 0 GROUP BY name_id")
[ -n "$want" ] && [ "$got" = "$want" ] || { echo "AI CPU of a step is $got, not $want"; failed=$((failed + 1)); }
"$npuscope" ops -q -F csv "$tmp/one" | head -n 1 | grep -q ',per' && { echo "csv has per"; failed=$((failed + 1)); }
"$npuscope" ops -q -F csv --all-columns "$tmp/one" | head -n 1 | grep -q ',per,' || {
    echo "csv lacks per"
    failed=$((failed + 1))
}

# What help says of a column is what is printed: those without a remark are there unless others are asked for.
said=$("$npuscope" help columns |
    awk '/^files\.list$/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { name = $1; rest = $0 } on { line[name] = line[name] $0 }
    END { for (n in line) if (line[n] !~ /--all-columns/) print n }' | sort | tr '\n' ' ')
got=$("$npuscope" files -q -F csv "$tmp/one" | head -n 1 | tr ',' '\n' | sort | tr '\n' ' ')
[ "$said" = "$got" ] || { echo "help columns says '$said' of files.list, it has '$got'"; \
    failed=$((failed + 1)); }

# A sign says the direction, whatever the natural one is; without a sign it is the one that help lists.
order() { # WANTED SORT COLUMN: how the values of the column come
    got=$("$npuscope" ops -q -k "$2" -C "$3" -F csv --no-header "$tmp/one" | python3 -c '
import sys
v = [int(x) if x.strip().isdigit() else x for x in sys.stdin]
print("descending" if v == sorted(v, reverse=True) else "ascending" if v == sorted(v) else "mixed")')
    [ "$got" = "$1" ] || { echo "-k $2: $got, not $1"; failed=$((failed + 1)); }
}
order descending calls calls
order descending -calls calls
order ascending +calls calls
order ascending type type
order descending -type type
order ascending +type type
"$npuscope" help columns | tr -s '\n ' ' ' >"$tmp/help"
grep -q "ops.type type [^(]*core" "$tmp/help" && grep -q " calls [^(]*(sorts descending)" "$tmp/help" || {
    echo "help columns does not list the natural directions"
    failed=$((failed + 1))
}
exit $failed
