#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A folder as an archive of fuzz_folder.h on standard output, small enough to be fuzzed: of raw data of
generation 1 the tasks around the step marks and the first ones, in all files alike, so that the joins
still find each other; of other files the first lines.

The corpora of fuzz_analyse and fuzz_g1_job were made so of `npuscope demo --raw --steps=1 --size=50`.
Usage: pack.py DIR [HEAD]; HEAD stands before the first file.
"""
import os
import re
import struct
import sys

TEXT_B, FIRST = 1024, 4
# part of the name: bytes of a record, where the task number lies and its format
RECORDS = (
    ("hwts.", 64, 6, "<H"),
    (".task_desc_info", 256, 232, "<I"),
    (".tensor_data_info", 256, 20, "<I"),
    ("aicore.data", 128, 6, "<H"),
)
MARKS = (("training_trace", 20, 8), ("ts_track", 40, 34))


def records(data, size):
    return [data[i : i + size] for i in range(0, len(data) - size + 1, size)]


def chosen_tasks(files):
    """Numbers of the first tasks, of those of step marks and of their neighbours."""
    tasks = set()
    for name, data in files.items():
        for part, size, at in MARKS:
            if part in name:
                for r in records(data, size):
                    t = struct.unpack_from("<H", r, at)[0]
                    tasks.update((t - 1, t, t + 1))
        if "hwts." in name:
            tasks.update(struct.unpack_from("<H", r, 6)[0] for r in records(data, 64)[:FIRST])
    return tasks


def head_lines(data, most):
    return data if len(data) <= most else data[: data.rfind(b"\n", 0, most) + 1]


def varint(data, at):
    v = shift = 0
    while True:
        v |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return v, at


def put_varint(v):
    out = b""
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def head_message(data):
    """The first message in a message, with the first FIRST fields of each number."""
    n, at = varint(data, 1)
    end, seen, body = at + n, {}, b""
    while at < end:
        begin = at
        tag, at = varint(data, at)
        n, at = varint(data, at)
        at += n if tag & 7 == 2 else 0
        seen[tag] = seen.get(tag, 0) + 1
        body += data[begin:at] if seen[tag] <= FIRST else b""
    return data[:1] + put_varint(len(body)) + body


def thin(name, data, tasks, kept):
    """What is left of a file; kept: bytes of the files before it."""
    for part, size, at, code in RECORDS:
        if part in name and ".vm_" not in name:
            out = [r for r in records(data, size) if struct.unpack_from(code, r, at)[0] in tasks]
            if part == "hwts.":  # numbered anew, as none was lost
                out = [bytes([r[0] & 15 | i % 16 << 4]) + r[1:] for i, r in enumerate(out)]
            return b"".join(out)
    lines = data.splitlines(True)
    if "task_desc_info" in name:
        return b"".join(x for x in lines if int(x.split()[2]) in tasks)
    if "graph_desc_info" in name:
        return b"".join(x for x in lines if x.split()[0][8:] + b" " in kept)
    if "hash_dic" in name:
        return b"".join(x for x in lines if struct.pack("<Q", int(x.split(b":")[0])) in kept)
    if name.endswith(".pb"):
        return head_message(data)
    return data if ".json" in name or ".trace" in name or "PREPROCESS" in name else head_lines(data, TEXT_B)


def main():
    files = {}
    for folder, _, names in os.walk(sys.argv[1]):
        for n in names:
            path = os.path.join(folder, n)
            if not n.endswith(".done"):
                files[os.path.relpath(path, sys.argv[1])] = open(path, "rb").read()
    tasks, kept, out = chosen_tasks(files), b"", {}
    # what names the others goes first
    for name in sorted(files, key=lambda n: (bool(re.search("graph_desc|hash_dic", n)), n)):
        out[name] = thin(name, files[name], tasks, kept)
        kept += out[name]
    sys.stdout.buffer.write((sys.argv[2] if len(sys.argv) > 2 else "").encode())
    for name in sorted(out):
        sys.stdout.buffer.write(b"\nFILE " + name.encode() + b"\n" + out[name])


main()
