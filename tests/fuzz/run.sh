#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every target for FUZZ_SECONDS (60), or FUZZ_RUNS times where that is set, FUZZ_JOBS (2) at a time, from the
# corpus. What is found is kept in the build folder under tests/fuzz/found; new inputs go to a folder that is
# removed, the corpus grows by hand only.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}"
: "${FUZZ_SECONDS:=60}"
# libFuzzer takes 0 for no limit, and -1 for any number of runs.
[ -z "${FUZZ_RUNS-}" ] || FUZZ_SECONDS=0
export top_srcdir top_builddir FUZZ_SECONDS
cd "$top_builddir" || exit 99

if [ "${1-}" != --one ]; then
    [ -n "$FUZZ_TARGETS" ] || { echo "no fuzz targets"; exit 1; }
    "${FUZZ_TARGETS%% *}" -help=1 2>&1 | grep -q max_total_time || {
        echo "check-fuzz: this build has no libFuzzer: configure with CC=clang --enable-fuzz --enable-sanitize=address,undefined"
        exit 1
    }
    # shellcheck disable=SC2086 # a list of words
    printf '%s\n' $FUZZ_TARGETS | xargs -n 1 -P "${FUZZ_JOBS:-2}" sh "$0" --one
    exit
fi

target=$2
what=${target##*/fuzz_}
new=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-fuzz.XXXXXX") || exit 99
trap 'rm -rf "$new"' EXIT
mkdir -p tests/fuzz/found
# What was freed and is kept by the sanitizer is not the program's: little of it, so that the limit below is
# about us.
ASAN_OPTIONS=quarantine_size_mb=64${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS
"./$target" -max_total_time="$FUZZ_SECONDS" -runs="${FUZZ_RUNS:--1}" -timeout=10 -rss_limit_mb=512 -max_len=65536 \
    -print_final_stats=1 \
    -artifact_prefix="tests/fuzz/found/$what-" "$new" "$top_srcdir/tests/fuzz/corpus/$what" \
        >"tests/fuzz/found/$what.txt" 2>&1
status=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "tests/fuzz/found/$what.txt")
if [ $status -eq 0 ]; then
    took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "tests/fuzz/found/$what.txt")
    echo "PASS: fuzz_$what: ${runs:-0} runs in ${took:-$FUZZ_SECONDS} s, nothing found"
    rm -f "tests/fuzz/found/$what.txt"
else
    echo "FAIL: fuzz_$what: ${runs:-?} runs; see tests/fuzz/found/$what.txt:"
    grep -E 'ERROR|SUMMARY|broken|runtime error|Test unit written' "tests/fuzz/found/$what.txt" | head -n 8
fi
exit $status
