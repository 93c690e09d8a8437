#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""First inputs of fuzz_offline: those of fuzz_raw_op_range, each with the text files of a rank folder and
with records of a PROF folder. The corpus was made so, of the last rank of `npuscope demo --raw --gen=2
--steps=1 --size=20 --ranks=4`. Usage: offline.py RANK_FOLDER DIR
"""
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
IS_TORCH, HAS_PROF, COMPAT, PRETTY, WITH_DB, KEEP, STEPS = 1, 2, 4, 8, 16, 32, 64
TEXT, PROF = 13, 24  # of the first text file, and pieces of a PROF folder, in files[] of fuzz_offline.c
TEXTS = ("cpu_framework", "cpu_ms_memory_record", "cpu_op_detail_info", "cpu_op_execute_timestamp",
         "cpu_op_type_info", "device_queue_profiling", "dataset_iterator_profiling",
         "minddata_cpu_utilization", "pipeline_profiling")
TEXT_B = 1200
HOW = {
    "cut": IS_TORCH | HAS_PROF, "length": HAS_PROF | COMPAT, "ms23": HAS_PROF, "ms25": HAS_PROF,
    "ms26": HAS_PROF | PRETTY | WITH_DB, "ms27": HAS_PROF | KEEP, "pt_queue": IS_TORCH | HAS_PROF | PRETTY,
    "pt_noqueue": IS_TORCH | HAS_PROF | COMPAT, "pt_rc3": IS_TORCH | HAS_PROF, "pt_old": IS_TORCH,
    "pt_python": IS_TORCH | HAS_PROF, "pt_python_rc3": IS_TORCH | STEPS, "pt_python_old": IS_TORCH | HAS_PROF,
}
INFO = ('{"profiler_parameters": {"activities": ["CPU", "NPU"], "profiler_level": "Level2", '
        '"with_stack": true, "profile_memory": true, "data_process": true, "l2_cache": true, '
        '"record_shapes": true, "is_set_schedule": %s}, '
        '"ms_profiler_info": {"rank_id": "3", "device_id": "0"}, "ms_version": "%s"}')

PROFS = (("0", "4", "6", "", "comm"), ("0", "0", "6", "", "model"), ("8", "0", "6"))


def piece(file, data):
    out = b""
    for at in range(0, len(data), 0xFFFF):
        part = data[at:at + 0xFFFF]
        out += struct.pack("<BH", file, len(part)) + part
    return out


def lines(path):
    with open(path, "rb") as f:
        data = f.read()
    return data if len(data) <= TEXT_B or path.endswith(".json") else data[:data.rfind(b"\n", 0, TEXT_B) + 1]


def texts(rank):
    """The text files, and the profile's own description of itself."""
    out = b""
    for i, name in enumerate(TEXTS):
        for file in sorted(os.listdir(f"{rank}/FRAMEWORK")):
            if file.startswith(name + "_"):
                out += piece(TEXT + i, lines(f"{rank}/FRAMEWORK/{file}"))
    return out


def prof(*arguments):
    made = subprocess.run([sys.executable, f"{HERE}/pieces.py", *arguments], check=True, capture_output=True)
    return piece(PROF, made.stdout)


def main():
    rank, to = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([sys.executable, f"{HERE}/framework.py", made], check=True)
        for i, (name, how) in enumerate(HOW.items()):
            with open(f"{made}/{name}", "rb") as f:
                data = f.read()[1:]
            version = {"ms23": "2.5.0", "ms25": "2.5.1", "ms26": "2.6.0"}.get(name, "2.7.0")
            if name == "ms25":  # its file is named otherwise
                data = bytes([12]) + data[1:]
            if name not in ("cut", "pt_old"):
                data += piece(22, (INFO % (("true", "false")[i % 2], version)).encode())
            if not how & IS_TORCH:
                data += texts(rank)
            if how & HAS_PROF:
                data += prof(*PROFS[i % len(PROFS)])
            with open(f"{to}/{name}", "wb") as f:
                f.write(bytes([how]) + data)


main()
