#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who holds memory at its peak is one key away: the pane opens at the moment at which the most is allocated, with
# what is alive then by op, type and layer. h and l move that moment, P goes back to it, t shows it on the
# timeline. What is alive is counted here from the allocations themselves. The same of a static graph, over nodes.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

sql() {
    cli query -q -F csv --no-header "$@" | tr -d '"'
}

run=$test_dir/run
make_demo 2 "$run"
# The times of allocations are rounded to quarters of a us, with one digit; those of the pool are not. The run's
# clock begins at a whole second.
coarse() { # NS
    q=$(((($1 + 125) / 250) - (($1 + 125) % 500 == 250)))
    case $((q % 4)) in 0) d=0 ;; 1) d=200 ;; 2) d=500 ;; *) d=800 ;; esac
    q=$((q / 4))
    echo $((q * 1000 + d))
}
at=$(sql "$run" "SELECT m.ts_ns FROM mem_sample m JOIN string s ON s.id = m.component_id WHERE s.text = 'MindSpore+GE'
    ORDER BY m.allocated_b DESC, m.ts_ns LIMIT 1")
at=$(coarse "$at")
alive="FROM mem_alloc m JOIN string s ON s.id = m.name_id WHERE alloc_ns <= $at AND (release_ns IS NULL OR release_ns > $at)"
held=$(sql "$run" "SELECT printf('%.1f', sum(size_b) / 1073741824.0) $alive")
ops=$(sql "$run" "SELECT count(DISTINCT s.text) $alive")
said=$(sql "$run" "SELECT $at - first_ns FROM rank" | awk '{ printf "%.3f", $1 / 1e6 }')
# The most of one type, by the names of the ops.
type=$(sql "$run" "SELECT rtrim(substr(rtrim(s.text, '0123456789'), 1), '-op') AS t, printf('%.1f', sum(size_b) / 1048576.0)
    $alive GROUP BY replace(t, rtrim(t, replace(t, '/', '')), '') ORDER BY sum(size_b) DESC LIMIT 1")
size=${type#*,} type=${type%,*} type=${type##*/}
[ -n "$at" ] && [ "$ops" -gt 5 ] && [ -n "$size" ] || fail "nothing is alive: '$at' '$ops' '$size'"

for screen in '80 24' '120 40' '160 50'; do
    # shellcheck disable=SC2086
    open_run $screen --no-state "$run"
    term_keys 7 # the first key shows who holds the peak
    term_wait '[alive by op]' "$WAIT"
    term_wait ' allocated (the most)  listed: ' "$WAIT"
    term_wait "  listed: $held GiB" "$WAIT"
    term_wait " at $said ms  " "$WAIT"
    expect_line -2 "$ops ops   sorted by Holds" "$WAIT"
    term_keys v
    term_wait '[by type]' "$WAIT"
    term_wait "▶$type " "$WAIT"
    term_capture | grep -q "^▶$type  *$size MiB " || fail "$type does not hold $size MiB"
    term_keys v
    term_wait '[by layer]' "$WAIT"
    term_keys V V h h h h h h
    term_wait '[alive by op]' "$WAIT"
    expect_no '(the most)' "$WAIT"
    term_wait 'GiB allocated  listed: ' "$WAIT"
    term_keys P
    term_wait "  listed: $held GiB" "$WAIT"
    moment=$(term_capture | sed -n 's/^ at \([0-9.]*\) ms .*/\1/p')
    [ -n "$moment" ] || fail "the line of the moment is missing"
    term_keys Enter
    term_wait 'Mem > ' "$WAIT"
    expect_line -2 ' allocations' "$WAIT"
    term_keys q t
    term_wait '[5 Time]' "$WAIT"
    expect_line -2 "cursor ${moment%??}" "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers

# Longer numbers are whole at 80 columns, too. The block that makes the peak is rounded to later than the peak.
make_demo 2 "$test_dir/large" --model=transformer --steps=5
peak=$(sql "$test_dir/large" "SELECT s.text FROM mem_alloc m JOIN string s ON s.id = m.name_id WHERE m.rank = 0
    ORDER BY m.alloc_total_allocated_b DESC, m.alloc_ns LIMIT 1")
cli memory -q --by=alive -F csv --no-header "$test_dir/large" >"$test_dir/alive"
grep -qF "$peak" "$test_dir/alive" || fail "$peak makes the peak and is not alive then: $(cat "$test_dir/alive")"
open_run 80 24 --no-state "$test_dir/large"
term_keys 7
whole() { term_capture | grep -Eq '^ at [0-9.]+ ms +1[0-9.]+ GiB reserved +1[0-9.]+ GiB allocated \(the most\) +listed: [0-9.]+ GiB$'; }
term_poll "$WAIT" whole || fail "the moment of the cursor is cut"
term_keys Q
expect_exit 0 "$WAIT"

# A static graph: lives are from node to node. Raw files know all tensors.
graph=$NPUSCOPE_SAMPLES/data/gen1/graph_r20/raw
if [ -d "$graph" ]; then
    keep "$graph"
    node=$(sql "$graph" "SELECT node FROM mem_node WHERE rank = 0 ORDER BY used_b DESC, node LIMIT 1")
    n=$(sql "$graph" "SELECT count(DISTINCT name_id) FROM mem_tensor WHERE rank = 0 AND kind <> 'total'
        AND born_node <= $node AND ifnull(dies_node, $node) >= $node")
    open_run 120 40 --no-state "$graph"
    term_keys 7
    term_wait " at node $node  " "$WAIT"
    expect_line -2 "$n ops   sorted by Holds" "$WAIT"
    term_wait ' Until ' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
    no_leftovers
fi
