#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The marked area of the timeline to files: the table has the rows that the timeline command prints for that
# window, the trace the same events, with names of processes and threads, arrows and counters; filters and
# hidden tracks are kept to, ranks that were moved are written moved.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

command -v python3 >/dev/null || skip "no python3"
make_demo 2 "$test_dir/run" --ranks=2 --size=20k
cli import -q "$test_dir/run" >/dev/null || fail "cannot read the profile"
mkdir "$test_dir/out"
TERM_CWD=$test_dir/out

# same.py TRACE EVENTS.csv COUNTERS.csv MOVED [RANK]: what the trace holds is what the tables say (MOVED ns
# later), and whole.
cat >"$test_dir/same.py" <<'END'
import csv, decimal, json, re, sys
D = decimal.Decimal
decimal.getcontext().prec = 40
trace = json.load(open(sys.argv[1]), parse_float=D)
label = "rank %s " % sys.argv[5] if len(sys.argv) > 5 else ""
moved, base = int(sys.argv[4]), int(trace["otherData"]["origin_ns"])
t = trace["traceEvents"]
process = {e["pid"]: e["args"]["name"] for e in t if e["ph"] == "M" and e["name"] == "process_name"}
thread = {(e["pid"], e["tid"]): re.sub(r" \(\d+\)$", "", e["args"]["name"]) for e in t if e["ph"] == "M" and e["name"] == "thread_name"}
assert len(process) == len({e["pid"] for e in t}), "a process has no name, or none of its own"
assert {e["ph"] for e in t} <= set("MXCsf"), {e["ph"] for e in t}
for e in t:
    if "ts" in e:
        assert isinstance(e["ts"], D) and e["ts"] >= 0 and -e["ts"].as_tuple().exponent == 3, e
def ns(us):
    n = us * 1000
    assert n == int(n)
    return int(n)
def own(e):
    return process[e["pid"]].startswith(label)
got = sorted((ns(e["ts"]) + base, ns(e["dur"]), thread[e["pid"], e["tid"]], e["name"], process[e["pid"]][len(label):]) for e in t if e["ph"] == "X" and own(e))
want = sorted((int(r["ts_ns"]) + moved, int(r["dur_ns"]), r["track"], r["name"], r["category"]) for r in csv.DictReader(open(sys.argv[2])))
assert want, "the window is empty"
assert got == want, "%d events, not %d: %r" % (len(got), len(want), (set(got) ^ set(want)).pop() if set(got) != set(want) else "twice")
got = sorted((ns(e["ts"]) + base, e["name"], float(e["args"]["value"])) for e in t if e["ph"] == "C" and own(e))
want = sorted((int(r["ts_ns"]) + moved, r["counter"], float(r["value"])) for r in csv.DictReader(open(sys.argv[3])))
assert got == want, "%d samples, not %d" % (len(got), len(want))
def at(e):
    return any(x["ph"] == "X" and (x["pid"], x["tid"]) == (e["pid"], e["tid"]) and x["ts"] <= e["ts"] <= x["ts"] + x["dur"] for x in t)
starts, ends = ({e["id"]: e for e in t if e["ph"] == p} for p in "sf")
assert set(starts) == set(ends) and len(starts) + len(ends) == sum(e["ph"] in "sf" for e in t)
assert all(at(e) and e["cat"] for e in list(starts.values()) + list(ends.values())), "an arrow without its event"
print(len([e for e in t if e["ph"] == "X"]), len(starts), len(want))
END

window='--from=150ms --to=185ms'
events() { # OPTION...
    # shellcheck disable=SC2086
    cli timeline -q $window -F csv "$@" "$test_dir/run" || fail "npuscope timeline $*"
}
events --rank=0 >"$test_dir/events.csv"
events --rank=0 --by=counters >"$test_dir/counters.csv"
same() { # TRACE MOVED [RANK]
    python3 "$test_dir/same.py" "$test_dir/out/$1" "$test_dir/events.csv" "$test_dir/counters.csv" "$2" \
        ${3:+"$3"} >"$test_dir/counts" || fail "$1 is not the window"
}
same_rows() { # FILE EVENTS: in any order
    sort "$2" >"$test_dir/wanted.rows"
    sort "$test_dir/out/$1" | cmp -s - "$test_dir/wanted.rows" || { sort "$test_dir/out/$1" |
        diff - "$test_dir/wanted.rows" | head; fail "$1 is not the window"; }
    [ "$(head -n 1 "$test_dir/out/$1")" = "$(head -n 1 "$2")" ] ||
        fail "the head of $1: $(head -n 1 "$test_dir/out/$1")"
}
command_line() {
    term_type "$1"
    term_keys Enter
}
go_to() {
    term_type @
    expect_line -2 'go to' "$WAIT"
    command_line "$1"
    expect_line -2 "cursor $2" "$WAIT"
}
mark_area() { # FROM TO, in ms
    go_to "$1ms" "$1.0"
    term_keys m
    expect_line -2 'mark A' "$WAIT"
    go_to "$2ms" "$2.0"
    term_keys M
    term_wait "area $1.0" "$WAIT"
}

for size in '80 24' '160 50'; do
    rm -f "$test_dir"/out/*
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    term_keys 5
    first_track
    # Nothing happens in the first 30 ms: there is no file without events.
    mark_area 12 31
    expect_line -1 'export area' "$WAIT"
    command_line ':export nothing.csv'
    expect_line -2 'no event of the timeline fits' "$WAIT"
    [ -z "$(ls "$test_dir/out")" ] || fail "files: $(ls "$test_dir/out")"
    term_keys q
    expect_no 'area 12.0' "$WAIT"
    mark_area 150 185

    # e offers a table, and once that is written, a trace.
    term_keys e
    expect_line -2 'write the area to' "$WAIT"
    expect_line -2 'timeline-area.csv' "$WAIT"
    term_keys Enter
    expect_line -2 'to timeline-area.csv; e again: a trace' "$WAIT"
    same_rows timeline-area.csv "$test_dir/events.csv"
    term_keys e
    expect_line -2 'timeline-area.json' "$WAIT"
    term_keys Enter
    expect_line -2 'to timeline-area.json' "$WAIT"
    same timeline-area.json 0
    read -r slices arrows samples <"$test_dir/counts"
    [ "$slices" -gt 100 ] && [ "$arrows" -gt 0 ] && [ "$samples" -gt 0 ] ||
        fail "nothing to compare: $(cat "$test_dir/counts")"

    # It is what the command writes.
    # shellcheck disable=SC2086
    cli timeline -q --chrome --rank=0 $window -o "$test_dir/out/command.json" "$test_dir/run" ||
        fail "npuscope timeline --chrome"
    same command.json 0

    # A file that is there stays, unless it is said.
    echo mine >"$test_dir/out/kept.json"
    command_line ':export kept.json'
    term_wait 'exist' "$WAIT"
    [ "$(cat "$test_dir/out/kept.json")" = mine ] || fail "kept.json was overwritten"
    command_line ':export! kept.json'
    expect_line -2 'to kept.json' "$WAIT"
    same kept.json 0
    command_line ':export nothing.xml'
    expect_message 'must end in .json' "$WAIT"

    # What the filters keep.
    command_line '\dur>100us'
    expect_line 3 'dur>100us' "$WAIT"
    command_line ':export long.csv'
    expect_message 'that the filters keep' "$WAIT"
    events --rank=0 --filter='dur>100us' >"$test_dir/long.csv"
    same_rows long.csv "$test_dir/long.csv"
    command_line ':export long.json'
    expect_line -2 'to long.json' "$WAIT"
    [ "$(python3 -c 'import json, sys; print(sum(e["ph"] == "X" for e in json.load(open(sys.argv[1]))["traceEvents"]))' "$test_dir/out/long.json")" = \
        "$(($(wc -l <"$test_dir/long.csv") - 1))" ] || fail "long.json is not what the filter keeps"
    command_line ':nofilter'

    # Without an area the window; hidden tracks are left out.
    term_keys q
    expect_no 'area 150.0' "$WAIT"
    term_keys x
    expect_line -2 'hidden; X shows it again' "$WAIT"
    command_line ':export window.csv'
    expect_message 'hidden tracks left out' "$WAIT"
    cli query -q --no-header -F csv \
        "SELECT count(*) FROM event v JOIN track t ON t.id = v.track_id WHERE t.rank = 0" "$test_dir/run" \
        >"$test_dir/all"
    shown=$(($(wc -l <"$test_dir/out/window.csv") - 1))
    [ "$shown" -gt "$slices" ] && [ "$shown" -lt "$(cat "$test_dir/all")" ] ||
        fail "$shown rows of the window, $(cat "$test_dir/all") in all"
    term_keys Q
    expect_exit 0 "$WAIT"
done

# Two ranks, one moved: both are there, the moved one at its place on the screen.
rm -f "$test_dir"/out/*
open_run 160 50 --no-state "$test_dir/run"
term_keys 5
first_track
rows() { term_line -2 | sed -n 's:^track [0-9]*/\([0-9]*\).*:\1:p'; }
one=$(rows)
command_line ':stack all'
two() { [ "$(rows)" -eq $((one * 2)) ] 2>/dev/null; }
term_poll "$WAIT" two || fail "$(rows) rows, not twice $one"
expect_no 'reading ' "$WAIT"
mark_area 150 185
command_line ':export both.json'
expect_line -2 'to both.json' "$WAIT"
same both.json 0 0
command_line ':offset rank=1 +7ms'
expect_line -2 'rank 1 is moved by +7.' "$WAIT"
command_line ':export moved.json'
expect_line -2 'to moved.json' "$WAIT"
same moved.json 0 0
command_line ':export moved.csv'
expect_line -2 'to moved.csv' "$WAIT"
head -n 1 "$test_dir/out/moved.csv" | grep -q '^rank,ts_ns,dur_ns,track,name,category$' ||
    fail "head: $(head -n 1 "$test_dir/out/moved.csv")"
python3 - "$test_dir/out/moved.csv" "$test_dir/out/moved.json" "$test_dir/out/both.json" <<'END' || fail "the moved rank"
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
t = json.load(open(sys.argv[2]))["traceEvents"]
assert {r["rank"] for r in rows} == {"0", "1"}
assert len(rows) == sum(e["ph"] == "X" for e in t)
labels = [e["args"]["labels"] for e in t if e["name"] == "process_labels"]
assert labels and set(labels) == {"moved by 7000000 ns"}, labels
both = json.load(open(sys.argv[3]))["traceEvents"]
assert not any(e["name"] == "process_labels" for e in both)
END
term_keys Q
expect_exit 0 "$WAIT"
no_leftovers
