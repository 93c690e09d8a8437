#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prof_struct.py FOLDER: every record of the PROF folders below, its fields unpacked one by one and added
up; prints how many there were, and bytes."""
import os
import struct
import sys

# By the beginning of a file's name: the fields of a record (its head and numbers; bytes that are no numbers
# are passed over).
RECORDS = (
    ("api_event", "<HHIIIQQQ"),
    ("compact", "<HHIIIQ10I"),
    ("additional", "<HHIIIQ58I"),
    ("stars_soc", "<HHHHQ12I"),
    ("ffts_profile", "<HHHHQ14Q"),
    ("ts_track", "<BBHIQQQQ"),
    ("aicpu", "<HHIIIQ58I"),
)


def layout_of(name):
    """The layout of a file of records; None: it is something else."""
    if name.endswith(".done") or "_dic." in name:
        return None
    base = name.removeprefix("unaging.").removeprefix("aging.")
    return next((struct.Struct(fields) for start, fields in RECORDS if base.startswith(start)), None)


def main():
    records = total = size = 0
    for folder, _, names in os.walk(sys.argv[1]):
        for name in names:
            layout = layout_of(name)
            if not layout:
                continue
            with open(os.path.join(folder, name), "rb") as f:
                while len(record := f.read(layout.size)) == layout.size:
                    fields = layout.unpack(record)
                    total += fields[4]
                    records += 1
                    size += layout.size
    print(records, size, total)


if __name__ == "__main__":
    main()
