#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Signatures of the user's own decide a verdict as those of the program do; wrong ones are named and left out.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

XDG_CONFIG_HOME=$tmp/config
export XDG_CONFIG_HOME
mkdir -p "$tmp/job/msrun_log" "$XDG_CONFIG_HOME/npuscope" || exit 1
for rank in 0 1; do
    printf '%s\n' "2026-03-14 09:11:30.000 INFO rank $rank begins" \
        "2026-03-14 09:12:07.356 ERROR storage gateway 7 has timed out" >"$tmp/job/msrun_log/worker_$rank.log"
    [ $rank = 0 ] && sed -i '$d' "$tmp/job/msrun_log/worker_0.log"
done
without=$("$npuscope" logs "$tmp/job" 2>&1)
case $without in *"disk full"*) echo "it knows the line without being told" >&2; exit 1 ;; esac

cat >"$XDG_CONFIG_HOME/npuscope/signatures" <<'END'
# what our file servers say
[SITE-01]
log = console
class = disk
match = storage gateway && timed out
says = the storage gateway did not answer
next = look at the gateway

[SITE-02]
class = no such class
match = something else
says = nothing
END
"$npuscope" logs --format=json "$tmp/job" >"$tmp/out" 2>"$tmp/err" || exit 1
python3 - "$tmp/out" <<'END' || exit 1
import json, sys
v = json.load(open(sys.argv[1]))["verdict"]
assert v["ranks"] == [1] and v["class"] == "disk", v
f = v["first_error"]
assert f["path"] == "msrun_log/worker_1.log" and f["line"] == 2 and f["signature"] == "SITE-01", f
END
grep -q "line 10: no class of faults is called 'no such class'" "$tmp/err" || { cat "$tmp/err"; exit 1; }
"$npuscope" logs -q --by=what "$tmp/job" 2>/dev/null | grep -q "storage gateway did not answer" || exit 1

# By its name: one that is not there is said, and the rest goes on.
NPUSCOPE_SIGNATURES=$tmp/none "$npuscope" logs "$tmp/job" >"$tmp/out" 2>"$tmp/err"
grep -q "$tmp/none: " "$tmp/err" && [ -s "$tmp/out" ] || { cat "$tmp/err"; exit 1; }

# A command that reads no logs does not read them.
"$npuscope" demo -q --raw --fault=aicore --crashed=60% --steps=3 --ranks=2 "$tmp/run" || exit 1
NPUSCOPE_SIGNATURES=$tmp/none "$npuscope" steps -q --rank=0 "$tmp/run" >"$tmp/out" 2>"$tmp/err"
[ -s "$tmp/out" ] && ! grep -q "$tmp/none" "$tmp/err" || { cat "$tmp/err"; exit 1; }
NPUSCOPE_SIGNATURES=$tmp/none "$npuscope" triage -q "$tmp/run" >"$tmp/out" 2>"$tmp/err"
[ "$(grep -c "$tmp/none: " "$tmp/err")" = 1 ] && [ -s "$tmp/out" ] || { cat "$tmp/err"; exit 1; }
echo "logs_own: ok"
