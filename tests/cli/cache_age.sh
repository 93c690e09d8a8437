#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stores of the cache age: what nobody used for long is gone after the next command that reads a run, what is
# used stays, and --no-cache and --db leave the cache alone.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

for run in a b c; do
    "$npuscope" demo -q --ranks=1 --steps=2 --size=2000 "$tmp/$run" || exit 1
    "$npuscope" import -q "$tmp/$run" >/dev/null || exit 1
done
cache=$tmp/cache/npuscope
# store_of RUN: the path of its store
store_of() {
    "$npuscope" cache list -F csv --no-header | grep "^$tmp/$1[,/]" | cut -d, -f5
}
set -- "$(store_of a)" "$(store_of b)" "$(store_of c)"

# kept WORD...: the runs whose stores are there, and other stores by name
kept() {
    got=$("$npuscope" cache list -F csv --no-header | while IFS=, read -r root _ _ _ store; do
        root=${root#"$tmp/"}
        case $root in
            '""') echo "${store##*/}" ;;
            *) echo "${root%%/*}" ;;
        esac
    done | sort | tr '\n' ' ')
    [ "$got" = "$1 " ] || { echo "$2: the cache holds '$got', not '$1'"; failed=1; }
}
modes=$(stat -c %a "$cache" "$@" | sort -u | tr '\n' ' ')
[ "$modes" = "600 700 " ] || { echo "modes $modes"; failed=1; }

touch -d '31 days ago' "$1" "$2"
"$npuscope" steps --no-cache "$tmp/c" >/dev/null || failed=1
"$npuscope" steps --db="$tmp/own.npus" "$tmp/c" >/dev/null || failed=1
kept "a b c" "after commands that leave the cache alone"
"$npuscope" steps -v "$tmp/a" >/dev/null 2>"$tmp/err" || failed=1
kept "a c" "after a command that used a"
grep -q 'removed 1 store not used for long' "$tmp/err" || { cat "$tmp/err"; failed=1; }
"$npuscope" steps "$tmp/b" >/dev/null || failed=1
kept "a b c" "after b was read again"

# Too many of them: sparse files, the one not used for longest goes first. When they were made does not
# change.
made=$("$npuscope" cache list -F csv --no-header | cut -d, -f1,3)
truncate -s 9G "$cache/d.npus" && truncate -s 2G "$cache/e.npus" || exit 1
touch -d '3 days ago' "$cache/d.npus"
touch -d '2 days ago' "$cache/e.npus"
"$npuscope" steps "$tmp/a" >/dev/null || failed=1
kept "a b c e.npus" "after room was made"
rm -f "$cache/e.npus"
touch -d '2 days ago' "$1"
[ "$made" = "$("$npuscope" cache list -F csv --no-header | cut -d, -f1,3)" ] ||
    { echo "made at another time"; failed=1; }

# Removing counts what is gone, damaged or not, below a folder.
dd if=/dev/zero of="$2" bs=4096 seek=3 count=1 conv=notrunc 2>/dev/null
"$npuscope" cache remove "$tmp" 2>"$tmp/err" || failed=1
grep -q 'removed 3 stores' "$tmp/err" || { cat "$tmp/err"; failed=1; }
[ -z "$(find "$cache" -name '*.npus*')" ] || { find "$cache"; failed=1; }
exit $failed
