#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flight.py FLIGHT_SAY BENCH: dumps of generated crashes against the generator's truth.

Each crash is read as torch writes it, as Python's pickle in protocols 2 to 5 and as JSON, whole, with the dump of
a waiting rank gone (the answer stays) and with that of the root gone (nobody may be accused).
"""
import glob
import json
import os
import pickle
import subprocess
import sys
import tempfile

say, bench = sys.argv[1:3]
KIND = {"hang": "missing", "straggler": "missing", "mismatch": "mismatch"}
RANKS = (2, 3, 8, 16)
failed = checked = 0


def told(paths):
    out = subprocess.run([say] + paths, stdout=subprocess.PIPE, check=False).stdout.decode()
    lines = [line.split("|") for line in out.splitlines()]
    groups = [line for line in lines if line[0] == "group"]
    roots = [[int(r) for r in line[1].split(",") if r] for line in lines if line[0] == "roots"]
    stack = {int(line[1]): line[3] for line in lines if line[0] == "stack"}
    other = [line for line in lines if line[0] not in ("group", "roots", "stack")]
    return groups, roots[0], stack, other


def expect(name, got, want):
    global failed, checked
    checked += 1
    if got != want:
        failed += 1
        print("%s: %s, expected %s" % (name, got, want))


def forms(dump):
    """Bytes of the dump in all forms but torch's own."""
    for protocol in (2, 3, 4, 5):
        yield "pickle %d" % protocol, pickle.dumps(dump, protocol)
    plain = dict(dump, entries=[{k: v for k, v in e.items() if k != "frames"} for e in dump["entries"]])
    for group in plain["pg_status"].values():
        for key in group:
            group[key] = str(group[key])
    for entry in plain["entries"]:
        entry["time_discovered_completed_ns"] = entry["time_discovered_completed_ns"] or 0
    yield "json", json.dumps(plain).encode()


def one(folder, fault, ranks, seed):
    name = "%s, %d ranks, seed %d" % (fault, ranks, seed)
    out = os.path.join(folder, "case")
    servers = 2 if ranks % 2 == 0 else 1
    subprocess.run([sys.executable, os.path.join(bench, "gen_logs.py"), out, "--fault", fault, "--ranks", str(ranks),
                    "--servers", str(servers), "--seed", str(seed)], stdout=subprocess.DEVNULL, check=True)
    with open(os.path.join(out, "truth.json")) as f:
        root = json.load(f)["root_ranks"]
    dumps = sorted(p for p in glob.glob(out + "/worker-*/tmp/hccl_trace_rank_*") if not p.endswith("_py_traceback"))
    if fault == "killed":  # its ranks die before they would dump
        expect(name + ": dumps", len(dumps), 0)
        return
    expect(name + ": dumps", len(dumps), ranks)
    groups, roots, stack, other = told(dumps)
    tie = fault == "mismatch" and ranks == 2  # two ranks: nobody is the one that is wrong
    expect(name + ": kind", [g[2] for g in groups], [KIND[fault]])
    expect(name + ": roots", roots, [] if tie else root)
    expect(name + ": notes and errors", other, [])
    expect(name + ": stacks", sorted(stack), list(range(ranks)))
    expect(name + ": where the root is", stack.get(root[0]), "batch = next(loader)")
    gone = [p for p in dumps if int(p.rsplit("_", 1)[1]) != root[0]]
    if ranks > 3:
        expect(name + ": without a waiting rank", told(gone[1:] + [p for p in dumps if p not in gone])[1], root)
    expect(name + ": without the root", told(gone)[1], [])
    if seed > 3:
        return
    whole = {p: pickle.load(open(p, "rb")) for p in dumps}
    for form in range(5):
        for p in dumps:
            word, data = list(forms(whole[p]))[form]
            with open(p, "wb") as f:
                f.write(data)
        expect("%s as %s" % (name, word), told(dumps), (groups, roots, stack, other))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for fault in ("hang", "straggler", "mismatch", "killed"):
            for ranks in RANKS if fault != "killed" else (8,):
                for seed in range(1, 21 if ranks == 8 else 6):
                    one(folder, fault, ranks, seed)
    print("flight: %d of %d as expected" % (checked - failed, checked))
    sys.exit(failed != 0)


main()
