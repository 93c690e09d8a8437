#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""framework_raw.py PROFILE FOLDER: a rank folder of MindSpore 2.7 of a folder that holds PROF_*.

PROF_* is linked file by file; FRAMEWORK/mindspore.op_range has three events for each launch that the host
recorded (a frame of Python, the op, its kernel launch) and a mark for every 1000 of them: what an analysis
joins with the kernels. Prints the number of events.
"""
import json
import os
import struct
import sys

API = struct.Struct("<HHIIIQQQ")
NODE, LAUNCH = 10000, 5
FIXED = struct.Struct("<HIQQQQQiHHHbBBB")
FIELD = struct.Struct("<HI")
NO_FLOW = 2**64 - 1
PER_STEP = 1000
INFO = {
    "profiler_parameters": {
        "is_set_schedule": True,
        "profiler_level": "Level1",
        "activities": ["CPU", "NPU"],
        "profile_memory": False,
        "data_process": False,
        "record_shapes": False,
        "export_type": ["text"],
    },
    "ms_profiler_info": {"rank_id": "0", "device_id": "0"},
    "ms_version": "2.7.0",
    "jit_level": "O0",
}


def launches(prof):
    """Thread, begin and end of each launch of a kernel, in order of the files."""
    data = os.path.join(prof, "host", "data")
    names = (n for n in os.listdir(data) if "api_event.data.slice_" in n and not n.endswith(".done"))
    for name in sorted(names, key=lambda n: (n.split(".")[0], int(n.rsplit("_", 1)[1]))):
        with open(os.path.join(data, name), "rb") as f:
            for r in API.iter_unpack(f.read()):
                if r[1] == NODE and r[2] == LAUNCH:
                    yield r[3], r[5], r[6]


def record(out, thread, begin, end, module, event, name, short=b"op", stack=False):
    fields = b"".join(
        FIELD.pack(kind, len(text)) + text for kind, text in ((13, short), (14, name), (15, b""), (16, b""))
    )
    head = FIXED.pack(0, FIXED.size - 6 + len(fields), thread, 0 if stack else NO_FLOW, 0, begin, end,
                      thread & 0x7FFFFFFF, module, event, 0, -1, 0, 0, stack)
    out.write(head + fields)


def write(out, prof):
    events, mark = 0, None
    for i, (thread, begin, end) in enumerate(launches(prof)):
        if i % PER_STEP == 0:
            if mark:
                record(out, mark[0], mark[1], begin - 30, 5, 53, b"ProfilerStep#%d" % mark[2],
                       b"ProfilerStep#%d" % mark[2])
            mark = thread, begin - 25, i // PER_STEP
        name = b"Default/network-TrainOneStepCell/backbone-Net/layer%d-Cell/Op%d-op%d" % (
            i % PER_STEP // 50, i % 50, i % PER_STEP)
        record(out, thread, begin - 20, end + 6, 0, 0, b"", b"train.py(%d):construct" % (i % 97), True)
        record(out, thread, begin - 10, end + 4, 3, 28, name)
        record(out, thread, begin - 2, end + 2, 4, 4, name)
        events += 3
    return events


def main():
    source, folder = sys.argv[1:3]
    prof = next(os.path.join(source, n) for n in os.listdir(source) if n.startswith("PROF_"))
    for d, _, names in os.walk(prof):
        to = os.path.join(folder, os.path.basename(prof), os.path.relpath(d, prof))
        os.makedirs(to)
        for name in names:
            os.link(os.path.join(d, name), os.path.join(to, name))
    os.makedirs(os.path.join(folder, "FRAMEWORK"))
    with open(os.path.join(folder, "profiler_info_0.json"), "w", encoding="ascii") as f:
        json.dump(INFO, f)
    with open(os.path.join(folder, "FRAMEWORK", "mindspore.op_range"), "wb") as f:
        print(write(f, prof))


if __name__ == "__main__":
    main()
