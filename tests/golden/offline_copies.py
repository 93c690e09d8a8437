#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs of which there is a PROF folder alone: the tables that analyse --compat takes over must be those that
msprof wrote, byte by byte (of torch_npu with other line ends), and torch_npu's communication files what its
rules make of msprof's (doc/formats/framework.md#torch_npu-communication).

  offline_copies.py NPUSCOPE SAMPLES [CASE]
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

CASES = ["aicpu_memcpy_nopmu", "killed_midway", "pmu_arithmetic", "pmu_memory_static", "sampled_system",
         "train_1dev_graph", "train_910a_hwts"]
SAME = ["l2_cache.csv", "static_op_mem.csv", "hbm.csv", "nic.csv", "roce.csv", "pcie.csv", "hccs.csv",
        "op_statistic.csv", "api_statistic.csv", "task_time.csv", "soc_pmu.csv"]
ONLY_MS, ONLY_TORCH = {"static_op_mem.csv", "hbm.csv"}, {"task_time.csv", "soc_pmu.csv"}
INFO = {
    "ms": {"profiler_parameters": {"activities": ["NPU"], "profiler_level": "Level2", "profile_memory": True,
                                   "is_set_schedule": False},
           "ms_profiler_info": {"rank_id": "0", "device_id": "0"}, "ms_version": "2.7.0"},
    "pt": {"config": {"common_config": {"activities": ["ProfilerActivity.NPU"], "profile_memory": True},
                      "experimental_config": {"_profiler_level": "Level2"}}, "start_info": {}, "end_info": {},
           "rank_id": 0},
}


def read(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as f:
        return f.read()


def in_mb(table):
    """Of the memory of components: torch_npu counts it in MB."""
    head, *rows = table.decode().split("\r\n")[:-1]
    out = [head.replace("(KB)", "(MB)")]
    for row in rows:
        cells = row.split(",")
        cells[3] = str(float(cells[3]) / 1024)
        out.append(",".join(cells))
    return "".join(line + "\r\n" for line in out).encode()


def tables(expected, flavour):
    """What the tables of a flavour must be."""
    for name in SAME:
        if name in (ONLY_TORCH if flavour == "ms" else ONLY_MS):
            continue
        table = read(os.path.join(expected, name))
        yield name, table.replace(b"\n", b"\r\n") if table and flavour == "pt" else table
    table = read(os.path.join(expected, "aicpu.csv"))
    yield "data_preprocess.csv", table.replace(b"\n", b"\r\n") if table and flavour == "pt" else table
    table = read(os.path.join(expected, "npu_module_mem.csv"))
    table = table.replace(b"\n", b"\r\n") if table else table
    yield "npu_module_mem.csv", in_mb(table) if table and flavour == "pt" else table


# ---- torch_npu's communication files ----

P2P = ("hcom_send", "hcom_receive", "hcom_batchsendrecv")
TYPES = re.compile("send|reduce|invalid|broadcast|allreduce|receive|allgather|reducescatter|scatter|alltoall|"
                   "batchsendrecv")


def ratio(part, whole):
    return round(part / whole, 4) if abs(whole) >= 1e-15 else 0


def halves(ops):
    out = {"p2p": {}, "collective": {}}
    for name, op in ops.items():
        if not name.lower().startswith("total"):
            out["p2p" if name.lower().startswith(P2P) else "collective"][name] = op
    return out


def with_total(ops):
    if not ops:
        return ops
    times, bands = {}, {}
    for op in ops.values():
        for key, value in op["Communication Time Info"].items():
            if not key.startswith("Start") and not key.endswith("Ratio"):
                times[key] = times.get(key, 0.0) + value
        for transport, of in op["Communication Bandwidth Info"].items():
            band = bands.setdefault(transport, {"Transit Time(ms)": 0, "Transit Size(MB)": 0, "Size Distribution": {}})
            for key in ("Transit Time(ms)", "Transit Size(MB)"):
                band[key] += of[key]
            for size, (n, ms) in of["Size Distribution"].items():
                to = band["Size Distribution"].setdefault(size, [0, 0])
                to[0] += n
                to[1] += ms
    wait, sync, transit = (times.get(k + " Time(ms)", 0) for k in ("Wait", "Synchronization", "Transit"))
    times["Wait Time Ratio"] = ratio(wait, wait + transit)
    times["Synchronization Time Ratio"] = ratio(sync, transit + sync)
    ops["Total Op Info"] = {"Communication Time Info": times, "Communication Bandwidth Info": bands}
    return ops


def ranked(ops):
    links, out = {}, {}
    for name, op in ops.items():
        found = TYPES.search(name.lower())
        kind = found.group() if found else name.split("__")[0]
        for link, entry in op.items():
            entry["Op Name"] = name.split("@")[0]
            links.setdefault((kind, name.split("@")[-1], link), []).append(entry)
    for (kind, group, link), entries in links.items():
        entries.sort(key=lambda x: -x["Bandwidth(GB/s)"])
        size, ms = (sum(x[k] for x in entries) for k in ("Transit Size(MB)", "Transit Time(ms)"))
        total = {"Transport Type": entries[0]["Transport Type"], "Transit Size(MB)": size, "Transit Time(ms)": ms,
                 "Bandwidth(GB/s)": ratio(size, ms)}
        n = len(entries)
        picks = [("top1", entries[0]), ("middle", entries[n // 2]), ("bottom1", entries[-1]), ("total", total)]
        picks += [(f"bottom{k}", entries[-k]) for k in (2, 3) if n >= k]
        for word, entry in picks:
            out.setdefault(f"{kind}-{word}@{group}", {})[link] = entry
    return out


def communication(expected):
    for name, of_half in (("communication.json", with_total), ("communication_matrix.json", ranked)):
        text = read(os.path.join(expected, name))
        made = {k: of_half(v) for k, v in halves(json.loads(text)).items()} if text else None
        yield name, json.dumps({"step": made}, ensure_ascii=False).encode() if text else None


# ---- the runs ----


def analyse(exe, samples, case, flavour, to):
    folder = os.path.join(to, f"host_100_20240611062509123_ascend_{flavour}")
    os.makedirs(folder)
    for prof in glob.glob(os.path.join(samples, "data", "msprof", case, "PROF_*")):
        shutil.copytree(prof, os.path.join(folder, os.path.basename(prof)))
    with open(os.path.join(folder, "profiler_info_0.json"), "w", encoding="utf-8") as f:
        json.dump(INFO[flavour], f)
    out = os.path.join(to, "out")
    done = subprocess.run([exe, "analyse", "-q", "--compat", f"--output={out}", folder],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode not in (0, 4):  # 4: some of the files are damaged
        sys.exit(f"{case}: analyse ended with {done.returncode}")
    return out


def run(exe, samples, case, flavour):
    expected, bad, n = os.path.join(samples, "data", "msprof", case, "expected"), 0, 0
    with tempfile.TemporaryDirectory() as to:
        out = analyse(exe, samples, case, flavour, to)
        want = dict(tables(expected, flavour))
        if flavour == "pt":
            want.update(communication(expected))
        for name, theirs in want.items():
            ours = read(os.path.join(out, name))
            n += theirs is not None
            if name == "task_time.csv" and ours and theirs:  # rows of one time have no order
                ours, theirs = sorted(ours.split(b"\n")), sorted(theirs.split(b"\n"))
            if ours != theirs:
                there = "differ" if ours and theirs else f"only {'here' if ours else 'there'}"
                print(f"  {case}, {flavour}: {name}: {there}")
                bad += 1
    print(f"{case}, {flavour}: {n} files compared, {bad} differ")
    return bad, n


def main():
    exe, samples, bad, n = os.path.abspath(sys.argv[1]), sys.argv[2], 0, 0
    for case in sys.argv[3:] or CASES:
        for flavour in INFO:
            b, m = run(exe, samples, case, flavour)
            bad, n = bad + b, n + m
    print(f"offline_copies: {n} files compared, {bad} differ")
    return 1 if bad or not n else 0


sys.exit(main())
