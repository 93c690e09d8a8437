# SPDX-License-Identifier: Apache-2.0
"""Counters of the cores that were sampled: records are made here, and what the export says of them is
computed here.

usage: chips_sampled.py make PROF [v6]           turn the PROF folder of a demo into one whose counters
       were sampled chips_sampled.py check PROF EXPORTED [v6] compare ai_core_utilization,
       ai_vector_core_utilization, the database and the layer
"""
import csv
import glob
import json
import os
import sqlite3
import struct
import sys

V6 = sys.argv[-1] == "v6"
PROF = sys.argv[2]
DEVICE = glob.glob(os.path.join(PROF, "device_*"))[0]
NUMBER = int(DEVICE.rsplit("_", 1)[1])
N = 10 if V6 else 8
EVENTS = (
    [0x501, 0x301, 0x1, 0x701, 0x202, 0x203, 0x34, 0x35, 0x714, 0x99]
    if V6
    else [0x8, 0xA, 0x9, 0xB, 0xC, 0xD, 0x54, 0x55]
)
NAMES = [
    "vec_ratio",
    "mac_ratio",
    "scalar_ratio",
    "mte1_ratio",
    "mte2_ratio",
    "mte3_ratio",
    "icache_miss_rate",
] + ["fixpipe_ratio"] * V6


def said(name, key):
    with open(os.path.join(DEVICE, name)) as f:
        text = f.read()
    if text.startswith("{"):
        return json.loads(text)[key]
    return [line.split(":")[1] for line in text.splitlines() if line.startswith(key + ":")][0]


INFO = said("info.json.%d" % NUMBER, "DeviceInfo")[0]
HZ = float(INFO["aic_frequency"]) * 1e6
H, CNT = int(said("host_start.log.%d" % NUMBER, "clock_monotonic_raw")), int(
    said("dev_start.log.%d" % NUMBER, "cntvct")
)
MONO = int(said("dev_start.log.%d" % NUMBER, "clock_monotonic_raw"))
SHIFT = int(said("start_info.%d" % NUMBER, "collectionTimeBegin")) * 1000 - int(
    said("start_info.%d" % NUMBER, "clockMonotonicRaw")
)


def samples():
    """(vector, core, ns since the device was started, cycles, events); core ids of a V6 chip tell the kinds
    apart."""
    for i in range(5):
        for vector, core in ((False, 0), (False, 3), (True, 40 if V6 else 1)):
            cycles = 500000 + 1000 * i + 7 * core
            yield vector, core, 20000000 + 10000000 * i + 1000 * core, cycles, [
                (cycles >> 3) + 11 * k + i for k in range(N)
            ]


def wall(ns):
    return ns + H + SHIFT


def record(core, ns, cycles, events):
    stamp = CNT + ns // 10 if V6 else MONO + ns
    return struct.pack("<B7x%dQQQBB6x" % N, 1, *events, cycles, stamp, N, core)


def make():
    path = os.path.join(DEVICE, "sample.json")
    with open(path) as f:
        s = json.load(f)
    s["ai_core_profiling_mode"] = s["aiv_profiling_mode"] = "sample-based"
    s["ai_core_metrics"] = s["aiv_metrics"] = "PipeUtilization"
    s["ai_core_profiling_events"] = s["aiv_profiling_events"] = ",".join(hex(e) for e in EVENTS)
    with open(path, "w") as f:
        json.dump(s, f)
    files = {}
    for vector, core, ns, cycles, events in samples():
        name = "ffts_profile" if V6 else "aiVectorCore" if vector else "aicore"
        files.setdefault(name, []).append(record(core, ns, cycles, events))
    files[list(files)[0]].append(bytes(112 if V6 else 96))  # no sample
    for old in glob.glob(os.path.join(DEVICE, "data", "aicore.data*")) + glob.glob(
        os.path.join(DEVICE, "data", "ffts_profile.data*")
    ):
        os.remove(old)
    for name, v in files.items():
        with open(os.path.join(DEVICE, "data", "%s.data.%d.slice_0" % (name, NUMBER)), "wb") as f:
            f.write(b"".join(v))


def sums(vector):
    out = {}
    for v, core, _, cycles, events in samples():
        if v == vector:
            c, e = out.get(core, (0, [0] * N))
            out[core] = (c + cycles, [a + b for a, b in zip(e, events)])
    return out


def metrics(cycles, e):
    by = dict(zip(EVENTS, e))
    miss = by[0x35] / by[0x34] if V6 else by[0x55] / by[0x54]
    order = (0x501, 0x301, 0x1, 0x701, 0x202, 0x203) if V6 else (0x8, 0xA, 0x9, 0xB, 0xC, 0xD)
    return [by[k] / cycles for k in order] + [miss] + ([by[0x714] / cycles] if V6 else [])


def close(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def check_csv(out, name, vector):
    with open(
        glob.glob(os.path.join(out, "mindstudio_profiler_output", name + "_*.csv"))[0], newline=""
    ) as f:
        rows = list(csv.reader(f))
    assert rows[0] == ["Device_id", "Core ID"] + NAMES + ["memory_bound"], rows[0]
    want, total = [], [0.0] * len(NAMES)
    for core, (cycles, e) in sorted(sums(vector).items()):
        v = [round(x, 3) for x in metrics(cycles, e)]
        total = [a + b for a, b in zip(total, v)]
        want.append(["Core%d" % core] + v)
    want.append(["Average"] + [round(t / len(want), 3) for t in total])
    for w in want:
        w.append(round(w[1 + NAMES.index("mte2_ratio")] / max(w[1], w[2]), 3))
    got = [[r[1]] + [float(c) for c in r[2:]] for r in rows[1:]]
    assert got == want and {r[0] for r in rows[1:]} == {str(NUMBER)}, (got, want)
    return len(got)


def check_db(out):
    db = sqlite3.connect(glob.glob(os.path.join(out, "only", "msprof_*.db"))[0])
    got = db.execute(
        "SELECT deviceId, timestampNs, totalCycle, usage, freq, coreId, s.value FROM SAMPLE_PMU_TIMELINE t"
        " JOIN STRING_IDS s ON s.id = t.coreType ORDER BY 7, 6, 2"
    ).fetchall()
    want, before = [], {}
    for vector, core, ns, cycles, _ in samples():
        last = before.get((vector, core))
        usage = None if last is None else cycles / (HZ * (ns - last) / 1e9) * 100
        before[vector, core] = ns
        want.append((NUMBER, wall(ns), cycles, usage, HZ / 1e6, core, "AIV" if vector else "AIC"))
    want.sort(key=lambda r: (r[6], r[5], r[1]))
    assert len(got) == len(want)
    for g, w in zip(got, want):
        assert g[:3] == w[:3] and g[4:] == w[4:] and (g[3] == w[3] or close(g[3], w[3])), (g, w)
    got = {
        (core, kind, metric): value
        for core, kind, metric, value in db.execute(
            "SELECT coreId, k.value, m.value, t.value FROM SAMPLE_PMU_SUMMARY t JOIN STRING_IDS k ON k.id = "
            "t.coreType JOIN STRING_IDS m ON m.id = t.metric"
        )
    }
    n = 0
    for vector in (False, True):
        for core, (cycles, e) in sums(vector).items():
            kind = "AIV" if vector else "AIC"
            wanted = dict(zip(NAMES, metrics(cycles, e)), total_time=cycles / HZ * 1e9)
            for metric, value in wanted.items():
                assert close(got[core, kind, metric], value), (core, kind, metric, value)
                n += 1
    assert n == len(got)
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master")]
    assert "TASK_PMU_INFO" not in tables
    return len(want) + n


def check_layer(out):
    events = json.load(open(glob.glob(os.path.join(out, "mindstudio_profiler_output", "msprof_*.json"))[0]))
    pid = [
        e["pid"] for e in events if e["name"] == "process_name" and e["args"]["name"] == "AI Core Utilization"
    ]
    got = sorted(
        (e["name"], e["ts"], e["args"]["Utilization(%)"])
        for e in events
        if e["ph"] == "C" and e["pid"] in pid
    )
    want, before, usages = [], {}, {}
    for vector, core, ns, cycles, _ in samples():
        if vector:
            continue
        if core in before:
            usage = cycles / (HZ * (ns - before[core]) / 1e9) * 100
            usages.setdefault(core, []).append((ns, usage))
            want.append(("Core %d" % core, "%.3f" % (wall(ns) / 1000), "%.6f" % usage))
        before[core] = ns
    for i in range(4):
        want.append(
            (
                "Average",
                "%.3f" % (wall(usages[0][i][0]) / 1000),
                "%.6f" % ((usages[0][i][1] + usages[3][i][1]) / 2),
            )
        )
    got = [(n, float(t), float(v)) for n, t, v in got]
    want = sorted((n, float(t), float(v)) for n, t, v in want)
    assert len(pid) == 1 and len(got) == len(want)
    for g, w in zip(got, want):
        assert g[0] == w[0] and abs(g[1] - w[1]) < 0.5 and abs(g[2] - w[2]) < 2e-6, (g, w)
    return len(got)


if sys.argv[1] == "make":
    make()
else:
    n = check_csv(sys.argv[3], "ai_core_utilization", False) + check_csv(
        sys.argv[3], "ai_vector_core_utilization", True
    )
    print(
        "chips_sampled: %d rows of csv, %d of the database, %d events"
        % (n, check_db(sys.argv[3]), check_layer(sys.argv[3]))
    )
