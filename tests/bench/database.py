# SPDX-License-Identifier: Apache-2.0
"""A database as torch_npu writes one, of any size: rows of the demo's database again and again, later each
time, with calls of the framework for each call of CANN that launches an op.

usage: database.py NPUSCOPE FILE MIB [METRICS]
METRICS: how many counters an execution has (all 28). Prints the statements that read what npuscope reads.
"""
import glob
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

# what is read of each table, for the other side of the comparison: a pass that sums what it reads
USED = {
    "TASK": "startNs endNs deviceId connectionId globalTaskId taskType contextId streamId taskId modelId",
    "COMPUTE_TASK_INFO": "name globalTaskId blockNum mixBlockNum taskType opType inputFormats inputDataTypes "
    "inputShapes outputFormats outputDataTypes outputShapes attrInfo opState hf32Eligible",
    "TASK_PMU_INFO": "globalTaskId name value",
    "CANN_API": "startNs endNs type globalTid connectionId name",
    "PYTORCH_API": "startNs endNs globalTid connectionId name inputShapes callchainId type",
    "CONNECTION_IDS": "id connectionId",
    "OVERLAP_ANALYSIS": "startNs endNs deviceId type",
    "NPU_OP_MEM": "operatorName addr type size timestampNs totalAllocate totalReserve component deviceId",
    "NPU_MEM": "type ddr hbm timestampNs deviceId",
    "NPU_MODULE_MEM": "moduleId timestampNs totalReserved deviceId",
    "AICORE_FREQ": "timestampNs freq deviceId",
    "STRING_IDS": "id value",
}
# columns that move with each copy, and the step that they move by
MOVES = {
    ":span": "startNs endNs timestampNs",
    ":tasks": "globalTaskId",
    ":calls": "connectionId",
    ":overlaps": "id",
}
NODE = 10000  # calls of CANN that launch an op


def reading(tables):
    """Statements that read what we read, and give one number each."""
    return ";".join(
        f"select {' + '.join(f'sum(length({c}))' for c in USED[t].split())} from {t}"
        for t in tables
        if t in USED
    )


def copied(table, columns):
    """All rows of a table of the small database, once for each copy."""
    moved = {c: f"s.{c} + k.i * {by}" for by, names in MOVES.items() for c in names.split()}
    if table != "OVERLAP_ANALYSIS":
        moved.pop("id")
    chosen = ", ".join(moved.get(c, f"s.{c}") for c in columns)
    # msprof writes counters metric after metric
    order = " order by s.name, k.i, s.globalTaskId" if table == "TASK_PMU_INFO" else ""
    return f"insert into main.{table} select {chosen} from copies k cross join small.{table} s{order}"


def framework(db):
    """An op, and within it the enqueuing of its kernel, for each node that is launched."""
    db.execute(
        "create table PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name "
        "INTEGER, sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER, inputShapes INTEGER, "
        "callchainId INTEGER, type INTEGER)"
    )
    db.execute("create table CONNECTION_IDS (id INTEGER, connectionId INTEGER)")
    nodes = f"from CANN_API where type = {NODE} order by startNs"
    db.execute(
        "insert into PYTORCH_API select startNs - 900, endNs + 100, globalTid, connectionId, name, null, null, "
        f"null, null, null, 50001 {nodes}"
    )
    db.execute(
        "insert into PYTORCH_API select startNs - 500, startNs - 100, globalTid, null, name, null, null, null, "
        f"null, null, 50001 {nodes}"
    )
    db.execute(f"insert into CONNECTION_IDS select connectionId, connectionId {nodes}")


def thin(small, metrics):
    """Leave some of the counters."""
    db = sqlite3.connect(small, isolation_level=None)
    chosen = f"select distinct name from TASK_PMU_INFO order by 1 limit {metrics}"
    db.execute(f"delete from TASK_PMU_INFO where name not in ({chosen})")
    db.execute("vacuum")
    db.close()


def make(npuscope, path, mib, metrics=None):
    """Write the database; returns the names of its tables."""
    work = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(path)))
    try:
        argv = ["--raw", "--gen=2", "--ranks=1", "--steps=40", "--size=20000", "--seed=3"]
        subprocess.run([npuscope, "demo", "-q", *argv, f"{work}/demo"], check=True)
        prof = glob.glob(f"{work}/demo/*/PROF_*")[0]
        subprocess.run([npuscope, "export", "db", "-dir", prof], check=True, stdout=subprocess.DEVNULL)
        small = glob.glob(f"{prof}/msprof_*.db")[0]
        if metrics is not None:
            thin(small, metrics)
        calls = 1.12 if metrics is None else 1.4  # those of the framework come on top
        copies = max(1, round(mib * 2**20 / (os.path.getsize(small) * calls)))
        return multiply(small, path, copies)
    finally:
        shutil.rmtree(work)


def multiply(small, path, copies):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma journal_mode = off")
    db.execute("pragma synchronous = off")
    db.execute("pragma temp_store = file")
    db.execute("attach ? as small", (small,))
    db.execute(
        "create temp table copies as with recursive n(i) as (select 0 union all select i + 1 from n where "
        f"i + 1 < {copies}) select i from n"
    )

    def one(sql):
        return db.execute(sql).fetchone()[0]

    steps = {
        ":span": one("select max(endNs) - min(startNs) + 1000000 from small.CANN_API"),
        ":tasks": one("select max(globalTaskId) + 1 from small.TASK"),
        ":calls": one("select max(connectionId) + 1 from small.CANN_API"),
        ":overlaps": one("select max(id) + 1 from small.OVERLAP_ANALYSIS"),
    }
    schema = db.execute("select name, sql from small.sqlite_master where type = 'table'").fetchall()
    db.execute("begin")
    for table, sql in schema:
        db.execute(sql)
        columns = [x[1] for x in db.execute(f"pragma small.table_info({table})")]
        if table in USED and table != "STRING_IDS":
            sql = copied(table, columns)
            used = {k[1:]: v for k, v in steps.items() if k in sql}
            db.execute(sql, used)
        else:
            db.execute(f"insert into main.{table} select * from small.{table}")
    framework(db)
    db.execute("commit")
    tables = [x[0] for x in db.execute("select name from main.sqlite_master where type = 'table'")]
    db.close()
    return tables


if __name__ == "__main__":
    print(reading(make(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))))
