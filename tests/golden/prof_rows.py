#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Panes of raw PROF folders: what is read of the raw data alone must be what is read of msprof's own results
on it.

  prof_rows.py NPUSCOPE SAMPLES [CASE]

Each case is opened twice: as it was collected, and with the expected CSV files beside it
(doc/formats/prof.md, data/msprof).
"""
import csv
import glob
import io
import os
import shutil
import struct
import subprocess
import sys
import tempfile

# Statements with equal results in both, to the ns where the results have it.
SAME = [
    "select e.rank, (select text from string s where s.id = o.name_id), (select text from string s where "
    "s.id = o.type_id), o.core, e.ts_ns, e.dur_ns, e.stream, e.task from op_exec e join op o on o.id = "
    "e.op_id order by 1, 5, 2, 7",
    "select (select text from string s where s.id = o.name_id), (select text from string s where s.id = "
    "o.type_id), o.core, (select text from string s where s.id = o.in_shapes_id), (select text from string s "
    "where s.id = o.in_types_id), (select text from string s where s.id = o.in_formats_id), (select text "
    "from string s where s.id = o.out_shapes_id), (select text from string s where s.id = o.out_types_id), "
    "(select text from string s where s.id = o.out_formats_id), o.block_num, o.mix_block_num, o.state, "
    "o.hf32, o.model_id from op o order by 1, 2, 4",
    "select rank, step, start_ns, end_ns, fp_ns, bp_ns, total_ns, fp_bp_ns from step where complete = 1 "
    "order by 1, 2, 3",
    "select rank, level, (select text from string s where s.id = name_id), calls, cast(total_ns as int), "
    "cast(min_ns as int), cast(max_ns as int) from api_stat order by 2, 3",
    # stamps of this file went through doubles, to 0.25 us
    "select rank, process, ts_ns / 1000, ddr_b / 1024, hbm_b / 1024, total_b / 1024 from mem_device order by "
    "1, 3, 2",
    "select rank, (select text from string s where s.id = module_id), ts_ns, reserved_b / 1024 from "
    "mem_module order by 1, 2, 3",
    "select rank, (select text from string s where s.id = op_name_id), input_b, output_b, weight_b, "
    "workspace_b, total_b from fusion order by 2, 3",
    "select count(*), sum(size_b), sum(alloc_total_allocated_b), sum(release_total_reserved_b) from "
    "mem_alloc",
    "select count(*), sum(allocated_b), max(reserved_b) from mem_sample",
    "select count(*), sum(compute_ns), sum(memcpy_ns), sum(dispatch_ns), count(name_id) from aicpu_exec",
    "select count(*), sum(size) from queue_sample",
    "select kind, sum(n) from track where kind in ('stream', 'host_thread') group by 1",
]
# Metrics of op_counter: their columns differ from case to case; results have three decimals.
COUNTERS = (
    "select c.* from op_counter c join op_exec e on e.id = c.exec_id order by e.rank, e.ts_ns, e.stream, "
    "e.task, e.context"
)
CASES = [
    "train_1dev_graph",
    "dist_2dev_single",
    "pmu_memory_static",
    "aicpu_memcpy_nopmu",
    "killed_midway",
    "pmu_arithmetic",
    "sampled_system",
]


def rows(npuscope, sql, folder, cache):
    env = dict(os.environ, XDG_CACHE_HOME=cache)
    cmd = [npuscope, "query", "-q", "--rank=all", "-F", "csv", "--no-header", sql, folder]
    done = subprocess.run(cmd, capture_output=True, text=True, env=env)
    if done.returncode not in (0, 4):
        sys.exit("%s\n%s" % (" ".join(cmd), done.stderr))
    return list(csv.reader(io.StringIO(done.stdout)))


def left_running(prof):
    """Streams whose last record is the start of a task, from the task log itself
    (doc/formats/prof.md#stars_soc): {(stream, task)}."""
    open_task, last = {}, {}
    for path in sorted(glob.glob(prof + "/device_*/data/stars_soc.data.*.slice_*")):
        data = b"" if path.endswith(".done") else open(path, "rb").read()
        for at in range(0, len(data) // 64 * 64, 64):
            head, mark, stream, task, counter = struct.unpack_from("<HHHHQ", data, at)
            if mark == 0x6BD3 and head & 63 in (0, 1) and stream < 2048:
                if head & 63 == 0:
                    open_task[stream, task] = counter
                else:
                    open_task.pop((stream, task), None)
                last[stream] = max(counter, last.get(stream, 0))
    return {k for k, counter in open_task.items() if counter >= last[k[0]]}


def same(a, b, rounded):
    if not rounded:
        return a == b
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if len(x) != len(y):
            return False
        for u, v in zip(x[1:], y[1:]):
            if u == v:
                continue
            whole = u.isdigit() and v.isdigit()  # ns, from a text with three decimals of us
            near = 1 if whole else 0.00051 * max(1.0, abs(float(v or 0)) * 1e-3)
            if u == "" or v == "" or abs(float(u) - float(v)) > near:
                return False
    return True


def main():
    npuscope, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
    bad = n = cells = 0
    top = tempfile.mkdtemp(prefix="npuscope-prof")
    for case in CASES:
        if len(sys.argv) > 3 and case != sys.argv[3]:
            continue
        source = os.path.join(samples, "data", "msprof", case)
        prof = glob.glob(source + "/PROF*")[0]
        raw, told = os.path.join(top, case, "raw"), os.path.join(top, case, "told")
        for to in (raw, told):
            shutil.copytree(prof, os.path.join(to, os.path.basename(prof)))
        out = os.path.join(told, os.path.basename(prof), "mindstudio_profiler_output")
        os.mkdir(out)
        for f in glob.glob(source + "/expected/*"):
            name, ext = os.path.splitext(os.path.basename(f))
            if ext == ".csv" or name + ext == "msprof.json":
                shutil.copy(f, os.path.join(out, name + "_20260101000000" + ext))
        for sql in SAME + [COUNTERS]:
            a = rows(npuscope, sql, raw, os.path.join(top, "cache"))
            b = rows(npuscope, sql, told, os.path.join(top, "cache"))
            n += 1
            cells += sum(len(r) for r in b)
            if not same(a, b, sql == COUNTERS):
                bad += 1
                print("%s: %s\n  %d rows from raw data, %d from the results" % (case, sql, len(a), len(b)))
                for x, y in [(x, y) for x, y in zip(a, b) if x != y][:3]:
                    print("  raw    ", x, "\n  results", y)
    # what Files says of a file: each record once, however many results it is read for
    sizes = {
        "task_memory_info": 256,
        "tensor_info": 256,
        "npu_mem": 32,
        "npu_module_mem": 24,
        "aicpu": 256,
        "hbm": 24,
        "stars_soc": 64,
        "ffts_profile": 128,
        "ts_track": 40,
        "task_track": 64,
        "api_event": 40,
    }
    for case in CASES:
        prof = glob.glob(os.path.join(samples, "data", "msprof", case, "PROF*"))[0]
        sql = "select path, slice, size_b, rows from source where rows > 0"
        wrong = []
        for r in rows(npuscope, sql, prof, os.path.join(top, "cache")):
            path, size_b, got = r[-4], int(r[-2]), int(r[-1])
            name = os.path.basename(path).replace("unaging.", "").replace("aging.", "")
            tag = name.split(".")[1] if name.startswith(("compact", "additional")) else name.split(".")[0]
            if tag in sizes and os.path.exists(os.path.join(prof, path.replace("slice_0", "slice_1"))):
                continue  # rows of all slices stand at the first
            if tag in sizes and size_b // sizes[tag] != got:
                wrong.append((path, size_b // sizes[tag], got))
        n += 1
        if wrong:
            bad += 1
            print("%s: rows of files: %s" % (case, wrong))
    # an execution belongs to the step that it ends in, and every one of such a time does
    inside = (
        "s.rank = e.rank and s.start_ns < e.ts_ns + e.dur_ns and (s.end_ns is null or e.ts_ns + e.dur_ns <= "
        "s.end_ns)"
    )
    for case in ["train_1dev_graph", "dist_2dev_single", "killed_midway", "train_910a_hwts"]:
        prof = glob.glob(os.path.join(samples, "data", "msprof", case, "PROF*"))[0]
        for table in ("op_exec", "comm_exec"):
            sql = (
                "select count(e.step), count(*), (select count(*) from %s e join step s on s.step is e.step "
                "and %s) from %s e where exists (select 1 from step s where %s)"
                % (table, inside, table, inside)
            )
            for got in rows(npuscope, sql, prof, os.path.join(top, "cache")):
                n += 1
                if len(set(got[-3:])) != 1 or got[-1] == "0":
                    bad += 1
                    print("%s: %s: %s of %s have a step, %s the right one" % (case, table, *got[-3:]))
    for case in ["killed_midway", "killed_torn_files", "train_1dev_graph"]:
        prof = glob.glob(os.path.join(samples, "data", "msprof", case, "PROF*"))[0]
        sql = "select stream, task from last_activity where state = 'running'"
        told = {
            (int(r[0]), int(r[1]))
            for r in (x[-2:] for x in rows(npuscope, sql, prof, os.path.join(top, "cache")))
        }
        n += 1
        print("%s: left running: %s" % (case, sorted(told)))
        if told != left_running(prof) or bool(told) != case.startswith("killed"):
            bad += 1
            print("  the task log says %s" % sorted(left_running(prof)))
    shutil.rmtree(top)
    print("%d statements, %d cells compared, differences: %d" % (n, cells, bad))
    sys.exit(bad != 0 or not n)


main()
