#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The picture in a card over time: an op stands at its time between the two ends of the axis, not at its number.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null || skip "no python3"

make_demo 2 "$test_dir/run" --ranks=2 --steps=4
keep "$test_dir/run"
open_run 120 40 --no-state "$test_dir/run"
term_keys 3 v
term_wait '[single op]' "$WAIT"
# The card's First against the cell of its mark.
at_its_time() {
    term_capture | python3 -c '
import re, sys
lines = [line.split("│", 1)[-1] for line in sys.stdin.read().split("\n")]
first = next((re.search(r"First +([0-9.]+) ms", l) for l in lines if re.match(r" *First ", l)), None)
axis = next((i for i, l in enumerate(lines) if "└" in l and "▴" in l), None)
ends = axis and re.findall(r"([0-9.]+) ms", lines[axis + 1])
if not first or not ends:
    sys.exit(1)
line, begin, end = lines[axis], float(ends[0]), float(ends[-1])
left, right = line.index("└") + 1, len(line.rstrip()) - 1
want = (float(first[1]) - begin) / (end - begin)
have = (line.index("▴") - left) / (right - left)
sys.exit(abs(want - have) > 0.05)'
}
for keys in '' 'j j j j' 'j j j'; do
    # shellcheck disable=SC2086
    [ -z "$keys" ] || term_keys $keys
    term_poll "$WAIT" at_its_time || fail "after \"$keys\" the mark is not at the time of the op"
done
term_keys Q
expect_exit 0 "$WAIT"
