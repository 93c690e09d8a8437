#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed and memory beside the peers, on the same files in one run: every row of the performance targets.

usage: bench.py NPUSCOPE SAMPLES_BENCH WORKDIR [--quick] [ITEM...]

Prints, for each target, our figure, the other side's, their ratio and whether the target is met; the same
goes to WORKDIR/results.json. Figures are medians of alternating runs after a warm-up. Seconds are for
orientation: the ratios are the result. --quick uses small and middle sizes, one round. The exit status is
1 when a target on memory or store size is missed or an item could not be measured; a time ratio that
misses its target is printed and does not change the status, since shared machines are too noisy for that.
"""
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys

import inputs
import logs
import measure
from measure import Failed

TRACE_EVENTS = {"small": 10**5, "middle": 10**6, "large": 10**7}
# MindStudio Insight's figures stand in the performance targets, measured on another machine.
INSIGHT_T6_S, INSIGHT_T6_STORE_B = 2.93, 177e6
IMPORT_MIB = 512  # LIM_IMPORT_B
MSPROF_S = 240  # for 10^6 tasks on two cores
INSIGHT_FRAME_MS = {10**6: 253, 10**7: 1068}


class Bench:
    """What the items share: the program, the inputs, the sizes of this run."""

    def __init__(self, npuscope, samples, work, quick):
        self.npuscope, self.work, self.quick = npuscope, work, quick
        self.rounds = 1 if quick else 5
        self.inputs = inputs.Inputs(samples, os.path.join(work, "inputs"))
        self.store = os.path.join(work, "ours.npus")
        self.other = os.path.join(work, "peer.db")
        self.cache = os.path.join(work, "home", "cache")
        self.env = {
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "XDG_CACHE_HOME": self.cache,
            "HOME": os.path.join(work, "home"),
        }
        os.makedirs(self.env["HOME"], exist_ok=True)
        self.rows = []
        self.imports = {}

    # What an item says.

    def line(self, item, what, against, ours, other, ratio, target, met, hard=False):
        """One result: figures as text, the ratio as a number, met as truth or None where nothing is asked."""
        self.rows.append(
            {
                "item": item,
                "what": what,
                "against": against,
                "ours": ours,
                "other": other,
                "ratio": round(ratio, 4),
                "target": target,
                "met": met,
                "hard": hard,
            }
        )
        state = "-" if met is None else "met" if met else "MISSED"
        print(
            f"{item:<4} {what:<38.38} {against:<30.30} {ours:>12} {other:>12} {ratio:>8.3g}  {target:<22} "
            f"{state}",
            flush=True,
        )

    def faster(self, item, what, against, sides, peer, target):
        """Ours is to be so many times faster than the peer."""
        if peer not in sides:
            print(f"{item:<4} {what}: {against} is not installed, not compared", flush=True)
            return
        ratio = sides[peer]["s"] / sides["ours"]["s"]
        self.line(
            item,
            what,
            against,
            f"{sides['ours']['s']:.3f} s",
            f"{sides[peer]['s']:.3f} s",
            ratio,
            f">= {target} times faster",
            ratio >= target,
        )

    def at_most(self, item, what, against, ours, other, unit, times, hard=False, limit=None):
        """Ours is to be at most so many times the other, and below the limit if one is given."""
        ratio = ours / other if other else math.inf
        target = f"<= {times} times" + (f", <= {limit} {unit}" if limit else "")
        self.line(
            item,
            what,
            against,
            f"{ours:.4g} {unit}",
            f"{other:.4g} {unit}",
            ratio,
            target,
            ratio <= times and (limit is None or ours <= limit),
            hard,
        )

    # What items use.

    def clean(self):
        for path in (self.store, self.other):
            for end in ("", "-wal", "-shm", "-journal"):
                if os.path.exists(path + end):
                    os.remove(path + end)

    def import_argv(self, path):
        return [self.npuscope, "import", f"--db={self.store}", path]

    def imported(self, events):
        """Medians of importing a trace of so many events and the store's bytes; measured once."""
        if events not in self.imports:
            trace = self.inputs.trace(events)
            m = measure.sides(self.import_argv(trace), [], min(self.rounds, 3), self.clean)["ours"]
            m["store_b"], m["input_b"] = os.path.getsize(self.store), os.path.getsize(trace)
            self.imports[events] = m
        return self.imports[events]

    def forget(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def first_screen(self, unit, wanted, cold, limit=120):
        """Median seconds from start to a screen with all of the texts, cold or warm cache."""
        took = []
        for i in range(self.rounds + 1):
            if cold:
                self.forget()
            s = measure.Screen([self.npuscope, "--no-state", unit], self.env)
            try:
                took.append(s.until(wanted, limit))
            finally:
                s.end()
        return measure.median(took[1:])

    def keys(self, path, keys, size=(80, 24), pane="5"):
        """What the program says of so many keys typed into its own draw code, and its peak memory."""
        script = os.path.join(self.work, "keys.txt")
        with open(script, "w", encoding="ascii") as f:
            f.write(" ".join([pane] + keys) + "\n")
        s = measure.Screen([self.npuscope, "--no-state", f"--bench-keys={script}", path], self.env, *size)
        try:
            while True:
                s.read(1.0)
                found = re.search(rb"frames .*max_ms [0-9.]+(?: peak_kib (\d+))?", s.seen)
                if found:
                    break
        except Failed:
            found = re.search(rb"frames .*max_ms [0-9.]+(?: peak_kib (\d+))?", s.seen)
        finally:
            s.end()
        if not found:
            raise Failed("the program printed no figures: " + repr(s.seen[-200:]))
        words = found.group(0).decode().split()
        return {k: float(v) for k, v in zip(words[0::2], words[1::2])}

    def frames_of(self, paths, keys, size):
        """Median frame in ms of the same keys over each path: of rounds in turn, which share what disturbs."""
        took = [[] for _ in paths]
        for _ in range(1 if self.quick else 3):
            for path, ms in zip(paths, took):
                ms.append(self.keys(path, keys, size, pane="")["p50_ms"])
        return [measure.median(ms) for ms in took]

    def growth_mib(self):
        """How many times as much memory ten times the events may take: of the sizes of --quick the smaller is
        mostly the program itself."""
        return 3 if self.quick else 1.5

    def sizes(self):
        return [TRACE_EVENTS["small"], TRACE_EVENTS["middle"]] + (
            [] if self.quick else [TRACE_EVENTS["large"]]
        )


# ---- items: one function a group of targets ----


def trace_import(b):
    trace = b.inputs.trace(10**6)
    peers = [
        ("python", ["python3", b.inputs.peer("py_trace"), trace, b.other]),
        ("jq", ["jq", "length", trace]),
        ("simdjson", [b.inputs.peer("sjpass"), trace]),
    ]
    s = measure.sides(b.import_argv(trace), peers, b.rounds, b.clean)
    b.faster("P1", "import of a trace, 10^6 events", "Python json + sqlite3", s, "python", 20)
    b.faster("P2", "import of a trace, 10^6 events", "jq length", s, "jq", 10)
    if "simdjson" in s:
        b.at_most(
            "P3",
            "import of a trace, 10^6 events",
            "simdjson pass, no store",
            s["ours"]["s"],
            s["simdjson"]["s"],
            "s",
            1.2,
        )
    m = b.imported(10**6)
    b.line(
        "P4",
        "import of a trace, 10^6 events",
        "Insight, figure of the targets",
        f"{m['s']:.3f} s",
        f"{INSIGHT_T6_S} s",
        INSIGHT_T6_S / m["s"],
        ">= 10 times faster",
        INSIGHT_T6_S / m["s"] >= 10,
    )
    b.line(
        "P4",
        "store of a trace, 10^6 events",
        "Insight, figure of the targets",
        f"{m['store_b'] / 1e6:.1f} MB",
        f"{INSIGHT_T6_STORE_B / 1e6:.0f} MB",
        m["store_b"] / INSIGHT_T6_STORE_B,
        "<= 1/5",
        m["store_b"] * 5 <= INSIGHT_T6_STORE_B,
    )


def csv_import(b):
    rows = 10**5 if b.quick else 10**6
    for kind, target in (("op_summary", 2.5), ("task_time", 3.5), ("operator_memory", 3.5)):
        table = b.inputs.table(kind, rows)
        peers = [
            (
                "sqlite3",
                [
                    "sqlite3",
                    b.other,
                    "PRAGMA journal_mode=OFF",
                    "PRAGMA synchronous=OFF",
                    ".mode csv",
                    f".import {table} t",
                ],
            )
        ]
        if kind == "op_summary":
            peers.append(("python", ["python3", b.inputs.peer("py_csv"), table, b.other]))
        s = measure.sides(b.import_argv(table), peers, min(b.rounds, 3), b.clean)
        b.faster("P5", f"import of {kind}, {rows} rows", "sqlite3 .import", s, "sqlite3", target)
        if kind == "op_summary":
            b.faster("P6", f"import of {kind}, {rows} rows", "Python csv + sqlite3", s, "python", 2.5)
        peak = s["ours"]["peak_mib"]
        b.line(
            "-",
            f"peak memory, {kind}",
            "limit of a CSV import",
            f"{peak:.0f} MiB",
            "300 MiB",
            peak / 300,
            "<= 300 MiB",
            peak <= 300,
            True,
        )


def unit_of(case, k=0):
    return os.path.join(case, sorted(d for d in os.listdir(case) if d.endswith("_ascend_ms"))[k])


WHOLE = (b"Where a step goes",)
USEFUL = (b"Where a step goes",)


def start(b):
    small = unit_of(b.inputs.case("S"))
    cat = measure.sides(["sh", "-c", f"find {small} -type f -exec cat {{}} + >/dev/null"], [], b.rounds)[
        "ours"
    ]["s"]
    cold = b.first_screen(small, WHOLE, True)
    b.at_most(
        "P9", "cold start, case S, whole first screen", "cat of the same files", cold, cat, "s", 25, limit=0.2
    )
    useful = b.first_screen(small, USEFUL, True)
    for size in "M" if b.quick else "ML":
        other = b.first_screen(unit_of(b.inputs.case(size)), USEFUL, True)
        b.at_most("P10", f"cold start, case {size}, useful screen", "case S", other, useful, "s", 1.5)


def warm(b):
    events = b.sizes()[-1]
    trace = b.inputs.trace(events)
    b.forget()
    measure.run([b.npuscope, "import", trace], {**os.environ, **b.env})
    stores = [
        os.path.join(d, f)
        for d, _, fs in os.walk(b.cache)
        for f in fs
        if not f.startswith(("state", "history"))
    ]
    largest = max(stores, key=os.path.getsize)
    select = measure.sides(["sqlite3", largest, "select 1"], [], b.rounds)["ours"]["s"]
    took = b.first_screen(trace, (b"Triage",), False)
    b.at_most(
        "P11",
        f"warm start, {events} events",
        'sqlite3 FILE "select 1"',
        took * 1e3,
        select * 1e3,
        "ms",
        10,
        limit=50,
    )
    s = measure.Screen([b.npuscope, "--no-state", unit_of(b.inputs.case("S"))], b.env)
    try:
        s.until(WHOLE)
        s.settle()
        s.press(b"3")
        s.settle()
        s.press(b"j")
        moved = s.settle()
        if not moved:
            raise Failed("the cursor does not move")
        b.at_most("P22", "bytes to the terminal, one row down in Ops", "limit", moved, 400, "B", 1)
        woke = s.wakeups(3 if b.quick else 10)
        b.line("P23", "wake-ups when nothing happens", "none", str(woke), "0", woke, "0", woke == 0)
    finally:
        s.end()


def zoom_keys(n, seed=7):
    """Random zooms, pans and moves, never out at the whole run for long."""
    r = random.Random(seed)
    return [r.choice("w w w s s a d a d j k l h".split()) for _ in range(n)]


def frames(b):
    n = 300 if b.quick else 2000
    for size in ((80, 24), (200, 60)):
        runs = {events: [] for events in b.sizes()}
        for _ in range(1 if b.quick else 5):  # in turn: one p99 is that of a few frames
            for events in b.sizes():
                runs[events].append(b.keys(b.inputs.trace(events), zoom_keys(n), size))
        got = {events: sorted(r, key=lambda k: k["p99_ms"])[len(r) // 2] for events, r in runs.items()}
        few, many = b.sizes()[0], b.sizes()[-1]
        b.at_most(
            "P12",
            f"timeline frame p99, {many} events, {size[0]}x{size[1]}",
            f"{few} events",
            got[many]["p99_ms"],
            got[few]["p99_ms"],
            "ms",
            3,
            limit=16,
        )
        for events in b.sizes()[1:]:
            ratio = INSIGHT_FRAME_MS[events] / got[events]["p50_ms"]
            b.line(
                "P21",
                f"timeline frame p50, {events} events",
                "Insight, figure of the targets",
                f"{got[events]['p50_ms']:.3g} ms",
                f"{INSIGHT_FRAME_MS[events]} ms",
                ratio,
                ">= 100 times faster",
                ratio >= 100,
            )
        if "peak_kib" in got[many]:
            mid = b.sizes()[-2]
            b.at_most(
                "P17",
                f"peak of the browser, {many} events",
                f"{mid} events",
                got[many]["peak_kib"] / 1024,
                got[mid]["peak_kib"] / 1024,
                "MiB",
                b.growth_mib(),
                True,
                64,
            )


EXECUTIONS = "3 V".split()  # the last view of Ops
BY_DURATION = [*":sort", "Space", *"-dur_ns", "Enter"]
BY_START = [*":sort", "Space", *"-ts_ns", "Enter"]
# The name, the keys before those that are counted, those, and the limit in ms; None: 1.5 times that of 10^4
# rows.
TABLE_KEYS = (
    ("row down", EXECUTIONS, ["j"] * 400, None),
    ("page down", EXECUTIONS, ["PgDn"] * 150, None),
    ("first and last row", EXECUTIONS, ["G", "g"] * 200, None),
    ("by duration, row down", EXECUTIONS + BY_DURATION, ["j"] * 400, None),
    ("by duration, page down", EXECUTIONS + BY_DURATION, ["PgDn"] * 150, None),
    ("by duration, first and last row", EXECUTIONS + BY_DURATION, ["G", "g"] * 200, None),
    ("first sort of a column", EXECUTIONS + BY_DURATION[:-1], ["Enter"], 250),
    ("later sort", EXECUTIONS + BY_START + BY_DURATION + BY_START[:-1], ["Enter"], 60),
    ("reverse", EXECUTIONS + BY_DURATION, ["I"], 60),
)


def table_keys(b):
    """From a key to the frame in a table of executions, in the order of the file and sorted."""
    few, many = 10**4, 10**5 if b.quick else 10**6
    for size in ((80, 24), (200, 60)):
        for what, before, keys, limit in TABLE_KEYS:
            got = b.frames_of(
                [b.inputs.table("op_summary", n) for n in ((few, many) if limit is None else (many,))],
                before + ["--"] + keys,
                size,
            )
            what = f"{size[0]}x{size[1]}, {many} rows: {what}"
            if limit is None:
                b.at_most("P13", what, f"{few} rows", got[1], got[0], "ms", 1.5)
            else:
                b.at_most("P13", what, "limit", got[0], limit, "ms", 1)


def tables(b):
    """What tests/bench/rows measures of the model: sorting, filters beside `rg -c`, memory."""
    program = os.path.join(os.path.dirname(b.npuscope), "tests", "bench", "rows")
    rows = 10**5 if b.quick else 10**6
    with subprocess.Popen(
        [program, os.path.join(b.work, "rows"), str(rows)], stdout=subprocess.PIPE, text=True
    ) as child:
        for r in map(json.loads, child.stdout):
            item, what = r["item"].split(" ", 1) if r["item"].startswith("P") else ("-", r["item"])
            if "peak_mib" in r:
                b.line(
                    item,
                    what,
                    "limit",
                    f"{r['peak_mib']:.0f} MiB",
                    f"{r['limit']:.0f} MiB",
                    r["peak_mib"] / r["limit"],
                    f"<= {r['limit']:.0f} MiB",
                    r["ok"],
                    True,
                )
            elif "peer" in r:
                b.line(
                    item,
                    what,
                    r["peer"],
                    f"{r['ours_ms']:.3g} ms",
                    f"{r['peer_ms']:.3g} ms",
                    r["ratio"],
                    f"<= {r['limit']:g} times" if "limit" in r else "",
                    r.get("ok"),
                )
            elif "limit" in r:
                b.line(
                    item,
                    what,
                    "limit",
                    f"{r['ours_ms']:.3g} ms",
                    f"{r['limit']:.3g} ms",
                    r["ours_ms"] / r["limit"],
                    f"<= {r['limit']:.3g} ms",
                    r["ok"],
                )
            else:
                b.line(item, what, "-", f"{r['ours_ms']:.3g} ms", "-", 0, "-", None)
    if child.returncode:
        raise Failed(f"{program} ended with status {child.returncode}")


def memory_and_size(b):
    few, many = b.sizes()[-2], b.sizes()[-1]
    m = b.imported(many)
    b.at_most(
        "P16",
        f"peak memory of import, {many} events",
        f"{few} events",
        m["peak_mib"],
        b.imported(few)["peak_mib"],
        "MiB",
        b.growth_mib(),
        True,
        128,
    )
    for events in (10**6, many) if many != 10**6 else (many,):
        m = b.imported(events)
        b.line(
            "P18",
            f"store, {events} events",
            "bytes of the JSON",
            f"{m['store_b'] / 1e6:.1f} MB",
            f"{m['input_b'] / 1e6:.0f} MB",
            m["store_b"] / m["input_b"],
            "<= 0.08",
            m["store_b"] <= 0.08 * m["input_b"],
            True,
        )
        b.line(
            "P18",
            f"store, {events} events",
            "bytes per event",
            f"{m['store_b'] / events:.1f} B",
            "16 B",
            m["store_b"] / events / 16,
            "<= 16 bytes",
            m["store_b"] <= 16 * events,
            True,
        )


def growth(b):
    few, many = b.sizes()[0], b.sizes()[-1]
    e = math.log(b.imported(many)["s"] / b.imported(few)["s"]) / math.log(many / few)
    b.line(
        "P19",
        f"growth exponent, {few} to {many} events",
        "1",
        f"{b.imported(many)['s']:.3f} s",
        f"{b.imported(few)['s']:.3f} s",
        e,
        "<= 1.05",
        e <= 1.05,
    )


def ranks(b):
    many = b.inputs.case("S", 8)
    s = {}
    for name, path, jobs in (("one", unit_of(many), 1), ("eight", many, 2)):
        took = []
        for _ in range(b.rounds + 1):
            b.forget()
            took.append(
                measure.run([b.npuscope, "import", f"--jobs={jobs}", path], {**os.environ, **b.env})["s"]
            )
        s[name] = measure.median(took[1:])
    b.at_most("P20", "eight ranks of case S, two jobs", "one rank", s["eight"], s["one"], "s", 5.5)


def many_ranks(b):
    """The first screen of a job of many ranks, its stores in the cache, and frames on it."""
    n = 100 if b.quick else 1000
    job = os.path.join(b.work, "inputs", f"job{n}")
    if not os.path.isdir(job):
        os.makedirs(os.path.dirname(job), exist_ok=True)
        argv = [b.npuscope, "demo", "-q", f"--ranks={n}", "--steps=2", "--size=1k", job + ".tmp"]
        measure.run(argv, dict(b.env))
        os.rename(job + ".tmp", job)
    measure.run([b.npuscope, "triage", "-q", job], dict(b.env))
    took = b.first_screen(job, [b"VERDICT", b"Rank"], False)
    b.at_most("P27", f"first screen of {n} ranks, warm", "limit", took, 2.0, "s", 1)
    moves = ["1"] + ["j"] * 100 + ["k"] * 100 + ["3", "1", "4", "1"] * 50
    for size in ((80, 24), (200, 60)):
        p99 = b.keys(job, moves, size, "1")["p99_ms"]
        b.at_most("P27", f"its frames p99, {size[0]}x{size[1]}", "limit", p99, 16, "ms", 1)


def sharing(b):
    """Eight imports at once: together they take no more than one may."""
    folder = b.inputs.demo(b.npuscope, 8, 10**5 if b.quick else 4 * 10**5)
    b.forget()
    most, count = measure.children_mib([b.npuscope, "import", "--jobs=8", folder], {**os.environ, **b.env})
    if count < 8:
        raise Failed(f"only {count} imports ran at the same time")
    b.line(
        "-",
        "memory of eight imports at once",
        "limit of the importer",
        f"{most:.0f} MiB",
        f"{IMPORT_MIB} MiB",
        most / IMPORT_MIB,
        f"<= {IMPORT_MIB} MiB",
        most <= IMPORT_MIB,
        True,
    )


def sample(b):
    """A real trace repeated, beside a generated one of the same size: what the generator does not have must
    not make the difference."""
    size = 20 * 10**6 if b.quick else 200 * 10**6
    made = b.inputs.sample(size)
    if not made:
        print("sample: the real trace is not here, not compared", flush=True)
        return
    events = 10**5 if b.quick else 10**6
    (path, n), generated = made, b.inputs.trace(events)
    s = measure.sides(
        b.import_argv(path), [("generated", b.import_argv(generated))], min(b.rounds, 3), b.clean
    )
    per_mb = {
        "ours": s["ours"]["s"] / os.path.getsize(path) * 1e9,
        "generated": s["generated"]["s"] / os.path.getsize(generated) * 1e9,
    }
    b.at_most(
        "-",
        "import of a real trace, repeated",
        "generated, by size",
        per_mb["ours"],
        per_mb["generated"],
        "ms/MB",
        1.5,
    )
    b.at_most(
        "-",
        "peak memory, real trace repeated",
        "generated, by size",
        s["ours"]["peak_mib"],
        s["generated"]["peak_mib"],
        "MiB",
        1.5,
        True,
    )
    bytes_of = {}
    for trace, count in ((path, n), (generated, events)):
        b.clean()
        measure.run(b.import_argv(trace))
        bytes_of[trace] = os.path.getsize(b.store) / count
    b.at_most(
        "-",
        "store of a real trace, repeated",
        "generated, by event",
        bytes_of[path],
        bytes_of[generated],
        "B",
        1.5,
        True,
    )
    keys = zoom_keys(300 if b.quick else 2000)
    got = [(b.keys(path, keys)["p99_ms"], b.keys(generated, keys)["p99_ms"]) for _ in range(b.rounds)]
    ours, other = (measure.median([g[i] for g in got]) for i in (0, 1))
    b.at_most("-", "frame p99, real trace repeated", "generated", ours, other, "ms", 1.5, limit=16)


def packed(b):
    """A packed trace is unpacked as it is read."""
    plain = b.inputs.trace(10**6)
    s = measure.sides(
        b.import_argv(b.inputs.packed(plain)), [("plain", b.import_argv(plain))], min(b.rounds, 3), b.clean
    )
    b.at_most(
        "-",
        "peak memory, trace_view.json.gz",
        "the same file, plain",
        s["ours"]["peak_mib"],
        s["plain"]["peak_mib"],
        "MiB",
        1.2,
        True,
        128,
    )


def files(b):
    """A unit of 200 000 files, the most that are listed: memory of import and browser, and how time grows."""
    sizes = (5000, 20000) if b.quick else (49000, 199000)
    took = {}
    for n in sizes:
        folder = b.inputs.many_files(b.npuscope, n)
        took[n] = measure.sides(b.import_argv(folder), [], min(b.rounds, 3), b.clean)["ours"]
    few, many = sizes
    linear = took[few]["cpu_s"] * many / few
    cpu = took[many]["cpu_s"]
    b.at_most("-", f"import beside {many} files, processor", f"{few} files, for each", cpu, linear, "s", 1.2)
    peak = took[many]["peak_mib"]
    b.at_most("-", f"peak memory of import, {many} files", "limit", peak, 64, "MiB", 1, True)
    b.forget()
    peak = b.keys(b.inputs.many_files(b.npuscope, many), ["j", "G", "g"] * 20, pane="2")["peak_kib"] / 1024
    b.at_most("-", f"peak of the browser, {many} files", "limit", peak, 64, "MiB", 1, True)


def archives(b):
    """An archive that is opened, beside unpacking it with tar or unzip and importing the folder; no cache on
    either side."""
    folder = b.inputs.demo(b.npuscope, 1, 10**5 if b.quick else 10**6)
    out = os.path.join(b.work, "unpacked")
    env = ["env", f"XDG_CACHE_HOME={b.cache}"]
    unpack = {".zip": 'unzip -q -d "$1" "$2"'}
    both = 'mkdir "$1" && %s && exec "$3" import -q "$1"'

    def fresh():
        b.forget()
        shutil.rmtree(out, ignore_errors=True)

    for end in (".tar", ".tar.gz", ".tar.xz", ".tar.zst", ".zip"):
        path = b.inputs.archive(folder, end)
        if not path:
            print(f"-    archive {end}: cannot be made here, not measured", flush=True)
            continue
        how = unpack.get(end, 'tar -C "$1" -xf "$2"')
        peer = env + ["sh", "-c", both % how, "sh", out, path, b.npuscope]
        s = measure.sides(env + [b.npuscope, "import", "-q", path], [("tar", peer)], b.rounds, fresh)
        for unit, what in (("s", "time"), ("cpu_s", "processor")):
            ours, other = s["ours"][unit], s["tar"][unit]
            b.at_most("-", f"import of a {end}, {what}", f"{how.split()[0]}, import", ours, other, "s", 1.3)
    fresh()


def raw(b):
    """Raw data of generation 1: how soon the end of a run is told, and a whole reading beside a loop over the
    records."""
    records = 10**6 if b.quick else 10**7
    folder = b.inputs.raw(b.npuscope, records)
    took = b.first_screen(folder, (b"complete steps", b"Last activity"), True)
    b.at_most("-", f"first triage facts, {records} records", "limit", took, 1.0, "s", 1)
    shutil.rmtree(folder)
    folder = b.inputs.raw(b.npuscope, records, False)
    loop = [
        "python3",
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "hwts_text.py"),
        folder,
        b.other,
    ]
    # a run that died is read with the status of damaged input
    ours = ["sh", "-c", '"$@"; [ $? -eq 4 ]', "sh"] + b.import_argv(folder)
    s = measure.sides(ours, [("python", loop)], min(b.rounds, 3), b.clean)
    b.faster("-", f"{records} HWTS records to tables", "Python loop to text lines", s, "python", 5)
    b.line(
        "-",
        f"peak memory, {records} HWTS records",
        "limit",
        f"{s['ours']['peak_mib']:.0f} MiB",
        "300 MiB",
        s["ours"]["peak_mib"] / 300,
        "<= 300 MiB",
        s["ours"]["peak_mib"] <= 300,
        True,
    )
    shutil.rmtree(folder)


def prof(b):
    """Raw PROF folders of today's CANN: export as msprof does it, beside a loop over the same records and
    `cat`; import; the first screen."""
    sizes = (10**4, 10**5) if b.quick else (10**5, 10**6)
    out = os.path.join(b.work, "prof-out")

    def fresh():
        b.clean()
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)

    took = {}
    loop = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prof_struct.py")
    for tasks in sizes:
        folder = b.inputs.prof(tasks)
        peers = [
            ("python", ["python3", loop, folder]),
            ("cat", ["sh", "-c", f"find {folder} -type f -exec cat {{}} + >/dev/null"]),
        ]
        took[tasks] = measure.sides(
            [b.npuscope, "export", "summary", "-dir", folder, f"--output={out}"],
            peers if tasks == sizes[-1] else [],
            min(b.rounds, 3),
            fresh,
        )
    tasks, folder, s = sizes[-1], b.inputs.prof(sizes[-1]), took[sizes[-1]]
    records, size, _ = map(int, measure.run(["python3", loop, folder], keep=True)["out"].split())
    ours = s["ours"]
    for unit, n in (("records/s", records), ("MB/s", size / 1e6)):
        for peer, against in (("python", "Python struct loop"), ("cat", "cat of the same files")):
            b.line(
                "P8",
                f"export of {tasks} tasks, {unit}",
                against,
                f"{n / ours['s']:.4g}",
                f"{n / s[peer]['s']:.4g}",
                s[peer]["s"] / ours["s"],
                "-",
                None,
            )
    msprof = MSPROF_S * tasks / 10**6
    b.line(
        "P8",
        f"export of {tasks} tasks",
        "msprof, figure of the targets",
        f"{ours['s']:.3f} s",
        f"{msprof:.1f} s",
        msprof / ours["s"],
        ">= 20 times faster",
        msprof / ours["s"] >= 20,
    )
    b.line(
        "P8",
        f"peak memory, export of {tasks} tasks",
        "limit",
        f"{ours['peak_mib']:.0f} MiB",
        "320 MiB",
        ours["peak_mib"] / 320,
        "<= 320 MiB",
        ours["peak_mib"] <= 320,
        True,
    )
    few = took[sizes[0]]["ours"]
    for n in sizes:
        fresh()
        peak = measure.run(
            [b.npuscope, "export", "summary", "-dir", b.inputs.prof(n), f"--output={out}"],
            {**os.environ, **b.env, "NPUSCOPE_MEMORY": "64"},
        )["peak_mib"]
        b.line(
            "P8",
            f"the same, {n} tasks, 64 MiB for arrays",
            "limit",
            f"{peak:.0f} MiB",
            "224 MiB",
            peak / 224,
            "<= 224 MiB",
            peak <= 224,
            True,
        )
    growth_of = math.log(ours["cpu_s"] / few["cpu_s"]) / math.log(sizes[1] / sizes[0])
    b.line(
        "P8",
        f"growth exponent, {sizes[0]} to {tasks} tasks",
        "1",
        f"{ours['cpu_s']:.3f} s",
        f"{few['cpu_s']:.3f} s",
        growth_of,
        "<= 1.05",
        growth_of <= 1.05,
    )
    m = measure.sides(b.import_argv(folder), [], min(b.rounds, 3), fresh)["ours"]
    b.line(
        "P8",
        f"import of {tasks} tasks",
        "msprof, figure of the targets",
        f"{m['s']:.3f} s",
        f"{msprof:.1f} s",
        msprof / m["s"],
        ">= 20 times faster",
        msprof / m["s"] >= 20,
    )
    b.line(
        "P8",
        f"peak memory, import of {tasks} tasks",
        "limit of the importer",
        f"{m['peak_mib']:.0f} MiB",
        f"{IMPORT_MIB} MiB",
        m["peak_mib"] / IMPORT_MIB,
        f"<= {IMPORT_MIB} MiB",
        m["peak_mib"] <= IMPORT_MIB,
        True,
    )
    first = b.first_screen(folder, (b"complete steps", b"Last activity"), True)
    b.at_most("P8", f"first triage facts, {tasks} tasks", "limit", first, 2.0, "s", 1)
    shutil.rmtree(out)


def offline(b):
    """Analysis of a rank folder that was never analysed, beside the least that Python does after msprof's
    export."""
    sizes = (10**4, 10**5) if b.quick else (10**5, 10**6)
    out, exported = os.path.join(b.work, "offline-out"), os.path.join(b.work, "offline-exported")
    loop = os.path.join(os.path.dirname(os.path.abspath(__file__)), "offline_python.py")

    def fresh():
        b.clean()
        shutil.rmtree(out, ignore_errors=True)

    few, many = sizes
    shutil.rmtree(exported, ignore_errors=True)
    measure.run([b.npuscope, "export", "text", "-dir", b.inputs.prof(few), f"--output={exported}"])
    took = {}
    for n in sizes:
        ours = [b.npuscope, "analyse", "-q", f"--output={out}", b.inputs.rank(n)]
        peers = [("python", ["python3", loop, b.inputs.rank(few), exported, out + "-python"])]
        took[n] = measure.sides(ours, peers if n == few else [], min(b.rounds, 3), fresh)
    ours, python = took[few]["ours"], took[few]["python"]
    msprof = MSPROF_S * few / 10**6
    b.line(
        "P25",
        f"analysis of {few} kernels",
        "the least of Python, after msprof",
        f"{ours['s']:.3f} s",
        f"{python['s']:.1f} s",
        python["s"] / ours["s"],
        "-",
        None,
    )
    b.line(
        "P25",
        f"analysis of {few} kernels",
        "the same and msprof (figure)",
        f"{ours['s']:.3f} s",
        f"{python['s'] + msprof:.1f} s",
        (python["s"] + msprof) / ours["s"],
        ">= 20 times faster",
        (python["s"] + msprof) / ours["s"] >= 20,
    )
    peak = took[many]["ours"]["peak_mib"]
    b.at_most("P25", f"peak memory, analysis of {many} kernels", "limit", peak, 320, "MiB", 1, True)
    first = b.first_screen(b.inputs.rank(many), (b"complete steps", b"Last activity"), True)
    b.at_most("P25", f"first triage facts, {many} kernels", "limit", first, 2.0, "s", 1)
    growth_of = math.log(took[many]["ours"]["cpu_s"] / ours["cpu_s"]) / math.log(many / few)
    b.line(
        "P25",
        f"growth exponent, {few} to {many} kernels",
        "1",
        f"{took[many]['ours']['cpu_s']:.3f} s",
        f"{ours['cpu_s']:.3f} s",
        growth_of,
        "<= 1.05",
        growth_of <= 1.05,
    )
    for folder in (out, exported, out + "-python"):
        shutil.rmtree(folder, ignore_errors=True)


def vendor_database(b):
    """A database of the profilers against SQLite's own reading of the same columns: with all counters of an
    execution, and with two, where most rows are tasks and calls."""
    for mib, metrics, what in ((2000, None, "28 counters a task"), (700, 2, "2 counters a task")):
        mib = 300 if b.quick else mib
        folder, path, sql = b.inputs.database(b.npuscope, mib, metrics)
        peer = ("sqlite3", ["sqlite3", "-readonly", path, sql])
        s = measure.sides(b.import_argv(folder), [peer], min(b.rounds, 3), b.clean)
        what = f"database of {mib} MiB, {what}"
        if "sqlite3" in s:
            b.at_most("P24", what, "sqlite3, sum(length())", s["ours"]["s"], s["sqlite3"]["s"], "s", 1.5)
        b.at_most("P24", f"peak memory, {what}", "limit", s["ours"]["peak_mib"], 128, "MiB", 1, True)


ITEMS = {
    "trace": trace_import,
    "csv": csv_import,
    "start": start,
    "warm": warm,
    "frames": frames,
    "keys": table_keys,
    "tables": tables,
    "memory": memory_and_size,
    "growth": growth,
    "ranks": ranks,
    "job": many_ranks,
    "sharing": sharing,
    "sample": sample,
    "packed": packed,
    "archives": archives,
    "files": files,
    "raw": raw,
    "prof": prof,
    "offline": offline,
    "database": vendor_database,
    "logs": logs.item,
}


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    wanted = args[3:] or list(ITEMS)
    if len(args) < 3 or any(w not in ITEMS for w in wanted):
        print(__doc__.strip(), "\nITEM is one of:", " ".join(ITEMS))
        sys.exit(2)
    npuscope, samples, work = (os.path.abspath(a) for a in args[:3])
    if not os.path.exists(os.path.join(samples, "gen.c")):
        print("skipped: the generators of big inputs are not here")
        sys.exit(77)
    os.makedirs(work, exist_ok=True)
    b = Bench(npuscope, samples, work, "--quick" in sys.argv)
    failed = []
    print(f"{'':<4} {'what':<38} {'against':<30} {'ours':>12} {'other':>12} {'ratio':>8}  target")
    for name in wanted:
        try:
            ITEMS[name](b)
        except (Failed, OSError) as e:
            failed.append(name)
            print(f"{name}: could not be measured: {e}", flush=True)
    b.clean()
    with open(os.path.join(work, "results.json"), "w", encoding="utf-8") as f:
        json.dump({"quick": b.quick, "results": b.rows, "not_measured": failed}, f, indent=1)
    missed = [r for r in b.rows if r["met"] is False]
    print(
        f"{len(b.rows)} figures, {sum(r['met'] is True for r in b.rows)} targets met, {len(missed)} missed, "
        f"{len(failed)} items not measured"
    )
    sys.exit(1 if failed or any(r["hard"] for r in missed) else 0)


if __name__ == "__main__":
    main()
