#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""logs_hostile.py NPUSCOPE FOLDER: no byte of a log acts on who reads the verdict.

For each hostile piece a job's logs have it in the names of folders and in every text that is shown: rank lines,
errors, tags, kernels, Python blocks. Text and JSON are without control bytes but line ends, in UTF-8, without
marks that change the direction of writing; JSON gives the piece back.
"""
import json
import os
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
failed = checked = 0


def fail(name, what):
    global failed
    failed += 1
    print("%s: %s" % (name, what))


def write(folder, rest, name, data):
    path = os.path.join(os.fsencode(folder), rest)
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, name), "wb") as f:
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
    else:
        events = json.loads(text)["events"]
        if len(events) != 3:
            fail(name, "%d events, expected a rank line, an error and an exception" % len(events))
        if name == "json" and sum(PIECES[name].decode() in e["text"] for e in events) != 3:
            fail(name, "JSON lost the text")


for piece_name, piece in PIECES.items():
    job = os.path.join(top, piece_name)
    part = piece.replace(b"\0", b"").replace(b"/", b"")
    write(job, b"w" + part + b"/process_log/run/plog", b"plog-4000_20251009165337100.log", PLOG % ((piece,) * 4))
    write(job, b"w" + part, b"rank-1.txt", CONSOLE % ((piece,) * 3))
    for form in ("text", "json"):
        run = subprocess.run([program, "logs", job, "--format=" + form], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, check=False)
        if run.returncode:
            fail(piece_name, "%s: status %d, %r" % (form, run.returncode, run.stderr))
        elif run.stderr:
            fail(piece_name, "%s: says %r" % (form, run.stderr))
        else:
            look(piece_name, form, run.stdout)
print("logs_hostile: %d outputs, %d failed" % (checked, failed))
sys.exit(1 if failed or checked != 2 * len(PIECES) else 0)
