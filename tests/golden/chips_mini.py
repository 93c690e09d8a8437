# SPDX-License-Identifier: Apache-2.0
"""A PROF folder of chip 0, made of one of 910A: all logs of its device become one ts_track with records of
several sizes.

usage: chips_mini.py PROF    prints how many tasks and how many counters there are
"""
import glob
import json
import os
import struct
import sys

PROF = sys.argv[1]
LINE, COUNTS, MARK, COPY = 3, 4, 10, 11
RUNS, DONE = 2, 3


def line(kind, state, stream, task, ticks):
    return struct.pack("<BBH4x4HQ8x", 0, LINE, 32, kind, state, stream, task, ticks)


def records(data, name, size):
    for path in sorted(glob.glob(os.path.join(data, name + ".data.*slice_*"))):
        if not path.endswith(".done"):
            with open(path, "rb") as f:
                text = f.read()
            for at in range(0, len(text) - size + 1, size):
                yield text[at : at + size]
        os.remove(path)


def convert(device):
    number = device.rsplit("_", 1)[1]
    data = os.path.join(device, "data")
    out, counted = [], []
    for r in records(data, "hwts", 64):
        task, ticks, stream = struct.unpack_from("<HQI", r, 6)
        if r[0] & 7 < 2:
            out.append((ticks, line(r[1] if r[1] < 2 else 5, RUNS + (r[0] & 7), stream, task, ticks)))
    for r in records(data, "ts_track", 40):
        ticks, stream, task, kind = struct.unpack_from("<Q3H", r, 8)
        if r[1] == 12 and r[22] in (1, 2):
            out.append((ticks, line(kind, r[22] + 1, stream, task, ticks)))
        elif r[1] in (MARK, COPY):
            out.append((ticks, r[:2] + struct.pack("<H", 40) + r[4:]))
    for r in records(data, "aicore", 128):
        task, cycles, stream = struct.unpack_from("<H8xQ72xI", r, 6)
        counted.append(
            struct.pack("<BBH4x4HQ", 0, COUNTS, 112, 0, stream, task, 0, 0)
            + r[32:96]
            + struct.pack("<QQH6x", cycles, 0, 1)
        )
    out.sort(key=lambda x: x[0])
    with open(os.path.join(data, "ts_track.data.%s.slice_0" % number), "wb") as f:
        f.write(b"".join(r for _, r in out) + b"".join(counted))
    return sum(r[1] == LINE for _, r in out) // 2, len(counted)


for path in glob.glob(os.path.join(PROF, "*", "info.json*")):
    with open(path) as f:
        info = json.load(f)
    info["platform_version"] = "0"
    with open(path, "w") as f:
        json.dump(info, f)
print("%d %d" % convert(glob.glob(os.path.join(PROF, "device_*"))[0]))
