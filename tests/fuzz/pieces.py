#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A first input of fuzz_prof_folder (fuzz_pieces.h) on standard output: RECORDS records of each family, and
every text. Behind HEAD and a 'P' it is one of fuzz_msprof.

The corpora were made so of chips 0 (910B), 1 (310), 2 (910A), 3 (310P), 4, 6, 8 (950) and 9, of
collections 0 to 4 and 8, and with MORE. Usage: pieces.py CHIP HOW [RECORDS [HEAD [MORE...]]]; CHIP: its
place in chips[] of fuzz_pieces.c; MORE: comm, kfc, model, sched.
"""
import re
import struct
import sys

OF_TEXT, PLAIN, LOOSE = 128, 1, 255
# text with NULs, and records as long as their heads say: for loose[] of fuzz_pieces.c
TEXTS = (
    b"Node:GetNext, queue size:3, Run start:100, Run end:250\n\0",
    b"[1000] Last queue dequeue, source:q, index:1, size:2\n\0",
    struct.pack(
        "<HHIIIQ6IQQQQII", 0x5A5A, 5000, 1, 1, 124, 10000, 1, 0, 2, 0, 0, 8, 11, 12, 0, 0, 0, 1
    ).ljust(148, b"\0"),
)


def count(table):
    """Rows of a table of prof_families.h."""
    text = open(sys.path[0] + "/../lib/prof_families.h").read()
    return len(
        re.findall(
            r'^ +\{ "(?:host|device_0)/', text[text.index("} %s[] = {" % table) :].split("\n};")[0], re.M
        )
    )


def place(part):
    """Of a family, by a part of its file's name."""
    text = open(sys.path[0] + "/../lib/prof_families.h").read()
    names = re.findall(
        r'^ +\{ "((?:host|device_0)/[^"]+)', text[text.index("} families[] = {") :].split("\n};")[0], re.M
    )
    return next(i for i, n in enumerate(names) if part in n)


def more(what):
    """Records that differ from the recipes: calls of communication within those of nodes; edges and tasks of
    communication of AI CPUs; a call of a model around all; tasks of the scheduler."""
    api, track = place("api_event"), place("ts_track.data")
    out = b""
    if what == "comm":
        for i in range(1, 12, 2):
            out += bytes((api, i, 2, 2)) + struct.pack("<H", 5500)
    elif what == "model":
        out += bytes((api, 0, 2, 38)) + struct.pack("<HIIIQQQ", 15000, 2, 1, 1, 9000, 90000, 1)
    elif what == "kfc":
        for i in range(12):
            time, task = 20000 + 50 * i, i & ~1
            out += bytes((place("aicpu.data"), 0, 4, 30)) + struct.pack(
                "<I8xQ5H", 12, time, 2, task, 2, task, i % 2
            )
            info = struct.pack("<I8xQ3Q3I4x3Q", 13, time, 11 + i % 3, 0, 12, i % 2, 1, 2, 5, time, 0)
            info = info.ljust(100, b"\0") + struct.pack(
                "<QI4xHH6B", 4096, task, 2, i % 3, 0, 0, i % 4, i % 3, i % 2, 1
            )
            out += bytes((place("aicpu.data"), 0, 4, len(info))) + info
    elif what == "sched":
        for i in range(8):
            out += (
                bytes((track, 0, 1, 22))
                + struct.pack("<B6xQHHHB", 12, 21000 + 10 * i, 2, 40 + i // 2, 13, i % 2 * 2)
                + b"\0"
            )
            out += bytes((place("task_track"), 0, 26, 6)) + struct.pack("<HI", 2, 40 + i // 2)
    return out


def main():
    chip, how = int(sys.argv[1]), int(sys.argv[2])
    records = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    out = sys.argv[4].encode() + b"P" if len(sys.argv) > 4 and sys.argv[4] else b""
    out += bytes((chip, how))
    for family in range(count("families")):
        for i in range(records):
            out += bytes((family, i, 0, 0))
    for file in range(count("info_files")):
        out += bytes((OF_TEXT + file, 0, 0, 0))
    for i, text in enumerate(TEXTS):
        out += bytes((LOOSE - i, PLAIN, 0, len(text))) + text
    for what in sys.argv[5:]:
        out += more(what)
    sys.stdout.buffer.write(out)


main()
