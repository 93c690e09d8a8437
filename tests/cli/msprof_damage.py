#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`npuscope export`, `analyze`, `triage` and `report` on PROF folders of today's CANN damaged at random:
records and lines, whole files and slices, and what the folder says about itself (wrong types, missing
keys, numbers beyond all sense, unknown chips).

Each must end by itself with a status of its table, and say why when it is not 0; no control byte reaches
the terminal; every file that was made is whole: rows of tables have the cells of their header, JSON
parses, a database is sound, nothing half made is left. Where one file of records was cut within one, that
file is named. A round says its seed and its damages when it fails.

Usage: msprof_damage.py NPUSCOPE CASES WORKDIR [ROUNDS [SEED [CASE]]]   ROUNDS of each case; CASES: folder
of the cases
"""
import csv
import json
import os
import pty
import random
import re
import select
import shutil
import sqlite3
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import analyse_damage as base  # noqa: E402

SECONDS = 60
ENV = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", TERM="xterm", PAGER="cat")
PROFS = {0, 2, 8}  # made; some of it cannot be opened; the data are at fault
SCREENS = {0, 1, 4}  # done; nothing to show; a result rests on damaged input
# command, statuses
COMMANDS = (
    (["export", "summary"], PROFS),
    (["export", "timeline"], PROFS),
    (["export", "db"], PROFS),
    (["analyze", "--rule", "communication,communication_matrix"], PROFS),
    (["triage", "-q"], SCREENS),
    (["report", "-q"], SCREENS),
)
DIED = re.compile(rb"Sanitizer|runtime error:|please report")  # a worker of the import, or a build that looks
REFUSED = {1, 9}  # such a model, such an iteration is not in the data
PARTIAL = ["--model-id", "4294967295", "--iteration-id", "2"]
# bytes of a record of the files that every export reads, by part of their name
RECORDS = {
    "api_event": 40,
    ".compact.": 64,
    ".additional.": 256,
    "stars_soc.data": 64,
    "hwts.data": 64,
    "ts_track.data": 40,
}
NO_RECORDS = re.compile(
    r"hash_dic|type_info_dic|Multi_Thread|logic_stream|mc2_comm|static_op_mem|task_memory"
)
ODD = (
    None,
    True,
    -1,
    0,
    1,
    2,
    99,
    2**31,
    2**32,
    2**63 - 1,
    2**63,
    2**64,
    10**40,
    -(2**63),
    1e308,
    -0.5,
    "",
    "x",
    "-1",
    "0",
    "0.0",
    "1e300",
    "NaN",
    "99999999999999999999",
    "0xffffffffffffffff",
    "1" * 3000,
    "1," * 3000,
    [],
    {},
    [[]],
    [{}],
    "\x1b]0;pwn\x07\x1b[2J\u202e\n",
)
CHIPS = ("-1", "0", "1", "2", "4", "5", "7", "8", "11", "15", "16", "17", 5, 2.5, "five")


# ---- damages of what the folder says about itself ----


def places(v, at=()):
    """Ways to every value of a document."""
    out = [at] if at else []
    for k in v if isinstance(v, dict) else range(len(v)) if isinstance(v, list) else ():
        out += places(v[k], at + (k,))
    return out


def paper(path, rng):
    """A value of a document replaced or gone."""
    try:
        with open(path) as f:
            doc = json.load(f)
        at = rng.choice(places(doc))
    except (ValueError, IndexError):  # hurt before
        return
    inner = doc
    for k in at[:-1]:
        inner = inner[k]
    if rng.random() < 0.25:
        del inner[at[-1]]
    else:
        inner[at[-1]] = rng.choice(CHIPS if at[-1] == "platform_version" else ODD)
    with open(path, "w") as f:
        json.dump(doc, f)


def clock(path, rng):
    """A line of a clock file changed, gone or doubled."""
    lines = open(path, "rb").read().split(b"\n")
    i = rng.randrange(len(lines))
    key = lines[i].split(b":")[0]
    lines[i : i + 1] = rng.choice(
        ([], [lines[i]] * 2, [key], [key + b":" + str(rng.choice(ODD)).encode()], [b"[Host]", lines[i]])
    )
    open(path, "wb").write(b"\n".join(lines))


def about_itself(root, rng):
    files = [
        f
        for f in base.all_files(root)
        if re.search(r"/(info\.json|sample\.json|start_info|end_info|[a-z]+_start\.log)[.\d]*$", f)
    ]
    if not files:
        return "nothing is left"
    path = rng.choice(files)
    clock(path, rng) if "_start.log" in path else paper(path, rng)
    return "%s changed" % os.path.relpath(path, root)


# ---- damages of records ----


def record_b(path):
    name = os.path.basename(path)
    return next((b for part, b in RECORDS.items() if part in name and not NO_RECORDS.search(name)), 0)


def cut_in_record(root, rng):
    """The only damage of a folder: a file that every export reads ends within a record. What was done, and
    the file."""
    files = [
        f
        for f in base.all_files(root)
        if f.endswith("slice_0")
        and record_b(f)
        and os.path.getsize(f) % record_b(f) == 0
        and not os.path.exists(f[:-1] + "1")
    ]
    path = rng.choice(files)
    n = record_b(path)
    at = rng.randrange(os.path.getsize(path) // n) * n + rng.choice((1, n // 2, n - 1))
    os.truncate(path, at)
    return "cut at %d %s" % (at, os.path.relpath(path, root)), os.path.basename(path)


def hurt_folder(root, rng):
    """Damages, and the file that must be named."""
    if rng.random() < 0.15:
        told, named = cut_in_record(root, rng)
        return [told], named
    told = []
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        if rng.random() < 0.4:
            told.append(about_itself(root, rng))
        else:
            told += base.hurt_folder(root, rng)
    return told, None


# ---- the runs ----


def on_terminal(args):
    """Status (None: it had to be killed) and what reached the terminal, both streams."""
    main, side = pty.openpty()
    p = subprocess.Popen(
        args, env=ENV, stdin=subprocess.DEVNULL, stdout=side, stderr=side, start_new_session=True
    )
    os.close(side)
    seen, end = b"", time.monotonic() + SECONDS
    while time.monotonic() < end and select.select([main], [], [], max(0, end - time.monotonic()))[0]:
        try:
            got = os.read(main, 65536)
        except OSError:  # the other side is closed
            got = b""
        if not got:
            break
        seen += got
    os.close(main)
    try:
        return p.wait(timeout=max(1, end - time.monotonic())), seen
    except subprocess.TimeoutExpired:
        p.kill()
        p.wait()
        return None, seen


def not_json(word):
    raise ValueError(word + " is no JSON")


def fault_of(path):
    """What is wrong with a file that was made; None: nothing."""
    name = os.path.basename(path)
    if name.endswith(".csv"):
        with open(path, newline="", encoding="utf-8", errors="surrogateescape") as f:
            rows = list(csv.reader(f))
        odd = [i for i, r in enumerate(rows) if len(r) != len(rows[0])]
        return (
            "row %d has %d cells, its header %d" % (odd[0], len(rows[odd[0]]), len(rows[0]))
            if odd
            else None
            if rows
            else "empty"
        )
    if name.endswith(".json"):
        try:
            json.loads(open(path, "rb").read(), parse_constant=not_json)
        except ValueError as e:
            return str(e)
        return None
    if name.endswith(".db"):
        with sqlite3.connect("file:%s?mode=ro" % path, uri=True) as db:
            said = db.execute("pragma integrity_check").fetchone()[0]
        return None if said == "ok" else said
    return None if name == "README.txt" else "nobody asked for it"


def one_round(npuscope, work, clean, rng):
    hurt, out, bad, made = os.path.join(work, "hurt"), os.path.join(work, "out"), [], 0
    for folder in (hurt, out):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(clean, hurt, ignore=shutil.ignore_patterns("expected*"))
    told, named = hurt_folder(hurt, rng)
    partial = PARTIAL if rng.random() < 0.2 and not named else []
    for command, statuses in COMMANDS:
        prof = statuses is PROFS
        args = (
            ["-dir", hurt, "--output=" + out]
            + (partial if command[1:] in (["summary"], ["timeline"]) else [])
            if prof
            else ["--no-cache", hurt]
        )
        code, seen = on_terminal([npuscope, *command, *args])
        what = " ".join(command)
        if code not in statuses | (REFUSED if partial and prof else set()):
            bad.append(
                "%s: %s: %s"
                % (
                    what,
                    "hangs" if code is None else "status %d" % code,
                    seen.decode("utf-8", "replace")[-3000:],
                )
            )
        elif code and not seen.strip():
            bad.append("%s: status %d without a word" % (what, code))
        if DIED.search(seen):
            bad.append("%s: %s" % (what, seen[DIED.search(seen).start() :][:3000].decode("utf-8", "replace")))
        if base.raw(seen):
            bad.append("%s: on the terminal: %r" % (what, base.raw(seen)))
        if named and what in ("export summary", "export timeline") and named.encode() not in seen:
            bad.append("%s: does not name what was cut: %s" % (what, seen.decode("utf-8", "replace")[-500:]))
    for path in base.all_files(out) if os.path.isdir(out) else ():
        fault = fault_of(path)
        made += 1
        if fault:
            bad.append("%s: %s" % (os.path.relpath(path, out), fault))
    return ["%s %s: %s" % ("; ".join(told), " ".join(partial), b) for b in bad], made


def main():
    npuscope, cases, work = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    only = sys.argv[6] if len(sys.argv) > 6 else ""
    bad, made, n = 0, 0, 0
    for case in sorted(os.listdir(cases)):
        if not os.path.isdir(os.path.join(cases, case)) or only not in ("", case):
            continue
        for i in range(rounds):
            wrong, files = one_round(
                npuscope, work, os.path.join(cases, case), random.Random("%s %d" % (case, seed + i))
            )
            n, made, bad = n + 1, made + files, bad + len(wrong)
            for line in wrong:
                print("%s seed %d: %s" % (case, seed + i, line), flush=True)
    print("%d damaged folders, %d files made of them, %d faults" % (n, made, bad))
    sys.exit(1 if bad or not made else 0)


if __name__ == "__main__":
    main()
