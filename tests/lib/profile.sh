# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Profiles and the program for the screen tests. Source it after term.sh.
#
#   make_demo GEN DIR [OPTION...]   a synthetic profile, small unless an option says otherwise (same options, same bytes)
#   cli ARG...                      npuscope without a screen, with the cache of the screen tests
#   keep DIR [OPTION...]            read DIR into the cache now, so that the screen starts at once
#   open_run COLS ROWS ARG...       npuscope on the screen, until nothing is being read any more
#   first_track                     in the timeline, the cursor row to the first track
#   same_screen COLS ROWS           keep what is on the screen in $test_dir/was
#   rows_of FILE N                  lines N.. of a file
#   no_leftovers                    no process of the test's npuscope, nothing temporary in the cache

: "${WAIT:=20}" # seconds; the machine may be loaded

private() {
    env -u LANG -u LANGUAGE -u NPUSCOPE_OPTIONS -u NPUSCOPE_CONFIG -u NO_COLOR -u TMUX \
        HOME="$test_dir/home" XDG_CACHE_HOME="$test_dir/home/.cache" \
            XDG_CONFIG_HOME="$test_dir/home/.config" \
        XDG_STATE_HOME="$test_dir/home/.local/state" LC_ALL=C.UTF-8 TZ=UTC "$@"
}

cli() {
    mkdir -p "$test_dir/home"
    private "$NPUSCOPE" "$@"
}

make_demo() {
    gen=$1 dir=$2
    shift 2
    cli demo -q --gen="$gen" --ranks=1 --steps=3 --seed=7 "$@" "$dir" || fail "no demo profile in $dir"
}

keep() {
    cli import -q "$@" >/dev/null
    case $? in
    0 | 4) ;; # 4: what is damaged in it is said, and the rest is kept
    *) fail "cannot read $*" ;;
    esac
}

open_run() {
    cols=$1 rows=$2
    shift 2
    term_start "$cols" "$rows" "$NPUSCOPE" "$@"
    expect_line 1 'npuscope  ' "$WAIT"
    expect_no LOAD "$WAIT"
}

# Processes started from the binary under test that are not shells of the test itself; by their working
# environment, because other tests may run the same binary.
our_processes() {
    for p in /proc/[0-9]*; do
        [ "$(readlink "$p/exe" 2>/dev/null)" = "$(readlink -f "$NPUSCOPE")" ] || continue
        tr '\0' '\n' <"$p/environ" 2>/dev/null | grep -qxF "HOME=$test_dir/home" && echo "${p#/proc/}"
    done
}

nothing_runs() {
    [ -z "$(our_processes)" ]
}

no_leftovers() {
    [ -d /proc/self ] && {
        term_poll "$WAIT" nothing_runs || fail "still running: $(our_processes)"
    }
    left=$(find "$test_dir/home" -name '*.tmp*' -o -name '*-journal' -o -name '*-wal' -o -name '*-shm' -o -name '*.lock' 2>/dev/null)
    [ -z "$left" ] || fail "left behind: $left"
}

# It begins at the busiest stream.
first_track() {
    term_wait 'track ' "$WAIT"
    for _ in 1 2 3 4 5 6 7 8 9; do
        ! term_line_has -2 'track 1/' || return 0
        term_keys k
        sleep 0.1
    done
    expect_line -2 'track 1/' "$WAIT"
}
