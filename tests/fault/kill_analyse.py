#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An analysis of two ranks that ends at moments all over it.

  - The n-th call that writes is its last (SIGKILL, also after half of the bytes), or fails with ENOSPC,
    once or for good, or with EIO (fault.c); SIGTERM comes at any time.
  - What has its name afterwards is the file of a whole analysis. Who was not killed leaves no temporary
    file, and says so with the exit status when a file is missing. The next analysis makes what lacks.
Usage: kill_analyse.py NPUSCOPE FAULT.SO WORKDIR POINTS
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

EXE, LIBRARY, WORK = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
POINTS = int(sys.argv[4] or 8)
SORTS = (("kill", False), ("half", False), ("enospc", False), ("enospc", True), ("eio", False))
SECONDS = 60
RUN, OUT, WHOLE = (os.path.join(WORK, n) for n in ("run", "out", "whole"))
failed = 0


def fail(text):
    global failed
    failed += 1
    print("kill_analyse: " + text)


def start(out, **more):
    return subprocess.Popen([EXE, "analyse", "-q", "--jobs=2", f"--output={out}", RUN],
                            start_new_session=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            env=dict(os.environ, FAULT_WORD="analyse", **more))


def ended(p):
    said = p.communicate(timeout=SECONDS)[1].decode("utf-8", "replace")
    return p.returncode, said


def files(folder):
    """Contents of the files, and the names of those that are temporary."""
    named, rest = {}, []
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if name.startswith("."):
                rest.append(path)
            else:
                with open(path, "rb") as f:
                    named[os.path.relpath(path, folder)] = f.read()
    return named, rest


def judge(where, whole, code, said):
    named, rest = files(OUT)
    for name, data in named.items():
        if whole.get(name) != data:
            fail(f"{where}: {name} is not that of a whole analysis")
    if code == -signal.SIGKILL:
        return
    if rest:
        fail(f"{where}: left behind: {rest}")
    if code == 0 and named.keys() != whole.keys():
        fail(f"{where}: status 0, but {len(named)} of {len(whole)} files: {said}")
    if code == 1 and not any(w in said for w in ("No space", "full", "no room", "output error")):
        fail(f"{where}: no clear message: {said!r}")


def again(where, whole):
    """What is missing is made."""
    code, said = ended(start(OUT))
    named, _ = files(OUT)
    if code or named != whole:
        fail(f"{where}: the next analysis: status {code}, {len(named)} of {len(whole)} files: {said}")


def calls(library):
    counted = os.path.join(WORK, "calls")
    ended(start(OUT, LD_PRELOAD=library, FAULT_COUNT=counted))
    shutil.rmtree(OUT)
    with open(counted, encoding="ascii") as f:
        return int(f.read())


def faults(whole):
    n = calls(LIBRARY)
    points = sorted(random.Random(1).sample(range(1, n + 1), min(POINTS, n)))
    for word, sticky in SORTS:
        for at in points:
            where = f"{word}{' for good' if sticky else ''} at call {at} of {n}"
            more = {"FAULT_STICKY": "1"} if sticky else {}
            p = start(OUT, LD_PRELOAD=LIBRARY, FAULT_AT=str(at), FAULT_DO=word, **more)
            judge(where, whole, *ended(p))
            again(where, whole)
            shutil.rmtree(OUT)
    return len(points) * len(SORTS)


def signals(whole, seconds):
    rng = random.Random(2)
    for _ in range(POINTS):
        p = start(OUT)
        time.sleep(rng.uniform(0, seconds))
        p.terminate()
        began = time.monotonic()
        code, said = ended(p)
        where = f"SIGTERM, status {code}"
        if time.monotonic() - began > 10:
            fail(f"{where}: it went on for {time.monotonic() - began:.1f} s")
        if code not in (0, 128 + signal.SIGTERM, -signal.SIGTERM):
            fail(f"{where}: {said}")
        judge(where, whole, code, said)
        again(where, whole)
        shutil.rmtree(OUT)
    return POINTS


def main():
    os.makedirs(WORK)
    subprocess.run([EXE, "demo", "-q", "--raw", "--gen=2", "--ranks=2", "--steps=2", RUN], check=True)
    began = time.monotonic()
    code, said = ended(start(WHOLE))
    seconds = time.monotonic() - began
    whole, rest = files(WHOLE)
    if code or rest or len(whole) < 20:
        fail(f"the whole analysis: status {code}, {len(whole)} files: {said}")
        return 1
    rounds = faults(whole) if LIBRARY else 0
    rounds += signals(whole, seconds)
    print(f"kill_analyse: {rounds} moments, {failed} wrong")
    return 1 if failed else 0


sys.exit(main())
