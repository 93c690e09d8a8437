#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names of files are links where the terminal is known to show them, or the settings say so; elsewhere, in lines and
# in text there are none. Whatever a name holds, the address of its link is letters, digits and %XX.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null || skip "no python3"

esc=$(printf '\033')
run=$test_dir/"r $esc]8;;x${esc}[2J%"
make_demo 1 "$run"
keep "$run"
name=aicore_intermediate_0_detail.csv
config=$test_dir/config
links() { # of the bytes that were sent: their addresses
    tr '\033' '\n' <"$term_bytes" | sed -n 's/^]8;;\(.\)/\1/p'
}
has_links() { # PATTERN NUMBER: so many addresses end so; the bytes come a moment after the screen
    [ "$(links | grep -c -- "$1")" -ge "$2" ]
}
see_files() { # SIZE, then the environment and options
    size=$1
    shift
    # shellcheck disable=SC2086
    term_start $size env -u TMUX -u STY -u VTE_VERSION -u TERM_PROGRAM "$@" --no-state "$run"
    expect_line 1 'npuscope  ' "$WAIT"
    expect_no LOAD "$WAIT"
    term_keys 2
    term_wait "$name" "$WAIT"
}
leave() {
    term_keys Q
    expect_exit 0 "$WAIT"
}

# What a terminal says of itself; the title's card has the same link as the row.
xterm=TERM=xterm-256color
see_files '120 40' "$xterm" VTE_VERSION=7000 "$NPUSCOPE"
term_wait 'op_time=True' "$WAIT"
term_poll "$WAIT" has_links "/$name\$" 2 || fail "row and card are no links: $(links)"
links >"$test_dir/links"
path=$(sed -n "s|^file://[^/]*\(/.*/r%20%1B%5D8%3B%3Bx%1B%5B2J%25/.*/$name\)\$|\1|p" "$test_dir/links" | head -n 1)
[ -n "$path" ] || fail "no address of the file: $(cat "$test_dir/links")"
[ "$(python3 -c 'import sys, urllib.parse; print(urllib.parse.unquote(sys.argv[1]))' "$path")" = "$(echo "$run"/*/"$name")" ] ||
    fail "not its path: $path"
grep -v '^file://[A-Za-z0-9._~%/-]*$' "$test_dir/links" && fail 'an address has other characters'
# What is under the cursor stays what it was: each row once more, with its link.
: >"$term_bytes"
term_keys j j j k
term_wait '│ aicpu_intermediate_0.csv' "$WAIT"
term_poll "$WAIT" has_links /aicpu_intermediate_0.csv 2 || fail "the row of the cursor is no link: $(links)"
leave

for off in "VTE_VERSION=4000" "TMUX=x VTE_VERSION=7000" "VTE_VERSION=7000 NPUSCOPE_CONFIG=$config"; do
    echo 'hyperlinks = off' >"$config"
    # shellcheck disable=SC2086
    see_files '120 40' "$xterm" $off "$NPUSCOPE"
    leave
    [ -z "$(links)" ] || fail "$off: $(links)"
done
see_files '80 24' "$xterm" VTE_VERSION=7000 "$NPUSCOPE" --slow
leave
[ -z "$(links)" ] || fail "a slow line has links: $(links)"
echo 'hyperlinks = on' >"$config"
see_files '80 24' NPUSCOPE_CONFIG="$config" "$NPUSCOPE"
term_poll "$WAIT" has_links "/$name\$" 1 || fail 'the setting does not switch them on'
# A move of the cursor does not wait for the links of the two rows that it writes: they come when no key has for
# 120 ms, after a whole frame of at most 400 bytes.
sleep 0.3
: >"$term_bytes"
term_keys j
term_poll "$WAIT" has_links "/$name\$" 1 || fail 'the links do not come back'
moved=$(python3 -c 'import sys; print(open(sys.argv[1], "rb").read().find(b"\x1b]8;;file"))' "$term_bytes")
[ "$moved" -gt 40 ] && [ "$moved" -le 400 ] || fail "a move of the cursor takes $moved bytes"
python3 - "$term_bytes" <<'EOF' || fail 'links are written before the frame is whole'
import sys
frame, _, links = open(sys.argv[1], "rb").read().partition(b"\x1b7")
sys.exit(b"]8;;" in frame or b"\xe2\x96\xb6" in links)
EOF
# What lies over a link is none.
: >"$term_bytes"
term_keys '?'
term_wait 'q close' "$WAIT"
term_keys 3
term_wait '[type]' "$WAIT"
leave
[ -z "$(links)" ] || fail "the help has links: $(links)"

echo 'hyperlinks = some' >"$config"
private env NPUSCOPE_CONFIG="$config" "$NPUSCOPE" config >"$test_dir/out" 2>&1 && fail 'a wrong value is taken'
grep -q 'hyperlinks takes one of auto|on|off' "$test_dir/out" || fail "$(cat "$test_dir/out")"

# Lines and pipes.
echo 'hyperlinks = on' >"$config"
term_start 100 50 env NPUSCOPE_CONFIG="$config" "$NPUSCOPE" --linear --no-state "$run"
term_wait 'Enter proof' "$WAIT"
term_type 2
term_keys Enter
term_wait "$name" "$WAIT"
[ -z "$(links)" ] || fail "lines have links: $(links)"
term_type Q
term_keys Enter
expect_exit 0 "$WAIT"
private env NPUSCOPE_CONFIG="$config" VTE_VERSION=7000 "$NPUSCOPE" files -q "$run" | grep -q "$esc" && fail 'text has links'
no_leftovers
