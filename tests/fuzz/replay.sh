#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every input in tests/fuzz/corpus/<what> through fuzz_<what>: none may crash it. FUZZ_TARGETS comes from
# make.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}"
bad=0 targets=0 inputs=0
for target in ${FUZZ_TARGETS:-$(cd "$top_builddir" && find tests/fuzz -name 'fuzz_*' -perm -100 -type f)}; do
    what=${target##*/fuzz_}
    targets=$((targets + 1))
    set -- "$top_srcdir/tests/fuzz/corpus/$what"/*
    [ -e "$1" ] || {
        echo "$what: no inputs in tests/fuzz/corpus/$what"
        bad=1
        continue
    }
    inputs=$((inputs + $#))
    "$top_builddir/$target" "$@" >"$top_builddir/tests/fuzz/$what.replay" 2>&1 || {
        bad=1
        echo "$what: failed:"
        tail -n 40 "$top_builddir/tests/fuzz/$what.replay"
    }
    rm -f "$top_builddir/tests/fuzz/$what.replay"
done
echo "targets: $targets, inputs: $inputs"
exit $bad
