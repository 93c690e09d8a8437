#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each table of each sample database (doc/formats/analysed.md#databases): what panes have of it against an
independent reading of that table alone, and every cell of it as Files opens it. A table that is neither
compared here nor in databases.py, nor known to be browsed only, fails.

  database_tables.py NPUSCOPE PARSE_DUMP SAMPLES [NAME]
"""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from databases import CASES, NAME, Check, copy

MIB = 1 / 1048576
KIB = 1 / 1024
# table: layer of its curves, [(how the name of a curve ends, column, factor)]
CURVES = {
    "AICORE_FREQ": ("AI Core Freq", [("AI Core Freq", "freq", 1)]),
    "NPU_MEM": ("NPU MEM", [("/DDR", "ddr", KIB), ("/HBM", "hbm", KIB)]),
    "HBM": ("HBM", [("", "bandwidth", MIB)]),
    "DDR": ("DDR", [("Read", "read", MIB), ("Write", "write", MIB)]),
    "LLC": ("LLC", [("/Throughput", "throughput", MIB), ("/Hit Rate", "hitRate", 1)]),
    "HCCS": ("HCCS", [("Tx", "txThroughput", MIB), ("Rx", "rxThroughput", MIB)]),
    "PCIE": (
        "PCIe",
        [
            ("Tx post", "txPostAvg", 1e-6),
            ("Tx nonpost", "txNonpostAvg", 1e-6),
            ("Tx cpl", "txCplAvg", 1e-6),
            ("Rx post", "rxPostAvg", 1e-6),
            ("Rx nonpost", "rxNonpostAvg", 1e-6),
            ("Rx cpl", "rxCplAvg", 1e-6),
        ],
    ),
    "NIC": ("NIC", [("/Rx", "rxByteRate", MIB), ("/Tx", "txByteRate", MIB)]),
    "ROCE": ("RoCE", [("/Rx", "rxByteRate", MIB), ("/Tx", "txByteRate", MIB)]),
    "ACC_PMU": (
        "Acc PMU",
        [
            ("/read_bandwidth", "readBwLevel", 1),
            ("/write_bandwidth", "writeBwLevel", 1),
            ("/read_ost", "readOstLevel", 1),
            ("/write_ost", "writeOstLevel", 1),
        ],
    ),
    "SOC_BANDWIDTH_LEVEL": (
        "Stars Soc Info",
        [("L2 Buffer Bw Level", "l2BufferBwLevel", 1), ("Mata Bw Level", "mataBwLevel", 1)],
    ),
}


def tracks(where):
    return f"select coalesce(sum(n), 0), coalesce(sum(dur_sum_ns), 0) from track t where {where}"


def events(table, where="1"):
    return f"select count(*), coalesce(sum(endNs - startNs), 0) from {table} where {where}"


LAYER = f"{NAME % 't.process_id'} like "
TRACK = f"{NAME % 't.name_id'} like "
RUNS = "globalTaskId in (select globalTaskId from COMPUTE_TASK_INFO)"
PLANES = (
    "select count(*), coalesce(sum(t.endNs - t.startNs), 0) from TASK t join COMMUNICATION_TASK_INFO c on "
    "c.globalTaskId = t.globalTaskId where c.planeId between 0 and 2147483646"
)
WORD = "(select value from STRING_IDS s where s.id = %s)"
# table: [(what, our statement, the same of the database)]
COMPARED = {
    "TASK": [
        (
            "kernels",
            "select count(*), coalesce(sum(dur_ns), 0) from op_exec e join op o on o.id = e.op_id where "
            "o.core is null or o.core <> 'HCCL'",
            events("TASK", RUNS),
        )
    ],
    "COMMUNICATION_TASK_INFO": [
        ("planes", tracks(f"kind = 'plane' and {TRACK}'Plane %'"), PLANES),
    ],
    "COMMUNICATION_OP": [
        (
            "ops",
            "select count(*), coalesce(sum(dur_ns), 0) from op_exec e join op o on o.id = e.op_id where "
            "o.core = 'HCCL'",
            events("COMMUNICATION_OP"),
        ),
        ("groups", tracks(f"kind = 'plane' and {TRACK}'Group %'"), events("COMMUNICATION_OP")),
    ],
    "CANN_API": [
        ("calls", tracks(f"kind = 'host_thread' and {LAYER}'CANN'"), events("CANN_API")),
        (
            "sums",
            "select coalesce(sum(calls), 0), cast(coalesce(sum(total_ns), 0) as int) from api_stat",
            events("CANN_API"),
        ),
        (
            "names",
            f"select level, {NAME % 'name_id'}, calls from api_stat order by 1, 2",
            "select (select name from ENUM_API_TYPE e where e.id = a.type), "
            + WORD % "a.name"
            + ", count(*) from CANN_API a group by 1, 2 order by 1, 2",
        ),
    ],
    "MSTX_EVENTS": [("marks", tracks(f"{LAYER}'mstx'"), events("MSTX_EVENTS"))],
    "OVERLAP_ANALYSIS": [
        ("bars", tracks("kind = 'overlap'"), events("OVERLAP_ANALYSIS", "type between 0 and 3"))
    ],
    "NPU_OP_MEM": [
        (
            "pool",
            "select count(*), sum(allocated_b), sum(reserved_b) from mem_sample where not exists (select 1 from "
            "source where kind = 'pt_db')",
            "select count(*), sum(totalAllocate), sum(totalReserve) from NPU_OP_MEM where not exists (select 1 "
            "from sqlite_master where name = 'MEMORY_RECORD')",
        ),
        (
            "allocations",
            "select count(*), sum(size_b) from mem_alloc where not exists (select 1 from source where kind = "
            "'pt_db')",
            "select count(*), sum(size) from NPU_OP_MEM where "
            + WORD % "type"
            + " <> 'release' and not exists (select 1 from sqlite_master where name = 'OP_MEMORY')",
        ),
    ],
    "NPU_MODULE_MEM": [
        (
            "modules",
            "select count(*), sum(reserved_b) from mem_module",
            "select count(*), cast(sum(totalReserved) as int) from NPU_MODULE_MEM",
        )
    ],
    "NPU_MEM": [
        (
            "device",
            "select process, count(*), sum(ddr_b), sum(hbm_b) from mem_device group by 1 order by 1",
            "select case " + WORD % "type" + " when 'app' then 'APP' else 'Device' end, count(*), "
            "cast(sum(ddr) as int), cast(sum(hbm) as int) from NPU_MEM group by 1 order by 1",
        )
    ],
    "META_DATA": [
        (
            "settings",
            "select key, value from setting where source_id in (select id from source where kind like '%\\_db' "
            "escape '\\') order by 1, 2",
            "select name, value from META_DATA order by 1, 2",
        )
    ],
    "PYTORCH_CALLCHAINS": [
        (
            "stacks",
            f"select ts_ns + (select origin_ns from rank), {NAME % 'stack_id'} from host_op where stack_id is "
            "not null order by 1, 2",
            "select cast(p.startNs as int), (select group_concat(v, ';' || char(10)) from (select "
            + WORD % "c.stack"
            + " as v from PYTORCH_CALLCHAINS c where c.id = p.callchainId order by c.rowid)) from PYTORCH_API p "
            "where type = 50001 and callchainId is not null order by 1, 2",
        )
    ],
}
ELSEWHERE = {  # compared in databases.py, or only by what refers to them
    "COMPUTE_TASK_INFO",
    "TASK_PMU_INFO",
    "PYTORCH_API",
    "CONNECTION_IDS",
    "MEMORY_RECORD",
    "OP_MEMORY",
    "STEP_TIME",
    "STRING_IDS",
    "ENUM_API_TYPE",
    "ENUM_MODULE",
}
BROWSED = {  # without a pane, as are the ENUM_ tables that nothing of ours refers to
    "MEMCPY_INFO",
    "NPU_INFO",
    "HOST_INFO",
    "RANK_DEVICE_MAP",
    "SESSION_TIME_INFO",
    "connectionCats",
    "status_info",
    "sqlite_sequence",
    "_COMPUTE_TASK_INFO_old_20251014",
}


def near(a, b):
    """Sums of many doubles, and texts of them."""
    if str(a) == str(b) or (a == "" and b is None):
        return True
    try:
        a, b = float(a), float(b)
    except (TypeError, ValueError):
        return False
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)


def compare(c, what, ours, wanted):
    equal = len(ours) == len(wanted) and all(
        len(x) == len(y) and all(near(a, b) for a, b in zip(x, y)) for x, y in zip(ours, wanted)
    )
    texts = [["" if x is None else str(x) for x in r] for r in wanted]
    c.say(what, texts if equal else ours, texts)
    return len(wanted)


def curves(c, name, path, db, table):
    """Of each series how many samples, their sum, the first and the last instant."""
    layer, series = CURVES[table]
    count = 0
    for end, column, by in series:
        named = f"({NAME % 't.name_id'} = '{end.lstrip('/')}' or {NAME % 't.name_id'} like '%{end}')"
        ours = c.query(
            path,
            "select count(*), sum(s.value), min(s.ts_ns + r.origin_ns), max(s.ts_ns + r.origin_ns) from "
            "counter_sample s join track t on t.id = s.track_id join rank r on r.rank = t.rank where t.kind = "
            f"'counter' and ({NAME % 't.process_id'} = '{layer}' or {NAME % 't.process_id'} like "
            f"'{layer} (NPU %') and {named}",
        )
        wanted = db.execute(
            f"select count({column}), sum({column}) * {by}, min(timestampNs), max(timestampNs) from {table} "
            f"where {column} is not null"
        ).fetchall()
        compare(c, f"{name}: {table}.{column}", ours, wanted)
        count += wanted[0][0]
    return count


def plain(v):
    """A cell as parse_dump prints it (tests/unit/parsers/rows.h)."""
    if v is None:
        return b""
    if isinstance(v, int):
        return b"i %d" % v
    if isinstance(v, float):
        return b"r " + next(t for t in ("%.*g" % (n, v) for n in (15, 16, 17)) if float(t) == v).encode()
    return b"".join(b"\\x%02x" % x if x < 32 or x in b"|\\\x7f" else bytes((x,)) for x in v)


def browsed(c, name, file, table):
    """Names of columns, and all cells in order."""
    db = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
    db.text_factory = bytes
    rows = db.execute(f'select * from "{table}"')
    wanted = [tuple(d[0].encode() for d in rows.description)]
    wanted += [tuple(plain(v) for v in r) for r in rows]
    db.close()
    p = subprocess.run([c.dump, "pt_db", file, "P", "table", table], stdout=subprocess.PIPE, check=True)
    lines = p.stdout.split(b"\n")
    c.say(f"{name}: {table}: name and end", (lines[0].split(b"|")[0], lines[-2].split(b"|")[2:]),
          (b"generic " + table.encode(), [b"lost=0", b"state=OK"]))
    c.say(f"{name}: {table}: cells", [tuple(x.split(b"|")[1:]) for x in lines[:-2]], wanted)
    return len(wanted) - 1


def database(c, name, path, file):
    """All tables of a database that lies below path."""
    db = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
    rows = 0
    for (table,) in db.execute("select name from sqlite_master where type = 'table' order by name").fetchall():
        known = table in CURVES or table in COMPARED or table in ELSEWHERE or table in BROWSED
        c.say(f"{name}: {table} is known", known or table.startswith("ENUM_"), True)
        if not table.startswith("sqlite_"):
            c.cells += browsed(c, name, file, table)
        if table in CURVES:
            rows += curves(c, name, path, db, table)
        for what, ours, wanted in COMPARED.get(table, ()):
            rows += compare(c, f"{name}: {table}: {what}", c.query(path, ours), db.execute(wanted).fetchall())
    db.close()
    return rows


def torch(samples, work, rank):
    path = os.path.join(work, f"rank{rank}_ascend_pt")
    shutil.copytree(os.path.join(samples, f"data/outputs/msinsight-db/level1/rank{rank}_ascend_pt"), path)
    for d, _, files in os.walk(path):
        os.chmod(d, 0o755)
        for f in files:
            os.chmod(os.path.join(d, f), 0o644)
    return path, f"{path}/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db"


def main():
    npuscope, dump, samples = sys.argv[1:4]
    chosen = sys.argv[4:]
    c = Check(os.path.abspath(npuscope))
    c.dump, c.cells = os.path.abspath(dump), 0
    rows = 0
    work = tempfile.mkdtemp(prefix="npuscope-database-tables.")
    try:
        for case in CASES:
            path = os.path.join(work, case)
            file = os.path.join(path, "PROF_000001_20240101000000000_ABC", "msprof_20240101000000.db")
            copy(os.path.join(samples, "data/msprof", case, "expected/msprof.db"), file)
            if not chosen or case in chosen:
                rows += database(c, case, path, file)
        path = os.path.join(work, "full_db")
        copy(os.path.join(samples, "data/outputs/msinsight-unit/full_db/msprof_0.db"), f"{path}/msprof_0.db")
        if not chosen or "full_db" in chosen:
            rows += database(c, "full_db", path, f"{path}/msprof_0.db")
        for rank in (0, 1):
            if not chosen or f"rank{rank}" in chosen:
                rows += database(c, f"rank{rank}", *torch(samples, work, rank))
    finally:
        shutil.rmtree(work)
    print(f"database_tables: {c.tried} comparisons of {rows} rows and samples and of {c.cells} rows as they "
          f"are, {c.failed} differ")
    sys.exit(1 if c.failed or not c.tried else 0)


if __name__ == "__main__":
    main()
