#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# try_static.sh FILE [OTHER]: a static npuscope is small and needs nothing beside it: FILE runs alone in an
# empty root, with /proc and without, on the command line and on the screen, and from a deleted file. OTHER
# is for another machine and runs under qemu: what it writes is what FILE writes, byte for byte.
top_srcdir=$(cd "$(dirname "$0")/.." && pwd)
. "$top_srcdir/tests/lib/term.sh"
file=$(realpath "$1") other=${2:+$(realpath "$2")}
alone=$(realpath "$(dirname "$0")/alone.sh")
root=$test_dir/root
TERM=xterm-256color
export TERM

small() {
    [ "$(stat -c %s "$1")" -le 8000000 ] || fail "$1 is larger than 8 MB: $(stat -c %s "$1")"
    ! readelf -ldW "$1" | grep -E 'INTERP|NEEDED' || fail "$1 needs other files"
    echo "$(basename "$1"): $(stat -c %s "$1") bytes"
}

# into NAME CMD...: output, messages and status of the command in files
into() {
    name=$1
    shift
    "$@" </dev/null >"$test_dir/$name.out" 2>"$test_dir/$name.err"
    echo "status $?" >>"$test_dir/$name.err"
}

# beside HOME CMD...: in the same folder, on this host
beside() {
    home=$test_dir/$1
    shift
    (cd "$root" && env -i PATH="$PATH" HOME="$home" TERM=$TERM LC_ALL=C "$@")
}

# compare CMD...: every command writes what FILE writes here; CMD is what FILE is in the other surroundings.
compare() {
    for command in report 'ops -F csv' timeline triage host 'export -o -' 'no such command'; do
        # shellcheck disable=SC2086 # words
        into want beside here "$file" $command run
        # shellcheck disable=SC2086
        into got "$@" $command run
        sed -i "s|$root||g" "$test_dir"/want.* "$test_dir"/got.* # where the folder lies
        diff -a "$test_dir/want.out" "$test_dir/got.out" && diff "$test_dir/want.err" "$test_dir/got.err" ||
            fail "$*: $command is not the same"
    done
}

# look CMD...: the screen comes, shows ops and ends.
look() {
    term_start 100 30 "$@"
    term_wait VERDICT 30
    expect_no 'not read' 30
    term_keys 3
    term_wait '[type]' 30
    term_wait Conv2DBackpropFilterD 30
    term_keys F10
    expect_exit 0
}

small "$file"
[ -z "$other" ] || small "$other"
mkdir -p "$root/kept"
beside here "$file" demo -q --ranks=2 --steps=2 --size=2000 run || fail "no demo"
beside here "$file" import -q run >/dev/null || fail "no import"
cp "$file" "$root/npuscope"

for proc in no yes; do
    rm -rf "${root:?}/kept" "$root/again"
    [ $proc = no ] || mkdir "$root/proc"
    mkdir "$root/kept"
    into got sh "$alone" "$root" $proc /npuscope demo -q --ranks=2 --steps=2 --size=2000 again
    diff -r "$root/run" "$root/again" || fail "demo, /proc: $proc: $(cat "$test_dir/got.err")"
    look sh "$alone" "$root" $proc /npuscope run
    into got sh "$alone" "$root" $proc /npuscope import -q run
    grep -qx 'status 0' "$test_dir/got.err" || fail "import, /proc: $proc: $(cat "$test_dir/got.err")"
    [ "$(find "$root/kept" -name '*.npus' | wc -l)" -ge 2 ] || fail "no stores, /proc: $proc"
    compare sh "$alone" "$root" $proc /npuscope
    echo "alone in an empty root, /proc: $proc: the same on the command line, and the screen comes"
done

cp "$file" "$test_dir/gone"
exec 9<"$test_dir/gone"
rm "$test_dir/gone"
beside gone /proc/self/fd/9 import -q run >/dev/null || fail "no import by a deleted file"
compare beside gone /proc/self/fd/9
echo "deleted while it runs: the same"

[ -n "$other" ] || exit 0
qemu=qemu-${other##*-}
command -v "$qemu" >/dev/null || skip "no $qemu"
beside far "$qemu" "$other" demo -q --ranks=2 --steps=2 --size=2000 far || fail "no demo under $qemu"
diff -r "$root/run" "$root/far" || fail "demo under $qemu writes something else"
into got beside far "$qemu" "$other" import -q run
grep -qx 'status 0' "$test_dir/got.err" && [ "$(wc -l <"$test_dir/got.err")" -eq 1 ] || fail "import under $qemu: $(cat "$test_dir/got.err")"
compare beside far "$qemu" "$other"
TERM_CWD=$root
look "$qemu" "$other" run
echo "under $qemu: the same, and the screen comes"
