#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run `npuscope analyse` on raw data and compare every file with the one that the version's own analysis
wrote.

analyse.py NPUSCOPE SAMPLES [CASE...]   exit 0 equal, 1 different

All files must agree byte for byte, but for the kinds in AS_VALUES, whose order the vendor leaves to hash
sets or directory listings (doc/formats/mindspore1.md#checks): those are compared by
SAMPLES/tools/compare_gen1.py. A file of FILES that is expected and missing is a failure.
"""
import ast
import csv
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

exe, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
gen1 = os.path.join(samples, "data", "gen1")
wanted = sys.argv[3:]

# Names of the files that analyse writes: what is expected beside them is not looked at.
FILES = [
    "ascend_timeline_*",
    "timeline_display_*",
    "timeline_summary_*",
    "ascend_cluster_analyse_*.csv",
    "minddata_pipeline_*",
    "memory_usage_*",
    "hccl_raw_*",
    "dynamic_shape_info_*",
    "framework_raw_*",
    "output_format_data_hwts_*",
    "output_op_compute_time_[0-9].txt",
    "output_timeline_data_*",
    "output_data_preprocess_aicpu_*",
    "aicpu_intermediate_*",
    "minddata_aicpu_*",
    "step_trace_*",
    "aicore_intermediate_*",
    "output_op_compute_time_detail_*",
    "flops_*",
    "gpu_timeline_*.json",
    "cpu_timeline_*.json",
    "gpu_cluster_analyse_*.csv",
    "pynative_op_intermediate_*.csv",
]
AS_VALUES = ["flops_scope_*.json", "hccl_raw_*.csv"]

# case: raw folder, --ms-version, further options, folders of expected files (a later one wins)
CASES = {
    "JOB3 r0.6": ("JOB3", "r0.6", [], ["JOB3-expected/r0.6"]),
    "JOB3 r1.0": ("JOB3", "r1.0", [], ["JOB3-expected/r0.6", "JOB3-expected/r1.0"]),
    "JOB3 r1.3": ("JOB3", "r1.3", [], ["JOB3-expected/r0.6", "JOB3-expected/r1.3"]),
    "graph_text_r13": ("graph_text_r13/raw", "r1.3", [], ["graph_text_r13/expected"]),
    "graph_text_r15": ("graph_text_r15/raw", "r1.5", [], ["graph_text_r15/expected"]),
    "graph_r16": ("graph_r16/raw", "r1.6", [], ["graph_r16/expected"]),
    "graph_r20": ("graph_r20/raw", "r2.0", [], ["graph_r20/expected"]),
    "graph_r20 pretty": ("graph_r20/raw", "r2.0", ["--pretty"], ["graph_r20/expected"]),
    "graph_dyn_r20": ("graph_dyn_r20/raw", "r2.0", [], ["graph_dyn_r20/expected"]),
    "pynative_r20": ("pynative_r20/raw", "r2.0", [], ["pynative_r20/expected"]),
    "gpu_r20": ("gpu_r20/raw", "r2.0", [], ["gpu_r20/expected", "gpu_r20/expected_dynamic"]),
    "gpu_sync_r20": ("gpu_sync_r20/raw", "r2.0", [], ["gpu_sync_r20/expected"]),
    "cpu_r20": ("cpu_r20/raw", "r2.0", [], ["cpu_r20/expected"]),
    "minddata_r20/0": ("minddata_r20/0/raw", "r2.0", [], ["minddata_r20/0/expected"]),
    "minddata_r20/1": ("minddata_r20/1/raw", "r2.0", [], ["minddata_r20/1/expected"]),
    "minddata_r20/2": ("minddata_r20/2/raw", "r2.0", [], ["minddata_r20/2/expected"]),
}
# Names that a version gives to the files of an older one: JOB3-expected keeps what did not change under the
# older name.
RENAMED = {
    "JOB3 r1.0": {"timeline_display_1.json": None, "timeline_summary_1.json": None},
    "JOB3 r1.3": {
        "timeline_display_1.json": None,
        "timeline_summary_1.json": None,
        "step_trace_point_info.json": None,
    },
}


# Small captures: what lies where below the profile, --ms-version, the file that is written, the stored one,
# how they are compared.
SMALL = {
    "JOB1 steps": (
        {"JOB1": "gen1/mindinsight/JOB1"},
        "r1.0",
        "step_trace_raw_0_detail_time.csv",
        "outputs/mindinsight/profiler/step_trace_raw_0_detail_time.csv",
        "june_steps",
    ),
    "ERROR_JOB steps": (
        {"JOB10": "gen1/mindinsight/ERROR_JOB"},
        "r1.0",
        "step_trace_raw_10_detail_time.csv",
        "outputs/mindinsight/profiler/step_trace_raw_10_detail_time.csv",
        "june_steps",
    ),
    "JOB_AICPU": (
        {"JOB3/data": "gen1/mindinsight/JOB_AICPU/data", "JOB3/": "gen1/mindinsight/JOB1"},
        "r1.0",
        "output_data_preprocess_aicpu_0.txt",
        "gen1/mindinsight/JOB_AICPU/expect/output_data_preprocess_aicpu_0.txt",
        "june_table",
    ),
    "container": (
        {"container": "gen1/mindspore-ut/container", "JOB2/data": "gen1/mindinsight/JOB_AICPU/data"},
        "r1.3",
        "framework_raw_0.csv",
        "outputs/mindspore-ut/profiler/framework_raw_0.csv",
        "bytes",
    ),
}


def june_steps(text, stored):
    """Rows by column; in June 2020 a column was called stream_S_parallel_I."""
    rows = [r.split(",") for r in text.split()]
    names = [re.sub(r"_parallel_(\d+)", r"_\1_parallel", c) if stored else c for c in rows[0]]
    return [dict(zip(names, r)) for r in rows[1:]]


def june_table(text, stored):
    """Cells; in June 2020 columns were aligned and a dashed line stood below the header."""
    return [row.split() for row in text.splitlines() if not row.startswith("---")]


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, p) for p in patterns)


def expected_files(name, folders):
    files = {}
    for folder in folders:
        for f in sorted(os.listdir(os.path.join(gen1, folder))):
            if RENAMED.get(name, {}).get(f, f) is not None or folder == folders[-1]:
                files[f] = os.path.join(gen1, folder, f)
    return files


def expected_bytes(want, pretty):
    data = open(want, "rb").read()
    if pretty and want.endswith(".json") and data[:1] in (b"[", b"{"):
        data = json.dumps(json.loads(data), indent=4).encode()
    return data


def cell_value(text):
    """A cell as JSON, or (means of r1.3) as Python prints it; else its text."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError):
            pass
    return text


def same_value(a, b):
    """Equal, numbers to a billionth, whatever the order of keys."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_value(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same_value(x, y) for x, y in zip(a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return a == b


def same_cells(want, got):
    """CSV files of the same rows."""
    with open(want, newline="") as f, open(got, newline="") as g:
        rows = [[[cell_value(c) for c in row] for row in csv.reader(x)] for x in (f, g)]
    return same_value(*rows)


def compare(name, want, got, pretty):
    """None when equal, else what differs."""
    if not os.path.exists(got):
        return "missing"
    a, b = expected_bytes(want, pretty), open(got, "rb").read()
    if a == b:
        return None
    if fnmatch.fnmatch(name, "hccl_raw_*.csv") and same_cells(want, got):
        return None
    if matches(name, AS_VALUES):
        p = subprocess.run(
            [sys.executable, os.path.join(samples, "tools", "compare_gen1.py"), want, got],
            capture_output=True,
            text=True,
        )
        return None if p.returncode == 0 else p.stdout[-600:]
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    line = a.count(b"\n", 0, at) + 1
    lo = max(0, at - 60)
    return "byte %d (line %d), %d and %d bytes\n      want %r\n      got  %r" % (
        at,
        line,
        len(a),
        len(b),
        a[lo : at + 60],
        b[lo : at + 60],
    )


def run_case(name, case):
    raw, version, options, folders = case
    bad = n = 0
    with tempfile.TemporaryDirectory(prefix="npuscope-analyse-") as out:
        p = subprocess.run(
            [exe, "analyse", "-F", "csv", "--ms-version=" + version, "--output=" + out]
            + options
            + [os.path.join(gen1, raw)],
            capture_output=True,
            text=True,
        )
        if p.returncode not in (0, 4):
            print("FAIL %s: exit %d: %s" % (name, p.returncode, p.stderr.strip()[-300:]))
            return 1, 0
        for f, want in sorted(expected_files(name, folders).items()):
            if not matches(f, FILES):
                continue
            n += 1
            why = compare(f, want, os.path.join(out, f), "--pretty" in options)
            if why:
                bad += 1
                print("FAIL %s %s: %s" % (name, f, why))
    print("%s: %d files, %d differ" % (name, n, bad))
    return bad, n


def run_small(name, small):
    parts, version, written, stored, how = small
    norm = {"june_steps": june_steps, "june_table": june_table, "bytes": lambda text, stored: text}[how]
    with tempfile.TemporaryDirectory(prefix="npuscope-analyse-") as tmp:
        profile, out = os.path.join(tmp, "profiler"), os.path.join(tmp, "out")
        for place, source in parts.items():
            shutil.copytree(
                os.path.join(samples, "data", source), os.path.join(profile, place), dirs_exist_ok=True
            )
            for folder, _, _ in os.walk(profile):
                os.chmod(folder, 0o755)
        p = subprocess.run(
            [exe, "analyse", "-F", "csv", "--ms-version=" + version, "--output=" + out, profile],
            capture_output=True,
            text=True,
        )
        if not os.path.exists(os.path.join(out, written)):
            print("FAIL %s %s: missing: exit %d: %s" % (name, written, p.returncode, p.stderr.strip()[-300:]))
            return 1
        want = norm(open(os.path.join(samples, "data", stored), newline="").read(), True)
        got = norm(open(os.path.join(out, written), newline="").read(), False)
    print("%s: %s %s" % (name, written, "equal" if got == want else "DIFFERS"))
    return got != want


total = differ = 0
for name, small in SMALL.items():
    if not wanted or any(w in name for w in wanted):
        differ += run_small(name, small)
        total += 1
for name, case in CASES.items():
    if wanted and not any(w in name for w in wanted):
        continue
    b, n = run_case(name, case)
    differ += b
    total += n
print("%d files compared, %d differ" % (total, differ))
sys.exit(1 if differ or (FILES and not total) else 0)
