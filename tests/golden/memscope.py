#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dumps of msMemScope: what is alive at the peak, beside a pool that is played.

memscope.py NPUSCOPE

The same events as CSV, as CSV in two files that follow each other, and as a database. Rows of memory come in
the order of their blocks, as the tool writes them.
"""
import csv
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

HEADER = ["ID", "Event", "Event Type", "Name", "Timestamp(ns)", "Process Id", "Thread Id", "Device Id", "Ptr",
          "Attr", "Call Stack(Python)", "Call Stack(C)"]
OWNERS = ["PTA@ops@aten", "PTA@weight", "PTA@gradient", "PTA@optimizer"]


def play(rng, n):
    """Events as rows, and each allocation as (size, owner, alive at the peak, alive at the end)."""
    ts, used, most, peak = 1764753083000000000, 0, -1, 0
    live, done, rows, number = {}, [], {}, 0
    for i in range(n):
        ts += rng.randrange(1, 1000)
        number += 1
        free = live and rng.random() < (0.3 if i < n // 2 else 0.6)
        key = rng.choice(list(live)) if free else i
        size, owner, born = live.pop(key) if free else (rng.randrange(1, 100) * 512, rng.choice(OWNERS), ts)
        used += -size if free else size
        attr = "{allocation_id:%d,addr:0x%016x,size:%d,total:%d,used:%d%s}" % (
            key, (1 << 40) + key * 4096, size, 1 << 30, used, "" if free else ",owner:" + owner)
        ptr, event = "0x%016x" % ((1 << 40) + key * 4096), "FREE" if free else "MALLOC"
        rows.setdefault(key, []).append([number, event, "PTA", "N/A", ts, 41, 42, "0", ptr, attr,
                                         "f.py(%d): main" % key, ""])
        if free:
            done.append((size, owner, born, ts))
        else:
            live[key] = (size, owner, ts)
        if not free and used > most:
            most, peak = used, ts
    done += [(size, owner, born, None) for size, owner, born in live.values()]
    allocs = [(s, o, b <= peak and (f is None or f > peak), f is None) for s, o, b, f in done]
    return [r for key in sorted(rows) for r in rows[key]], allocs, most


def query(tool, folder, args):
    r = subprocess.run([tool] + args + [folder, "--format=ndjson", "--no-cache"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    if r.returncode not in (0, 1):
        sys.exit("npuscope failed (%d): %s" % (r.returncode, r.stderr.decode()))
    return [json.loads(line) for line in r.stdout.splitlines()]


def same(what, got, want):
    if got != want:
        sys.exit("%s: %r, not %r" % (what, got, want))


def check(tool, how, folder, allocs, most, n_rows):
    files = query(tool, folder, ["query", "SELECT sum(rows) AS n, sum(lost) AS lost FROM source WHERE "
                                 "kind LIKE 'memscope%'"])
    same(how + ", rows", files, [{"n": n_rows, "lost": 0}])
    got = query(tool, folder, ["query", "SELECT size_b, (SELECT text FROM string s WHERE s.id = name_id) "
                               "AS o, at_peak, release_ns IS NULL AS alive FROM mem_alloc"])
    want = sorted((s, o, int(p), int(a)) for s, o, p, a in allocs)
    same(how + ", allocations", sorted(tuple(r.values()) for r in got), want)
    same(how + ", peak", sum(r["size_b"] for r in got if r["at_peak"]), most)
    top = query(tool, folder, ["query", "SELECT max(allocated_b) AS b, count(*) AS n FROM mem_sample"])
    same(how + ", samples", top, [{"b": most, "n": n_rows}])
    holders = {}
    for s, o, p, _ in allocs:
        holders[o] = holders.get(o, 0) + (s if p else 0)
    got = {}
    for h in query(tool, folder, ["memory", "--by=holder"]):  # of each file for itself
        got[h["name"]] = got.get(h["name"], 0) + h["peak_b"]
    same(how + ", holders", got, holders)


def main(tool):
    rows, allocs, most = play(random.Random(7), 4000)
    for how in ("csv", "two files", "database"):
        with tempfile.TemporaryDirectory() as top:
            folder = os.path.join(top, "msmemscope_41_20251203_ascend", "device_0", "dump")
            os.makedirs(folder)
            parts = [rows] if how != "two files" else [rows[:1500], rows[1500:]]
            for i, part in enumerate(parts):
                path = os.path.join(folder, "memscope_dump_2025120309112%d" % i)
                if how == "database":
                    db = sqlite3.connect(path + ".db")
                    db.execute("CREATE TABLE memscope_dump (%s)" % ", ".join('"%s"' % h for h in HEADER))
                    db.executemany("INSERT INTO memscope_dump VALUES (%s)" % ", ".join("?" * 12), part)
                    db.commit()
                    db.close()
                    continue
                with open(path + ".csv", "w", newline="") as f:
                    w = csv.writer(f, lineterminator="\n")
                    w.writerow(HEADER)
                    w.writerows(part)
            check(tool, how, top, allocs, most, len(rows))
    print("memscope: %d events, %d allocations, as CSV, in two files, as database: all as played" %
          (len(rows), len(allocs)))


if __name__ == "__main__":
    main(sys.argv[1])
