# SPDX-License-Identifier: Apache-2.0
"""Check a directory written by `npuscope demo` with nothing but Python's csv and json: the files agree with
each other.

usage: demo_check.py DIR        prints what was compared; exit 1 and the differences when something does
not hold The numbers in brackets are those of the cross-links in the description of the output files.
"""
import collections
import csv
import glob
import json
import os
import re
import sys
from decimal import Decimal as D

problems = []
passed = collections.Counter()


def check(what, ok, detail=""):
    passed[what] += 1
    if not ok:
        problems.append("%s: %s" % (what, detail))


def near(what, a, b, tol, detail=""):
    check(what, abs(a - b) <= tol, "%s: %s is not %s" % (detail, a, b))


def text(path):
    with open(path, "rb") as f:
        return f.read().decode("utf-8")


def table(path, crlf):
    """Rows of a CSV file as dicts of texts without the trailing TAB; line ends and widths are checked on the
    way."""
    data = text(path)
    name = os.path.basename(path)
    ends = data.count("\n")
    check("line ends", data.count("\r\n") == (ends if crlf else 0), name)
    rows = list(csv.reader(data.splitlines()))
    for i, r in enumerate(rows):
        check("width", len(r) == len(rows[0]), "%s line %d" % (name, i + 1))
    return [{k: v.rstrip("\t") for k, v in zip(rows[0], r)} for r in rows[1:]]


def floats(path):
    """Load JSON; every number with a fraction or exponent must be the shortest text of its double."""

    def one(t):
        check("shortest numbers", repr(float(t)) == t, "%s: %s" % (os.path.basename(path), t))
        return float(t)

    return json.loads(text(path), parse_float=one)


def spans_union(spans):
    out = []
    for a, b in sorted(spans):
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def total(spans):
    return sum((b - a for a, b in spans), D(0))


def group(rows, key, value):
    out = collections.OrderedDict()
    for r in rows:
        out.setdefault(key(r), []).append(D(r[value]))
    return out


def variance(v):
    m = sum(v) / len(v)
    return sum((x - m) * (x - m) for x in v) / len(v)


# ---- minddata, both generations ----


def minddata(d, rank, gen):
    raw = table(os.path.join(d, "minddata_pipeline_raw_%d.csv" % rank), True)
    summary = floats(os.path.join(d, "minddata_pipeline_summary_%d.json" % rank))
    flat = {
        r[0]: r[1:]
        for r in csv.reader(text(os.path.join(d, "minddata_pipeline_summary_%d.csv" % rank)).splitlines())
    }
    check("minddata: csv and json", list(flat) == list(summary), rank)
    for k, v in summary.items():
        check("minddata: csv and json", flat[k] == [str(x) for x in v], k)
    for r in raw:
        i = int(r["op_id"])
        check("minddata: names", r["op_type"] == summary["op_names"][i] + "Op", i)
        if not r["output_queue_size"]:
            check("minddata: no queue", summary["queue_average_size"][i] == -1, i)
            continue
        q = json.loads(r["output_queue_size"])
        avg = sum(q) / len(q)
        check("minddata: average", float(r["output_queue_average_size"]) == avg, i)
        check(
            "minddata: usage", float(r["output_queue_usage_rate"]) == avg / int(r["output_queue_length"]), i
        )
        near("minddata: average", summary["queue_average_size"][i], round(avg, 2), 0.0051, i)
        near("minddata: empty", summary["queue_empty_freq_pct"][i], 100 * q.count(0) / len(q), 0.0051, i)
    first = "op_ids" if gen == 2 else "pipeline_ops"
    check("minddata: order of keys", list(summary)[0] == first)
    check("minddata: bottleneck", summary.get("bottleneck_warning") == ["Map(id=3)"])
    return summary


# ---- generation 2 ----


class Trace:
    def __init__(self, path):
        self.events = json.loads(text(path), parse_float=D)
        self.layer = {
            e["pid"]: e["args"]["name"] for e in self.events if e["ph"] == "M" and e["name"] == "process_name"
        }
        self.of = collections.defaultdict(list)
        for e in self.events:
            check("trace: every pid has a name", e["pid"] in self.layer, e)
            self.of[self.layer[e["pid"]], e["ph"]].append(e)

    def slices(self, layer, name=None):
        return [
            (D(e["ts"]), D(e["ts"]) + D(e["dur"]), e)
            for e in self.of[layer, "X"]
            if name is None or e["name"] == name
        ]


def flows(t, name):
    starts, ends = {}, collections.defaultdict(list)
    at = {(e["pid"], e["tid"], e["ts"]) for e in t.events if e["ph"] == "X"}
    for e in t.events:
        if e["ph"] == "s" and e["cat"] in ("HostToDevice", "async_npu", "async_mindspore"):
            check("flows: one start per id", (e["cat"], e["id"]) not in starts, e)
            starts[e["cat"], e["id"]] = e
        elif e["ph"] == "f":
            ends[e["cat"], e["id"]].append(e)
    check("flows: every start has an end and vice versa", set(starts) == set(ends), name)
    drawn = [e for e in starts.values() if e["cat"] != "async_mindspore"]  # what is called flow is not
    for v in drawn + [e for l in ends.values() for e in l]:
        check("flows: ends at slice starts", (v["pid"], v["tid"], v["ts"]) in at, v)


def nesting(t, layer):
    """Slices of one thread follow each other or nest."""
    rows = collections.defaultdict(list)
    for a, b, e in t.slices(layer):
        if e.get("cat") not in (
            "Reduce",
            "FP_BP Time",
            "Iteration Refresh",
        ):  # reduce ranges run past the last gradient
            rows[e["pid"], e["tid"]].append((a, -b))
    for k, v in rows.items():
        open_ends = []
        for a, nb in sorted(v):
            while open_ends and open_ends[-1] <= a:
                open_ends.pop()
            check("trace: slices nest", not open_ends or -nb <= open_ends[-1], "%s %s at %s" % (layer, k, a))
            open_ends.append(-nb)


def gen2_kernels(out, mso, t, steps):
    rows = table(os.path.join(out, "kernel_details.csv"), True)
    kernels = [r for r in rows if r["Accelerator Core"] != "COMMUNICATION"]
    comms = [r for r in rows if r["Accelerator Core"] == "COMMUNICATION"]
    stat = table(os.path.join(out, "op_statistic.csv"), False)
    groups = group(kernels, lambda r: (r["Type"], r["Accelerator Core"]), "Duration(us)")
    check("[1] groups", {(s["OP Type"], s["Core Type"]) for s in stat} == set(groups))
    for s in stat:
        v = groups[s["OP Type"], s["Core Type"]]
        check("[1] count", int(s["Count"]) == len(v), s)
        check("[1] total", D(s["Total Time(us)"]) == sum(v), s)
        check("[1] extremes", D(s["Min Time(us)"]) == min(v) and D(s["Max Time(us)"]) == max(v), s)
        check("[1] average", D(s["Avg Time(us)"]) * 1000 == sum(v) * 1000 // len(v), s)
    near("[2] sum of ratios", sum(D(s["Ratio(%)"]) for s in stat), D(100), D("0.05"))
    check(
        "[2] order",
        [D(s["Total Time(us)"]) for s in stat] == sorted((sum(v) for v in groups.values()), reverse=True),
    )
    hw = collections.Counter(
        (e["name"], e["ts"], D(e["dur"])) for _, _, e in t.slices("Ascend Hardware") if "cat" not in e
    )
    for r in kernels:
        k = (r["Name"].rsplit("/", 1)[1], r["Start Time(us)"], D(r["Duration(us)"]))
        check("[6] kernel is one hardware slice", hw[k] == 1, k)
    planes = collections.Counter(
        (e["ts"], D(e["dur"])) for _, _, e in t.slices("Communication") if not e["name"].startswith("hcom_")
    )
    hw.subtract((r["Name"].rsplit("/", 1)[1], r["Start Time(us)"], D(r["Duration(us)"])) for r in kernels)
    others = collections.Counter()
    for (_, at, dur), n in hw.items():
        others[at, dur] += n
    check("[6] other hardware slices are tasks of communication", +others == planes)
    ops = {
        (e["name"], e["ts"], D(e["dur"]))
        for _, _, e in t.slices("Communication")
        if e["name"].startswith("hcom_")
    }
    check(
        "[6] communication slices",
        ops == {(r["Name"].rsplit("/", 1)[-1], r["Start Time(us)"], D(r["Duration(us)"])) for r in comms},
    )
    copied = {e["args"]["connection_id"] for _, _, e in t.slices("Ascend Hardware", "MEMCPY_ASYNC")}
    linked = {
        e["name"]: e["args"]["connection_id"] not in copied
        for _, _, e in t.slices("Communication")
        if e["name"].startswith("hcom_")
    }
    for r in comms:
        name = r["Name"].rsplit("/", 1)[-1]
        check("[6] launches of ops without copies", ("/" in r["Name"]) == linked[name], r)
    last = None
    for r in rows:
        start, dur = float(r["Start Time(us)"]), float(r["Duration(us)"])  # msprof's own arithmetic
        wait = "0" if last is None else "%.6f" % max(0.0, start - last[0] - last[1])
        check("[8] wait", r["Wait Time(us)"] == wait, r["Name"])
        check("[8] order", last is None or start >= last[0], r["Name"])
        last, start = (start, dur), D(r["Start Time(us)"])
        check("step of the row", any(s == r["Step ID"] and a <= start <= b for s, a, b in steps), r["Name"])
    summary = table(glob.glob(os.path.join(mso, "op_summary_*.csv"))[0], False)
    rename = {
        "Op Name": "Name",
        "OP Type": "Type",
        "Task Type": "Accelerator Core",
        "Task Start Time(us)": "Start Time(us)",
        "Task Duration(us)": "Duration(us)",
        "Task Wait Time(us)": "Wait Time(us)",
    }
    check("op_summary and kernel_details", len(summary) == len(rows))
    for a, b in zip(summary, rows):
        for k, v in a.items():
            if k == "Op Name":
                check("op_summary and kernel_details", b["Name"].endswith("/" + v) or b["Name"] == v, v)
            elif k != "Device_id":
                check("op_summary and kernel_details", b[rename.get(k, k)] == v, k)
    tasks = table(glob.glob(os.path.join(mso, "task_time_*.csv"))[0], False)
    check(
        "task_time",
        [(x["task_start(us)"], x["task_time(us)"]) for x in tasks if x["kernel_name"] != "N/A"]
        == [(x["Start Time(us)"], x["Duration(us)"]) for x in kernels],
    )
    check(
        "task_time: order",
        all(D(x["task_start(us)"]) <= D(y["task_start(us)"]) for x, y in zip(tasks, tasks[1:])),
    )
    check(
        "task_time: communication",
        collections.Counter(
            (x["task_start(us)"], D(x["task_time(us)"])) for x in tasks if x["kernel_name"] == "N/A"
        )
        == planes,
    )
    check(
        "task_time: stop",
        all(D(x["task_stop(us)"]) - D(x["task_start(us)"]) == D(x["task_time(us)"]) for x in tasks),
    )
    l2 = table(os.path.join(out, "l2_cache.csv"), False)
    check(
        "l2_cache: all kernels but the first",
        [x["Task Id"] for x in l2] == [x["Task ID"] for x in kernels[1:]],
    )
    pre = table(os.path.join(out, "data_preprocess.csv"), False)
    check("data_preprocess", len(pre) == sum(r["Accelerator Core"] == "AI_CPU" for r in kernels))
    counters = [k for k in rows[0] if k.startswith(("aic_", "aiv_")) and k.endswith("_ratio")]
    for r in kernels:
        for k in counters:
            check("ratios", r[k] == "N/A" or 0 <= D(r[k]) < 1, k)
    return kernels, comms


def gen2_steps(out, t, steps, kernels):
    rows = table(os.path.join(out, "step_trace_time.csv"), True)
    lay = {
        n: t.slices("Overlap Analysis", n)
        for n in ("Computing", "Communication", "Communication(Not Overlapped)", "Free")
    }
    check("[20] steps", [r["Step"] for r in rows] == [s for s, _, _ in steps])
    for r, (s, a, b) in zip(rows, steps):
        for n in ("Computing", "Communication", "Communication(Not Overlapped)"):
            check("[3] " + n, D(r[n]) == sum((y - x for x, y, _ in lay[n] if a <= x <= b), D(0)), s)
        free = sum((max(D(0), min(y, b) - max(x, a)) for x, y, _ in lay["Free"]), D(0))
        check("[3] Free", D(r["Free"]) == free, (s, r["Free"], free))
        check(
            "[4] Overlapped",
            D(r["Overlapped"]) == D(r["Communication"]) - D(r["Communication(Not Overlapped)"]),
            s,
        )
        check(
            "[4] Exclude Receive",
            D(r["Communication(Not Overlapped and Exclude Receive)"])
            == D(r["Communication(Not Overlapped)"]) - D(r["Bubble"]),
            s,
        )
        first = min(x for n in ("Computing", "Communication") for x, _, _ in lay[n] if x >= a)
        check("Preparing", D(r["Preparing"]) == first - a, s)
    run = spans_union(
        [(D(k["Start Time(us)"]), D(k["Start Time(us)"]) + D(k["Duration(us)"])) for k in kernels]
    )
    check(
        "[7] computing is the union of kernels",
        run == [[x, y] for x, y, _ in sorted(lay["Computing"], key=lambda v: v[0])],
    )
    alone = spans_union([(x, y) for x, y, _ in lay["Communication"]])
    both = spans_union(run + alone)
    check(
        "not overlapped = all busy - computing",
        total([(x, y) for x, y, _ in lay["Communication(Not Overlapped)"]]) == total(both) - total(run),
    )
    check("free = gaps", total([(x, y) for x, y, _ in lay["Free"]]) == both[-1][1] - both[0][0] - total(both))
    return rows


def gen2_comm(out, mso, t, step_rows, comms):
    path = os.path.join(out, "communication.json")
    if not comms:
        check("no communication, no files", not os.path.exists(path))
        return
    data, matrix = floats(path), floats(os.path.join(out, "communication_matrix.json"))
    check(
        "[20] steps of communication", list(data) == ["step" + r["Step"] for r in step_rows] == list(matrix)
    )
    for r in step_rows:
        ops = dict(data["step" + r["Step"]]["collective"])
        whole = ops.pop("Total Op Info")
        size = 0.0
        for name, v in list(ops.items()) + [("Total", whole)]:
            c = v["Communication Time Info"]
            near(
                "[10] elapse",
                c["Elapse Time(ms)"],
                c["Transit Time(ms)"] + c["Wait Time(ms)"] + c["Idle Time(ms)"],
                1e-9,
                name,
            )
            near(
                "[10] wait ratio",
                c["Wait Time Ratio"],
                c["Wait Time(ms)"] / (c["Wait Time(ms)"] + c["Transit Time(ms)"]),
                1e-4,
                name,
            )
            bw = v["Communication Bandwidth Info"]
            near(
                "[10] SDMA",
                bw["SDMA"]["Transit Size(MB)"],
                sum(bw[k]["Transit Size(MB)"] for k in ("HCCS", "PCIE", "SIO")),
                1e-9,
                name,
            )
            for k in ("HCCS", "RDMA"):
                near(
                    "[10] packets",
                    bw[k]["Transit Time(ms)"],
                    sum(x[1] for x in bw[k]["Size Distribution"].values()),
                    1e-9,
                    name,
                )
                near(
                    "[10] packets",
                    bw[k]["Transit Size(MB)"],
                    sum(float(mb) * x[0] for mb, x in bw[k]["Size Distribution"].items()),
                    1e-6,
                    name,
                )
            if name != "Total":
                size += bw["SDMA"]["Transit Size(MB)"] + bw["RDMA"]["Transit Size(MB)"]
        for k in ("Elapse Time(ms)", "Transit Time(ms)", "Wait Time(ms)", "Idle Time(ms)"):
            near(
                "[10] total",
                whole["Communication Time Info"][k],
                sum(v["Communication Time Info"][k] for v in ops.values()),
                1e-9,
                k,
            )
        near(
            "[11] elapse = communication",
            whole["Communication Time Info"]["Elapse Time(ms)"] * 1000,
            float(r["Communication"]),
            1e-6,
        )
        m = matrix["step" + r["Step"]]["collective"]
        links = [
            l for k, v in m.items() if "-total@" in k for l in v.values() if l["Transport Type"] != "LOCAL"
        ]
        near("[12] sizes of links", sum(l["Transit Size(MB)"] for l in links), size, 1e-9 * max(size, 1))
        for k, v in m.items():
            base, stat = k.split("@")[0].rsplit("-", 1)
            for link, l in v.items():
                near(
                    "[12] bandwidth",
                    l["Bandwidth(GB/s)"],
                    l["Transit Size(MB)"] / l["Transit Time(ms)"],
                    1e-4,
                    k,
                )
                check("[12] op names", (stat == "total") == ("op_name" not in l), k)
                top = m[k.replace("-" + stat + "@", "-top1@")][link]["Bandwidth(GB/s)"]
                check("[12] order", stat == "total" or l["Bandwidth(GB/s)"] <= top, k)
        names = {n.split("@")[0] for n in ops}
        mine = {x["Name"].rsplit("/", 1)[-1] for x in comms if x["Step ID"] == r["Step"]}
        check("[20] ops of the step", names == mine, r["Step"])
    stat = table(glob.glob(os.path.join(mso, "communication_statistic_*.csv"))[0], False)
    groups = group(comms, lambda x: x["Type"], "Duration(us)")
    check("[13] groups", {s["OP Type"] for s in stat} == set(groups))
    for s in stat:
        v = groups[s["OP Type"]]
        check("[13] count and total", int(s["Count"]) == len(v) and D(s["Total Time(us)"]) == sum(v), s)
    by_op = collections.defaultdict(D)
    for a, b, e in t.slices("Communication"):
        if not e["name"].startswith("hcom_"):
            inside = (
                [
                    o
                    for x, y, o in t.slices("Communication")
                    if o["name"].startswith("hcom_") and x <= a and b <= y
                ]
                if passed["comm tasks inside"] < 300
                else [1]
            )
            check("comm tasks inside", len(inside) == 1, e)
            by_op[e["name"]] += b - a
    check("comm tasks", {"Notify_Wait", "Notify_Record"} <= set(by_op))


def gen2_host(out, t):
    stat = table(os.path.join(out, "api_statistic.csv"), False)
    calls = collections.defaultdict(list)
    for a, b, e in t.slices("CANN"):
        calls[e["args"]["level"], e["name"].split("@")[1]].append(b - a)
    check("[9] apis", {(s["Level"], s["API Name"]) for s in stat} == set(calls))
    for s in stat:
        v = calls[s["Level"], s["API Name"]]
        check("[9] count", int(s["Count"]) == len(v), s)
        check("[9] time", D(s["Time(us)"]) == sum(v), s)
        near("[9] average", D(s["Avg(us)"]), sum(v) / len(v), D("0.00051"), s)
        check("[9] extremes", D(s["Min(us)"]) == min(v) and D(s["Max(us)"]) == max(v), s)
        near("[9] variance", D(s["Variance"]), variance(v), D("0.001") + variance(v) / 10**6, s)


def gen2_memory(out, mso, t):
    rows = table(os.path.join(out, "memory_record.csv"), True)
    last = {"MindSpore": (0.0, 0.0, 0.0), "GE": (0.0, 0.0, 0.0)}
    singles = both = 0
    expect = None
    stamps = []
    for r in rows:
        c = r["Component"]
        v = tuple(float(r["Total %s(MB)" % k]) for k in ("Allocated", "Reserved", "Active"))
        if c in last:
            check("[14] a sum follows each row", expect is None, r)
            last[c] = v
            expect = (r["Timestamp(us)"], tuple(x + y for x, y in zip(last["MindSpore"], last["GE"])))
            stamps.append(D(r["Timestamp(us)"]))
            singles += 1
        elif c == "MindSpore+GE":
            check(
                "[14] sums",
                expect is not None
                and expect[0] == r["Timestamp(us)"]
                and all(abs(a - b) < 1e-9 for a, b in zip(v, expect[1])),
                r,
            )
            expect = None
            both += 1
    check("[14] rows", singles == both)
    check("[14] by time", stamps == sorted(stamps))
    npu = [r for r in table(glob.glob(os.path.join(mso, "npu_mem_*.csv"))[0], False) if r["event"] == "APP"]
    app = [r for r in rows if r["Component"] == "APP"]
    counters = [e for e in t.of["NPU MEM", "C"] if e["name"] == "APP/Memory"]
    check("[15] counts", len(npu) == len(app) == len(counters))
    for n, a, c in zip(npu, app, counters):
        check(
            "[15] values",
            float(a["Total Reserved(MB)"]) == int(n["memory(KB)"]) / 1000
            and D(n["memory(KB)"]) == c["args"]["KB"]
            and n["timestamp(us)"] == a["Timestamp(us)"] == c["ts"],
            n,
        )
    used = None
    for r in table(os.path.join(out, "operator_memory.csv"), True):
        if r["Duration(us)"] == "N/A":
            check(
                "[16] nothing of a release",
                r["Release Time(us)"] == "N/A" and r["Release Total Allocated(MB)"] == "N/A",
                r,
            )
            continue
        near(
            "[16] duration",
            D(r["Duration(us)"]),
            D(r["Release Time(us)"]) - D(r["Allocation Time(us)"]),
            D("0.4"),
            r["Name"],
        )  # stamps lie on a grid of 0.25
        check("[16] not negative", D(r["Duration(us)"]) > 0, r["Name"])
        used = r
    check("operator_memory: some", used is not None)


def gen2(top):
    out = os.path.join(top, "ASCEND_PROFILER_OUTPUT")
    prof = glob.glob(os.path.join(top, "PROF_*"))[0]
    mso = os.path.join(prof, "mindstudio_profiler_output")
    rank = int(
        re.search(r"profiler_info_(\d+)", glob.glob(os.path.join(top, "profiler_info_*.json"))[0]).group(1)
    )
    for p in (
        glob.glob(os.path.join(top, "*.json"))
        + glob.glob(os.path.join(prof, "*", "*_info*"))
        + glob.glob(os.path.join(prof, "*", "info.json*"))
    ):
        json.loads(text(p))
    t = Trace(os.path.join(out, "trace_view.json"))
    steps = sorted(
        (e["name"].split("#")[1], a, b) for a, b, e in t.slices("MindSpore") if "ProfilerStep#" in e["name"]
    )
    steps.sort(key=lambda s: s[1])
    kernels, comms = gen2_kernels(out, mso, t, steps)
    step_rows = gen2_steps(out, t, steps, kernels)
    gen2_comm(out, mso, t, step_rows, comms)
    gen2_host(out, t)
    gen2_memory(out, mso, t)
    flows(t, "trace_view")
    for layer in ("MindSpore", "CANN", "Ascend Hardware", "Overlap Analysis"):
        nesting(t, layer)
    m = Trace(glob.glob(os.path.join(mso, "msprof_*.json"))[0])
    strip = lambda e: {
        k: ({x: y for x, y in v.items() if x != "mindspore_op"} if k == "args" else v) for k, v in e.items()
    }
    own = [
        strip(e)
        for e in t.events
        if t.layer[e["pid"]] not in ("MindSpore", "CPU OP", "Scope Layer") and e.get("cat") != "async_npu"
    ]
    check("msprof events are those of trace_view", own == m.events)
    marks = table(glob.glob(os.path.join(mso, "step_trace_*.csv"))[0], False) if not comms else None
    check("steps of step_trace", marks is None or len(marks) == len(steps))
    minddata(out, rank, 2)
    return "rank %d: %d kernels, %d communication ops, %d events, %d steps" % (
        rank,
        len(kernels),
        len(comms),
        len(t.events),
        len(steps),
    )


# ---- generation 1 ----


def lines(path):
    check("line ends", "\r" not in text(path), path)
    return text(path).splitlines()


def gen1_ops(f):
    rows = [l.rsplit(",", 3) for l in lines(f("output_timeline_data_%d.txt"))[1:]]
    check("timeline_data by start", [float(r[2]) for r in rows] == sorted(float(r[2]) for r in rows))
    sums = collections.OrderedDict()
    for name, _, _, dur in rows:
        check("shortest numbers", repr(float(dur)) == dur, dur)
        s = sums.setdefault(name, [0.0, 0])
        s[0] += float(dur)
        s[1] += 1
    detail = table(f("aicore_intermediate_%d_detail.csv"), True)
    check("detail: ops", [r["full_op_name"] for r in detail] == list(sums))
    for r in detail:
        check(
            "detail: average",
            r["execution_time"] == repr(sums[r["full_op_name"]][0] / sums[r["full_op_name"]][1]),
            r,
        )
    frame = table(f("framework_raw_%d.csv"), True)
    types = {r["full_op_name"]: r for r in frame}
    check("framework_raw: distinct", len(types) == len(frame))
    for r in frame:
        check(
            "framework_raw: names",
            r["full_op_name"].rsplit("/", 1)[1] == r["op_name"]
            and r["full_op_name"].startswith(r["subgraph"] + "/"),
            r,
        )
        check("framework_raw: type", r["op_name"].split("-op")[0] == r["op_type"], r)
        for k, v in json.loads(r["op_info"]).items():
            check(
                "framework_raw: tensors",
                re.match(r"(in|out)put_\d+$", k) and set(v) == {"format", "data_type", "shape"},
                v,
            )
    by_type = collections.OrderedDict()
    for r in detail:
        by_type.setdefault(types[r["full_op_name"]]["op_type"], []).append(D(r["execution_time"]))
    kinds = table(f("aicore_intermediate_%d_type.csv"), True)
    check("type: order", [k["op_type"] for k in kinds] == list(by_type))
    whole = sum(D(r["execution_time"]) for r in detail)
    for k in kinds:
        v = by_type[k["op_type"]]
        check("type: sum", k["execution_time"] == str(sum(v)) and int(k["execution_frequency"]) == len(v), k)
        near("type: percent", D(k["percent"]), sum(v) / whole * 100, D("0.0051"), k)
    report = lines(f("output_op_compute_time_%d.txt"))
    check(
        "compute_time",
        [l.split()[:2] for l in report[3:-1]] == [[r["full_op_name"], r["execution_time"]] for r in detail],
    )
    near("compute_time: total", D(report[-1].split()[2]), whole, whole * D("1e-12"))
    return rows, detail, types


def gen1_steps(f, ranks):
    data = list(csv.reader(text(f("step_trace_raw_%d_detail_time.csv")).splitlines()))
    head, body, mean = data[0], [[int(x) for x in r] for r in data[1:-1]], data[-1]
    prev = None
    for r in body:
        check(
            "step trace: total",
            r[3] == r[2] - r[1] and r[6] == r[4] - r[1] and r[7] == r[5] - r[4] and r[8] == r[2] - r[5],
            r[0],
        )
        check("step trace: chain", prev is None or r[1] == prev, r[0])
        prev = r[2]
        for i in range(9, len(head), 3):
            check(
                "step trace: communication",
                r[i] == r[i + 2] - r[i + 1] and r[1] <= r[i + 1] <= r[i + 2] <= r[2],
                r[0],
            )
    check(
        "step trace: mean",
        mean == ["-"] + [str(round(D(sum(r[i] for r in body)) / len(body))) for i in range(1, len(head))],
    )
    point = json.loads(text(f("step_trace_point_info_%d.json")))
    path = f("ascend_cluster_analyse_data-parallel_1_%d_" % ranks + "%d.csv")
    check("cluster file only with communication", os.path.exists(path) == (len(head) > 9))
    cluster = table(path, True) if os.path.exists(path) else None
    return body, head, point, cluster


def gen1_timeline(f, rows, body, cluster):
    ev = floats(f("ascend_timeline_display_%d.json"))
    x = [e for e in ev if e["ph"] == "X"]
    check("timeline by start", [e["ts"] for e in x] == sorted(e["ts"] for e in x))
    device = x[-1]["pid"] if isinstance(x[-1]["pid"], int) else 0
    ops = [e for e in x if isinstance(e["tid"], int) and e["tid"] < 100000]
    check("timeline: ops", sorted(e["name"] for e in ops) == sorted(r[0].rsplit("/", 1)[1] for r in rows))
    base = None
    for e, r in zip(ops, rows):
        base = base if base is not None else float(r[2]) - e["ts"] / 1000
        near("timeline: start", e["ts"], (float(r[2]) - base) * 1000, 0.002, r)
        check("timeline: duration", e["dur"] == float(r[3]) * 1000, r)
    steps = [e for e in x if e["tid"] == 100000]
    check("timeline: steps", [e["name"] for e in steps] == [str(r[0]) for r in body])
    for e, r in zip(steps, body):
        mine = [o for o in ops if e["ts"] - 0.01 <= o["ts"] <= e["ts"] + e["dur"]]
        near("timeline: step", e["dur"], max(o["ts"] + o["dur"] for o in mine) - mine[0]["ts"], 0.01, r[0])
        near("timeline: step", e["ts"], (r[4] - body[0][4]) / 100 + steps[0]["ts"], 0.01, r[0])
    summary = floats(f("ascend_timeline_summary_%d.json"))
    aicpu = table(f("aicpu_intermediate_%d.csv"), True)
    near(
        "timeline: total",
        summary["total_time"],
        sum(e["dur"] for e in ops) / 1000 + sum(float(a["total_time"]) for a in aicpu),
        1e-6,
    )
    check("timeline: executions", summary["op_exe_times"] == len(ops) + len(aicpu))
    check(
        "timeline: label block", ev[-1]["name"] == "thread_sort_index" and ev[-1]["args"]["sort_index"] == -4
    )
    scopes = [e for e in x if e["tid"] == 100001]
    check(
        "timeline: scopes",
        scopes and max(e["scope_level"] for e in scopes) + 1 == summary["max_scope_name_num"],
    )
    if cluster is None:
        return device
    # What begins where a step ends counts for it or for the next one, as the last digit of the doubles wants.
    alone, edge, now = [0.0] * len(steps), [0.0] * (len(steps) + 1), 0
    for a in [e for e in x if e["tid"] == "8000"]:
        past = a["ts"] - steps[now]["ts"] - steps[now]["dur"]
        if abs(past) < 0.001:
            edge[now + 1] += a["dur"] / 1000
            continue
        now += past > 0
        alone[now] += a["dur"] / 1000
    for k, (e, c) in enumerate(zip(steps, cluster)):
        got = float(c["communication_alone_time"])
        want = min(
            (alone[k] + i + j for i in (0, edge[k]) for j in (0, edge[k + 1])), key=lambda v: abs(v - got)
        )
        near("cluster: alone", got, want, 0.0002, c)
        near("cluster: computation", float(c["computation_time"]), e["dur"] / 1000 - got, 0.0003, c)
    near(
        "cluster: all of it",
        sum(float(c["communication_alone_time"]) for c in cluster[: len(steps)]),
        sum(alone + edge),
        0.0002 * len(steps),
        "",
    )
    check("cluster: rows", len(cluster) == len(steps) + (len(steps) > 1))
    return device


def gen1_flops(f, detail, body):
    avg = {r["full_op_name"]: float(r["execution_time"]) for r in detail}
    peak = 1000 * 1e6 * 32 * 4096 * 2
    rows = [l.split(", ") for l in lines(f("flops_%d.txt"))[1:]]
    check("flops: ops", [r[0] for r in rows] == list(avg))
    m = {}
    for name, mf, gf, util in rows:
        m[name] = float(mf)
        check("flops: rate", gf == repr(float(mf) / avg[name]), name)
        check("flops: utilization", util == repr(float(gf) * 1e9 / peak * 100), name)
    s = floats(f("flops_summary_%d.json"))
    near("flops: sum", s["FLOPs"], sum(m.values()), 1e-3)
    near("flops: mean rate", s["FLOPS"], sum(float(r[2]) for r in rows) / len(rows), 1e-3)
    util = [float(l.split(",")[1]) for l in lines(f("flops_utilization_step_%d.json"))[1:]]
    near("flops: mean utilization", s["FLOPS_Utilization"], sum(util) / len(util), 1e-3)
    check("flops: steps", len(util) == len(body))
    tree = floats(f("flops_scope_%d.json"))
    links = tree["data"]["links"]
    nodes = {n["name"] for n in tree["data"]["nodes"]}
    check("flops: links", all(l["source"] in nodes and l["target"] in nodes for l in links))
    near(
        "flops: total of scopes",
        sum(l["value"] for l in links if l["source"] == "Total"),
        sum(m.values()),
        0.01,
    )


def gen1_hccl(f, body, head):
    path = f("hccl_raw_%d.csv")
    if len(head) == 9:
        check("no communication, no file", not os.path.exists(path))
        return
    rows = table(path, True)
    check("hccl: steps", [r["step_num"] for r in rows] == [str(b[0]) for b in body] + ["-"])
    sums = collections.defaultdict(float)
    for r in rows:
        ops, link = json.loads(r["communication_operator_cost"]), json.loads(r["link_info"])
        check("hccl: ops", list(ops) == [head[i] for i in range(9, len(head), 3)])
        near(
            "hccl: cost", float(r["communication_cost"]), sum(v[1] for v in ops.values()), 1e-9, r["step_num"]
        )
        near("hccl: wait", float(r["wait_cost"]), sum(v[2] for v in ops.values()), 1e-9, r["step_num"])
        for k, v in link.items():
            for kind, x in v.items():
                near("hccl: links", x[0], sum(o[3][k][kind][0] for o in ops.values() if k in o[3]), 1e-9, k)
        for k, v in ops.items():
            check("hccl: step", v[0] == r["step_num"], k)
            if r["step_num"] == "-":
                near("hccl: mean", v[1], sums[k] / len(body), 1e-9, k)
            sums[k] += v[1]


def gen1_memory(f):
    s = floats(f("memory_usage_summary_%d.json"))
    g = floats(f("memory_usage_details_%d.json"))["1"]
    thinned = len(g["lines"]) >= 2000
    check("memory: peak", s["peak_mem"] >= max(g["lines"]) if thinned else s["peak_mem"] == max(g["lines"]))
    check("memory: nodes", len(g["nodes"]) == len(g["lines"]))
    last = g["static_mem"]
    for n, l in zip(g["nodes"], g["lines"]):
        if not thinned:
            near("memory: allocated", n["allocated"], l - last, 1e-12, n["name"])
        last = l
    check(
        "memory: breakdown",
        all(b["tensor_name"].startswith(g["nodes"][0]["name"]) for b in g["breakdowns"][0]),
    )


def gen1_data(f, d, rank, steps):
    summary = minddata(d, rank, 1)
    pipe = json.loads(text(f("pipeline_profiling_%d.json")))
    for op, fill in zip(pipe["op_info"], summary["queue_average_size"]):
        q = op["metrics"]["output_queue"]["size"] if op["metrics"] else None
        near("pipeline_profiling", fill, sum(q) / len(q) if q else -1, 0.0051, op["op_id"])
    cpu = json.loads(text(f("minddata_cpu_utilization_%d.json")))
    for op, used in zip(cpu["op_info"], summary["avg_cpu_pct"]):
        v = [a + b for a, b in zip(op["metrics"]["user_utilization"], op["metrics"]["sys_utilization"])]
        near("cpu_utilization", used, sum(v) / len(v), 0.0051, op["op_id"])
    rows = [[int(x) for x in l.split()] for l in lines(f("device_queue_profiling_%d.txt"))]
    kept = [r for r in rows if r[0] == 0 and r[2] >= 2]
    for extra, key in ((0, "per_pipeline_time"), (1, "per_push_queue_time"), (2, "per_batch_time")):
        v = [r[3] for r in kept if r[1] == extra]
        near("device_queue", summary[key][0], sum(v) / len(v), 0.00051, key)
    check("minddata_aicpu", len(lines(f("minddata_aicpu_%d.txt"))) == steps)
    host = table(os.path.join(d, "host_info", "host_info_%d.csv" % rank), False)
    ranges = json.loads(text(os.path.join(d, "host_info", "timeline_%d.json" % rank)))
    check(
        "host_info",
        len(host) == 2 * len(ranges)
        and all(a["time_stamp(us)"] <= b["time_stamp(us)"] for a, b in zip(host[::2], host[1::2])),
    )


def gen1(d, rank, ranks):
    f = lambda name: os.path.join(d, name % rank)
    info = json.loads(text(f("profiler_info_%d.json")))
    check("profiler_info", info["rank_id"] == str(rank) and info["rank_size"] == ranks)
    rows, detail, types = gen1_ops(f)
    body, head, point, cluster = gen1_steps(f, ranks)
    check("points are ops", all(v in types for v in point.values()))
    gen1_timeline(f, rows, body, cluster)
    gen1_flops(f, detail, body)
    gen1_hccl(f, body, head)
    gen1_memory(f)
    gen1_data(f, d, rank, len(body))
    return "rank %d: %d executions of %d ops, %d steps" % (rank, len(rows), len(detail), len(body))


def main(top):
    flat = os.path.join(top, "profiler")
    report = []
    if os.path.isdir(flat):
        ranks = len(glob.glob(os.path.join(flat, "profiler_info_*.json")))
        report = [gen1(flat, r, ranks) for r in range(ranks)]
    else:
        report = [gen2(d) for d in sorted(glob.glob(os.path.join(top, "*_ascend_ms")))]
    if not report:
        problems.append("%s: no profile" % top)
    for line in report:
        print("demo_check: " + line)
    print(
        "demo_check: %d comparisons of %d kinds, %d do not hold"
        % (sum(passed.values()), len(passed), len(problems))
    )
    for p in problems[:20]:
        print("demo_check: " + p[:400])
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
