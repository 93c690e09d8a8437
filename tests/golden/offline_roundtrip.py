# SPDX-License-Identifier: Apache-2.0
"""What `npuscope analyse --compat` makes of demo --raw --gen=2 beside what demo --gen=2 of the same options
writes as ASCEND_PROFILER_OUTPUT: the same files, of MindSpore and of torch_npu. And analyses of runs that
were killed at every tenth.

usage: offline_roundtrip.py NPUSCOPE DEMO_MAKE WORKDIR

Tables and documents are compared byte by byte, timelines as multisets of events. Of a killed run each whole
record of the framework is in the timeline and in the table of allocations; its kernels, its events, and its
rows of tables that only grow are those of the analysed whole run, but for what was under way; there are more
kernels with each tenth.
"""
import collections
import csv
import glob
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
EXE, MAKE, WORK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
OUT = "ASCEND_PROFILER_OUTPUT"
# What the analysis has to write.
FILES = {
    "api_statistic.csv",
    "data_preprocess.csv",
    "dataset.csv",
    "kernel_details.csv",
    "l2_cache.csv",  # of the records of raw_task_cache
    "memory_record.csv",
    "npu_module_mem.csv",
    "op_statistic.csv",
    "operator_memory.csv",
    "step_trace_time.csv",
    "trace_view.json",
}
TORCH_FILES = (FILES - {"dataset.csv", "l2_cache.csv"}) | {"operator_details.csv", "task_time.csv"}
RANKED = ("minddata_pipeline_raw_%d.csv", "minddata_pipeline_summary_%d.csv",
          "minddata_pipeline_summary_%d.json")
SINCE_27 = {"operator_details.csv"}
COMMUNICATION = {"communication.json", "communication_matrix.json"}
RUNS = (
    "--ranks=1 --steps=3 --seed=4",
    "--ranks=2 --steps=3 --seed=7",
    "--ranks=3 --steps=1 --model=transformer --seed=2",
    "--ranks=4 --steps=2 --model=transformer",
    "--ranks=8 --steps=1 --seed=3",
    "--ranks=9 --steps=1 --seed=2",  # two servers
    "--ranks=16 --steps=1 --model=transformer --seed=9",
)
COMM_ROWS = """select c.rank, s.text, c.dur_ns, c.transit_ns, c.wait_ns, c.sync_ns, c.idle_ns, c.size_b
    from comm_exec c join string s on s.id = c.name_id order by 1, 2"""
ERAS = {"r27": 5, "torch_npu": 8}  # numbers of demo_make
# Tables to which a run only adds; those that need records of the framework, which may not be written yet.
GROWING = {"memory_record.csv", "task_time.csv", "data_preprocess.csv", "l2_cache.csv", "npu_module_mem.csv",
           "step_trace_time.csv"}
OF_FRAMEWORK = {"memory_record.csv", "step_trace_time.csv"}
CUT_MAX = 8  # events of a rank that are under way when it is killed
FLOW = "6"  # kind of a record that is no range
ENCODE = json.JSONEncoder(sort_keys=True).encode
failed = compared = 0


def fail(text):
    global failed
    failed += 1
    print("offline_roundtrip: " + text)


def demo(name, *options):
    to = os.path.join(WORK, name)
    shutil.rmtree(to, ignore_errors=True)
    subprocess.run([EXE, "demo", "-q", "--gen=2", *options, to], check=True)
    return to, sorted(glob.glob(os.path.join(to, "*_ascend_*")))


def analyse(folder, *options):
    done = subprocess.run([EXE, "analyse", "-q", *options, folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode not in (0, 4):  # 4: what rests on damaged input
        fail(f"analyse ended with {done.returncode}: {done.stdout.decode()[-300:]}")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def texts(data):
    """The events as they are written, in no order: equal in most runs, and quickly so."""
    return collections.Counter(data.strip(b"[]\n").split(b"}, {"))


def events(data):
    """Threads of communication are numbered freely; so are the reduce ranges."""
    doc = json.loads(data)
    layer = {e["pid"]: e["args"]["name"] for e in doc if e["name"] == "process_name"}
    thread, group = {}, None
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in doc if e["name"] == "thread_name"}
    for key in sorted(k for k in names if layer.get(k[0]) == "Communication"):
        group = group if names[key].startswith("Plane") else names[key]
        thread[key] = (group, names[key])
    out = collections.Counter()
    for e in doc:
        key = (e["pid"], e.get("tid"))
        if key in thread and not e["name"].startswith("process_"):
            e = dict(e, tid=thread[key])
            if e["name"] == "thread_sort_index":
                e["args"] = {}
        out[ENCODE(e)] += 1
    return out


def compare(name, ours, theirs):
    global compared
    if name == "trace_view.json":
        a, b = texts(ours), texts(theirs)
        if a != b:
            a, b = events(ours), events(theirs)
        compared += sum(b.values())
        for side, rows in (("only analysed", a - b), ("only in the demo", b - a)):
            for row in list(rows)[:2]:
                fail(f"{name}: {side}: {row[:300]}")
        return
    x, y = ours.split(b"\n"), theirs.split(b"\n")
    compared += len(y)
    for i, (a, b) in enumerate(zip(x, y)):
        if a != b:
            at = next((k for k, (p, q) in enumerate(zip(a, b)) if p != q), min(len(a), len(b)))
            piece = slice(max(0, at - 60), at + 60)
            fail(f"{name}: line {i + 1}: {a[piece]!r}, not {b[piece]!r}")
            return
    if len(x) != len(y):
        fail(f"{name}: {len(x)} lines, not {len(y)}")


def imported(raw, analysed):
    """Communication ops of the raw data are those of the analysed, also without the analysis."""
    global compared
    ask = [EXE, "query", "-q", "--rank=all", "-F", "csv", "--no-header"]
    ours, theirs = (subprocess.run([*ask, run, COMM_ROWS], stdout=subprocess.PIPE, check=True).stdout
                    for run in (raw, analysed))
    compared += ours.count(b"\n")
    if ours != theirs or not ours:
        fail(f"communication ops of the raw data: {ours[:300]!r}, not {theirs[:300]!r}")


def whole(options):
    is_torch = "--era=torch_npu" in options
    analysed, _ = demo("analysed", *options.split())
    raw, folders = demo("raw", "--raw", *options.split())
    if len(folders) > 8:
        imported(raw, analysed)
    analyse(raw, "--compat")
    records = glob.glob(os.path.join(folders[0], "PROF_*/device_0/data/l2_cache.data.0.slice_0"))
    if not is_torch and not any(os.path.getsize(name) for name in records):
        fail(f"{options}: l2_cache.csv is compared without records that it is made of")
    for folder in folders:
        ours = os.path.join(folder, OUT)
        theirs = os.path.join(analysed, os.path.basename(folder), OUT)
        made = set(os.listdir(ours)) if os.path.isdir(ours) else set()
        rank = json.loads(read(glob.glob(os.path.join(folder, "profiler_info*"))[0]))
        rank = int(rank["rank_id"] if is_torch else rank["ms_profiler_info"]["rank_id"])
        wanted = set(TORCH_FILES) if is_torch else FILES | SINCE_27 | {name % rank for name in RANKED}
        wanted |= COMMUNICATION if len(folders) > 1 else set()
        for name in sorted(wanted - made):
            fail(f"{options}: {name} was not made")
        for name in sorted(set(os.listdir(theirs)) - made):
            fail(f"{options}: {name} is only of the analysed run")
        for name in sorted(made):
            if not os.path.exists(os.path.join(theirs, name)):
                fail(f"{options}: {name} is not of the analysed run")
            else:
                compare(name, read(os.path.join(ours, name)), read(os.path.join(theirs, name)))
    print(f"offline_roundtrip: {options}: {len(folders)} ranks, {len(made)} files each")


def versions():
    """The same run in the layouts of 2.6 and 2.5: the same files, but for what these versions compute.

    Stage lacks the last event's time in both, 2.5 has one row and args of its own
    (doc/formats/framework.md#version-differences).
    """
    options = ("--raw", "--ranks=2", "--steps=2", "--seed=7")
    out = {}
    for era in ("r27", "r26", "r25"):
        raw, folders = demo("raw", f"--era={era}", *options)
        analyse(raw)
        for folder in folders:
            for name in FILES | COMMUNICATION:
                out[era, os.path.basename(folder), name] = read(os.path.join(folder, OUT, name))
    other = {("r26", "step_trace_time.csv"), ("r25", "step_trace_time.csv"), ("r25", "trace_view.json")}
    for (era, folder, name), data in out.items():
        if era != "r27" and (era, name) not in other:
            compare(name, data, out["r27", folder, name])
    print("offline_roundtrip: layouts of 2.6 and 2.5 give the files of 2.7")


# ---- killed runs ----


def listed(era, options, rank):
    keys = {"--model=transformer": "model=1"}
    args = [keys.get(o, o[2:]) for o in options.split()]
    out = subprocess.run([MAKE, f"records={rank}", "gen=2", "raw=1", f"era={ERAS[era]}", *args],
                         stdout=subprocess.PIPE, check=True, text=True)
    files = collections.defaultdict(list)
    for line in out.stdout.splitlines():
        name, end, at, *fields = line.split("\t")
        files[name].append((int(end), int(at), *fields))
    return files


def rows(path):
    if not os.path.exists(path):
        return None
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.reader(f))


def us(ns):
    return "%d.%03d" % (ns // 1000, ns % 1000)


def check_records(out, where, files, framework):
    """Whole records in the files: ranges as events, allocations as rows."""
    global compared
    size = {n: os.path.getsize(os.path.join(framework, n)) for n in files
            if os.path.exists(os.path.join(framework, n))}
    ranges = [r for n in files if n.endswith("op_range") for r in files[n] if r[0] <= size.get(n, 0)]
    wanted = collections.Counter((int(r[3]), us(int(r[4])), r[5]) for r in ranges if r[2] != FLOW)
    if wanted:
        doc = json.loads(read(os.path.join(out, "trace_view.json")))
        layer = {e["pid"]: e["args"]["name"] for e in doc if e["name"] == "process_name"}
        have = collections.Counter((e["tid"], str(e["ts"]), e["name"]) for e in doc
                                   if e["ph"] == "X" and layer.get(e["pid"]) in ("MindSpore", "Python"))
        compared += sum(wanted.values())
        for row in list(wanted - have)[:2]:
            fail(f"{where}: not in the timeline: {row}")
    memory = [r for n in files if n.endswith("memory_usage") for r in files[n] if r[0] <= size.get(n, 0)]
    allocated = sum(r[2] == "0" for r in memory)
    table = rows(os.path.join(out, "operator_memory.csv")) or [[]]
    of_framework = [r for r in table[1:] if not r[0].startswith("cann::")]
    compared += allocated
    if len(of_framework) != allocated:
        fail(f"{where}: {len(of_framework)} allocations, not {allocated}")


def rows_of_kernels(out):
    """Rows without the step and the wait, of names those of the device: by start and time."""
    table = rows(os.path.join(out, "kernel_details.csv")) or [[]]
    head = [c.strip() for c in table[0]]
    at = {k: i for i, k in enumerate(head)}
    if not table[0]:
        return {}
    left = {at.get("Step ID"), at.get("Step Id"), at.get("Device_id"), at["Wait Time(us)"], at["Name"]}
    return {(r[at["Start Time(us)"]].strip(), r[at["Duration(us)"]]):
            [r[at["Name"]].rsplit("/", 1)[-1], *(c for i, c in enumerate(r) if i not in left)]
            for r in table[1:]}


def events_without_names(path):
    """Of a timeline whose framework may be missing: without the names that it gives, and without scopes."""
    doc = json.loads(read(path))
    scopes = {e["pid"] for e in doc if e["name"] == "process_name" and e["args"]["name"] == "Scope Layer"}
    doc = [e for e in doc if e["pid"] not in scopes]
    for e in doc:
        if isinstance(e.get("args"), dict):
            e["args"].pop("mindspore_op", None)
    return events(json.dumps(doc))


class Whole:
    """What a rank's whole run has."""

    def __init__(self, out):
        self.events = events_without_names(os.path.join(out, "trace_view.json"))
        self.kernels = rows_of_kernels(out)
        self.lines = {name: set(read(os.path.join(out, name)).split(b"\n")) for name in GROWING
                      if os.path.exists(os.path.join(out, name))}


def check_kernels(out, where, known):
    """Kernels are those of the whole run; what was under way when it was killed may be shorter."""
    global compared
    have = rows_of_kernels(out)
    compared += len(have)
    other = [row for key, row in have.items() if known.get(key) != row and "COMMUNICATION" not in row]
    if other:
        fail(f"{where}: kernels that are not of the whole run: {other[:2]}")
    cut = sum(known.get(key) != row for key, row in have.items())
    if cut > 1:
        fail(f"{where}: {cut} communication ops that are not of the whole run")
    if not have:
        fail(f"{where}: no kernels")
    return len(have)


def is_cut(event):
    """What can be shorter, or lack its other end, where the run ends: of the queue, of communication."""
    e = json.loads(event)
    return (e["name"] in ("Enqueue", "Communication", "Communication(Not Overlapped)", "Free", "torch_to_npu",
                          "mindspore_to_npu") or e["name"].startswith("hcom_"))


def check_cut(out, where, whole, torch):
    """All events, and all rows of the tables that only grow, are those of the whole run."""
    global compared
    have = events_without_names(os.path.join(out, "trace_view.json"))
    compared += sum(have.values())
    more = list((have - whole.events).elements())
    for event in [e for e in more if not is_cut(e)][:2] or more[CUT_MAX:]:
        fail(f"{where}: not in the timeline of the whole run: {event[:300]}")
    for name in sorted(GROWING if torch else GROWING - OF_FRAMEWORK):
        if name in whole.lines and os.path.exists(os.path.join(out, name)):
            lines = read(os.path.join(out, name)).split(b"\n")
            compared += len(lines)
            for line in [x for x in lines if x not in whole.lines[name]][:2]:
                fail(f"{where}: {name}: {line[:300]!r} is not of the whole run")


def killed(era, options, tenths):
    torch = era == "torch_npu"
    analysed, folders = demo("analysed", *(["--era=torch_npu"] if torch else []), *options.split())
    names = [os.path.basename(f) for f in folders]
    whole = [Whole(os.path.join(f, OUT)) for f in folders]
    files = [listed(era, options, rank) for rank in range(len(folders))]
    before = 0
    for tenth in tenths:
        where = f"{era} killed at {tenth}0%"
        raw, _ = demo("raw", "--raw", f"--era={era}", f"--crashed={tenth}0%", *options.split())
        analyse(raw)
        n = 0
        for rank, name in enumerate(names):
            folder = os.path.join(raw, name)
            out = os.path.join(folder, OUT)
            at = f"{where}: rank {rank}"
            n += check_kernels(out, at, whole[rank].kernels)
            check_cut(out, at, whole[rank], torch)
            check_records(out, at, files[rank], os.path.join(folder, "FRAMEWORK"))
        if n <= before and tenth > 1:
            fail(f"{where}: {n} kernels, no more than a tenth before")
        before = n
        print(f"offline_roundtrip: {where}: {len(names)} ranks, {n} kernels, {len(os.listdir(out))} files")


SLOW = os.environ.get("NPUSCOPE_TEST_SLOW")  # slow programs have a sample of the runs
SHORT = os.environ.get("NPUSCOPE_TEST_SHORT")  # so has CI, a larger one
for options in RUNS[1:2] if SLOW else RUNS[::2] if SHORT else RUNS:
    whole(options)
    if not {"--ranks=3", "--ranks=9"} & set(options.split()):
        whole(options + " --era=torch_npu")
versions()
# CI's slow builds take a few tenths
TENTHS = (5,) if SLOW else (1, 5, 9) if SHORT else tuple(range(1, 10))
killed("torch_npu", "--ranks=1 --steps=10 --seed=5", TENTHS)
for era in ("r27",) if SLOW else ERAS:
    killed(era, "--ranks=4 --steps=3 --seed=5", (4,) if SLOW else (4, 9))
killed("r27", "--ranks=1 --steps=10 --seed=5", TENTHS)
killed("r27", "--ranks=1 --steps=60 --seed=6", (9,) if SHORT or SLOW else (4, 9))  # the dumper wrote once
print(f"offline_roundtrip: {compared} rows compared, {failed} differ")
sys.exit(1 if failed or not compared else 0)
