#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`npuscope export` without --compat: the numbers that msprof gets wrong are right
(doc/formats/prof-quirks.md#output-quirks).

  msprof_exact.py NPUSCOPE SAMPLES

An op has the same start in an export of one step as in that of the whole run (msprof shifts the former by
up to 0.125 us), and the waits between rows follow from starts and durations, for each device from its own
first row on. In the database an op has its own attributes or none, a change of frequency is there once,
tasks end at ticks of the counter, and sampled rates are complete and in their unit.
"""
import csv
import glob
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from decimal import Decimal

START, SPAN, WAIT = "Task Start Time(us)", "Task Duration(us)", "Task Wait Time(us)"


def ops(npuscope, case, more):
    out = tempfile.mkdtemp(prefix="npuscope-exact")
    cmd = [npuscope, "export", "summary", "-dir", case, "--output=" + out, *more]
    subprocess.run(cmd, check=True, stdout=subprocess.DEVNULL)
    path = glob.glob(out + "/**/op_summary_*.csv", recursive=True)[0]
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    shutil.rmtree(out)
    return rows


def wrong_waits(rows):
    bad, before = 0, {}
    for r in rows:
        start, span, device = Decimal(r[START].strip()), Decimal(r[SPAN]), r["Device_id"]
        want = max(Decimal(0), start - before[device]) if device in before else Decimal(0)
        # three decimals in partial exports, of which the last may be rounded
        bad += abs(Decimal(r[WAIT]) - want) > Decimal("0.001")
        before[device] = start + span
    return bad


def database(npuscope, folder):
    """Ours and msprof's own."""
    out = tempfile.mkdtemp(prefix="npuscope-exact")
    subprocess.run(
        [npuscope, "export", "db", "-dir", folder, "--output=" + out], check=True, stdout=subprocess.DEVNULL
    )
    found = glob.glob(out + "/msprof_*.db") + [os.path.join(folder, "expected", "msprof.db")]
    dbs = [sqlite3.connect(":memory:") for _ in found]
    for to, path in zip(dbs, found):
        source = sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True)
        source.backup(to)
        source.close()
    shutil.rmtree(out)
    return dbs


# Case, query, what it gives in ours from what it gives in msprof's.
QUERIES = [
    (
        "train_1dev_graph",
        "select count(*) - count(distinct timestampNs) from AICORE_FREQ",
        lambda ours, theirs: ours == 0 < theirs,
    ),
    (
        "train_1dev_graph",
        "select count(*) from COMPUTE_TASK_INFO, STRING_IDS where id = attrInfo and value not in ('N/A', '')",
        lambda ours, theirs: 0 < ours < theirs,
    ),
    (
        "train_910a_hwts",
        "select count(*) from TASK where endNs % 10 != 0",
        lambda ours, theirs: ours == 0 < theirs,
    ),
    ("sampled_system", "select count(*) from HCCS", lambda ours, theirs: ours == theirs + 1),
    ("sampled_system", "select sum(throughput) from LLC", lambda ours, theirs: abs(theirs / ours - 64) < 0.1),
]


def wrong_databases(npuscope, samples):
    bad = 0
    for case, query, is_right in QUERIES:
        ours, theirs = (
            db.execute(query).fetchone()[0]
            for db in database(npuscope, os.path.join(samples, "data", "msprof", case))
        )
        if not is_right(ours, theirs):
            print("%s: %s: %s, msprof has %s" % (case, query, ours, theirs))
            bad += 1
    return bad


def main():
    npuscope, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
    case = os.path.join(samples, "data", "msprof", "dist_2dev_single")
    whole = ops(npuscope, case, [])
    step = ops(npuscope, case, ["--model-id", "4294967295", "--iteration-id", "2"])
    of = {(r["Device_id"], r["Stream ID"], r["Task ID"], r["Op Name"]): r for r in whole}
    # names of communication ops count within the export
    tasks = [r for r in step if r["Task ID"] != "N/A"]
    moved = sum(
        of[r["Device_id"], r["Stream ID"], r["Task ID"], r["Op Name"]][START] != r[START] for r in tasks
    )
    waits = wrong_waits(whole) + wrong_waits(step)
    print(
        "%d rows, %d of one step: %d with another start, %d wrong waits"
        % (len(whole), len(tasks), moved, waits)
    )
    databases = wrong_databases(npuscope, samples)
    sys.exit(1 if moved or waits or databases or not tasks else 0)


main()
