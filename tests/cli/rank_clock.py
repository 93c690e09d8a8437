# SPDX-License-Identifier: Apache-2.0
"""A device clock that was lost, by the collectives of the other ranks (doc/formats/prof-quirks.md#lost-clocks).

usage: rank_clock.py NPUSCOPE WORK ROUNDS

One rank of a random demo loses dev_start.log. By how much its rows are then off is known from the whole run: that is
what triage must say, within the bound that it states.
"""
import csv
import glob
import io
import os
import random
import re
import shutil
import subprocess
import sys

NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
SAID = re.compile(r"the device clock of rank (\d+) was lost: by its collectives with rank (\d+) its times are "
                  r"(?:right|([\d.]+) (\w+) too (late|early),) within ([\d.]+) (\w+)")
SQL = "select ts_ns + (select origin_ns from rank r where r.rank = x.rank) as t0 from comm_exec x order by ts_ns, id limit 1"


class Run:
    def __init__(self, program, work):
        self.program, self.dir = program, os.path.join(work, "run")
        self.env = dict(os.environ, XDG_CACHE_HOME=os.path.join(work, "cache"))

    def ask(self, *words):
        p = subprocess.run([self.program, *words, self.dir], capture_output=True, text=True, env=self.env)
        if p.returncode not in (0, 4):
            raise AssertionError("status %d: %s" % (p.returncode, p.stderr[-400:]))
        return p.stdout

    def begin_of(self, rank):
        rows = list(csv.DictReader(io.StringIO(self.ask("query", "-q", "--rank=%d" % rank, "-F", "csv", SQL))))
        return int(rows[0]["t0"])

    def make(self, words):
        for d in (self.dir, self.env["XDG_CACHE_HOME"]):
            shutil.rmtree(d, ignore_errors=True)
        self.ask("demo", "-q", "--raw", "--gen=2", *words)


def play(run, r):
    ranks = r.choice((2, 3, 4, 8))
    words = ["--ranks=%d" % ranks, "--steps=%d" % r.randint(1, 4), "--size=%d" % r.randint(60, 3000),
             "--seed=%d" % r.randint(1, 999), "--model=" + r.choice(("transformer", "resnet")),
             "--era=" + r.choice(("r27", "r26", "torch_npu"))]
    run.make(words)
    lost = r.randrange(ranks)
    whole = run.begin_of(lost)
    if "was lost" in run.ask("triage", "-q"):
        return words, "the whole run has no lost clock"
    files = [f for f in glob.glob(run.dir + "/**/dev_start.log*", recursive=True)]
    # One folder for each rank, in their order.
    os.remove(sorted(files)[lost])
    off = run.begin_of(lost) - whole
    m = SAID.search(run.ask("triage", "-q"))
    if not m:
        return words, "nothing is said of the lost clock of rank %d" % lost
    said = float(m[3]) * NS[m[4]] * (1 if m[5] == "late" else -1) if m[3] else 0
    within = float(m[6]) * NS[m[7]]
    if int(m[1]) != lost or int(m[2]) == lost or abs(said - off) > within * 1.01:
        return words, "rank %d is off by %d ns: %s" % (lost, off, m[0])
    print("    off by %d us, said %d us, within %d us" % (off / 1e3, said / 1e3, within / 1e3))
    return words, None


def main():
    run, failed = Run(os.path.abspath(sys.argv[1]), sys.argv[2]), 0
    for i in range(int(sys.argv[3])):
        words, wrong = play(run, random.Random(i))
        if wrong:
            failed += 1
            print("FAIL demo --raw --gen=2 %s: %s" % (" ".join(words), wrong))
    print("rank_clock: %s runs, %d failed" % (sys.argv[3], failed))
    return 1 if failed else 0


sys.exit(main())
