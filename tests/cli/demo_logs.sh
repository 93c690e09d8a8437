#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every fault with its logs, of both frameworks and in both forms of CANN's lines: the logs say what the profiles
# beside them hold and what the truth tells (demo_logs.py). The same options give the same bytes.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"
look=${top_srcdir:-.}/tests/cli/demo_logs.py

# Words of options.
# shellcheck disable=SC2086
one() { # OPTIONS...
    rm -rf "$tmp/run"
    "$npuscope" demo -q --raw --truth="$tmp/truth.json" "$@" "$tmp/run"
    python3 "$look" "$tmp/run" "$tmp/truth.json" >"$tmp/said" || { echo "demo_logs: of $*"; cat "$tmp/said"; exit 1; }
}

kinds="clean hang straggler killed host_oom device_oom aicore aicpu hbm_ecc link_down socket_init mismatch mismatch_arg
data_stall disk_full py_exception segv sigterm"
seed=1
for kind in $kinds; do
    for framework in torch_npu r27; do
        for cann in 7 8.5; do
            # Slow programs and CI have one of the four forms, each kind the next.
            [ -n "${NPUSCOPE_TEST_SLOW:-}${NPUSCOPE_TEST_SHORT:-}" ] && [ $(((seed - 1) % 4)) -ne $(((seed - 1) / 4 % 4)) ] ||
                one --fault="$kind" --cann=$cann --era=$framework --seed=$seed --ranks=4 --servers=2 --steps=2 \
                    --model=transformer --skew=2000
            seed=$((seed + 1))
        done
    done
done
# Of MindSpore 1.x, whose device is the rank and whose tasks are those of a graph.
for kind in $kinds; do
    one --fault="$kind" --gen=1 --seed=$seed --ranks=4 --servers=2 --steps=2 --model=transformer --skew=500
    seed=$((seed + 1))
done
echo "demo_logs: $((seed - 1)) jobs say what their profiles hold"

# One host, one group; many ranks; one rank; each rank asked for.
one --fault=killed --ranks=8 --steps=2 --crashed=2
one --fault=link_down --ranks=2 --steps=2
one --fault=py_exception --ranks=1 --steps=2
one --fault=hang --ranks=12 --servers=3 --steps=2 --zone=-210
# Task numbers that began anew.
one --fault=aicore --ranks=1 --steps=120 --crashed=119
grep -q '"flip": [1-9]' "$tmp/truth.json" || { echo "demo_logs: no task number began anew"; exit 1; }
for rank in 0 1 2; do
    one --fault=aicore --fault-rank=$rank --ranks=3 --steps=2 --era=torch_npu
    grep -q "\"root_ranks\": \[$rank\]" "$tmp/truth.json" || { echo "demo_logs: rank $rank is not to blame"; exit 1; }
done

# A changed digit is found, or this would prove nothing.
one --fault=killed --ranks=4 --servers=2 --steps=2
damage() { # FILES SED
    for file in "$tmp"/run/$1; do
        sed "$2" "$file" >"$tmp/changed"
        cmp -s "$file" "$tmp/changed" && continue
        mv "$file" "$tmp/whole"
        cp "$tmp/changed" "$file"
        if python3 "$look" "$tmp/run" "$tmp/truth.json" >/dev/null 2>&1; then
            echo "demo_logs: a changed $1 is not found"
            exit 1
        fi
        mv "$tmp/whole" "$file"
        return
    done
    echo "demo_logs: the damage to $1 does nothing"
    exit 1
}
damage 'worker-*/log/debug/plog/*' 's/task_id:[0-9]*,/task_id:1,/'
damage 'worker-*/log/debug/plog/*' 's/ RUNTIME(2/ RUNTIME(3/'
damage 'worker-*/log/debug/plog/*' 's/group:\[/group:[1/'
echo "demo_logs: changed lines are found"

# The same bytes, and others with another seed.
for n in 1 2 3; do
    "$npuscope" demo -q --raw --fault=hbm_ecc --seed=$((n / 3)) --ranks=4 --steps=2 --truth="$tmp/truth$n" "$tmp/same$n"
done
diff -r "$tmp/same1" "$tmp/same2" && cmp "$tmp/truth1" "$tmp/truth2"
if cmp -s "$tmp/truth1" "$tmp/truth3"; then echo "demo_logs: the seed changes nothing"; exit 1; fi

# What is no run with a fault.
for options in "--fault=aicore" "--raw --gen=1 --fault=aicore --lose-slice=1" "--raw --fault-rank=0" "--raw --fault=clean --crashed=2" \
    "--raw --fault=aicpu" "--raw --fault=hang --ranks=1" "--raw --fault=aicore --fault-rank=2" "--raw --fault=none"; do
    # shellcheck disable=SC2086
    if "$npuscope" demo $options "$tmp/never" 2>/dev/null; then echo "demo_logs: $options is accepted"; exit 1; fi
    if [ -e "$tmp/never" ]; then echo "demo_logs: $options leaves files"; exit 1; fi
done
echo "demo_logs: same bytes; options"
