#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damaged raw folders of generation 1: slices removed, swapped, doubled, filled with zeros, cut and flipped;
then ops, triage and analyse.

Each must end with status 0 (done), 1 (nothing to show, which is said) or 4 (a result rests on damaged
input), never by a signal; what failed says why, and files names what was hit. Usage: job_damage.py
NPUSCOPE WORKDIR [SEED]
"""
import csv
import io
import os
import random
import re
import shutil
import subprocess
import sys

ENV = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", NO_COLOR="1")
RUNS = (
    ("r20", ["--era=r20"]),
    ("r16", ["--era=r16"]),
    ("r13", ["--era=r13"]),
    ("gpu", ["--mode=gpu"]),
    ("cpu", ["--mode=cpu"]),
    ("pynative", ["--mode=pynative"]),
)
PIECES = 4
KEEP = re.compile(
    r"^(start_|end_|info)|\.(log|json)|\.done$"
)  # no tables of records: damage.sh and test_cut are of those


def run(npuscope, command, *args):
    p = subprocess.run(
        [npuscope, command, "-q", *args], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def targets(root):
    """Files that hold records, relative to root."""
    out = []
    for folder, _, names in os.walk(root):
        out += [os.path.relpath(os.path.join(folder, n), root) for n in names]
    return sorted(
        f
        for f in out
        if os.path.getsize(os.path.join(root, f)) >= 64 and not KEEP.search(os.path.basename(f))
    )


def pieces(data):
    at = [len(data) * i // PIECES for i in range(PIECES + 1)]
    return [data[a:b] for a, b in zip(at, at[1:])]


def write_slices(path, parts):
    """Parts as slices; a text of one file gets them as one."""
    base, sliced = re.subn(r"slice_0$", "slice_", path)
    if not sliced:
        open(path, "wb").write(b"".join(p for p in parts if p is not None))
        return
    os.remove(path)
    for i, p in enumerate(parts):
        if p is None:
            continue
        open("%s%d" % (base, i), "wb").write(p)
        open("%s%d.done" % (base, i), "wb").write(b"")


def removed(p, rng):
    p[rng.randrange(PIECES)] = None
    return p


def swapped(p, rng):
    i = rng.randrange(PIECES - 1)
    p[i], p[i + 1] = p[i + 1], p[i]
    return p


def doubled(p, rng):
    i = rng.randrange(PIECES)
    return p[: i + 1] + p[i:]


def zeroed(p, rng):
    i = rng.randrange(PIECES)
    p[i] = bytes(len(p[i]))
    return p


def all_zero(p, rng):
    return [bytes(len(x)) for x in p]


def torn(p, rng):
    return [x[: len(x) - rng.randrange(1, 1 + len(x) // 2)] for x in p]


def flipped(p, rng):
    out = []
    for x in p:
        x = bytearray(x)
        for _ in range(4):
            x[rng.randrange(len(x))] ^= 1 << rng.randrange(8)
        out.append(bytes(x))
    return out


DAMAGES = (removed, swapped, doubled, zeroed, all_zero, torn, flipped)


def unnoticed(npuscope, names, hurt):
    """Files of which files calls every slice whole; those without a reader are not called anything."""
    code, text, err = run(npuscope, "files", "--no-cache", "--format=csv", hurt)
    if code not in (0, 4):
        return ["files: status %d: %s" % (code, err[:300])]
    states = {}
    for row in csv.DictReader(io.StringIO(text)):
        name = re.sub(r"slice_\d+$", "slice_0", row["path"])
        states.setdefault(name, set()).add(
            row["state"] if row["note"] or row["state"] != "TORN" else "no reason"
        )
    fine = []
    for f in names:
        state = next(
            (v for k, v in states.items() if f.endswith(k) and k.endswith(os.path.basename(f))),
            {"not listed"},
        )
        if not state & {"TORN", "BAD", "UNREAD", "spare", "NEWER", "listed"}:
            fine.append("%s (%s)" % (os.path.basename(f), ", ".join(sorted(state))))
    return fine


def check(npuscope, name, hurt, work, bad):
    for command in ("ops", "triage", "analyse"):
        out = os.path.join(work, "out")
        shutil.rmtree(out, ignore_errors=True)
        args = ["-o", out] if command == "analyse" else ["--no-cache"]
        code, text, err = run(npuscope, command, *args, hurt)
        if code not in (0, 1, 4):
            bad.append("%s: %s: status %d: %s" % (name, command, code, (err or text)[:300]))
        if code in (1, 4) and not (err + text).strip():
            bad.append("%s: %s: status %d without a word" % (name, command, code))


def main():
    npuscope, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 20260314)
    bad, hurt_files = [], 0
    for run_name, options in RUNS:
        clean, hurt = os.path.join(work, run_name), os.path.join(work, "hurt")
        code, _, err = run(npuscope, "demo", "--raw", "--ranks=1", "--steps=2", "--seed=7", *options, clean)
        if code:
            sys.exit("no demo: " + err)
        names = targets(clean)
        for damage in DAMAGES:
            shutil.rmtree(hurt, ignore_errors=True)
            shutil.copytree(clean, hurt)
            for f in names:
                path = os.path.join(hurt, f)
                write_slices(path, damage(pieces(open(path, "rb").read()), rng))
            hurt_files += len(names)
            name = "%s %s" % (run_name, damage.__name__)
            check(npuscope, name, hurt, work, bad)
            fine = unnoticed(npuscope, names, hurt)
            if damage is all_zero and fine or damage in (zeroed, torn) and len(fine) > len(names) // 2:
                bad.append("%s: called whole: %s" % (name, "; ".join(fine)))
    print("%d damaged files in %d folders" % (hurt_files, len(RUNS) * len(DAMAGES)))
    for line in bad:
        print(line)
    sys.exit(1 if bad else 0)


main()
