# SPDX-License-Identifier: Apache-2.0
"""task_time of chip 0, which says what tasks of the same ids took together, against the tasks of another
chip one by one.

usage: chips_times.py TASKS TOGETHER
"""
import collections
import csv
import sys

took = collections.defaultdict(list)
with open(sys.argv[1], newline="") as f:
    for row in csv.DictReader(f):
        took[row["stream_id"], row["task_id"], row["kernel_name"] == "MemcopyAsync"].append(
            float(row["task_time(us)"])
        )
with open(sys.argv[2], newline="") as f:
    rows = list(csv.DictReader(f))
seen = collections.defaultdict(list)
for row in rows:
    seen[row["Stream ID"], row["Task ID"], row["API"] == "MemcpyAsync"].append(row)
bad = [key for key in took if key not in seen] + [key for key in seen if key not in took]
for key, times in took.items():
    if key in bad:
        continue
    of = seen[key]
    want = {"Time(us)": sum(times), "Running(us)": sum(times), "Count": len(times)}
    if any(
        abs(sum(float(row[column]) for row in of) - value) > 0.002 * len(times)
        for column, value in want.items()
    ):
        bad.append(key)
    elif (
        abs(min(float(row["Min(us)"]) for row in of) - min(times)) > 0.002
        or abs(max(float(row["Max(us)"]) for row in of) - max(times)) > 0.002
    ):
        bad.append(key)
share = sum(float(row["Time(%)"]) for row in rows)
print(
    "chips: times of %d tasks in %d rows; shares are %.3f in all; differences: %d"
    % (sum(map(len, took.values())), len(rows), share, len(bad))
)
sys.exit(bool(bad) or not rows or abs(share - 100) > 0.001 * len(rows))
