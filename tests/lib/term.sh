# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A terminal for tests: tmux with a private socket and nothing of the user's own. Source
# it first in every test under tests/e2e: . "$(dirname "$0")/../lib/term.sh"
#
#   term_start COLS ROWS CMD [ARG...]   run CMD in a new terminal of that size (an earlier one is ended)
#   term_shell COLS ROWS                an interactive shell with job control and without line editing, prompt "$ "
#   term_keys KEY...                    keys by tmux's names: j Enter Escape F1 C-c M-x PageDown
#   term_type TEXT                      the characters of TEXT
#   term_click COL ROW                  a click of the left button (from 1 to 94)
#   term_resize COLS ROWS               a new size, as a window manager would give it
#   term_signal NAME                    kill -NAME the command (term_start) by its process id
#   term_capture [-e]                   what is on the screen (-e: with colours and attributes)
#   term_still FILE [SECONDS]           the same into a file, once it has not changed for a moment (it is drawn in pieces)
#   term_get FORMAT                     a value of tmux: '#{cursor_x}', '#{alternate_on}', '#{pane_title}'
#   term_end                            end the terminal; fails the test when a sanitizer reported something
#
#   term_wait TEXT [SECONDS]            until TEXT is on the screen
#   expect_no TEXT [SECONDS]            until TEXT is not on the screen
#   expect_line N TEXT [SECONDS]        until line N (from 1; from the bottom: -1) contains TEXT
#   expect_message TEXT [SECONDS]       until the message contains TEXT: it takes up to four rows above the key bar
#   expect_screen [SECONDS] <<'END'     until the whole screen is what the standard input says (blanks at line ends and
#                                       empty lines at the end do not count)
#   expect_exit STATUS [SECONDS]        until the command has ended; with that status and the terminal as it was found
#   fail TEXT, skip TEXT                end the test; fail shows the screen
#
# Every wait looks again and again until its deadline (10 s unless given, times NPUSCOPE_TEST_SLOW), never
# sleeps a fixed time. Set before term_start where a test needs them: TERM_TYPE (tmux-256color), TERM_LANG
# (C.UTF-8), TERM_CWD (.). $test_dir is a private directory, removed at the end; $term_bytes holds every byte
# the command wrote to the terminal.

: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$top_srcdir/build}"
: "${NPUSCOPE:=$top_builddir/npuscope}"
: "${NPUSCOPE_SAMPLES:=$top_srcdir/../shared}"
: "${NPUSCOPE_TEST_SLOW:=1}"
export NPUSCOPE NPUSCOPE_SAMPLES

fail() {
    echo "FAIL: $*"
    if [ -n "$term_up" ]; then
        echo "----- screen $(term_get '#{pane_width}x#{pane_height}, cursor #{cursor_x},#{cursor_y}')"
        term_capture
        echo "-----"
    fi
    exit 1
}

skip() {
    echo "SKIP: $*"
    exit 77
}

term_run() {
    TMUX_TMPDIR=$test_dir "$term_tmux" -L "t$term_nth" -u -f /dev/null "$@"
}

term_start() {
    term_cols=$1 term_rows=$2
    shift 2
    term_end
    # A new socket each time: a server that is still ending does not get in the way.
    term_nth=$((term_nth + 1))
    rm -f "$test_dir/status" "$test_dir/pid" "$test_dir/go" "$test_dir"/tty.*
    : >"$test_dir/bytes"
    mkdir -p "$test_dir/home" "$test_dir/run" && chmod 700 "$test_dir/run"
    (
        unset TMUX TMUX_PANE COLUMNS LINES LANG LANGUAGE LC_CTYPE NO_COLOR COLORTERM PAGER LESS NPUSCOPE_OPTIONS NPUSCOPE_CONFIG ENV BASH_ENV
        HOME=$test_dir/home
        XDG_CACHE_HOME=$HOME/.cache XDG_CONFIG_HOME=$HOME/.config XDG_STATE_HOME=$HOME/.local/state
        XDG_RUNTIME_DIR=$test_dir/run
        LC_ALL=${TERM_LANG:-C.UTF-8} TZ=UTC SHELL=/bin/sh
        ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}log_path=$test_dir/sanitizer
        UBSAN_OPTIONS=${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}log_path=$test_dir/sanitizer
        export HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR LC_ALL TZ SHELL ASAN_OPTIONS UBSAN_OPTIONS
        cd "${TERM_CWD:-.}" || exit 1
        term_run start-server \; set-option -g status off \; set-option -s escape-time 0 \; \
            set-option -s default-terminal "${TERM_TYPE:-tmux-256color}" \; \
            new-session -d -x "$term_cols" -y "$term_rows" sh "$top_srcdir/tests/lib/pane.sh" "$test_dir" "$@"
    ) || fail "tmux did not start"
    term_up=1
    term_run pipe-pane "exec cat >>'$test_dir/bytes'"
    : >"$test_dir/go"
}

term_shell() {
    # ENV is unset, so that no start file changes the prompt; bash as sh would edit lines.
    if [ -n "$(sh -c 'echo $BASH_VERSION')" ]; then
        term_start "$1" "$2" env "PS1=\$ " sh --noediting -i
    else
        term_start "$1" "$2" env "PS1=\$ " sh -i
    fi
    expect_line 1 '$'
}

term_keys() {
    term_run send-keys -- "$@"
}

term_type() {
    term_run send-keys -l -- "$1"
}

term_click() {
    # shellcheck disable=SC2059
    at=$(printf "\\$(printf %03o $((32 + $1)))\\$(printf %03o $((32 + $2)))")
    term_type "$(printf '\033[M %s\033[M#%s' "$at" "$at")"
}

term_resize() {
    term_run resize-window -x "$1" -y "$2"
}

term_signal() {
    kill "-$1" "$(cat "$test_dir/pid")"
}

term_capture() {
    term_run capture-pane -p "$@"
}

term_still() {
    : >"$1"
    term_same=0
    term_poll "${2:-10}" term_unchanged "$1" || fail "the screen does not come to rest"
}

term_unchanged() {
    term_capture >"$test_dir/now"
    if [ -s "$1" ] && cmp -s "$test_dir/now" "$1"; then
        term_same=$((term_same + 1))
    else
        term_same=0
        mv "$test_dir/now" "$1"
    fi
    [ "$term_same" -ge 3 ]
}

term_get() {
    term_run display-message -p "$1"
}

term_kill() {
    [ -n "$term_up" ] || return 0
    term_up=
    term_run kill-server 2>/dev/null
}

term_end() {
    term_kill
    set -- "$test_dir"/sanitizer.*
    [ ! -e "$1" ] || {
        cat "$@"
        rm -f "$@"
        fail "a sanitizer reported this"
    }
}

# term_poll SECONDS CHECK ARG...: calls CHECK until it succeeds; fails after the deadline.
term_poll() {
    term_until=$(($(date +%s) + $1 * NPUSCOPE_TEST_SLOW))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$term_until" ] || return 1
        sleep 0.05
    done
}

term_has() {
    term_capture | grep -qF -e "$1"
}

term_has_not() {
    ! term_has "$1"
}

term_line() {
    if [ "$1" -lt 0 ]; then
        term_capture | tail -n "${1#-}" | head -n 1
    else
        term_capture | sed -n "${1}p"
    fi
}

term_line_has() {
    term_line "$1" | grep -qF -e "$2"
}

# Blanks at line ends and empty lines at the end are dropped.
term_trim() {
    sed 's/[[:blank:]]*$//' | awk '{ line[NR] = $0; if ($0 != "") last = NR } END { for (i = 1; i <= last; i++) print line[i] }'
}

term_is() {
    term_capture | term_trim >"$test_dir/seen"
    cmp -s "$test_dir/wanted" "$test_dir/seen"
}

term_over() {
    [ -f "$test_dir/status" ]
}

term_wait() {
    term_poll "${2:-10}" term_has "$1" || fail "not on the screen: $1"
}

expect_no() {
    term_poll "${2:-10}" term_has_not "$1" || fail "still on the screen: $1"
}

expect_line() {
    term_poll "${3:-10}" term_line_has "$1" "$2" || fail "line $1 does not contain: $2"
}

term_message_has() {
    term_capture | tail -n 5 | head -n 4 | tr -s ' \n' ' ' | grep -Fq -- "$1"
}
expect_message() {
    term_poll "${2:-10}" term_message_has "$1" || fail "the message does not say: $1"
}

expect_screen() {
    term_trim >"$test_dir/wanted"
    term_poll "${1:-10}" term_is && return
    diff -u "$test_dir/wanted" "$test_dir/seen"
    fail "the screen is not as wanted"
}

expect_exit() {
    term_poll "${2:-10}" term_over || fail "the command has not ended"
    [ "$(cat "$test_dir/status")" = "$1" ] || fail "the command ended with status $(cat "$test_dir/status"), not $1"
    cmp -s "$test_dir/tty.before" "$test_dir/tty.after" || fail "the terminal's modes are not as before"
    term_modes=$(term_get 'alternate #{alternate_on}, cursor #{cursor_flag}, mouse #{mouse_any_flag}, keypad #{keypad_flag}')
    [ "$term_modes" = 'alternate 0, cursor 1, mouse 0, keypad 0' ] || fail "the terminal was left with: $term_modes"
}

term_tmux=${TERM_TMUX:-tmux}
command -v "$term_tmux" >/dev/null || skip "no tmux"

test_dir=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-test.XXXXXX") || exit 99
# shellcheck disable=SC2034 # for the tests
term_bytes=$test_dir/bytes
term_up=
term_nth=0
term_status=0

trap 'term_status=$?; trap - EXIT; term_kill; rm -rf "$test_dir"; exit $term_status' EXIT
trap 'exit 130' INT TERM HUP
