#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A store says which sources its rows come from: a checksum of every file below the folders that read, judge
# and keep them. One made by other sources is not served.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

"$npuscope" demo -q --ranks=1 --steps=2 --size=2000 "$tmp/run" || exit 1
want=$(cd "${top_srcdir:-.}" &&
    find src/base src/run src/store src/import src/model src/analysis parsers -name '*.[ch]' | LC_ALL=C sort |
    xargs cat | cksum | tr ' ' '-')
got=$("$npuscope" query -q --no-header "SELECT value FROM meta WHERE key = 'parsers'" "$tmp/run")
[ "$got" = "$want" ] || { echo "the store says '$got', the sources are '$want'"; failed=1; }

# The same program but for its stamp: as if it was built from other sources.
python3 - "$npuscope" "$want" "$tmp/other" <<'END' || exit 1
import os, sys
name, stamp, out = sys.argv[1:]
program = open(name, "rb").read()
assert program.count(stamp.encode() + b"\0") == 1, "the stamp stands in the program %d times" % program.count(stamp.encode() + b"\0")
other = ("1" if stamp[0] != "1" else "2") + stamp[1:]
open(out, "wb").write(program.replace(stamp.encode() + b"\0", other.encode() + b"\0"))
os.chmod(out, 0o755)
END

# does WORD PROGRAM ARG...: it reads the run ("reading") or takes the store that is there ("store")
does() {
    what=$1
    shift
    "$@" -v >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err"; failed=1; }
    grep -q ": $what" "$tmp/err" || { echo "$*: does not say '$what': $(cat "$tmp/err")"; failed=1; }
    [ -s "$tmp/first" ] || cp "$tmp/out" "$tmp/first"
    cmp -s "$tmp/first" "$tmp/out" || { echo "$*: other rows"; failed=1; }
}
# state WORD: what the cache says of the only store
state() {
    got=$("$npuscope" cache list -F csv --no-header | cut -d, -f4)
    [ "$got" = "$1" ] || { echo "the cache says '$got', not '$1'"; failed=1; }
}
does store "$npuscope" steps -F csv "$tmp/run"
state ok
does reading "$tmp/other" steps -F csv "$tmp/run"
state OLD
does store "$tmp/other" steps -F csv "$tmp/run"
does reading "$npuscope" steps -F csv "$tmp/run"
does store "$npuscope" steps -F csv "$tmp/run"
state ok

# A damaged one is made anew too.
for store in "$tmp/cache/npuscope/"*.npus; do break; done
python3 - "$store" <<'END'
import sys
f = open(sys.argv[1], "r+b")
f.seek(4096 + 100)
f.write(b"damage" * 50)
END
state BAD
does reading "$npuscope" steps -F csv "$tmp/run"
state ok

# The same with a name of its own; the store says which run it is of, whoever made it.
cp "$store" "$tmp/own.npus"
does store "$npuscope" steps -F csv --db="$tmp/own.npus"
does reading "$tmp/other" steps -F csv --db="$tmp/own.npus"
does reading "$npuscope" steps -F csv --db="$tmp/own.npus"
"$npuscope" cache remove -q "$tmp/run" || failed=1
state ''
echo hello >"$tmp/plain"
"$npuscope" steps --db="$tmp/plain" 2>"$tmp/err" && failed=1
grep -q 'give PATH too' "$tmp/err" || { cat "$tmp/err"; failed=1; }
exit $failed
