#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What query makes of several statements, in each format.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0
fail() {
    echo "$*"
    failed=$((failed + 1))
}

"$npuscope" demo -q --gen=2 --steps=2 --ranks=2 --size=2000 "$tmp/run" || exit 1
one="SELECT count(*) AS n FROM step"
two="SELECT 1 AS a; /* and */ SELECT 'x' AS b WHERE 0; -- then;
SELECT 3 AS c;"

# json FORMULA STATEMENTS OPTIONS...: what python makes of d, the parsed answer, is true
json() {
    say=$1
    shift
    "$npuscope" query -q -F json "$@" "$tmp/run" >"$tmp/out" || fail "$*: status $?"
    python3 -c "import json, sys; d = json.load(open(sys.argv[1])); sys.exit(not ($say))" "$tmp/out" ||
        fail "$*: not $say: $(cat "$tmp/out")"
}
json "d == [{'n': 2}]" "$one"
json "d == [{'n': 2}]" "$one; -- no second statement"
json "d == [[{'n': 2}], [{'n': 2}]]" "$one; $one"
json "d == [[{'a': 1}], [], [{'c': 3}]]" "$two"
json "d == [[{'rank': 0, 'n': 2}, {'rank': 1, 'n': 2}]] * 2" "$one; $one" --rank=all
json "d == [[], []]" "SELECT 1 WHERE 0; SELECT 2 WHERE 0"

# What the overview of a job has is not there for one rank alone, and that is said.
job="SELECT count(*) FROM job.rank_step"
[ "$("$npuscope" query -q -F csv --no-header "$job" "$tmp/run")" = 4 ] || fail "$job: not the steps of both ranks"
for one_rank in "$tmp/run/"*_ascend_ms; do break; done
"$npuscope" query -q "$job" "$one_rank" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ] && grep -q 'job.rank_step: .* several ranks' "$tmp/err" || fail "$job: $(cat "$tmp/out" "$tmp/err")"
"$npuscope" query -q --no-cache "$job" "$tmp/run" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ] && grep -q 'not with --no-cache' "$tmp/err" || fail "$job: $(cat "$tmp/out" "$tmp/err")"

# The others: a blank line between results, of ndjson a line for each row.
blank() { # FORMAT WANTED: blank lines
    got=$("$npuscope" query -q -F "$1" "$two" "$tmp/run" | grep -c '^$')
    [ "$got" = "$2" ] || fail "$1: $got blank lines, not $2"
}
blank text 2
blank csv 2
blank markdown 2
blank ndjson 0
exit $failed
