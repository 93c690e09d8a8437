# SPDX-License-Identifier: Apache-2.0
"""Databases of `npuscope analyse --export-type=text,db` beside the text files of the same analysis: the same
rows, table by table, each computed here from the text. The tables have the columns of real databases.

usage: offline_db.py NPUSCOPE WORKDIR SAMPLES
"""
import csv
import glob
import io
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from framework_case import build  # noqa: E402

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
        self.path, self.name = path, os.path.basename(path)
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
    us = ("Computing", "Communication(Not Overlapped)", "Overlapped", "Communication", "Free", "Stage",
          "Bubble", "Communication(Not Overlapped and Exclude Receive)", "Preparing")
    wanted = [[int(r["Device_id"]), r["Step"] or None] + [round(float(r[k]), 3) for k in us]
              for r in table(os.path.join(out, "step_trace_time.csv"))]
    if not wanted:
        fail(f"{out}: no times of steps")
    same("StepTraceTime", db.rows("select * from StepTraceTime"), wanted)


MEASURES = ("Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)")


def split(name):
    return name.rsplit("@", 1)


def bands(name, ways, more):
    for way, band in ways.items():
        four = [band[k] for k in MEASURES + ("Large Packet Ratio",)]
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
                            x[k] for k in MEASURES] + [step, half, x.get("Op Name", "")])
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
                    x[k] for k in MEASURES])
    if not wanted:
        fail(f"{folder}: no matrix")
    same("CommAnalyzerMatrix", db.rows("select * from CommAnalyzerMatrix"), wanted)


# ---- what the framework recorded ----

API = ("select cast(p.startNs as int), cast(p.endNs as int), p.globalTid & 4294967295, n.value, "
       "p.sequenceNumber, p.fwdThreadId, s.value, t.value, p.callchainId, p.type, p.globalTid >> 32 from "
       "PYTORCH_API p "
       "left join STRING_IDS n on n.id = p.name left join STRING_IDS s on s.id = p.inputShapes "
       "left join STRING_IDS t on t.id = p.inputDtypes where p.type in (%s) order by p.rowid")


def ns(us):
    whole, _, part = us.partition(".")
    return int(whole) * 1000 + int(part.ljust(3, "0")) if us else None


def number(cell, unit):
    return round(float(cell) * unit) if cell else None


def calls(doc, db):
    """Ops, and tasks put into the queue and taken out of it."""
    ops, queue, stacks = [], [], {}
    for e in doc:
        cat = e.get("cat")
        if e["ph"] != "X" or cat not in ("cpu_op", "enqueue", "dequeue"):
            continue
        at, args = ns(e["ts"]), e["args"]
        head = (at, at + round(e["dur"] * 1000), e["tid"], e["name"])
        if cat == "cpu_op":
            stacks[len(ops)] = args.get("Call stack")
            ops.append(head + (args["Sequence number"], args["Fwd thread id"], args.get("Input Dims"),
                               args.get("Input type"), None, 50001, e["pid"]))
        else:
            queue.append((cat, args["correlation_id"], head + (None,) * 5 + (50002, e["pid"])))
    order = sorted(range(len(ops)), key=lambda i: ops[i][0])
    have = db.rows(API % "50001, 50004")
    same("ops", [r[:8] + (None,) + r[9:] for r in have], [ops[i] for i in order])
    for row, i in zip(have, order):
        frames = [r[0] for r in db.rows("select s.value from PYTORCH_CALLCHAINS c join STRING_IDS s on "
                                        f"s.id = c.stack where c.id = {row[8]} order by c.stackDepth")
                  ] if row[8] is not None else None
        if frames != (stacks[i].split(";\r\n") if stacks[i] else None):
            fail(f"call stack of {row}: {frames}")
    turn = [x[2] for x in queue if x[0] == "enqueue"] + [x[2] for x in queue if x[0] == "dequeue"]
    same("queue", db.rows(API % "50002"), turn)
    ids = db.rows("select p.startNs, c.connectionId - 1342177280 from PYTORCH_API p join CONNECTION_IDS c on "
                  "c.id = p.connectionId where p.type = 50002 order by p.rowid")
    same("numbers of the queue", [r[1:] for r in ids], [(x[1],) for cat in ("enqueue", "dequeue")
                                                       for x in queue if x[0] == cat])
    return len(ops)


def around(doc):
    """The parent of a call is a call around it; a module's number is in its name."""
    frame = {(e["tid"], e["args"]["Python id"]): e for e in doc if e.get("cat") == "python_function"}
    for (thread, number), e in frame.items():
        above = e["args"]["Python parent id"]
        p = frame[thread, above] if above or number == 0 else e
        end = [ns(x["ts"]) + round(x["dur"] * 1000) for x in (e, p)]
        module = e["args"].get("Python module id")
        if ns(p["ts"]) > ns(e["ts"]) or end[0] > end[1] or (module is not None) != (
                e["name"].startswith("nn.Module: ") and e["name"].endswith(f"_{module}")):
            fail(f"call of Python: {e}, above {p}")


def python(doc, db):
    """Calls of Python in the order in which they return, and garbage collections."""
    frames, collections = [], []
    for e in doc:
        cat = e.get("cat")
        if cat in ("python_function", "GC"):
            at = (ns(e["ts"]), ns(e["ts"]) + round(e["dur"] * 1000), e["tid"])
            frames.extend([at + (e["name"],) + (None,) * 5 + (50003, e["pid"])] if cat != "GC" else [])
            collections.extend([at] if cat == "GC" else [])
    around(doc)
    same("calls of Python", db.rows(API % "50003"), frames)
    same("collections", db.rows("select startNs, endNs, globalTid & 4294967295 from GC_RECORD"), collections)
    return min(len(frames), len(collections))


def arrows(doc, db):
    """From ops to kernels, and from forward to backward."""
    flows = {"async_npu": [], "fwdbwd": []}
    last = {}
    for e in doc:
        if e.get("cat") in flows and e["ph"] == "s":
            last[e["cat"], e["id"]] = ns(e["ts"])
        elif e.get("cat") in flows:
            flows[e["cat"]].append((last[e["cat"], e["id"]], ns(e["ts"])))
    has_comm = "COMMUNICATION_OP" in db.tables()
    comm = "union select connectionId, startNs from COMMUNICATION_OP" if has_comm else ""
    links = ("from PYTORCH_API p join CONNECTION_IDS c on c.id = p.connectionId where p.type = 50001 and "
             "c.connectionId < 1342177280")
    ends = set(db.rows(f"with k as (select connectionId, startNs from TASK {comm}) select "
                       "cast(p.startNs as int), k.startNs from PYTORCH_API p join CONNECTION_IDS c on "
                       "c.id = p.connectionId join k on k.connectionId = c.connectionId "
                       "where p.type = 50001"))
    for arrow in flows["async_npu"]:
        if arrow not in ends:
            fail(f"{arrow} is no arrow of the database")
    same("ops that launched", db.rows(f"select cast(p.startNs as int) {links}"),
         [x[:1] for x in flows["async_npu"]], False)
    same("forward and backward", db.rows(
        "select min(cast(p.startNs as int)), max(cast(p.startNs as int)) from PYTORCH_API p join "
        "CONNECTION_IDS c on c.id = p.connectionId where p.type = 50001 and c.connectionId >= 1342177280 "
        "group by c.connectionId"),
        flows["fwdbwd"], False)
    return len(flows["async_npu"])


def memory(out, db):
    device = {"": None}
    device.update({f"NPU:{i}": i for i in range(64)})
    word = "(select value from STRING_IDS s where s.id = %s)"
    kinds = ("Allocated", "Reserved", "Active")
    pools = [[r["Component"], ns(r["Timestamp(us)"])]
             + [number(r[f"Total {k}(MB)"] or "0", 1 << 20) for k in kinds]
             + [number(r["Stream Ptr"], 1), device[r["Device Type"]]]
             for r in table(os.path.join(out, "memory_record.csv")) if r["Component"] != "APP"]
    same("MEMORY_RECORD", db.rows(f"select {word % 'component'}, timestamp, totalAllocated, totalReserved, "
                                  "totalActive, streamPtr, deviceId from MEMORY_RECORD"), pools)
    ops = [[r["Name"].removeprefix("cann::") or None, number(r["Size(KB)"], 1024)]
           + [ns(r[k]) for k in ("Allocation Time(us)", "Release Time(us)", "Active Release Time(us)",
                                 "Duration(us)", "Active Duration(us)")]
           + [number(r[f"{when} Total {k}(MB)"], 1 << 20) for when in ("Allocation", "Release")
              for k in kinds]
           + [number(r["Stream Ptr"], 1), device[r["Device Type"]]]
           for r in table(os.path.join(out, "operator_memory.csv"))]
    columns = ", ".join(c[0] for c in db.columns("OP_MEMORY")[1:])
    same("OP_MEMORY", db.rows(f"select {word % 'name'}, {columns} from OP_MEMORY"), ops)
    return min(len(pools), len(ops))


def framework(folder, out, db):
    doc = document(os.path.join(out, "trace_view.json"))
    if not calls(doc, db) or not python(doc, db) or not arrows(doc, db) or not memory(out, db):
        fail(f"{folder}: no ops, calls of Python, arrows or memory")
    marks = [(int(e["name"].split("#")[1]), ns(e["ts"]), ns(e["ts"]) + round(e["dur"] * 1000))
             for e in doc if e.get("cat") == "cpu_op" and e["name"].startswith("ProfilerStep#")]
    same("STEP_TIME", db.rows("select * from STEP_TIME"), marks)
    kernels = [(r["Name"], ns(r["Start Time(us)"])) for r in table(os.path.join(out, "kernel_details.csv"))
               if r["Accelerator Core"] != "COMMUNICATION"]
    same("kernels", db.rows("select s.value, t.startNs from TASK t join COMPUTE_TASK_INFO c on "
                            "c.globalTaskId = t.globalTaskId join STRING_IDS s on s.id = c.name"),
         kernels, False)
    rank = document(glob.glob(os.path.join(folder, "profiler_info*"))[0])["rank_id"]
    number_of = "" if rank < 0 else f"_{rank}"
    if db.name != f"ascend_pytorch_profiler{number_of}.db":
        fail(f"{db.path} of rank {rank}")
    same("RANK_DEVICE_MAP", db.rows("select * from RANK_DEVICE_MAP"),
         db.rows(f"select {rank}, id from NPU_INFO"))
    told = document(os.path.join(folder, "profiler_metadata.json"))
    same("META_DATA", [(n, json.loads(v)) for n, v in db.rows(
        "select * from META_DATA where name not like 'SCHEMA%'")], list(told.items()))
    same("ENUM_API_TYPE", db.rows("select * from ENUM_API_TYPE where id > 50000"),
         [(50001, "op"), (50002, "queue"), (50003, "trace"), (50004, "mstx")])


# ---- as npuscope reads them ----

NAME = "(select text from string s where s.id = %s)"
AT = "+ (select origin_ns from rank)"
# Statements with equal results for the text files and the databases alone.
PANES = {
    # of communication a text file has the first task of the op, a database the op
    "host ops": f"select {NAME % 'name_id'} as n, count(*), sum(dur_ns), sum(self_ns), case when "
    f"{NAME % 'name_id'} not like 'c10d::%' then sum(device_ns) || ' ' || sum(device_self_ns) end from "
    f"host_op where {NAME % 'name_id'} not like 'ProfilerStep#%' and {NAME % 'name_id'} <> 'GC' group by 1 "
    "order by 1",
    "steps": "select step, computing_ns, communication_ns, comm_not_overlapped_ns, free_ns, stage_ns, "
    "bubble_ns, preparing_ns from step order by 1",
    "pool": f"select {NAME % 'component_id'}, ts_ns {AT}, allocated_b, reserved_b, stream from mem_sample "
    f"where {NAME % 'component_id'} <> 'APP' order by 2, 1, 3",
    "allocations": f"select replace({NAME % 'name_id'}, 'cann::', ''), size_b, alloc_ns {AT}, "
    f"release_ns {AT}, dur_ns, active_release_ns, alloc_total_allocated_b, release_total_active_b, "
    "stream from mem_alloc order by 3, 2, 1",
    "communication": f"select {NAME % 'name_id'}, {NAME % 'group_id'}, step, kind, dur_ns, transit_ns, "
    "wait_ns, sync_ns, idle_ns from comm_exec order by 1, 2",
    "links": f"select {NAME % 'name_id'}, src_rank, dst_rank, transport, stat, size_b, time_ns, step from "
    f"comm_link where name_id is null or {NAME % 'name_id'} not like 'Total%' order by 1, 2, 3, 4, 5, 6, 8",
    "executions": f"select {NAME % 'o.name_id'}, e.ts_ns {AT}, e.dur_ns from op_exec e join op o on "
    "o.id = e.op_id where o.core <> 'HCCL' and o.core <> 'COMMUNICATION' order by 2, 1",
    "arrows": f"select {NAME % 'kind_id'}, count(*) from flow where {NAME % 'kind_id'} in ('async_npu', "
    "'fwdbwd', 'async_task_queue') group by 1 order by 1",
}


def query(path, sql):
    p = subprocess.run([EXE, "query", "-q", "-F", "csv", "--no-header", f"--db={path}.store", sql, path],
                       capture_output=True, text=True, check=False)
    if p.returncode not in (0, 4):
        fail(f"query of {path} ended with {p.returncode}: {p.stderr[-300:]}")
    return list(csv.reader(io.StringIO(p.stdout)))


# Of raw data and of the database that is made of it.
COLLECTIONS = (f"select ts_ns {AT}, ts_ns {AT} + dur_ns from host_op where {NAME % 'name_id'} = 'GC' "
               "order by 1")
RAW = {
    "threads of Python": f"select {NAME % 'name_id'}, n, dur_sum_ns from track where kind = 'host_thread' "
    f"and {NAME % 'process_id'} = 'Python' order by 1",
    "collections": COLLECTIONS,
}


def raw(folder, name, db):
    """Calls of Python and garbage collections: as the import reads them."""
    to = os.path.join(folder + ".raw", os.path.basename(folder))
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns(OUT, "mindstudio_*", "analyze"))
    of_db = os.path.join(folder + ".db", os.path.basename(folder))
    if not db.rows("select 1 from PYTORCH_API where type = 50003") or not db.rows("select 1 from GC_RECORD"):
        fail(f"{name}: no calls of Python or no collections")
    for what, sql in RAW.items():
        same(f"raw: {what}", query(of_db, sql), query(to, sql))
    collections = db.rows("select startNs, endNs from GC_RECORD order by 1")
    same("GC_RECORD", [tuple(map(str, r)) for r in collections], query(to, COLLECTIONS))


def panes(folder):
    """The text files alone, and the databases alone."""
    two = []
    for form in ("text", "db"):
        to = os.path.join(folder + "." + form, os.path.basename(folder))
        os.makedirs(os.path.join(to, OUT))
        for path in glob.glob(os.path.join(folder, "profiler_*.json")):
            shutil.copy(path, to)
        for path in glob.glob(os.path.join(folder, OUT, "*")):
            if path.endswith(".db") == (form == "db"):
                shutil.copy(path, os.path.join(to, OUT))
        two.append(to)
    for what, sql in PANES.items():
        text, db = (query(path, sql) for path in two)
        if not text and "communication" not in what and "links" not in what:
            fail(f"{folder}: {what}: none")
        same(f"pane: {what}", db, text)


# ---- the runs ----


def analyse(folder, *options):
    done = subprocess.run([EXE, "analyse", "-q", *options, folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode not in (0, 4):  # 4: what rests on damaged input
        fail(f"analyse ended with {done.returncode}: {done.stdout.decode()[-300:]}")


# Tables of msprof with other columns in the release of the real database, those of data that the demo lacks.
OTHER = {"COMPUTE_TASK_INFO", "COMMUNICATION_OP", "COMMUNICATION_TASK_INFO", "AICORE_FREQ"}
LACKS = {"PYTORCH_CALLCHAINS", "LLC", "HBM", "ACC_PMU", "SOC_BANDWIDTH_LEVEL"}


def schema(db, real, lacks=frozenset()):
    """Columns and their types of the tables that a real database has, too; it has none for the device."""
    global compared
    if not real:
        return
    theirs = Database(real[0])
    for name in sorted((db.tables() & theirs.tables()) - OTHER):
        compared += 1
        ours = db.columns(name)
        if name == "StepTraceTime":
            ours = [c for c in ours if c[0] != "deviceId"]
        if ours != theirs.columns(name):
            fail(f"{db.name}: {name}: {ours}, not {theirs.columns(name)}")
    for name in sorted(theirs.tables() - db.tables() - LACKS - lacks):
        fail(f"{db.name}: no {name}")


def check(folder, era):
    out = os.path.join(folder, OUT)
    ranks = len(glob.glob(os.path.join(os.path.dirname(folder), "*_ascend_*")))
    if era == "torch_npu":
        main = glob.glob(os.path.join(out, "ascend_pytorch_profiler*.db"))
        db = Database(main[0])
        framework(folder, out, db)
        schema(db, glob.glob(os.path.join(SAMPLES, REAL, "ascend_pytorch_profiler_*.db"))[:1],
               {"COMMUNICATION_OP", "COMMUNICATION_TASK_INFO"} if ranks == 1 else frozenset())
        panes(folder)
        raw(folder, db.name, db)
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
            schema(db, glob.glob(os.path.join(SAMPLES, REAL, name)))
        else:
            matrix(folder, db)


def forget_rank(folder):
    """As of a program that is not distributed."""
    path = os.path.join(folder, "profiler_info.json")
    doc = dict(document(path), rank_id=-1)
    with open(path, "w", encoding="utf-8") as f:
        json.dump(doc, f)


def run(era, options):
    to = os.path.join(WORK, f"{era}{options}".replace(" ", ""))
    subprocess.run([EXE, "demo", "-q", "--gen=2", "--raw", f"--era={era}", *options.split(), to], check=True)
    for folder in sorted(glob.glob(os.path.join(to, "*_ascend_*"))):
        if "--ranks=1" in options:
            forget_rank(folder)
        analyse(folder, "--export-type=text,db", "--data-simplification=no")
        check(folder, era)
    print(f"offline_db: {era} {options}: {compared} rows")


def sampled(case):
    """A case of the samples: the framework's data is of another run than the PROF folder."""
    to = os.path.join(WORK, case)
    os.makedirs(to)
    folder, _ = build(SAMPLES, case, to)
    analyse(folder, "--export-type=text,db")
    out = os.path.join(folder, OUT)
    db = Database(glob.glob(os.path.join(out, "ascend_pytorch_profiler*.db"))[0])
    doc = document(os.path.join(out, "trace_view.json"))
    if case != "pt_level0":
        memory(out, db)
    calls(doc, db)
    arrows(doc, db)
    steps(out, Database(os.path.join(out, "analysis.db")))
    print(f"offline_db: {case}: {compared} rows")


def variant(name, change, check_it):
    """A run of one rank with something changed in what it left."""
    to = os.path.join(WORK, name)
    subprocess.run([EXE, "demo", "-q", "--gen=2", "--raw", "--era=torch_npu", "--ranks=1", "--steps=1", to],
                   check=True)
    folder = glob.glob(os.path.join(to, "*_ascend_pt"))[0]
    change(folder)
    analyse(folder, "--export-type=text,db")
    out = os.path.join(folder, OUT)
    check_it(folder, out, Database(glob.glob(os.path.join(out, "ascend_pytorch_profiler*.db"))[0]))
    print(f"offline_db: {name}: {compared} rows")


def without_prof(folder):
    for path in glob.glob(os.path.join(folder, "PROF_*")):
        shutil.rmtree(path)


def alone(folder, out, db):
    """The framework's tables are a database of their own; nothing is launched."""
    calls(document(os.path.join(out, "trace_view.json")), db)
    same("devices", db.rows("select * from RANK_DEVICE_MAP"), [(0, -1)])
    kinds = {(50001, "op"), (50002, "queue"), (50003, "trace"), (50004, "mstx")}
    same("kinds of calls", db.rows("select * from ENUM_API_TYPE"), sorted(kinds))
    if db.tables() & {"TASK", "CANN_API"} or not db.rows("select 1 from OP_MEMORY"):
        fail(f"{folder}: {db.tables()}")
    same("connections of ops", db.rows(
        "select count(*) from PYTORCH_API p join CONNECTION_IDS c on c.id = p.connectionId where "
        "p.type = 50001 and c.connectionId < 1342177280"), [(0,)])


def with_marks(folder):
    """Some ops become marks of the program, by their names."""
    path = os.path.join(folder, "FRAMEWORK", "torch.op_range")
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data.replace(b"aten::_foreach_add_", b"mstx_foreach_adding"))


def marked(folder, out, db):
    rows = db.rows("select s.value, p.type, p.rowid from PYTORCH_API p join STRING_IDS s on s.id = p.name "
                   "where p.type in (50001, 50004) order by p.rowid")
    marks = [r for r in rows if r[0] == "mstx_foreach_adding"]
    if not marks or rows[-len(marks):] != marks:
        fail(f"{folder}: {len(marks)} marks are not the last ones")
    same("marks", sorted({r[:2] for r in rows if (r[1] == 50004) == (r[0] == "mstx_foreach_adding")}),
         sorted({r[:2] for r in rows}))


# ---- marks of the program ----

MARK = 17  # number of the one that a device meets
TX = "<HHIIIQHH8xIIIIiQQQQQI156s"  # doc/formats/prof.md, msproftx
MARKS = ("select p.startNs, p.endNs, p.globalTid, c.connectionId from PYTORCH_API p join STRING_IDS s on s.id = "
         "p.name left join CONNECTION_IDS c on c.id = p.connectionId where p.type = 50004 order by p.startNs")


def host_count(folder, ns):
    """The host's counter at an instant (doc/formats/framework.md#ticks)."""
    host = glob.glob(os.path.join(folder, "PROF_*", "host"))[0]
    with open(os.path.join(host, "host_start.log"), encoding="utf-8") as f:
        log = dict(line.strip().split(":") for line in f if ":" in line)
    info = document(os.path.join(host, "start_info"))
    wall = int(info["collectionTimeBegin"]) * 1000 - int(info["clockMonotonicRaw"])
    mhz = float(document(os.path.join(host, "info.json"))["CPU"][0]["Frequency"])
    return int(log["cntvct"]) + round((ns - wall - int(log["clock_monotonic_raw"])) * mhz / 1000)


def with_tx(folder):
    """The program marks in the task of an op that was called as a mark: msprof has the mark, too."""
    with_marks(folder)
    analyse(folder, "--export-type=db", "--output=" + folder + ".before")
    db = Database(glob.glob(os.path.join(folder + ".before", "ascend_pytorch_profiler*.db"))[0])
    at, thread = db.rows(
        "select cast(d.startNs as int) + 20, d.globalTid & 4294967295 from PYTORCH_API d join CONNECTION_IDS x on "
        "x.id = d.connectionId join CONNECTION_IDS y on y.connectionId = x.connectionId and y.id <> x.id join "
        "PYTORCH_API e on e.connectionId = y.id and e.type = 50002 join PYTORCH_API m on m.type = 50004 and "
        "m.globalTid = e.globalTid and cast(m.startNs as int) < cast(e.startNs as int) and "
        "cast(m.endNs as int) > cast(e.endNs as int) where d.type = 50002 and d.startNs > m.startNs limit 1")[0]
    count = host_count(folder, at)
    mark = struct.pack(TX, 0x5A5A, 20500, 0, thread, 232, count, 1, 0, 77, thread, 0, 0, -1, 0, count, count,
                       MARK, 5, 2, b"mark of the program")
    host = glob.glob(os.path.join(folder, "PROF_*", "host", "data"))[0]
    with open(os.path.join(host, "unaging.additional.msproftx.slice_0"), "wb") as f:
        f.write(mark)
    global marked_at
    marked_at = at


def connected(folder, out, db):
    """One op has the connection that the mark has in MSTX_EVENTS; the others have none."""
    marked(folder, out, db)
    events = db.rows("select startNs, connectionId from MSTX_EVENTS")
    same("marks of msprof", [(abs(int(n) - marked_at) < 20, c) for n, c in events], [(True, 4000000001 + MARK)])
    have = [r for r in db.rows(MARKS) if r[3] is not None and r[3] > 4000000000]
    same("connections of marks", [r[3:] for r in have], [(4000000001 + MARK,)])


for args in RUNS:
    run(*args)
variant("without_prof", without_prof, alone)
variant("with_marks", with_marks, marked)
variant("with_tx", with_tx, connected)
if os.path.isdir(os.path.join(SAMPLES, "data", "gen2")):
    for one in ("pt_queue", "pt_noqueue", "pt_level0"):
        sampled(one)
print(f"offline_db: {compared} rows compared, {failed} differ")
sys.exit(1 if failed or not compared else 0)
