#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`npuscope export` and `analyze` against what CANN's msprof made of the same PROF folders.

  msprof.py NPUSCOPE SAMPLES [CASE] [KIND]   KIND: op_summary, msprof.json ...

Prints for each file whether it is equal, tables to the byte, and at the end cells, events, rows, and
differences: 0.
"""
import csv
import glob
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

# What is equal so far: every file of these kinds in every case.
KINDS = {
    # calls of the host
    "api_statistic",
    "fusion_op",
    # ops
    "op_summary",
    "op_statistic",
    # tasks and steps of devices
    "task_time",
    "step_trace",
    "communication_statistic",
    "communication.json",
    "communication_matrix.json",
    # memory, AI CPU queues, sampled data
    "memory_record",
    "operator_memory",
    "npu_mem",
    "npu_module_mem",
    "aicpu",
    "aicpu_mi",
    "dp",
    "hbm",
    "hccs",
    "llc_read_write",
    "pcie",
    "nic",
    "roce",
    # traces
    "msprof.json",
    "step_trace.json",
    # the database
    "msprof.db",
}
# Further arguments of the comparison: ties and ids that doc/formats/msprof.md#unconfirmed, #checks name.
LOOSE = {
    # calls with equal begin come in any order, and their connection ids follow it (9: 4 and 2 events)
    ("dist_2dev_single", "expected", "msprof.json"): ["--ignore-connection-id"],
    ("dist_2dev_single", "expected_step2", "msprof.json"): ["--ignore-connection-id"],
    ("aicpu_memcpy_nopmu", "expected", "msprof.json"): ["--ignore-connection-id"],
    ("dist_2dev_single", "expected", "msprof.db"): ["--ignore-connection-id"],
    ("aicpu_memcpy_nopmu", "expected", "msprof.db"): ["--ignore-connection-id"],
}
# Rows with equal starts, and devices, come in any order (8); else tables are equal to the byte.
UNORDERED = {
    ("dist_2dev_single", "expected", "step_trace"),
    ("dist_2dev_single", "expected", "task_time"),
    ("dist_2dev_single", "expected_step2", "task_time"),
    ("train_1dev_graph", "expected_iter2_count2", "task_time"),
    ("train_910a_hwts", "expected", "task_time"),
}
# Connection ids of graph exports go on from those of an earlier parse (doc/formats/msprof.md#timeline): what
# lies before the first one here.
ID_BASE = {("train_1dev_graph", "expected_iter2_count2", "msprof.json"): 1140}
CASES = [
    # folder, expected, further arguments of export
    ("train_1dev_graph", "expected", []),
    ("dist_2dev_single", "expected", []),
    ("pmu_memory_static", "expected", []),
    ("aicpu_memcpy_nopmu", "expected", []),
    ("killed_midway", "expected", []),
    ("killed_torn_files", "expected_aligned", []),
    ("pmu_arithmetic", "expected", []),
    ("sampled_system", "expected", []),
    ("train_910a_hwts", "expected", []),
    ("dist_2dev_single", "expected_step2", ["--model-id", "4294967295", "--iteration-id", "2"]),
    (
        "train_1dev_graph",
        "expected_iter2_count2",
        ["--model-id", "1", "--iteration-id", "2", "--iteration-count", "2"],
    ),
]
STAMP = re.compile(r"_\d{14}(?=\.)")


def run(npuscope, case, more, out):
    """All results of a case below out, without their stamps."""
    forms = [["export", "summary"], ["export", "timeline"]]
    forms += [] if more else [["export", "db"], ["analyze", "--rule", "communication,communication_matrix"]]
    for i, form in enumerate(forms):
        folder = os.path.join(out, str(i))  # two forms may write a database in the same second
        os.mkdir(folder)
        cmd = [npuscope, *form, "-dir", case, "--output=" + folder, *more, "--compat"]
        done = subprocess.run(cmd, capture_output=True, text=True)
        if done.returncode:
            sys.exit("%s\n%s\nstatus %d" % (" ".join(cmd), done.stderr[-2000:], done.returncode))
    for path in glob.glob(out + "/**/*", recursive=True):
        name = STAMP.sub("", os.path.basename(path))
        if os.path.isfile(path):
            os.replace(path, os.path.join(out, name))


def compare(tool, want, got, more):
    cmd = [sys.executable, tool, want, got, *more, "--max", "5"]
    done = subprocess.run(cmd, capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr)[-1500:]


def same_bytes(want, got, any_order):
    if not os.path.exists(got):
        return False
    with open(want, "rb") as a, open(got, "rb") as b:
        return sorted(a) == sorted(b) if any_order else a.read() == b.read()


def rebase_ids(path, base, out):
    """A trace whose connection ids begin at 1; flows hold theirs in the upper 32 of 64 bits."""
    with open(path) as f:
        doc = json.load(f)
    for e in doc:
        args, flow = e.get("args", {}), int(e["id"]) if e.get("cat") == "HostToDevice" else 1 << 64
        if args.get("connection_id", 0) > base:
            args["connection_id"] -= base
        if flow < 1 << 64:
            e["id"] = str(flow - (base << 32))
            e["name"] = "HostToDevice" + e["id"]
    path = os.path.join(out, "rebased.json")
    with open(path, "w") as f:
        json.dump(doc, f)
    return path


def count(path):
    """What a file holds: (cells, events, rows)."""
    if path.endswith(".csv"):
        with open(path, newline="") as f:
            return sum(len(r) for r in csv.reader(f)), 0, 0
    if path.endswith(".db"):
        db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        tables = [r[0] for r in db.execute("select name from sqlite_master where type='table'")]
        return 0, 0, sum(db.execute('select count(*) from "%s"' % t).fetchone()[0] for t in tables)
    with open(path) as f:
        doc = json.load(f)
    return 0, len(doc), 0


def kind_of(name):
    return name[:-4] if name.endswith(".csv") else name


def main():
    npuscope, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
    only_case = sys.argv[3] if len(sys.argv) > 3 else ""
    only_kind = sys.argv[4] if len(sys.argv) > 4 else ""
    tools = {".csv": "compare_csv.py", ".db": "compare_db.py", ".json": "compare_trace.py"}
    total, bad, files, exact = [0, 0, 0], 0, 0, 0
    for case, expected, more in CASES:
        if only_case and only_case not in (case, expected):
            continue
        folder = os.path.join(samples, "data", "msprof", case)
        out = tempfile.mkdtemp(prefix="npuscope-msprof")
        run(npuscope, folder, more, out)
        for want in sorted(glob.glob(os.path.join(folder, expected, "*"))):
            name = os.path.basename(want)
            kind = kind_of(name)
            if kind != only_kind if only_kind else kind not in KINDS:
                continue
            got, ext = os.path.join(out, name), os.path.splitext(name)[1]
            if (case, expected, kind) in ID_BASE:
                want = rebase_ids(want, ID_BASE[case, expected, kind], out)
            args = LOOSE.get((case, expected, kind), ["--tol", "0"] if ext == ".csv" else [])
            if name.startswith("communication") and ext == ".json":
                same = os.path.exists(got) and open(want).read() == open(got).read()
                text = "" if same else "the texts differ"
            else:
                same, text = compare(os.path.join(samples, "tools", tools[ext]), want, got, args)
            if same and ext == ".csv":
                same = same_bytes(want, got, (case, expected, kind) in UNORDERED)
                text = "" if same else "equal as numbers, not to the byte"
                exact += same
            n = count(want)
            files += 1
            bad += not same
            total = [a + b for a, b in zip(total, n)]
            print("%-20s %-22s %-28s %s" % (case, expected, name, "equal" if same else "DIFFERS\n" + text))
        # every table that was made is one that msprof makes
        for got in sorted(glob.glob(os.path.join(out, "*.csv"))):
            name = os.path.basename(got)
            if not os.path.exists(os.path.join(folder, expected, name)) and not only_kind:
                bad += 1
                print("%-20s %-22s %-28s NOT WANTED" % (case, expected, name))
        shutil.rmtree(out)
    print(
        "%d files: %d cells, %d events, %d rows compared, %d tables to the byte, differences: %d"
        % (files, *total, exact, bad)
    )
    sys.exit(bad != 0 if files else 77)


main()
