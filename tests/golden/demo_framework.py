# SPDX-License-Identifier: Apache-2.0
"""What demo records of the framework, as its generator lists it, beside what npuscope reads of the files.

usage: demo_framework.py NPUSCOPE DEMO_MAKE WORKDIR

Each whole record must be there as a row of the store, and no others: ranges and tasks of the queue as events
of threads, ops with their device time, arrows, allocations with their owners. Of runs that were killed the
files are the first bytes of those of the whole run; of what was cut off there is no row. Files that npuscope
only lists are decoded here (doc/formats/framework.md#records-of-torch_npu, #record_shapes).
"""
import collections
import functools
import glob
import json
import os
import shutil
import struct
import subprocess
import sys

EXE, MAKE, WORK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
SHORT = bool(os.environ.get("NPUSCOPE_TEST_SHORT"))  # in CI's slow builds
# killed at which tenths; of a long run its batch of records is written before the 4th and the 8th
SLOW = os.environ.get("NPUSCOPE_TEST_SLOW")  # slow programs have a sample of the runs
TENTHS = (5,) if SLOW else (2, 5, 9) if SHORT else range(1, 10)
LONG_TENTHS = (4,) if SHORT else (3, 4, 8)
ERAS = {"r27": 5, "r26": 6, "r25": 7, "torch_npu": 8}
STEP, LAUNCH, GRAPH, STAGE, FRAME, DATASET, FLOW, OP, TORCH_STEP = range(9)
STEPS = (STEP, TORCH_STEP)
MALLOC, FREE, BLOCK_FREE = range(3)
NO_FLOW = 2**64 - 1
CPU_OP = "Default/network-TrainOneStepCell/lr_schedule-DynamicLR/Gather-op9001"
UNREAD = {"train.py(58): train_one_step", "nn.Module: Net_0", "nn.Module: Net_1", "Net######1", "GC",
          "<built-in method run_backward of torch._C._EngineBase object>"}  # calls of Python
TEXT = "(select text from string s where s.id = %s)"
EVENTS = (f"select t.tid thread, e.ts_ns + r.origin_ns ts, e.dur_ns dur, {TEXT % 'e.name_id'} name "
          "from event e join track t on t.id = e.track_id join rank r on r.rank = t.rank where "
          f"t.kind = 'host_thread' and {TEXT % 't.process_id'} in ('MindSpore', 'Python')")
FLOWS = (f"select {TEXT % 'f.kind_id'} kind, a.tid thread, f.from_ns + r.origin_ns a, "
         "f.to_ns + r.origin_ns b from flow f join track a on a.id = f.from_track "
         "join rank r on r.rank = a.rank")
OPS = (f"select h.thread thread, {TEXT % 'h.name_id'} name, h.ts_ns + r.origin_ns ts, h.dur_ns dur, "
       "h.device_self_ns device, h.step step from host_op h join rank r on r.rank = h.rank")
MEMORY = (f"select {TEXT % 'm.name_id'} name, m.size_b, alloc_ns + r.origin_ns ts, dur_ns, active_dur_ns, "
          "alloc_total_allocated_b a, alloc_total_reserved_b b, release_total_allocated_b c, "
          "release_total_reserved_b d from mem_alloc m join rank r on r.rank = m.rank join source f "
          "on f.id = m.source_id where f.path like '%memory_usage'")
failed = compared = 0


def differ(what, ours, theirs):
    global failed, compared
    a, b = collections.Counter(ours), collections.Counter(theirs)
    compared += sum(b.values())
    for rows, side in (((a - b), "only in the store"), ((b - a), "only in the list")):
        for row in list(rows.elements())[:3]:
            print(f"demo_framework: {what}: {side}: {row}")
        failed += sum(rows.values())


def query(folder):
    """Rows of the four statements."""
    out = subprocess.run([EXE, "query", "-q", "--no-cache", "--format=json",
                          ";".join((EVENTS, FLOWS, OPS, MEMORY)), folder], stdout=subprocess.PIPE)
    if out.returncode not in (0, 4):  # 4: some of the files are damaged
        sys.exit(f"demo_framework: query ended with {out.returncode}")
    return [a["rows"] if "rows" in a else a for a in json.loads(out.stdout)]


PASSES = ("select f.from_ns, count(distinct ifnull(h.module_id, 0)) modules, count(h.module_id) known, "
          "count(distinct ifnull(h.stack_id, 0)) stacks from flow f join host_op h on "
          f"h.ts_ns in (f.from_ns, f.to_ns) where {TEXT % 'f.kind_id'} = 'fwdbwd' group by f.rowid")


def check_passes(folder):
    """A backward op is of the module and the line of its forward op."""
    global compared
    out = subprocess.run([EXE, "query", "-q", "--no-cache", "--format=json", PASSES, folder],
                         stdout=subprocess.PIPE, check=True)
    answer = json.loads(out.stdout)
    rows = answer["rows"] if "rows" in answer else answer
    compared += len(rows)
    if not rows or any((r["modules"], r["known"], r["stacks"]) != (1, 2, 1) for r in rows):
        differ("modules of backward ops", rows[:2], ["one module and one stack of two ops"])


@functools.lru_cache(maxsize=1)
def listed(options, rank):
    """Records by file: (size of the file after it, time, fields...)."""
    out = subprocess.run([MAKE, f"records={rank}", *options], stdout=subprocess.PIPE, check=True, text=True)
    files = collections.defaultdict(list)
    for line in out.stdout.splitlines():
        name, end, at, *fields = line.split("\t")
        files[name].append((int(end), int(at), *fields))
    return files


def ranges_of(records):
    keys = ("kind", "thread", "start", "name", "sequence", "forward", "flow", "kernel", "kernel_dur")
    out = []
    for _, at, *f in records:
        r = dict(zip(keys, f))
        for k in keys:
            if k in r and k != "name":
                r[k] = int(r[k])
        r["end"] = at
        out.append(r)
    return out


def tasks_of(records):
    """Tasks that were put into the queue, and taken out: (thread, start, end, correlation, name, kernel)."""
    begun, done = {}, ([], [])
    for _, at, kind, thread, correlation, name, *kernel in records:
        k = int(kind)
        if k % 2 == 0:
            begun[k, thread, name] = (at, int(correlation))
        elif (k - 1, thread, name) in begun:
            start, correlation = begun.pop((k - 1, thread, name))
            done[k // 2].append((int(thread), start, at, correlation, name, tuple(map(int, kernel))))
    return done


def around(by_thread, thread, start, end, skip=()):
    """The innermost range."""
    best = None
    for r in by_thread[thread]:
        if r["start"] <= start and r["end"] >= end and r["name"] not in skip:
            if best is None or r["start"] >= best["start"]:
                best = r
    return best


class Near:
    """Ranges of each thread around an instant, found without looking at all."""

    def __init__(self, ranges):
        self.at = collections.defaultdict(list)
        for r in ranges:
            first, last = r["start"] >> 16, r["end"] >> 16
            for k in range(first, last + 1):
                self.at[r["thread"], k].append(r)

    def __getitem__(self, key):
        return self.at[key]

    def around(self, thread, start, end, skip=()):
        return around({thread: self.at[thread, start >> 16]}, thread, start, end, skip)


def check_events(rows, files, ranges, put, taken):
    names = {t[3]: t[4] for t in taken}
    want = [(r["thread"], r["start"], r["end"] - r["start"], r["name"]) for r in ranges if r["kind"] != FLOW]
    want += [(t[0], t[1], t[2] - t[1], "Enqueue" + ("@" + names[t[3]] if t[3] in names else "")) for t in put]
    want += [(t[0], t[1], t[2] - t[1], "Dequeue@" + t[4]) for t in taken]
    rows = [(r["thread"], r["ts"], r["dur"], r["name"]) for r in rows]
    apart = [r for r in rows if r[3] in UNREAD]
    differ("event", [r for r in rows if r[3] not in UNREAD], [(str(w[0]), *w[1:]) for w in want])
    gc = [(int(r[2]), int(r[3])) for r in files.get("torch.gc_record", [])]
    calls = pairs_of(files.get("torch.python_tracer_func", []))
    for whole, is_gc in ((gc, True), (calls, False)):
        shown = [r for r in apart if (r[3] == "GC") == is_gc]
        if shown:  # of a killed run there are calls that never ended
            differ("call", [r[1:3] for r in shown if r[1:3] in whole], whole)


def pairs_of(records):
    """Start and duration of each call that returned."""
    begun, out = {}, []
    for _, at, thread, key, _, returns, _ in records:
        if returns == "1" and (thread, key) in begun:
            out.append((begun[thread, key], at - begun.pop((thread, key))))
        elif returns == "0":
            begun[thread, key] = at
    return out


def step_at(ranges, at):
    for r in ranges:
        if r["kind"] in STEPS and r["start"] <= at <= r["end"]:
            return int(r["name"].split("#")[1])
    return None


def step_of(ranges, at, whole):
    """Of a run that died the step that no mark ended begins behind the last one."""
    last = max((r for r in ranges if r["kind"] in STEPS), key=lambda r: r["end"], default=None)
    if not whole and last and at > last["end"]:
        return int(last["name"].split("#")[1]) + 1
    return step_at(ranges, at)


def launchers(ranges, taken, put, near):
    """(range, kernel start, kernel duration)"""
    out = [(r, r["kernel"], r["kernel_dur"]) for r in ranges if "kernel_dur" in r]
    enqueue = {t[3]: t for t in put}
    for t in taken:
        e = enqueue.get(t[3])
        r = e and near.around(e[0], e[1], e[2])
        if r and t[5]:
            out.append((r, *t[5]))
    return out


def check_ops(rows, files, era, ranges, launched, whole):
    device = collections.Counter()
    for r, _, dur in launched:
        device[id(r)] += dur
    marks = [r for r in ranges if r["kind"] in STEPS]
    other = (*STEPS, FLOW) if era == "r25" else (*STEPS, FLOW, FRAME)  # no mark of frames there
    ops = [r for r in ranges if r["kind"] not in other]
    want = [(r["name"], r["start"], r["end"] - r["start"], step_of(marks, r["start"], whole),
             device[id(r)] if whole else None) for r in ops]
    shapes = [r["name"] for r in rows if r["ts"] is None]  # of record_shapes, which has no times
    if shapes:
        differ("shapes", shapes, [r[2] for r in files.get("mindspore.record_shapes", [])])
    rows = [r for r in rows if r["name"] not in (CPU_OP, *UNREAD) and r["ts"] is not None]
    have = [(r["name"], r["ts"], r["dur"], r["step"], r["device"] if whole else None) for r in rows]
    differ("op", have, want)


def check_flows(rows, ranges, put, taken, launched, whole):
    want = [("async_npu", r["thread"], r["start"], kernel) for r, kernel, _ in launched]
    flows = {r["flow"]: r for r in ranges if r["kind"] == FLOW}
    want += [("async_mindspore", flows[r["flow"]]["thread"], flows[r["flow"]]["start"], r["start"])
             for r in ranges if r["kind"] == GRAPH and r["flow"] in flows]
    out = {t[3]: t[1] for t in taken}
    want += [("async_task_queue", t[0], t[1], out.get(t[3])) for t in put]
    ends = {}
    for r in sorted(ranges, key=lambda r: r["start"]):
        if r["sequence"] >= 0:
            ends[r["sequence"], r["forward"] != 0] = r
    want += [("fwdbwd", a["thread"], a["start"], ends[n, True]["start"]) for (n, back), a in ends.items()
             if not back and (n, True) in ends]
    have = [(r["kind"], int(r["thread"]), r["a"], r["b"]) for r in rows if r["kind"] != "HostToDevice"]
    if not whole:  # of kernels that were still to run there is no arrow
        left = set(want) - set(have)
        want = [x for x in want if x not in left or x[0] != "async_npu"]
        if launched and not any(x[0] == "async_npu" for x in have):
            differ("arrow", [], [("async_npu",)])
    differ("arrow", have, want)


def check_memory(rows, torch, records, near):
    open_, want = {}, []
    for _, at, kind, thread, address, size, used, reserved, active, owner in records:
        if int(kind) == MALLOC:
            if torch:
                r = near.around(int(thread), at, at, ("empty_tensor", "malloc_workspace"))
                owner = r["name"] if r else None
            row = [owner, int(size), at, None, None, int(used), int(reserved), None, None]
            want.append(row)
            open_[address] = row
        elif address in open_:
            row = open_[address]
            row[3 if int(kind) == FREE else 4] = at - row[2]
            if int(kind) == FREE:
                row[7], row[8] = int(used), int(reserved)
    keys = ("name", "size_b", "ts", "dur_ns", "active_dur_ns", "a", "b", "c", "d")
    differ("allocation", [tuple(r[k] for k in keys) for r in rows], [tuple(w) for w in want])


def tlv(data, fixed):
    out, at = [], 0
    while at + 6 <= len(data):
        n = struct.unpack_from("<I", data, at + 2)[0]
        record, at = data[at + 6:at + 6 + n], at + 6 + n
        if len(record) < n:
            break
        fields, k = {}, fixed
        while k + 6 <= n:
            kind, m = struct.unpack_from("<HI", record, k)
            fields[kind] = record[k + 6:k + 6 + m].decode()
            k += 6 + m
        out.append((record[:fixed], fields))
    return out


def check_unread(framework, files):
    """Files that are listed only."""
    def data(name):
        with open(os.path.join(framework, name), "rb") as f:
            return f.read()
    for name, records in files.items():
        if name == "mindspore.record_shapes":
            have = [f[0] for _, f in tlv(data(name), 0)]
            differ(name, have, [r[2] for r in records])
            if any("" == f[1] and not f[2] == "" for _, f in tlv(data(name), 0)):
                differ(name, ["types without shapes"], [])
        elif name == "torch.python_tracer_hash":
            have = [(struct.unpack("<Q", fixed)[0], f[1]) for fixed, f in tlv(data(name), 8)]
            differ(name, have, [(int(r[3]), r[6]) for r in records])
        elif name == "torch.python_tracer_func":
            raw = data(name)
            have = [struct.unpack_from("<QQQQB", raw, i) for i in range(0, len(raw) // 33 * 33, 33)]
            differ(name, [(h[1], h[3], h[4]) for h in have],
                   [(int(r[2]), int(r[3]), 2 * int(r[4]) + int(r[5])) for r in records])
        elif name == "torch.gc_record":
            raw = data(name)
            have = [struct.unpack_from("<QQQ", raw, i) for i in range(0, len(raw) // 24 * 24, 24)]
            differ(name, [(h[2] - h[1]) * 10 for h in have], [int(r[3]) for r in records])


def check(folder, era, options, rank=0, whole=True):
    """One rank's folder."""
    framework = os.path.join(folder, "FRAMEWORK")
    files = {}
    for name, records in listed(options, rank).items():
        path = os.path.join(framework, name)
        size = os.path.getsize(path) if os.path.exists(path) else 0
        files[name] = [r for r in records if r[0] <= size]
        if whole and (size != records[-1][0] or len(files[name]) != len(records)):
            differ(f"size of {name}", [size], [records[-1][0]])
    torch = era == "torch_npu"
    names = ("torch.op_range", "torch.op_mark", "torch.memory_usage") if torch else (
        f"op_range_{rank}" if era == "r25" else "mindspore.op_range", "", "mindspore.memory_usage")
    ranges = ranges_of(files[names[0]])
    put, taken = tasks_of(files.get(names[1], []))
    near = Near(ranges)
    launched = launchers(ranges, taken, put, near)
    events, flows, ops, memory = query(folder)
    check_events(events, files, ranges, put, taken)
    check_ops(ops, files, era, ranges, launched, whole)
    check_flows(flows, ranges, put, taken, launched, whole)
    check_memory(memory, torch, files[names[2]], near)
    if os.path.isdir(framework):
        check_unread(framework, {n: r for n, r in files.items() if r})
    return sum(len(r) for r in files.values())


def demo(name, era, options, *more):
    to = os.path.join(WORK, name)
    shutil.rmtree(to, ignore_errors=True)
    args = [f"--{o}" for o in options]
    subprocess.run([EXE, "demo", "-q", "--gen=2", "--raw", f"--era={era}", *args, *more, to], check=True)
    return sorted(glob.glob(os.path.join(to, "*_ascend_*")))


def make_options(era, options):
    model = {"model=transformer": "model=1"}
    return ("gen=2", "raw=1", f"era={ERAS[era]}", *[model.get(o, o) for o in options])


def whole_runs():
    for era in ERAS:
        several = (["ranks=2", "steps=3", "seed=7"], ["ranks=1", "steps=2"],
                   ["ranks=9", "steps=1", "model=transformer", "seed=3"])
        for options in several[1:2] if SLOW else several:
            folders = demo("whole", era, options)
            for rank in {0, len(folders) - 1}:  # the last one is on the second host
                device, host = rank % 8, rank // 8 + 1
                folder = [f for f in folders if f"node-{host}_{20012 + device * 61}_" in f][0]
                n = check(folder, era, make_options(era, options), rank)
                if era == "torch_npu":
                    check_passes(folder)
                print(f"demo_framework: {era} {' '.join(options)}: rank {rank}: {n} records")


def crashed_runs(era, options, tenths, wanted):
    """wanted: how many different lengths the files have at least."""
    first = demo("whole", era, options)[0]
    seen = set()
    for tenth in tenths:
        folder = demo("crash", era, options, f"--crashed={tenth}0%")[0]
        for name in glob.glob(os.path.join(folder, "FRAMEWORK", "*")):
            before = os.path.join(first, "FRAMEWORK", os.path.basename(name))
            with open(name, "rb") as a, open(before, "rb") as b:
                cut = a.read()
                if cut != b.read(len(cut)):
                    differ(f"{era} at {tenth}0%: bytes of {name}", ["others"], [])
        if glob.glob(os.path.join(folder, "profiler_*.json")):
            differ(f"{era} at {tenth}0%", ["profiler_info"], [])
        n = check(folder, era, make_options(era, options), 0, whole=False)
        seen.add(n)
        print(f"demo_framework: {era}, killed at {tenth}0%: {n} whole records")
    if len(seen) < wanted:
        differ(f"{era}: lengths", [len(seen)], [wanted])


whole_runs()
crashed_runs("torch_npu", ["ranks=1", "steps=10", "seed=5"], TENTHS, len(TENTHS))
crashed_runs("r27", ["ranks=1", "steps=3"], (5,) if SLOW else (2, 5), 1)  # nothing is written below 104 857 records
if not SLOW:
    crashed_runs("r27", ["ranks=1", "steps=120"], LONG_TENTHS, len(LONG_TENTHS))
print(f"demo_framework: {compared} rows compared, {failed} differ")
sys.exit(1 if failed or not compared else 0)
