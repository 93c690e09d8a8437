#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""logs_hostile.py NPUSCOPE FOLDER: no byte of a log acts on who reads the verdict.

For each hostile piece a job's logs have it in the names of folders and in every text that is shown: rank lines,
errors, tags, kernels, Python blocks; a second job has it in the kernel's log, in dumps of the flight recorder (JSON and
pickle), a status file and Python stacks. Lines of 100 MB take no more memory than others. Text and JSON are without control bytes but line ends, in UTF-8, without
marks that change the direction of writing; JSON gives the piece back.
"""
import json
import os
import pickle
import resource
import subprocess
import sys

program, top = sys.argv[1:3]
PIECES = {
    "colour": b"\x1b[31mred\x1b[0m",
    "cursor": b"\x1b[2J\x1b[1;1H",
    "title": b"\x1b]0;title\x07",
    "clipboard": b"\x1b]52;c;QQ==\x1b\\",
    "half": b"\x1b[",
    "c1": b"\xc2\x9b31m\xc2\x9d0;x\xc2\x9c",
    "raw-c1": b"\x9b31m",
    "bidi": b"\xe2\x80\xae\xe2\x81\xa6txt.exe\xe2\x80\xac",
    "bell": b"\x07\x08\x7f\x0c\x0b",
    "nul": b"a\x00b",
    "utf8": b"\xff\xfe\xc3(\xed\xa0\x80",
    "json": b"\"}],\\u0000<script>",
}
NEVER = set(range(0x80, 0xa0)) | set(range(0x202a, 0x202f)) | set(range(0x2066, 0x206a))
PLOG = (b"[EVENT] HCCL(4000,p):2025-10-09-16:53:37.100.000 [a.cc:1]Entry-HcclCommInitRootInfo:ranks[2], rank[0], "
        b"rootinfo: host ip[10.23.8.11] port[6] nicDeploy[1] identifier[%s], deviceLogicId[0]\n"
        b"[ERROR] HCCL(4000,p):2025-10-09-16:53:38.100.000 [a.cc:1]Aicore kernel execute failed, device_id=0, "
        b"stream_id=1, task_id=2, fault kernel_name=te_%s_k, tag[AllReduce_%s], %s\n")
CONSOLE = (b"[rank1]: %s\n[rank1]: Traceback (most recent call last):\n[rank1]:   File \"/j/%s.py\", line 7, in f\n"
           b"[rank1]: ValueError: %s\n")
KERNEL = (b"Oct  9 16:53:38 %s kernel: [77.5] Out of memory: Killed process 4000 (%s) total-vm:1kB\n"
          b"Oct  9 16:53:39 h kernel: %s[4000]: segfault at 7f ip 1 sp 2 error 4 in %s\n")
STACK = (b"pid: 4000\nthread <_MainThread(MainThread, started 1)>:\n  File \"/j/%s.py\", line 7, in %s\n    %s\n")
failed = checked = 0


def fail(name, what):
    global failed
    failed += 1
    print("%s: %s" % (name, what))


def write(folder, rest, name, data):
    path = os.path.join(os.fsencode(folder), rest)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, os.fsencode(name)), "wb") as f:
        f.write(data)


def look(name, form, out):
    global checked
    checked += 1
    bad = sorted({b for b in out if (b < 0x20 and b != 0x0a) or b == 0x7f})
    if bad:
        fail(name, "%s has control bytes %s" % (form, bad))
    try:
        text = out.decode()
    except UnicodeDecodeError as e:
        fail(name, "%s is no UTF-8: %s" % (form, e))
        return
    if form == "text":
        marks = sorted({hex(ord(c)) for c in text if ord(c) in NEVER})
        if marks:
            fail(name, "text has %s" % marks)
    elif "others" in name:
        json.loads(text)
    else:
        events = json.loads(text)["events"]
        if len(events) != 3:
            fail(name, "%d events, expected a rank line, an error and an exception" % len(events))
        if name == "json" and sum(PIECES[name].decode() in e["text"] for e in events) != 3:
            fail(name, "JSON lost the text")


def ask(name, job):
    for form in ("text", "json"):
        run = subprocess.run([program, "logs", job, "--format=" + form], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        if run.returncode:
            fail(name, "%s: status %d, %r" % (form, run.returncode, run.stderr))
        elif run.stderr:
            fail(name, "%s: says %r" % (form, run.stderr))
        else:
            look(name, form, run.stdout)


def dump(rank, piece):
    """A rank of two, of which rank 1 did not come to the second all-reduce; all names hold the piece."""
    text = piece.decode("utf-8", "replace")
    entry = {"frames": [{"name": text, "filename": text, "line": 7}], "pg_id": 0, "process_group": ["0", text],
             "profiling_name": "hccl:all_reduce" + text, "input_sizes": [[4]], "output_sizes": [[4]],
             "input_dtypes": [text], "output_dtypes": [text], "retired": False, "is_p2p": False, "timeout_ms": 1,
             "p2p_seq_id": 0, "duration_ms": None, "time_discovered_started_ns": None,
             "time_discovered_completed_ns": None}
    entries = [dict(entry, record_id=i, op_id=i, collective_seq_id=i + 1, time_created_ns=1760000000000000000 + i,
                    state="completed" if i == 0 else "started") for i in range(2 - rank)]
    return {"version": "2.4", "entries": entries, "pg_config": {"0": {"name": text, "desc": text, "ranks": "[0, 1]"}},
            "pg_status": {"0": {"last_enqueued_collective": 2 - rank, "last_started_collective": 2 - rank,
                                "last_completed_collective": 1}}}


def others(name, piece):
    job = os.path.join(top, name + "-others")
    write(job, b"tmp", "hccl_trace_rank_0", json.dumps(dump(0, piece)).encode())
    write(job, b"tmp", "hccl_trace_rank_1", pickle.dumps(dump(1, piece), protocol=2))
    write(job, b"tmp", "hccl_trace_rank_1_py_traceback", STACK % ((piece,) * 3))
    write(job, b"tmp", "torch_hccl_status-1_0_1_2_4000_1760000000000.log", json.dumps(
        {"last_comm_op": [{"seq": 1, "op_type": piece.decode("utf-8", "replace"), "pg_id": "0", "comm_ids": "all",
                           "status": "start"}], "is_master": False,
         "exception_message": piece.decode("utf-8", "replace"), "global_pg_end_time": 0}).encode())
    write(job, b"", "messages", KERNEL % ((piece,) * 4))
    ask(name + "-others", job)


def long_lines():
    """Two lines of 100 MB, one of them an error, before and behind lines that tell something."""
    job = os.path.join(top, "long-others")
    plog, console = PLOG % ((b"g",) * 4), CONSOLE % ((b"",) * 3)
    fault = b"[ERROR] HCCL(4000,p):2025-10-09-16:53:38.100.000 [a.cc:1]Aicore kernel execute failed, "
    write(job, b"process_log/run/plog", "plog-4000_20251009165337100.log", plog + fault)
    write(job, b"", "rank-1.txt", console + b"[rank1]: ValueError: ")
    for name, rest in (("process_log/run/plog/plog-4000_20251009165337100.log", plog), ("rank-1.txt", console)):
        with open(os.path.join(job, name), "ab") as f:  # in parts: a child is counted with what we hold
            for end in (b"\n", b"\n" + rest):
                for _ in range(100):
                    f.write(b"A" * (1 << 20))
                f.write(end)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    ask("long-others", job)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    if peak > max(before, 64 << 10):
        fail("long-others", "takes %d KiB" % peak)


for piece_name, piece in PIECES.items():
    job = os.path.join(top, piece_name)
    part = piece.replace(b"\0", b"").replace(b"/", b"")
    write(job, b"w" + part + b"/process_log/run/plog", b"plog-4000_20251009165337100.log", PLOG % ((piece,) * 4))
    write(job, b"w" + part, b"rank-1.txt", CONSOLE % ((piece,) * 3))
    ask(piece_name, job)
    others(piece_name, piece)
long_lines()
print("logs_hostile: %d outputs, %d failed" % (checked, failed))
sys.exit(1 if failed or checked != 4 * len(PIECES) + 2 else 0)
