#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On Linux 3.10, as far as system calls go: what is read and written is what it is on this kernel.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
old=${top_builddir:-.}/tests/lib/old_kernel
failed=0

"$old" /bin/true >"$tmp/out" 2>&1
case $? in
0) ;;
77) cat "$tmp/out"; exit 77 ;;
*) echo "the filter does not hold calls back"; exit 1 ;;
esac

# t ARG...: the same output, messages and status with and without the newer calls
t() {
    n=0
    for by in '' "$old"; do
        n=$((n + 1))
        XDG_CACHE_HOME=$tmp/cache/$n ${by:+"$by"} "$npuscope" "$@" </dev/null >"$tmp/out.$n" 2>"$tmp/err.$n"
        echo $? >"$tmp/status.$n"
    done
    for f in out err status; do
        cmp -s "$tmp/$f.1" "$tmp/$f.2" || {
            echo "$*: $f is not the same"
            diff "$tmp/$f.1" "$tmp/$f.2" | head -n 10
            failed=$((failed + 1))
        }
    done
}

XDG_CACHE_HOME=$tmp/cache/0 "$npuscope" demo -q --ranks=2 --steps=2 --size=20000 "$tmp/run" || exit 1
XDG_CACHE_HOME=$tmp/cache/0 "$old" "$npuscope" demo -q --ranks=2 --steps=2 --size=20000 "$tmp/same" || exit 1
diff -r "$tmp/run" "$tmp/same" || { echo "demo writes something else"; failed=$((failed + 1)); }
XDG_CACHE_HOME=$tmp/cache/0 "$npuscope" demo -q --raw --steps=2 "$tmp/raw" || exit 1
for command in report ops timeline triage 'host --by=counter' 'bundle --list' 'ops -F csv --limit=all'; do
    # shellcheck disable=SC2086 # words
    t $command --rank=all "$tmp/run"
done
NPUSCOPE_MEMORY=1 # arrays go on in files without a name
export NPUSCOPE_MEMORY
for n in 1 2; do
    [ $n = 1 ] && by='' || by=$old
    ${by:+"$by"} "$npuscope" analyse -q -o "$tmp/analysed.$n" "$tmp/raw" >"$tmp/out" 2>&1 || { cat "$tmp/out"; failed=$((failed + 1)); }
done
diff -r "$tmp/analysed.1" "$tmp/analysed.2" || { echo "analyse writes something else"; failed=$((failed + 1)); }
[ -n "$(find "$tmp/analysed.2" -type f)" ] || { echo "analyse wrote nothing"; failed=$((failed + 1)); }

[ $failed -eq 0 ] && echo "old_kernel: all is the same without the calls that came after Linux 3.10"
[ $failed -eq 0 ]
