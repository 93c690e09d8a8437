#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hwts_text.py FOLDER OUT: every HWTS record below the folder, unpacked and written as a line of text, as
the vendor's parser goes about it."""
import os
import struct
import sys

RECORD = struct.Struct("<BBHHHQI36x")
TYPES = ("Start of task", "End of task", "Start of block", "End of block", "Block PMU")


def slices(folder):
    """HWTS slices in order."""
    found = [
        os.path.join(d, n)
        for d, _, ns in os.walk(folder)
        for n in ns
        if n.startswith("hwts") and not n.endswith(".done")
    ]
    return sorted(found, key=lambda p: int(p.rsplit("_", 1)[1]))


def main():
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for path in slices(sys.argv[1]):
            with open(path, "rb") as f:
                while len(record := f.read(RECORD.size)) == RECORD.size:
                    head, core, _, block, task, ticks, stream = RECORD.unpack(record)
                    if head & 7 < len(TYPES):
                        out.write(
                            f"{TYPES[head & 7]:<14} {head >> 4:<4} {core:<8} {block:<9} {task:<8} "
                            f"{ticks:<14} {stream}\n"
                        )


if __name__ == "__main__":
    main()
