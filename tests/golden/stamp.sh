#!/bin/sh
# A store says which sources its rows come from: a checksum of every file below the folders that read, judge and keep them. One made by other
# sources is not served.
set -u
. "${top_srcdir:-.}/tests/golden/cli_lib.sh"
failed=0

"$npuscope" demo -q --ranks=1 --steps=2 --size=2000 "$tmp/run" || exit 1
want=$(cd "${top_srcdir:-.}" && find src/base src/run src/store src/import src/model src/analysis parsers -name '*.[ch]' | LC_ALL=C sort | xargs cat | cksum | tr ' ' '-')
got=$("$npuscope" query -q --no-header "SELECT value FROM meta WHERE key = 'parsers'" "$tmp/run")
[ "$got" = "$want" ] || { echo "the store says '$got', the sources are '$want'"; failed=1; }

if command -v sqlite3 >/dev/null 2>&1; then
    for store in "$tmp/cache/npuscope/"*.npus; do break; done
    rows() { "$npuscope" steps -F csv "$@"; }
    rows "$tmp/run" >"$tmp/first"
    sqlite3 "$store" 'DELETE FROM step' || exit 1
    rows "$tmp/run" >"$tmp/out" 2>/dev/null && { echo "a store of the same sources is not used: this test shows nothing"; failed=1; }
    sqlite3 "$store" "UPDATE meta SET value = '1-1' WHERE key = 'parsers'" || exit 1
    rows "$tmp/run" >"$tmp/out" || failed=1
    cmp "$tmp/first" "$tmp/out" || { echo "a store of other sources is served"; failed=1; }
    # The same with a name of its own, whose store says which run it is of.
    cp "$store" "$tmp/own.npus"
    sqlite3 "$tmp/own.npus" "DELETE FROM step; UPDATE meta SET value = '1-1' WHERE key = 'parsers'" || exit 1
    rows --db="$tmp/own.npus" >"$tmp/out" || failed=1
    cmp "$tmp/first" "$tmp/out" || { echo "a store of other sources is served by its name"; failed=1; }
    sqlite3 "$tmp/own.npus" 'PRAGMA user_version = 999' || exit 1
    rows --db="$tmp/own.npus" >"$tmp/out" 2>"$tmp/err" && failed=1
    grep -q 'give PATH too' "$tmp/err" || { cat "$tmp/err"; failed=1; }
fi
exit $failed
