#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Help and errors in the language of LANG, which this host need not have: no words of an English sentence are left.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

zh() {
    LC_ALL=zh_CN.UTF-8 NPUSCOPE_UTF8=1 "$npuscope" "$@"
}

chinese() { # FILE
    LC_ALL=C grep -q '[^[:print:][:space:]]' "$1"
}

# Sentences have two short words of the language side by side, commands and examples have not.
english() { # WHERE FILE
    grep -nE '(^|[^-A-Za-z])(a|an|the|is|are|of|to|in|not|and|or|with|without|no|it|that) [a-z]+([ ,.:;)]|$)' "$2" |
        grep -v "'why is step 20\|npuscope" >"$tmp/left"
    [ ! -s "$tmp/left" ] || { echo "left in English, $1:"; cat "$tmp/left"; failed=1; }
}

"$npuscope" help | sed -n '/^Commands/,/^$/s/^  \([a-z]*\).*/\1/p' >"$tmp/topics"
printf 'columns\nmsprof\n\n' >>"$tmp/topics"
while read -r topic; do
    zh help ${topic:+"$topic"} >"$tmp/help" || { echo "help $topic: status $?"; failed=1; }
    chinese "$tmp/help" || { echo "help $topic is English"; failed=1; }
    english "help $topic" "$tmp/help"
done <"$tmp/topics"
[ "$(wc -l <"$tmp/topics")" -gt 25 ] || { echo "too few topics"; failed=1; }
LC_ALL=C "$npuscope" help >"$tmp/help"
[ "$(grep -cE ' (a|the|of) ' "$tmp/help")" -gt 20 ] || { echo "the words that are looked for are not those of English"; failed=1; }
zh help --man=npuscope-query >"$tmp/page" # a page of the language begins as any page
head -n 3 "$tmp/page" | grep -q '^\.Dd' || { echo "no page"; failed=1; }

mkdir "$tmp/empty"
"$npuscope" demo -q --ranks=1 --steps=2 --size=1k "$tmp/run" || exit 1
error() { # STATUS ARGUMENT...
    want=$1
    shift
    zh "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    [ "$status" -eq "$want" ] || { echo "npuscope $*: status $status"; failed=1; }
    chinese "$tmp/err" || { echo "npuscope $*: $(cat "$tmp/err")"; failed=1; }
    english "npuscope $*" "$tmp/err"
}
error 2 --nothing
error 2 ops --by=nothing "$tmp"
error 1 opps
error 2 ops --rank=zz
error 2 --theme
error 2 --pane=nothing --linear "$tmp/run"
error 2 query --top=a
error 2 report a b c
error 2 -Z
error 2 help nothing
error 2 --help=1
error 1 export summary
error 2 cache remove
error 2 configure --set=start
error 1 ops "$tmp/missing"
error 1 ops "$tmp/empty"
error 1 ops "$tmp/help"
error 1 --log="$tmp/none/x" ops "$tmp"
error 1 query "SELECT 1" "$tmp/missing"

# The terminal that shows no UTF-8, the log file and what programs read stay English.
zh --ascii ops "$tmp/missing" 2>"$tmp/err"
grep -q 'cannot open: check the path' "$tmp/err" || { echo "--ascii: $(cat "$tmp/err")"; failed=1; }
zh ops --log="$tmp/log" "$tmp/missing" 2>"$tmp/err"
grep -q 'cannot open: check the path' "$tmp/log" || { echo "--log: $(cat "$tmp/log")"; failed=1; }
zh __complete --them >"$tmp/out" && grep -q '^--theme' "$tmp/out" && chinese "$tmp/out" || { echo "completion: $(cat "$tmp/out")"; failed=1; }
exit $failed
