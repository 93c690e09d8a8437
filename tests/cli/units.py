# SPDX-License-Identifier: Apache-2.0
"""What the commands print for people: in a column of a table all times have one unit, or each has its own where the
smallest is less than a thousandth of the largest, and dates have a zone.

usage: units.py NPUSCOPE DIR      DIR holds the runs that units.sh makes
"""
import glob
import os
import re
import subprocess
import sys

npuscope, top = sys.argv[1:]
TIME = re.compile(r"(?<![\w.])[-+]?<?(\d[\d.]*) (ns|us|ms|s)(?!\w)")
NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
COMMANDS = [[c] for c in "report files ops steps timeline flops memory data comm host triage".split()]
COMMANDS += [["ops", "--by=" + by] for by in ("op", "exec", "stat")]
COMMANDS += [["comm", "--by=" + by] for by in ("op", "link", "link_sum", "rank")]
COMMANDS += [["host", "--by=" + by] for by in ("op", "stage")]
COMMANDS += [["query", "SELECT * FROM op_types"]]
compared = columns = 0


def check(what, ok, detail=""):
    global compared
    compared += 1
    if not ok:
        sys.exit(f"FAIL: {what}: {detail}")


def out(*args):
    return subprocess.run([npuscope, *args], capture_output=True, text=True).stdout


def tables(text):
    """Heads and rows of the tables of a text; a line with a title is no head of several columns."""
    for block in text.split("\n\n"):
        lines = block.split("\n")
        while lines and not re.search(r"\S {2,}\S", lines[0]):
            lines.pop(0)
        if len(lines) > 1:
            yield lines[0], lines[1:]


def units_of(head, rows):
    """Times in ns and their units by column: numbers end where the title ends, or, when their unit is shorter, before."""
    ends = {m.end(): m.group() for m in re.finditer(r"\S+(?: \S+)*", head)}
    found = {}
    for row in rows:
        for m in TIME.finditer(row):
            for at in range(m.end(), m.end() + 3):
                if at in ends:
                    found.setdefault(ends[at], []).append((float(m.group(1)) * NS[m.group(2)], m.group(2)))
                    break
    return found


for run in sorted(os.listdir(top)):
    path = os.path.join(top, run)
    if not re.match(r"(gen|raw)\d$", run):
        continue
    for command in COMMANDS:
        for head, rows in tables(out(*command, "-q", path)):
            for column, times in units_of(head, rows).items():
                columns += 1
                units = {unit for _, unit in times}
                some = [ns for ns, _ in times if ns]
                check(f"{' '.join(command)} of {run}: one unit in '{column}', or times far apart",
                      len(units) == 1 or min(some) * 1000 < max(some) * 1.01, (units, head))
check("columns of times were found", columns > 100, columns)

# The last activity of a crashed run, which is text in both.
acts = out("triage", "-q", os.path.join(top, "raw1")).split("Last activity")[1].split("\n\n")[0]
check("it names its clock", acts.startswith(" before the end (device clock, 0 = last record)"), acts)
check("and has one unit", len({m.group(2) for m in TIME.finditer(acts)}) == 1, acts)
acts = out("triage", "-q", os.path.join(top, "gen2")).split("Last activity")[1].split("\n\n")[0]
check("of a run on Unix time", acts.startswith(" before the end (wall clock, 0 = last record)"), acts)

# Zones: the demo's host is 8 h ahead of UTC; containers, and files that give both, say it themselves.
DATE = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"


def started(run):
    text = out("report", "-q", os.path.join(top, run))
    return re.search(rf"^Started +({DATE}.*)$", text, re.M).group(1)


check("zone of raw data", started("raw1") == "2026-03-14 09:12:07 UTC+8", started("raw1"))
check("zone of UTC", started("gen2") == "2026-03-14 01:12:07 UTC", started("gen2"))
check("a zone that nothing tells", started("gen1") == "2026-03-14 09:12:07 host time", started("gen1"))
for shown, hours in (("UTC+5:30", 5.5), ("UTC-3:30", -3.5), ("UTC-11", -11), ("UTC", 0)):
    for name in glob.glob(os.path.join(top, "raw1/profiler/PROF_*/device_*/start_info.*")):
        if name.endswith(".done"):
            continue
        with open(name) as f:
            text = f.read()
        unix = 1773450727 + int((8 - hours) * 3600)
        with open(name, "w") as f:
            f.write(re.sub(r'("collectionTimeBegin": ")\d{10}', rf"\g<1>{unix}", text))
    check("a zone follows from the files", started("raw1") == f"2026-03-14 09:12:07 {shown}", started("raw1"))
for run in "gen1", "gen2", "raw1", "raw2":
    for command in "report", "triage":
        for line in out(command, "-q", os.path.join(top, run)).split("\n"):
            if re.search(DATE, line):
                said = re.search(rf"{DATE} (UTC([-+]\d+(:\d\d)?)?|host time)\b", line)
                check(f"{command} of {run} names the zone", said, line)
check("the cache as well", "Made (UTC)" in out("cache", "list"), out("cache", "list"))
print(f"units: {compared} comparisons, {columns} columns of times")
