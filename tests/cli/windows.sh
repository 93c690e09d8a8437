#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Windows of a dynamic profile: which one is shown, how another is chosen, what is said of them.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0

fail() {
    echo "windows: $*"
    sed 's/^/    /' "$tmp/err"
    failed=$((failed + 1))
}

# window RANK START STOP STEPS: a profile of as many steps in the folder of a window
window() {
    "$npuscope" demo -q --ranks=1 --steps="$4" --size=2000 "$tmp/one" 2>"$tmp/err" || { fail "demo"; exit 1; }
    mkdir -p "$tmp/run/rank$1_start$2_stop$3"
    mv "$tmp/one/"*_ascend_ms "$tmp/run/rank$1_start$2_stop$3/"
    rm -r "$tmp/one"
}
window 0 2 5 4
window 0 20 21 2
window 0 100 102 3

# steps WORDS...: the number of steps that are printed
steps() {
    "$npuscope" steps --format=csv --no-header "$@" "$tmp/run" 2>"$tmp/err" | wc -l | tr -d ' '
}
[ "$(steps)" = 4 ] || fail "the first window is not shown unless another is chosen"
grep -qF 'this is window 2-5 of rank 0; there are 2-5, 20-21, 100-102' "$tmp/err" ||
    fail "the windows are not named"
[ "$(steps --window=20-21)" = 2 ] || fail "--window=20-21 shows another one"
[ "$(steps --window=100-102 --rank=0)" = 3 ] || fail "--window=100-102 --rank=0 shows another one"
"$npuscope" steps --window=7-9 "$tmp/run" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && grep -qF 'there is no window 7-9 here, only 2-5, 20-21, 100-102' "$tmp/err" ||
    fail "a wrong window"
[ -s "$tmp/out" ] && fail "a wrong window prints something"
"$npuscope" triage --window=20-21 "$tmp/run" 2>"$tmp/err" | grep -q 'Window *steps 20 to 21' || fail "triage"
"$npuscope" demo -q --ranks=1 --steps=2 --size=2000 "$tmp/plain" 2>"$tmp/err"
"$npuscope" steps --window=2-5 "$tmp/plain" >"$tmp/out" 2>"$tmp/err"
grep -qF 'this is no dynamic profile' "$tmp/err" || fail "a run without windows"
[ $failed -eq 0 ]
