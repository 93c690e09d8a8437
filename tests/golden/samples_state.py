#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every file of the samples has the state ok, or another that is right.

  samples_state.py NPUSCOPE DATA

All runs below DATA are read, then each folder that lies in none of them. A state other than ok must have a
reason that is checked here: the file is empty, another file has the same rows, the row of the registry says
why only the name is known, or the list below says what is wrong with it. A file that is said to be missing is
not there. Files of no run are told by what they are.
"""
import collections
import csv
import fnmatch
import io
import os
import sqlite3
import subprocess
import sys
import tempfile

ALONE = "what its records belong to is not here"
# What is damaged on purpose, or has no part in a run: path, state, beginning of the note, reason.
KNOWN = [
    ("gen2/*/FRAMEWORK/cpu_op_execute_timestamp_?.txt", "TORN", "line 8: not name;label;start", "a broken line"),
    ("gen2/*/FRAMEWORK/dataset_iterator_profiling_0.txt", "TORN", "line 5: not type, extra", "a broken line"),
    ("gen2/*/FRAMEWORK/device_queue_profiling_0.txt", "TORN", "line 5: not type, extra", "a broken line"),
    ("msprof/killed_torn_files/PROF_*", "TORN", "at byte ", "cut by the sample's maker"),
    ("*/compute_advice/kernel_details.csv", "TORN", "line 30: the last line has no line end", "it has none"),
    ("gen2/*/PROF.txt", "UNREAD", "", "says where the sample's PROF folder is"),
    ("gen1/mindinsight/ERROR_JOB/*", "UNREAD", ALONE, "a single raw file: no run"),
    ("gen1/mindinsight/JOB4/data/Framework.*", "UNREAD", ALONE, "names of tasks without any task"),
    ("gen1/mind*/container/0/data/Framework.*", "UNREAD", ALONE, "names of tasks without any task"),
    ("analysis/*/export_summary/input/*/kernel_details.csv", "BAD", "line 1: the header", "a tool's own columns"),
    ("analysis/*/*.csv", "UNREAD", "", "tables of other tools' results"),
]
# What is not a file of a profiler, or none that a run needs.
NO_PROFILE = [
    ("*README.md", "says what the samples are"),
    ("*/MANIFEST.sha256", "sums of the samples"),
    ("*/params.txt", "how a sample was made"),
    ("*.py", "how a sample was made"),
    ("logs/*", "logs, which are no profile"),
    ("analysis/*", "what other tools made of samples"),
    ("*/marey_graph/*", "what MindInsight drew"),
]
# Kinds that nothing reads yet.
STILL = set()


def run(npuscope, cache, *args):
    env = dict(os.environ, XDG_CACHE_HOME=cache, HOME=cache, TZ="UTC", LC_ALL="C.UTF-8")
    p = subprocess.run([npuscope, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, check=False)
    return p.stdout.decode("utf-8", "surrogateescape")


class States:
    def __init__(self, npuscope, data, cache):
        self.npuscope, self.data, self.cache = npuscope, data, cache
        self.rows = {}  # path below data -> row of source
        self.missing = []  # rows without a file

    def read(self, folder):
        """All runs below the folder."""
        out = run(self.npuscope, self.cache, "import", "-q", "--format=csv", folder)
        for unit in csv.DictReader(io.StringIO(out)):
            if not unit["store"]:
                continue
            db = sqlite3.connect("file:%s?mode=ro" % unit["store"], uri=True)
            db.row_factory = sqlite3.Row
            for r in db.execute("SELECT path, kind, size_b, state, used, note FROM source"):
                place = os.path.relpath(os.path.join(unit["unit"], r["path"]), self.data)
                if r["state"] in ("ABSENT", "OFF"):
                    self.missing.append((place, r))
                else:
                    self.rows.setdefault(place, r)
            db.close()


def is_right(path, r):
    """Whether a state other than ok has a reason that holds."""
    state, note, used = r["state"], r["note"] or "", r["used"] or ""
    if not note and not used and r["kind"] != "unknown":
        return False  # nobody is told why
    if any(fnmatch.fnmatch(path, p) and state == s and note.startswith(n) for p, s, n, _ in KNOWN):
        return True
    if state == "EMPTY":
        return r["size_b"] == 0
    if state == "listed":
        return note != ""
    if state == "UNREAD":
        return used.startswith("no (") or "holds the same" in note or "superseded" in used or r["kind"] in STILL
    return False


def counters(npuscope, cache, folder):
    """Least, mean and most of the sampled tables, against the tables themselves."""
    out = run(npuscope, cache, "host", "-q", "--by=counter", "--format=csv", folder)
    got = {r["what"]: r for r in csv.DictReader(io.StringIO(out))}
    wrong = []

    def compare(what, *want):
        r = got.get(what, {})
        have = [float(r.get(c) or "nan") for c in ("min_value", "avg_value", "max_value")]
        if have != list(want):
            wrong.append("%s: %r, should be %r" % (what, have, want))

    for name, mean in (("hccs", "Average"), ("pcie", "Avg")):
        for r in table(folder, name):
            compare(name + " " + r["Mode"], *(float(r[c]) for c in ("Min", mean, "Max")))
    for r in table(folder, "hbm"):
        for column in ("Read(MB/s)", "Write(MB/s)"):
            compare("hbm %s %s" % (r["Metric"], column), *[float(r[column])] * 3)
    for name in ("nic", "roce"):
        values = collections.defaultdict(list)
        for r in table(folder, name):
            values["%s %s Bandwidth(MB/s)" % (name, r["funcId"])].append(float(r["Bandwidth(MB/s)"]))
        for what, v in values.items():
            compare(what, min(v), sum(v) / len(v), max(v))
    return wrong


def table(folder, name):
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def main():
    npuscope, data = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    wrong = []
    with tempfile.TemporaryDirectory() as cache:
        s = States(npuscope, data, cache)
        s.read(data)
        files = [
            os.path.relpath(os.path.join(d, f), data) for d, _, names in os.walk(data) for f in names
        ]
        for folder in sorted({os.path.dirname(f) for f in files if f not in s.rows}):
            s.read(os.path.join(data, folder))
        wrong += counters(npuscope, cache, os.path.join(data, "msprof/sampled_system/expected"))
    for path, r in sorted(s.rows.items()):
        if r["state"] != "ok" and not is_right(path, r):
            wrong.append("%s: %s, %s, %s, used %s" % (path, r["kind"], r["state"], r["note"], r["used"]))
    for path, r in s.missing:
        if os.path.exists(os.path.join(data, path)):
            wrong.append("%s: %s, and it is there" % (path, r["state"]))
    for path in files:
        if path not in s.rows and not any(fnmatch.fnmatch(path, p) for p, _ in NO_PROFILE):
            wrong.append("%s: in no run" % path)
    for line in wrong:
        print(line)
    states = collections.Counter(r["state"] for r in s.rows.values())
    print(
        "samples_state: %d files, %d in a run: %s; %d wrong"
        % (len(files), len(s.rows), ", ".join("%d %s" % (n, w) for w, n in sorted(states.items())), len(wrong))
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
