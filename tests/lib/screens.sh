#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every pane as text, for a reviewer's eyes (`make screens`): one file per run, size and character set in OUT.
#
#   screens.sh OUT [DIR...]     of these runs; without DIR of eight synthetic ones
#
# SIZES ("80x24 160x50") and CHARSETS ("utf8 ascii") choose what is drawn; without CHARSETS ASCII is drawn on the
# smallest screen alone. First comes every view of every pane, then the screens of the list below: the name and
# the keys that lead to it from the first screen of a new start (tmux's names of keys).
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
# In the language of LANG where it is one of the program's: make screens LANG=zh_CN.UTF-8.
case ${LANG-} in zh_*) TERM_LANG=$LANG ;; esac
set -f # ? is a key here, not the files of one letter

screens='triage-why   1 Enter
files-card   2 j Enter
ops-of-type  3 Enter
ops-card     3 Enter Enter
timeline-in  5 w w w w .
sql          3 ;
help         4 ?
sort-menu    3 F6
columns      3 C
filter       3 \ c o n v'

asks_for_run() {
    term_has 'Runs here' || term_has '此处的运行'
}

at_rest() {
    term_still "$test_dir/still" "$WAIT"
    expect_no ' LOAD ' "$WAIT"
}

begin() { # COLS ROWS CHARSET DIR
    term_start "$1" "$2" "$NPUSCOPE" --no-state "--$3" "$4"
    expect_line 1 'npuscope  ' "$WAIT"
    expect_no ' LOAD ' "$WAIT"
}

keep_screen() { # TITLE
    printf '%s\n' "== $1 ==" >>"$file"
    term_capture | sed 's/[[:blank:]]*$//' >>"$file"
}

# The tab in brackets; a pane with one view has none, the timeline a map of the run in their place.
tab() {
    sed -n '3s/.*\(\[[^]]*\]\).*/\1/p' "$test_dir/still"
}

# The views of the pane in front, until the first one comes again.
keep_views() { # KEY
    at_rest
    first=$(tab)
    nth=1
    while [ $nth -le 20 ]; do
        keep_screen "pane $1, view $nth"
        term_keys v
        at_rest
        [ "$(tab)" != "$first" ] || return 0
        nth=$((nth + 1))
    done
}

draw() { # DIR NAME COLS ROWS CHARSET
    file=$out/$2-$3x$4-$5.txt
    echo "$file"
    : >"$file"
    begin "$3" "$4" "$5" "$1"
    at_rest
    keep_screen 'first'
    ! asks_for_run || term_keys Escape
    for key in 1 2 3 4 5 6 7 8 9 0; do
        term_keys "$key"
        keep_views "$key"
    done
    echo "$screens" >"$test_dir/screens"
    while read -r name keys <&3; do
        begin "$3" "$4" "$5" "$1"
        ! asks_for_run || term_keys Escape
        for key in $keys; do
            if [ "$key" = ';' ]; then term_keys '\;'; else term_keys "$key"; fi
            at_rest
        done
        keep_screen "$name   (keys: $keys)"
    done 3<"$test_dir/screens"
    term_kill
}

# Eight runs, in folders that are named after them.
make_runs() {
    make_demo 1 "$test_dir/healthy1" --steps=12
    make_demo 2 "$test_dir/healthy2" --steps=12
    make_demo 1 "$test_dir/crashed1" --raw --ranks=2 --steps=6 --crashed=5
    make_demo 2 "$test_dir/crashed2" --raw --ranks=2 --steps=6 --crashed=5
    make_demo 2 "$test_dir/ranks8" --ranks=8 --steps=6
    make_demo 2 "$test_dir/transformer" --ranks=2 --steps=6 --model=transformer
    make_demo 2 "$test_dir/many/first" --ranks=2
    make_demo 2 "$test_dir/many/second" --steps=4
    make_demo 1 "$test_dir/many/third" --steps=5
    make_demo 1 "$test_dir/few"
    find "$test_dir/few" -type f ! -name 'step_trace*' -exec rm {} +
}

[ $# -ge 1 ] || {
    echo "usage: $0 OUT [DIR...]" >&2
    exit 2
}
out=$1
shift
mkdir -p "$out"
[ $# -gt 0 ] || {
    make_runs
    for run in healthy1 healthy2 crashed1 crashed2 ranks8 transformer many few; do
        set -- "$@" "$test_dir/$run"
    done
}
for dir; do
    keep "$dir"
    for size in ${SIZES:-80x24 100x30 120x40 160x50 200x60}; do
        [ "$size" = 80x24 ] && default='utf8 ascii' || default=utf8
        for charset in ${CHARSETS:-$default}; do
            draw "$dir" "$(basename "$dir")" "${size%x*}" "${size#*x}" "$charset"
        done
    done
done
