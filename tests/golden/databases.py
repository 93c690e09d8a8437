#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Databases of msprof and torch_npu: what is read of one alone must be what is read of the text files of the
same run, or what an independent reading of the database gives.

  databases.py NPUSCOPE SAMPLES [CASE]
"""
import csv
import io
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

NAME = "(select text from string s where s.id = %s)"
STAMP = "20240101000000"
PROF = "PROF_000001_20240101000000000_ABC"
# Statements with equal results, to the ns where the text has it.
SAME = {
    "executions": f"select {NAME % 'o.name_id'}, {NAME % 'o.type_id'}, o.core, e.ts_ns + r.origin_ns, "
    "e.dur_ns, "
    "case when o.core = 'HCCL' then 0 else e.stream end, case when o.core = 'HCCL' then 0 else e.task end, "
    "e.context, e.device from op_exec e join op o on o.id = e.op_id join rank r on r.rank = e.rank "
    "order by 9, 4, 1, 6, 7",
    "ops": f"select {NAME % 'name_id'}, {NAME % 'type_id'}, core, {NAME % 'in_shapes_id'}, "
    f"{NAME % 'in_types_id'}, "
    f"{NAME % 'in_formats_id'}, {NAME % 'out_shapes_id'}, {NAME % 'out_types_id'}, "
    f"{NAME % 'out_formats_id'}, "
    "block_num, mix_block_num, state, hf32 from op where core <> 'HCCL' order by 1, 2, 3, 4, 10",
    "calls": f"select level, {NAME % 'name_id'}, calls, cast(round(total_ns) as int), cast(round(min_ns) as "
    "int), "
    "cast(round(max_ns) as int) from api_stat order by 1, 2",
    # the text's clock of the host is some ns off (doc/formats/msprof.md#database): instants count from the
    # first
    "pool": f"select {NAME % 'm.component_id'}, m.ts_ns - (select min(ts_ns) from mem_sample), "
    "m.allocated_b, "
    "m.reserved_b from mem_sample m order by 2, 1, 3",
    "allocations": f"select {NAME % 'm.name_id'}, m.size_b, m.alloc_ns - (select min(alloc_ns) from "
    "mem_alloc), "
    "nullif(m.dur_ns, 0), m.alloc_total_allocated_b, nullif(m.release_total_reserved_b, 0) from mem_alloc m "
    "order by 3, 1, 2",
    # stamps of the text went through doubles, to 0.25 us
    "device memory": "select process, (m.ts_ns + r.origin_ns) / 1000, m.ddr_b, m.hbm_b, m.total_b from "
    "mem_device m "
    "join rank r on r.rank = m.rank order by 2, 1",
    "modules": f"select {NAME % 'm.module_id'}, m.ts_ns - (select min(ts_ns) from mem_module), m.reserved_b "
    "from mem_module m order by 2, 1",
    "tracks": f"select kind, {NAME % 'process_id'}, {NAME % 'name_id'}, n, dur_sum_ns from track where kind "
    "in "
    "('host_thread', 'overlap', 'plane', 'stream') and n > 0 order by 1, 2, 3, 4",
}
CASES = {
    "train_1dev_graph": {},
    "aicpu_memcpy_nopmu": {},
    "pmu_arithmetic": {},
    "pmu_memory_static": {},
    "sampled_system": {},
    "killed_midway": {},
    "killed_torn_files": {},
    "dist_2dev_single": {},
    # its database has no counters, and AI CPU kernels 1 ns short; its text has no mixed blocks, and AI CPU
    # tasks twice
    "train_910a_hwts": {"executions", "ops", "tracks"},
}


class Check:
    def __init__(self, npuscope):
        self.npuscope = npuscope
        self.tried = self.failed = 0
        self.more = []  # options of the next queries

    def say(self, name, ours, wanted):
        self.tried += 1
        if ours == wanted:
            return
        self.failed += 1
        print(f"FAIL {name}")
        if isinstance(ours, list) and isinstance(wanted, list):
            print(f"  {len(ours)} rows, wanted {len(wanted)}")
            a, b = set(map(tuple, ours)), set(map(tuple, wanted))
            for row in sorted(a - b, key=str)[:3]:
                print("  only in the database:", row)
            for row in sorted(b - a, key=str)[:3]:
                print("  only wanted:", row)
        else:
            print("  ours  ", ours)
            print("  wanted", wanted)

    def query(self, path, sql):
        p = subprocess.run(
            [self.npuscope, "query", "-q", "-F", "csv", "--no-header", f"--db={path}.store", *self.more]
            + [sql, path],
            capture_output=True,
            text=True,
            check=False,
        )
        if p.returncode not in (0, 4):
            raise SystemExit(f"query of {path} ended with {p.returncode}: {p.stderr}")
        return list(csv.reader(io.StringIO(p.stdout)))


def listing(path):
    out = []
    for d, _, files in os.walk(path):
        for f in sorted(files):
            st = os.stat(os.path.join(d, f))
            out.append((os.path.relpath(os.path.join(d, f), path), st.st_size, st.st_mtime_ns))
    return sorted(out)


def copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(source, target)


def lay(expected, root, text, database):
    """A PROF folder with msprof's results in one form or in both."""
    prof = os.path.join(root, PROF)
    for f in os.listdir(expected):
        stem, ext = os.path.splitext(f)
        source = os.path.join(expected, f)
        if f.startswith("communication") and ext == ".json" and text:
            copy(source, os.path.join(prof, "analyze", f))
        elif text and (ext == ".csv" or f == "msprof.json"):
            copy(source, os.path.join(prof, "mindstudio_profiler_output", f"{stem}_{STAMP}{ext}"))
        elif database and ext == ".db":
            copy(source, os.path.join(prof, f"msprof_{STAMP}.db"))


def near(a, b):
    """Counters have three decimals in the text: of us, of a ratio, of GB/s."""
    if a == b:
        return True
    if a == "" or b == "":
        return False
    a, b = float(a), float(b)
    return abs(a - b) <= 0.0005000001 + 1e-9 * abs(b) or abs(a - b) <= 1.0 < abs(b)


def counters(c, name, text, database):
    both = []
    sql = "select name from pragma_table_info('op_counter') where name <> 'exec_id' order by 1"
    known = [set(r[0] for r in c.query(p, sql)) for p in (text, database)]
    columns = sorted(known[0] & known[1])
    for p in (text, database):
        order = "order by e.device, e.ts_ns, e.stream, e.task, e.context"
        chosen = ", ".join(f'c."{x}"' for x in columns) or "1"
        both.append(
            c.query(p, f"select {chosen} from op_counter c join op_exec e on e.id = c.exec_id {order}")
        )
    if known[0]:
        c.say(f"{name}: metrics", sorted(known[0] - known[1] - {"cube_utilization"}), [])
    c.say(f"{name}: rows of counters", len(both[1]), len(both[0]))
    bad = [
        (x, a, b)
        for ra, rb in zip(both[0], both[1])
        for x, a, b in zip(columns, ra, rb)
        if not near(b, a)
    ]
    c.say(f"{name}: counters", bad[:3], [])
    return len(columns) * len(both[0])


def msprof_case(c, samples, work, case, differs):
    expected = os.path.join(samples, "data/msprof", case, "expected")
    if not os.path.exists(os.path.join(expected, "msprof.db")):
        raise SystemExit(f"{case}: no database")
    text, database, both = (os.path.join(work, case + x) for x in (".text", ".db", ".both"))
    lay(expected, text, True, False)
    lay(expected, database, False, True)
    lay(expected, both, True, True)
    before = listing(database)
    rows = 0
    for what, sql in SAME.items():
        ours = c.query(database, sql)
        rows += len(ours)
        if what not in differs:
            c.say(f"{case}: {what}", ours, c.query(text, sql))
    if case != "train_910a_hwts":
        rows += counters(c, case, text, database)
    c.say(f"{case}: the folder is as it was", listing(database), before)
    # both forms: each is read once, and the database says that it is left
    count = "select count(*) from op_exec"
    c.say(f"{case}: both, executions", c.query(both, count), c.query(text, count))
    used = c.query(both, "select used from source where kind = 'msprof_db'")
    feeds = c.query(
        both,
        "select count(*) from api_stat a join source s on s.id = a.source_id where s.kind = 'msprof_db'",
    )
    if os.path.exists(os.path.join(expected, "api_statistic.csv")):
        c.say(f"{case}: both, calls of the text alone", feeds, [["0"]])
    c.say(f"{case}: both, the database is named in Files", bool(used and used[0][0]), True)
    differ = "select count(*) from note where code = 'DIFFERS'"
    if case != "train_910a_hwts":
        c.say(f"{case}: both, nothing differs", c.query(both, differ), [["0"]])
    rows += own_database(c, samples, work, case, differs, text)
    return rows + preferred(c, case, text, database, both)


def own_database(c, samples, work, case, differs, text):
    """The database that `npuscope export db` makes of the raw data, beside msprof's text of it; of torn files
    beside our text, because msprof drops what is whole in them."""
    raw = [d for d in os.listdir(os.path.join(samples, "data/msprof", case)) if d.startswith("PROF_")]
    made, own = os.path.join(work, case + ".made"), os.path.join(work, case + ".own")
    # the sample's folder is not written to: its data is copied, without what msprof made of it
    for f in raw:
        shutil.copytree(os.path.join(samples, "data/msprof", case, f), os.path.join(made, f))
    p = subprocess.run([c.npuscope, "export", "db", "-dir", made, "--output", made + ".out"],
                       capture_output=True, text=True, check=False)
    found = [os.path.join(d, f) for d, _, files in os.walk(made + ".out") for f in files if f.endswith(".db")]
    if p.returncode not in (0, 7) or len(found) != 1:
        raise SystemExit(f"{case}: export db: status {p.returncode}, {found}: {p.stderr}")
    copy(found[0], os.path.join(own, f"{PROF}/msprof_{STAMP}.db"))
    if case == "killed_torn_files":
        text = os.path.join(work, case + ".own_text")
        subprocess.run([c.npuscope, "export", "text", "-dir", made, "--output", os.path.join(text, PROF)],
                       capture_output=True, check=False)
    rows = 0
    for what, sql in SAME.items():
        ours = c.query(own, sql)
        rows += len(ours)
        if what not in differs:
            c.say(f"{case}, of export db: {what}", ours, c.query(text, sql))
    if case != "train_910a_hwts":
        rows += counters(c, case + ", of export db", text, own)
    return rows


def preferred(c, case, text, database, both):
    """With --prefer the other form feeds what both have; a duration that is changed in the text is a "
    "finding."""
    shutil.copytree(both, both + ".db")
    c.more = ["--prefer=db"]
    by = (
        "select s.kind, count(*) from op_exec e join source s on s.id = e.source_id group by 1 union all "
        "select s.kind, sum(n) from track t join source s on s.id = t.source_id group by 1 order by 1"
    )
    c.say(f"{case}: --prefer=db", c.query(both + ".db", by), c.query(database, by))
    # where there is no raw data, --prefer=raw leaves nothing out
    shutil.copytree(both, both + ".raw")
    c.more = ["--prefer=raw"]
    links = "select stat, count(*) from comm_link group by 1 order by 1"
    c.say(f"{case}: --prefer=raw without raw data", c.query(both + ".raw", links), c.query(both, links))
    c.more = []
    summary = os.path.join(
        both, f"{PROF}/mindstudio_profiler_output/op_summary_{STAMP}.csv"
    )
    with open(summary, encoding="utf-8") as f:
        rows = list(csv.reader(f))
    at = rows[0].index("Task Duration(us)")
    rows[1][at] = str(float(rows[1][at]) + 100)
    with open(summary, "w", encoding="utf-8", newline="") as f:
        csv.writer(f).writerows(rows)
    os.remove(both + ".store")
    said = c.query(both, "select text from note where code = 'DIFFERS' and text like '%msprof_%db%'")
    c.say(f"{case}: a duration that was changed is a finding", len(said), 1)
    return 4


def torch_case(c, samples, work, rank):
    """torch_npu's databases against an independent reading."""
    source = os.path.join(samples, f"data/outputs/msinsight-db/level1/rank{rank}_ascend_pt")
    path = os.path.join(work, f"rank{rank}_ascend_pt")
    shutil.copytree(source, path)
    for d, _, files in os.walk(path):
        os.chmod(d, 0o755)
        for f in files:
            os.chmod(os.path.join(d, f), 0o644)
    before = listing(path)
    db = sqlite3.connect(
        f"file:{path}/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db?mode=ro&immutable=1", uri=True
    )
    db.execute(
        f"attach 'file:{path}/ASCEND_PROFILER_OUTPUT/analysis.db?mode=ro&immutable=1' as analysis"
    )

    # rank 1 was not opened by MindStudio Insight, which adds this table
    tables = [x[0] for x in db.execute("select name from sqlite_master")]
    overlap = "union all select 'Overlap Analysis', count(*) from OVERLAP_ANALYSIS"
    overlap *= "OVERLAP_ANALYSIS" in tables

    def same(what, ours, wanted):
        a = c.query(path, ours)
        b = [["" if x is None else str(x) for x in r] for r in db.execute(wanted)]
        c.say(f"rank{rank}: {what}", a, b)
        return len(a)

    t = "(select value from STRING_IDS s where s.id = %s)"
    at = "+ (select origin_ns from rank)"
    rows = same(
        "executions",
        f"select {NAME % 'o.name_id'}, {NAME % 'o.type_id'}, {NAME % 'o.in_shapes_id'}, e.ts_ns {at}, "
        "e.dur_ns, "
        "e.stream, e.task from op_exec e join op o on o.id = e.op_id where o.core <> 'HCCL' order by 4, 1, "
        "6, 7",
        f"select {t % 'i.name'}, {t % 'i.opType'}, replace(nullif({t % 'i.inputShapes'}, 'N/A'), '\"', ''), "
        "t.startNs, t.endNs - t.startNs, t.streamId, t.taskId from TASK t join COMPUTE_TASK_INFO i on "
        "i.globalTaskId = t.globalTaskId order by 4, 1, 6, 7",
    )
    rows += same(
        "communication ops",
        f"select {NAME % 'name_id'}, {NAME % 'group_id'}, dur_ns, transit_ns, wait_ns, sync_ns, idle_ns, "
        "step, kind "
        "from comm_exec order by 1",
        "select hccl_op_name, group_name, cast(round(elapse_time * 1e6) as int), "
        "cast(round(transit_time * 1e6) as int), cast(round(wait_time * 1e6) as int), "
        "cast(round(synchronization_time * 1e6) as int), cast(round(idle_time * 1e6) as int), "
        "substr(step, 5), type from analysis.CommAnalyzerTime order by 1",
    )
    rows += same(
        "links",
        "select src_rank, dst_rank, transport, stat, size_b, time_ns from comm_link where src_rank is not "
        "null "
        "order by 1, 2, 4, 5",
        "select cast(src_rank as int), cast(dst_rank as int), transport_type, "
        "substr(hccl_op_name, instr(hccl_op_name, '-') + 1), cast(round(transit_size * 1e6) as int), "
        "cast(round(transit_time * 1e6) as int) from analysis.CommAnalyzerMatrix order by 1, 2, 4, 5",
    )
    rows += same(
        "bandwidths",
        f"select {NAME % 'name_id'}, transport, packets from comm_link where stat = 'op' order by 1, 2",
        "select hccl_op_name, transport_type, nullif(sum(count), 0) from analysis.CommAnalyzerBandwidth "
        "group by 1, 2 "
        "order by 1, 2",
    )
    rows += same(
        "steps",
        f"select step, start_ns {at}, end_ns {at}, computing_ns, comm_not_overlapped_ns, free_ns, "
        "preparing_ns "
        "from step",
        "select a.step, t.startNs, t.endNs, cast(round(computing * 1000) as int), "
        "cast(round(communication_not_overlapped * 1000) as int), cast(round(free * 1000) as int), "
        "cast(round(preparing * 1000) as int) from analysis.StepTraceTime a join STEP_TIME t on t.id = "
        "a.step",
    )
    rows += same(
        "calls",
        f"select {NAME % 'name_id'}, calls, cast(total_ns as int), cast(max_ns as int) from api_stat order "
        "by 1, 2, 3",
        f"select {t % 'name'}, count(*), sum(endNs - startNs), max(endNs - startNs) from CANN_API group by "
        "type, name "
        "order by 1, 2, 3",
    )
    rows += same(
        "framework ops",
        f"select {NAME % 'name_id'}, thread, ts_ns {at}, dur_ns, stack_id is not null from host_op order by "
        "3, 1, 4",
        f"select {t % 'name'}, globalTid & 4294967295, cast(startNs as int), cast(endNs as int) - "
        "cast(startNs as int)"
        ", callchainId is not null from PYTORCH_API where type = 50001 order by 3, 1, 4",
    )
    # of the op's own connections: kernels, and communication ops as a whole
    rows += same(
        "device time of framework ops",
        f"select {NAME % 'name_id'}, ts_ns {at}, device_self_ns from host_op where device_self_ns > 0 order "
        "by 2, 1",
        "with run as (select connectionId, endNs - startNs as ns from TASK where globalTaskId in (select "
        "globalTaskId "
        "from COMPUTE_TASK_INFO) union all select connectionId, endNs - startNs from COMMUNICATION_OP) "
        f"select {t % 'p.name'}, cast(p.startNs as int), sum(t.ns) from PYTORCH_API p join CONNECTION_IDS c "
        "on "
        "c.id = p.connectionId join run t on t.connectionId = c.connectionId where p.type = 50001 "
        "group by p.rowid order by 2, 1",
    )
    rows += same(
        "pools",
        f"select {NAME % 'component_id'}, ts_ns {at}, allocated_b, reserved_b from mem_sample where "
        f"{NAME % 'component_id'} <> 'APP' order by 2, 1, 3",
        f"select {t % 'component'}, timestamp, totalAllocated, totalReserved from MEMORY_RECORD order by 2, "
        "1, 3",
    )
    rows += same(
        "allocations",
        f"select {NAME % 'name_id'}, size_b, alloc_ns {at}, release_ns {at} from mem_alloc order by 3, 1, 2",
        f"select {t % 'name'}, size, allocationTime, releaseTime from OP_MEMORY order by 3, 1, 2",
    )
    rows += same(
        "events by layer",
        f"select {NAME % 'process_id'}, sum(n) from track where kind in ('host_thread', 'stream', 'overlap') "
        "group by 1 order by 1",
        # a mixed kernel is shown by its contexts
        "select 'Ascend Hardware', count(*) from TASK t where contextId <> 4294967295 or globalTaskId in "
        "(select "
        "globalTaskId from COMPUTE_TASK_INFO) or not exists (select 1 from TASK u where u.streamId = "
        "t.streamId and "
        "u.taskId = t.taskId and u.contextId <> 4294967295 and u.startNs <= t.endNs and u.endNs >= "
        "t.startNs) "
        f"union all select 'CANN', count(*) from CANN_API {overlap} union all select 'Python', count(*) from "
        "PYTORCH_API",
    )
    metrics = db.execute(
        f"select {t % 'name'}, count(*), sum(value) from TASK_PMU_INFO where globalTaskId in (select "
        "globalTaskId "
        "from COMPUTE_TASK_INFO) group by 1 order by 1"
    ).fetchall()
    for name, n, total in metrics:
        ours = name.replace("_total_time", "_time") + ("_ns" if name.endswith("_time") else "")
        got = c.query(path, f'select count("{ours}"), sum("{ours}") from op_counter')
        c.say(f"rank{rank}: {name}", (got[0][0], abs(float(got[0][1]) - total) <= n), (str(n), True))
        rows += n
    c.say(f"rank{rank}: the folder is as it was", listing(path), before)
    db.close()
    return rows + with_writer(c, path, rank)


def with_writer(c, path, rank):
    """While a program has the database open, rows that lie in its journal are read, and nothing is left "
    "behind."""
    file = f"{path}/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db"
    writer = sqlite3.connect(file)
    writer.execute("pragma journal_mode = wal")
    writer.execute("insert into MEMORY_RECORD select * from MEMORY_RECORD limit 7")
    writer.commit()
    wanted = writer.execute("select count(*) from MEMORY_RECORD").fetchone()[0]
    names = sorted(os.listdir(os.path.dirname(file)))
    os.remove(path + ".store")
    count = f"select count(*) from mem_sample where {NAME % 'component_id'} <> 'APP'"
    c.say(f"rank{rank}: rows of a journal", c.query(path, count), [[str(wanted)]])
    said = c.query(path, "select count(*) from note where code = 'COPIED'")
    c.say(f"rank{rank}: that is said", said, [["1"]])
    c.say(f"rank{rank}: names beside a writer", sorted(os.listdir(os.path.dirname(file))), names)
    writer.close()
    return wanted


def main():
    npuscope, samples = sys.argv[1:3]
    chosen = sys.argv[3:]
    c = Check(os.path.abspath(npuscope))
    rows = 0
    work = tempfile.mkdtemp(prefix="npuscope-databases.")
    try:
        for case, differs in CASES.items():
            if not chosen or case in chosen:
                rows += msprof_case(c, samples, work, case, differs)
        for rank in (0, 1):
            if not chosen or f"rank{rank}" in chosen:
                rows += torch_case(c, samples, work, rank)
    finally:
        shutil.rmtree(work)
    print(f"databases: {c.tried} comparisons of {rows} rows and cells, {c.failed} differ")
    sys.exit(1 if c.failed or not c.tried else 0)


if __name__ == "__main__":
    main()
