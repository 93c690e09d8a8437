#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""analyse on damaged rank folders: files cut, bits flipped, files emptied or gone. Whatever the damage the
command ends by itself, and what it wrote is whole.

  offline_damage.py NPUSCOPE FOLDER ROUNDS SEED
"""
import csv
import json
import os
import random
import shutil
import subprocess
import sys

SANITIZERS = (b"Sanitizer", b"runtime error")


ERAS = ("r27", "r26", "r25", "torch_npu")


def make(exe, folder, era):
    """A rank folder with FRAMEWORK, of a small synthetic run."""
    job = os.path.join(folder, era)
    subprocess.run([exe, "demo", "-q", "--raw", "--gen=2", f"--era={era}", "--ranks=1", "--steps=2", job],
                   check=True)
    return os.path.join(job, os.listdir(job)[0])


def files(folder):
    return sorted(os.path.join(d, n) for d, _, names in os.walk(folder) for n in names)


def damage(path, rng):
    """One change of a file, which is said."""
    with open(path, "rb") as f:
        data = bytearray(f.read())
    what = rng.choice(["cut", "flip", "zero", "gone"])
    os.remove(path)  # it may be a link to the original's bytes
    if what == "gone":
        return what
    if what == "cut":
        del data[rng.randrange(len(data) + 1):]
    elif what == "zero" and data:
        at = rng.randrange(len(data))
        data[at:at + 64] = bytes(len(data[at:at + 64]))
    elif data:
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    with open(path, "wb") as f:
        f.write(data)
    return what


def check(out):
    """Every file is whole: JSON that can be read, rows with as many cells as the header.

    minddata_pipeline_summary is a list of keys with as many values as each has.
    """
    for name in os.listdir(out):
        path = os.path.join(out, name)
        if name.endswith(".json"):
            with open(path, encoding="utf-8") as f:
                json.load(f)
        elif name.endswith(".csv") and not name.startswith("minddata_pipeline_summary"):
            with open(path, newline="", encoding="utf-8", errors="replace") as f:
                widths = {len(row) for row in csv.reader(f)}
            if len(widths) > 1:
                return f"{name} has rows of {sorted(widths)} cells"
    return None


def one(exe, rank, folder, rng):
    copy, out = os.path.join(folder, "copy_" + os.path.basename(rank)), os.path.join(folder, "out")
    for path in (copy, out):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(rank, copy)
    where = [f for f in files(copy) if "FRAMEWORK" in f] if rng.random() < 0.5 else files(copy)
    said = []
    for path in rng.sample(where, min(len(where), rng.randrange(1, 4))):
        said.append(f"{damage(path, rng)} {os.path.relpath(path, copy)}")
    done = subprocess.run([exe, "analyse", "-q", f"--output={out}", copy], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, timeout=120, check=False)
    if done.returncode not in (0, 1, 2, 4) or any(w in done.stderr for w in SANITIZERS):
        return f"ended with {done.returncode}: {said}: {done.stderr[-400:]!r}"
    try:
        bad = check(out) if os.path.isdir(out) else None
    except ValueError as why:
        bad = str(why)
    return f"{bad}: {said}" if bad else None


def main():
    exe, folder, rounds, seed = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    os.makedirs(folder)
    ranks = [make(exe, folder, era) for era in ERAS]
    bad = 0
    for i in range(rounds):
        why = one(exe, ranks[i % len(ranks)], folder, rng)
        if why:
            print(f"round {i}: {why}")
            bad += 1
    print(f"damaged rank folders: {rounds} analysed, {bad} wrong")
    return 1 if bad or not rounds else 0


sys.exit(main())
