#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A folder of several ranks begins with the table of them: it fills while the ranks are read, Enter goes to
# one, q comes back; the next start has it at once; the SQL console and `query` know it as job.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 2 "$run" --ranks=4 --steps=6 --size=3000
mean() { # RANK: computing of a step, without the first, as the table writes it
    cli steps -q --rank="$1" -C computing_ns -F csv --no-header --no-cache "$run" | python3 -c '
import sys
v = [int(line) for line in sys.stdin][1:]
print("%.2f ms" % (sum(v) / len(v) / 1e6))'
}
filled() {
    for rank in 0 1 2 3; do
        term_wait "  $rank  ANALYSED " "$WAIT"
        term_wait " $(cat "$test_dir/mean.$rank") " "$WAIT"
    done
}
links_of() { # RANK: its row among the bandwidths
    term_capture | grep -Eq "^ +$1 +[0-9]+\.[0-9][! ] +[0-9]+\.[0-9]"
}
for rank in 0 1 2 3; do
    mean "$rank" >"$test_dir/mean.$rank"
done
cmp -s "$test_dir/mean.0" "$test_dir/mean.3" && fail "the ranks do not differ, this test shows nothing"

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$run"
    expect_line 2 '[1 Triage]' "$WAIT"
    expect_line 3 '4 ranks' "$WAIT"
    filled
    expect_line 3 '4 ranks' "$WAIT"
    term_keys G k Enter
    expect_line 1 'rank 2 of 4' "$WAIT"
    term_wait ' State      ANALYSED' "$WAIT"
    expect_no LOAD "$WAIT"
    term_keys q
    filled
    term_keys 9
    expect_line 2 '[9 Comm]' "$WAIT"
    term_poll "$WAIT" links_of 3 || fail "no links of rank 3: every rank knows its own"
    term_keys 1 \\
    term_type 'rank in 1,3 computing_ns>0'
    term_keys Enter
    expect_line -2 '2 of 4' "$WAIT"
    term_keys 1 BTab
    term_type "SELECT count(*) || ' of ' || count(DISTINCT rank) AS t FROM job.rank_step"
    term_keys '\;' '\;' Enter
    expect_line -2 '1 row in' "$WAIT"
    term_wait '24 of 4' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers

[ "$(cli query -q -F csv --no-header "$run" 'SELECT count(*), sum(read) FROM job.unit')" = 4,4 ] ||
    fail "query does not know the job"
# Kinds that are absent or off have rows in the list of files, and are no files of the rank.
[ "$(cli query -q -F csv --no-header --rank=0 "$run" 'SELECT (SELECT files FROM job.unit WHERE rank = 0) = count(size_b),
    count(size_b) < count(*) FROM source')" = 1,1 ] || fail "what is not there counts as a file of the rank"
cli cache remove "$run" >/dev/null || fail "cannot remove the overview"
[ "$(cli query -q -F csv --no-header "$run" 'SELECT count(*), sum(read) FROM job.unit')" = 4,4 ] ||
    fail "the overview was not made again"
# Without a cache there is no overview, and a rank is shown as ever.
open_run 80 24 --no-cache "$run"
term_wait ' State      ANALYSED' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"

# Above the steps of one rank all ranks have their lines, of what the table leaves; else a line says which it is of.
make_demo 2 "$test_dir/eight" --ranks=8 --steps=6 --size=1000
open_run 100 30 --no-state "$test_dir/eight"
term_keys 4
for rank in 0 1 2 3 4 5 6 7; do
    term_poll "$WAIT" term_has " rank $rank " || fail "no line of rank $rank"
done
term_keys Q
expect_exit 0 "$WAIT"
make_demo 2 "$test_dir/more" --ranks=8 --steps=10 --size=1000
open_run 100 27 --no-state "$test_dir/more"
term_keys 4
term_wait ' rank 6-7 ' "$WAIT"
term_keys Q
expect_exit 0 "$WAIT"
