# SPDX-License-Identifier: Apache-2.0
"""The verdict of a job with many logs: what `npuscope demo` leaves of 16 ranks, and the older files of each
process beside them, of lines that say nothing. The page cache is asked to forget the files before each cold
run."""
import os
import shutil
import subprocess

import measure

MIB = 1 << 20
FILE_B = 20 * MIB  # as CANN cuts them
RANKS = 16
# What a run log repeats: none of it is about a failure.
NOISE = (
    b"[INFO] HCCL(%d,python3.9):2026-03-14-%02d:%02d:%02d.%03d.120 [hccl_impl.cc:812] [%d][ExecOp]"
    b"tag[AllReduce_10.0], count[8388608], dataType[fp16], streamId[20]\n",
    b"[EVENT] RUNTIME(%d,python3.9):2026-03-14-%02d:%02d:%02d.%03d.310 [engine.cc:221]%d ReportProf: sq 3, "
    b"task count 4096, free 61440\n",
    b"[INFO] GE(%d,python3.9):2026-03-14-%02d:%02d:%02d.%03d.551 [graph_manager.cc:1190]%d Run:graph 0 done, "
    b"cost 3121 us, iteration ended\n",
    b"[INFO] DRV(%d,python3.9):2026-03-14-%02d:%02d:%02d.%03d.700 [devmm_svm.c:455][devmm] pid %d page "
    b"cache hit, size=2097152 module=RUNTIME\n",
    b"[WARNING] APP(%d,python3.9):2026-03-14-%02d:%02d:%02d.%03d.702 [log_inner.cpp:76]%d the variable is not "
    b"set, default value is used\n",
)


def block(pid):
    """Lines of an hour, somewhat more than a file holds."""
    out, size, i = [], 0, 0
    while size < FILE_B:
        line = NOISE[i % len(NOISE)] % (pid, i // 2400000 % 24, i // 40000 % 60, i // 700 % 60, i % 1000, pid)
        out.append(line)
        size += len(line)
        i += 1
    return b"".join(out)


def make(npuscope, folder, total_b):
    """The logs of a job whose rank 3 faulted, with as many older files as make so many bytes."""
    if os.path.exists(folder):
        return
    tmp = folder + ".tmp"
    shutil.rmtree(tmp, ignore_errors=True)
    argv = [npuscope, "demo", "-q", "--raw", "--fault=aicore", f"--ranks={RANKS}", "--servers=2", "--steps=2"]
    subprocess.run(argv + ["--fault-rank=3", tmp], check=True)
    logs = []
    for root, dirs, files in os.walk(tmp):
        for d in [d for d in dirs if "_ascend_" in d]:  # the verdict is that of logs alone
            shutil.rmtree(os.path.join(root, d))
        dirs[:] = [d for d in dirs if "_ascend_" not in d]
        if root.endswith("run/plog"):
            logs += [os.path.join(root, f) for f in files]
    text, left = block(99999), total_b
    for n in range(total_b // RANKS // FILE_B + 1):
        for path in sorted(logs):
            head, stamp = path[: -len(".log")].rsplit("_", 1)
            data = text.replace(b"99999", head.rsplit("-", 1)[1].encode())[: max(min(left, FILE_B), 0)]
            if data:
                with open(f"{head}_{int(stamp) - 100 - n}.log", "wb") as f:
                    f.write(data)
            left -= len(data)
    os.rename(tmp, folder)


def forget(folder):
    for root, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(root, name), "rb") as f:
                os.fsync(f.fileno())
                os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def took(b, argv, folder, rounds):
    """Medians of so many runs, each with the files out of the page cache."""
    runs = []
    for _ in range(rounds):
        forget(folder)
        runs.append(measure.run(argv, dict(b.env)))
    return {k: measure.median([r[k] for r in runs]) for k in ("s", "cpu_s", "peak_mib")}


def item(b):
    gib = 0.1 if b.quick else 1
    folder = os.path.join(b.work, "inputs", f"logs{gib}")
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    make(b.npuscope, folder, int(gib * (1 << 30)))
    for command in ("triage", "logs"):
        m = took(b, [b.npuscope, command, "-q", folder], folder, min(b.rounds, 3))
        b.at_most("P26", f"{command}, 16 ranks with {gib} GiB of logs, cold", "limit", m["s"], 3.0, "s", 1)
        b.at_most("P26", f"peak of it ({command})", "limit", m["peak_mib"], 128, "MiB", 1, True)
    count = measure.run(["grep", "-r", "-c", "ERROR", folder], dict(b.env))["s"]
    m = measure.run([b.npuscope, "logs", "-q", folder], dict(b.env))
    b.at_most("-", "logs, files in the page cache", "grep -c of one word", m["s"], count, "s", 5)
    bare = b.inputs.demo(b.npuscope, 1, 10**5)
    argv = [b.npuscope, "triage", "-q", bare]
    measure.run(argv, dict(b.env))
    with_search = min(measure.run(argv, dict(b.env))["s"] for _ in range(5))
    without = min(measure.run(argv + ["--no-logs"], dict(b.env))["s"] for _ in range(5))
    more = max(with_search - without, 0)
    b.at_most("P26", "looking for logs where there are none", "limit", more, 0.02, "s", 1)
    if not b.quick:
        large = os.path.join(b.work, "inputs", "logs5")
        make(b.npuscope, large, 5 << 30)
        m = took(b, [b.npuscope, "logs", "-q", large], large, 1)
        b.at_most("P26", "peak of logs, 5 GiB", "limit", m["peak_mib"], 128, "MiB", 1, True)
        shutil.rmtree(large)
