#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completion: what the program offers for the word at the cursor, and that the scripts of the shells show it.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0
cd "$tmp" || exit 1
touch npuscope-file.csv

# The words that are offered, then ":files" or ":".
offered() {
    "$npuscope" __complete "$@" | cut -f 1 | tr '\n' ' '
}
expect() {
    want=$1
    shift
    got=$(offered "$@")
    [ "$got" = "$want" ] || { echo "completion of '$*': '$got', not '$want'"; failed=1; }
}
expect "timeline :files " tim
expect "--format= : " ops --form
expect "--format=csv : " ops --format=c
expect "csv : " ops --format c
expect "csv : " ops -F c
expect "--by=fpbp : " steps --by=f
expect "fpbp : " -q steps --by f
expect "--chrome : " timeline --chr
expect ": " ops --chr
expect "list remove : " cache ""
expect ":files " cache remove ""
expect "comm config configure columns : " help co
expect "--theme=light : " --theme=l
expect "theme= time-unit= : " config t
expect "theme= : " config the
expect "time-unit=ms : " config time-unit=m
expect "summary :files " export su
expect ":files " ops --output=x
expect ":files " --logs ""
expect ":files " ops run/
expect "-total_ns,-share_pct : " ops --by type --sort -total_ns,-sha
expect "op_exec : " schema op_ex
expect ": " doctor ""
expect ": " query "select "
expect ":files " query "select 1" ""
expect ": " ops --no-such=
"$npuscope" __complete ops --by=typ | grep -q '^--by=type	type$' || { echo "words have no meaning"; failed=1; }

# Op types of the run in this folder, only once it was read; several parted by commas.
"$npuscope" -q demo --steps=2 --size=1k run >/dev/null || exit 1
cd run || exit 1
expect ": " op Mat
"$npuscope" -q import . >/dev/null || exit 1
[ "$(offered op Mat)" != ": " ] || { echo "op types of a run that was read are not offered"; failed=1; }
for type in $("$npuscope" ops --by=type --columns=type --no-header --format=csv . | tr -d '\r"'); do
    case " $(offered op "$type")" in *" $type "*) ;; *) echo "$type is not offered"; failed=1 ;; esac
    case " $(offered op "x,$type")" in *" x,$type "*) ;; *) echo "$type is not offered after x,"; failed=1 ;; esac
done
cd ..

for shell in bash zsh fish; do
    "$npuscope" help --completion=$shell -o "$tmp/script.$shell" || exit 1
done
"$npuscope" help --completion=csh 2>/dev/null && { echo "there is a completion for csh"; failed=1; }

# What bash shows for the last word, which it parts at '='.
in_bash() {
    want=$1
    shift
    # shellcheck disable=SC2016 # for the inner shell
    got=$(bash -c '. "$1"; shift; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _npuscope; printf "%s " "${COMPREPLY[@]}"' \
        x "$tmp/script.bash" "$npuscope" "$@")
    [ "$got" = "$want" ] || { echo "in bash, completion of '$*': '$got', not '$want'"; failed=1; }
}
if command -v bash >/dev/null 2>&1; then
    in_bash "timeline " tim
    in_bash "csv " ops --format = c
    in_bash "csv " ops --format c
    in_bash "--format= " ops --form
    in_bash "npuscope-file.csv " ops npuscope-f
    in_bash "npuscope-file.csv " ops --output = npuscope-f
    in_bash "ms " config time-unit = m
fi
if command -v fish >/dev/null 2>&1; then
    got=$(PATH=$(dirname "$npuscope"):$PATH HOME=$tmp fish --no-config -c "source $tmp/script.fish; complete -C 'npuscope ops --format=c'" | cut -f 1)
    [ "$got" = "--format=csv" ] || { echo "in fish: '$got'"; failed=1; }
    got=$(PATH=$(dirname "$npuscope"):$PATH HOME=$tmp fish --no-config -c "source $tmp/script.fish; complete -C 'npuscope ops npuscope-f'" | cut -f 1)
    [ "$got" = "npuscope-file.csv" ] || { echo "in fish, a file: '$got'"; failed=1; }
else
    echo "completion: not tried in fish, which is not there"
fi
if command -v zsh >/dev/null 2>&1; then
    zsh -n "$tmp/script.zsh" || failed=1
else
    echo "completion: not tried in zsh, which is not there"
fi
exit $failed
