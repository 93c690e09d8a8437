#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what parse_dump gives for the JSON, trace and plain-text files of the samples with an independent
reading of each.

  samples_json.py PARSE_DUMP SAMPLES

The reading uses Python's json and exact decimals. Layers, units and clocks are written down once more
here, on purpose.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal

NS = Decimal(1000)

# Rows of totals among the ops: of torch_npu and MindSpore, of msprof.
TOTALS = ("Total Op Info", "Total HCCL Operators")


def ns(text, mul=NS):
    """Exact value of a number or its text times mul, half away from zero."""
    return int((Decimal(str(text)) * mul).to_integral_value(ROUND_HALF_UP))


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f, parse_float=Decimal)


class Dump:
    """Rows of parse_dump: lines of (word, {column: text})."""

    def __init__(self, tool, kind, path, gen="2"):
        p = subprocess.run([tool, kind, path, gen], stdout=subprocess.PIPE, check=False)
        self.rows = []
        for line in p.stdout.decode("utf-8", "surrogateescape").split("\n"):
            word, *cells = line.split("|")
            self.rows.append((word, dict(c.split("=", 1) for c in cells if "=" in c), line))
        self.end = [c for w, c, _ in self.rows if w == "end"][0]
        self.notes = [line for w, _, line in self.rows if w == "note"]

    def of(self, word):
        return [c for w, c, _ in self.rows if w == word]


class Check:
    def __init__(self):
        self.files = self.bad = self.values = 0

    def equal(self, path, what, got, want):
        self.values += 1
        if got != want:
            self.bad += 1
            print("%s: %s: got %.300r, want %.300r" % (path, what, got, want))


# ---- timelines ----

WALL_US = Decimal(10) ** 14


def boot_offset(path):
    """ns to add to stamps since boot: from start_info of the device's folder."""
    for p in glob.glob(os.path.join(os.path.dirname(os.path.dirname(path)), "start_info*[0-9]")):
        s = load(p)
        return int(s["collectionTimeBegin"]) * 1000 - int(s["clockMonotonicRaw"])
    return 0


def first_start(path):
    """ns to add to stamps since the first op (generation 1, Ascend)."""
    n = re.search(r"_(\d+)\.json$", path).group(1)
    folder = os.path.dirname(path)
    starts = []
    for line in lines_of(os.path.join(folder, "output_timeline_data_%s.txt" % n))[1:]:
        name, _, start, _ = line.rsplit(",", 3)
        if not name.startswith("assign"):
            starts.append(ns(start, Decimal(10) ** 6))
    aicpu = lines_of(os.path.join(folder, "aicpu_intermediate_%s.csv" % n))
    for line in aicpu[1:]:
        starts.append(ns(line.split(",")[aicpu[0].split(",").index("run_start")]))
    return min(starts) if starts else 0


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as f:
        return [x for x in f.read().replace("\r\n", "\n").split("\n") if x.strip()]


def trace_base(kind, path, events):
    timed = [e for e in events if e.get("ph") != "M" and "ts" in e]
    if not timed or Decimal(str(timed[0]["ts"])) >= WALL_US or kind == "g1_hccl_trace":
        return 0
    if kind == "g1_timeline_display":
        return 0 if re.search(r"/(gpu|cpu)_", path) else first_start(path)
    return boot_offset(path)


def trace_expected(kind, path):
    doc = load(path)
    events = doc["traceEvents"] if isinstance(doc, dict) else doc
    base = trace_base(kind, path, events)
    bars = collections.defaultdict(list)
    flows = collections.Counter()
    samples = collections.defaultdict(list)
    names, labels = {}, {}
    for e in events:
        ph, row = e.get("ph"), (str(e.get("pid", "")), str(e.get("tid", "")))
        if ph == "M":
            if e["name"] == "process_name":
                names[row[0]] = e["args"]["name"]
            if e["name"] == "process_labels":
                labels[row[0]] = e["args"]["labels"]
            continue
        ts = ns(e["ts"]) + base
        if ph in "Xi" or (ph in "st" and e.get("cat") == "Data_aug Bound"):
            bars[row].append((ts, ns(e.get("dur", 0)), e["name"]))
        elif ph in "stf":
            flows[(ph, e["cat"], row, ts)] += 1
        elif ph == "C":
            for k, v in e["args"].items():
                if k != "acc_id":
                    samples[(row[0], e["name"], k, str(e["args"].get("acc_id", "")))].append((ts, float(v)))
    devices = {x for x in labels.values() if x.startswith("NPU ")}
    shown = {
        p: "%s (%s)" % (n, labels[p]) if len(devices) > 1 and labels.get(p) in devices else n
        for p, n in names.items()
    }
    return len(events), bars, flows, samples, names, shown


def plain(text):
    return re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m.group(1), 16)), text)


def check_trace(c, tool, kind, path):
    n, bars, flows, samples, names, shown = trace_expected(kind, path)
    d = Dump(tool, kind, path)
    tracks = {t["id"]: t for t in d.of("track_set")}
    got = collections.defaultdict(list)
    for e in d.of("event"):
        t = tracks[e["track"]]
        got[(t["pid"], t["tid"])].append((int(e["ts"]), int(e["dur"]), plain(e.get("name", ""))))
    c.equal(path, "events", int(d.end["rows"]), n)
    c.equal(path, "lost", d.end["lost"], "0")
    c.equal(path, "rows", sorted(got), sorted(bars))
    for row, want in bars.items():
        c.equal(path, "bars of %s" % (row,), got[row], want)
    got = collections.Counter()
    for w, f, line in d.rows:
        if w == "flow":
            t = tracks[f["track"]]
            got[(line.split("|")[3], f["cat"], (t["pid"], t["tid"]), int(f["ts"]))] += 1
    c.equal(path, "flows", got, flows)
    got = collections.defaultdict(list)
    for s in d.of("sample"):
        t = tracks[s["track"]]
        got[(t["pid"], t["tid"])].append((int(s["ts"]), float(s["value"])))
    want = {(p, "%s: %s%s" % (n, k, " " + a if a else "")): v for (p, n, k, a), v in samples.items()}
    c.equal(path, "counters", got, want)
    for t in tracks.values():
        if kind not in ("g1_timeline_display", "g1_hccl_trace"):
            c.equal(path, "layer of " + t["pid"], t["process"], shown.get(t["pid"], "pid " + t["pid"]))
        kinds = {
            "Ascend Hardware": ("stream", "step"),
            "HCCL": ("plane",),
            "Communication": ("plane",),
            "CANN": ("host_thread",),
            "Overlap Analysis": ("overlap",),
            "Python": ("host_thread",),
        }
        if names.get(t["pid"]) in kinds and t["kind"] != "counter":
            c.equal(path, "kind of " + t["pid"], t["kind"] in kinds[names[t["pid"]]], True)


# ---- tables ----


def number(text):
    return None if text is None else float(text)


def check_rows(c, path, d, table, want, columns, what=""):
    """Rows of a table in order; want: lists of values, None for a missing cell."""
    rows = d.of(table)
    c.equal(path, "rows of " + table + what, len(rows), len(want))
    for i, (got, row) in enumerate(zip(rows, want)):
        for col, v in zip(columns, row):
            g = got.get(col)
            if isinstance(v, float):
                g = None if g is None else float(g)
            elif isinstance(v, int):
                g = None if g is None else int(g)
            elif g is not None:
                g = plain(g)
            c.equal(path, "%s row %d %s" % (table, i, col), g, v)


def check_whole(c, path, d):
    c.equal(path, "notes", [n for n in d.notes if "no line end" not in n], [])


MS = Decimal(10) ** 6


def ops_of(d):
    """name of the op by the number of the sink_op call (the counting sink numbers each call)."""
    return {o["id"]: plain(o.get("name_id", "")) for o in d.of("op")}


def check_timeline_data(c, tool, kind, path):
    d = Dump(tool, kind, path)
    want = []
    for line in lines_of(path)[1:]:
        name, stream, start, dur = line.rsplit(",", 3)
        want.append((name, int(stream), ns(start, MS), ns(dur, MS)))
    names = ops_of(d)
    got = [(names[r["op_id"]], int(r["stream"]), int(r["ts_ns"]), int(r["dur_ns"])) for r in d.of("op_exec")]
    c.equal(path, "executions", got, want)
    check_whole(c, path, d)


def check_op_times(c, tool, kind, path):
    d = Dump(tool, kind, path)
    lines = lines_of(path)
    counted = "execution_times" in lines[1]
    want = []
    for line in lines[1:]:
        w = line.split()
        if line.startswith(("=", "-", "op_name", "total op")):
            continue
        tail = 3 if counted else 2
        want.append((" ".join(w[:-tail]), float(Decimal(w[-tail]) * MS), int(w[-1]) if counted else None))
    check_rows(c, path, d, "op_stat", want, ("name_id", "avg_ns", "calls"))
    check_whole(c, path, d)


def check_report(c, tool, kind, path):
    d = Dump(tool, kind, path)
    want, part = [], 0
    lines = lines_of(path)
    for line in lines[1:]:
        if line == lines[0]:  # the report once more: the first counts
            break
        w = line.split()
        if line.startswith("op_name") or line.startswith("optype_name"):
            part = 2 if line.startswith("op_name") else 1
        elif line.startswith("-") or line.startswith("Detail"):
            continue
        elif part == 1:
            want.append((w[0], w[0], float(Decimal(w[1]) * MS), int(w[2]), float(Decimal(w[3]) / 100), None))
        elif part == 2:
            want.append((w[4] if len(w) > 4 else w[0], w[1], None, None, None, float(Decimal(w[2]) * MS)))
    check_rows(c, path, d, "op_stat", want, ("name_id", "type_id", "total_ns", "calls", "share", "avg_ns"))
    c.equal(path, "notes", [n.split("|")[1] for n in d.notes], ["DUPLICATE"] * (lines.count(lines[0]) > 1))


def check_flops(c, tool, kind, path):
    d = Dump(tool, kind, path)
    lines = lines_of(path)
    cols = []
    for h in lines[0].split(",")[1:]:
        side = "vector_" if "vec" in h else ""
        if "utilization" in h:
            cols.append((side + "utilisation", Decimal("0.01")))
        elif "FLOPs" in h:
            cols.append(
                (side + "flops" if side else "cube_flops", Decimal(10) ** 6 if "MFLOP" in h else Decimal(1))
            )
        else:
            cols.append((side + "flops_per_s", Decimal(10) ** 9 if "GFLOP" in h else Decimal(1)))
    names = ops_of(d)
    rows = d.of("op_flops")
    c.equal(path, "ops", len(rows), len(lines) - 1)
    for r, line in zip(rows, lines[1:]):
        cells = line.rsplit(",", len(cols))
        c.equal(path, "name", names[r["op_id"]], cells[0].strip())
        for (col, mul), cell in zip(cols, cells[1:]):
            c.equal(path, col, float(r[col]), float(Decimal(cell.strip()) * mul))
    check_whole(c, path, d)


def check_flops_step(c, tool, kind, path):
    d = Dump(tool, kind, path)
    want = []
    for line in lines_of(path)[1:]:
        step, *u = line.split(",")
        for k, v in zip(["all"] if len(u) == 1 else ["cube", "vector"], u):
            want.append((int(step), float(Decimal(v) / 100), k))
    check_rows(c, path, d, "flops_total", want, ("step", "utilisation", "kind"))


def check_batches(c, tool, kind, path):
    d = Dump(tool, kind, path)
    batch, queue, bad = [], [], 0
    for line in lines_of(path):
        w = [int(x) for x in line.split()]
        if len(w) < 4:
            bad += 1
            continue
        at = w[4] * 10**6 if len(w) > 4 else None
        if w[0] == 0:
            batch.append((w[2], ["pipeline", "push", "total"][w[1]], float(w[3] * 10**6), at))
        else:
            queue.append((w[2], w[3], w[1], at))
    check_rows(c, path, d, "batch_time", batch, ("batch", "kind", "dur_ns", "at_ns"))
    check_rows(c, path, d, "queue_sample", queue, ("seq", "size", "capacity", "at_ns"))
    c.equal(path, "lost", int(d.end["lost"]), bad)
    c.equal(path, "notes", len(d.notes), bad)


def check_getnext(c, tool, kind, path):
    d = Dump(tool, kind, path)
    mul = Decimal(1) if kind == "md_getnext" else NS
    rows = [line.split() for line in lines_of(path)]
    check_rows(
        c,
        path,
        d,
        "queue_sample",
        [(w[0], ns(w[1], mul), int(w[3])) for w in rows],
        ("queue", "ts_ns", "size"),
    )
    check_rows(
        c,
        path,
        d,
        "batch_time",
        [(float(ns(w[2], mul) - ns(w[1], mul)), ns(w[1], mul)) for w in rows],
        ("dur_ns", "ts_ns"),
    )


def check_timestamps(c, tool, kind, path):
    d = Dump(tool, kind, path)
    host = kind == "cpu_op_timestamp"
    shift = 0
    start = lines_of(os.path.join(os.path.dirname(path), "start_time_" + path.rsplit("_", 1)[1]))
    if host and start:
        t = {x.split("_")[0]: int(x.split(":")[1]) * (1000 if x.startswith("device") else 1) for x in start}
        shift = [v for k, v in t.items() if k != "host"][0] - t["host"]
    want, bad = [], 0
    for line in lines_of(path):
        if line.count(";") < 2:
            bad += 1
            continue
        name, _, pairs = line.rsplit(";", 2)
        for p in pairs.split():
            f = p.split(",")
            want.append((name, int(f[0]) + shift, ns(f[1], MS if host else NS), f[2] if len(f) > 2 else None))
    if host:
        check_rows(c, path, d, "host_op", want, ("name_id", "ts_ns", "dur_ns", "thread"))
    else:
        names = ops_of(d)
        got = [(names[r["op_id"]], int(r["ts_ns"]), int(r["dur_ns"]), None) for r in d.of("op_exec")]
        c.equal(path, "executions", got, want)
    c.equal(path, "lost", int(d.end["lost"]), bad)
    c.equal(path, "notes", len([n for n in d.notes if "|NO_CLOCK|" not in n]), bad)
    c.equal(
        path, "clock", any("|NO_CLOCK|" in n for n in d.notes), host and not start and want[0][1] < 10**17
    )


def check_launches(c, tool, kind, path):
    """Lines of type;name;graph;shapes, counted."""
    core = os.path.basename(path)[:3]
    count = collections.Counter()
    for line in lines_of(path):
        cells = line.rstrip(";").split(";")
        count[(cells[0], cells[1], ";".join(x for x in cells[2:] if x.startswith("input_")))] += 1
    check_rows(
        c,
        path,
        Dump(tool, core + "_framework", path),
        "op_stat",
        [(t, n, s, k, core.upper()) for (t, n, s), k in count.items()],
        ("type_id", "name_id", "in_shapes_id", "calls", "core"),
    )


def check_gpu_steps(c, tool, kind, path):
    d = Dump(tool, kind, path)
    lines = [x.split() for x in lines_of(path)]
    steps, parts = [], []
    if "," in lines[0][0]:
        for i, w in enumerate(lines):
            t = [int(x.rsplit(",", 1)[1]) for x in w[:4]]
            steps.append((i + 1, *t))
            parts += [(i + 1, x.rsplit(",", 2)[0], *(int(y) for y in x.rsplit(",", 2)[1:])) for x in w[4:]]
    else:
        fp, bp, end = ([tuple(int(y) * 10 for y in x.split(",")) for x in w[1:]] for w in lines[:3])
        begin = [fp[0][0]] + [x[0] for x in end]
        steps = [(i + 1, begin[i], fp[i][0], bp[i][1], end[i][1]) for i in range(len(fp))]
    check_rows(c, path, d, "step", steps, ("step", "start_ns", "fp_ns", "bp_ns", "end_ns"))
    check_rows(c, path, d, "step_part", parts, ("step", "name_id", "start_ns", "end_ns"))


# ---- JSON ----

INFO, BAND = "Communication Time Info", "Communication Bandwidth Info"


def comm_records(doc, keys=()):
    for k, v in doc.items():
        if isinstance(v, dict) and (INFO in v or BAND in v):
            yield keys + (k,), v
        elif isinstance(v, dict):
            yield from comm_records(v, keys + (k,))


def check_communication(c, tool, kind, path):
    d = Dump(tool, kind, path)
    execs, links = [], []
    for keys, v in comm_records(load(path)):
        rank = int(keys[-1]) if kind == "cluster_communication" else 0
        op = keys[-2] if kind == "cluster_communication" else keys[-1]
        name, _, group = op.partition("@")
        step = [int(k[4:]) for k in keys if re.fullmatch(r"step\d+", k)]
        step = step[0] if step else None
        t, b = v[INFO], v.get(BAND, {})
        if name not in TOTALS:
            size = sum(ns(x["Transit Size(MB)"], MS) for k, x in b.items() if k in ("SDMA", "RDMA"))
            execs.append(
                (
                    rank,
                    name,
                    group or None,
                    step,
                    ns(t["Start Timestamp(us)"]),
                    ns(t["Elapse Time(ms)"], MS),
                    ns(t["Transit Time(ms)"], MS),
                    ns(t["Wait Time(ms)"], MS),
                    ns(t["Synchronization Time(ms)"], MS),
                    ns(t["Idle Time(ms)"], MS),
                    size,
                )
            )
        for k, x in b.items():
            if x["Transit Size(MB)"] == 0 and x["Transit Time(ms)"] == 0:
                continue
            packets = sum(int(n) for n, _ in x.get("Size Distribution", {}).values())
            links.append(
                (
                    rank,
                    name,
                    k,
                    ns(x["Transit Size(MB)"], MS),
                    ns(x["Transit Time(ms)"], MS),
                    float(Decimal(str(x["Bandwidth(GB/s)"])) * 10**9) if "Bandwidth(GB/s)" in x else None,
                    packets or None,
                )
            )
    check_rows(
        c,
        path,
        d,
        "comm_exec",
        execs,
        (
            "rank",
            "name_id",
            "group_id",
            "step",
            "ts_ns",
            "dur_ns",
            "transit_ns",
            "wait_ns",
            "sync_ns",
            "idle_ns",
            "size_b",
        ),
    )
    check_rows(
        c,
        path,
        d,
        "comm_link",
        links,
        ("rank", "name_id", "transport", "size_b", "time_ns", "bandwidth", "packets"),
    )
    check_whole(c, path, d)


def check_matrix(c, tool, kind, path):
    d = Dump(tool, kind, path)
    want = []

    def walk(v, keys):
        for k, x in v.items():
            if re.fullmatch(r"\d+-\d+", k):
                op, _, group = keys[-1].partition("@")
                src, dst = (int(y) for y in k.split("-"))
                m = re.fullmatch(r"(.*)-(top1|middle|bottom[123]|total)", op)
                stat = m.group(2) if m else "total" if op in TOTALS else "op"
                name = x.get("Op Name", x.get("op_name")) if m else op
                want.append(
                    (
                        src,
                        dst,
                        stat,
                        name,
                        group or None,
                        x["Transport Type"],
                        ns(x["Transit Size(MB)"], MS),
                        ns(x["Transit Time(ms)"], MS),
                        float(Decimal(str(x["Bandwidth(GB/s)"])) * 10**9),
                    )
                )
            elif isinstance(x, dict):
                walk(x, keys + (k,))

    walk(load(path), ())
    check_rows(
        c,
        path,
        d,
        "comm_link",
        want,
        (
            "src_rank",
            "dst_rank",
            "stat",
            "name_id",
            "group_id",
            "transport",
            "size_b",
            "time_ns",
            "bandwidth",
        ),
    )
    check_whole(c, path, d)


def check_pipeline(c, tool, kind, path):
    d = Dump(tool, kind, path)
    doc = load(path)
    samples, ops = [], []
    parents = {child: o["op_id"] for o in doc["op_info"] for child in o.get("children") or []}
    for o in doc["op_info"]:
        q = (o.get("metrics") or {}).get("output_queue")
        size = q["size"] if q else []
        samples += [("connector %d" % o["op_id"], i, s, q["length"]) for i, s in enumerate(size)]
        ops.append(
            (
                o["op_id"],
                o["op_type"],
                parents.get(o["op_id"]),
                o["num_workers"],
                sum(size) / len(size) if size else None,
                float(size.count(0) / len(size)) if size else None,
            )
        )
    check_rows(c, path, d, "queue_sample", samples, ("queue", "seq", "size", "capacity"))
    check_rows(
        c,
        path,
        d,
        "pipeline_op",
        ops,
        ("op", "type_id", "parent", "workers", "queue_avg", "queue_empty_share"),
    )
    check_whole(c, path, d)


def check_cpu(c, tool, kind, path):
    d = Dump(tool, kind, path)
    doc = load(path)
    who = [("machine", doc.get("device_info", {})), ("process", doc.get("process_info", {}))]
    who += [("op %d" % o["op_id"], o["metrics"]) for o in doc["op_info"]]
    got = collections.defaultdict(list)
    for r in d.of("cpu_sample"):
        got[r["who"]].append(tuple(number(r.get(k)) for k in ("user", "sys", "io", "idle")))
    for name, m in who:
        n = max([len(m.get(k + "_utilization", [])) for k in ("user", "sys", "io", "idle")], default=0)
        want = [
            tuple(
                float(m[k + "_utilization"][i]) if k + "_utilization" in m else None
                for k in ("user", "sys", "io", "idle")
            )
            for i in range(n)
        ]
        c.equal(path, name, got.pop(name, []), want)
    c.equal(path, "others", dict(got), {})
    check_whole(c, path, d)


GB = Decimal(1 << 30)


def check_memory(c, tool, kind, path):
    d = Dump(tool, kind, path)
    doc = load(path)
    if "peak_mem" in doc:
        check_rows(
            c,
            path,
            d,
            "mem_total",
            [
                (
                    ns(doc["capacity"], GB),
                    ns(doc["peak_mem"], GB),
                    ns(doc["static_mem"], GB),
                    doc["allocations"],
                    doc["deallocations"],
                )
            ],
            ("capacity_b", "peak_b", "static_b", "allocations", "deallocations"),
        )
        return
    nodes, tensors = [], []
    for g in doc.values():
        for n, line in zip(g["nodes"], g["lines"]):
            mark = "fp" if n["node_id"] == g["fp_start"] else "bp" if n["node_id"] == g["bp_end"] else None
            nodes.append(
                (
                    g["graph_id"],
                    n["node_id"],
                    n["name"],
                    n["fullname"] or None,
                    ns(line, GB),
                    ns(n["size"], GB),
                    ns(n["allocated"], GB),
                    n["allocations"],
                    mark,
                )
            )
        seen = set()
        for t in (t for at in g["breakdowns"] for t in at):
            if t["tensor_id"] not in seen:
                seen.add(t["tensor_id"])
                end = None if t["life_long"] in ("LifeLongGraphAll", "LifeLongGraphEnd") else t["life_end"]
                shape = t["shape"] or None
                if isinstance(shape, list):
                    shape = ",".join(str(x) for x in shape)
                tensors.append(
                    (
                        g["graph_id"],
                        t["tensor_name"],
                        ns(t["size"], GB),
                        t["life_start"],
                        end,
                        shape,
                        t["format"],
                        t["data_type"],
                        t["life_long"],
                    )
                )
    check_rows(
        c,
        path,
        d,
        "mem_node",
        nodes,
        (
            "graph_id",
            "node",
            "name_id",
            "full_name_id",
            "used_b",
            "size_b",
            "allocated_b",
            "allocations",
            "mark",
        ),
    )
    check_rows(
        c,
        path,
        d,
        "mem_tensor",
        tensors,
        (
            "graph_id",
            "name_id",
            "size_b",
            "born_node",
            "dies_node",
            "shape_id",
            "format_id",
            "type_id",
            "lifelong",
        ),
    )
    check_whole(c, path, d)


def check_flops_summary(c, tool, kind, path):
    d = Dump(tool, kind, path)
    doc = load(path)
    want = []
    for pre, k in (("", "all"), ("cube_", "cube"), ("vec_", "vector")):
        if pre + "FLOPs" in doc:
            u = doc.get(pre + "FLOPS_Utilization")
            want.append(
                (
                    float(Decimal(str(doc[pre + "FLOPs"])) * 10**6),
                    float(Decimal(str(doc[pre + "FLOPS"])) * 10**9),
                    None if u is None else float(Decimal(str(u)) / 100),
                    k,
                )
            )
    check_rows(c, path, d, "flops_total", want, ("flops", "flops_per_s", "utilisation", "kind"))


def check_flops_scope(c, tool, kind, path):
    d = Dump(tool, kind, path)
    links = load(path)["data"]["links"]
    check_rows(
        c,
        path,
        d,
        "flops_total",
        [
            (float(Decimal(str(x["value"])) * 10**6), "scope:%s>%s" % (x["source"], x["target"]))
            for x in links
        ],
        ("flops", "kind"),
    )


def check_shapes(c, tool, kind, path):
    d = Dump(tool, kind, path)
    doc = load(path)
    stat = collections.OrderedDict()

    def count(name, typ, shape, t):
        n, total = stat.get((name, typ, shape), (0, 0.0))
        stat[(name, typ, shape)] = (n + 1, total + t)

    for typ, v in doc.items():
        if typ == "operator":
            for e in (e for step in v.values() for e in step):
                count(
                    e["op_name"],
                    e["op_type"],
                    ";".join(x for x in e["shape_info"] if x) or None,
                    float(e["dur"]) * 1000,
                )
        elif isinstance(v, list):
            for name, o in ((n, o) for e in v for n, o in e.items()):
                for t, s in zip(o["op_exe_time"], o["op_shape"]):
                    count(name, typ, s, float(t) * 1e6)
    check_rows(
        c,
        path,
        d,
        "op_stat",
        [(n, t, s, k, total) for (n, t, s), (k, total) in stat.items()],
        ("name_id", "type_id", "in_shapes_id", "calls", "total_ns"),
    )


def scalars(v, keys=()):
    """(path, value) of a document: scalars, and arrays that hold scalars as one."""
    if isinstance(v, dict):
        for k, x in v.items():
            yield from scalars(x, keys + (k,))
    elif isinstance(v, list):
        flat = [x for x in v if not isinstance(x, (dict, list))]
        for i, x in enumerate(v):
            if isinstance(x, (dict, list)):
                yield from scalars(x, keys + (str(i),))
        if flat:
            yield ".".join(keys), flat
    else:
        yield ".".join(keys), v


def check_doc(c, tool, kind, path):
    d = Dump(tool, kind, path)
    want = list(scalars(load(path)))
    rows = d.of("doc")
    c.equal(path, "values", len(rows), len(want))
    for r, (key, v) in zip(rows, want):
        c.equal(path, "key", plain(r["key"]), key)
        got = plain(r["value"]) if "value" in r else None
        if isinstance(v, list):
            c.equal(path, key, json.loads(got), json.loads(json.dumps(v, default=float)))
        else:
            c.equal(
                path,
                key,
                got,
                {True: "true", False: "false", None: None}.get(v, None)
                if v is None or isinstance(v, bool)
                else str(v),
            )


def group_hash(ident):
    """What ops call a group, from the id of its communicator (doc/analysis.md#common-rules)."""
    a = b = 0
    for byte in ident.encode():
        a, b = (a * 29 + byte) % 2**32, (b * 131 + byte) % 2**32
    return str(a << 32 | b)


def check_groups(c, tool, kind, path):
    """Each entry that names a group, and each list of ranks that no entry names."""
    doc = load(path)
    want = [
        (g["type"], g["rank_set"], g["pg_name"], g["group_name"], g["group_id"])
        for g in doc.get("comm_group_parallel_info", [])
    ]
    for *_, name, ident in want:  # the analysis' own names
        if ident:
            c.equal(path, "name of a group", group_hash(ident), name)
    named = {(kind_, tuple(ranks)) for kind_, ranks, *_ in want}
    for kind_ in ("collective", "p2p"):
        want += [(kind_, r, "", "", "") for r in doc[kind_] if (kind_, tuple(r)) not in named]
    compare_groups(c, tool, kind, path, want)


def compare_groups(c, tool, kind, path, want):
    got = [
        (
            r.get("kind", ""),
            [int(x) for x in r["ranks"].split(",")],
            plain(r.get("name", "")),
            plain(r.get("group_id", "")),
            plain(r.get("id", "")),
        )
        for r in Dump(tool, kind, path).of("comm_group")
    ]
    c.equal(path, "groups", sorted(got), sorted(want))


def check_metadata(c, tool, kind, path):
    check_doc(c, tool, kind, path)
    groups = load(path).get("parallel_group_info", {})
    want = [("", g["global_ranks"], g["group_name"], group_hash(i), i) for i, g in groups.items()]
    compare_groups(c, tool, kind, path, want)


def check_points(c, tool, kind, path):
    d = Dump(tool, kind, path)
    doc = load(path)
    first = doc[0] if isinstance(doc, list) else doc
    got = {r["key"]: plain(r["value"]) for r in d.of("setting")}
    c.equal(path, "points", got, {k: v for k, v in first.items() if v})


# ---- which files ----

KINDS = [  # end of the path -> kind, check
    (r"/trace_view\.json", "trace_view", check_trace),
    (r"/msprof(_\d+)*\.json", "msprof_json", check_trace),
    (r"/(task_time|hccl)_\d+_\d+_\d+\.json", "msprof_part_json", check_trace),
    (r"/step_trace(_\d+)*\.json", "step_trace_json", check_trace),
    (r"/((ascend|gpu|cpu)_)?timeline_display_\d+\.json", "g1_timeline_display", check_trace),
    (r"/iter\d+\.trace", "g1_hccl_trace", check_trace),
    (r"/output_timeline_data_\d+\.txt", "g1_timeline_data", check_timeline_data),
    (r"/output_op_compute_time_\d+\.txt", "g1_op_compute_time", check_op_times),
    (r"/output_op_compute_time_detail_\d+\.txt", "g1_op_time_report", check_report),
    (r"/flops_\d+\.txt", "g1_flops", check_flops),
    (r"/flops_utilization_step_\d+\.json", "g1_flops_step", check_flops_step),
    (r"/flops_summary_\d+\.json", "g1_flops_summary", check_flops_summary),
    (r"/flops_scope_\d+\.json", "g1_flops_scope", check_flops_scope),
    (r"/device_queue_profiling_\d+\.txt", "md_device_queue", check_batches),
    (r"/dataset_iterator_profiling_\d+\.txt", "md_dataset_iterator", check_batches),
    (r"/minddata_getnext_profiling_\d+\.txt", "md_getnext", check_getnext),
    (r"/minddata_aicpu_\d+\.txt", "md_aicpu", check_getnext),
    (r"/cpu_op_execute_timestamp_\d+\.txt", "cpu_op_timestamp", check_timestamps),
    (r"/[cg]pu_framework_\d+\.txt", None, check_launches),
    (r"/gpu_op_execute_timestamp_\d+\.txt", "gpu_op_timestamp", check_timestamps),
    (r"/step_trace_profiling_\d+\.txt", "gpu_step_trace", check_gpu_steps),
    (r"/communication\.json", "communication", check_communication),
    (r"/communication_matrix\.json", "communication_matrix", check_matrix),
    (r"/cluster_communication\.json", "cluster_communication", check_communication),
    (r"/pipeline_profiling_\d+\.json", "md_pipeline_profiling", check_pipeline),
    (r"/minddata_cpu_utilization_\d+\.json", "md_cpu_utilization", check_cpu),
    (r"/memory_usage_(summary|details)_\d+\.json", "g1_memory", check_memory),
    (r"/dynamic_shape_info_\d+\.json", "g1_dynamic_shape", check_shapes),
    (r"/step_trace_point_info(_\d+)?\.json", "g1_point_info", check_points),
    (r"/((ascend|gpu|cpu)_)?timeline_summary_\d+\.json", "g1_timeline_summary", check_doc),
    (r"/communication_group(_old)?\.json", "communication_group", check_groups),
    (r"/profiler_metadata\.json", "profiler_metadata", check_metadata),
    (r"/profiler_info(_\d+)?\.json", "profiler_info", check_doc),
]


def main():
    tool, samples = sys.argv[1:3]
    c = Check()
    for path in sorted(glob.glob(os.path.join(samples, "data", "**", "*"), recursive=True)):
        for pattern, kind, check in KINDS:
            if re.search(pattern + "$", path):
                check(c, tool, kind, path)
                c.files += 1
                break
    print("samples_json: %d files, %d comparisons, %d differ" % (c.files, c.values, c.bad))
    return 1 if c.bad or c.files < 200 else 0


sys.exit(main())
