#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does the terminal library see what is there, and does it fail when it should? With shell programs of a few
# lines.
. "$(dirname "$0")/term.sh"

# must_fail WORDS CMD...: CMD, a check of the library, ends the test (here: a subshell) and says WORDS.
must_fail() {
    words=$1
    shift
    (
        trap - EXIT
        "$@" </dev/null
    ) >"$test_dir/said" 2>&1
    status=$?
    [ $status -eq 1 ] || fail "$* did not fail (status $status)"
    grep -qF "$words" "$test_dir/said" || {
        cat "$test_dir/said"
        fail "$* failed without saying: $words"
    }
    grep -q -- '----- screen' "$test_dir/said" || fail "$* did not show the screen"
}

cat >"$test_dir/program" <<'END'
printf 'size '; stty size
printf 'TERM=%s LC_ALL=%s TZ=%s columns=%s\n' "$TERM" "$LC_ALL" "$TZ" "${COLUMNS-unset}"
case $HOME:$XDG_CACHE_HOME in "$1"/*:"$1"/*) echo 'home is private' ;; *) echo "home is $HOME" ;; esac
trap 'echo "size now $(stty size)"' WINCH
printf 'wide \344\275\240\345\245\275|\n\033[1mbold\033[0m\n'
while :; do
    printf '? '
    read -r word || continue
    case $word in
    bye) exit 3 ;;
    raw) stty -echo; exit 0 ;;
    alt) printf '\033[?1049h'; exit 0 ;;
    *) printf 'got <%s>\n' "$word" ;;
    esac
done
END

term_start 60 12 sh "$test_dir/program" "$test_dir"
expect_screen <<'END'
size 12 60
TERM=tmux-256color LC_ALL=C.UTF-8 TZ=UTC columns=unset
home is private
wide 你好|
bold
?
END
term_type 'two words'
term_keys Enter
term_wait 'got <two words>'
expect_line 7 'got <two'
expect_line -12 'size 12 60'
expect_no 'not there'
term_capture -e | grep -q "$(printf '\033\\[1m')bold" || fail "no attributes in capture -e"
grep -q "$(printf '\033\\[1m')bold" "$term_bytes" || fail "bytes were not recorded"
must_fail 'not on the screen: absent' term_wait absent 0
must_fail 'still on the screen: bold' expect_no bold 0
must_fail 'line 2 does not contain: home' expect_line 2 home 0
must_fail 'the screen is not as wanted' expect_screen 0
must_fail 'has not ended' expect_exit 0 0

term_resize 40 8
term_keys Enter
term_wait 'size now 8 40'
[ "$(term_get '#{pane_width}x#{pane_height}')" = 40x8 ] || fail "not resized"

term_type bye
term_keys Enter
expect_exit 3
must_fail 'ended with status 3, not 0' expect_exit 0
term_end

# What a program leaves behind is seen.
term_start 60 12 sh "$test_dir/program" "$test_dir"
term_type raw
term_keys Enter
must_fail "modes are not as before" expect_exit 0
term_start 60 12 sh "$test_dir/program" "$test_dir"
term_type alt
term_keys Enter
must_fail 'left with: alternate 1' expect_exit 0

# Signals reach the command and nobody else; other terminal types and languages.
TERM_TYPE=vt100 TERM_LANG=C
term_start 60 12 sh "$test_dir/program" "$test_dir"
expect_line 2 'TERM=vt100 LC_ALL=C '
term_signal TERM
expect_exit 143
unset TERM_TYPE TERM_LANG

# A report of a sanitizer fails the test that ran the program.
term_start 60 12 sh -c 'echo "ERROR: planted" >"${ASAN_OPTIONS##*log_path=}.1"; echo ready; read -r x'
term_wait ready
(trap - EXIT; term_end) >"$test_dir/said" && fail "the report was not seen"
grep -q planted "$test_dir/said" || fail "the report was not shown"
term_up=1
term_end

# A shell with job control, for ^Z and fg.
term_shell 60 12
term_type 'sleep 1000'
term_keys Enter
term_wait 'sleep 1000'
term_keys C-z
term_wait Stopped
term_type 'kill %1'
term_keys Enter
term_type exit
term_keys Enter
term_keys C-d
term_end

# Without tmux a test is skipped.
(trap - EXIT; TERM_TMUX=no-such-tmux sh -c '. "$1"' "$0" "$top_srcdir/tests/lib/term.sh") >"$test_dir/said"
[ $? -eq 77 ] || fail "without tmux: not skipped"

if command -v less >/dev/null; then
    i=1
    while [ $i -le 50 ]; do echo "line $i"; i=$((i + 1)); done >"$test_dir/fifty"
    TERM_CWD=$test_dir
    term_start 40 10 less fifty
    expect_line 1 'line 1'
    term_keys G
    expect_line -2 'line 50'
    term_keys q
    expect_exit 0
    term_end
fi
echo "terminal library: all checks behave"
