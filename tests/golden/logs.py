#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""logs.py NPUSCOPE SAMPLES SEEDS: the verdict of `npuscope logs` against real cases and generated faults.

Real cases: class, root ranks and first error as expected.json says. Where it knows no first error, that of
first_visible may be shown; lines that are put together from many machines accuse nobody surely.

Generated faults: class and root ranks are the truth, or the case is one of UNDECIDABLE and the verdict is of low
confidence. With the logs of a rank gone: never sure of a wrong rank. A failure names the arguments of the
generator.
"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

program, samples, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3])
KINDS = ("clean hang straggler killed host_oom device_oom aicore aicpu hbm_ecc link_down socket_init mismatch "
         "mismatch_arg data_stall disk_full py_exception segv sigterm").split()
FORMS = (("torch", "8.5"), ("mindspore", "7.0"), ("torch", "7.0"), ("mindspore", "8.5"))
RANKS = (2, 3, 4, 8, 16)
# Folders of lines of many machines: nothing in them is a job.
SINGLE = ("single_lines", "tracebacks")
failed = checked = 0


def fail(name, what):
    global failed
    failed += 1
    print("%s: %s" % (name, what))


def verdict(folder):
    out = subprocess.run([program, "logs", folder, "--format=json"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    if out.returncode:
        return None, out.stderr.decode()[:300]
    if re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", out.stdout):
        return None, "control bytes in the output"
    return json.loads(out.stdout.decode())["verdict"], ""


def place(v):
    return v and (v.get("path") or v.get("file"), v["line"])


def real(folder):
    global checked
    name = os.path.basename(folder)
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as f:
        truth = json.load(f)
    want = truth["ours"]
    got, why = verdict(folder)
    checked += 1
    if got is None:
        fail(name, why)
    elif name in SINGLE:
        if got["ranks"] and got["confidence"] == "high":
            fail(name, "accuses rank %s surely" % got["ranks"])
    else:
        first, shown = truth.get("first_error"), place(got["first_error"])
        allowed = {place(first)}
        if first is None and not want["root_ranks"]:
            allowed.add(place(truth.get("first_visible")))
        if (got["text"], got["ranks"]) != (want["class"], want["root_ranks"]):
            fail(name, "%s, ranks %s; expected %s, %s" % (got["text"], got["ranks"], want["class"],
                                                           want["root_ranks"]))
        if shown not in allowed:
            fail(name, "first error %s, expected %s" % (shown, allowed))
        if got["confidence"] == "high" and want["confidence"] in ("low", "medium"):
            fail(name, "is surer than it can be")
        if got["accuse"] and want.get("accuse") is False:
            fail(name, "accuses somebody")


def same_pids(truth):
    """Two ranks of one server that the generator gave the same process id: their logs cannot be told apart."""
    each = list(zip(truth["server_of_rank"], truth["pids"]))
    return len(set(each)) < len(each)


def undecidable(kind, ranks, truth):
    """Why logs alone cannot tell the root, or None."""
    if kind in ("mismatch", "mismatch_arg") and ranks == 2:
        return "two ranks that disagree: either may be the wrong one"
    if same_pids(truth):
        return "two processes of a server with one pid"
    return None


others = {}  # without the logs of another rank: cases, ranks right, right ones among those named


def drop_rank(folder, rank, pid):
    for root, _, files in os.walk(folder):
        for f in files:
            if "-%d_" % pid in f or f in ("rank-%d.txt" % rank, "worker_%d.log" % rank) or \
                    f.startswith("hccl_trace_rank_%d" % rank):
                os.remove(os.path.join(root, f))


def make(folder, kind, ranks, servers, seed, form):
    subprocess.run([sys.executable, os.path.join(samples, "bench", "gen_logs.py"), folder, "--fault", kind, "--ranks",
                    str(ranks), "--servers", str(servers), "--seed", str(seed), "--framework", form[0], "--cann",
                    form[1]], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "truth.json"), encoding="utf-8") as f:
        truth = json.load(f)
    os.remove(os.path.join(folder, "truth.json"))
    return truth


def generated(kind, ranks, servers, seed, form, right):
    global checked
    name = "--fault %s --ranks %d --servers %d --seed %d --framework %s --cann %s" % (
        (kind, ranks, servers, seed) + form)
    with tempfile.TemporaryDirectory() as folder:
        truth = make(folder, kind, ranks, servers, seed, form)
        for gone in (None, random.Random(name).randrange(ranks)):
            if gone is not None:
                drop_rank(folder, gone, truth["pids"][gone])
            got, why = verdict(folder)
            checked += 1
            if got is None:
                fail(name, why)
                continue
            ranks_right = got["ranks"] == truth["root_ranks"] or \
                (not truth.get("accuse", True) and not got["accuse"])
            sure_and_wrong = got["accuse"] and got["confidence"] == "high" and not ranks_right
            if sure_and_wrong:
                fail(name, "%s surely accuses %s, the truth is %s" %
                     ("without rank %d" % gone if gone is not None else "", got["ranks"], truth["root_ranks"]))
            if gone is not None:
                if undecidable(kind, ranks, truth) is None and gone not in truth["root_ranks"]:
                    others[kind] = [a + b for a, b in zip(others.get(kind, (0, 0, 0)),
                                                          (1, ranks_right, set(truth["root_ranks"]) <= set(got["ranks"])))]
                continue
            ok = ranks_right and got["text"] == truth["class"] or \
                (truth["class"] == "none" and got["class"] == "none")
            reason = undecidable(kind, ranks, truth)
            right[reason is None] = right.get(reason is None, 0) + 1
            if not ok and reason is None:
                fail(name, "%s, ranks %s; the truth is %s, %s" %
                     (got["text"], got["ranks"], truth["class"], truth["root_ranks"]))
            if not ok and reason and got["confidence"] != "low":
                fail(name, "is surer than it can be: %s" % reason)


def main():
    for folder in sorted(glob.glob(os.path.join(samples, "data", "logs", "*"))):
        if os.path.isfile(os.path.join(folder, "expected.json")):
            real(folder)
    kinds = {}
    for kind in KINDS:
        for seed in range(1, seeds + 1):
            for form in FORMS:
                pick = random.Random("%s %d %s" % (kind, seed, form))
                ranks = pick.choice(RANKS)
                generated(kind, ranks, 1 if ranks % 2 else pick.choice((1, 2)), seed, form, kinds)
    total = [sum(v[i] for v in others.values()) for i in range(3)]
    for kind, n in others.items():
        if n[1] < n[0]:
            print("logs: %s without the logs of a rank that is not to blame: of %d the right ranks %d, among others %d" %
                  (kind, n[0], n[1], n[2]))
    print("logs: without the logs of a rank that is not to blame: of %d the right ranks %d, among others %d" %
          tuple(total))
    print("logs: %d verdicts, %d failed; %d generated cases can be decided, %d cannot" %
          (checked, failed, kinds.get(True, 0), kinds.get(False, 0)))
    return 1 if failed or not checked else 0


sys.exit(main())
