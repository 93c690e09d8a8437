#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Delays between launch and run against an independent computation: from the table of kernels and the trace
of text profiles, and from the connection ids of databases, for the raw data they were made of, too.

  launch.py NPUSCOPE SAMPLES
"""
import bisect
import csv
import glob
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from decimal import ROUND_HALF_UP, Decimal

STAMP = "20240101000000"
LAUNCHES = (
    "select e.ts_ns + r.origin_ns, s.text, l.delay_ns from op_exec e join rank r on r.rank = e.rank "
    "left join op_launch l on l.exec_id = e.id left join op o on o.id = e.op_id "
    "left join string s on s.id = o.name_id order by 1, 2"
)
# Columns of the tables of kernels: name, start, stream.
KERNELS = {"kernel_details": ("Name", "Start Time(us)"), "op_summary": ("Op Name", "Task Start Time(us)")}


def ns(text):
    """To the nearest ns: a trace has sums of doubles with many decimals."""
    return int((Decimal(str(text).strip()) * 1000).to_integral_value(ROUND_HALF_UP))


def query(npuscope, path, sql, store):
    p = subprocess.run(
        [npuscope, "query", "-q", "-F", "csv", "--no-header", f"--db={store}", sql, path],
        capture_output=True,
        text=True,
        check=False,
    )
    if p.returncode not in (0, 4):
        raise SystemExit(f"query of {path} ended with {p.returncode}: {p.stderr}")
    return [(int(a), b, int(c) if c else None) for a, b, c in csv.reader(io.StringIO(p.stdout))]


class Trace:
    """Bars by thread, and the arrows that end at an instant: (begin, end of the call that holds it)."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as f:
            events = json.load(f, parse_float=Decimal)
        self.bars, starts, self.streams, self.ends = {}, {}, {}, {}
        for e in events:
            thread = (e.get("pid"), e.get("tid"))
            if e["ph"] == "X":
                begin = ns(e["ts"])
                self.bars.setdefault(thread, []).append((begin, begin + ns(e["dur"]), e["name"]))
            elif e["ph"] == "s":
                starts.setdefault((e["cat"], str(e["id"])), []).append((ns(e["ts"]), thread))
            elif e["ph"] == "M" and e["name"] == "thread_name" and e["args"]["name"].startswith("Stream "):
                self.streams[thread] = int(e["args"]["name"].split()[1])
        for b in self.bars.values():
            b.sort()
        for e in events:
            if e["ph"] != "f":
                continue
            at, thread = ns(e["ts"]), (e.get("pid"), e.get("tid"))
            begun = starts.get((e["cat"], str(e["id"])), [])
            before = [s for s in begun if s[0] <= at]
            if begun:  # after its end, where the clocks of host and device differ
                self.ends.setdefault(at, []).append((max(before) if before else min(begun), thread))

    def holder(self, thread, at):
        """The bar that begins last among those that hold the instant."""
        bars = self.bars.get(thread, [])
        for i in range(bisect.bisect_right(bars, (at, 1 << 62, "")) - 1, -1, -1):
            if bars[i][1] >= at:
                return bars[i]
        return None

    def launch(self, at, name, stream):
        best = None
        for (begin, host), device in self.ends.get(at, []):
            bar = self.holder(device, at)
            same = (stream is not None and self.streams.get(device) == stream, bool(bar) and bar[2] == name)
            if any(same) and (best is None or (same, begin) > best[0]):
                call = self.holder(host, begin)
                best = ((same, begin), call[1] if call else None)
        return best[1] if best else None


def of_text(table, columns, trace):
    out = []
    with open(table, encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            row = {k.strip(): v for k, v in row.items() if k}
            at, name, stream = ns(row[columns[1]]), row[columns[0]], row.get("Stream ID", "").strip()
            call = trace.launch(at, name, int(stream) if stream.isdigit() else None)
            out.append((at, name, None if call is None else at - call))
    return sorted(out, key=lambda r: (r[0], r[1]))


def of_database(path):
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    tables = {x[0] for x in db.execute("select name from sqlite_master")}
    text = "(select value from STRING_IDS s where s.id = %s)"
    sql = (
        f"select t.startNs, {text % 'c.name'}, t.startNs - a.endNs from TASK t join COMPUTE_TASK_INFO c on "
        "c.globalTaskId = t.globalTaskId left join CANN_API a on a.connectionId = t.connectionId"
    )
    if "COMMUNICATION_OP" in tables:
        sql += (
            f" union all select o.startNs, {text % 'o.opName'}, o.startNs - a.endNs from COMMUNICATION_OP o "
            "left join CANN_API a on a.connectionId = o.connectionId"
        )
    return list(db.execute(sql + " order by 1, 2"))


class Check:
    def __init__(self):
        self.tried = self.failed = self.delays = 0

    def same(self, what, ours, wanted):
        self.tried += 1
        self.delays += sum(r[2] is not None for r in wanted)
        if ours == wanted:
            return
        self.failed += 1
        print(f"FAIL {what}: {len(ours)} executions, wanted {len(wanted)}")
        for a, b in [(a, b) for a, b in zip(ours, wanted) if a != b][:5]:
            print("  ours  ", a)
            print("  wanted", b)


def copy(source, target):
    """A copy without the samples' read-only bits."""
    shutil.copytree(source, target, copy_function=shutil.copyfile)
    for d, _, _ in os.walk(target):
        os.chmod(d, 0o755)


def lay(expected, root, text):
    """A PROF folder with msprof's results in one form."""
    prof = os.path.join(root, "PROF_000001_20240101000000000_ABC")
    os.makedirs(os.path.join(prof, "mindstudio_profiler_output"))
    for f in os.listdir(expected):
        stem, ext = os.path.splitext(f)
        target = os.path.join(prof, "mindstudio_profiler_output", f"{stem}_{STAMP}{ext}")
        if ext == ".db":
            target = os.path.join(prof, f"msprof_{STAMP}.db")
        if (ext == ".db") != text and f not in ("communication.json", "communication_matrix.json"):
            shutil.copyfile(os.path.join(expected, f), target)


def main():
    npuscope, samples = sys.argv[1:3]
    c = Check()
    with tempfile.TemporaryDirectory(prefix="npuscope-launch-") as work:
        for rank in (0, 1):
            path = os.path.join(work, f"text{rank}_ascend_pt")
            copy(f"{samples}/data/outputs/msinsight-text/level1/rank{rank}_ascend_pt", path)
            out = path + "/ASCEND_PROFILER_OUTPUT/"
            wanted = of_text(
                out + "kernel_details.csv", KERNELS["kernel_details"], Trace(out + "trace_view.json")
            )
            c.same(f"text of rank {rank}", query(npuscope, path, LAUNCHES, path + ".store"), wanted)
            path = os.path.join(work, f"db{rank}_ascend_pt")
            copy(f"{samples}/data/outputs/msinsight-db/level1/rank{rank}_ascend_pt", path)
            wanted = of_database(f"{path}/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db")
            c.same(f"database of rank {rank}", query(npuscope, path, LAUNCHES, path + ".store"), wanted)
        for case in ("train_1dev_graph", "train_910a_hwts", "aicpu_memcpy_nopmu", "killed_midway"):
            expected = f"{samples}/data/msprof/{case}/expected"
            if os.path.exists(expected + "/op_summary.csv"):
                root = os.path.join(work, case + ".text")
                lay(expected, root, True)
                wanted = of_text(
                    expected + "/op_summary.csv", KERNELS["op_summary"], Trace(expected + "/msprof.json")
                )
                c.same(f"text of {case}", query(npuscope, root, LAUNCHES, root + ".store"), wanted)
            root = os.path.join(work, case + ".db")
            lay(expected, root, False)
            wanted = of_database(glob.glob(root + "/PROF_*/msprof_*.db")[0])
            c.same(f"database of {case}", query(npuscope, root, LAUNCHES, root + ".store"), wanted)
            raw = os.path.join(work, case + ".raw")
            copy(glob.glob(f"{samples}/data/msprof/{case}/PROF_*")[0], raw)
            c.same(f"raw data of {case}", query(npuscope, raw, LAUNCHES, raw + ".store"), wanted)
    print(f"launch: {c.tried} profiles, {c.delays} delays compared, {c.failed} failed")
    return 1 if c.failed or not c.delays else 0


sys.exit(main())
