# SPDX-License-Identifier: Apache-2.0
"""Layers of V6 chips in msprof.json against the records of demo --raw --gen=2 --chip=950, which are read
here on their own.

usage: chips.py PROF EXPORTED
"""
import glob
import json
import os
import struct
import sys

MHZ = 100  # of the device's counter


def read(path, size):
    with open(path, "rb") as f:
        data = f.read()
    return [data[i : i + size] for i in range(0, len(data) - size + 1, size)]


def clock(device, number):
    def said(name, key):
        with open(os.path.join(device, name)) as f:
            text = f.read()
        if text.startswith("{"):
            return int(json.loads(text)[key])
        return int([line.split(":")[1] for line in text.splitlines() if line.startswith(key + ":")][0])

    h, cnt = said("host_start.log.%d" % number, "clock_monotonic_raw"), said(
        "dev_start.log.%d" % number, "cntvct"
    )
    shift = said("start_info.%d" % number, "collectionTimeBegin") * 1000 - said(
        "start_info.%d" % number, "clockMonotonicRaw"
    )
    return lambda c: (c - cnt) * 1000 // MHZ + h + shift


def us(ns):
    return "%d.%03d" % (ns // 1000, ns % 1000)


prof, out = sys.argv[1], sys.argv[2]
device = glob.glob(os.path.join(prof, "device_*"))[0]
number = int(device.rsplit("_", 1)[1])
ns = clock(device, number)
data = os.path.join(device, "data")
events = json.load(open(glob.glob(os.path.join(out, "msprof_*.json"))[0]))
process = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
slices = [e for e in events if e["ph"] == "X"]

# Fusion tasks: a start and an end with one id.
want, begun = [], {}
for r in read(os.path.join(data, "stars_soc.data.%d.slice_0" % number), 32):
    head, task, ticks, kinds, acc = struct.unpack_from("<H2xIQHH", r)
    if head & 63 == 0x16:
        begun[task] = ticks
    elif head & 63 == 0x17:
        want.append(
            (
                task,
                acc,
                us(ns(begun[task])),
                (ticks - begun[task]) / MHZ,
                "AICORE" if kinds & 31 == 4 else "?",
            )
        )
got = [
    (e["args"]["Task Id"], e["args"]["Acc Id"], e["ts"], e["dur"], e["args"]["Fusion Task Type"])
    for e in slices
    if process[e["pid"]] == "Fusion Task"
]
assert want and sorted(want) == sorted(got), ("fusion tasks", want[:1], got[:1])
assert all(
    e["name"] == "Fusion AICORE" and e["args"]["Task Type"] == "FUSION"
    for e in slices
    if process[e["pid"]] == "Fusion Task"
)

# Blocks: the first and the last vector block of each task, by their counters.
blocks = {}
for r in read(os.path.join(data, "ffts_profile.data.%d.slice_0" % number), 128):
    head, task = struct.unpack_from("<H2xI", r)
    if head & 63 == 0x29:
        start, end = struct.unpack_from("<QQ", r, 112)
        blocks.setdefault(task, []).append((start, end, r[20] & 1, r[21]))
names = {}
for e in slices:
    if process[e["pid"]] == "Ascend Hardware" and "Task Id" in e["args"]:
        names[e["args"]["Task Id"]] = (e["name"], e["args"]["Physic Stream Id"])
want = []
for task, v in blocks.items():
    assert all(core == 1 for _, _, core, _ in v)
    first, last = v[0], v[-1]  # in the order of the file, as their starts are equal
    for place, b in (("AIV Earliest", first), ("AIV Latest", last)):
        want.append(
            (
                task,
                place,
                us(ns(b[0])),
                (b[1] - b[0]) / MHZ,
                b[3],
                "Stream %d %s" % (names[task][1], names[task][0]),
            )
        )
got = [
    (e["args"]["Task Id"], threads[e["pid"], e["tid"]], e["ts"], e["dur"], e["args"]["Core Id"], e["name"])
    for e in slices
    if process[e["pid"]] == "Block Detail"
]
assert want and sorted(want) == sorted(got), ("blocks", sorted(want)[:1], sorted(got)[:1])
print(
    "chips: %d fusion tasks, %d blocks shown of %d"
    % (
        len([e for e in slices if process[e["pid"]] == "Fusion Task"]),
        len(got),
        sum(len(v) for v in blocks.values()),
    )
)
