#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every pane as text, for a reviewer's eyes (`make screens`): one file per run, size and character set in OUT.
#
#   screens.sh OUT [DIR...]     of these runs; without DIR of a synthetic run of each generation
#
# SIZES ("80x24 160x50") and CHARSETS ("utf8 ascii") choose what is drawn. The list of screens is below: the
# name and the keys that lead to it from the first screen of a new start (tmux's names of keys).
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

screens='triage       1
triage-why   1 Enter
files        2
files-card   2 j Enter
ops          3
ops-of-type  3 Enter
ops-card     3 Enter Enter
ops-view-2   3 v
ops-view-3   3 v v
steps        4
steps-chart  4 v
steps-bins   4 v v
timeline     5
timeline-in  5 w w w w .
flops        6
flops-view-2 6 v
memory       7
memory-2     7 v
data         8
data-2       8 v
comm         9
comm-2       9 v
host         0
host-2       0 v
sql          3 ;
help         4 ?
sort-menu    3 F6
columns      3 C
filter       3 \ c o n v'

draw() { # DIR NAME COLS ROWS CHARSET
    file=$out/$2-$3x$4-$5.txt
    echo "$file"
    : >"$file"
    echo "$screens" >"$test_dir/screens"
    while read -r name keys <&3; do
        term_start "$3" "$4" "$NPUSCOPE" --no-state "--$5" "$1"
        expect_line 1 'npuscope  ' "$WAIT"
        expect_no ' LOAD ' "$WAIT"
        for key in $keys; do
            if [ "$key" = ';' ]; then term_keys '\;'; else term_keys "$key"; fi
            term_still "$test_dir/still" "$WAIT"
            expect_no " LOAD " "$WAIT"
        done
        printf '%s\n' "== $name   (keys: $keys) ==" >>"$file"
        term_capture | sed 's/[[:blank:]]*$//' >>"$file"
        term_kill
    done 3<"$test_dir/screens"
}

[ $# -ge 1 ] || {
    echo "usage: $0 OUT [DIR...]" >&2
    exit 2
}
out=$1
shift
mkdir -p "$out"
[ $# -gt 0 ] || {
    for gen in 1 2; do
        make_demo "$gen" "$test_dir/gen$gen" --steps=12
        set -- "$@" "$test_dir/gen$gen"
    done
}
for dir; do
    keep "$dir"
    for size in ${SIZES:-80x24 160x50}; do
        for charset in ${CHARSETS:-utf8 ascii}; do
            draw "$dir" "$(basename "$dir")" "${size%x*}" "${size#*x}" "$charset"
        done
    done
done
