#!/bin/sh
# Kill an import with SIGKILL at random moments: afterwards the cache holds no store or a whole one, the next import works and
# leaves nothing behind. KILL_ROUNDS rounds (default 20), delays from a printed seed.
set -u
npuscope=${NPUSCOPE:-./npuscope}
rounds=${KILL_ROUNDS:-20}
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-kill-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
XDG_CACHE_HOME=$work/cache HOME=$work
export XDG_CACHE_HOME HOME
"$npuscope" demo --ranks=1 --size=100000 "$work/run" >/dev/null 2>&1 || exit 99
want=$("$npuscope" query --no-cache 'SELECT count(*) FROM op_exec; SELECT count(*) FROM event' "$work/run" 2>/dev/null)
[ -n "$want" ] || { echo "no answer to compare with"; exit 99; }

seed=${KILL_SEED:-$$} whole=0 absent=0 failed=0 i=0
echo "seed $seed, $rounds rounds"
while [ "$i" -lt "$rounds" ]; do
	i=$((i + 1))
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	rm -rf "$work/cache"
	setsid "$npuscope" import "$work/run" >/dev/null 2>&1 &
	pid=$!
	sleep "0.$(printf %03d $((seed / 65536 % 900)))"
	kill -9 "-$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	stores=$(find "$work/cache" -name '*.npus' 2>/dev/null)
	if [ -n "$stores" ]; then
		whole=$((whole + 1))
		[ "$(sqlite3 "$stores" 'PRAGMA integrity_check; SELECT value FROM meta WHERE key = "complete"' | tr '\n' ' ')" = 'ok 1 ' ] ||
			{ echo "round $i: a store is there that is not whole"; failed=$((failed + 1)); }
	else
		absent=$((absent + 1))
	fi
	got=$("$npuscope" query 'SELECT count(*) FROM op_exec; SELECT count(*) FROM event' "$work/run" 2>/dev/null)
	[ "$got" = "$want" ] || { echo "round $i: the next start answers '$got'"; failed=$((failed + 1)); }
	left=$(find "$work/cache" -name '*.tmp.*' -o -name '*-journal' -o -name '*-wal' 2>/dev/null)
	[ -z "$left" ] || { echo "round $i: left behind: $left"; failed=$((failed + 1)); }
done
echo "$whole stores whole, $absent absent, $failed failures"
[ "$failed" -eq 0 ]
