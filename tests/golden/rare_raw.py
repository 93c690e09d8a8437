#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Raw files that no sample has, with random contents: their rows are those that the format says
(doc/formats/prof.md, mindspore1.md), computed here from the same numbers.

rare_raw.py NPUSCOPE
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

from rare_files import ask

PROF = "PROF_000001_20260102030405678_ABCDEF"
MONO, WALL = 10**9, 5 * 10**9  # both clocks at the start, ns
TOTAL_KB = 1000000
CLOCK = "clock_monotonic_raw:%d\ncntvct:7000\ncntvct_diff:0\n"


def info(device):
    chip = {"hwts_frequency": "50.000000", "aic_frequency": "1850", "ai_core_num": 24, "aiv_num": 48}
    return json.dumps({
        "platform_version": "5", "pid": "77", "version": "1.0", "CPU": [{"Frequency": "100.000000"}],
        "DeviceInfo": [chip] if device else [], "rank_id": 3, "cpuNums": 4, "sysClockFreq": 100,
        "memoryTotal": TOTAL_KB, "netCard": [{"netCardName": "eth0", "speed": 1000}]})


START = json.dumps({"collectionTimeBegin": str(WALL // 1000), "clockMonotonicRaw": str(MONO)})
INFO_FILES = {
    "host/info.json": info(False), "device_0/info.json.0": info(True), "host/start_info": START,
    "device_0/start_info.0": START, "host/host_start.log": "[Host]\n" + CLOCK % MONO,
    "device_0/host_start.log.0": "[Host]\n" + CLOCK % MONO, "device_0/dev_start.log.0": CLOCK % 400,
    "device_0/sample.json": json.dumps({"ai_core_profiling": "off", "profLevel": "l1"}),
}


def memory_of_the_process(rand):
    """raw_host_usage: pages of 4 KB, and their share of what the host has."""
    text, rows, at = "", [], MONO
    for _ in range(60):
        at += rand.randrange(1, 10**8)
        pages = rand.randrange(TOTAL_KB // 4)
        text += "%d %d %d 4653 14 0 213261 0\n" % (at, rand.randrange(10**10), pages)
        rows.append(("Resident Memory(KB)", at - MONO + WALL, pages * 4.0))
        rows.append(("Memory Usage(%)", at - MONO + WALL, pages * 4 / TOTAL_KB * 100))
    return {"host/data/host_mem.data.slice_0": text}, rows


def memory_of_the_device(rand):
    """raw_system_text: what is not free, and no buffer."""
    text, rows, at = "", [], 50
    for i in range(60):
        at += rand.randrange(1, 10**8)
        total, free, buffers, cached = 10**6, rand.randrange(10**5), rand.randrange(10**5), rand.randrange(10**5)
        text += ("TimeStamp:%d\nIndex:%d\nMemTotal:       %d kB\nMemFree: %d kB\nMemAvailable: 1 kB\n"
                 "Buffers: %d kB\nCached: %d kB\nShmem: 7 kB\nHugePages_Total:  0\n\n"
                 % (at, i, total, free, buffers, cached))
        rows.append(("NPU System Memory Free(KB)", at, float(free)))
        rows.append(("NPU System Memory Used(KB)", at, float(total - free - buffers - cached)))
    return {"device_0/data/Memory.data.0.slice_0": text}, rows


SAMPLES = "SELECT what, coalesce(ts_ns, at_ns), value FROM host_sample"


def batches(rand):
    """raw_framework_queue, raw_framework_iterator: times of a batch in ms, sizes and capacity of the queue."""
    text, rows = "", []
    for batch in range(1, 60):
        for extra, kind in enumerate(("pipeline", "push", "total")):
            ms = rand.randrange(100)
            text += "0 %d %d %d %d\n" % (extra, batch, ms, 5000 + batch)
            rows.append((kind, batch, ms * 10.0**6))
        size = rand.randrange(17)
        text += "1 16 %d %d %d\n" % (batch, size, 5000 + batch)
        rows.append(("size of 16", batch, float(size)))
    return text, rows


def queue(rand):
    text, rows = batches(rand)
    return {"device_0/data/Framework.device_queue.0.slice_0": text}, rows


def iterator(rand):
    text, rows = batches(rand)
    return {"device_0/data/Framework.dataset_iterator.0.slice_0": text}, rows


BATCHES = ("SELECT kind, batch, dur_ns FROM batch_time UNION ALL "
           "SELECT 'size of ' || capacity, seq, size FROM queue_sample")


def data_queue(rand):
    """raw_preprocess: records of the queue between host and device; a run has others beside them."""
    data, rows = b"", []
    for i in range(60):
        at, size = MONO + i * 1000 + rand.randrange(1000), rand.randrange(100)
        data += struct.pack("<HH4xQ16s64sQQ16x", 0x5A5A, 100, at, b"Last queue", b"source%d" % (i % 3), i, size)
        rows.append(("source%d" % (i % 3), i, float(size)))
    beside, _ = memory_of_the_process(rand)
    return {"device_0/data/DATA_PREPROCESS.DP.0.slice_0": data, **beside}, rows


QUEUES = "SELECT queue, seq, size FROM queue_sample"

CASES = [
    ("raw_host_usage", memory_of_the_process, SAMPLES),
    ("raw_system_text", memory_of_the_device, SAMPLES),
    ("raw_framework_queue", queue, BATCHES),
    ("raw_framework_iterator", iterator, BATCHES),
    ("raw_preprocess", data_queue, QUEUES),
]


def write(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())


def samples_alone(tool, tmp):
    """What was sampled is read where no task, call or op was recorded; as many rows as of the whole folder."""
    run, sql = os.path.join(tmp, "run"), "SELECT process, ts_ns, ddr_b, hbm_b FROM mem_device ORDER BY 1, 2"
    subprocess.run([tool, "demo", "-q", "--raw", "--gen=2", "--ranks=1", "--steps=3", run], check=True)
    folder = next(os.path.join(at, d) for at, ds, _ in os.walk(run) for d in ds if d.startswith("PROF_"))
    whole = ask(tool, "query", sql, folder)
    for at, _, files in os.walk(folder):
        for name in files:
            if ".data." in name and not name.startswith(("npu_mem.", "npu_module_mem.")):
                os.remove(os.path.join(at, name))
    states = [r for r in ask(tool, "files", "-C", "kind,state", folder) if r[0] == "raw_npu_mem"]
    alone = ask(tool, "query", sql, folder)
    if whole and alone == whole and states == [["raw_npu_mem", "ok"]] * 2:
        return 0
    print("samples alone: %s, %d rows, %d of the whole folder" % (states, len(alone), len(whole)))
    return 1


def same(have, want):
    return (len(have) == len(want) and
            all(h[:2] == w[:2] and abs(h[2] - w[2]) <= 1e-9 * abs(w[2]) for h, w in zip(have, want)))


def main():
    tool, wrong = sys.argv[1], 0
    with tempfile.TemporaryDirectory() as tmp:
        for kind, make, sql in CASES:
            rand = random.Random(kind)
            files, want = make(rand)
            folder = os.path.join(tmp, kind, PROF)
            write(folder, INFO_FILES)
            write(folder, files)
            state = [r[1:] for r in ask(tool, "files", "-C", "kind,state,lost", folder) if r[0] == kind]
            have = [(a, int(b), float(c)) for a, b, c in ask(tool, "query", sql, folder)]
            if [s[0] for s in state] != ["ok"] or not same(sorted(have), sorted(want)):
                wrong += 1
                print("%s: %s; %s\nwanted %s" % (kind, state, sorted(have)[:6], sorted(want)[:6]))
        wrong += samples_alone(tool, tmp)
    print("%d kinds, %d wrong" % (len(CASES), wrong))
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
