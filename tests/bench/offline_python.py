#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""offline_python.py RANK EXPORTED OUT: the least that an analysis of a rank folder in Python does.

Records of FRAMEWORK/mindspore.op_range become events, msprof's timeline and op_summary (exported before) are
read, launches are joined with kernels, trace_view.json and kernel_details.csv are written. No classes, no
decimals, no scopes, no steps: what upstream does besides takes longer.
"""
import csv
import glob
import json
import os
import struct
import sys

FIXED = struct.Struct("<QQQQQiHHHbBBB")
HEAD = struct.Struct("<HI")


def ranges(path):
    """(thread, begin, end, module, event, name) of each record."""
    with open(path, "rb") as f:
        data = f.read()
    at = 0
    while at + HEAD.size <= len(data):
        _, n = HEAD.unpack_from(data, at)
        at += HEAD.size
        x = FIXED.unpack_from(data, at)
        fields, p = {}, at + FIXED.size
        while p < at + n:
            kind, length = HEAD.unpack_from(data, p)
            p += HEAD.size
            fields[kind] = data[p:p + length].decode()
            p += length
        at += n
        yield x[0], x[3], x[4], x[6], x[7], fields[13] if x[12] else fields[14]


def main():
    rank, exported, out = sys.argv[1:4]
    events, launches = [], {}
    for thread, begin, end, module, event, name in ranges(f"{rank}/FRAMEWORK/mindspore.op_range"):
        events.append({"ph": "X", "name": f"{module}::{event}::{name}", "pid": 1, "tid": thread,
                       "ts": f"{begin / 1000:.3f}", "dur": f"{(end - begin) / 1000:.3f}", "cat": "",
                       "args": {}})
        if (module, event) == (4, 4):
            launches.setdefault(thread, []).append((begin, end, name))
    starts, ends, kernels, timeline = {}, {}, {}, []
    for path in glob.glob(f"{exported}/mindstudio_profiler_output/msprof_[0-9]*.json"):
        with open(path, encoding="utf-8") as f:
            timeline += json.load(f)
    for e in timeline:
        if e.get("cat") == "HostToDevice":
            (starts if e["ph"] == "s" else ends).setdefault(e["id"], e)
        elif e["ph"] == "X":
            kernels[e["pid"], e["tid"], e["ts"]] = e
    names = {}
    for id_, e in ends.items():
        kernel, start = kernels.get((e["pid"], e["tid"], e["ts"])), starts.get(id_)
        if kernel and start and launches.get(start["tid"]):
            name = launches[start["tid"]].pop()[2]
            kernel["args"]["mindspore_op"] = name
            names[kernel["name"], kernel["ts"]] = name
            events.append({"name": "mindspore_to_npu", "bp": "e", "ph": "s", "ts": start["ts"], "pid": 1,
                           "tid": start["tid"], "id": kernel["ts"], "cat": "async_npu"})
            events.append({"name": "mindspore_to_npu", "bp": "e", "ph": "f", "ts": kernel["ts"],
                           "pid": e["pid"], "tid": e["tid"], "id": kernel["ts"], "cat": "async_npu"})
    os.makedirs(out, exist_ok=True)
    with open(f"{out}/trace_view.json", "w", encoding="utf-8") as f:
        f.write(json.dumps(events + timeline, ensure_ascii=False))
    with open(f"{out}/kernel_details.csv", "w", newline="", encoding="utf-8") as o:
        for path in sorted(glob.glob(f"{exported}/mindstudio_profiler_output/op_summary_*.csv")):
            with open(path, newline="", encoding="utf-8") as f:
                rows = csv.DictReader(f)
                write = csv.DictWriter(o, rows.fieldnames)
                write.writeheader()
                for row in rows:
                    name = names.get((row["Op Name"], row["Task Start Time(us)"].strip()))
                    row["Op Name"] = f"{name}/{row['Op Name']}" if name else row["Op Name"]
                    write.writerow(row)


if __name__ == "__main__":
    main()
