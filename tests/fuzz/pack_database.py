#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A database of msprof small enough to be fuzzed: the first rows of each table and those they refer to.

The corpus of fuzz_database_group was made so of what `npuscope export db` writes for
`npuscope demo --raw --gen=2 --ranks=1 --steps=2 --size=300`. Usage: pack_database.py FROM TO
"""
import os
import shutil
import sqlite3
import sys

FIRST, PAGE_B = 4, 512
# what is kept of other tables: rows of the same tasks and calls
OF_TASKS = "globalTaskId IN (SELECT globalTaskId FROM kept)"
WHERE = {
    "TASK": OF_TASKS,
    "COMPUTE_TASK_INFO": OF_TASKS,
    "TASK_PMU_INFO": OF_TASKS + " AND name IN (SELECT DISTINCT name FROM TASK_PMU_INFO LIMIT 3)",
    "CANN_API": "connectionId IN (SELECT connectionId FROM kept)",
}


def main():
    shutil.copyfile(sys.argv[1], sys.argv[2])
    db = sqlite3.connect(sys.argv[2], isolation_level=None)
    tables = [x[0] for x in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    db.execute(
        "CREATE TEMP TABLE kept AS SELECT globalTaskId, connectionId FROM TASK WHERE globalTaskId IN "
        f"(SELECT globalTaskId FROM COMPUTE_TASK_INFO LIMIT {FIRST})"
    )
    used = set()
    for name in tables:
        if name == "STRING_IDS":
            continue
        where = WHERE.get(name, f"rowid IN (SELECT rowid FROM {name} LIMIT {FIRST})")
        db.execute(f"DELETE FROM {name} WHERE NOT ({where})")
        for row in db.execute(f"SELECT * FROM {name}"):
            used.update(x for x in row if isinstance(x, int))
    for (text,) in db.execute("SELECT id FROM STRING_IDS").fetchall():
        if text not in used:
            db.execute("DELETE FROM STRING_IDS WHERE id = ?", (text,))
    for (index,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql <> ''").fetchall():
        db.execute(f"DROP INDEX {index}")
    db.execute(f"PRAGMA page_size = {PAGE_B}")
    db.execute("VACUUM")
    db.close()
    print(os.path.getsize(sys.argv[2]), "bytes")


main()
