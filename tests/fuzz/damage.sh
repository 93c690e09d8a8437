#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every input in tests/fuzz/corpus/<what> through fuzz_<what> cut at each byte, and with a bit flipped at
# 2 000 places (a tenth of both with NPUSCOPE_TEST_SHORT): none may crash it. Databases are not cut, as a run of
# theirs makes a file of many tables: test_database_damage.c cuts. Without the targets of whole folders, whose
# inputs are large; what damages these: tests/cli/*_damage.sh and test_*_damage.c of their unit tests.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}"
bad=0 targets=0 inputs=0
for target in ${FUZZ_TARGETS:-$(cd "$top_builddir" && find tests/fuzz -name 'fuzz_*' -perm -100 -type f)}; do
    what=${target##*/fuzz_}
    how=--damage
    case $what in
    analyse | g1_job | msprof | offline | prof_folder | raw_op_range) continue ;;
    database | database_group) how=--flips ;;
    esac
    targets=$((targets + 1))
    set -- "$top_srcdir/tests/fuzz/corpus/$what"/*
    inputs=$((inputs + $#))
    "$top_builddir/$target" $how "$@" >"$top_builddir/tests/fuzz/$what.damage" 2>&1 || {
        bad=1
        echo "$what: failed:"
        tail -n 40 "$top_builddir/tests/fuzz/$what.damage"
    }
    rm -f "$top_builddir/tests/fuzz/$what.damage"
done
echo "targets: $targets, inputs: $inputs"
exit $bad
