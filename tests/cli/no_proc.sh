#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where /proc is not there, a worker is a copy of the process that wants it: what is read, written and said
# is the same as elsewhere. A file that was deleted while it runs starts workers, too.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0
grep -q '^HARD_CFLAGS = -fsanitize' "${top_builddir:-.}/Makefile" && {
    echo "no_proc: skipped, sanitizers find stacks and leaks by /proc"
    exit 77
}

# bare CMD...: runs it in a mount namespace of its own, where /proc is an empty folder
bare() {
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare $own -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"
}
own=
bare true 2>/dev/null || own=-r
bare true 2>/dev/null || { echo "skipped, no mount namespaces here"; exit 77; }
bare test ! -e /proc/self || { echo "/proc is still there"; exit 1; }

# same WHAT: what is in $tmp/want and $tmp/got of it
same() {
    for f in out err status; do
        cmp -s "$tmp/want.$f" "$tmp/got.$f" || {
            echo "$1: $f is not the same"
            diff "$tmp/want.$f" "$tmp/got.$f" | head -n 10
            failed=$((failed + 1))
        }
    done
}
# t TO CACHE CMD...: its output and status in files whose names begin with $tmp/TO
t() {
    to=$tmp/$1 XDG_CACHE_HOME=$tmp/cache/$2
    export XDG_CACHE_HOME
    shift 2
    "$@" </dev/null >"$to.out" 2>"$to.err"
    echo $? >"$to.status"
}

"$npuscope" demo -q --ranks=3 --steps=2 --size=2000 "$tmp/run" || exit 1
for args in 'import -qF json --jobs=2' report 'ops -F csv' triage; do
    # shellcheck disable=SC2086 # words
    t want a "$npuscope" $args "$tmp/run"
    # shellcheck disable=SC2086
    t got b bare "$npuscope" $args "$tmp/run"
    # Paths of the cache and times taken differ.
    sed -i 's|cache/b|cache/a|; s/"read_ns": *[0-9]*/"read_ns": 0/g' "$tmp/got.out"
    sed -i 's/"read_ns": *[0-9]*/"read_ns": 0/g' "$tmp/want.out"
    same "$args without /proc"
done
[ -s "$tmp/want.out" ] || { echo "nothing was compared"; failed=$((failed + 1)); }
[ "$(find "$tmp/cache/b" -name '*.npus' | wc -l)" -ge 3 ] || { echo "no stores were kept"; exit 1; }

# The temporary store of a process that runs is left alone where /proc cannot say what runs.
store=$(find "$tmp/cache/b" -name '*.npus' | head -n 1)
echo >"$store.tmp.$$"
echo >"$store.tmp.4194303" # above what a process may have
t got b bare "$npuscope" cache remove --all
[ -e "$store.tmp.$$" ] || { echo "took the store of a living process away"; failed=$((failed + 1)); }
[ ! -e "$store.tmp.4194303" ] || { echo "left the store of a dead process"; failed=$((failed + 1)); }

cp "$npuscope" "$tmp/gone"
exec 9<"$tmp/gone"
rm "$tmp/gone"
t want a "$npuscope" report "$tmp/run"
t got c "$npuscope" import "$tmp/run"
t got c sh -c 'exec /proc/self/fd/9 report "$1"' sh "$tmp/run"
same "a deleted file"

[ $failed -eq 0 ] && echo "no_proc: what is read without /proc and from a deleted file is the same"
[ $failed -eq 0 ]
