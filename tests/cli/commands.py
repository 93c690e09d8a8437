# SPDX-License-Identifier: Apache-2.0
"""What the commands print against an independent reading of the same files with Python's csv, json and
decimal.

usage: commands.py NPUSCOPE DIR...     every run below each DIR
       commands.py --hostile NPUSCOPE DIR    a generation 2 run below DIR gets hostile op names first
Prints what was compared; exit 1 and the differences when something does not hold.
"""
import collections
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys
from decimal import Decimal as D

problems = []
passed = collections.Counter()
csv.field_size_limit(1 << 24)


def check(what, ok, detail=""):
    passed[what] += 1
    if not ok:
        problems.append("%s: %s" % (what, detail))


def close(what, a, b, detail, tolerance=D("1e-9")):
    """Equal but for the rounding of a double."""
    a, b = D(a), D(b)
    check(what, abs(a - b) <= tolerance * max(abs(a), abs(b), 1), "%s: %s is not %s" % (detail, a, b))


def run(*args, status=(0, 4), binary=False):
    p = subprocess.run([npuscope, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(
        "exit status",
        p.returncode in status,
        "%s: %d %s" % (" ".join(args), p.returncode, p.stderr.decode("utf-8", "replace")),
    )
    return p.stdout if binary else p.stdout.decode("utf-8", "surrogateescape")


def table(*args, **kw):
    return list(csv.DictReader(io.StringIO(run(*args, "-q", "-F", "csv", **kw), newline="")))


def has_data(*args):
    return subprocess.run(
        [npuscope, *args, "-q", "-F", "csv"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ).returncode in (0, 4)


def source(path):
    """Rows of a CSV file of the profiler, cells without blanks and tabs around them."""
    with open(path, "rb") as f:
        text = f.read().decode("utf-8-sig", "surrogateescape")
    rows = [[c.strip() for c in r] for r in csv.reader(io.StringIO(text, newline=""))]
    return [dict(zip(rows[0], r)) for r in rows[1:] if r]


def us(cell):
    return D(cell) * 1000


# ---- generation 1 ----


def gen1_types(d, rank):
    for path in glob.glob("%s/aicore_intermediate_%d_type.csv" % (d, rank)):
        want = {}
        for r in source(path):
            time = r.get("total_time") or r.get("execution_time")
            want[r.get("kernel_type") or r.get("op_type")] = (
                D(time) * 1000000,
                int(r["execution_frequency"]),
            )
        got = {r["type"]: r for r in table("ops", "--by=type", "-r", str(rank), "-f", "core!=AICPU", d)}
        check("op types", set(want) == set(got), "%s: %s" % (path, set(want) ^ set(got)))
        for t, (total, calls) in want.items():
            close("ops --by=type total_ns", got[t]["total_ns"], total, "%s %s" % (path, t))
            check("ops --by=type calls", int(got[t]["calls"]) == calls, "%s %s" % (path, t))


def gen1_steps(d, rank):
    for path in glob.glob("%s/step_trace_raw_%d_detail_time.csv" % (d, rank)):
        want = [r for r in source(path) if r["step_num"] != "-"]
        got = table("steps", "-r", str(rank), d)
        check("steps rows", len(got) == len(want), "%s: %d of %d" % (path, len(got), len(want)))
        for g, w in zip(got, want):
            check("steps", g["step"] == w["step_num"], path)
            for mine, theirs in (
                ("total_ns", "total"),
                ("interval_ns", "iteration_interval"),
                ("fp_bp_ns", "fp_and_bp"),
                ("tail_ns", "tail"),
            ):
                check(
                    "steps " + mine,
                    D(g[mine]) == D(w[theirs]) * 10,
                    "%s step %s: %s is not %s ticks" % (path, g["step"], g[mine], w[theirs]),
                )


def gen1_flops(d, rank):
    for path in glob.glob("%s/flops_%d.txt" % (d, rank)):
        with open(path) as f:
            lines = f.read().split("\n")
        head = [c.strip() for c in lines[0].split(",")]
        want = {}
        for line in lines[1:]:
            if not line:
                continue
            cells = dict(zip(head, [c.strip() for c in line.rsplit(",", len(head) - 1)]))
            mflops = sum(D(v) for k, v in cells.items() if k.startswith("MFLOPs")) * D(1) + sum(
                D(v) for k, v in cells.items() if k == "FLOPs"
            ) / D(10**6)
            tflops = sum(D(v) for k, v in cells.items() if k.startswith("GFLOPS")) / D(1000) + sum(
                D(v) for k, v in cells.items() if k == "FLOPS"
            ) / D(10**12)
            util = [D(v) for k, v in cells.items() if "utilization" in k][0]
            want.setdefault(cells[head[0]], []).append((mflops, tflops, util))
        got = collections.defaultdict(list)
        for r in table("flops", "--by=op", "-r", str(rank), d):
            got[r["op_name"]].append(r)
        check("flops names", set(want) == set(got), "%s: %s" % (path, sorted(set(want) ^ set(got))[:3]))
        for name, values in want.items():
            if len(values) != 1 or len(got[name]) != 1:
                continue
            for mine, theirs in zip(("mflops", "tflops_per_s", "util_pct"), values[0]):
                close("flops " + mine, got[name][0][mine], theirs, "%s %s" % (path, name))


def gen1_timeline(d, rank):
    names = ("ascend_timeline_display_%d.json", "timeline_display_%d.json")
    for path in [p for n in names for p in glob.glob(os.path.join(d, n % rank))][:1]:
        events = json.load(open(path))
        want = sum(1 for e in events if e.get("ph") in ("X", "B"))
        mine = run(
            "query",
            "-q",
            "--no-header",
            "-F",
            "csv",
            "SELECT count(*) FROM event e JOIN track t ON t.id = e.track_id JOIN source s ON "
            "s.id = t.source_id WHERE t.rank = %d AND s.path = '%s'" % (rank, os.path.basename(path)),
            d,
        )
        check("timeline events", int(mine) == want, "%s: %s, the file has %d" % (path, mine, want))
        check("timeline shows all", len(table("timeline", "-r", str(rank), d)) >= want, path)


# ---- generation 2 and P ----


def gen2_ops(d, out):
    path = os.path.join(out, "kernel_details.csv")
    if not os.path.exists(path):
        return
    rows = source(path)
    want = collections.defaultdict(lambda: [D(0), 0])
    for r in rows:
        t = want[(r.get("Type") or r.get("OP Type")).replace("N/A", "-")]
        t[0] += us(r.get("Duration(us)") or r.get("Duration(us)\t"))
        t[1] += 1
    exe = table("ops", "--by=exec", d)
    check("ops --by=exec rows", len(exe) == len(rows), "%s: %d of %d" % (path, len(exe), len(rows)))
    check("ops --by=exec sum", sum(D(r["dur_ns"]) for r in exe) == sum(t[0] for t in want.values()), path)
    got = collections.defaultdict(lambda: [D(0), 0])
    for r in table("ops", "--by=type", d):
        got[r["type"]][0] += D(r["total_ns"])
        got[r["type"]][1] += int(r["calls"])
    check("op types", set(got) == set(want), "%s: %s" % (path, set(got) ^ set(want)))
    for t in want:
        check("ops --by=type total_ns", got[t] == want[t], "%s %s: %s is not %s" % (path, t, got[t], want[t]))


def gen2_statistic(d, out):
    path = os.path.join(out, "op_statistic.csv")
    if not os.path.exists(path):
        return
    want = source(path)
    got = table("ops", "--by=stat", d, "-f", "path=ASCEND_PROFILER_OUTPUT/op_statistic.csv", "--all-columns")
    check("op_statistic rows", len(want) == len(got), "%s: %d of %d" % (path, len(got), len(want)))
    key = {(r["name"], r["calls"]): r for r in got}
    for r in want:
        g = key.get((r["OP Type"], r["Count"]))
        check("op_statistic row", g is not None, "%s %s" % (path, r["OP Type"]))
        if g:
            close(
                "op_statistic total_ns",
                g["total_ns"],
                us(r["Total Time(us)"]),
                "%s %s" % (path, r["OP Type"]),
            )


def gen2_steps(d, out):
    path = os.path.join(out, "step_trace_time.csv")
    if not os.path.exists(path):
        return
    want, got = source(path), table("steps", d)
    check("steps rows", len(got) == len(want), "%s: %d of %d" % (path, len(got), len(want)))
    columns = (
        ("computing_ns", "Computing"),
        ("comm_not_overlapped_ns", "Communication(Not Overlapped)"),
        ("overlapped_ns", "Overlapped"),
        ("communication_ns", "Communication"),
    )
    for g, w in zip(got, want):
        check("steps", (g["step"] or None) == (w["Step"] or None), path)
        for mine, theirs in columns:
            close(
                "steps " + mine,
                g[mine],
                us(w[theirs]).to_integral_value(),
                "%s step %s" % (path, g["step"]),
                D(1) / 10**6,
            )
        # Free is preparing and idle; the file's leaves the preparing before the first task out.
        free, prep = (us(w[name]).to_integral_value() for name in ("Free", "Preparing"))
        want_free = free + (prep if prep > free else 0)
        close("steps free_ns", g["free_ns"], want_free, "%s step %s" % (path, g["step"]), D(1) / 10**6)


def gen2_timeline(d, out):
    path = os.path.join(out, "trace_view.json")
    if not os.path.exists(path):
        return
    events = json.load(open(path), parse_float=D)
    ph = collections.Counter(e.get("ph") for e in events)
    # Ends of flows of the step trace are marks on its track: no arrow leads from one to the other.
    marks = sum(1 for e in events if e["ph"] in "st" and e.get("cat") == "Data_aug Bound")
    got = table("timeline", d)
    check(
        "timeline events",
        len(got) == ph["X"] + ph["B"] + ph["i"] + ph["I"] + marks,
        "%s: %d, the file has %s" % (path, len(got), dict(ph)),
    )
    want = sum((D(str(e["dur"])) for e in events if e["ph"] == "X"), D(0)) * 1000
    check(
        "timeline durations",
        abs(sum(D(r["dur_ns"]) for r in got) - want) <= len(got),
        "%s: %s" % (path, want),
    )
    first = min(D(str(e["ts"])) for e in events if e["ph"] == "X") * 1000
    check("timeline first event", abs(min(D(r["ts_ns"]) for r in got) - first) < 1, "%s: %s" % (path, first))
    if ph["C"]:
        check(
            "timeline counters",
            len(table("timeline", "--by=counters", d))
            == sum(len(set(e["args"]) - {"acc_id"}) for e in events if e["ph"] == "C"),
            path,
        )


# ---- any run ----


def formats(d, rank):
    """The same rows in csv, json and ndjson; the rows that a filter keeps; the order of a sort; --top."""
    args = ("ops", "--by=op", "-r", str(rank), "-q", d)
    if not has_data(*args):
        return
    rows = table(*args)
    objects = json.loads(run(*args, "-F", "json"))
    lines = [json.loads(x) for x in run(*args, "-F", "ndjson").split("\n") if x]
    check("json is ndjson", objects == lines, d)
    check(
        "json has the rows of csv",
        [list(o) for o in objects[:1]] == [list(r) for r in rows[:1]] and len(objects) == len(rows),
        d,
    )
    for o, r in zip(objects, rows):
        check(
            "json values",
            all(
                (r[k] == "") if v is None else (v == r[k]) if isinstance(v, str) else (D(str(v)) == D(r[k]))
                for k, v in o.items()
            ),
            "%s: %s %s" % (d, o, r),
        )
    longest = sorted(rows, key=lambda r: -float(r["total_ns"] or "-inf"))[:3]
    got = table(*args, "--sort=total_ns", "--top=3")
    check(
        "sort and top", [r["total_ns"] for r in got] == [r["total_ns"] for r in longest], "%s: %s" % (d, got)
    )
    limit = float(longest[-1]["avg_ns"] or 0)
    got = table(*args, "-f", "avg_ns>=%dns" % limit)
    check(
        "filter",
        len(got) == sum(1 for r in rows if float(r["avg_ns"] or "-inf") >= int(limit)),
        "%s: %d" % (d, len(got)),
    )
    two = table(*args, "--sort=type,-op_name", "-C", "type,op_name")
    check(
        "two sort keys",
        [r["type"] for r in two if r["type"]] == sorted([r["type"] for r in rows if r["type"]], key=natural),
        d,
    )
    for a, b in zip(two, two[1:]):
        check(
            "second sort key",
            a["type"] != b["type"] or natural(a["op_name"]) >= natural(b["op_name"]),
            "%s: %s %s" % (d, a, b),
        )
    text = run(*args)
    check("text rows", text.count("\n") == len(rows) + 1, d)
    check("text is safe", not re.search("[\x00-\x09\x0b-\x1f\x7f]", text), d)
    check("markdown rows", run(*args, "-F", "markdown").count("\n") == len(rows) + 2, d)


def natural(s):
    return [(1, int(x), "") if x.isdigit() else (0, 0, x) for x in re.split(r"(\d+)", s) if x]


def files(d):
    for r in table("files", "-r", "all", d):
        if r["state"] in ("ABSENT", "OFF") or r["path"].endswith("/"):
            continue
        path = [p for p in (os.path.join(u, r["path"]) for u in units(d)) if os.path.exists(p)]
        check("files path", path != [], "%s: %s" % (d, r["path"]))
        check(
            "files size_b",
            any(os.path.getsize(p) == int(r["size_b"]) for p in path),
            "%s: %s" % (d, r["path"]),
        )
    head = run("files", "-q", "-F", "csv", d).split("\n")[0]
    check("files columns", head == "path,kind,rank,device,size_b,rows,lost,state,feeds,note", head)


unit_cache = {}


def units(d):
    if d not in unit_cache:
        unit_cache[d] = sorted({r["unit"] for r in table("import", d)})
    return unit_cache[d]


def unbound(ends, inside):
    """Ends of arrows that lie in no event of their track."""
    return sum(1 for e in ends if not any(a <= D(str(e["ts"])) <= b for a, b in inside[e["pid"], e["tid"]]))


def spans_by_track(events):
    inside = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X":
            inside[e["pid"], e["tid"]].append((D(str(e["ts"])), D(str(e["ts"])) + D(str(e["dur"]))))
    return inside


def source_unbound(path):
    events = json.load(open(path), parse_float=D)
    return unbound([e for e in events if e["ph"] in "sf"], spans_by_track(events))


def chrome(d, tmp):
    if not has_data("timeline", d):
        return
    path = os.path.join(tmp, "trace_view.json")
    run("timeline", "--chrome", "-q", "-o", path, d)
    trace = json.load(open(path), parse_float=D)
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    rows = table("timeline", d)
    check("chrome events", len(events) == len(rows), "%s: %d of %d" % (d, len(events), len(rows)))
    check("chrome starts at zero", min(e["ts"] for e in trace["traceEvents"] if "ts" in e) == 0, d)
    check(
        "chrome durations",
        sum(D(str(e["dur"])) for e in events) * 1000 == sum(D(r["dur_ns"]) for r in rows),
        d,
    )
    starts, ends = ([e for e in trace["traceEvents"] if e["ph"] == x] for x in "sf")
    check(
        "chrome arrows",
        sorted(e["id"] for e in starts) == sorted(e["id"] for e in ends)
        and len({e["id"] for e in starts}) == len(starts),
        d,
    )
    inside = spans_by_track(events)
    lost = unbound(starts + ends, inside)
    theirs = sum(
        source_unbound(p)
        for p in glob.glob(os.path.join(units(d)[0], "**", "trace_view.json"), recursive=True)
    )
    check(
        "chrome arrows start and end at events",
        lost <= theirs,
        "%s: %d ends without an event, %d in the source" % (d, lost, theirs),
    )
    if len(units(d)) == 1:
        want = run(
            "query",
            "-q",
            "--no-header",
            "-F",
            "csv",
            "SELECT count(*) FROM flow f JOIN track a ON a.id = f.from_track JOIN track b ON b.id = "
            "f.to_track "
            "WHERE a.rank = b.rank AND a.rank = (SELECT min(rank) FROM rank)",
            d,
        )
        check(
            "chrome arrows are all there", len(starts) == int(want), "%s: %d of %s" % (d, len(starts), want)
        )
    tracks = collections.defaultdict(list)
    for e in events:
        tracks[e["pid"], e["tid"]].append((int(D(str(e["ts"])) * 1000), -int(D(str(e["dur"])) * 1000)))
    for key, spans in tracks.items():
        open_ends = []
        for ts, minus in sorted(spans):
            while open_ends and open_ends[-1] <= ts:
                open_ends.pop()
            check(
                "chrome nesting", not open_ends or ts - minus <= open_ends[-1], "%s: %s at %d" % (d, key, ts)
            )
            open_ends.append(ts - minus)
    back = table("timeline", path)
    check("chrome read back", len(back) == len(rows), "%s: %d of %d" % (d, len(back), len(rows)))


def windows(d):
    """--from, --to and --track against the rows without them."""
    if not has_data("timeline", d):
        return
    rows = [
        (int(r["ts_ns"]), int(r["ts_ns"]) + int(r["dur_ns"]), r["track"], r["category"])
        for r in table("timeline", d)
    ]
    a, b = rows[len(rows) // 4][0], rows[len(rows) * 3 // 4][0]
    if a > 10**15:
        got = table("timeline", "--from=%d" % a, "--to=%d" % b, d)
        check(
            "absolute window",
            len(got) == sum(1 for r in rows if r[0] < b and (r[1] > a or r[0] >= a)),
            "%s: %d" % (d, len(got)),
        )
    origin, first = [
        (int(r["origin_ns"]), int(r["first_ns"]))
        for r in table("query", "SELECT origin_ns, first_ns FROM rank ORDER BY rank LIMIT 1", units(d)[0])
    ][0]
    got = table(
        "timeline", "--from=+%dns" % (a - origin - first), "--to=%dns" % (b - origin - first), units(d)[0]
    )
    mine = [
        r
        for r in (
            (int(r["ts_ns"]), int(r["ts_ns"]) + int(r["dur_ns"])) for r in table("timeline", units(d)[0])
        )
    ]
    check(
        "relative window",
        len(got) == sum(1 for r in mine if r[0] < b and (r[1] > a or r[0] >= a)),
        "%s: %d" % (d, len(got)),
    )
    part = rows[0][2][:5]
    got = table("timeline", "--track=" + part.upper(), d)
    want = sum(1 for r in rows if part.lower() in r[2].lower() or part.lower() in r[3].lower())
    check(
        "tracks by name",
        len(got) >= want > 0
        and all(part.lower() in (g["track"] + g["category"]).lower() for g in got)
        or len(got) > want,
        "%s: %d, %d" % (d, len(got), want),
    )
    path = os.path.join(os.environ["TMPDIR"], "cut.json")
    run(
        "timeline",
        "--chrome",
        "-q",
        "--from=%dns" % (a - origin - first),
        "--to=%dns" % (b - origin - first),
        "-o",
        path,
        units(d)[0],
    )
    written = json.load(open(path), parse_float=D)["traceEvents"]
    lost, theirs = unbound([e for e in written if e["ph"] in "sf"], spans_by_track(written)), sum(
        source_unbound(p)
        for p in glob.glob(os.path.join(units(d)[0], "**", "trace_view.json"), recursive=True)
    )
    check("chrome window arrows", lost <= theirs, "%s: %d, %d" % (d, lost, theirs))
    cut = sum(1 for e in written if e["ph"] == "X")
    check(
        "chrome window",
        cut == sum(1 for r in mine if r[0] < b and (r[1] > a or r[0] >= a)),
        "%s: %d" % (d, cut),
    )


def exports(d, tmp):
    import shutil
    import sqlite3

    out = os.path.join(tmp, "tables")
    shutil.rmtree(out, ignore_errors=True)
    run("export", "-q", "-r", "all", "-o", out, d)
    check("export writes tables", os.path.exists(os.path.join(out, "files.list.csv")), d)
    for path in glob.glob(out + "/*.csv"):
        with open(path, newline="", encoding="utf-8", errors="surrogateescape") as f:
            rows = list(csv.reader(f))
        check("export width", all(len(r) == len(rows[0]) for r in rows), path)
    run("export", "-q", "-o", out, d, status=(1,))
    db = os.path.join(tmp, "plain.db")
    run("export", "-q", "--db", db, "--force", units(d)[0])
    c = sqlite3.connect(db)
    check("plain database", c.execute("PRAGMA integrity_check").fetchall() == [("ok",)], d)
    for name in ("event", "flow", "counter_sample", "op_exec", "step", "source"):
        mine = int(
            run("query", "-q", "--no-header", "-F", "csv", "SELECT count(*) FROM " + name, units(d)[0])
        )
        check(
            "plain database rows",
            c.execute("SELECT count(*) FROM " + name).fetchone()[0] == mine,
            "%s: %s" % (d, name),
        )
    c.execute("SELECT * FROM events LIMIT 1").fetchall()
    c.close()


def report(d):
    r = json.loads(run("report", "-q", "-F", "json", d))
    check(
        "report",
        r["run"][0]["state"] in ("ANALYSED", "NOT ANALYSED", "CRASHED", "STILL RUNNING", "UNKNOWN"),
        d,
    )
    for line in run("report", "-q", "-F", "ndjson", d).split("\n"):
        check("report ndjson", not line or json.loads(line)["table"] in r, d)
    cut = json.loads(run("report", "-q", "-F", "json", "-n", "2", d))
    whole = json.loads(run("report", "-q", "-F", "json", "-n", "1000000", d))
    check("report says the rows of each table", len(cut["tables"]) > 3, d)
    for t in cut["tables"]:
        name = t["name"]
        check("report: rows shown", t["shown"] == len(cut[name]), "%s %s" % (d, t))
        check("report: rows in all", t["total"] == len(whole[name]), "%s %s" % (d, t))
    check("report: a table is cut", any(t["shown"] < t["total"] for t in cut["tables"]), d)
    check("report: none is", all(t["shown"] == t["total"] for t in whole["tables"]), d)
    run("report", "-q", d)
    run("report", "-q", "-F", "markdown", d)


def no_cache(d):
    check(
        "in memory the same",
        run("report", "-q", "-r", "all", "--no-cache", d) == run("report", "-q", "-r", "all", d),
        d,
    )


def check_dir(d, tmp):
    files(d)
    report(d)
    chrome(d, tmp)
    windows(d)
    exports(d, tmp)
    no_cache(d)
    for u in units(d):
        out = os.path.join(u, "ASCEND_PROFILER_OUTPUT")
        for r in [r["rank"] for r in table("query", "SELECT rank FROM rank ORDER BY rank", u)]:
            gen1_types(u, int(r))
            gen1_steps(u, int(r))
            gen1_flops(u, int(r))
            gen1_timeline(u, int(r))
            formats(u, int(r))
        if os.path.isdir(out):
            gen2_ops(u, out)
            gen2_statistic(u, out)
            gen2_steps(u, out)
            gen2_timeline(u, out)


# ---- hostile names ----

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "right\u202eleft",
    "two\nlines",
    "=cmd|' /C calc'!A0",
    "a,b;\"c\"",
    "'; DROP TABLE op; --",
    "$(touch x) `id`",
    "|pipe|",
    "<b>&amp;</b>",
    "tab\there",
    "zero\u200bwidth",
    "bad\udcff\udcfeutf8",
    "\u4e2d\u6587",
    " blank ",
    "\x9b31m",
    "../../etc",
    "%s%n",
]


def hostile(d):
    path = sorted(glob.glob(d + "/*/ASCEND_PROFILER_OUTPUT/kernel_details.csv"))[0]
    unit = os.path.dirname(os.path.dirname(path))
    with open(path, "rb") as f:
        rows = list(csv.reader(io.StringIO(f.read().decode("utf-8-sig"), newline="")))
    name = rows[0].index("Name")
    for i, h in enumerate(HOSTILE):
        rows[1 + i][name] = h
    with open(path, "w", newline="", encoding="utf-8", errors="surrogateescape") as f:
        csv.writer(f).writerows(rows)
    got = {r["op_name"] for r in table("ops", "--by=exec", unit, "-C", "op_name")}
    for h in HOSTILE:
        check("csv keeps names", h in got or h.strip() in got, repr(h))
    objects = json.loads(run("ops", "--by=exec", "-q", "-F", "json", unit))
    shown = {o["op_name"] for o in objects}
    for h in HOSTILE:
        h = re.sub("[\udc80-\udcff]", "\ufffd", h)
        check("json keeps names", h in shown or h.strip() in shown, repr(h))
    for f in ("text", "markdown"):
        data = run("ops", "--by=exec", "-q", "-F", f, unit)
        check(
            f + " is safe",
            not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\udc80-\udcff]", data),
            f,
        )
        check(f + " rows", data.count("\n") == len(objects) + (1 if f == "text" else 2), f)
    raw = run("ops", "--by=exec", "-q", "-F", "json", unit)
    check(
        "json is safe", not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]", raw), "json"
    )
    bad = os.path.join(os.path.dirname(d), "evil\x1b[2J\nname")
    p = subprocess.run([npuscope, "ops", bad], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(
        "messages are safe",
        p.returncode == 1 and b"\x1b" not in p.stderr and p.stderr.count(b"\n") == 1,
        repr(p.stderr),
    )


if __name__ == "__main__":
    args = sys.argv[1:]
    is_hostile = args[0] == "--hostile"
    args = args[1:] if is_hostile else args
    npuscope = args[0]
    scratch = os.environ["TMPDIR"]
    for each in args[1:]:
        if is_hostile:
            hostile(each)
        else:
            check_dir(each, scratch)
    for k in sorted(passed):
        print("  %-28s %d" % (k, passed[k]))
    for x in problems[:40]:
        print("DIFFERENT " + x)
    sys.exit(1 if problems else 0)
