#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs that were killed at random: what `npuscope triage` says of them is what happened.

usage: crash_rounds.py NPUSCOPE DIR ROUNDS [FIRST_SEED [SEED...]]

Each round makes a run of either generation with 1 to 16 ranks (`demo --raw --crashed --truth`), with a random
fault or none, ended at a random place of a random step; then files of some ranks are torn at random places.
Facts, in every round: each stream's last activity by the records on disk, read here; its op and that of
communication by the model of the run; steps; the files that are cut inside a record; the rank that hangs.
The cause (class and ranks) in at least 99 of 100 rounds; a wrong rank is never accused surely. A failure names
the seed and the command.
"""
import concurrent.futures
import csv
import glob
import io
import json
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys

KINDS = (
    "hang straggler killed host_oom device_oom aicore aicpu hbm_ecc link_down socket_init mismatch mismatch_arg "
    "data_stall disk_full py_exception segv sigterm clean"
).split()
LEAST = {"hang": 2, "straggler": 2, "link_down": 2, "socket_init": 2, "mismatch": 3, "mismatch_arg": 3}
RANKS = (1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12, 16)
# Bytes of a record (doc/formats/mindspore1.md, doc/formats/prof.md) of files that are torn.
RECORDS = (
    (r"hwts\.data\.", 64),
    (r"aicore\.data\.", 128),
    (r"ts_track\.data\.", 40),
    (r"DATA_PREPROCESS\.AICPU\.", 128),
    (r"stars_soc\.data\.", 64),
    (r"ffts_profile\.data\.", 128),
    (r"npu_mem\.data\.", 32),
    (r"additional\.(hccl_info|tensor_info|context_id_info)\.", 256),
    (r"api_event\.data\.", 40),
    (r"compact\.(node_basic_info|task_track|hccl_op_info)\.", 64),
)
TASKS = ("hwts.data", "stars_soc.data")
ROWS = (
    "select t.rank, 'Stream ' || t.stream as track, s.text as op, e.ts_ns + r.origin_ns as t0, e.ts_ns + e.dur_ns + "
    "r.origin_ns as t1 from event e join track t on t.id = e.track_id join rank r on r.rank = t.rank "
    "join string s on s.id = e.name_id where t.kind = 'stream'"
)

COMM = (
    "select c.rank, s.text as name, c.ts_ns + r.origin_ns as t0, c.ts_ns + c.dur_ns + r.origin_ns as t1, "
    "c.damage is not null as cut "
    "from comm_exec c join rank r on r.rank = c.rank join string s on s.id = c.name_id"
)


def record_b(path):
    name = os.path.basename(path)
    return next((n for pattern, n in RECORDS if re.search(pattern, name) and re.search(r"slice_\d+$", name)), 0)


class Round:
    def __init__(self, program, work, seed):
        self.program, self.seed = program, seed
        self.dir = os.path.join(work, "round%d" % seed)
        self.truth_path = os.path.join(work, "truth%d.json" % seed)
        self.env = dict(os.environ, XDG_CACHE_HOME=os.path.join(work, "cache%d" % seed), HOME=work)
        self.random = random.Random(seed)
        self.wrong, self.checked, self.torn = [], 0, set()
        self.cause, self.sure_and_wrong, self.torn_host = None, False, set()

    def check(self, good, *what):
        self.checked += 1
        if not good:
            self.wrong.append(" ".join(str(w) for w in what))
        return good

    def run(self, *words):
        p = subprocess.run([self.program, *words], capture_output=True, text=True, env=self.env)
        if p.returncode not in (0, 4):
            raise RuntimeError("%s: status %d: %s" % (words[0], p.returncode, p.stderr.strip()[:300]))
        return p.stdout

    # ---- the run

    def draw(self):
        r = self.random
        ranks = r.choice(RANKS)
        steps = r.randint(1, 3)
        gen = r.choice((1, 2, 2))
        fault = r.choice([None, None, None] + [k for k in KINDS if LEAST.get(k, 1) <= ranks])
        servers = r.choice([n for n in (1, 2, 4) if ranks % n == 0 and ranks // n <= 8])
        words = ["--raw", "--gen=%d" % gen, "--ranks=%d" % ranks, "--steps=%d" % steps, "--seed=%d" % self.seed,
                 "--servers=%d" % servers, "--model=transformer"]
        self.era = r.choice(("r27", "r26", "torch_npu")) if gen == 2 else r.choice(("r20", "r16"))
        words.append("--era=" + self.era)
        if fault not in ("clean", "socket_init"):
            words.append("--crashed=%d.%03d" % (r.randint(1, steps), r.randint(1, 999)))
        if fault:
            words += ["--fault=" + fault, "--cann=" + r.choice(("7", "8.5")), "--skew=%d" % r.choice((0, 0, 300)),
                      "--zone=%d" % r.choice((480, 0, -300))]
        self.gen, self.fault, self.words = gen, fault, words + ["--truth=" + self.truth_path]

    def command(self):
        return "npuscope demo %s DIR (seed %d)" % (" ".join(shlex.quote(w) for w in self.words[:-1]), self.seed)

    def files(self):
        """Raw files of each rank with records of a known width."""
        out = {}
        for rank, unit in self.units.items():
            out[rank] = sorted(p for p in glob.glob(os.path.join(unit, "**"), recursive=True)
                               if record_b(p) and os.path.getsize(p))
        return out

    def find_units(self):
        self.units = {}
        for path in glob.glob(os.path.join(self.dir, "**", "PROF_*"), recursive=True):
            if self.gen == 1:
                device = glob.glob(os.path.join(path, "device_*"))[0]
                rank = int(device.rsplit("_", 1)[1])
            else:
                with open(os.path.join(path, "host", "info.json"), encoding="utf-8") as f:
                    rank = int(json.load(f)["rank_id"])
            self.units[rank] = path

    def tear(self):
        """Of every second rank or so one file or two end at a random place, more often late."""
        for rank, paths in self.files().items():
            if not paths or self.random.random() < 0.5:
                continue
            for path in self.random.sample(paths, min(len(paths), self.random.randint(1, 2))):
                size = os.path.getsize(path)
                keep = int(size * (1 - self.random.random() ** 3))
                was = os.stat(path)
                os.truncate(path, keep)
                os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
                self.torn.add((rank, os.path.basename(path)))
                if "/host/" in path:
                    self.torn_host.add(rank)

    # ---- the records on disk

    def clock(self, unit, device):
        """Ticks of the task scheduler to ns as triage gives them (doc/formats/prof.md#clocks)."""
        if self.gen == 1:
            return lambda ticks: ticks * 10
        def pairs(path):
            with open(path, encoding="utf-8") as f:
                return dict(x.strip().split(":", 1) for x in f if ":" in x and "[" not in x)
        def load(path):
            with open(path, encoding="utf-8") as f:
                return json.load(f)
        host = pairs(os.path.join(unit, "host", "host_start.log"))
        dev = pairs(glob.glob(os.path.join(device, "dev_start.log*"))[0])
        info = load(os.path.join(unit, "host", "info.json"))
        mhz = float(load(glob.glob(os.path.join(device, "info.json*"))[0])["DeviceInfo"][0]["hwts_frequency"])
        cpu = float(info["CPU"][0].get("Frequency") or info["CPU"][0].get("frequency") or 1000)
        start = load(os.path.join(unit, "host", "start_info"))
        h = int(host["clock_monotonic_raw"]) + int(host.get("cntvct_diff", 0)) * 1000 / cpu
        away = int(start["collectionTimeBegin"]) * 1000 - int(start["clockMonotonicRaw"])
        zero = int(dev["cntvct"])
        return lambda ticks: round((ticks - zero) / mhz * 1000 + h) + away

    def streams(self, rank):
        """Last start or end of each stream: {stream: (state, ns)}."""
        unit = self.units[rank]
        device = glob.glob(os.path.join(unit, "device_*"))[0]
        to_ns, last = self.clock(unit, device), {}
        open_tasks = {}
        paths = [p for stem in TASKS for p in glob.glob(os.path.join(device, "data", stem + ".*slice_*"))
                 if re.search(r"slice_\d+$", p)]
        for path in sorted(paths, key=lambda p: int(p.rsplit("_", 1)[1])):
            with open(path, "rb") as f:
                data = f.read()
            for at in range(0, len(data) - 63, 64):
                if self.gen == 1:
                    kind, task = data[at] & 7, struct.unpack_from("<H", data, at + 6)[0]
                    stream = struct.unpack_from("<I", data, at + 16)[0]
                else:
                    kind, _, stream, task = struct.unpack_from("<HHHH", data, at)
                    kind &= 0x3f
                ns = to_ns(struct.unpack_from("<Q", data, at + 8)[0])
                if kind == 0:
                    open_tasks[stream] = (task, ns)
                elif kind == 1:
                    if stream in open_tasks and open_tasks[stream][0] == task:
                        del open_tasks[stream]
                    last[stream] = ns
        out = {s: ("done", ns) for s, ns in last.items()}
        out.update({s: ("running", ns) for s, (_, ns) in open_tasks.items()})
        return out

    def marks_go_on(self, rank):
        """Marks of steps, or counters, come after the last record of a task: what seems to run may have ended."""
        if self.gen == 1:
            return False
        def last(stem, width, is_it, offset=8):
            ticks = 0
            for path in glob.glob(os.path.join(self.units[rank], "device_*", "data", stem + "*slice_*[0-9]")):
                with open(path, "rb") as f:
                    data = f.read()
                for at in range(0, len(data) - width + 1, width):
                    if is_it(data, at):
                        ticks = max(ticks, struct.unpack_from("<Q", data, at + offset)[0])
            return ticks
        tasks = last("stars_soc.data", 64, lambda d, at: d[at] & 0x3f < 2)
        return last("ts_track.data", 40, lambda d, at: d[at + 1] == 10) > tasks or \
            last("ffts_profile.data", 128, lambda d, at: d[at] & 0x3f == 0o50, 120) > tasks

    def lost(self):
        """Files that end inside a record: {path below PROF_*: offset}."""
        return {os.path.relpath(p, os.path.dirname(self.units[rank])): os.path.getsize(p) // record_b(p) * record_b(p)
                for rank, paths in self.files().items() for p in paths if os.path.getsize(p) % record_b(p)}

    # ---- what is said

    def check_streams(self, said, truth, rows):
        names = {}
        for r in rows:
            names.setdefault((int(r["rank"]), r["track"]), {}).update(
                {("running", int(r["t0"])): r["op"], ("done", int(r["t1"])): r["op"]})
        for t in truth["ranks"]:
            rank = t["rank"]
            mine = [x for x in said["last_activity"] if x["rank"] == rank]
            got = {}
            for x in mine:
                if x["track"].startswith("Stream ") and not (x["state"] == "done" and x["track"] in got):
                    got[x["track"]] = x
            want = self.streams(rank)
            self.check({t for t in got} == {"Stream %d" % s for s in want}, "rank", rank, "streams", sorted(got),
                       sorted(want))
            torn = any(r == rank for r, _ in self.torn)
            go_on = self.marks_go_on(rank)
            for stream, (state, ns) in want.items():
                if state == "running" and go_on:
                    state = "unknown"
                x = got.get("Stream %d" % stream)
                if not x:
                    continue
                # A task of several parts has done its work before its own end is recorded.
                whole = torn and names.get((rank, x["track"]), {}).get(("done", x["ts_ns"]))
                ok = x["state"] == state and x["ts_ns"] == ns
                bare = re.fullmatch("[A-Z_]+", x["name"])  # its op is lost with the files of the host
                self.check(ok or (x["state"] == "done" and whole and (whole == x["name"] or bare)), "rank", rank, x,
                           "is not", state, ns)
                name = names.get((rank, x["track"]), {}).get((state, ns))
                if name and rank not in self.torn_host:
                    self.check(name[:1023] == x["name"] or (torn and re.fullmatch("[A-Z_]+", x["name"])), "rank", rank, x["track"],
                               x["ts_ns"], x["name"].rsplit("/", 1)[-1], "is", name.rsplit("/", 1)[-1])
            if not any(r == rank for r, _ in self.torn):
                self.check_names(rank, mine, t, said, truth)

    def check_comm(self, said, comm):
        """Of a torn rank: ops whose tasks go on behind its last record run, also between two of their tasks."""
        for rank in sorted({r for r, n in self.torn if "stars_soc" in n} - self.torn_host):
            cut = max((ns for ns in self.task_ns(rank)), default=0)
            want = {r["name"] for r in comm if int(r["rank"]) == rank and int(r["t0"]) <= cut < int(r["t1"])}
            got = {x["name"] for x in said["last_activity"]
                   if x["rank"] == rank and x["track"] == "Communication" and x["state"] != "done"}
            # Ops that the run itself left without an end may run, too, and one whose last record on one stream is
            # the last of all: its task on another stream has none.
            may = {r["name"] for r in comm
                   if int(r["rank"]) == rank and int(r["t0"]) <= cut and (int(r["cut"]) or int(r["t1"]) == cut)}
            self.check(want <= got <= want | may, "rank", rank, "communicates in", sorted(got), "not", sorted(want),
                       "at", cut)

    def task_ns(self, rank):
        """When its tasks began and ended."""
        device = glob.glob(os.path.join(self.units[rank], "device_*"))[0]
        to_ns = self.clock(self.units[rank], device)
        for path in glob.glob(os.path.join(device, "data", "stars_soc.*slice_*[0-9]")):
            with open(path, "rb") as f:
                data = f.read()
            for at in range(0, len(data) - 63, 64):
                if data[at] & 0x3f < 2:
                    yield to_ns(struct.unpack_from("<Q", data, at + 8)[0])

    def check_names(self, rank, mine, t, said, truth):
        """A rank that was not torn did last what the model says."""
        row = next(r for r in said["ranks"] if r["rank"] == rank)
        seen = [x for x in t["last"] if self.gen == 2 or not x["cpu"]]
        if not self.check(bool(mine) or not seen, "rank", rank, "last", seen, "not", mine) or not mine:
            return
        to_device = row["origin_ns"] - row["origin_unix_ns"] + truth["servers"][t["server"]]["skew_ns"]
        for x in t["last"]:
            if x["cpu"] and (self.gen == 1 or x["state"] == "running"):
                continue  # of generation 1 only in the records of the AI CPU, written when it ended
            same = [k for k in mine if k["track"] == x["track"] and k["state"] == x["state"]]
            # Of a stream that runs triage leaves out what was done before.
            if x["state"] == "done" and not same and any(
                    k["track"] == x["track"] and k["state"] == "running" for k in mine):
                continue
            ok = same and same[0]["name"].rsplit("/", 1)[-1] == x["op"]
            if ok and not (x["track"] == "Communication" and x["state"] == "done"):
                # A task of several parts begins a tick before the first of them.
                ok = -20 <= same[0]["ts_ns"] - x["ts_ns"] - to_device <= 0
            self.check(ok, "rank", rank, "did last", x, "not", same)

    def marks_of(self, rank):
        """Whether the steps of a rank are numbered by marks of the program."""
        for path in glob.glob(os.path.join(os.path.dirname(self.units[rank]), "FRAMEWORK", "*op_range")):
            with open(path, "rb") as f:
                if b"ProfilerStep#" in f.read():
                    return True
        return False

    def check_steps(self, said, truth):
        for t in truth["ranks"]:
            row = next(r for r in said["ranks"] if r["rank"] == t["rank"])
            joins = "|api_event|task_track" if self.era == "torch_npu" else ""  # a step is one that has kernels
            if any(r == t["rank"] and re.search("ts_track|hwts|stars_soc" + joins, n) for r, n in self.torn):
                continue
            first = 10 if self.gen == 2 and not self.marks_of(t["rank"]) else 0
            want = [n and n - first for n in (t["last_complete_step"], t["cut_step"])]
            got = [row["last_complete_step"], row["cut_step"]]
            if self.gen == 1 and any(x["op"].startswith("GetNext") and x["state"] == "running" for x in t["last"]):
                want[1] = None  # its begin is in no file (doc/reliability.md#torn-or-hung)
            self.check(got == want, "rank", t["rank"], "steps", got, "are", want)

    def check_lost(self, said):
        got = {x["file"]: x["offset"] for x in said["lost"] if record_b(x["file"])}
        want = self.lost()
        for path in sorted(set(got) | set(want)):
            if self.gen == 1:
                continue
            self.check(got.get(path) == want.get(path), path, "lost at", got.get(path), "not", want.get(path))

    def check_hung(self, said, truth):
        got = [b["rank"] for b in said["blocked"]]
        want = truth["hung_ranks"] if self.fault is None else []
        # Of a rank whose own records of communication end earlier nothing tells an op that hangs from one whose
        # end is lost, unless what it did later is recorded elsewhere (doc/reliability.md#torn-or-hung).
        tasks = {r for r, n in self.torn if re.search("hwts|stars_soc|ts_track|task_track|hccl|api_event", n)}
        of_comm = "ts_track" if self.gen == 1 else "stars_soc|task_track|hccl|api_event"
        unknown = {r for r, n in self.torn if re.search(of_comm, n) and not self.marks_go_on(r)}
        if not tasks:
            self.check(got == want, "hung ranks", got, "are", want)
        else:
            self.check(set(got) - unknown <= set(want), "hung ranks", got, "are", want)

    def check_behind(self, said, truth):
        """Ranks said to be behind are; not judged where a file that steps come from was torn."""
        if any(re.search("ts_track|hwts|stars_soc|api_event|FRAMEWORK", n) for _, n in self.torn):
            return
        done = [t["last_complete_step"] or 0 for t in truth["ranks"]]
        want = {t["rank"] for t in truth["ranks"] if (t["last_complete_step"] or 0) < max(done)}
        for v in said["verdict"]:
            if v["kind"] == "behind":
                names = {int(n) for n in re.findall(r"\d+", v["text"].split(" behind")[0])}
                self.check(names <= want, v["text"], "but behind are", sorted(want))

    def check_cause(self, said, truth):
        v = (said.get("logs") or said).get("verdict")
        if not self.check(v is not None, "no verdict of logs"):
            return
        none = truth["class"] == "none"
        same_class = v["text"] == truth.get("class_text") or v["class"] == truth["class"]
        right = v["ranks"] == truth["root_ranks"] if truth["accuse"] else not v["accuse"]
        if not truth["decidable"]:
            self.check(v["confidence"] == "low" or right, "two disagree, but", v["ranks"], v["confidence"])
            return
        self.cause = (none and v["class"] == "none") or (same_class and right)
        if not self.cause:
            self.said = "%s %s (%s), not %s %s" % (v["class"], v["ranks"], v["confidence"], truth["class"],
                                                    truth["root_ranks"])
        if not right and v["accuse"] and v["confidence"] == "high":
            self.check(False, "surely accuses", v["ranks"], "not", truth["root_ranks"])

    def go(self):
        self.draw()
        self.run("demo", "-q", *self.words, self.dir)
        with open(self.truth_path, encoding="utf-8") as f:
            truth = json.load(f)
        self.find_units()
        cut = [t for t in truth["ranks"] if "last" in t]
        rows, comm = [], []
        if cut and self.units:
            rows = csv.DictReader(io.StringIO(self.run("query", "-q", "--rank=all", "-F", "csv", self.dir, ROWS)))
            rows = list(rows)
            if self.gen == 2:
                comm = self.run("query", "-q", "--rank=all", "-F", "csv", self.dir, COMM)
                comm = list(csv.DictReader(io.StringIO(comm)))
            self.tear()
        said = json.loads(self.run("triage", "-q", "-F", "json", self.dir))
        if cut and self.units:
            self.check(said["state"] == "CRASHED", "state", said["state"])
            self.check_streams(said, truth, rows)
            self.check_comm(said, comm)
            self.check_steps(said, truth)
            self.check_lost(said)
            self.check_hung(said, truth)
            self.check_behind(said, truth)
        if self.fault:
            self.check_cause(said, truth)

    def play(self):
        try:
            self.go()
        except (RuntimeError, KeyError, ValueError, StopIteration, IndexError, TypeError) as e:
            self.wrong.append("%s: %s" % (type(e).__name__, e))
        if not os.environ.get("CRASH_KEEP"):
            for path in (self.dir, self.env["XDG_CACHE_HOME"]):
                shutil.rmtree(path, ignore_errors=True)
            if os.path.exists(self.truth_path):
                os.remove(self.truth_path)
        return self


def main():
    program, work, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    seeds = [*range(first, first + rounds), *map(int, sys.argv[5:])]
    checked = wrong = causes = missed = 0
    jobs = int(os.environ.get("CRASH_JOBS", "1"))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for r in pool.map(lambda seed: Round(program, work, seed).play(), seeds):
            checked += r.checked
            wrong += bool(r.wrong)
            causes += r.cause is not None
            missed += r.cause is False
            if r.wrong or r.cause is False:
                print("crash_rounds: %s" % r.command())
            if r.cause is False:
                print("    cause: %s" % r.said)
            if r.torn and r.wrong:
                print("    torn: %s" % sorted(r.torn))
            for w in r.wrong[:4]:
                print("    " + w[:400])
    print("crash_rounds: %d rounds, %d statements; in %d rounds one is not true; causes: %d of %d" %
          (len(seeds), checked, wrong, causes - missed, causes))
    return 1 if wrong or missed * 100 > causes or not causes else 0


sys.exit(main())
