#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damage: every file of a demo profile of both generations, cut and with one bit flipped at seeded places.

The program must end with status 0 or 4 (a result rests on damaged input), never by a signal, and `files`
must give a reason for each file it does not call whole. A cut JSON or CSV file that lost something must
not be called ok. Usage: damage.py NPUSCOPE WORKDIR [ROUNDS [SEED]]
"""
import csv
import io
import os
import random
import shutil
import subprocess
import sys

# Kinds some of whose writers give the last line no line end: a cut inside it may go unseen.
OPEN_END = ("g1_flops", "g1_min_cycle")
ENV = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")


def run(args, cwd):
    return subprocess.run(args, cwd=cwd, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def files_of(npuscope, folder):
    p = run([npuscope, "files", "-q", "--no-cache", "--format=csv", folder], ".")
    rows = (
        list(csv.DictReader(io.StringIO(p.stdout.decode("utf-8", "replace"))))
        if p.returncode in (0, 4)
        else []
    )
    return p, rows


def damage(data, how, rng):
    """A named operation, so that the damage can be read: (bytes, description)."""
    at = rng.randrange(len(data))
    if how == "cut":
        return data[:at], "cut %d" % at
    bit = 1 << rng.randrange(8)
    return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :], "flip 0x%x %d" % (at, bit)


def looks_whole(row, data, whole):
    """Nothing tells that data was cut from whole: only white space is gone, or whole lines of text are."""
    if not data or not whole[len(data) :].strip():
        return True
    text = row["path"].endswith((".csv", ".txt")) or row["kind"] == "g1_flops_step"
    return text and (data.endswith((b"\n", b"\r")) or row["kind"] in OPEN_END)


def main():
    npuscope, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 20260314)
    bad, runs, kinds, noted = [], 0, set(), 0
    for gen in (1, 2):
        clean = os.path.join(work, "g%d" % gen)
        made = run(
            [
                npuscope,
                "demo",
                "-q",
                "--gen=%d" % gen,
                "--ranks=1",
                "--steps=2",
                "--seed=7",
                "--size=2000",
                clean,
            ],
            ".",
        )
        if made.returncode:
            sys.exit("no demo: %s" % made.stderr.decode())
        p, rows = files_of(npuscope, clean)
        if p.returncode or not rows:
            sys.exit("the clean profile: status %d %s" % (p.returncode, p.stderr.decode()))
        whole = {r["path"]: r for r in rows if r["size_b"] and int(r["size_b"]) > 0}
        root = next(d for d, _, names in os.walk(clean) if any(n.startswith("profiler_info_") for n in names))
        kinds |= {r["kind"] for r in whole.values()}
        # All files at once, each damaged on its own: one run tells of every kind.
        for n in range(rounds):
            how = "cut" if n % 2 else "flip"
            hurt = os.path.join(work, "hurt")
            shutil.rmtree(hurt, ignore_errors=True)
            shutil.copytree(clean, hurt)
            done = {}
            for path in sorted(whole):
                name = os.path.join(root.replace(clean, hurt, 1), path)
                if not os.path.exists(name):
                    continue
                whole_data = open(name, "rb").read()
                data, done[path] = damage(whole_data, how, rng)
                open(name, "wb").write(data)
                if how == "cut" and looks_whole(whole[path], data, whole_data):
                    del done[path]
            runs += 1
            p, rows = files_of(npuscope, hurt)
            said = "gen %d round %d (%s): " % (gen, n, how)
            if p.returncode not in (0, 4):
                bad.append(said + "status %d: %s" % (p.returncode, p.stderr.decode("utf-8", "replace")[:300]))
                continue
            for r in rows:
                if r["path"] in done and r["state"] in ("TORN", "BAD", "NEWER"):
                    noted += 1
                    if not r["note"]:
                        bad.append(
                            said + "%s %s after '%s': no reason" % (r["path"], r["state"], done[r["path"]])
                        )
                if r["path"] in done and r["lost"] and int(r["lost"]) > 0 and r["state"] == "ok":
                    bad.append(
                        said
                        + "%s lost %s rows after '%s' and is called ok"
                        % (r["path"], r["lost"], done[r["path"]])
                    )
            for r in rows if how == "cut" else []:
                if r["path"] in done and r["state"] == "ok":
                    bad.append(said + "%s is called ok after '%s'" % (r["path"], done[r["path"]]))
            q = run([npuscope, "report", "-q", "--no-cache", hurt], ".")
            if q.returncode not in (0, 4):
                bad.append(
                    said + "report: status %d: %s" % (q.returncode, q.stderr.decode("utf-8", "replace")[:300])
                )
    print("%d damaged profiles, %d kinds, %d damaged files named with a reason" % (runs, len(kinds), noted))
    if noted < rounds:
        bad.append("only %d files were found damaged: the test shows nothing" % noted)
    for line in bad[:30]:
        print(line)
    sys.exit(1 if bad else 0)


main()
