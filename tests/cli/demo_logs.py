#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs of a run with a fault against the profiles beside them and against the truth that the demo tells.

demo_logs.py DIR TRUTH: pids are those of the profiles, each file's times grow, a rank says nothing after its end,
tasks of the lines are tasks that the profile's device began and did not end, waits run out when their time is over,
and the first error is where the truth says. Python's standard library alone.
"""
import calendar
import glob
import io
import json
import os
import pickle
import re
import struct
import sys
import time

STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)-(\d\d):(\d\d):(\d\d)\.(\d{3})\.(\d{3})")
CANN = re.compile(r"\[(ERROR|INFO|EVENT|WARNING)\] [A-Z_]+\((-?\d+),([^)]*)\):")
# What each kind's own lines have to hold somewhere, beside what all have; by dialect where they differ.
WORDS = {
    "clean": ["Entry-HcclCommDestroy"],
    "hang": ["status[STUCK]", "runtime result = "],
    "straggler": ["fftsplus task timeout"],
    "killed": [("torch", "exitcode: -9"), ("mindspore", "exit with exception")],
    "host_oom": ["invoked oom-killer", "Out of memory: Killed process {pid} "],
    "device_oom": ["halMemAlloc failed", ("torch", "NPU out of memory"), ("mindspore", "Out of Memory!!!")],
    "aicore": ["fault kernel_name={kernel}", "[AIC_INFO] node_name:{op_name},", "EZ9999"],
    "aicpu": ["Aicpu engine process failed, result[11002], opName[{op}]", "507018"],
    "hbm_ecc": ["Event id=0x80e01801", "HBM MULTI BIT ECC", "multi ecc err", "[0xA8028802]"],
    "link_down": ["Event id=0x81078603", "status[12]", "status[ERROR CQE]", "remoteIP{server[", "    LINK DOWN"],
    "socket_init": ["topo exchange server get socket timeout", "connected rankinfo[LINE 0]: [0000000000000000]",
                    "EI0015"],
    "mismatch": ["fftsplus task timeout"],
    "mismatch_arg": ["[RankConsistentImpl][CompareFrame]", "EI0005"],
    "data_stall": [("torch", "DataLoader timed out"), ("mindspore", "more than 25 seconds to fetch a batch")],
    "disk_full": ["[Errno 28]", "No space left on device"],
    "py_exception": ["ValueError: shapes"],
    "segv": ["Fatal Python error: Segmentation fault", "segfault at", "crash reason:11"],
    "sigterm": ["DUE TO PREEMPTION", ("torch", "Received 15 death signal"), ("mindspore", "SIGTERM signal is received")],
}
count = 0


def check(ok, *what):
    global count
    count += 1
    if not ok:
        sys.exit("demo_logs: " + " ".join(str(w) for w in what))


def ns_of(line, zone_min):
    m = STAMP.search(line)
    if not m:
        return None
    v = [int(x) for x in m.groups()]
    return (calendar.timegm(tuple(v[:6]) + (0, 0, 0)) - zone_min * 60) * 10**9 + v[6] * 10**6 + v[7] * 1000


class Job:
    def __init__(self, top, truth):
        self.top, self.t = top, truth
        self.zone = truth["zone_minutes"]
        self.several = len(truth["servers"]) > 1
        self.files = {}
        for base, _, names in os.walk(top):
            if "_ascend_" in base or "profiler" in base:
                continue
            for n in names:
                path = os.path.relpath(os.path.join(base, n), top)
                with open(os.path.join(top, path), "rb") as f:
                    self.files[path] = f.read()

    def server_of(self, path):
        return int(re.match(r"worker-(\d+)/", path).group(1)) if self.several else 0

    def rank_at(self, server, pid):
        return [r for r in self.t["ranks"] if r["server"] == server and r["pid"] == pid]

    def true_ns(self, path, line):
        ns = ns_of(line, self.zone)
        return None if ns is None else ns - self.t["servers"][self.server_of(path)]["skew_ns"]


def check_names(job):
    for path in job.files:
        m = re.search(r"/(?:plog|device)-(\d+)_(\d{17})\.log$", path)
        if m:
            check(len(job.rank_at(job.server_of(path), int(m.group(1)))) == 1, path, "is of no rank")
    for r in job.t["ranks"]:
        where = "worker-%d/" % r["server"] if job.several else ""
        name = "rank-%d.txt" if job.t["framework"] == "torch" else "msrun_log/worker_%d.log"
        check(where + name % r["rank"] in job.files, "rank", r["rank"], "has no console")
        run = [p for p in job.files if p.startswith(where + "log/run/plog/plog-%d_" % r["pid"])]
        check(len(run) == 1, "rank", r["rank"], "has", len(run), "run logs")


def check_lines(job):
    for path, data in job.files.items():
        if "hccl" in path:
            continue
        text = data.decode("utf-8")
        check(not re.search(r"\{[a-z_.]+\}", text), path, "holds a name in braces")
        last = 0
        for number, line in enumerate(text.split("\n"), 1):
            m = CANN.match(line)
            if not m:
                continue
            check(len(line.encode()) <= 1024, path, number, "is a record of", len(line), "bytes")
            if "plog-" in path:
                check(int(m.group(2)) == int(re.search(r"plog-(\d+)_", path).group(1)), path, number, "another pid")
            ns = ns_of(line, job.zone)
            check(ns >= last, path, number, "goes back in time")
            last = ns


def check_words(job):
    everything = b"\n".join(job.files.values()).decode("utf-8", "replace")
    bad = job.t["ranks"][job.t["root_ranks"][0]] if job.t["root_ranks"] else {"pid": 0}
    for w in WORDS[job.t["fault"]]:
        if isinstance(w, tuple):
            if w[0] != job.t["framework"]:
                continue
            w = w[1]
        for key in ("pid", "kernel", "op", "op_name"):
            w = w.replace("{%s}" % key, str(bad.get(key, job.t.get(key))))
        check(w in everything, job.t["fault"], "does not say", w)


def check_first(job):
    f = job.t["first_error"]
    lonely = job.t["fault"] in ("clean", "hang", "straggler", "mismatch", "socket_init")
    check((f is None) == lonely, "first error:", f)
    if f is None:
        return
    lines = job.files[f["file"]].decode().split("\n")
    check(f["line"] <= len(lines) and lines[f["line"] - 1], f["file"], "has no line", f["line"])
    line = lines[f["line"] - 1]
    ns = job.true_ns(f["file"], line)
    check(ns is None or abs(ns - f["ts_ns"]) < 1000, f["file"], f["line"], "is not of", f["ts_ns"])
    check(re.search("error|ERROR|failed|rror:|Traceback|oom-killer|Event id|CANCELLED|Fatal|performance|vocabulary|slurm", line), line)
    if job.t["root_ranks"]:
        check(f["rank"] == job.t["root_ranks"][0], "first error of rank", f["rank"])


# ---- profiles

def open_tasks(data, stem):
    """Tasks that began and did not end: (stream, task id of 16 bits)."""
    began = {}
    slices = [p for p in glob.glob(os.path.join(data, stem + ".*.slice_*")) if p.rsplit("_", 1)[1].isdigit()]
    check(slices, data, "holds no", stem)
    for path in sorted(slices, key=lambda p: int(p.rsplit("_", 1)[1])):
        data = open(path, "rb").read()
        for at in range(0, len(data) - len(data) % 64, 64):
            if stem == "hwts.data":
                kind, task, stream = (data[at] & 7, struct.unpack_from("<H", data, at + 6)[0],
                                      struct.unpack_from("<I", data, at + 16)[0])
            else:
                kind, _, stream, task = struct.unpack_from("<HHHH", data, at)
                kind &= 0x3f
            if kind in (0, 1):
                began[stream, task] = began.get((stream, task), 0) + 1 - 2 * kind
    return {k for k, n in began.items() if n > 0}


def profiles_of_generation_1(job):
    profs = {}
    for path in glob.glob(os.path.join(job.top, "profiler", "PROF_*", "device_*", "info.json.*")):
        if path.endswith(".done"):
            continue
        info = json.load(open(path))
        r = job.t["ranks"][int(info["rank_id"])]
        check(int(info["pid"]) == r["pid"] and int(info["devices"]) == r["device"], path, "pid or device")
        profs[r["rank"]] = (os.path.join(os.path.dirname(path), "data"), "hwts.data")
        for start in glob.glob(os.path.join(os.path.dirname(path), "start_info.*[0-9]")):
            said = json.load(open(start))
            local = time.gmtime(int(said["collectionTimeBegin"]) // 10**6 + job.zone * 60)
            check(said["collectionDateBegin"].startswith(time.strftime("%Y-%m-%d %H:%M:%S", local)), start, "local time")
    return profs


def check_profiles(job):
    t = job.t
    profs = profiles_of_generation_1(job)
    for top in glob.glob(os.path.join(job.top, "*_ascend_*")):
        prof = glob.glob(os.path.join(top, "PROF_*"))[0]
        info = json.load(open(os.path.join(prof, "host", "info.json")))
        start = json.load(open(os.path.join(prof, "host", "start_info")))
        r = t["ranks"][info["rank_id"]]
        check(int(info["pid"]) == r["pid"] and os.path.basename(top).split("_")[1] == str(r["pid"]), top, "pid")
        check(info["hostname"] == t["servers"][r["server"]]["node"], top, "host")
        local = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(int(start["collectionTimeBegin"]) // 10**6 + job.zone * 60))
        check(start["collectionDateBegin"].startswith(local), top, "local time", start)
        check(time.strftime("%Y%m%d%H%M%S", time.gmtime(int(start["collectionTimeBegin"]) // 10**6 + job.zone * 60)) in top,
              top, "stamp")
        profs[info["rank_id"]] = (glob.glob(os.path.join(prof, "device_*", "data"))[0], "stars_soc.data")
    if t["fault"] == "socket_init":
        check(not profs, "a profile of a job that had no step")
        return
    check(len(profs) == len(t["ranks"]), "profiles:", len(profs))
    for rank, prof in profs.items():
        r, left = t["ranks"][rank], open_tasks(*prof)
        if "waits" in r:
            check((r["waits"]["stream_id"], r["waits"]["task_id"]) in left, "rank", rank, "does not wait in its task")
            check(all(s >= 20 for s, _ in left), "rank", rank, "does more than to wait:", left)
        elif rank in t["root_ranks"] and t["stream_id"] is not None:
            on_cpu = prof[1] == "hwts.data" and t["fault"] in ("aicpu", "data_stall")  # whose begin is not recorded
            check(left == (set() if on_cpu else {(t["stream_id"], t["task_id"])}), "rank", rank, "is left in", left)
        elif t["fault"] not in ("killed", "host_oom", "segv", "sigterm"):
            check(not left, "rank", rank, "is left in", left)


def check_waits(job):
    """A rank that waited says so when its time is over, with the task and in the group where it waits."""
    t = job.t
    failed = {x["server"] for x in t["ranks"] if x["rank"] in t["root_ranks"] or
              t["fault"] == "mismatch_arg" and "waits" not in x}
    ends = ("killed", "host_oom", "device_oom", "aicore", "aicpu", "hbm_ecc", "data_stall", "disk_full", "py_exception", "segv",
            "mismatch_arg")
    for r in t["ranks"]:
        where = "worker-%d/" % r["server"] if job.several else ""
        debug = [p for p in job.files if p.startswith(where + "log/debug/plog/plog-%d_" % r["pid"])]
        text = "".join(job.files[p].decode() for p in debug)
        hits = [x for x in text.split("\n") if "hccl fftsplus task timeout" in x]
        ended = t["fault"] in ends and r["server"] in failed
        waits = "waits" in r and not ended and t["fault"] not in ("sigterm",)
        check(len(hits) == waits, "rank", r["rank"], "timed out", len(hits), "times")
        if not waits:
            continue
        late = job.true_ns(debug[0], hits[0]) - r["waits"]["since_ns"] - t["exec_timeout_s"] * 10**9
        check(0 <= late < 10**9, "rank", r["rank"], "timed out", late, "ns after its time")
        check("stream_id:%d, sq_id:%d, task_id:%d," % (r["waits"]["stream_id"], r["waits"]["stream_id"],
                                                        r["waits"]["task_id"]) in hits[0], hits[0])
        full = r["waits"]["flip"] << 16 | r["waits"]["task_id"]
        check("streamID:[%d], taskID[%d]" % (r["waits"]["stream_id"], full) in text, "rank", r["rank"], "base information")
        group = re.search(r"group:\[([^\]]+)\]", text).group(1)
        run = [p for p in job.files if p.startswith(where + "log/run/plog/plog-%d_" % r["pid"])][0]
        check("identifier[%s]" % group in job.files[run].decode(), "rank", r["rank"], "never joined", group)
        check(("taskType[Notify Wait]" in text.split("EI0002")[0]) == (t["cann"] == "7"), "form of", t["cann"])
        check(("[TaskExecStage][Timeout][Host]" in text) == (t["cann"] == "8.5"), "form of", t["cann"])


class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        sys.exit("demo_logs: a pickle asks for %s.%s" % (module, name))


def check_flight(job):
    """Ranks that waited dump what they wait for; the one they wait for, while it lives, did not come to it."""
    t = job.t
    if t["framework"] != "torch" or t["fault"] in ("clean", "socket_init"):
        check(not any("hccl" in p for p in job.files), "a dump where there is none")
        return
    ops = {"allreduce": "hccl:all_reduce", "allgather": "hccl:all_gather", "reducescatter": "hccl:reduce_scatter"}
    for r in t["ranks"]:
        where = "worker-%d/tmp/" % r["server"] if job.several else "tmp/"
        status = [p for p in job.files if p.startswith(where + "torch_hccl_status-%d_" % r["rank"])]
        check(len(status) == 1 and "_%d_" % r["pid"] in status[0], "status files:", status)
        said = json.loads(job.files[status[0]])
        dump = job.files.get(where + "hccl_trace_rank_%d" % r["rank"])
        debug = [p for p in job.files if p.endswith(".log") and "debug/plog/plog-%d_" % r["pid"] in p
                 and job.server_of(p) == r["server"]]
        text = "".join(job.files[p].decode() for p in debug)
        tag = re.search(r"base information is .* tag\[([A-Za-z]+)_", text)
        lives = r["rank"] in t["root_ranks"] and t["fault"] in ("hang", "straggler")
        check((dump is not None) == (lives or tag is not None), "rank", r["rank"], "dump")
        if dump is None:
            continue
        check(b"pid: %d\n" % r["pid"] in job.files[where + "hccl_trace_rank_%d_py_traceback" % r["rank"]], "stack")
        d = Plain(io.BytesIO(dump)).load()
        last = d["entries"][-1]
        skew = t["servers"][r["server"]]["skew_ns"]
        check(d["version"] == "2.4" and 0 < len(d["entries"]) <= 256, "dump")
        check([x["record_id"] for x in d["entries"]] == list(range(last["record_id"] + 1))[-len(d["entries"]):], "records")
        check(all(r["rank"] in json.loads(d["pg_config"][str(x["pg_id"])]["ranks"]) for x in d["entries"]), "groups")
        check({x["pg_id"]: x["seq"] for x in said["last_comm_op"]} ==
              {k: v["last_enqueued_collective"] for k, v in d["pg_status"].items()}, "status file")
        check(all(x["time_created_ns"] - skew <= r["profile_end_ns"] for x in d["entries"]), "launched after the end")
        started = [x for x in d["entries"] if x["state"] == "started"]
        check(len(started) == (not lives), "rank", r["rank"], "is in", len(started), "collectives")
        if lives:
            check(all(x["state"] == "completed" for x in d["entries"]), "rank", r["rank"], "has not ended all")
            continue
        x = started[0]
        check(ops[tag.group(1).lower()] == x["profiling_name"], tag.group(1), x["profiling_name"])
        check(x["time_created_ns"] - skew < r["waits"]["since_ns"], "waits before it launched")
        index = re.search(r"index\[(\d+)\]", text)
        check(int(index.group(1)) + 1 == x["collective_seq_id"], "index", index.group(1), x["collective_seq_id"])
        state = d["pg_status"][str(x["pg_id"])]
        check(state["last_started_collective"] == x["collective_seq_id"] == state["last_completed_collective"] + 1, state)


def check_end(job):
    """A process that was killed says nothing after that."""
    t = job.t
    if t["fault"] not in ("killed", "host_oom", "segv"):
        return
    r = t["ranks"][t["root_ranks"][0]]
    for path in job.files:
        if re.search(r"plog/plog-%d_" % r["pid"], path) and job.server_of(path) == r["server"]:
            for line in job.files[path].decode().split("\n"):
                ns = job.true_ns(path, line)
                check(ns is None or ns <= t["fault_ns"] + 10**6, path, "goes on after its end:", line)


def check_zone(job):
    """The epoch in a group's name and the stamp of the line that says it was made give the zone."""
    for path, data in job.files.items():
        for line in data.decode("utf-8", "replace").split("\n"):
            m = re.search(r"HcclGetRootInfo success.*identifier\[[^\]]*_(\d{16})\]", line)
            if m:
                away = ns_of(line, 0) - int(m.group(1)) * 1000
                check(round(away / 900e9) * 15 == job.zone or abs(job.t["servers"][job.server_of(path)]["skew_ns"]) > 10**10,
                      path, "zone", away)


def main():
    job = Job(sys.argv[1], json.load(open(sys.argv[2])))
    check_names(job)
    check_lines(job)
    check_words(job)
    check_first(job)
    check_profiles(job)
    check_waits(job)
    check_flight(job)
    check_end(job)
    check_zone(job)
    print("demo_logs: %s: %d checks" % (job.t["fault"], count))


main()
