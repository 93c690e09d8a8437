#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole folders of MindSpore 2.x and torch_npu that were never analysed (demo --raw --gen=2, all versions,
also killed), damaged at random: FRAMEWORK, PROF and what the folder says about itself; then the commands of
the panes, triage and analyse.

Each must end by itself with a status of its table, and say why when it is not 0; no control byte reaches the
terminal; what analyse calls written is there, whole and of that size, and a second run gives the same bytes.
Where one file of the framework alone was cut within a record, files does not call it whole. A round says its
seed and its damages when it fails.

Usage: framework_damage.py NPUSCOPE WORKDIR [ROUNDS [SEED]]
"""
import csv
import io
import os
import random
import re
import shutil
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import analyse_damage as base  # noqa: E402

RUNS = {
    "r27": ["--era=r27", "--steps=2"],
    "torch_npu": ["--era=torch_npu", "--steps=2"],
    "r26": ["--era=r26", "--steps=1", "--model=transformer"],
    "r25": ["--era=r25", "--steps=1"],
    "two": ["--era=torch_npu", "--steps=1", "--ranks=2"],
    "killed": ["--era=torch_npu", "--steps=4", "--crashed=60%"],
    "killed r27": ["--era=r27", "--steps=3", "--crashed=60%"],
}
# Commands that read the run; each round takes two.
COMMANDS = ("host", "memory", "timeline", "ops", "steps", "comm", "data", "triage", "report", "files")
SCREENS = (0, 1, 4)  # done; nothing to show; a result rests on damaged input
CHUNKS = re.compile(rb"Sanitizer|runtime error:|please report")
TLV = ("op_range", "op_mark", "memory_usage", "record_shapes", "tracer_hash")


def records(data):
    """Where each record of a container ends."""
    at, ends = 0, set()
    while at + 6 <= len(data):
        at += 6 + struct.unpack_from("<I", data, at + 2)[0]
        ends.add(at)
    return ends


def framework(root):
    return [f for f in base.all_files(root) if "/FRAMEWORK/" in f]


def hurt_framework(root, rng):
    """Only what the framework wrote, or the file that says how it was recorded."""
    told = []
    for _ in range(rng.choice((1, 2, 4))):
        files = framework(root) + [f for f in base.all_files(root) if "profiler_" in os.path.basename(f)]
        if not files:
            break
        path, how = rng.choice(files), rng.choice(base.IN_FILE * 2 + base.OF_FOLDER)
        told.append("%s %s" % (how.__name__, os.path.relpath(path, root)))
        if how in base.OF_FOLDER:
            how(path, files, rng)
            continue
        data = open(path, "rb").read()
        if data:
            open(path, "wb").write(how(data, rng))
    return told


def cut_within(root, rng):
    """One file of records cut within one: its name."""
    files = [f for f in framework(root) if any(t in f for t in TLV) and os.path.getsize(f) > 400]
    if not files:
        return None
    path = rng.choice(files)
    data = open(path, "rb").read()
    ends = records(data)
    at = rng.randrange(200, len(data))
    while at in ends:
        at += 1
    if at >= len(data):
        return None
    open(path, "wb").write(data[:at])
    return os.path.basename(path)


def state_of(npuscope, hurt, name, bad):
    args = ["files", "-q", "--rank=all", "--no-cache", "--format=csv", hurt]
    code, text, err = base.on_pipe(npuscope, args)
    if code not in SCREENS:
        bad.append("files: status %d: %s" % (code, err[-300:]))
        return
    states = {r["state"] for r in csv.DictReader(io.StringIO(text)) if os.path.basename(r["path"]) == name}
    if not states - {"OK"}:
        bad.append("%s was cut within a record and is called %s" % (name, sorted(states) or "nothing"))


def read(npuscope, hurt, command, bad):
    code, text, err = base.on_pipe(npuscope, [command, "-q", "--no-cache", hurt])
    if code not in SCREENS:
        bad.append("%s: status %d: %s" % (command, code, (err or text)[-1000:]))
    if code in (1, 4) and not (err + text).strip():
        bad.append("%s: status %d without a word" % (command, code))
    if CHUNKS.search((text + err).encode()):
        bad.append("%s: %s" % (command, err[-2000:]))


def check_tables(files, bad):
    for name, data in files.items():
        if not name.endswith(".csv") or "minddata" in name:
            continue
        widths = {len(r) for r in csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""))}
        if len(widths) > 1:
            bad.append("%s has rows of %s cells" % (name, sorted(widths)))


def analyse(npuscope, hurt, out, rng, bad):
    """How many files it reported."""
    options = rng.choice(([], [], ["--compat"], ["--pretty"]))
    args = ["analyse", *options, "-o", out, hurt]
    code, text, err = base.on_pipe(npuscope, [*args, "--format=csv"])
    rows = list(csv.DictReader(io.StringIO(text)))
    if code not in (0, 1, 2, 4):
        bad.append("analyse: status %d: %s" % (code, err[-2000:]))
    if code and not (err.strip() or any(r["note"] for r in rows)):
        bad.append("analyse: status %d without a reason" % code)
    files = base.read_all(out) if os.path.isdir(out) else {}
    written = sorted(int(r["size_b"]) for r in rows if r["state"] == "written")
    if written != sorted(len(d) for d in files.values()):
        bad.append("analyse: sizes of what it wrote: %s, told: %s" % (
            sorted(len(d) for d in files.values()), written))
    for name, data in files.items():
        if name.endswith(".json"):
            try:
                base.json.loads(data)
            except ValueError as e:
                bad.append("%s: %s" % (name, e))
    check_tables(files, bad)
    again, seen = base.on_terminal(npuscope, [*args, "--force"])
    if again != code:
        bad.append("analyse: status %d, then %d" % (code, again))
    if base.raw(seen):
        bad.append("analyse: on the terminal: %r" % base.raw(seen))
    if (base.read_all(out) if os.path.isdir(out) else {}) != files:
        bad.append("analyse: other bytes the second time")
    return len(rows)


def one_round(npuscope, work, clean, rng):
    hurt, out, bad = os.path.join(work, "hurt"), os.path.join(work, "out"), []
    for folder in (hurt, out):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(clean, hurt)
    name, n = None, 0
    kind = rng.random()
    if kind < 0.2:
        name = cut_within(hurt, rng)
        told = ["cut within a record %s" % name]
    elif kind < 0.6:
        told = hurt_framework(hurt, rng)
    else:
        told = base.hurt_folder(hurt, rng)
    try:
        if name:
            state_of(npuscope, hurt, name, bad)
        for command in rng.sample(COMMANDS, 2):
            read(npuscope, hurt, command, bad)
        n = analyse(npuscope, hurt, out, rng, bad)
    except subprocess.TimeoutExpired as e:
        bad.append("hangs: %s" % e.cmd)
    return ["%s: %s" % ("; ".join(told), b) for b in bad], n


def renamed(data, old, new):
    """A container whose records have another text, lengths included."""
    out, at = b"", 0
    while at + 6 <= len(data):
        kind, size = struct.unpack_from("<HI", data, at)
        body = data[at + 6 : at + 6 + size]
        body = body.replace(struct.pack("<I", len(old)) + old, struct.pack("<I", len(new)) + new)
        out += struct.pack("<HI", kind, len(body)) + body
        at += 6 + size
    return out


def last_number(npuscope, clean, hurt):
    """A killed run whose last mark has the largest number that there is: no step comes after it."""
    shutil.rmtree(hurt, ignore_errors=True)
    shutil.copytree(clean, hurt)
    path = next(f for f in framework(hurt) if "torch.op_range" in f)
    data = open(path, "rb").read()
    marks = sorted(set(re.findall(rb"ProfilerStep#[0-9]+", data)))
    open(path, "wb").write(renamed(data, marks[-1], b"ProfilerStep#9223372036854775807"))
    code, text, err = base.on_pipe(npuscope, ["steps", "-q", "--no-cache", "--format=csv", hurt])
    steps = [r["step"] for r in csv.DictReader(io.StringIO(text))]
    if code not in SCREENS or "9223372036854775807" not in steps or any(s.startswith("-") for s in steps):
        return ["largest step number: status %d, steps %s: %s" % (code, steps, err[-1000:])]
    return []


def main():
    npuscope, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    bad, reported, clean = [], 0, {}
    for i in range(rounds):
        name = list(RUNS)[(seed + i) % len(RUNS)]
        if name not in clean:
            clean[name] = os.path.join(work, name.replace(" ", "_"))
            ranks = [] if any("--ranks" in o for o in RUNS[name]) else ["--ranks=1"]
            args = ["demo", "-q", "--raw", "--gen=2", *ranks, *RUNS[name], clean[name]]
            made = base.on_pipe(npuscope, args)
            if made[0]:
                sys.exit("no demo: " + made[2])
        wrong, n = one_round(npuscope, work, clean[name], random.Random(seed + i))
        reported += n
        bad += ["seed %d: %s: %s" % (seed + i, name, w) for w in wrong]
    if "killed" in clean:
        bad += last_number(npuscope, clean["killed"], os.path.join(work, "hurt"))
    print("%d damaged folders, %d files reported, %d wrong" % (rounds, reported, len(bad)))
    for line in bad:
        print(line)
    sys.exit(1 if bad or not reported else 0)


if __name__ == "__main__":
    main()
