#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""FRAMEWORK files of runs that were never analysed: what is read of them must be what the framework's own
analysis made of the same files (trace_view.json, operator_details.csv, operator_memory.csv,
step_trace_time.csv, kernel_details.csv).

  framework.py NPUSCOPE SAMPLES [CASE]
"""
import collections
import csv
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from framework_case import build  # noqa: E402

CASES = ["graph_sched_27", "graph_sched_26", "graph_sched_25", "aclnn_nosched_27", "jit_o2_27",
         "killed_torn_27", "pt_queue", "pt_noqueue", "pt_level0"]
ARROWS = {True: ["async_task_queue", "fwdbwd", "async_npu"], False: ["async_mindspore", "async_npu"]}
TEXT = "(select text from string s where s.id = %s)"
EVENTS = (f"select {TEXT % 't.process_id'} process, t.tid thread, e.ts_ns + r.origin_ns ts, e.dur_ns dur, "
          f"{TEXT % 'e.name_id'} name from event e join track t on t.id = e.track_id join rank r on r.rank = "
          "t.rank where t.kind = 'host_thread'")
FLOWS = (f"select {TEXT % 'f.kind_id'} kind, a.tid from_thread, f.from_ns + r.origin_ns from_ts, "
         "b.tid to_thread, f.to_ns + r.origin_ns to_ts from flow f join track a on a.id = f.from_track "
         "join track b on b.id = f.to_track join rank r on r.rank = a.rank")
OPS = (f"select {TEXT % 'name_id'} name, {TEXT % 'in_shapes_id'} shapes, self_ns, dur_ns, device_self_ns, "
       "device_ns, aicore_self_ns, aicore_ns from host_op order by ts_ns, dur_ns desc")
MEMORY = (f"select {TEXT % 'm.name_id'} name, m.size_b, alloc_ns + r.origin_ns ts, dur_ns, active_dur_ns, "
          "alloc_total_allocated_b a, alloc_total_reserved_b b, release_total_allocated_b c, "
          "release_total_reserved_b d from mem_alloc m join rank r on r.rank = m.rank join source f "
          "on f.id = m.source_id where f.path like '%memory_usage' order by 3")
STEPS = ("select s.*, s.start_ns + r.origin_ns begin, s.end_ns + r.origin_ns ends from step s "
         "join rank r on r.rank = s.rank where complete is not 0")
KERNELS = ("select e.ts_ns + r.origin_ns ts, e.dur_ns dur, e.step from op_exec e "
           "join rank r on r.rank = e.rank")
STEP_COLUMNS = {"computing_ns": "Computing", "communication_ns": "Communication",
                "comm_not_overlapped_ns": "Communication(Not Overlapped)", "overlapped_ns": "Overlapped",
                "free_ns": "Free", "bubble_ns": "Bubble", "stage_ns": "Stage",
                "comm_no_receive_ns": "Communication(Not Overlapped and Exclude Receive)",
                "preparing_ns": "Preparing"}


def query(exe, folder, sql):
    out = subprocess.run([exe, "query", "-q", "--format=json", sql, folder], stdout=subprocess.PIPE)
    if out.returncode not in (0, 4):  # 4: some of the files are damaged
        sys.exit(f"query ended with {out.returncode}")
    answer = json.loads(out.stdout)
    return answer["rows"] if "rows" in answer else answer


def ns(text):
    """Microseconds with three decimals, as text or number."""
    whole, _, part = str(text).partition(".")
    if "e" in str(text):
        return round(float(text) * 1000)
    return int(whole) * 1000 + int((part + "000")[:3]) * (-1 if whole.startswith("-") else 1)


def trace(expected):
    with open(os.path.join(expected, "trace_view.json"), encoding="utf-8") as f:
        events = json.load(f)
    names = {e["pid"]: e["args"]["name"] for e in events if e.get("name") == "process_name"}
    return events, names


def differ(what, ours, theirs):
    a, b = collections.Counter(ours), collections.Counter(theirs)
    only_a, only_b = list((a - b).elements()), list((b - a).elements())
    for row in only_a[:5]:
        print(f"  {what}: only here: {row}")
    for row in only_b[:5]:
        print(f"  {what}: only there: {row}")
    return len(only_a) + len(only_b)


def check_events(exe, folder, events, names, process):
    theirs = [(str(e["tid"]), ns(e["ts"]), ns(e.get("dur", 0)), e["name"]) for e in events
              if names.get(e.get("pid")) == process and e["ph"] in "Xi" and e["name"] != "flow"]
    rows = query(exe, folder, EVENTS)
    ours = [(r["thread"], r["ts"], r["dur"], r["name"]) for r in rows if r["process"] == process]
    if process == "Python":  # the queue's threads have numbers of their own there
        theirs = [t[1:] for t in theirs]
        ours = [t[1:] for t in ours]
    # a name that is no UTF-8 is N/A there, and shown as it is here
    unnamed = {t[:-1] for t in theirs if t[-1] == "N/A"}
    ours, theirs = [t for t in ours if t[:-1] not in unnamed], [t for t in theirs if t[-1] != "N/A"]
    return differ("event", ours, theirs), len(theirs)


def arrows(events, cat):
    """Start and end of each arrow of a category; of a launch with several kernels all of them."""
    ends = collections.defaultdict(lambda: ([], []))
    for e in events:
        if e.get("cat") == cat and e["ph"] in "sf":
            ends[e["id"]][e["ph"] == "f"].append(ns(e["ts"]))
    return [(a, stops) for starts, stops in ends.values() for a in starts[:1]]


def pairs(events, cat):
    return [(a, b) for a, stops in arrows(events, cat) for b in stops]


def launches(events, names):
    """For each call that launches: when it was made, and the kernels (start and duration) in order.

    Copies that are a part of a communication op have arrows of their own there; here the op stands for them.
    """
    slices = {(e["pid"], e["tid"], ns(e["ts"])): e for e in events if e["ph"] == "X"}
    parts = {ns(e["ts"]) for e in events if e["ph"] == "X" and names[e["pid"]] == "Communication"
             and e["name"] == "Memcpy"}
    made = collections.defaultdict(lambda: [None, []])
    for e in events:
        if e.get("cat") == "HostToDevice" and e["ph"] == "s":
            made[e["id"]][0] = ns(e["ts"])
        elif e.get("cat") == "HostToDevice":
            kernel = slices[(e["pid"], e["tid"], ns(e["ts"]))]
            part = kernel["name"] == "MEMCPY_ASYNC" and ns(e["ts"]) in parts
            made[e["id"]][1].append((ns(e["ts"]), ns(kernel["dur"]), part))
    return [(at, kernels) for at, kernels in made.values() if at is not None and kernels]


def check_flows(exe, folder, events, names, cats):
    rows, bad, n = query(exe, folder, FLOWS), 0, 0
    called = {ts: at for at, kernels in launches(events, names) for ts, _, _ in kernels}
    parts = {ts for _, kernels in launches(events, names) for ts, _, part in kernels if part}
    # a flow that takes no time is an instant there, and its arrow is lost
    # (doc/formats/framework.md#event-pools)
    lost = {ns(e["ts"]) for e in events if e["ph"] == "i" and e["name"] == "flow"}
    for cat in cats:
        theirs = pairs(events, cat)
        ours = [(r["from_ts"], r["to_ts"]) for r in rows if r["kind"] == cat and r["from_ts"] not in lost]
        if cat == "async_npu":
            # there a launch has an arrow to its first kernel alone, and a call before all ops has one from
            # the first op, which was not begun then
            theirs = {(a, b) for a, b in theirs if called[b] >= a and b not in parts}
            ours = {x for x in ours if x in theirs}
        bad += differ(cat, ours, theirs)
        n += len(theirs)
    return bad, n


def device_time(events, names):
    """Of all kernels that ops launched; upstream counts the first one of each launch."""
    linked = {b for _, b in pairs(events, "async_npu")}
    return sum(ns for _, kernels in launches(events, names) if kernels[0][0] in linked
               for _, ns, part in kernels if not part)


def outside(events, names):
    """The part of device_time() that step marks launched."""
    steps = {ns(e["ts"]) for e in events if e["ph"] == "X" and "ProfilerStep#" in e["name"]}
    of_steps = {b for a, b in pairs(events, "async_npu") if a in steps}
    return sum(ns for _, kernels in launches(events, names) if kernels[0][0] in of_steps
               for _, ns, part in kernels if not part)


def check_ops(exe, folder, expected, events, names):
    path = os.path.join(expected, "operator_details.csv")
    if not os.path.exists(path):  # level 0
        return 0, 0
    with open(path, newline="", encoding="utf-8") as f:
        theirs = list(csv.DictReader(f))
    host = ["Host Self Duration(us)", "Host Total Duration(us)"]
    want = [(t["Name"], t["Input Shapes"].replace("\r\n", ""), *[ns(round(float(t[c]), 3)) for c in host])
            for t in theirs]
    rows = query(exe, folder, OPS)
    have = [(r["name"], r["shapes"] or "", r["self_ns"], r["dur_ns"]) for r in rows]
    bad = differ("op", have, want)
    # of calls before all ops, and of step marks, which are ops of that tree but no rows of the table
    ours, theirs = sum(r["device_self_ns"] for r in rows), device_time(events, names)
    theirs -= outside(events, names)
    if ours != theirs:
        print(f"  device time of ops: {ours} ns here, {theirs} there")
        bad += 1
    return bad, len(want)


def lifetime(row, case):
    """A row of operator_memory.csv: name, bytes, time and totals of the allocation; then what its release says.

    MindSpore prints times as doubles, to 0.25 us; 2.5 divides by 1024, 2.5 and 2.6 swap the totals
    (doc/formats/framework.md#version-differences).
    """
    us = 1024 if case.endswith("25") else 1000

    def part(column, scale):
        text = row[column].strip()
        return None if text in ("", "N/A") else round(float(text) * scale)

    totals = [part(f"{when} Total {what}(MB)", 1 << 20) for when in ("Allocation", "Release")
              for what in (("Reserved", "Allocated") if case.endswith(("25", "26")) else
                           ("Allocated", "Reserved"))]
    times = [part("Duration(us)", us), part("Active Duration(us)", us)]
    at = row["Allocation Time(us)"].strip()
    at = ns(at) if case.startswith("pt") else round(float(at) * 4)
    first = (row["Name"] or None, part("Size(KB)", 1024), at, *totals[:2])
    # of a release whose allocation was lost: upstream gives it to the next allocation there
    return first, None if times[0] is not None and times[0] < 0 else (*times, *totals[2:])


def check_memory(exe, folder, expected, case):
    path = os.path.join(expected, "operator_memory.csv")
    if not os.path.exists(path):
        return 0, 0
    with open(path, newline="", encoding="utf-8") as f:
        rows = [r for r in csv.DictReader(f) if not r["Name"].startswith("cann::")]
    theirs = [lifetime(r, case) for r in rows]
    stale = {first for first, release in theirs if release is None}
    us = 1024 if case.endswith("25") else 1000
    ours = []
    for r in query(exe, folder, MEMORY):
        at = r["ts"] if case.startswith("pt") else round(r["ts"] * 4 / us)
        first = (r["name"], r["size_b"], at, r["a"], r["b"])
        ours.append((first, None if first in stale else (r["dur_ns"], r["active_dur_ns"], r["c"], r["d"])))
    if not case.startswith("pt"):  # an allocation whose release was lost is forgotten there
        known = {first for first, _ in theirs}
        ours = [x for x in ours if x[0] in known or x[1] is None or x[1][0] is not None]
    return differ("lifetime", ours, theirs), len(theirs)


def read_csv(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def overlap(events, names):
    """Pieces of the layer: {word: [(start, end)]}."""
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e.get("name") == "thread_name"}
    pieces = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X" and names[e["pid"]] == "Overlap Analysis":
            word = threads[e["pid"], e["tid"]]
            pieces[word].append((ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])))
    return pieces


def torch_window(events, names, step, queue):
    """When the kernels of a step ran: of the first task that it launched up to the end of the last one."""
    from_, to = ns(step["ts"]), ns(step["ts"]) + ns(step["dur"])
    enqueued = {e["args"]["correlation_id"]: e for e in events if e.get("cat") == "enqueue" and e["ph"] == "X"}
    dequeued = [(ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]), e["args"]["correlation_id"]) for e in events
                if e.get("cat") == "dequeue" and e["ph"] == "X"]
    of = collections.defaultdict(list)
    for at, kernels in launches(events, names):
        ids = [i for a, b, i in dequeued if a <= at <= b] if queue else [at]
        put = ns(enqueued[ids[0]]["ts"]) if queue and ids and ids[0] in enqueued else None if queue else at
        if put is not None and from_ <= put <= to:
            of[ids[0]] += kernels[:1]
    if not of:
        return None
    return (min(k[0] for k in of[min(of)]), max([to] + [k[0] + k[1] for k in of[max(of)]]))


def check_step_windows(rows, events, names, queue):
    """Steps of torch_npu: by what was launched in them on each thread.

    Upstream's tree of ops is one over all threads, and loses tasks that were put into the queue while an op
    of another thread was the last (doc/formats/framework.md#torch_npu-joins): its windows may begin later.
    """
    pieces, bad = overlap(events, names), 0
    for step in [e for e in events if e["ph"] == "X" and "ProfilerStep#" in e["name"]]:
        window = torch_window(events, names, step, queue)
        have = [r for r in rows if str(r["step"]) == step["name"].split("#")[-1]]
        want = []
        if window:
            sums = [sum(b - a for a, b in pieces[w] if window[0] <= a < window[1])
                    for w in ("Computing", "Communication", "Communication(Not Overlapped)", "Free")]
            want = [(*window, *sums)]
        bad += differ("step", [(r["begin"], r["ends"], r["computing_ns"], r["communication_ns"],
                                r["comm_not_overlapped_ns"], r["free_ns"]) for r in have], want)
    return bad


def check_steps(exe, folder, expected, case, events, names):
    rows, torch, bad, n = query(exe, folder, STEPS), case.startswith("pt"), 0, 0
    theirs = read_csv(os.path.join(expected, "step_trace_time.csv"))
    named = read_csv(os.path.join(expected + "_hccl_named", "step_trace_time.csv"))
    if torch:
        bad += check_step_windows(rows, events, names, case != "pt_noqueue")
        n += len(rows)
    if case.endswith("25"):  # one row for all steps there, of the same sums but for the free time, as text
        return bad, n
    for t in theirs:
        ours = next((r for r in rows if str(r["step"]) == t["Step"]), None)
        if not ours:
            print(f"  no step {t['Step']} here")
            bad += 1
            continue
        if torch and ours["preparing_ns"] + 250 < float(t["Preparing"]) * 1000:
            continue  # a window that begins later there
        stage = next((x["Stage"] for x in named if x["Step"] == t["Step"]), t["Stage"] if torch else None)
        for column, title in STEP_COLUMNS.items():
            want = stage if title == "Stage" else t[title]
            # times of torch_npu are doubles there: to 0.25 us
            if want is not None and abs(ours[column] - float(want) * 1000) > (500 if torch else 0.5):
                print(f"  step {t['Step']}: {title}: {ours[column]} ns here, {want} us there")
                bad += 1
            n += want is not None
    return bad, n


def check_kernel_steps(exe, folder, expected, events, names):
    theirs = read_csv(os.path.join(expected, "kernel_details.csv"))
    column = next((c for c in ("Step ID", "Step Id") if theirs and c in theirs[0]), None)
    if not column:
        return 0, 0
    ours = {(r["ts"], r["dur"]): r["step"] for r in query(exe, folder, KERNELS)}
    steps = {str(r["step"]): r for r in query(exe, folder, STEPS)}
    ended = max([ns(e["ts"]) + ns(e["dur"]) for e in events
                 if e["ph"] == "X" and "ProfilerStep#" in e["name"]])
    # of a launch with several kernels only the first has an arrow there, and the step of the launch
    later = {k[0]: at for at, kernels in launches(events, names) for k in kernels[1:]}
    bad = 0
    for t in theirs:
        key = (ns(t["Start Time(us)"].strip()), ns(t["Duration(us)"]))
        have, want = ours.get(key, "no such kernel"), t[column]
        have = "" if have is None else str(have)
        if have == want:
            continue
        # a window that begins later there (check_step_windows); after the last mark of a run that died
        late = column == "Step Id" and not want and have in steps and steps[have]["begin"] <= key[0]
        cut = not want and have not in steps and key[0] > ended
        at, step = later.get(key[0]), steps.get(have)
        of_launch = at and step and step["begin"] <= at <= step["ends"]
        if not late and not cut and not of_launch:
            print(f"  kernel at {key[0]}: step {have!r} here, {want!r} there")
            bad += 1
    return bad, len(theirs)


def run(exe, samples, case):
    with tempfile.TemporaryDirectory() as to:
        os.environ["XDG_CACHE_HOME"] = os.path.join(to, "cache")
        folder, expected = build(samples, case, to)
        torch = case.startswith("pt")
        events, names = trace(expected)
        results = {
            "events": check_events(exe, folder, events, names, "Python" if torch else "MindSpore"),
            "arrows": check_flows(exe, folder, events, names, ARROWS[torch]),
        }
        results["memory"] = check_memory(exe, folder, expected, case)
        results["steps"] = check_steps(exe, folder, expected, case, events, names)
        results["kernel steps"] = check_kernel_steps(exe, folder, expected, events, names)
        if torch:
            results["ops"] = check_ops(exe, folder, expected, events, names)
        for what, (bad, n) in results.items():
            print(f"{case}: {what}: {n} compared, {bad} differ")
        return sum(bad for bad, _ in results.values()), sum(n for _, n in results.values())


def read_ops(path):
    """Records of torch.op_range of today: start, end and thread."""
    with open(path, "rb") as f:
        data = f.read()
    at, ops = 0, []
    while at + 6 <= len(data):
        length = struct.unpack_from("<I", data, at + 2)[0]
        start, end, _, _, thread = struct.unpack_from("<3q2Q", data, at + 6)
        ops.append((start, end, thread))
        at += 6 + length
    return ops


def write_python(folder, ops):
    """Calls around the ops: main, in it a module for each fourth op and a function for each third.

    Returns for each op the modules (outer ones first) and the functions (innermost first) around it.
    """
    thread = ops[0][2]
    own = [o for o in ops if o[2] == thread]
    calls, frames = [], [(min(o[0] for o in own) - 20, max(o[1] for o in own) + 20, 1)]
    for i, (start, end, _) in enumerate(own):
        if i % 4 == 0:
            frames.append((start - 2, end + 2, 2 + i % 8 // 4))
        if i % 3 == 0:
            frames.append((start - 1, end + 1, 4))
    frames.sort(key=lambda f: (f[0], -f[1]))
    kept, stack = [], []
    for f in frames:  # a range that begins in another and ends after it would be no call
        while stack and stack[-1][1] < f[0]:
            stack.pop()
        if not stack or f[1] <= stack[-1][1]:
            stack.append(f)
            kept.append(f)
    for start, end, key in kept:
        calls += [(start, 1, end, key, 0), (end, 0, -start, key, 1)]
    calls.sort(key=lambda c: (c[0], c[1], -c[2]))
    texts = {1: "train.py(1): main", 2: "Linear######id2", 3: "Conv2d######id3", 4: "train.py(9): step"}
    with open(os.path.join(folder, "FRAMEWORK", "torch.python_tracer_func"), "wb") as f:
        for at, _, _, key, tag in calls:
            f.write(struct.pack("<4QB", at, thread, 1, key, tag))
    with open(os.path.join(folder, "FRAMEWORK", "torch.python_tracer_hash"), "wb") as f:
        for key, text in texts.items():
            f.write(struct.pack("<HIQHI", 4, 14 + len(text), key, 1, len(text)) + text.encode())
    names = {2: "Linear_0", 3: "Conv2d_0"}
    around = []
    for start, end, tid in ops:
        of = [k for k in kept if tid == thread and k[0] <= start and end <= k[1]]
        around.append(("/".join(names[k[2]] for k in of if k[2] in names) or None,
                       ";".join(texts[k[2]] for k in of[::-1] if k[2] not in names) or None))
    return around


def check_python(exe, samples, case):
    """Modules and functions around ops, and around the kernels that they launched."""
    with tempfile.TemporaryDirectory() as to:
        os.environ["XDG_CACHE_HOME"] = os.path.join(to, "cache")
        folder = build(samples, case, to)[0]
        ops = read_ops(os.path.join(folder, "FRAMEWORK", "torch.op_range"))
        around = write_python(folder, ops)
        recorded = f"{TEXT % 'module_id'} module, {TEXT % 'stack_id'} stack"
        bad, n = 0, 0
        for table, where in (("host_op", "where type_id is null"), ("exec_host", "")):
            for r in query(exe, folder, f"select line, {recorded} from {table} {where}"):
                module, stack = around[r["line"] - 1]
                if r["stack"] and r["stack"].startswith("a.py"):  # the op's own say more
                    continue
                bad += differ(table, [(r["line"], r["module"], r["stack"])], [(r["line"], module, stack)])
                n += 1
        modules = query(exe, folder, f"select count(*) n from host_op where {TEXT % 'type_id'} = 'module'")
        return bad + (modules[0]["n"] == 0), n


def main():
    exe, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
    bad = n = 0
    for case in sys.argv[3:] or CASES:
        b, m = run(exe, samples, case)
        bad, n = bad + b, n + m
    for case in [c for c in sys.argv[3:] or CASES if c in ("pt_queue", "pt_noqueue")]:
        b, m = check_python(exe, samples, case)
        print(f"{case}: modules and functions: {m} compared, {b} differ")
        bad, n = bad + b, n + m
    print(f"framework: {n} rows compared, {bad} differ")
    return 1 if bad or not n else 0


sys.exit(main())
