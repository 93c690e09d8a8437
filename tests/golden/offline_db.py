# SPDX-License-Identifier: Apache-2.0
"""Databases of `npuscope analyse --export-type=text,db` beside the text files of the same analysis: the same
rows, table by table, each computed here from the text. The tables have the columns of real databases.

usage: offline_db.py NPUSCOPE WORKDIR SAMPLES
"""
import csv
import glob
import json
import os
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
EXE, WORK, SAMPLES = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
OUT = "ASCEND_PROFILER_OUTPUT"
RUNS = (
    ("torch_npu", "--ranks=2 --steps=3 --seed=7"),
    ("torch_npu", "--ranks=1 --steps=2 --seed=4"),
    ("r27", "--ranks=2 --steps=2 --seed=3"),
)
REAL = "data/outputs/msinsight-db/level1/rank1_ascend_pt/" + OUT
failed = compared = 0


def fail(text):
    global failed
    failed += 1
    print("offline_db: " + text)


def key(row):
    return [(v is not None, isinstance(v, str), v) for v in row]


def same(what, ours, wanted, ordered=True):
    """Rows of a table; numbers that were computed in double may differ in the last digits."""
    global compared
    compared += len(wanted)
    ours, wanted = [tuple(r) for r in ours], [tuple(r) for r in wanted]
    if not ordered:
        ours, wanted = sorted(ours, key=key), sorted(wanted, key=key)
    if len(ours) != len(wanted):
        fail(f"{what}: {len(ours)} rows, not {len(wanted)}")
    for i, (a, b) in enumerate(zip(ours, wanted)):
        if a != b:
            fail(f"{what}: row {i}: {a}, not {b}")
            return


class Database:
    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.name = os.path.basename(path)
        ok = self.rows("pragma integrity_check")
        if ok != [("ok",)]:
            fail(f"{self.name}: {ok}")

    def rows(self, sql):
        return self.db.execute(sql).fetchall()

    def tables(self):
        return {r[0] for r in self.rows("select name from sqlite_master where type = 'table'")}

    def columns(self, table):
        return [r[1:3] for r in self.rows(f"pragma table_info({table})")]


def table(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as f:
        return [{k.strip(): v.strip() for k, v in r.items()} for r in csv.DictReader(f)]


def document(path):
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as f:
        return json.load(f)


# ---- steps and communication ----


def steps(out, db):
    us = ("Computing", "Communication(Not Overlapped)", "Overlapped", "Communication", "Free", "Stage", "Bubble",
          "Communication(Not Overlapped and Exclude Receive)", "Preparing")
    wanted = [[int(r["Device_id"]), r["Step"] or None] + [round(float(r[k]), 3) for k in us]
              for r in table(os.path.join(out, "step_trace_time.csv"))]
    if not wanted:
        fail(f"{out}: no times of steps")
    same("StepTraceTime", db.rows("select * from StepTraceTime"), wanted)


def split(name):
    return name.rsplit("@", 1)


def bands(name, ways, more):
    for way, band in ways.items():
        four = [band[k] for k in ("Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)", "Large Packet Ratio")]
        if sum(four) == 0:
            continue
        for size, (n, ms) in band["Size Distribution"].items() or [("0", (0, 0))]:
            yield split(name) + [way] + four + [float(size), n, ms] + more


def communication(out, db):
    times = ("Start Timestamp(us)", "Elapse Time(ms)", "Transit Time(ms)", "Wait Time(ms)",
             "Synchronization Time(ms)", "Idle Time(ms)")
    torch = "step" in [c[0] for c in db.columns("CommAnalyzerTime")]
    ops, ways, links = [], [], []
    for step, halves in document(os.path.join(out, "communication.json")).items():
        for half, of in halves.items():
            for name, op in of.items():
                if name.startswith("Total"):
                    continue
                more = [step, half] if torch else []
                ops.append(split(name) + [op["Communication Time Info"][k] for k in times] + more)
                ways.extend(bands(name, op["Communication Bandwidth Info"], more))
    if torch:
        for step, halves in document(os.path.join(out, "communication_matrix.json")).items():
            for half, of in halves.items():
                for name, op in of.items():
                    for link, x in op.items():
                        links.append(split(name) + link.split("-") + [x["Transport Type"]] + [
                            x[k] for k in ("Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)")] + [
                            step, half, x.get("Op Name", "")])
        same("CommAnalyzerMatrix", db.rows("select * from CommAnalyzerMatrix"), links)
    same("CommAnalyzerTime", db.rows("select * from CommAnalyzerTime"), ops, torch)
    same("CommAnalyzerBandwidth", db.rows("select * from CommAnalyzerBandwidth"), ways, torch)
    return len(ops)


def matrix(folder, db):
    """MindSpore's database has msprof's matrix, which analyse leaves in the PROF folder when asked to."""
    wanted = []
    for path in glob.glob(os.path.join(folder, "PROF_*", "analyze", "communication_matrix.json")):
        for name, op in document(path).items():
            for link, x in op.items() if "@" in name else ():
                wanted.append(split(name) + link.split("-") + [x["Transport Type"]] + [
                    x[k] for k in ("Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)")])
    if not wanted:
        fail(f"{folder}: no matrix")
    same("CommAnalyzerMatrix", db.rows("select * from CommAnalyzerMatrix"), wanted)


# ---- the runs ----


def analyse(folder, *options):
    done = subprocess.run([EXE, "analyse", "-q", *options, folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode not in (0, 4):  # 4: what rests on damaged input
        fail(f"analyse ended with {done.returncode}: {done.stdout.decode()[-300:]}")


def schema(db, real):
    """Columns and their types of the tables that a real database has, too; it has none for the device."""
    global compared
    if not os.path.exists(real):
        return
    theirs = Database(real)
    for name in sorted(db.tables() & theirs.tables()):
        compared += 1
        ours = db.columns(name)
        if name == "StepTraceTime":
            ours = [c for c in ours if c[0] != "deviceId"]
        if ours != theirs.columns(name):
            fail(f"{db.name}: {name}: {ours}, not {theirs.columns(name)}")
    for name in sorted(theirs.tables() - db.tables()):
        fail(f"{db.name}: no {name}")


def check(folder, era):
    out = os.path.join(folder, OUT)
    ranks = len(glob.glob(os.path.join(os.path.dirname(folder), "*_ascend_*")))
    name = "analysis.db" if era == "torch_npu" else "communication_analyzer.db"
    if era != "torch_npu" and ranks == 1:
        return
    db = Database(os.path.join(out, name))
    if era == "torch_npu":
        steps(out, db)
    if ranks > 1:
        if not communication(out, db):
            fail(f"{folder}: no communication")
        if era == "torch_npu":
            schema(db, os.path.join(SAMPLES, REAL, name))
        else:
            matrix(folder, db)


def run(era, options):
    to = os.path.join(WORK, f"{era}{options}".replace(" ", ""))
    subprocess.run([EXE, "demo", "-q", "--gen=2", "--raw", f"--era={era}", *options.split(), to], check=True)
    for folder in sorted(glob.glob(os.path.join(to, "*_ascend_*"))):
        analyse(folder, "--export-type=text,db", "--data-simplification=no")
        check(folder, era)
    print(f"offline_db: {era} {options}: {compared} rows")


for args in RUNS:
    run(*args)
print(f"offline_db: {compared} rows compared, {failed} differ")
sys.exit(1 if failed or not compared else 0)
