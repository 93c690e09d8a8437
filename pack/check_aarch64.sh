#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_aarch64.sh SOURCE VERSION "UNIT_TEST..." "GOLDEN_TEST...": the program of aarch64 and its tests, built here as a static
# file is, run under qemu-aarch64: every unit test, and every golden test with the programs that it runs. Prints a line for
# each test as make check does; logs are in static/arm64/logs.
set -eu
source=$(cd "$1" && pwd) version=$2 units=$3 goldens=$4
command -v qemu-aarch64 >/dev/null || { echo "check_aarch64: no qemu-aarch64"; exit 77; }
sh "$source/pack/static.sh" "$source" "$version" arm64
build=$PWD/static/arm64/build
helpers='tests/golden/parse_dump tests/golden/import_query tests/golden/demo_make tests/golden/flight_say'
# shellcheck disable=SC2086 # lists of words
make -C "$build" -s -j"${JOBS:-2}" $units $helpers

# Scripts in the places of programs, for the tests that are scripts.
top_srcdir=$source top_builddir=$PWD/static/arm64/emulated logs=$PWD/static/arm64/logs
rm -rf "$top_builddir" "$logs"
mkdir -p "$top_builddir/tests/golden" "$logs"
for program in npuscope $helpers; do
    # shellcheck disable=SC2016 # the script expands it
    printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$build/$program" >"$top_builddir/$program"
    chmod 755 "$top_builddir/$program"
done
NPUSCOPE=$top_builddir/npuscope
NPUSCOPE_SAMPLES=${NPUSCOPE_SAMPLES:-$source/../shared}
NPUSCOPE_TEST_SLOW=${NPUSCOPE_TEST_SLOW:-8} NPUSCOPE_TEST_GUEST=1
TZ=UTC LC_ALL=C.UTF-8
XDG_CACHE_HOME=$logs/xdg/cache XDG_STATE_HOME=$logs/xdg/state XDG_CONFIG_HOME=$logs/xdg/config
export top_srcdir top_builddir NPUSCOPE NPUSCOPE_SAMPLES NPUSCOPE_TEST_SLOW NPUSCOPE_TEST_GUEST TZ LC_ALL
export XDG_CACHE_HOME XDG_STATE_HOME XDG_CONFIG_HOME
unset NPUSCOPE_OPTIONS NO_COLOR

cat >"$top_builddir/one" <<'END'
# One test: a program, or a script of the source.
log=$(echo "$1" | tr / -).log
cd "$2"
case $1 in
*.sh) timeout "${AARCH64_TIMEOUT:-1800}" sh "$top_srcdir/$1" </dev/null >"$3/$log" 2>&1 ;;
*) timeout "${AARCH64_TIMEOUT:-1800}" qemu-aarch64 "./$1" </dev/null >"$3/$log" 2>&1 ;;
esac
status=$?
case $status in
0) echo "PASS: $1" ;;
77) echo "SKIP: $1" ;;
*) echo "FAIL: $1 (status $status)" ;;
esac
END
# shellcheck disable=SC2086
printf '%s\n' $units $goldens | xargs -P "${JOBS:-2}" -I NAME sh "$top_builddir/one" NAME "$build" "$logs" | tee "$logs/results"
for result in PASS SKIP FAIL; do
    echo "# $result: $(grep -c "^$result:" "$logs/results")"
done
grep -q '^PASS:' "$logs/results" && ! grep -q '^FAIL:' "$logs/results"
