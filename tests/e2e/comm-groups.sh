#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Bandwidth between ranks: a matrix for each group in ranks of the job, the slow link marked and named by the
# verdict; the group of the cursor's row comes first; the list of links begins with it and leads to its
# transfers. t shows an op on the timeline of its own rank.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

run=$test_dir/run
make_demo 2 "$run" --ranks=8 --steps=4 --model=transformer
# The slowest link by the rows themselves; its group by what the run says of its members.
link=$(cli query -q -F csv --no-header "$run" "SELECT from_rank, to_rank FROM job.rank_link WHERE time_ns > 0
    AND from_rank <> to_rank ORDER BY size_b * 1.0 / time_ns LIMIT 1")
a=${link%,*} b=${link#*,}
members=$(cli query -q --rank="$a" -F csv --no-header "$run" "SELECT ranks FROM comm_group WHERE name = 'dp'" | tr -d '"')
[ -n "$a" ] && [ -n "$b" ] && [ -n "$members" ] || fail "nothing to look for: '$link' '$members'"
case ,$members, in
*",$a,"*) ;;
*) fail "rank $a is not in its group $members" ;;
esac
case ,$members, in
*",$b,"*) ;;
*) fail "the slowest link $link is not in a group: the numbers are no ranks of the job" ;;
esac

# The first matrix: columns are the members, the row of a has its mark where b stands.
is_marked() {
    term_capture | python3 -c '
import re, sys
a, b, members = sys.argv[1], sys.argv[2], sys.argv[3].split(",")
lines = sys.stdin.read().split("\n")
at = next(i for i, line in enumerate(lines) if re.match(r" +dp \d+ +mean HCCS", line))
if lines[at + 1].split()[:len(members)] != members:
    sys.exit(f"columns {lines[at + 1]!r} are not {members}")
row = next(line for line in lines[at + 2:] if line.split()[:1] == [a])
cell = row.split()[1 + members.index(b)]
sys.exit(0 if cell.endswith("!") else f"no mark in {row!r} at rank {b}")' "$a" "$b" "$members"
}

has_op() {
    row=$(term_capture | sed -n 's/^▶ *\([0-9]*\)  *hcom_[^ ]*\(__[0-9]*_[0-9]*_1\) .*/\1 \2/p')
    [ -n "$row" ]
}

for size in '80 24' '120 40' '200 60'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$run"
    term_wait "link $(printf '%s\n%s\n' "$a" "$b" | sort -n | paste -sd'>' | sed 's/>/<>/') runs at " "$WAIT"
    term_keys 9
    term_wait ' mean HCCS ' "$WAIT"
    is_marked || fail "the slow link is not marked"
    term_keys v v
    term_wait '[links]' "$WAIT"
    term_wait "▶$a -> $b " "$WAIT"
    term_keys Enter
    term_wait "Comm > $a -> $b" "$WAIT"
    term_wait ' total of ' "$WAIT"
    term_keys q
    term_wait '[links]' "$WAIT"
    term_keys V V
    term_wait '[types]' "$WAIT"
    # t goes to the op on the timeline of the row's rank: the longest one is of whichever rank.
    term_keys v
    term_wait '[ops]' "$WAIT"
    term_poll "$WAIT" has_op || fail "no op is under the cursor"
    term_keys t
    term_wait '[5 Time]' "$WAIT"
    expect_line 1 "rank ${row% *} of 8" "$WAIT"
    term_wait "${row#* }  " "$WAIT"
    term_wait ' on Group ' "$WAIT"
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers

# A group of eight is shown whole, and is not said to lack ranks; where rows are cut it says so.
make_demo 2 "$test_dir/eight" --ranks=8 --steps=3 --size=3000
for size in '120 40 8' '80 24 8' '80 16 6'; do
    want=${size##* }
    # shellcheck disable=SC2086
    open_run ${size% *} --no-state "$test_dir/eight"
    term_keys 9
    term_wait ' mean HCCS ' "$WAIT"
    drawn() { [ "$(term_capture | grep -cE '^ +[0-7]( +(-|[0-9]+\.[0-9]!?)){8} *(│.*)?$')" = "$want" ]; }
    term_poll "$WAIT" drawn || fail "not $want rows of the matrix"
    if [ "$want" = 8 ]; then
        expect_no 'not all ranks' "$WAIT"
        expect_no ' of 8 rows' "$WAIT"
    else
        term_wait "   $want of 8 rows" "$WAIT"
    fi
    term_keys Q
    expect_exit 0 "$WAIT"
done
no_leftovers
