#!/usr/bin/env python3
"""`npuscope export summary` without --compat: the numbers that msprof gets wrong are right (formats/msprof-traps.md 6).

  msprof_exact.py NPUSCOPE SHARED

An op has the same start in an export of one step as in that of the whole run (msprof shifts the former by up to 0.125 us), and the waits between
rows follow from starts and durations, for each device from its own first row on.
"""
import csv
import glob
import os
import shutil
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


def main():
    npuscope, shared = os.path.abspath(sys.argv[1]), sys.argv[2]
    case = os.path.join(shared, "data", "msprof", "dist_2dev_single")
    whole = ops(npuscope, case, [])
    step = ops(npuscope, case, ["--model-id", "4294967295", "--iteration-id", "2"])
    of = {(r["Device_id"], r["Stream ID"], r["Task ID"], r["Op Name"]): r for r in whole}
    # names of communication ops count within the export
    tasks = [r for r in step if r["Task ID"] != "N/A"]
    moved = sum(of[r["Device_id"], r["Stream ID"], r["Task ID"], r["Op Name"]][START] != r[START] for r in tasks)
    waits = wrong_waits(whole) + wrong_waits(step)
    print("%d rows, %d of one step: %d with another start, %d wrong waits" % (len(whole), len(tasks), moved, waits))
    sys.exit(1 if moved or waits or not tasks else 0)


main()
