#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# try_rpm.sh [--lint] PACKAGE: a package that rpm.sh made has no fault that rpmlint knows, installs into a root of its
# own, works there on the command line and on the screen, and leaves nothing when it is erased. The root has the
# libraries of this host that the program needs and the terminal. With --lint only rpmlint looks at it.
top_srcdir=$(cd "$(dirname "$0")/.." && pwd)
. "$top_srcdir/tests/lib/term.sh"
only=
[ "$1" != --lint ] || { only=lint; shift; }
package=$(realpath "$1")
alone=$top_srcdir/pack/alone.sh
root=$test_dir/root
TERM=xterm-256color
export TERM

rpmlint --config "$top_srcdir/pack/rpmlint.toml" "$package" >"$test_dir/lint" 2>&1
tail -n 1 "$test_dir/lint"
grep -q ' 0 errors, 0 warnings' "$test_dir/lint" || fail "$(cat "$test_dir/lint")"
[ -z "$only" ] || exit 0

# listing: every file below the root but what rpm itself keeps
listing() {
    (cd "$root" && find . -path ./var/lib/rpm -prune -o -print | sort)
}

# A root with what the package requires of others, and with the folders that belong to a distribution's packages.
mkdir -p "$root/var/lib" "$root/kept" "$root/proc" "$root/etc" "$root/usr/lib" "$root/usr/bin" "$root/usr/share/doc" \
    "$root/usr/share/licenses" "$root/usr/share/man/man1" "$root/usr/share/man/man5" "$root/usr/share/man/zh_CN/man1" \
    "$root/usr/share/man/zh_CN/man5" \
    "$root/usr/share/zsh/site-functions" \
    "$root/usr/share/fish/vendor_completions.d" "$root/usr/share/bash-completion/completions" "$root/usr/lib/.build-id" "$root/var/tmp"
rpm --root "$root" --initdb || fail "no data base"
listing >"$test_dir/before"
rpm --root "$root" -i --nodeps --noplugins "$package" || fail "does not install"
rpm --root "$root" -V --nodeps npuscope || fail "is not as the package says"
rpm --root "$root" -ql npuscope >"$test_dir/files"
[ -s "$test_dir/files" ] || fail "no files"
for f in /usr/bin/npuscope /usr/share/man/man1/npuscope.1.gz /usr/share/bash-completion/completions/npuscope.bash; do
    [ -s "$root$f" ] || fail "no $f"
done
listing >"$test_dir/installed"

# What it links with, from this host; libraries and terminals are then part of what was there before.
ldd "$root/usr/bin/npuscope" | grep -o '/[^ )]*' | sort -u >"$test_dir/libraries"
! ldd "$root/usr/bin/npuscope" | grep 'not found' || fail "a library is missing"
while IFS= read -r f; do
    mkdir -p "$root$(dirname "$f")"
    cp -L "$f" "$root$f"
done <"$test_dir/libraries"
for folder in /lib/terminfo /usr/share/terminfo; do
    for name in xterm-256color screen-256color tmux-256color; do
        at=$folder/$(echo "$name" | cut -c1)
        [ ! -f "$at/$name" ] || { mkdir -p "$root$at" && cp -L "$at/$name" "$root$at/"; }
    done
done

inside() {
    sh "$alone" "$root" yes /usr/bin/npuscope "$@"
}
inside demo -q --ranks=2 --steps=2 --size=2000 /kept/run </dev/null || fail "no demo"
inside report /kept/run </dev/null >"$test_dir/report" 2>&1 || fail "no report: $(cat "$test_dir/report")"
grep -q '^Verdict' "$test_dir/report" || fail "no verdict: $(cat "$test_dir/report")"
[ "$(inside ops -F csv /kept/run </dev/null | wc -l)" -gt 5 ] || fail "no ops"
term_start 100 30 sh "$alone" "$root" yes /usr/bin/npuscope /kept/run
term_wait VERDICT 30
term_keys F10
expect_exit 0

rpm --root "$root" -e --nodeps --noplugins npuscope || fail "does not go"
while IFS= read -r f; do
    case $f in
    */.build-id) ;; # the file system package's
    *) [ ! -e "$root$f" ] || fail "left behind: $f" ;;
    esac
done <"$test_dir/files"
! rpm --root "$root" -q npuscope >/dev/null || fail "still known"
listing >"$test_dir/after"
comm -13 "$test_dir/before" "$test_dir/installed" | comm -12 - "$test_dir/after" | grep . && fail "left behind"
echo "try_rpm: $(basename "$package") installs, works, and leaves nothing"
