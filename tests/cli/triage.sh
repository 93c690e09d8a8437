#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The object of triage --format=json: its members, its clock, who is blocked by whom; and that statements find
# the same (triage.py).
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=1 --raw --crashed=60% --ranks=4 --steps=4 "$tmp/gen1"
"$npuscope" demo -q --gen=2 --raw --crashed=60% --ranks=3 --steps=4 "$tmp/gen2"
"$npuscope" demo -q --gen=2 --ranks=2 --steps=2 --size=3000 "$tmp/whole"
"$npuscope" demo -q --gen=1 --ranks=1 --steps=2 "$tmp/text"
"$npuscope" demo -q --gen=2 --ranks=4 --steps=6 --size=3000 "$tmp/late"
python3 "${top_srcdir:-.}/tests/cli/triage.py" "$npuscope" "$tmp"

# To people what differs in the rank's number and in measures is said once, however many ranks there are.
facts() { "$npuscope" triage -q "$1" | sed -n '/^Run/,/^Last activity/p' | grep -c '^[0-9]' || true; }
"$npuscope" demo -q --gen=1 --raw --crashed=60% --ranks=24 --steps=4 --size=3000 "$tmp/many"
few=$(facts "$tmp/gen1") many=$(facts "$tmp/many")
if [ "$few" -lt 15 ] || [ "$many" -gt $((few + 2)) ]; then
    echo "FAIL: facts: $many lines of 24 ranks, $few of 4"
    exit 1
fi

# Of ranks that all ended well one is an example of the last activity; of a rank that is asked for its own is there.
acts() { "$npuscope" triage -q "$@" | sed -n '/^Last activity/,/^$/p'; }
if [ "$(acts "$tmp/late" | sed -n 's/^  *\([0-9]\)  .*/\1/p' | sort -u)" != 0 ] ||
    ! acts "$tmp/late" | grep -q '^3 more ranks: --rank lists theirs'; then
    echo "FAIL: last activity of four ranks that ended well:"
    acts "$tmp/late"
    exit 1
fi
acts --rank=2 "$tmp/late" | grep -q 'Stream 3 ' || { echo "FAIL: no last activity of rank 2"; exit 1; }

# Of a rank that hangs Ops, Comm and the timeline have the same calls: without the one that has not ended.
"$npuscope" demo -q --gen=2 --raw --ranks=2 --steps=4 --crashed=3 "$tmp/hung"
calls() { "$npuscope" "$@" --rank=1 -q -F csv --no-header --columns=type,calls,total_ns,running "$tmp/hung" | grep '^hcom_'; }
of_ops=$(calls ops) of_comm=$(calls comm)
of_time=$("$npuscope" query --rank=1 -q -F csv --no-header "$tmp/hung" "SELECT 'hcom_allReduce_', count(*), sum(dur_ns),
    (SELECT count(*) FROM last_activity WHERE rank = 1 AND kind = 'comm' AND state = 'running') FROM events
    WHERE rank = 1 AND process = 'Communication' AND track LIKE 'Group %'") || [ $? = 4 ]
if [ "$of_ops" != "$of_comm" ] || [ "$of_ops" != "$of_time" ] || [ "${of_ops##*,}" != 1 ]; then
    echo "FAIL: calls of a rank that hangs: ops $of_ops, comm $of_comm, timeline $of_time"
    exit 1
fi
