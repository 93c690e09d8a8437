#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rank folders that were never analysed: the files that analyse --compat makes must equal those of the
frameworks' own analysis of the same raw data, byte by byte or event by event.

  offline.py NPUSCOPE SAMPLES [CASE]
"""
import collections
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from framework_case import build  # noqa: E402

CASES = ["graph_sched_27", "graph_sched_26", "graph_sched_25", "aclnn_nosched_27", "jit_o2_27",
         "killed_torn_27", "no_op_range_27", "npu_only_27", "pt_queue", "pt_noqueue", "pt_level0"]


OWN_FLOWS = ("async_mindspore", "MsTx", "async_npu", "async_task_queue", "fwdbwd")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def same_bytes(ours, theirs):
    """Lines that differ."""
    a, b = read(ours).split(b"\n"), read(theirs).split(b"\n")
    for x, y in zip(a, b):
        if x != y:
            print(f"    here  {x[:300]!r}\n    there {y[:300]!r}")
            break
    return sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b)), len(b)


def events(path):
    """Events with their keys in order and their numbers as they are written; those of msprof apart.

    msprof numbers calls of the same instant in the order of a hash table.
    """
    own, calls = [], []
    for e in json.loads(read(path), parse_float=str, parse_constant=str):
        is_own = e["pid"] in (1, 2, 3, 4321) or e.get("cat") in OWN_FLOWS
        if not is_own and isinstance(e.get("args"), dict):
            e["args"].pop("connection_id", None)
        (own if is_own else calls).append(json.dumps(e))
    return own, calls


def same_events(ours, theirs):
    """Events that differ, of our own also in their order; msprof's have none that counts."""
    (a, more_a), (b, more_b) = events(ours), events(theirs)
    own = sum(x != y for x, y in zip(a, b))
    a, b = a + more_a, b + more_b
    only_a = list((collections.Counter(a) - collections.Counter(b)).elements())
    only_b = list((collections.Counter(b) - collections.Counter(a)).elements())
    for x in only_a[:3]:
        print(f"    only here  {x[:300]}")
    for x in only_b[:3]:
        print(f"    only there {x[:300]}")
    moved = 0 if only_a or only_b else own
    if moved:
        print(f"    {moved} events in another order")
    return len(only_a) + len(only_b) + moved, len(b)


# Files (patterns of their names) and how they are compared. Of these a case has exactly those that the
# original wrote.
FILES = {
    "trace_view.json": same_events,
    "kernel_details.csv": same_bytes,
    "step_trace_time.csv": same_bytes,
    "op_statistic.csv": same_bytes,
    "api_statistic.csv": same_bytes,
    "operator_memory.csv": same_bytes,
    "memory_record.csv": same_bytes,
    "npu_module_mem.csv": same_bytes,
    "communication.json": same_bytes,
    "dataset.csv": same_bytes,
    "minddata_pipeline_*": same_bytes,
    "operator_details.csv": same_bytes,
    "communication_matrix.json": same_bytes,
}
# Files that were left out of the samples: their originals are copies of what msprof wrote.
UNSAMPLED = [("pt_*", name) for name in
             ("*_statistic.csv", "npu_module_mem.csv", "communication*.json", "data_preprocess.csv",
              "task_time.csv",
              "*_cache.csv", "*_pmu.csv")] + [
    ("pt_level0", "step_trace_time.csv"), ("pt_level0", "*memory*.csv"),
    ("pt_level0", "operator_details.csv")]
# Without profiler_info a rank is that of PROF_*, which the samples borrow from another run.
UNSAMPLED += [("* without profiler_info", name) for name in ("memory_record.csv", "minddata_pipeline_*")]
KILLED = ["graph_sched_27", "graph_sched_26", "graph_sched_25", "killed_torn_27", "pt_queue"]
COPIES = ("l2_cache.csv", "soc_pmu.csv", "static_op_mem.csv", "task_time.csv", "data_preprocess.csv",
          "hbm.csv",
          "nic.csv", "roce.csv", "pcie.csv", "hccs.csv")
FILES.update({name: same_bytes for name in COPIES})


def known(name):
    return next((how for pattern, how in FILES.items() if fnmatch.fnmatch(name, pattern)), None)


def unsampled(case, name):
    return any(fnmatch.fnmatch(case, c) and fnmatch.fnmatch(name, n) for c, n in UNSAMPLED)


def compare(case, out, expected, only="*"):
    bad = n = 0
    for name in sorted(set(os.listdir(out)) | set(os.listdir(expected))):
        how, ours, theirs = known(name), os.path.join(out, name), os.path.join(expected, name)
        if not how or unsampled(case, name) or not fnmatch.fnmatch(name, only):
            continue
        if os.path.exists(ours) != os.path.exists(theirs):
            print(f"  {case}: {name}: only {'here' if os.path.exists(ours) else 'there'}")
            bad += 1
            continue
        differ, rows = how(ours, theirs)
        if differ:
            print(f"  {case}: {name}: {rows} rows compared, {differ} differ")
        bad, n = bad + differ, n + rows
    return bad, n


def analyse(exe, folder, out, *options):
    done = subprocess.run([exe, "analyse", "-q", *options, f"--output={out}", folder],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode not in (0, 4):  # 4: some of the files are damaged
        sys.exit(f"{folder}: analyse ended with {done.returncode}")


def run(exe, samples, case):
    with tempfile.TemporaryDirectory() as to:
        folder, expected = build(samples, case, to)
        out = os.path.join(to, "out")
        analyse(exe, folder, out, "--compat")
        bad, n = compare(case, out, expected)
        print(f"{case}: {n} rows compared, {bad} differ")
        return bad, n


def killed(exe, samples, case):
    """A run that was killed leaves no profiler_info: what lies there shows the same."""
    with tempfile.TemporaryDirectory() as to:
        folder, expected = build(samples, case, to)
        for name in os.listdir(folder):
            if name.startswith("profiler_info"):
                os.remove(os.path.join(folder, name))
        out = os.path.join(to, "out")
        analyse(exe, folder, out, "--compat")
        bad, n = compare(f"{case} without profiler_info", out, expected)
        print(f"{case} without profiler_info: {n} rows compared, {bad} differ")
        return bad, n


def mended(exe, samples):
    """The layer of communication has a new name, which the original does not look for: by its old one."""
    case = "graph_sched_27"
    with tempfile.TemporaryDirectory() as to:
        folder, expected = build(samples, case, to)
        out = os.path.join(to, "out")
        analyse(exe, folder, out)
        bad, n = compare(case, os.path.join(out), expected + "_hccl_named", only="step_trace_time.csv")
        print(f"{case}, mended: {n} rows compared, {bad} differ")
        return bad, n


def two_devices(exe, samples):
    """The original cannot analyse two devices of a PROF folder: both are in the files, made once."""
    with tempfile.TemporaryDirectory() as to:
        folder, _ = build(samples, "graph_sched_27", to)
        for name in os.listdir(folder):
            if name.startswith("PROF_"):
                shutil.rmtree(os.path.join(folder, name))
        source = os.path.join(samples, "data", "msprof", "dist_2dev_single")
        for name in os.listdir(source):
            if name.startswith("PROF_"):
                shutil.copytree(os.path.join(source, name), os.path.join(folder, name))
        out = os.path.join(to, "out")
        analyse(exe, folder, out)
        found = [e["args"]["labels"] for e in json.loads(read(os.path.join(out, "trace_view.json")))
                 if e["name"] == "process_labels"]
    devices = sorted({label for label in found if label.startswith("NPU")})
    print(f"two devices: {devices}")
    return int(len(devices) != 2), len(found)


def main():
    exe, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
    results = [run(exe, samples, case) for case in sys.argv[3:] or CASES]
    if not sys.argv[3:]:
        results += [killed(exe, samples, case) for case in KILLED]
        results += [mended(exe, samples), two_devices(exe, samples)]
    bad, n = (sum(x) for x in zip(*results))
    print(f"offline: {n} rows compared, {bad} differ")
    return 1 if bad or not n else 0


sys.exit(main())
