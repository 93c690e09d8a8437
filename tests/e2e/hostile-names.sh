#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names from a profile that hold escape sequences, bidi controls, newlines and more never reach the terminal
# raw: every sequence in the recorded bytes is one that a run on a clean profile sends, too.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null || skip "no python3"

visit() { # DIR WORD: through the panes, the filter line, the search, an op's card, the SQL console, files opened as tables
    open_run 80 24 --no-state "$1"
    for pane in '2 Files' '3 Ops' '4 Steps' '5 Time' '6 FLOPs' '7 Mem' '8 Data' '9 Comm' '0 Host' \
        '1 Triage'; do
        term_keys "${pane%% *}"
        term_wait "[$pane]" "$WAIT"
    done
    term_keys 2 G
    term_wait '[2 Files]' "$WAIT"
    term_keys Enter
    term_keys q 3
    term_wait '[3 Ops]' "$WAIT"
    term_keys \\
    term_type 'type='
    term_keys Tab Tab
    expect_line -2 'type=' "$WAIT"
    term_keys Escape \\
    term_type "$2"
    expect_line -2 ' of ' "$WAIT"
    expect_no BNTraining "$WAIT"
    term_keys Enter
    expect_line 3 "$2" "$WAIT"
    term_keys y y
    expect_line -2 'copied 1 row' "$WAIT"
    term_type ':nofilter'
    term_keys Enter
    term_type ':view single op'
    term_keys Enter
    expect_line -2 ' ops' "$WAIT"
    term_keys /
    term_type "$2"
    term_keys Enter
    term_keys n Enter
    term_wait '  Op  ' "$WAIT"
    term_wait "$2" "$WAIT"
    term_keys q
    expect_line -2 ' ops' "$WAIT"
    term_keys C Escape F6 Escape
    for file in .csv .db .json; do
        term_keys 2 g
        expect_line -2 ' 1/' "$WAIT"
        term_keys /
        term_type "$file"
        term_keys Enter t
        expect_line 3 'Files > ' "$WAIT"
        [ $file != .db ] || term_keys Enter
        [ $file != .db ] || expect_line 3 ' > t' "$WAIT"
        term_keys q q 3
        term_wait '[3 Ops]' "$WAIT"
    done
    term_keys 5
    term_wait '[5 Time]' "$WAIT"
    term_keys n N Enter
    term_keys Escape
    term_keys \;
    term_keys '?'
    term_keys Escape
    title=$(term_get '#{pane_title}')
    case $title in *pwn*) fail "the terminal's title was changed: $title" ;; esac
    term_keys F10
    expect_exit 0 "$WAIT"
}

# What is on the terminal of the hostile run must be what curses sends for the clean one.
compare() {
    python3 - "$test_dir/clean.bytes" "$term_bytes" <<'PY' || fail "raw control bytes reached the terminal"
import re, sys

seq = re.compile(rb"\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")

def shape(s):
    return re.sub(rb"[0-9;]+", b"#", s) if s[1:2] == b"[" and s[2:3] != b"?" else s

clean, other = (open(p, "rb").read() for p in sys.argv[1:3])
# What curses may send or not, by what changed: scroll (the cursor is saved around it), insert, delete, erase, repeat, move.
known = {shape(s) for s in seq.findall(clean)} | {b"\x1b[#" + bytes([c]) for c in b"STLMP@XbGdABCDHJK"} | {b"\x1b[K", b"\x1b[J", b"\x1b[M", b"\x1b[L", b"\x1b7", b"\x1b8"}
bad = [s for s in seq.findall(other) if shape(s) not in known]
bad += [s for s in (b"\x1b[2J", b"\x1b[5m", b"\x1b[41m") if other.count(s) > 0 and clean.count(s) == 0]
bad += [s for s in re.findall(rb"\x1b\]0;.*?\x07", other)]
rest = seq.sub(b"", other)
bad += re.findall(rb"[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\x1b", rest.replace(b"\x0f", b"") if b"\x0f" in clean else rest)
text = rest.decode("utf-8", "surrogateescape")
bad += [c for c in text if 0x80 <= ord(c) < 0xa0 or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff"
        or 0xd800 <= ord(c) < 0xe000]
print("%d bytes, %d kinds of sequences known, %d bad" % (len(other), len(known), len(bad)))
if bad:
    print(sorted({repr(b) for b in bad})[:20])
    sys.exit(1)
PY
}

# The clean one has files to be opened, too.
for gen in 1 2; do
    clean=$test_dir/clean$gen
    make_demo "$gen" "$clean"
    hostile=$test_dir/$(printf 'run%d\033]0;pwn\007\033[2J\342\200\256\377' "$gen")
    cp -r "$clean" "$hostile"
    python3 "$top_srcdir/tests/cli/hostile.py" spoil "$hostile" || fail "no hostile names"
    python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("create table t(a)"); d.commit()' \
        "$(dirname "$(find "$clean" -name 'profiler_info_0.json')")/extra.db"
    visit "$clean" Conv
    cp "$term_bytes" "$test_dir/clean.bytes"
    title_was=$title
    visit "$hostile" Evil
    [ "$title" = "$title_was" ] || fail "the title is now $title"
    grep -q Evil "$term_bytes" || fail "the hostile name was not shown at all"
    compare
done

# Text on a pipe is as safe; CSV keeps the true bytes.
for c in ops files report; do
    cli $c -q "$hostile" >"$test_dir/text" 2>"$test_dir/err"
    cat "$test_dir/text" "$test_dir/err" | LC_ALL=C tr -d '\n' | LC_ALL=C grep -q '[[:cntrl:]]' &&
        fail "$c: control bytes in the text"
done
cli ops -q --by=op --format=csv "$hostile" | grep -qa "$(printf 'Evil\033\\]0;pwn\007')" ||
    fail "the CSV does not have the name as it is"
