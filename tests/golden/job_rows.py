#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Raw jobs of generation 1 through the store, against the files that the collector's own analysis made of
them.

  job_rows.py IMPORT_QUERY GEN1_FOLDER
"""
import csv
import glob
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import Decimal

TOOL, DATA = sys.argv[1:3]
TIMES = (
    "SELECT n.text, e.stream, e.ts_ns, e.dur_ns FROM op_exec e JOIN op o ON o.id = e.op_id JOIN string n ON "
    "n.id = o.name_id "
    "WHERE e.rank = %d ORDER BY e.ts_ns, e.id"
)
EVENTS = (
    "SELECT n.text, t.stream, e.ts_ns, e.dur_ns FROM event e JOIN track t ON t.id = e.track_id JOIN string n "
    "ON n.id = e.name_id "
    "WHERE t.rank = %d AND t.kind = 'stream' ORDER BY e.ts_ns"
)
OPS = (
    "SELECT n.text, ty.text, task, stream, block_num, s.text, t.text, f.text, os.text, ot.text, ofm.text "
    "FROM op o JOIN string n ON n.id = o.name_id "
    "LEFT JOIN string ty ON ty.id = o.type_id LEFT JOIN string s ON s.id = o.in_shapes_id LEFT JOIN string t "
    "ON t.id = o.in_types_id "
    "LEFT JOIN string f ON f.id = o.in_formats_id LEFT JOIN string os ON os.id = o.out_shapes_id LEFT JOIN "
    "string ot ON ot.id = o.out_types_id "
    "LEFT JOIN string ofm ON ofm.id = o.out_formats_id"
)
SOURCES = "SELECT path, state, rows, lost, ifnull(used, ''), ifnull(note, '') FROM source ORDER BY path"
bad = []


def query(unit, sql):
    p = subprocess.run([TOOL, unit, sql], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        sys.exit("job_rows: %s: %s" % (unit, p.stderr.decode("utf-8", "replace")))
    return [tuple(line.split("\t")) for line in p.stdout.decode().split("\n")[:-1]]


def check(what, got, want):
    if got == want:
        print("%s: %s" % (what, "%d rows" % len(want) if isinstance(want, list) else want))
        return
    bad.append(what)
    print("%s: DIFFERENT" % what)
    if isinstance(want, list):
        print("  rows: %d, expected %d" % (len(got), len(want)))
        for g, w in [(g, w) for g, w in zip(got, want) if g != w][:3]:
            print("  got  %s\n  want %s" % (g, w))
    else:
        print("  got %s, expected %s" % (got, want))


def times_of(path):
    """Rows of output_timeline_data as name, stream, start and duration in ns: ticks of 10 ns, printed as
    ms."""
    rows = []
    with open(path) as f:
        for line in f.read().split("\n")[1:]:
            if line:
                name, stream, start, dur = line.rsplit(",", 3)
                ticks = [int((Decimal(v) * 100000).to_integral_value()) for v in (start, dur)]
                rows.append((name, stream, str(ticks[0] * 10), str(ticks[1] * 10)))
    return rows


def ops_of(path):
    """Rows of framework_raw as OPS gives them."""
    rows = []
    with open(path, newline="") as f:
        for r in csv.DictReader(f):
            info = json.loads(r["op_info"]) if r["op_info"] else {}
            lists = []
            for side in ("input", "output"):
                t = [v for k, v in info.items() if k.startswith(side)]
                lists += [";".join(v[key] for v in t) for key in ("shape", "data_type", "format")]
            rows.append(
                (r["full_op_name"], r["op_type"], r["task_id"], r["stream_id"], r["block_dim"], *lists)
            )
    return rows


def source(unit, name):
    return [s for s in query(unit, SOURCES) if os.path.basename(s[0]).startswith(name)][0][1:]


def job3(tmp):
    unit = os.path.join(DATA, "JOB3")
    want = times_of(os.path.join(DATA, "JOB3-expected/r0.6/output_timeline_data_1.txt"))
    check("JOB3 op times", query(unit, TIMES % 0), want)
    check("JOB3 events", sorted(query(unit, EVENTS % 0)), sorted(want))
    check(
        "JOB3 ops",
        sorted(query(unit, OPS)),
        sorted(ops_of(os.path.join(DATA, "JOB3-expected/r0.6/framework_raw_1.csv"))),
    )
    check("JOB3 HWTS", source(unit, "hwts"), ("ok", "62847", "0", "yes", ""))
    check("JOB3 tasks", source(unit, "Framework.host.vm.task"), ("ok", "199", "0", "yes", ""))

    # An analysed file that feeds op_exec leaves the raw files alone.
    flat = os.path.join(tmp, "a", "profiler")
    os.makedirs(flat)
    shutil.copytree(unit, os.path.join(flat, "JOB3"), copy_function=shutil.copyfile)
    os.chmod(os.path.join(flat, "JOB3"), 0o755)
    shutil.copyfile(
        os.path.join(DATA, "JOB3-expected/r0.6/output_timeline_data_1.txt"),
        os.path.join(flat, "output_timeline_data_1.txt"),
    )
    check("analysed: HWTS", source(flat, "hwts")[0], "UNREAD")
    check("analysed: op times", [r[0] for r in query(flat, "SELECT count(*) FROM op_exec")], [str(len(want))])

    # A cut last record: the rest is kept.
    os.remove(os.path.join(flat, "output_timeline_data_1.txt"))
    hwts = os.path.join(flat, "JOB3", "hwts.log.data.45.dev.profiler_default_tag.1.slice_0")
    os.chmod(hwts, 0o644)
    os.truncate(hwts, 62847 * 64 - 40)
    check(
        "torn: HWTS",
        source(flat, "hwts"),
        ("TORN", "62846", "1", "yes", "at byte 4022144: a record is cut (24 of 64 bytes)"),
    )
    got = query(flat, TIMES % 0)
    check("torn: op times", got[: len(want) - 1], want[: len(want) - 1])

    # Without the names of the tasks there are no op times, and the file says so.
    os.chmod(os.path.join(flat, "JOB3", "Framework.host.vm.task_desc_info.1.slice_0"), 0o644)
    os.remove(os.path.join(flat, "JOB3", "Framework.host.vm.task_desc_info.1.slice_0"))
    check("no tasks: note", source(flat, "hwts")[4].startswith("at byte 4022144"), True)
    check(
        "no tasks: notes",
        query(flat, "SELECT code FROM note ORDER BY code"),
        [("INCONSISTENT",), ("TORN_RECORD",)],
    )
    check("no tasks: ops", query(flat, "SELECT count(*) FROM op"), [("199",)])


def slices(folder, pattern):
    """The bytes of the slices of a raw file, joined in order."""
    files = [f for f in glob.glob(os.path.join(folder, pattern), recursive=True) if not f.endswith(".done")]
    return b"".join(open(f, "rb").read() for f in sorted(files, key=lambda f: int(f.rsplit("_", 1)[1])))


def executions(case, rank):
    """Name, stream, start and duration in ns of every task that began and ended, read here from the records:
    the end belongs to the last start on its stream. Task numbers have 16 bits; a network that makes new tasks
    every step begins them anew, each stream for itself.
    """
    names = {}
    for r in csv_rows(os.path.join(DATA, case, "expected/framework_raw_%d.csv" % rank)):
        if r["task_id"]:
            names[(int(r["stream_id"]), int(r["task_id"]))] = r["full_op_name"]
    hwts, last, turns, started, rows = (
        slices(os.path.join(DATA, case, "raw"), "*/**/hwts*.%d.slice_*" % rank),
        {},
        {},
        {},
        [],
    )
    for at in range(0, len(hwts) // 64 * 64, 64):
        kind, task, (stream,), (ticks,) = (
            hwts[at] & 7,
            *struct.unpack_from("<H", hwts, at + 6),
            struct.unpack_from("<I", hwts, at + 16),
            struct.unpack_from("<Q", hwts, at + 8),
        )
        turns[stream] = turns.get(stream, 0) + (last.get(stream, 0) > 65000 and task < last[stream])
        last[stream] = task
        name = names.get((stream, task + 65536 * turns[stream]))
        if name is None or kind > 1:
            continue
        if kind == 0:
            started[stream] = (name, task, ticks)
        elif stream in started and started[stream][:2] == (name, task):
            begin = started.pop(stream)[2]
            rows.append((name, str(stream), str(begin * 10), str((ticks - begin) * 10)))
    return sorted(rows, key=lambda r: int(r[2]))


def generated(case):
    """Every execution, and among them those that upstream finds (7.3: neighbouring records only, so that
    overlapping streams lose some)."""
    unit = os.path.join(DATA, case, "raw")
    for rank in (0, 1):
        want = executions(case, rank)
        check("%s rank %d op times" % (case, rank), query(unit, TIMES % rank), want)
        theirs = Counter(times_of(os.path.join(DATA, case, "expected/output_timeline_data_%d.txt" % rank)))
        check(
            "%s rank %d op times of upstream that are not ours (%d of its, %d of ours)"
            % (case, rank, sum(theirs.values()), len(want)),
            sum((theirs - Counter(want)).values()),
            0,
        )


BINARY_OPS = (
    "SELECT DISTINCT n.text, ty.text, o.core, o.block_num, s.text, t.text, f.text, os.text, ot.text, "
    "ofm.text FROM op o "
    "JOIN string n ON n.id = o.name_id LEFT JOIN string ty ON ty.id = o.type_id LEFT JOIN string s ON s.id = "
    "o.in_shapes_id "
    "LEFT JOIN string t ON t.id = o.in_types_id LEFT JOIN string f ON f.id = o.in_formats_id LEFT JOIN "
    "string os ON os.id = o.out_shapes_id "
    "LEFT JOIN string ot ON ot.id = o.out_types_id LEFT JOIN string ofm ON ofm.id = o.out_formats_id WHERE "
    "o.type_id IS NOT NULL"
)
TASKS = (
    "SELECT DISTINCT e.stream, e.task, n.text FROM op_exec e JOIN op o ON o.id = e.op_id JOIN string n ON "
    "n.id = o.name_id WHERE e.rank = %d"
)
EXECS = (
    "SELECT n.text, ty.text, e.stream, e.task, e.dur_ns FROM op_exec e JOIN op o ON o.id = e.op_id JOIN "
    "string n ON n.id = o.name_id "
    "JOIN string ty ON ty.id = o.type_id WHERE e.rank = %d ORDER BY e.ts_ns, e.id"
)


CORES = {"Conv2D": "AIC", "GetNext": "AICPU", "Cast": "AIV", "AllReduce": "HCCL", "Profiling": "RTS"}


def binary_ops(folder):
    """The distinct ops of framework_raw of both ranks: name, type, block dim, and the lists of tensors; and
    the task of each op."""
    ops, tasks = set(), []
    for rank in (0, 1):
        tasks.append({})
        with open(os.path.join(folder, "framework_raw_%d.csv" % rank), newline="") as f:
            for r in csv.DictReader(f):
                info, lists = json.loads(r["op_info"]), []
                for side in ("input", "output"):
                    t = [v for k, v in info.items() if k.startswith(side)]
                    lists += [";".join(",".join(str(d) for d in v["shape"]) for v in t)] + [
                        ";".join(v[key] for v in t) for key in ("data_type", "format")
                    ]
                ops.add((r["full_op_name"], r["op_type"], r["block_dim"], *lists))
                tasks[-1][(r["stream_id"], r["task_id"])] = r["full_op_name"]
    return ops, tasks


def csv_rows(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f))


def binary(case):
    unit, folder = os.path.join(DATA, case, "raw"), os.path.join(DATA, case, "expected")
    generated(case)
    ops, tasks = binary_ops(folder)
    got = query(unit, BINARY_OPS)
    check("%s ops" % case, sorted((g[0], g[1], *g[3:]) for g in got), sorted(ops))
    check(
        "%s cores" % case,
        sorted({(g[1], g[2]) for g in got if g[1] in CORES}),
        sorted((k, v) for k, v in CORES.items() if k in {o[1] for o in ops}),
    )
    for rank in (0, 1):
        check(
            "%s rank %d tasks named" % (case, rank),
            sorted(set(query(unit, TASKS % rank)) - {(*k, v) for k, v in tasks[rank].items()}),
            [],
        )


STEPS = (
    "SELECT step, start_ns, end_ns, total_ns, fp_ns, bp_ns, interval_ns, fp_bp_ns, tail_ns FROM step WHERE "
    "rank = %d AND complete = 1 ORDER BY step"
)
PARTS = (
    "SELECT p.step, p.stream, n.text, p.dur_ns, p.start_ns, p.end_ns FROM step_part p LEFT JOIN string n ON "
    "n.id = p.name_id "
    "WHERE p.rank = %d AND p.kind = 'reduce' ORDER BY p.step, p.start_ns, p.stream"
)
STEP_CELLS = (
    "start_point",
    "end_point",
    "total",
    "fp_point",
    "bp_point",
    "iteration_interval",
    "fp_and_bp",
    "tail",
)


def ns(ticks):
    return str(int(ticks) * 10)


def steps_of(path):
    """step_trace_raw as STEPS and PARTS give it: the row of means left out, and communication that a step
    does not have (0)."""
    steps, parts = [], []
    for r in csv_rows(path):
        if r["step_num"] == "-":
            continue
        steps.append((r["step_num"], *(ns(r[c]) for c in STEP_CELLS)))
        for c in r:
            if c.startswith("stream_") and c + "_start_point" in r and int(r[c + "_end_point"] or 0):
                _, stream, _, name = c.split("_", 3)
                parts.append(
                    (
                        r["step_num"],
                        stream,
                        name,
                        *(ns(r[k]) for k in (c, c + "_start_point", c + "_end_point")),
                    )
                )
    return steps, sorted(parts, key=lambda p: (int(p[0]), int(p[4]), int(p[1])))


def carried_on(steps):
    """r1.5 forgets at every new slice where the step before ended, and begins the step with its forward
    start: an interval of 0. Here slices are one record of the run."""
    out, changed = [], 0
    for s in steps:
        if out and s[1] != out[-1][2]:
            start = int(out[-1][2])
            s = (
                s[0],
                str(start),
                s[2],
                str(int(s[2]) - start),
                s[4],
                s[5],
                str(int(s[4]) - start),
                s[7],
                s[8],
            )
            changed += 1
        out.append(s)
    return out, changed


def steps(case, unit, files, forgotten=0):
    for rank, path in enumerate(files):
        want, parts = steps_of(path)
        want, changed = carried_on(want)
        check("%s rank %d steps that a slice cuts off upstream" % (case, rank), changed, forgotten)
        check("%s rank %d steps" % (case, rank), query(unit, STEPS % rank), want)
        check("%s rank %d communication in steps" % (case, rank), query(unit, PARTS % rank), parts)


def job3_steps():
    """Names of communication: r0.6 writes the op type, r1.3 the name."""
    unit, want = os.path.join(DATA, "JOB3"), {}
    for version in ("r0.6", "r1.3"):
        want[version] = steps_of(
            os.path.join(DATA, "JOB3-expected", version, "step_trace_raw_1_detail_time.csv")
        )
    steps("JOB3", unit, [os.path.join(DATA, "JOB3-expected/r1.3/step_trace_raw_1_detail_time.csv")])
    check("JOB3 steps of r0.6", query(unit, STEPS % 0), want["r0.6"][0])
    check(
        "JOB3 communication of r0.6",
        [(p[0], p[1], p[2].split("-")[0], *p[3:]) for p in query(unit, PARTS % 0)],
        want["r0.6"][1],
    )


def job1_steps():
    """A training_trace with little else; the stored file is of June 2020: stream_<stream>_parallel_<i>."""
    unit, stored = os.path.join(DATA, "mindinsight/JOB1"), os.path.join(
        DATA, "../outputs/mindinsight/profiler/step_trace_raw_0_detail_time.csv"
    )
    want, parts = [], []
    for r in csv_rows(stored):
        if r["step_num"] in ("-", "0"):
            continue
        want.append((r["step_num"], *(ns(r[c]) for c in STEP_CELLS)))
        parts += [
            (r["step_num"], c.split("_")[1], *(ns(r[k]) for k in (c, c + "_start_point", c + "_end_point")))
            for c in r
            if c + "_start_point" in r and int(r[c + "_end_point"])
        ]
    kinds = query(unit, "SELECT DISTINCT kind FROM source WHERE path LIKE '%training_trace%' AND rows > 0")
    check("JOB1 kind of its steps", kinds, [("raw_training_trace",)])
    check("JOB1 steps", query(unit, STEPS % 0), want)
    check(
        "JOB1 communication",
        [(p[0], p[1], *p[3:]) for p in query(unit, PARTS % 0)],
        sorted(parts, key=lambda p: (int(p[0]), int(p[3]), int(p[1]))),
    )


def step_cases():
    job3_steps()
    job1_steps()
    for case in ("graph_text_r13", "graph_text_r15", "graph_r16", "graph_r20"):
        folder = os.path.join(DATA, case, "expected")
        steps(
            case,
            os.path.join(DATA, case, "raw"),
            [os.path.join(folder, "step_trace_raw_%d_detail_time.csv" % r) for r in (0, 1)],
            1 if case == "graph_text_r15" else 0,
        )


AICPU = (
    "SELECT n.text, a.total_ns, a.dispatch_ns, a.compute_ns, a.run_start, a.run_end FROM aicpu_exec a JOIN "
    "string n ON n.id = a.name_id "
    "WHERE a.rank = %d ORDER BY a.exec_id"
)


def exact(row, scales):
    """Name, and numbers times a scale: the nearest doubles."""
    return [row[0]] + [float(Decimal(v) * s) for v, s in zip(row[1:], scales)]


def aicpu_cases():
    for case in ("graph_text_r13", "graph_text_r15", "graph_r16", "graph_r20", "graph_dyn_r20"):
        for rank in (0, 1):
            want = [
                exact(
                    [
                        r[c]
                        for c in (
                            "op_type",
                            "total_time",
                            "dispatch_time",
                            "execution_time",
                            "run_start",
                            "run_end",
                        )
                    ],
                    (10**6,) * 3 + (1,) * 2,
                )
                for r in csv_rows(os.path.join(DATA, case, "expected/aicpu_intermediate_%d.csv" % rank))
            ]
            got = [exact(r, (1,) * 5) for r in query(os.path.join(DATA, case, "raw"), AICPU % rank)]
            check("%s rank %d AI CPU" % (case, rank), got, want)
            with open(os.path.join(DATA, case, "expected/minddata_aicpu_%d.txt" % rank)) as f:
                want = [
                    (n, s + "000", str((int(e) - int(s)) * 1000), size)
                    for n, s, e, size in (line.split() for line in f)
                ]
            got = query(
                os.path.join(DATA, case, "raw"),
                "SELECT q.queue, q.ts_ns, b.dur_ns, q.size FROM queue_sample q JOIN batch_time b ON b.rank = "
                "q.rank AND b.batch = q.seq "
                "AND b.kind = 'getnext' WHERE q.rank = %d AND q.queue LIKE 'GetNext%%' ORDER BY q.seq" % rank,
            )
            check("%s rank %d queue of GetNext" % (case, rank), got, want)
    # A text of r0.x, without ticks and without the time of execution.
    unit, rows = os.path.join(DATA, "mindinsight/JOB_AICPU"), []
    with open(os.path.join(unit, "expect/output_data_preprocess_aicpu_0.txt")) as f:
        for line in f.read().split("\n")[2:]:
            if line and line[0].isdigit():
                rows.append(exact(line.split()[1:], (10**6, 10**6, 1, 1)))
    got = [exact((r[0], r[1], r[2], r[4], r[5]), (1,) * 4) for r in query(unit, AICPU % 0)]
    check("JOB_AICPU AI CPU", got, rows)
    check(
        "JOB3 AI CPU (threads without nodes)",
        query(os.path.join(DATA, "JOB3"), "SELECT count(*) FROM aicpu_exec"),
        [("0",)],
    )


FLOPS = (
    "SELECT n.text, f.cube_flops, f.vector_flops, f.flops_per_s, f.utilisation FROM op_flops f JOIN op o ON "
    "o.id = f.op_id "
    "JOIN string n ON n.id = o.name_id WHERE f.rank = %d ORDER BY f.rowid"
)


def flops_cases():
    """flops_N.txt: MFLOPs, GFLOPS, percent, over upstream's mean time of the op. That is the sum of its times
    where a network makes new tasks every step, and a mean without the executions that it does not find:
    then ours differ by what the means do.
    """
    for case in ("graph_text_r13", "graph_text_r15", "graph_r16", "graph_r20", "graph_dyn_r20"):
        for rank in (0, 1):
            unit, want = os.path.join(DATA, case, "raw"), []
            with open(os.path.join(DATA, case, "expected/flops_%d.txt" % rank)) as f:
                for line in f.read().split("\n")[1:]:
                    if line:
                        name, m, g, u = line.rsplit(", ", 3)
                        want.append((name, float(m), float(g), float(u)))
            theirs = {
                r["full_op_name"]: float(r["execution_time"]) * 1e6
                for r in csv_rows(
                    os.path.join(DATA, case, "expected/aicore_intermediate_%d_detail.csv" % rank)
                )
            }
            times, found, ours = (
                executions(case, rank),
                times_of(os.path.join(DATA, case, "expected/output_timeline_data_%d.txt" % rank)),
                {},
            )
            for name in theirs:
                durs = [int(t[3]) for t in times if t[0] == name]
                ours[name] = sum(durs) / len(durs)
            whole = {
                n
                for n in theirs
                if case != "graph_dyn_r20" and sum(t[0] == n for t in times) == sum(t[0] == n for t in found)
            }
            got, same = query(unit, FLOPS % rank), True
            got = [
                g for g in got if g[0] in theirs
            ]  # an op of which upstream finds no execution is not in its file
            for row, w in zip(got, want):
                k = theirs[w[0]] / ours[w[0]]
                cells = ((float(row[1]) + float(row[2])) * 1e-6, float(row[3]) * 1e-9, float(row[4]) * 100)
                same = (
                    same
                    and row[0] == w[0]
                    and all(abs(c - x) <= 1e-9 * x for c, x in zip(cells, (w[1], w[2] * k, w[3] * k)))
                )
                same = same and (w[0] not in whole or abs(k - 1) <= 1e-9)
            check(
                "%s rank %d FLOPs" % (case, rank),
                [r[0] for r in got] if same else got,
                [w[0] for w in want] if same else want,
            )
            with open(os.path.join(DATA, case, "expected/flops_summary_%d.json" % rank)) as f:
                check(
                    "%s rank %d FLOPs of all ops" % (case, rank),
                    round(sum(float(r[1]) + float(r[2]) for r in got) * 1e-6, 3),
                    json.load(f)["FLOPs"],
                )


OVERLAP = (
    "SELECT n.text, sum(e.dur_ns), count(*) FROM event e JOIN track t ON t.id = e.track_id JOIN string n ON "
    "n.id = e.name_id "
    "WHERE t.rank = %d AND t.kind = 'overlap' GROUP BY 1 ORDER BY 1"
)


def overlap_cases():
    """Computing, communication and free time, instant by instant (10 ns) from the executions and the step
    trace."""
    for case in ("graph_text_r13", "graph_text_r15", "graph_r16", "graph_r20"):
        for rank in (0, 1):
            unit = os.path.join(DATA, case, "raw")
            other = {
                n[0]
                for n in query(
                    unit,
                    "SELECT DISTINCT n.text FROM op o JOIN string n ON n.id = o.name_id WHERE o.core IN "
                    "('HCCL', 'RTS')",
                )
            }
            sets = [set() for _ in range(2)]
            times = [(0, int(t[2]), int(t[3])) for t in executions(case, rank) if t[0] not in other]
            times += [
                (1, int(p[4]), int(p[3]))
                for p in steps_of(
                    os.path.join(DATA, case, "expected/step_trace_raw_%d_detail_time.csv" % rank)
                )[1]
            ]
            for which, start, dur in times:
                sets[which].update(range(start // 10, (start + dur) // 10))
            busy = sets[0] | sets[1]
            free = set(range(min(busy), max(busy) + 1)) - busy
            want = []
            for name, cells in (
                ("Communication", sets[1]),
                ("Communication(Not Overlapped)", sets[1] - sets[0]),
                ("Computing", sets[0]),
                ("Free", free),
            ):
                want.append((name, str(len(cells) * 10), str(sum(c - 1 not in cells for c in cells))))
            check("%s rank %d overlap" % (case, rank), query(unit, OVERLAP % rank), want)


def step_flops_cases():
    """flops_utilization_step_N.json counts the executions that upstream finds; here from all of them: the
    FLOPs of the ops that began between a step's forward start and its backward end, over that time and the
    peak."""
    for case in ("graph_text_r15", "graph_r16", "graph_r20"):
        for rank in (0, 1):
            unit, folder, flops, want, peak = (
                os.path.join(DATA, case, "raw"),
                os.path.join(DATA, case, "expected"),
                {},
                [],
                None,
            )
            for name, cube, vector, rate, use in query(unit, FLOPS % rank):
                flops[name] = float(cube) + float(vector)
                peak = float(rate) / float(use) if float(use or 0) else peak
            times, theirs = executions(case, rank), []
            for r in csv_rows(os.path.join(folder, "step_trace_raw_%d_detail_time.csv" % rank)):
                if r["step_num"] != "-":
                    fp, bp = int(r["fp_point"]) * 10, int(r["bp_point"]) * 10
                    want.append(
                        (
                            r["step_num"],
                            sum(flops.get(t[0], 0) for t in times if fp <= int(t[2]) <= bp)
                            / ((bp - fp) / 1e9)
                            / peak,
                        )
                    )
            got = query(
                unit,
                "SELECT step, utilisation FROM flops_total WHERE rank = %d AND step IS NOT NULL ORDER BY step"
                % rank,
            )
            same = [g[0] for g in got] == [w[0] for w in want] and all(
                abs(float(g[1]) - w[1]) <= 1e-9 * w[1] for g, w in zip(got, want)
            )
            check(
                "%s rank %d use in steps" % (case, rank),
                [g[0] for g in got] if same else got,
                [w[0] for w in want] if same else want,
            )
            with open(os.path.join(folder, "flops_utilization_step_%d.json" % rank)) as f:
                theirs = [float(line.split(",")[1]) / 100 for line in f.read().split("\n")[1:] if line]
            lost = len(times) != len(times_of(os.path.join(folder, "output_timeline_data_%d.txt" % rank)))
            check(
                "%s rank %d use in steps, upstream's" % (case, rank),
                all(
                    abs(float(g[1]) - t) <= 1e-9 * t or (lost and float(g[1]) > t)
                    for g, t in zip(got, theirs)
                ),
                True,
            )


NODES = (
    "SELECT m.graph_id, m.node, n.text, m.used_b, m.size_b, m.allocated_b, m.allocations FROM mem_node m "
    "JOIN string n ON n.id = m.name_id WHERE m.rank = %d ORDER BY m.rowid"
)
TENSORS = (
    "SELECT m.graph_id, n.text, m.size_b, m.born_node, ifnull(m.dies_node, ''), m.kind, m.lifelong FROM "
    "mem_tensor m LEFT JOIN string n ON n.id = m.name_id "
    "WHERE m.rank = %d ORDER BY m.rowid"
)
NODE_NAMES = (
    "SELECT m.graph_id, m.node, f.text FROM mem_node m JOIN string f ON f.id = m.full_name_id WHERE m.rank = "
    "%d"
)
SHAPES = (
    "SELECT m.graph_id, n.text, s.text, f.text, t.text FROM mem_tensor m JOIN string n ON n.id = m.name_id "
    "JOIN string s ON s.id = m.shape_id "
    "LEFT JOIN string f ON f.id = m.format_id LEFT JOIN string t ON t.id = m.type_id WHERE m.rank = %d"
)
MEMORY = "SELECT capacity_b, peak_b, static_b, allocations, deallocations FROM mem_total WHERE rank = %d"


def in_bytes(gb):
    return str(round(gb * 2**30))


def memory_cases():
    """memory_usage_N.pb against memory_usage_{details,summary}, which from r1.7 on has the tensors of the
    first node only."""
    for case in ("graph_text_r13", "graph_text_r15", "graph_r16", "graph_r20"):
        for rank in (0, 1):
            unit, nodes, tensors = os.path.join(DATA, case, "raw"), [], {}
            names, shapes = set(), set()
            with open(os.path.join(DATA, case, "expected/memory_usage_details_%d.json" % rank)) as f:
                for key, g in json.load(f).items():
                    nodes += [
                        (
                            key,
                            str(n["node_id"]),
                            n["name"],
                            in_bytes(line),
                            *(in_bytes(n[k]) for k in ("size", "allocated")),
                            str(n["allocations"]),
                        )
                        for n, line in zip(g["nodes"], g["lines"])
                    ]
                    # Upstream names the ops that have a mean time, npuscope all that Framework names.
                    names |= {(key, str(n["node_id"]), n["fullname"]) for n in g["nodes"] if n["fullname"]}
                    for t in (t for at in g["breakdowns"] for t in at):
                        if t["shape"] is not None:
                            shape = (
                                t["shape"].strip('"')
                                if isinstance(t["shape"], str)
                                else ",".join(str(x) for x in t["shape"])
                            )
                            shapes.add((key, t["tensor_name"], shape, t["format"], t["data_type"]))
                        on = t["life_long"] in ("LifeLongGraphAll", "LifeLongGraphEnd")
                        tensors[(key, t["tensor_id"])] = (
                            key,
                            t["tensor_name"],
                            in_bytes(t["size"]),
                            str(t["life_start"]),
                            "" if on else str(t["life_end"]),
                            "output",
                            t["life_long"],
                        )
            with open(os.path.join(DATA, case, "expected/memory_usage_summary_%d.json" % rank)) as f:
                s = json.load(f)
            check("%s rank %d memory of nodes" % (case, rank), query(unit, NODES % rank), nodes)
            got = set(query(unit, NODE_NAMES % rank))
            check(
                "%s rank %d full names of nodes (%d, of them known upstream)" % (case, rank, len(got)),
                sorted(got & names),
                sorted(names),
            )
            got = set(query(unit, SHAPES % rank))
            check(
                "%s rank %d shapes of tensors (%d, of them upstream)" % (case, rank, len(got)),
                sorted(got & shapes),
                sorted(shapes),
            )
            got = query(unit, TENSORS % rank)
            check(
                "%s rank %d tensors (of %d)" % (case, rank, len(got)),
                sorted(t for t in got if t in set(tensors.values())),
                sorted(tensors.values()),
            )
            check(
                "%s rank %d memory" % (case, rank),
                query(unit, MEMORY % rank),
                [
                    (
                        *(in_bytes(s[k]) for k in ("capacity", "peak_mem", "static_mem")),
                        str(s["allocations"]),
                        str(s["deallocations"]),
                    )
                ],
            )


def both(tmp):
    """Raw data beside the files of its analysis: these are used, and where they differ from it they say
    so."""
    unit = os.path.join(tmp, "both")
    shutil.copytree(os.path.join(DATA, "graph_r20/raw"), unit, copy_function=shutil.copyfile)
    os.chmod(unit, 0o755)
    for rank in (0, 1):
        for name in ("output_timeline_data_%d.txt", "aicpu_intermediate_%d.csv"):
            shutil.copyfile(
                os.path.join(DATA, "graph_r20/expected", name % rank), os.path.join(unit, name % rank)
            )
    notes = query(
        unit,
        "SELECT s.path, n.code, n.text FROM note n JOIN source s ON s.id = n.source_id WHERE s.path LIKE "
        "'output%' OR s.path LIKE 'aicpu%' ORDER BY s.path",
    )
    check(
        "both: where they differ",
        [(n[0], n[1], n[2][n[2].find("; known") :]) for n in notes],
        [
            (
                "output_timeline_data_%d.txt" % rank,
                "DIFFERS",
                "; known of the profiler: executions that overlap others are missing",
            )
            for rank in (0, 1)
        ],
    )
    check(
        "both: op times in use",
        query(unit, TIMES % 0),
        times_of(os.path.join(DATA, "graph_r20/expected/output_timeline_data_0.txt")),
    )


LINKS = (
    "SELECT ifnull(step, 1), src_rank || '-' || dst_rank, transport, sum(time_ns), sum(size_b) FROM "
    "comm_link WHERE rank = %d GROUP BY 1, 2, 3 "
    "ORDER BY 1, 2, 3"
)
COMM = (
    "SELECT ifnull(step, 1), sum(transit_ns), sum(wait_ns), sum(dur_ns - transit_ns - wait_ns - idle_ns) "
    "FROM comm_exec WHERE rank = %d GROUP BY 1 ORDER BY 1"
)


def comm_cases():
    """Traces of communication against hccl_raw. Upstream counts what ran before the first step (r16: the
    first step is left out) in that one; in the second rank's RDMA it loses the waits of the main thread
    (doc/formats/mindspore1.md#hccl_raw), so there the costs differ.
    """
    for case, ranks in (
        ("graph_text_r13", (0,)),
        ("graph_text_r15", (0, 1)),
        ("graph_r16", (0, 1)),
        ("graph_r20", (0, 1)),
    ):
        for rank in ranks:
            unit, links, costs = os.path.join(DATA, case, "raw"), [], []
            for r in csv_rows(os.path.join(DATA, case, "expected/hccl_raw_%d.csv" % rank)):
                if r["step_num"] != "-":
                    for pair, kinds in json.loads(r["link_info"]).items():
                        links += [
                            (r["step_num"], pair, kind, str(round(v[0] * 1e6)), str(round(v[1] * 1e3)))
                            for kind, v in kinds.items()
                        ]
                    costs.append(
                        (
                            r["step_num"],
                            str(round(float(r["communication_cost"]) * 1e6)),
                            str(round(float(r["wait_cost"]) * 1e6)),
                            "0",
                        )
                    )
            check("%s rank %d links" % (case, rank), query(unit, LINKS % rank), sorted(links))
            got = query(unit, COMM % rank)
            if rank:
                check(
                    "%s rank %d steps with communication" % (case, rank),
                    [g[0] for g in got],
                    [c[0] for c in costs],
                )
            else:
                check("%s rank %d communication" % (case, rank), got, costs)


def panes(tmp):
    """The program itself: ops of the device by type, although statistics of host ops lie beside the raw
    files."""
    program, unit = os.path.join(os.path.dirname(TOOL), "../../npuscope"), os.path.join(DATA, "graph_r20/raw")

    def run(*words):
        p = subprocess.run(
            [program, *words, "--rank=0", unit],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(os.environ, XDG_CACHE_HOME=os.path.join(tmp, "cache")),
        )
        return p.stdout.decode()

    got = [
        (r["type"], r["calls"]) for r in csv.DictReader(run("ops", "--by=type", "--format=csv").splitlines())
    ]
    execs = query(unit, EXECS % 0)
    want = {t: sum(1 for e in execs if e[1] == t) for t in {e[1] for e in execs}}
    check("graph_r20 ops by type", sorted(got), sorted((t, str(n)) for t, n in want.items()))
    report = run("report")
    check(
        "graph_r20 findings: missing files, no contradiction",
        ("FIL-03" in report, "CON-" in report),
        (True, False),
    )


with tempfile.TemporaryDirectory() as tmp:
    job3(tmp)
    both(tmp)
    panes(tmp)
overlap_cases()
flops_cases()
step_flops_cases()
memory_cases()
comm_cases()
aicpu_cases()
step_cases()
generated("graph_text_r13")
generated("graph_text_r15")
for case in ("graph_r16", "graph_r20", "graph_dyn_r20"):
    binary(case)
sys.exit(1 if bad else 0)
