#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is no profile, cannot be read or is no terminal: one sentence that names it and says what to do, and
# its status.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
cd "$test_dir" || exit 99
mkdir empty others
printf 'hello\n' >note.txt
cp note.txt others
seq 1 999 | gzip -c >blob.bin
evil=$(printf 'evil\033]0;pwn\007\n\342\200\256name')
mkdir "$evil"

# says STATUS TEXT ARG...: standard output stays empty, standard error has TEXT and no control byte.
says() {
    status=$1 text=$2
    shift 2
    cli "$@" </dev/null >out 2>err
    got=$?
    [ $got = "$status" ] || {
        cat err
        fail "npuscope $*: status $got, not $status"
    }
    grep -qF -e "$text" err || {
        cat err
        fail "npuscope $*: does not say: $text"
    }
    [ ! -s out ] || fail "npuscope $*: something on standard output"
    [ "$(grep -c . err)" -le 2 ] || fail "npuscope $*: more than two lines: $(cat err)"
    LC_ALL=C tr -d '\n' <err | LC_ALL=C grep -q '[[:cntrl:]]' &&
        fail "npuscope $*: control bytes in the message"
    grep -q "$(printf '\342\200\256')" err && fail "npuscope $*: a bidi control in the message"
    printf '%s  %s\n' "$status" "$(printf '%s' "$*" | LC_ALL=C tr -c ' -~' '?')"
}

says 1 "this needs a terminal, use 'npuscope report'" run
for c in report files ops timeline; do
    says 1 '/no/such: cannot open' $c /no/such
    says 1 'empty: the folder is empty: give a folder made by a profiler' $c empty
    says 1 'others: no profile found here, 16 levels below or 6 above: looked for profiler' $c others
    says 1 'note.txt: no profile here: give a folder made by a profiler' $c note.txt
    says 1 'blob.bin: no profile here' $c blob.bin
    says 1 'pwn' $c "$evil"
done
says 1 'there is no rank 9 here, only 0' ops --rank=9 run
says 2 'unknown option --nope' ops --nope run
says 2 'at character 7: missing closing parenthesis' ops '--filter=type~(' run
says 2 "there is no column 'nocol' here" ops --sort=nocol run
says 2 'npuscope help query' query 'select' run
says 2 'the directory is not empty' demo run
rm run/profiler/flops_*
says 1 'no FLOPs in this run' flops run

if [ -w /dev/full ]; then
    cli ops -q run >/dev/full 2>err
    [ $? = 1 ] || fail "to /dev/full: status is not 1"
    grep -q 'cannot write to standard output' err || fail "to /dev/full: $(cat err)"
fi

# Without the right to read, as somebody else where this runs as root.
mkdir -m 000 closed
if [ "$(id -u)" != 0 ]; then
    says 1 'closed: cannot open the folder: Permission denied' files closed
elif command -v setpriv >/dev/null; then
    chmod 711 "$test_dir"
    cp "$NPUSCOPE" ./npuscope-copy && chmod 755 npuscope-copy
    private setpriv --reuid=65534 --regid=65534 --clear-groups ./npuscope-copy files closed >out 2>err
    [ $? = 1 ] || fail "closed: status is not 1"
    grep -qF 'closed: cannot open the folder: Permission denied' err || fail "closed: $(cat err)"
fi
chmod 755 closed

# The same on a terminal: said after the screen was left alone, not on it.
for path in /no/such empty others note.txt; do
    TERM_CWD=$test_dir term_start 80 24 "$NPUSCOPE" "$path"
    expect_exit 1 "$WAIT"
    term_wait 'npuscope: ' "$WAIT"
    grep -q "$(printf '\033\\[?1049h')" "$term_bytes" && fail "$path: the screen was taken for an error"
done
TERM_CWD=$test_dir term_start 80 24 "$NPUSCOPE" reprot
expect_exit 1 "$WAIT"
term_wait "did you mean 'report'?" "$WAIT"
exit 0
