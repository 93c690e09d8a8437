# SPDX-License-Identifier: Apache-2.0
"""Rows that damage made untrue are marked (doc/store.md#marks): PROF folders, and raw folders of MindSpore 1.x,
are damaged at random, and every value that is not the intact folder's is covered by a word of its row's mark,
every instant by its bound.

usage: marks.py NPUSCOPE WORK ROUNDS SEED [FOLDER]...

Rounds are of each run: those of the demo, and the folders given. With no value (NULL) a row says nothing
untrue; a row that is missing neither. A row is that of the intact run with the same task; where its name is
in doubt, the one with the same start.
"""
import collections
import csv
import glob
import io
import os
import random
import shutil
import subprocess
import sys

DEMOS = (
    ["--gen=2", "--steps=2", "--ranks=2"], ["--gen=2", "--steps=2", "--chip=910A", "--ranks=2"],
    ["--gen=2", "--steps=2", "--metrics=pipe", "--era=torch_npu", "--ranks=2"],
    ["--gen=1", "--steps=5"], ["--gen=1", "--steps=5", "--era=r13"], ["--gen=1", "--steps=5", "--era=r16"],
)


def text(column):
    return f"(select text from string where id = {column})"


ABS = "+ (select origin_ns from rank r where r.rank = x.rank)"
# Table: what a row is known by, and its values.
TABLES = {
    "op_exec": f"select x.rank, x.stream, x.task, x.context, x.batch, case when x.task is null then "
    f"{text('o.name_id')} end as of_comm, x.ts_ns {ABS} as t0, x.dur_ns, x.wait_ns, x.step, "
    f"{text('o.name_id')} as name, {text('o.type_id')} as type, o.core, "
    f"{text('o.in_shapes_id')} as in_shapes, {text('o.in_types_id')} as in_types, "
    f"{text('o.in_formats_id')} as in_formats, "
    f"{text('o.out_shapes_id')} as out_shapes, o.block_num, o.state, x.ts_err_ns, x.damage, c.*, l.delay_ns "
    "from op_exec x join op o on o.id = x.op_id left join op_counter c on c.exec_id = x.id "
    "left join op_launch l on l.exec_id = x.id order by x.rank, x.ts_ns, x.id",
    "comm_exec": f"select x.rank, {text('x.name_id')} as name, x.ts_ns {ABS} as t0, x.dur_ns, x.transit_ns, "
    f"x.wait_ns, x.sync_ns, x.idle_ns, x.size_b, {text('x.type_id')} as type, x.ts_err_ns, x.damage "
    "from comm_exec x order by x.rank, x.ts_ns, x.id",
    "step": f"select x.rank, x.step, x.start_ns {ABS} as t0, x.end_ns {ABS} as t1, x.fp_ns {ABS} as t2, "
    f"x.bp_ns {ABS} as t3, x.total_ns, x.interval_ns, x.fp_bp_ns, x.tail_ns, x.computing_ns, "
    "x.communication_ns, x.comm_not_overlapped_ns, x.overlapped_ns, x.free_ns, x.preparing_ns, x.ts_err_ns, "
    "x.damage "
    "from step x where x.complete is not 0 order by x.rank, x.start_ns",
    "aicpu_exec": f"select x.rank, x.stream, x.task, x.line, x.ts_ns {ABS} as t0, x.total_ns, x.compute_ns, "
    f"x.task_ns, {text('x.name_id')} as name, x.ts_err_ns, x.damage from aicpu_exec x "
    "order by x.rank, x.line",
}
KEYS = {
    "op_exec": ("rank", "stream", "task", "context", "batch", "of_comm"),
    "comm_exec": ("rank", "name"),
    "step": ("rank", "step"),
    "aicpu_exec": ("rank", "stream", "task"),
}
# MindSpore 1.x: tasks have the same numbers in each step, and all instants are those of one counter.
KEYS_1 = {
    "op_exec": ("rank", "stream", "task", "t0"),
    "comm_exec": ("rank", "name", "t0"),
    "step": ("rank", "step"),
    "aicpu_exec": ("rank", "stream", "task", "t0"),
}
PASSED = {"ts_err_ns", "damage", "exec_id", "line", "of_comm"}
INSTANTS = {"t0", "t1", "t2", "t3"}
# Words that cover a column; others are figures.
COVER = {
    "dur_ns": {"duration"}, "wait_ns": {"duration", "time"}, "total_ns": {"duration"},
    "interval_ns": {"duration"}, "fp_bp_ns": {"duration"}, "tail_ns": {"duration"}, "task_ns": {"duration"},
    "step": {"time"}, "delay_ns": {"time"}, "name": {"name", "op"}, "type": {"name", "op"}, "core": {"op"},
    "in_shapes": {"op"}, "in_types": {"op"}, "in_formats": {"op"}, "out_shapes": {"op"}, "block_num": {"op"},
    "state": {"op"},
}


class Run:
    def __init__(self, npuscope, work):
        self.npuscope, self.work, self.keys = npuscope, work, KEYS

    def read(self, path):
        cache = os.path.join(self.work, "cache")
        shutil.rmtree(cache, ignore_errors=True)
        env = dict(os.environ, XDG_CACHE_HOME=cache)
        rows = {}
        for rank in [r["rank"] for r in self.ask("select rank from rank", "all", path, env)]:
            for table, sql in TABLES.items():
                seen = collections.Counter()
                for r in self.ask(sql, rank, path, env):
                    if r["rank"] != rank:
                        continue
                    key = (table, *(r[k] for k in self.keys[table]))
                    seen[key] += 1
                    rows[key + (seen[key],)] = r
        return rows

    def ask(self, sql, rank, path, env):
        argv = [self.npuscope, "query", "-q", "--rank=" + rank, "-F", "csv", sql, path]
        p = subprocess.run(argv, capture_output=True, text=True, timeout=300, env=env, check=False)
        if p.returncode not in (0, 4):
            raise AssertionError(f"status {p.returncode}: {p.stderr[-500:]}")
        return list(csv.DictReader(io.StringIO(p.stdout)))


def is_covered(table, column, row, intact):
    words = set(row["damage"].split())
    if column not in INSTANTS:
        cover = COVER.get(column, {"figures"})
        return bool(words & (cover if (table, column) != ("comm_exec", "wait_ns") else {"figures"}))
    if "duration" in words:
        return True
    off = abs(int(row[column]) - int(intact[column])) if intact[column] else 0
    return "time" in words and (not row["ts_err_ns"] or off <= int(row["ts_err_ns"]))


def judge(table, row, intact):
    """Columns that differ, and those of them that no mark covers."""
    if intact is None:
        return ["row"], [] if row["damage"] else ["row"]
    off = [c for c, v in row.items() if c not in PASSED and v != "" and v != intact.get(c)]
    return off, [c for c in off if not is_covered(table, c, row, intact)]


def damage(r, path):
    size = os.path.getsize(path)
    what = r.choice(["gone", "cut", "cut", "cut", "head"])
    if what == "gone":
        os.remove(path)
    elif what == "cut":
        os.truncate(path, r.randrange(size))
    else:
        with open(path, "rb") as f:
            data = f.read()
        with open(path, "wb") as f:
            f.write(data[r.randrange(1, size):] if size > 1 else b"")
    return what


def check(run, reference, copy, files, seed, sums):
    r = random.Random(seed)
    done = []
    for _ in range(r.choice([1, 1, 1, 2])):
        file = r.choice(files)
        if os.path.exists(os.path.join(copy, file)) and os.path.getsize(os.path.join(copy, file)):
            done.append(f"{damage(r, os.path.join(copy, file))} {file.split('/', 1)[1]}")
    rows = run.read(copy)
    sums["rows"] += len(reference)
    sums["kept"] += sum(k in reference for k in rows)
    bad = collections.defaultdict(list)
    starts = {(k[0], k[1], r["t0"]): k for k, r in reference.items() if k[0] != "step"}
    for was, row in rows.items():
        key = was
        if "name" in row["damage"].split() and (was[0], was[1], row["t0"]) in starts:
            key = starts[was[0], was[1], row["t0"]]
        off, open_ = judge(key[0], row, reference.get(key))
        sums["off"] += bool(off)
        sums["marked"] += bool(row["damage"])
        for c in open_:
            bad[f"{key[0]}.{c}"].append((key, reference.get(key, {}).get(c), row.get(c), row["damage"]))
    sums["unmarked"] += len({x[0] for v in bad.values() for x in v})
    return ", ".join(done), bad


def data_files(base, only_prof):
    found = [os.path.relpath(f, base) for f in sorted(glob.glob(base + "/**/*", recursive=True))]
    return [
        f for f in found
        if ("PROF_" in f or not only_prof) and os.path.isfile(f"{base}/{f}") and os.path.getsize(f"{base}/{f}")
        and not f.endswith((".done", ".complete"))
    ]


def runs(npuscope, work, folders):
    base = os.path.join(work, "base")
    for options in DEMOS:
        shutil.rmtree(base, ignore_errors=True)
        argv = [npuscope, "demo", "-q", "--raw", "--size=60", *options, base]
        subprocess.run(argv, check=True)
        yield " ".join(options), base, "--gen=1" in options
    for folder in folders:
        yield folder, folder, False


def main():
    npuscope, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds, seed = int(sys.argv[3]), int(sys.argv[4])
    run = Run(npuscope, work)
    copy = os.path.join(work, "copy")
    failed, n = 0, 0
    for k, (name, base, first) in enumerate(runs(npuscope, work, sys.argv[5:])):
        run.keys = KEYS_1 if first else KEYS
        sums = collections.Counter()
        reference = run.read(base)
        marked = [key for key, row in reference.items() if row["damage"]]
        if marked or not reference:
            failed += 1
            print(f"FAIL {name}: {len(marked)} of {len(reference)} intact rows are marked: {marked[:3]}")
        files = data_files(base, not first)
        # most files are traces of one op in one step: one of four is enough
        traces = [f for f in files if f.endswith(".trace")]
        files = [f for f in files if f not in traces] + traces[::4]
        for i in range(rounds):
            at = seed + k * 100000 + i
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(base, copy)
            said, bad = check(run, reference, copy, files, at, sums)
            n += 1
            if bad:
                failed += 1
                print(f"FAIL {name} seed {at}: {said}")
                for c, v in list(bad.items())[:6]:
                    print(f"     {len(v)} {c}: {v[0][0][1:]}: {v[0][2]} instead of {v[0][1]}, {v[0][3]!r}")
        print(f"{name}: " + ", ".join(f"{v} {w}" for w, v in sums.items()))
    print(f"marks: {n} damaged folders, {failed} failed")
    return 1 if failed or not n else 0


sys.exit(main())
