#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every kind of fault with profiles beside the logs: the verdict of `npuscope triage` is the truth.

usage: fault_truth.py NPUSCOPE DIR SEEDS

For each kind, dialect, form of CANN's lines and seed a job of 2 to 16 ranks, whole and without the logs and dumps of
one rank. Whole: class and ranks in 99 of 100 cases that can be decided. Without those of a rank that is not to blame in 95
of 100, where another one is left; with those of the rank to blame its class is gone, too. In all no wrong rank is accused surely. SEEDS: how many,
or FIRST-LAST. A failure names the options of `npuscope demo`.
"""
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys

KINDS = (
    "clean hang straggler killed host_oom device_oom aicore aicpu hbm_ecc link_down socket_init mismatch mismatch_arg "
    "data_stall disk_full py_exception segv sigterm"
).split()
RANKS = (2, 3, 4, 6, 8, 12, 16)
FORMS = (("r27", "8.5"), ("torch_npu", "7"), ("r26", "7"), ("torch_npu", "8.5"), ("r20", "7"))


class Case:
    def __init__(self, program, work, kind, seed, form):
        self.program, self.kind = program, kind
        self.random = random.Random("%s %d %s" % (kind, seed, form))
        self.name = "%s_%d_%s_%s" % (kind, seed, form[0], form[1])
        self.dir = os.path.join(work, self.name)
        self.truth_path = self.dir + ".json"
        self.env = dict(os.environ, XDG_CACHE_HOME=self.dir + ".cache", HOME=work)
        ranks = self.random.choice([r for r in RANKS if r > 2 or not kind.startswith("mismatch")])
        self.ranks = ranks
        servers = self.random.choice([n for n in (1, 2) if ranks % n == 0 and ranks // n <= 8] or [2])
        self.words = ["--raw", "--gen=%d" % (1 if form[0] == "r20" else 2), "--era=" + form[0], "--cann=" + form[1],
                      "--fault=" + kind, "--ranks=%d" % ranks, "--servers=%d" % servers, "--seed=%d" % seed,
                      "--steps=2", "--model=transformer", "--skew=%d" % self.random.choice((0, 500))]
        if kind not in ("clean", "socket_init"):
            self.words.append("--crashed=%d.%03d" % (self.random.randint(1, 2), self.random.randint(1, 999)))
        self.said, self.whole, self.gone = [], None, None

    def run(self, *words):
        p = subprocess.run([self.program, *words], capture_output=True, text=True, env=self.env)
        if p.returncode not in (0, 4):
            raise RuntimeError("%s: status %d: %s" % (words[0], p.returncode, p.stderr.strip()[:300]))
        return p.stdout

    def drop(self, rank):
        t = self.truth["ranks"][rank]
        several = len(self.truth["servers"]) > 1
        for root, dirs, files in os.walk(self.dir):
            if several and os.path.relpath(root, self.dir).split(os.sep)[0] not in (".", "worker-%d" % t["server"]):
                continue
            if "PROF_" in root or root.endswith("FRAMEWORK"):
                continue
            for name in files:
                if "-%d_" % t["pid"] in name or name in ("rank-%d.txt" % rank, "worker_%d.log" % rank,
                                                         "hccl_trace_rank_%d" % rank,
                                                         "hccl_trace_rank_%d_py_traceback" % rank) or \
                        name.startswith("torch_hccl_status-%d_" % rank):
                    os.remove(os.path.join(root, name))

    def judge(self, what):
        """(right, sure of a wrong rank)"""
        t, said = self.truth, json.loads(self.run("triage", "-q", "-F", "json", self.dir))
        v = (said.get("logs") or said).get("verdict")
        if v is None:
            self.said.append(what + "no verdict of logs")
            return False, False
        ranks = v["ranks"] == t["root_ranks"] if t["accuse"] else not v["accuse"]
        right = ranks and v["class"] == t["class"]
        sure = v["accuse"] and v["confidence"] == "high" and not ranks
        if sure or not right:
            self.said.append("%s%s %s (%s), not %s %s" % (what, v["class"], v["ranks"], v["confidence"], t["class"],
                                                         t["root_ranks"]))
        return right, sure

    def play(self):
        try:
            self.run("demo", "-q", *self.words, "--truth=" + self.truth_path, self.dir)
            with open(self.truth_path, encoding="utf-8") as f:
                self.truth = json.load(f)
            self.whole = self.judge("")
            gone = self.random.randrange(self.ranks)
            self.drop(gone)
            self.gone = self.judge("without rank %d: " % gone)
            self.decidable = self.truth["decidable"]
            # Nothing tells of a wait where no other rank is left that could say that it waited.
            self.gone_is_root = not set(range(self.ranks)) - {gone} - set(self.truth["root_ranks"]) or \
                gone in self.truth["root_ranks"]
        except (RuntimeError, KeyError, ValueError) as e:
            self.said.append("%s: %s" % (type(e).__name__, e))
            self.whole, self.gone, self.decidable, self.gone_is_root = (False, True), (False, False), True, False
        for path in (self.dir, self.dir + ".cache"):
            shutil.rmtree(path, ignore_errors=True)
        return self


def main():
    program, work, seeds = sys.argv[1], sys.argv[2], sys.argv[3]
    first, last = (int(x) for x in (seeds if "-" in seeds else "1-" + seeds).split("-"))
    cases = [(k, s, f) for k in KINDS for s in range(first, last + 1) for f in FORMS]
    if os.environ.get("NPUSCOPE_TEST_SHORT"):  # in CI's slow builds
        cases = cases[::6 if os.environ.get("NPUSCOPE_TEST_SLOW") else 3]
    count = {k: [0] * 6 for k in KINDS}  # decidable, right; without another rank, right; without its own, right
    sure = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("FAULT_JOBS", "1"))) as pool:
        for c in pool.map(lambda a: Case(program, work, *a).play(), cases):
            n = count[c.kind]
            if c.decidable:
                at = 4 if c.gone_is_root else 2
                n[0] += 1
                n[1] += c.whole[0]
                n[at] += 1
                n[at + 1] += c.gone[0]
            sure += c.whole[1] + c.gone[1]
            if (c.decidable and not (c.whole[0] and (c.gone[0] or c.gone_is_root))) or c.whole[1] or c.gone[1]:
                print("fault_truth: npuscope demo %s DIR" % " ".join(c.words))
                for s in c.said:
                    print("    " + s)
    for kind, n in count.items():
        print("fault_truth: %-13s %d of %d; without another rank's logs %d of %d, without its own %d of %d" %
              (kind, n[1], n[0], n[3], n[2], n[5], n[4]))
    total = [sum(n[i] for n in count.values()) for i in range(6)]
    print("fault_truth: %d of %d right with all logs; without another rank's %d of %d, without its own %d of %d; %d wrong "
          "ranks accused surely" % (total[1], total[0], total[3], total[2], total[5], total[4], sure))
    return 1 if total[1] * 100 < total[0] * 99 or total[3] * 100 < total[2] * 95 or sure or not total[0] else 0


sys.exit(main())
