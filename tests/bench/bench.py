#!/usr/bin/env python3
"""First speed figures: npuscope beside its peers on the same files in one run.

usage: bench.py NPUSCOPE SHARED_BENCH WORKDIR [--quick]

Each item alternates both sides (median of 3 after one warm-up; quick: 1) and prints the ratio; the table goes to WORKDIR/results.json too.
Seconds are for orientation, ratios are the result. Inputs come from SHARED_BENCH/gen.c and stay in WORKDIR.
"""
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time


def usage(status):
    print(__doc__.strip())
    sys.exit(status)


def run(argv, env=None):
    """Wall seconds, user + system seconds, peak MiB, exit status."""
    start = time.monotonic()
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen(argv, stdin=null, stdout=null, stderr=null, env=env)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
    return time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, status


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def pair(name, ours, peers, rounds, prepare=None):
    """Alternate our command and each peer; print one line a peer."""
    sides = [("npuscope", ours)] + [p for p in peers if shutil.which(p[1][0])]
    seen = {s[0]: [] for s in sides}
    for i in range(rounds + 1):
        for label, argv in sides:
            if prepare:
                prepare(label)
            result = run(argv)
            if result[3]:
                print(f"{name}: {label} ended with status {result[3]}: {' '.join(argv)}")
                return []
            if i:
                seen[label].append(result)
    rows = []
    wall = {k: median([r[0] for r in v]) for k, v in seen.items()}
    cpu = {k: median([r[1] for r in v]) for k, v in seen.items()}
    rss = {k: max(r[2] for r in v) for k, v in seen.items()}
    for label, _ in sides[1:]:
        rows.append({"item": name, "peer": label, "ours_s": round(wall["npuscope"], 4), "peer_s": round(wall[label], 4),
                     "times_faster": round(wall[label] / wall["npuscope"], 2),
                     "times_less_cpu": round(cpu[label] / max(cpu["npuscope"], 1e-6), 2), "ours_peak_mib": round(rss["npuscope"], 1)})
        r = rows[-1]
        print(f"{name:<34} {label:<22} {r['ours_s']:>8.3f} s {r['peer_s']:>8.3f} s  {r['times_faster']:>6.2f} times faster"
              f"  {r['times_less_cpu']:>6.2f} times less CPU  peak {r['ours_peak_mib']:.0f} MiB", flush=True)
    return rows


def first_screen(argv, env, wanted=b"Triage", limit=30):
    """Seconds from start to the first frame that shows the pane bar, in a terminal of its own."""
    start = time.monotonic()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(env)
        os.execv(argv[0], argv)
    seen, took = b"", None
    while time.monotonic() - start < limit:
        if not select.select([fd], [], [], 0.5)[0]:
            continue
        try:
            seen += os.read(fd, 65536)
        except OSError:
            break
        if wanted in seen:
            took = time.monotonic() - start
            break
    try:
        os.write(fd, b"Q")
        time.sleep(0.3)
        os.kill(pid, signal.SIGTERM)
    except OSError:
        pass
    os.waitpid(pid, 0)
    os.close(fd)
    return took


def screens(npuscope, unit, work, rounds):
    """Cold and warm start of the screen, against `sqlite3 FILE 'select 1'`."""
    rows = []
    env = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_CACHE_HOME": os.path.join(work, "cache"), "HOME": work}
    for label, keep, wanted in (("state of the run, cold cache", False, b"State"), ("whole first screen, cold cache", False, b"Where a step goes"),
                                ("whole first screen, warm cache", True, b"Where a step goes")):
        took = []
        for _ in range(rounds + 1):
            if not keep:
                shutil.rmtree(env["XDG_CACHE_HOME"], ignore_errors=True)
            took.append(first_screen([npuscope, unit], env, wanted))
            if keep is False:
                time.sleep(0.2)
        if None in took:
            print(f"{label}: no screen came")
            continue
        rows.append({"item": label, "ours_s": round(median(took[1:]), 4)})
        print(f"{label:<34} {os.path.basename(unit):<22} {rows[-1]['ours_s']:>8.3f} s", flush=True)
        if not keep:  # fill the cache for the warm start
            subprocess.run([npuscope, "import", unit], env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return rows


def make_inputs(shared, work, events, rows):
    os.makedirs(work, exist_ok=True)
    gen = os.path.join(work, "gen")
    subprocess.run(["cc", "-O2", "-o", gen, os.path.join(shared, "gen.c")], check=True)
    trace = os.path.join(work, "trace", "trace_view.json")
    table = os.path.join(work, "table", "op_summary_20250109155200.csv")
    for path, argv in ((trace, ["trace", trace, str(events)]), (table, ["csv", "op_summary", table, str(rows)])):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.exists(path):
            subprocess.run([gen] + argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(path, "rb") as f:  # into the page cache
            while f.read(1 << 20):
                pass
    case = os.path.join(work, "case")
    if not os.path.isdir(case):
        subprocess.run(["sh", os.path.join(shared, "make_case.sh"), "S", case], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "GEN": gen})
    unit = os.path.join(case, sorted(d for d in os.listdir(case) if d.endswith("_ascend_ms"))[0])
    return trace, table, unit


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    quick = "--quick" in sys.argv
    if len(args) != 3:
        usage(2)
    npuscope, shared, work = (os.path.abspath(a) for a in args)
    if not os.path.exists(os.path.join(shared, "gen.c")):
        print("skipped: the generators of big inputs are not here")
        sys.exit(77)
    os.makedirs(work, exist_ok=True)
    events, rows, rounds = (100000, 100000, 1) if quick else (1000000, 1000000, 3)
    trace, table, unit = make_inputs(shared, os.path.join(work, str(events)), events, rows)
    store, other = os.path.join(work, "ours.npus"), os.path.join(work, "peer.db")
    peers = os.path.join(shared, "peers")

    def clean(_):
        for path in (store, other):
            if os.path.exists(path):
                os.remove(path)

    out = []
    out += pair(f"import trace, {events} events", [npuscope, "import", f"--db={store}", trace],
                [("Python json + sqlite3", ["python3", os.path.join(peers, "py_trace.py"), trace, other]), ("jq length", ["jq", "length", trace])], rounds, clean)
    out += pair(f"import op_summary, {rows} rows", [npuscope, "import", f"--db={store}", table],
                [("sqlite3 .import", ["sqlite3", other, ".mode csv", f".import {table} t"]),
                 ("Python csv + sqlite3", ["python3", os.path.join(peers, "py_csv.py"), table, other])], rounds, clean)
    out += screens(npuscope, unit, os.path.join(work, "home"), rounds)
    with open(os.path.join(work, "results.json"), "w", encoding="utf-8") as f:
        json.dump(out, f, indent=1)
    peak = max((r.get("ours_peak_mib", 0) for r in out), default=0)
    print(f"peak memory of an import: {peak:.0f} MiB (limit 300)")
    clean(None)
    sys.exit(0 if out and peak <= 300 else 1)


if __name__ == "__main__":
    main()
