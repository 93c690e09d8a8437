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

# Tables as text: heads and texts are of the language; the formats of programs are the same in any.
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
"$npuscope" demo -q --raw --ranks=2 --steps=3 --size=1k --fault=hang "$tmp/died" || exit 1
table() { # ARGUMENT...
    zh "$@" -q >"$tmp/out" 2>"$tmp/err" </dev/null
    head -n 1 "$tmp/out" >"$tmp/head"
    chinese "$tmp/head" || { echo "npuscope $*: the head is English: $(cat "$tmp/head" "$tmp/err")"; failed=1; }
    english "npuscope $*" "$tmp/out"
    for format in csv json ndjson; do
        zh "$@" -q --format=$format >"$tmp/zh" 2>"$tmp/err" </dev/null
        LC_ALL=C "$npuscope" "$@" -q --format=$format >"$tmp/en" 2>"$tmp/err" </dev/null
        ! chinese "$tmp/zh" || { echo "npuscope $* --format=$format has Chinese"; failed=1; }
        # free memory and what tells the locale are no texts
        for language in en zh; do
            sed 's/[0-9]* s ago//; /available/d; /locale\|symbols\|open files/d; /cache.*free/d; /terminal/d' "$tmp/$language" >"$tmp/$language.cut"
        done
        cmp -s "$tmp/en.cut" "$tmp/zh.cut" || { echo "npuscope $* --format=$format depends on the language"; diff "$tmp/en.cut" "$tmp/zh.cut"; failed=1; }
    done
}
table files "$tmp/died"
table files --by=notes "$tmp/died"
table steps "$tmp/died"
table ops "$tmp/died"
table timeline "$tmp/died"
table comm "$tmp/died"
table host "$tmp/died"
table logs "$tmp/died"
table logs --by=what "$tmp/died"
table memory "$tmp/run"
table schema
table schema examples
table config
table doctor
table cache list
table import "$tmp/run"
zh query 'SELECT 1 AS rank, 2 AS Step' "$tmp/run" -q >"$tmp/out" 2>&1
! chinese "$tmp/out" || { echo "query translates names of columns: $(cat "$tmp/out")"; failed=1; }
zh configure --check '{"start": true, "profiler_level": "x"}' >"$tmp/out" 2>&1
english 'configure --check' "$tmp/out"
chinese "$tmp/out" || { echo "configure --check is English"; failed=1; }

# A bundle is read elsewhere: its members are English, also those that come after a text.
zh bundle -q -o "$tmp/b.tar.gz" "$tmp/died" >"$tmp/out" 2>&1 # the run is damaged: its status says so
mkdir "$tmp/b" && tar -xzf "$tmp/b.tar.gz" -C "$tmp/b" || failed=1
for member in triage.txt triage.json report.md logs.txt logs.json files.csv README.txt host.txt; do
    ! chinese "$tmp/b/"*/$member || { echo "bundle: $member is not English"; failed=1; }
done
exit $failed
