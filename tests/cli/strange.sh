#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# FIFOs, devices and sockets in place of a profile, of one of its files, of a store or of what SQLite keeps
# beside it: each command ends at once, with a message that says what lies there.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
command -v timeout >/dev/null 2>&1 || { echo "skipped, no timeout"; exit 77; }
failed=0
wrong() {
    echo "$1"
    sed 's/^/    /' "$tmp/out" "$tmp/err"
    failed=$((failed + 1))
}
# t STATUS TEXT ARG...: the command ends in time with this status, and says the text
t() {
    want=$1
    text=$2
    shift 2
    # -k: a program that waits in open(2) does not end at the first signal
    timeout -k 1 20 "$npuscope" "$@" <"/dev/null" >"$tmp/out" 2>"$tmp/err"
    got=$?
    [ $got -eq "$want" ] || wrong "$*: status $got, not $want"
    cat "$tmp/out" "$tmp/err" | grep -qF -e "$text" || wrong "$*: does not say: $text"
}

"$npuscope" demo -q --steps=2 --size=2000 "$tmp/run" || exit 1
for run in "$tmp/run/"*_ascend_ms; do break; done
mkfifo "$tmp/fifo"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$tmp/socket" || exit 1

# In place of the profile.
for at in "$tmp/fifo" "$tmp/socket" /dev/zero; do
    for command in steps files import triage; do
        t 1 "neither a folder nor a regular file" $command "$at"
    done
    t 1 "not a" pretty "$at"
done

# In place of a store: none is overwritten, none is waited for.
for at in "a FIFO:$tmp/fifo" "a socket:$tmp/socket" "a device:/dev/zero" "a folder:$tmp"; do
    for command in steps import; do
        t 1 "${at%%:*}, not a file: give another name to --db" $command --db="${at#*:}" "$run"
    done
done
t 1 "cannot open the log: No such device" steps --log="$tmp/fifo" "$run"
t 1 "a FIFO, not a file" configure --check "$tmp/fifo"
t 1 "a FIFO, not a file" report --anonymise="$tmp/fifo" "$run"
[ -p "$tmp/fifo" ] || wrong "the FIFO is gone"

# In place of the store in the cache, and of its journal: read anew, or in memory.
t 0 "" import -q "$run"
for store in "$tmp/cache/npuscope/"*.npus; do break; done
for side in "$store" "$store-journal" "$store-wal"; do
    t 0 "" import -q "$run"
    rm -f "$side"
    mkfifo "$side"
    t 0 "Computing" steps "$run"
    rm -f "$side"
    mkfifo "$side"
    t 0 "" cache list
    t 0 "Computing" steps --no-cache "$run"
    rm -f "$side"
done

# In place of a file of the profile: it is named, the others are read.
for file in kernel_details.csv trace_view.json; do
    at=$run/ASCEND_PROFILER_OUTPUT/$file
    rm "$at"
    mkfifo "$at"
    t 0 "a FIFO, not a file" files -C path,note "$run"
    t 4 "$file is BAD: a FIFO, not a file" import "$run"
    rm "$at"
done
rm "$run/profiler_info_0.json"
mkfifo "$run/profiler_info_0.json"
t 4 "profiler_info_0.json is BAD: a FIFO, not a file" report "$run"
exit $((failed > 0))
