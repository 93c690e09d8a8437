# SPDX-License-Identifier: Apache-2.0
"""Compare msprof's tables as the analysed demo has them with those that `npuscope export summary` makes of
its raw data.

usage: msprof_roundtrip.py ANALYSED EXPORTED [part|chip|wide]   folders of csv files; part: the rows
                                                              exported are some of those analysed, not
                                                              all; chip: the raw data are those of another
                                                              chip, whose cores and number texts are
                                                              others; wide: and whose task ids are others

Rows are compared as texts, as multisets: of tasks with equal starts msprof leaves the order open
(doc/formats/msprof.md#unconfirmed).
"""
import collections
import csv
import glob
import os
import re
import sys
from decimal import Decimal

WANTED = {
    "op_summary",
    "task_time",
    "op_statistic",
    "api_statistic",
    "step_trace",
    "npu_mem",
    "npu_module_mem",
    "memory_record",
    "operator_memory",
    "aicpu",
}
# What both chips have, times as numbers.
CHIP = {
    "op_summary": (
        [
            "Task ID",
            "Stream ID",
            "Op Name",
            "OP Type",
            "OP State",
            "Input Shapes",
            "Input Data Types",
            "Output Formats",
        ],
        ["Task Start Time(us)", "Task Duration(us)"],
    ),
    "task_time": (
        ["kernel_name", "stream_id", "task_id"],
        ["task_start(us)", "task_stop(us)", "task_time(us)"],
    ),
    "op_statistic": (["OP Type", "Count"], ["Total Time(us)", "Max Time(us)"]),
    "memory_record": (["Component"], ["Total Allocated(KB)", "Total Reserved(KB)"]),
}
# Of a crashed run: tables that have one row for what happened once.
PARTS = {"op_summary", "task_time", "step_trace", "memory_record", "aicpu", "npu_mem"}
# From the row before, which a crash may have taken; and msprof's own, of rounded doubles, where the export
# has the exact one (kernel_details.csv of offline_roundtrip.sh compares them).
WAIT = "Task Wait Time(us)"


def tables(folder):
    out = {}
    for path in glob.glob(os.path.join(folder, "*.csv")):
        with open(path, newline="") as f:
            out[re.sub(r"_\d{14}\.csv$", "", os.path.basename(path))] = f.read().splitlines()
    return out


def counted(rows, drop=None):
    if drop is None:
        return collections.Counter(rows[1:])
    return collections.Counter(
        ",".join(c for i, c in enumerate(r) if i != drop) for r in csv.reader(rows[1:])
    )


def common(rows, columns):
    texts, numbers = columns
    out = [",".join(texts + numbers)]
    for r in csv.DictReader(rows):
        out.append(",".join([r[c] for c in texts] + ["%.3f" % Decimal(r[c].strip()) for c in numbers]))
    return out


want, got = tables(sys.argv[1]), tables(sys.argv[2])
if sys.argv[3:] in (["chip"], ["wide"]):
    if sys.argv[3] == "wide":
        CHIP = {
            name: ([c for c in texts if c.lower().replace(" ", "_") != "task_id"], numbers)
            for name, (texts, numbers) in CHIP.items()
        }
    want, got = ({name: common(t[name], c) for name, c in CHIP.items() if name in t} for t in (want, got))
    WANTED = set(CHIP)
part = sys.argv[3:] == ["part"]
names = sorted((PARTS if part else WANTED | set(want)) & (set(want) | WANTED))
wrong, compared = [], 0
for name in names:
    if name not in want or name not in got:
        wrong.append("%s is missing in the %s" % (name, "export" if name in want else "analysed run"))
        continue
    a, b = want[name], got[name]
    if a[0] != b[0]:
        wrong.append("%s: other columns: %s" % (name, b[0][:200]))
        continue
    columns = a[0].split(",")
    drop = columns.index(WAIT) if WAIT in columns else None
    x, y = counted(a, drop), counted(b, drop)
    compared += len(b) - 1
    if len(b) < 2:
        wrong.append("%s: no rows" % name)
    if part and name == "op_summary":  # the op that never ended is as long as those of its tasks that did
        unended = [r for r in y - x if ",COMMUNICATION," in r]
        y.subtract(unended[:1])
    if part and (+(y - x) or x == y):
        wrong.append(
            "%s: %s"
            % (
                name,
                "row %s is not of the whole run" % list(y - x)[0][:99] if +(y - x) else "nothing is missing",
            )
        )
    if not part and x != y:
        r, s = list(x - y)[:1], list(y - x)[:1]
        wrong.append(
            "%s: %d rows of %d and %d differ\n  want %r\n  got  %r"
            % (name, sum((x - y).values()), len(a) - 1, len(b) - 1, r, s)
        )
print("msprof_roundtrip: %d rows of %d tables, %d tables differ" % (compared, len(names), len(wrong)))
for w in wrong:
    print("msprof_roundtrip: " + w)
sys.exit(1 if wrong or not compared else 0)
