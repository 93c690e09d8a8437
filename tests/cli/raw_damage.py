#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damaged raw folders of both generations: whatever happens to a file, the run opens, whole records stay, and
a note says which file and where.

  raw_damage.py NPUSCOPE WORK ROUNDS SEED

A file is cut, emptied, removed, or some of its bits or bytes change. A file of records that was cut must give
what it gives when it is cut between two records.
"""
import glob
import json
import os
import random
import shutil
import subprocess
import sys

RECORD_B = {
    "api_event": 40, "compact": 64, "additional": 256, "stars_soc": 64, "ffts_profile": 128, "ts_track": 40,
    "npu_mem.": 32, "npu_module_mem": 24, "hwts": 64, "aicore": 128, "aicpu.data": 256,
}
RUNS = (["--gen=2"], ["--gen=2", "--chip=910A"], ["--gen=1", "--era=r16"], ["--gen=1", "--era=r13"])
SOURCES = "select path, state, rows from source; select count(*) n from op_exec; "
NOTES = (
    "select s.path, n.offset, n.line, n.text from note n join source s on s.id = n.source_id where "
    "n.severity <> 'INFO'"
)
MOST_LOST = 6  # records that three changed bits can spoil, with what is joined to them


def record_b(path):
    name = os.path.basename(path)
    if "hash_dic" in name or "type_info" in name:
        return 0
    return next((n for word, n in RECORD_B.items() if word in name), 0)


class Run:
    def __init__(self, npuscope, work):
        self.npuscope, self.work = npuscope, work

    def read(self, path):
        store = os.path.join(self.work, "store")
        for old in glob.glob(store + "*"):
            os.remove(old)
        argv = [self.npuscope, "query", "-q", "-F", "json", "--db=" + store, SOURCES + NOTES, path]
        p = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
        if p.returncode not in (0, 4) or "Sanitizer" in p.stderr or "runtime error" in p.stderr:
            raise AssertionError(f"status {p.returncode}: {p.stderr[-500:]}")
        sources, execs, notes = json.loads(p.stdout)
        return {s["path"]: s for s in sources}, execs[0]["n"], notes


def of_file(rows, file):
    """The rows about a file, whose path may begin anywhere below the run."""
    return [rows[p] for p in rows if file.endswith(p)] if isinstance(rows, dict) else [
        n for n in rows if file.endswith(n["path"])
    ]


def damage(r, path):
    """What was done, and where it was cut."""
    size = os.path.getsize(path)
    what = r.choice(["cut", "cut", "cut", "bits", "bits", "bits", "bytes", "empty", "gone"])
    if what == "gone":
        os.remove(path)
    elif what in ("cut", "empty"):
        at = r.randrange(size) if what == "cut" else 0
        os.truncate(path, at)
        return what, at
    else:
        with open(path, "rb") as f:
            data = bytearray(f.read())
        for _ in range(r.randint(1, 3)):
            at = r.randrange(size)
            if what == "bits":
                data[at] ^= 1 << r.randrange(8)
            else:
                data[at:at + 8] = r.randbytes(len(data[at:at + 8]))
        with open(path, "wb") as f:
            f.write(data)
    return what, None


def check(run, reference, base, copy, file, seed):
    r = random.Random(seed)
    path = os.path.join(copy, file)
    size, n = os.path.getsize(path), record_b(file)
    what, at = damage(r, path)
    sources, execs, notes = run.read(copy)
    before, after = of_file(reference[0], file), of_file(sources, file)
    if not n or not before or not after:
        return what
    lost = (before[0]["rows"] or 0) - (after[0]["rows"] or 0)
    if what == "cut":
        said = of_file(notes, file)
        assert at % n == 0 or said or after[0]["state"] != "ok", f"no note of a cut at {at} of {size}"
        assert not said or any(x["offset"] is not None for x in said), f"no place: {said}"
        os.truncate(path, at // n * n)
        aligned = run.read(copy)
        whole = of_file(aligned[0], file)
        assert whole[0]["rows"] == after[0]["rows"], f"cut at {at}: {after[0]} instead of {whole[0]}"
        assert aligned[1] == execs, f"cut at {at}: {execs} executions instead of {aligned[1]}"
    elif what == "bits":
        assert lost <= MOST_LOST, f"{lost} records lost: {after[0]}"
    return what


def is_placed(run, base, copy):
    """A document of the info files that is no JSON: where it ceases to be."""
    shutil.rmtree(copy)
    shutil.copytree(base, copy)
    path = glob.glob(copy + "/**/info.json.0", recursive=True)[0]
    with open(path, "rb") as f:
        data = f.read()
    at = data.index(b'"DeviceInfo"')
    with open(path, "wb") as f:
        f.write(data[:at] + b"?" + data[at + 1:])
    said = [x for x in of_file(run.read(copy)[2], path) if "JSON" in x["text"]]
    assert len(said) == 1 and said[0]["line"] == 1 and abs(said[0]["offset"] - at) <= 1, (at, said)


def main():
    npuscope, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds, seed = int(sys.argv[3]), int(sys.argv[4])
    run = Run(npuscope, work)
    base, copy = os.path.join(work, "base"), os.path.join(work, "copy")
    failed, done = 0, {}
    for k, options in enumerate(RUNS):
        shutil.rmtree(base, ignore_errors=True)
        argv = [npuscope, "demo", "-q", "--raw", "--ranks=2", "--steps=2", "--size=60", *options, base]
        subprocess.run(argv, check=True)
        reference = run.read(base)
        files = [os.path.relpath(f, base) for f in sorted(glob.glob(base + "/**/*", recursive=True))]
        files = [
            f for f in files if os.path.isfile(f"{base}/{f}") and os.path.getsize(f"{base}/{f}")
            and not f.endswith(".done")
        ]
        for i in range(rounds):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(base, copy)
            at = seed + k * 100000 + i
            file = random.Random(at).choice(files)
            try:
                what = check(run, reference, base, copy, file, at)
                done[what] = done.get(what, 0) + 1
            except (AssertionError, subprocess.TimeoutExpired) as problem:
                failed += 1
                print(f"FAIL {' '.join(options)} seed {at} {file}: {problem}")
        if k == 0:
            is_placed(run, base, copy)
    said = ", ".join(f"{n} {what}" for what, n in sorted(done.items()))
    print(f"raw_damage: {sum(done.values())} damaged folders ({said}), {failed} failed")
    return 1 if failed or not done else 0


sys.exit(main())
