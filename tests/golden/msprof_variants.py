#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`npuscope export` of the sample PROF folders with one thing changed: what must stay the same and what must
follow is told by the export of the unchanged folder, or computed from the records.

  msprof_variants.py NPUSCOPE SAMPLES

A collection of level 0, two devices that share the records of the host, records of copies or of
communication ops missing, partial exports of counters of memory and of sampled bandwidths.
"""
import csv
import glob
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from decimal import Decimal


class Folder:
    """A sample that may be changed, and what is exported of it."""

    def __init__(self, npuscope, samples, case):
        self.npuscope, self.top = npuscope, tempfile.mkdtemp(prefix="npuscope-variant")
        source = glob.glob(os.path.join(samples, "data", "msprof", case, "PROF_*"))[0]
        self.path = os.path.join(self.top, os.path.basename(source))
        shutil.copytree(source, self.path, copy_function=shutil.copyfile)
        for top, _, _ in os.walk(self.path):
            os.chmod(top, 0o755)
        self.n = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.top)

    def files(self, pattern):
        return sorted(glob.glob(os.path.join(self.path, pattern)))

    def remove(self, pattern):
        found = self.files(pattern)
        assert found, pattern
        for path in found:
            os.unlink(path)

    def say(self, pattern, **values):
        """Values of a paper."""
        for path in self.files(pattern):
            with open(path) as f:
                doc = json.load(f)
            doc.update(values)
            with open(path, "w") as f:
                json.dump(doc, f)

    def export(self, kind, *more):
        """Folder of the results."""
        return self.run(["export", kind], *more)

    def run(self, form, *more):
        self.n += 1
        out = os.path.join(self.top, str(self.n))
        os.mkdir(out)
        subprocess.run(
            [self.npuscope, *form, "-dir", self.path, "--output=" + out, *more],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return out


def table(out, name):
    """Rows; None: there is no such table."""
    found = glob.glob(out + "/**/%s_2*.csv" % name, recursive=True)
    if not found:
        return None
    with open(found[0], newline="") as f:
        return list(csv.DictReader(f))


def trace(out):
    with open(glob.glob(out + "/**/msprof_2*.json", recursive=True)[0]) as f:
        return json.load(f)


def layer(events, name):
    pids = {e["pid"] for e in events if e["name"] == "process_name" and e["args"]["name"] == name}
    return [e for e in events if e["pid"] in pids and e["ph"] in "XC"]


def query(out, sql):
    db = sqlite3.connect(glob.glob(out + "/**/msprof_*.db", recursive=True)[0])
    rows = db.execute(sql).fetchall()
    db.close()
    return rows


def level_0(make):
    """The ops are the same ones, mixed kernels with their contexts, but without types; of communication there
    are ops alone."""
    keys = ("Op Name", "Stream ID", "Task ID", "Context ID", "Task Start Time(us)", "Task Duration(us)")
    with make("train_1dev_graph") as f:
        before, events = table(f.export("summary"), "op_summary"), trace(f.export("timeline"))
        f.say("*/sample.json", profLevel="l0")
        out = f.export("summary")
        after = table(out, "op_summary")
        assert [[r[k] for k in keys] for r in after] == [[r[k] for k in keys] for r in before]
        assert any(r["Context ID"] == "0" for r in after)
        assert all(r["OP Type"] == "N/A" for r in after if r["Task Type"] != "COMMUNICATION")
        assert table(out, "op_statistic") is None and table(out, "communication_statistic") is None
        analysed = ("analyze", "--rule", "communication")
        ours, theirs = f.run(analysed), f.run(analysed, "--compat")
        assert glob.glob(ours + "/**/communication.json", recursive=True)
        assert not glob.glob(theirs + "/**/communication.json", recursive=True)
        was, now = (layer(x, "Communication") for x in (events, trace(f.export("timeline"))))
        assert any("task id" in e["args"] for e in was)
        assert [e for e in was if "task id" not in e["args"]] == now != []


def level_0_of_910a(make):
    """Python's half, too, has all columns, and of communication ops alone."""
    tensors = ["%s %s" % (a, b) for a in ("Input", "Output") for b in ("Shapes", "Data Types", "Formats")]
    with make("train_910a_hwts") as f:
        before, events = table(f.export("summary"), "op_summary"), trace(f.export("timeline"))
        f.say("*/sample.json", profLevel="l0")
        after = table(f.export("summary"), "op_summary")
        assert list(after[0]) == list(before[0]) and [r["Op Name"] for r in after] == [
            r["Op Name"] for r in before
        ]
        assert {r[k] for r in after for k in tensors} == {"N/A"}
        assert any(r[k] != "N/A" for r in before for k in tensors)
        was, now = (layer(x, "Communication") for x in (events, trace(f.export("timeline"))))
        assert any("task id" in e["args"] for e in was)
        assert [e for e in was if "task id" not in e["args"]] == now != []


def begin_later(f, us):
    """The collection begins that much later; no stamp moves."""
    for path in f.files("*/start_info") + f.files("*/start_info.[0-9]"):
        with open(path) as o:
            doc = json.load(o)
        begin, raw = int(doc["collectionTimeBegin"]) + us, int(doc["clockMonotonicRaw"]) + us * 1000
        f.say(os.path.relpath(path, f.path), collectionTimeBegin=str(begin), clockMonotonicRaw=str(raw))
    return Decimal(begin)


def step_events(out, file, kind):
    with open(glob.glob(out + "/**/%s_2*.json" % file, recursive=True)[0]) as f:
        return [e for e in json.load(f) if e["ph"] == "X" and e.get("cat") == kind]


def parts_of_an_iteration_begun_before(make):
    """C++ keeps all-reduces and get-nexts by their own begin, and numbers them anew; Python shows all of them in
    step_trace, and in msprof.json what ends in the collection."""
    with make("train_1dev_graph") as f:
        was = step_events(f.export("timeline"), "step_trace", "Reduce")
        begin = begin_later(f, 4000)
        out = f.export("timeline")
        want = [(e["ts"], e["dur"]) for e in was if Decimal(e["ts"]) >= begin]
        now = step_events(out, "step_trace", "Reduce")
        assert [(e["ts"], e["dur"]) for e in now] == want
        assert [e["name"] for e in now[:2]] == ["Reduce_1_0", "Reduce_2_1"]
        assert {e["args"]["Iteration ID"] for e in step_events(out, "step_trace", "Iteration Time")} == {2, 3, 4}
    with make("train_910a_hwts") as f:
        out = f.export("timeline")
        was = {k: step_events(out, "step_trace", k) for k in ("Reduce", "GetNext Time", "Iteration Time")}
        row = table(f.export("summary"), "step_trace")[1]
        begin = begin_later(f, 6000)
        out = f.export("timeline")
        for kind, events in was.items():
            assert step_events(out, "step_trace", kind) == events, kind
            late = [e for e in events if Decimal(e["ts"]) + Decimal(str(e["dur"])) > begin]
            assert 0 < len(late) < len(events) and step_events(out, "msprof", kind) == late, kind
        assert table(f.export("summary"), "step_trace")[0] == row


def arrows_and_threads_of_910a_begun_before(make):
    """Threads are named and arrows to tasks begin also before the collection; what ends there is left out."""

    def named(events):
        return [e["args"]["name"] for e in events if e["name"] == "thread_name" and "Thread" not in str(e["args"])]

    def ends(events, ph):
        return [e for e in events if e["ph"] == ph and e.get("cat") == "HostToDevice"]

    with make("train_910a_hwts") as f:
        was = trace(f.export("timeline"))
        calls = {e["ts"] for e in was if "@" in e["name"]}
        begin = begin_later(f, 6000)
        now = trace(f.export("timeline"))
        assert named(now) == named(was)
        assert ends(now, "f") == [e for e in ends(was, "f") if Decimal(e["ts"]) >= begin] != ends(was, "f")
        # those of communication and copies begin at calls, and these are not shown before the collection
        assert ends(now, "s") == [e for e in ends(was, "s") if Decimal(e["ts"]) >= begin or e["ts"] not in calls]
        assert any(Decimal(e["ts"]) < begin for e in ends(now, "s"))


def counters_of_an_old_driver(make):
    """msprof finds none where its C++ half did not read the device."""
    with make("dist_2dev_single") as f:
        before = table(f.export("summary"), "op_summary")
        f.say("*/info.json*[n0-9]", drvVersion=400000)
        ours, theirs = (table(f.export("summary", *more), "op_summary") for more in ([], ["--compat"]))
        assert ours == before and list(theirs[0]) == list(before[0])
        assert any(r["aicore_time(us)"] != "N/A" for r in ours)
        assert {r["aicore_time(us)"] for r in theirs} == {r["aiv_total_cycles"] for r in theirs} == {"N/A"}


def mark_steps(f):
    """The iterations of a graph become steps of the program: tags 60000 and 60001, without a model."""
    for path in f.files("device_0/data/ts_track.data.0.slice_?"):
        with open(path, "rb") as o:
            data = bytearray(o.read())
        for at in range(0, len(data) - 39, 40):
            (tag,) = struct.unpack_from("<H", data, at + 36)
            if data[at + 1] == 10 and tag in (0, 4):
                struct.pack_into("<Q", data, at + 24, 4294967295)
                struct.pack_into("<H", data, at + 36, 60001 if tag else 60000)
        with open(path, "wb") as o:
            o.write(data)


def steps_of_910a_are_not_cut(make):
    """By step msprof's tables hold all steps, the ops without counters; with --compat so here."""
    part = ("--model-id", "4294967295", "--iteration-id", "2")
    with make("train_910a_hwts") as f:
        mark_steps(f)
        whole = f.export("summary", "--compat")
        cut, uncut = f.export("summary", *part), f.export("summary", *part, "--compat")
        ops, all_ops = table(uncut, "op_summary"), table(whole, "op_summary")
        assert 0 < len(table(cut, "op_summary")) < len(ops)
        assert "aicore_time(us)" in all_ops[0] and "aicore_time(us)" not in ops[0]
        keys = ("Op Name", "Task Start Time(us)", "Task Duration(us)")
        of_cores = [[[r[k] for k in keys] for r in x if r["Task Type"] == "AI_CORE"] for x in (all_ops, ops)]
        assert of_cores[0] == of_cores[1]
        steps = [e for e in trace(f.export("timeline", *part, "--compat")) if e["ph"] == "s"]
        assert len(steps) > len([e for e in trace(f.export("timeline", *part)) if e["ph"] == "s"])
        # the timeline is made of all steps and cut then: pieces and names are those of the whole
        whole, cut = (trace(f.export("timeline", *x, "--compat")) for x in ((), part))
        for kind in ("Free", "Communication", "hcom_"):
            every = {(e["name"], e["ts"], e["dur"]) for e in whole if e["ph"] == "X" and e["name"].startswith(kind)}
            some = {(e["name"], e["ts"], e["dur"]) for e in cut if e["ph"] == "X" and e["name"].startswith(kind)}
            assert some and some < every, kind


def records(f, pattern, size):
    data = b"".join(open(path, "rb").read() for path in f.files(pattern))
    return [data[i : i + size] for i in range(0, len(data) - size + 1, size)]


def parts_by_graph_of_910a_find_records_by_place(make):
    """An iteration gets as many records of counters as cube tasks end in it, counted from the end of the file; what comes
    before the first task whose ids are no mark's is in none (doc/formats/prof-quirks.md#partial-exports)."""
    with make("train_910a_hwts") as f:
        marks = [struct.unpack("<BBHIQQQHHHH", r) for r in records(f, "device_0/data/ts_track*slice_?", 40) if r[1] == 10]
        log = [struct.unpack("<BBHHHQH", r[:18]) for r in records(f, "device_0/data/hwts*slice_?", 64)]
        counted = [(struct.unpack_from("<H", r, 6)[0], struct.unpack_from("<I", r, 96)[0], struct.unpack_from("<Q", r, 16)[0])
                   for r in records(f, "device_0/data/aicore*slice_?", 128)]
        whole = table(f.export("summary"), "op_summary")
        cube = {(int(r["Task ID"]), int(r["Stream ID"])) for r in whole if r["Task Type"] == "AI_CORE"}
        model = marks[0][6]
        begin = {m[5]: m[4] for m in marks if m[9] == 0}
        end = {m[5]: m[4] for m in marks if m[9] == 4}
        ids = {(m[8], m[7]) for m in marks if m[9] in (1, 4)}
        iterations = sorted(end)
        now, active, inside, outside, lost = None, None, dict.fromkeys(iterations, 0), {}, set()
        for kind, _, _, _, task, at, stream in log:
            if (task, stream) not in ids:
                now = now or iterations[0]
                while now in end and at > end[now]:
                    now += 1
            is_one = kind & 7 == 1 and active and (task, stream) in cube
            if now is None:
                lost.add((task, stream))
            elif now in end and begin[now] <= at <= end[now]:
                inside[now] += bool(is_one)
                active = now
            else:
                outside[now] = outside.get(now, 0) + bool(is_one)
        left, differ = len(counted), 0
        for k in reversed(iterations):
            left -= outside.get(k + 1, 0) + inside[k]
            window = counted[left : left + inside[k]]
            part = "--model-id", str(model), "--iteration-id", str(k)
            ours = {(r["Task ID"], r["Stream ID"]): r for r in table(f.export("summary", *part), "op_summary")}
            for r in table(f.export("summary", "--compat", *part), "op_summary"):
                key = (r["Task ID"], r["Stream ID"])
                if key[0] == "N/A" or r["Task Type"] == "AI_CPU":
                    continue
                assert k != iterations[0] or (int(key[0]), int(key[1])) not in lost, key
                found = [c for c in window if (str(c[0]), str(c[1])) == key]
                assert r["total_cycles"] == (str(found[0][2]) if found else "N/A"), (k, key, r["total_cycles"])
                differ += r["total_cycles"] != ours[key]["total_cycles"]
        assert left >= 0 and differ > 5 and lost, (left, differ, lost)
        first = "--model-id", str(model), "--iteration-id", str(iterations[0])
        for more, has in ((), True), (("--compat",), False):
            tasks = [e["args"] for e in trace(f.export("timeline", *first, *more)) if "Physic Stream Id" in e.get("args", {})]
            shown = {(a["Task Id"], a["Physic Stream Id"]) for a in tasks if a["Task Type"] != "AI_CPU"}
            assert shown and bool(lost & shown) == has, (more, lost & shown)


def communication_of_910a_begun_before(make):
    """op_summary of msprof has what began before the collection and ends in it, with the index -1; waits count from what
    ended before (doc/formats/prof-quirks.md#warm-up-of-910a)."""
    times = ("Task Start Time(us)", "Task Duration(us)")

    def names(rows):
        return [r["Op Name"] for r in rows if r["Task Type"] == "COMMUNICATION"]

    with make("train_910a_hwts") as f:
        was = table(f.export("summary", "--compat"), "op_summary")
        events = layer(trace(f.export("timeline", "--compat")), "Communication")
        op = next(r for r in was if r["Op Name"].startswith("hcom_broadcast"))
        start, end = (Decimal(op[times[0]].strip()), Decimal(op[times[0]].strip()) + Decimal(op[times[1]]))
        tasks = [e for e in events if "task id" in e["args"] and start <= Decimal(e["ts"]) < end]
        stream = next(e["args"]["stream id"] for e in tasks if Decimal(e["ts"]) == start)
        main = sorted((Decimal(e["ts"]), Decimal(str(e["dur"]))) for e in tasks if e["args"]["stream id"] == stream)
        assert len(main) == 3 and main[-1][1] > 100
        zero = begin_later(f, 0)
        begin = begin_later(f, int(main[-1][0] - zero) + 10)
        after = [r for r in was if Decimal(r[times[0]].strip()) + Decimal(r[times[1]]) > begin]
        # what is left of it are tasks of other planes: no op
        assert any(begin < Decimal(e["ts"]) for e in tasks)
        ours, out = table(f.export("summary"), "op_summary"), f.export("summary", "--compat")
        theirs = table(out, "op_summary")
        counts = {r["OP Type"]: int(r["Count"]) for r in table(out, "communication_statistic")}
        assert counts["hcom_broadcast_"] == sum(n.startswith("hcom_broadcast") for n in names(theirs)) - 1
        assert names(theirs)[0] == op["Op Name"].replace("_0_", "_-1_") and not any("_-1_" in n for n in names(ours))
        assert [[r[k] for k in times] for r in theirs] == [[r[k] for k in times] for r in after]
        waits = "Task Wait Time(us)"
        assert theirs[0][waits] == "0" and [r[waits] for r in theirs[1:]] == [r[waits] for r in after[1:]]
        # of the three tasks of its main plane the last one begins in the collection
        assert begin_later(f, int(main[1][0]) + 2 - int(begin)) < sum(main[1]) < main[2][0]
        theirs = table(f.export("summary", "--compat"), "op_summary")
        first, second = [r for r in theirs if r["Op Name"].startswith("hcom_broadcast")][:2]
        assert (first["Op Name"], second["Op Name"]) == (op["Op Name"].replace("_0_", "_-1_"), op["Op Name"])
        assert [Decimal(first[k].strip()) for k in times] == [start, max(sum(x) for x in main[:2]) - start]
        assert tuple(Decimal(second[k].strip()) for k in times) == main[-1]


def fast_hosts_keep_memory_of_ops(make):
    """A counter of 1000 MHz is taken for ns by msprof, so calls are lost, but not the memory of ops."""
    with make("train_1dev_graph") as f:
        f.say("*/info.json*[n0-9]", CPU=[{"Frequency": "1000.000000"}])
        begin_later(f, -9500)  # counts of 100 MHz: all is soon after the clocks met
        counts = [
            query(f.export("db", *more), "select count(*) from NPU_OP_MEM where timestampNs > 0")
            for more in ([], ["--compat"])
        ]
        assert counts[0] == counts[1] and counts[0][0][0] > 0
        assert query(f.export("db"), "select count(*) from CANN_API")[0][0] > 0


def drift_of_910a_is_rounded(make):
    """The database has the times of the Python half, which rounds what the host's clock is corrected by."""
    times = "select startNs, endNs from TASK order by globalTaskId, startNs"
    with make("train_910a_hwts") as f:
        f.say("*/info.json*[n0-9]", CPU=[{"Frequency": "37.500000"}])
        ours, theirs = (query(f.export("db", *more), times) for more in ([], ["--compat"]))
        # 4000 counts are 106666.67 ns; AI CPU tasks end up to 1 ns early
        assert {b[0] - a[0] for a, b in zip(ours, theirs)} == {1}
        assert {b[1] - a[1] for a, b in zip(ours, theirs)} <= {0, 1}


def second_device(f):
    """Device 1 has what device 0 has."""
    one, two = (os.path.join(f.path, "device_%d" % i) for i in (0, 1))
    shutil.copytree(one, two)
    for path in f.files("device_1/*.0") + f.files("device_1/*.0.done") + f.files("device_1/data/*"):
        os.rename(
            path,
            os.path.join(
                os.path.dirname(path),
                os.path.basename(path).replace(".0.", ".1.", 1)
                if ".0." in os.path.basename(path)
                else os.path.basename(path)[:-1] + "1",
            ),
        )
    f.say("device_1/info.json.1", devices="1")


def copies_of_910a_follow_the_tasks_of_their_device(make):
    with make("train_910a_hwts") as f:
        one = table(f.export("summary"), "task_time")
        second_device(f)
        rows = table(f.export("summary"), "task_time")
        assert one[-1]["kernel_name"] == "MemcopyAsync"
        assert [r["Device_id"] for r in rows] == ["0"] * len(one) + ["1"] * len(rows[len(one):])
        assert rows[: len(one)] == one and rows[-1]["kernel_name"] == "MemcopyAsync"


def devices_share_memory(make):
    """Each device's folder has all records of the host."""
    with make("train_1dev_graph") as f:
        before = {name: table(f.export("summary"), name) for name in ("memory_record", "operator_memory")}
        second_device(f)
        out = f.export("summary")
        for name, rows in before.items():
            after = table(out, name)
            assert [r["Device_id"] for r in after] == ["0"] * len(rows) + ["1"] * len(rows), name
            for i, r in enumerate(after):
                assert dict(r, Device_id="0") == rows[i % len(rows)], name


def no_records_of_copies(make):
    """Then there is no table of copies."""
    tables = "select count(*) from sqlite_master where name = 'MEMCPY_INFO'"
    with make("train_1dev_graph") as f:
        assert query(f.export("db"), tables) == [(1,)]
        f.remove("host/data/*memcpy_info*")
        assert query(f.export("db"), tables) == [(0,)]


def no_records_of_communication_ops(make):
    """Ops whose hccl_op_info is missing: unknown in the database, in the timeline all the same, of which
    msprof leaves them out."""
    with make("train_1dev_graph") as f:
        names = [
            e["name"] for e in layer(trace(f.export("timeline")), "Communication") if "rank_size" in e["args"]
        ]
        f.remove("host/data/*hccl_op_info*")
        ours, theirs = (
            layer(trace(f.export("timeline", *more)), "Communication") for more in ([], ["--compat"])
        )
        assert names and [e["name"] for e in ours if "rank_size" in e["args"]] == names
        assert not [e for e in theirs if "rank_size" in e["args"]] and [
            e for e in theirs if "task id" in e["args"]
        ]
        assert query(
            f.export("db"), "select distinct relay, retry, count, dataType from COMMUNICATION_OP"
        ) == [(-1, -1, -1, 65534)]


def no_l2_in_a_part(make):
    """Python's tables have no bandwidth of the L2."""
    with make("pmu_memory_static") as f:
        whole = table(f.export("summary"), "op_summary")[0]
        part = table(f.export("summary", "--model-id", "1", "--iteration-id", "2"), "op_summary")[0]
        assert "aic_l2_read_bw(GB/s)" in whole and "aic_main_mem_read_bw(GB/s)" in part
        assert not [k for k in part if "l2_" in k]


def first_iterations_begin_at_0(make):
    """What was before the first iteration's own mark is part of it, as in msprof; not so of a later one."""
    with make("train_1dev_graph") as f:
        for first in (1, 2):
            part = ("--model-id", "1", "--iteration-id", str(first))
            events = trace(f.export("timeline", *part))
            begin = Decimal(table(f.export("summary"), "step_trace")[first - 1]["FP Start(us)"].strip())
            points = [Decimal(e["ts"]) for e in layer(events, "AI Core Freq")]
            assert points and (min(points) < begin - 5000) == (first == 1), (first, begin, points)


def no_memory_access_in_a_part(make):
    """Python's half has no columns for this group of counters; npuscope has."""
    part = ("--model-id", "1", "--iteration-id", "2")
    with make("pmu_memory_static") as f:
        group = {"ai_core_metrics": "MemoryAccess", "aiv_metrics": "MemoryAccess"}
        events = "0x32,0x3e,0x206,0x20c,0x50c,0x50d,0x50e,0x3d"
        f.say("*/sample.json", ai_core_profiling_events=events, aiv_profiling_events=events, **group)
        ours, theirs = (table(f.export("summary", *part, *more), "op_summary") for more in ([], ["--compat"]))
        assert "aic_read_main_memory_datas(KB)" in ours[0]
        assert list(theirs[0])[-1] == "Context ID" and len(ours) == len(theirs)


def values_of(path):
    """key:value lines of a clock file."""
    with open(path) as f:
        return dict(line.strip().split(":", 1) for line in f if ":" in line)


def stamps_of_a_part(make):
    """Bandwidths of HBM are stamped with the shortest text of the double that their time in ns since 1970
    is."""
    with make("sampled_system") as f:
        with open(f.files("device_0/start_info*")[0]) as text:
            start = json.load(text)
        with open(f.files("host/info.json")[0]) as text:
            mhz = float(json.load(text)["CPU"][0]["Frequency"])
        host, device = values_of(f.files("device_0/host_start.log*")[0]), values_of(
            f.files("device_0/dev_start.log*")[0]
        )
        mono = int(device["clock_monotonic_raw"])
        h = int(host["clock_monotonic_raw"]) + round(int(host.get("cntvct_diff", 0)) * 1000 / mhz)
        off = float(start["collectionTimeBegin"]) - float(start["clockMonotonicRaw"]) / 1000
        want = set()
        for path in f.files("device_0/data/hbm.data.0.slice_?"):
            with open(path, "rb") as data:
                for us, *_ in struct.iter_unpack("<QQII", data.read()):
                    ns = float(int(us * 1000 + mono + (h / 1e9 - mono / 1e9) * 1e9 + off * 1000))
                    want.add(str((Decimal(str(ns)) / 1000).quantize(Decimal("0.000"))))
        events = layer(
            trace(f.export("timeline", "--model-id", "1", "--iteration-id", "2", "--compat")), "HBM"
        )
        assert events and {e["ts"] for e in events} <= want


def main():
    npuscope, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
    checks = (
        level_0,
        level_0_of_910a,
        parts_of_an_iteration_begun_before,
        arrows_and_threads_of_910a_begun_before,
        counters_of_an_old_driver,
        copies_of_910a_follow_the_tasks_of_their_device,
        devices_share_memory,
        steps_of_910a_are_not_cut,
        parts_by_graph_of_910a_find_records_by_place,
        communication_of_910a_begun_before,
        fast_hosts_keep_memory_of_ops,
        drift_of_910a_is_rounded,
        no_records_of_copies,
        no_records_of_communication_ops,
        no_l2_in_a_part,
        first_iterations_begin_at_0,
        no_memory_access_in_a_part,
        stamps_of_a_part,
    )
    for check in checks:
        check(lambda case: Folder(npuscope, samples, case))
        print("%s: holds" % check.__name__)


main()
