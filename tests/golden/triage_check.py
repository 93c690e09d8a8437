# SPDX-License-Identifier: Apache-2.0
"""How raw runs ended, as `npuscope triage --format=json` tells it, against a reading of the same records
here.

usage: triage_check.py NPUSCOPE GEN1_SAMPLES TEMPORARY_FOLDER
"""
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys

HWTS_B, MARK_B = 64, 40
KEYS = (
    "schema program clock origin_ns origin_unix_ns run runs state evidence verdict logs last_complete_step "
    "cut_step blocked not_compared findings last_activity ranks lost"
).split()
npuscope, samples, place = sys.argv[1:]
compared = 0


def same(what, got, want):
    global compared
    compared += 1
    if got != want:
        sys.exit(f"FAIL: {what}: got {got!r}, want {want!r}")


def triage(run, *options, status=0):
    p = subprocess.run([npuscope, "triage", "-q", *options, run], capture_output=True, text=True)
    same(f"exit status of triage {run}: {p.stderr}", p.returncode, status)
    return p.stdout


def slices(folder, pattern):
    found = [f for f in glob.glob(os.path.join(folder, pattern)) if re.search(r"slice_\d+$", f)]
    return sorted(found, key=lambda f: int(f.rsplit("_", 1)[1]))


def whole(folder, pattern, size):
    """Records of all slices; one that is cut at the end of a slice is left out."""
    data = b"".join(open(f, "rb").read() for f in slices(folder, pattern))
    return [data[i : i + size] for i in range(0, len(data) - size + 1, size)]


def streams(folder):
    return streams_of(whole(folder, "hwts*slice_*", HWTS_B))


def streams_of(records):
    """The last start or end of each stream: (state, task, ticks)."""
    last = {}
    for r in records:
        kind, task = r[0] & 7, struct.unpack_from("<H", r, 6)[0]
        ticks, stream = struct.unpack_from("<Q", r, 8)[0], struct.unpack_from("<I", r, 16)[0]
        if kind == 0:
            last[stream] = ("running", task, ticks)
        elif kind == 1 and not (stream in last and last[stream][0] == "running" and last[stream][1] != task):
            last[stream] = ("done", task, ticks)
    return last


def steps(folder):
    """Last complete step and the one that is cut, by the marks of ts_track: 2 is a start, 4 an end."""
    complete, began = None, False
    for r in whole(folder, "ts_track*slice_*", MARK_B):
        tag = struct.unpack_from("<H", r, 36)[0]
        if r[1] != 10:
            continue
        if tag == 4:
            complete, began = (complete or 0) + 1, False
        elif tag in (2, 3):
            began = True
    return complete, (complete or 0) + 1 if began else None


def data_of(run, device):
    return glob.glob(os.path.join(run, f"*/device_{device}/data"))[0]


def check(run, devices, state, status=0):
    text = triage(run, "--format=json", status=status)
    t = json.loads(text)
    same(f"keys of {run}", list(t), KEYS)
    same(f"state of {run}", t["state"], state)
    same(
        f"there is evidence for {run}",
        bool(t["evidence"]) and all(isinstance(s, str) for s in t["evidence"]),
        True,
    )
    same(f"ranks of {run}", [r["rank"] for r in t["ranks"]], devices)
    ends = []
    for rank in devices:
        folder = data_of(run, rank)
        of_rank = [a for a in t["last_activity"] if a["rank"] == rank]
        for a in of_rank:
            same(f"members of an activity of {run}", list(a), ["rank", "track", "name", "ts_ns", "state"])
        got = {
            int(a["track"].split()[1]): (a["state"], a["ts_ns"])
            for a in of_rank
            if a["track"].startswith("Stream ")
        }
        same(
            f"streams of rank {rank} of {run}",
            got,
            {s: (v[0], v[2] * 10) for s, v in streams(folder).items()},
        )
        row = next(r for r in t["ranks"] if r["rank"] == rank)
        ends.append(steps(folder))
        same(f"steps of rank {rank} of {run}", (row["last_complete_step"], row["cut_step"]), ends[-1])
    same(f"last complete step of {run}", t["last_complete_step"], min(e[0] for e in ends))
    same(f"cut step of {run}", t["cut_step"], min((e[1] for e in ends if e[1]), default=None))
    for l in t["lost"]:
        same(f"members of a loss of {run}", list(l), ["file", "offset", "records"])
    return t


def copy(name, rank=None):
    run = os.path.join(place, name)
    shutil.copytree(os.path.join(samples, "graph_r20/raw"), run)
    if rank is not None:
        other = 1 - rank
        for f in glob.glob(os.path.join(run, f"*_{other}")) + glob.glob(os.path.join(run, f"*_{other}.*")):
            shutil.rmtree(f) if os.path.isdir(f) else os.remove(f)
        shutil.rmtree(os.path.dirname(os.path.dirname(data_of(run, other))))
    return run


def crash(run, device, starts):
    """End the run right behind the start of a task: the records behind it, their slices and the marks of the
    end are gone."""
    folder = data_of(run, device)
    for f in glob.glob(os.path.join(folder, "../end_info*")) + glob.glob(os.path.join(folder, "*.done")):
        os.remove(f)
    n = 0
    for f in slices(folder, "hwts*slice_*"):
        data, keep = open(f, "rb").read(), 0
        if n == starts:
            os.remove(f)
            continue
        while n < starts and keep + HWTS_B <= len(data):
            n += data[keep] & 7 == 0
            keep += HWTS_B
        open(f, "wb").write(data[: keep + 40])


def age(run):
    for root, _, files in os.walk(run):
        for f in files:
            os.utime(os.path.join(root, f), (1e9, 1e9))


# A run that ended in order.
whole_run = copy("whole")
age(whole_run)
t = check(whole_run, [0, 1], "NOT ANALYSED")
same("nothing is lost", t["lost"], [])
same("nothing runs", [a for a in t["last_activity"] if a["state"] != "done"], [])

# One rank, cut behind many different starts: what runs is always found, and the cut record is told with its
# place.
for starts in (1, 20, 57, 90, 130):
    run = copy(f"cut{starts}", 0)
    crash(run, 0, starts)
    age(run)
    t = check(run, [0], "CRASHED", status=4)
    running = [a for a in t["last_activity"] if a["state"] == "running"]
    same(f"something runs after {starts} starts", len(running) >= 1, True)
    same("what runs comes first", t["last_activity"][: len(running)], running)
    hwts = [l for l in t["lost"] if "hwts" in l["file"]]
    same("a record is lost", len(hwts) >= 1 and sum(l["records"] for l in hwts) >= 1, True)
    for l in hwts:
        same("its place", l["offset"], os.path.getsize(os.path.join(run, l["file"])) // HWTS_B * HWTS_B)

# Two ranks, one ends earlier; its step marks are cut too.
run = copy("two")
crash(run, 0, 60)
marks = slices(data_of(run, 0), "ts_track*slice_*")[-1]
os.truncate(marks, 5 * MARK_B + 7)
crash(run, 1, 140)
age(run)
t = check(run, [0, 1], "CRASHED", status=4)
same("rank 0 is behind", t["ranks"][0]["last_complete_step"] < t["ranks"][1]["last_complete_step"], True)
one = json.loads(triage(run, "--format=json", "--rank=1", status=4))
same("one rank", [r["rank"] for r in one["ranks"]], [1])
same("its last complete step", one["last_complete_step"], t["ranks"][1]["last_complete_step"])

told = t["evidence"]
same(
    "the rank that is behind is named",
    told[0],
    f"rank 0 is behind: last complete step {t['ranks'][0]['last_complete_step']}, of the others "
    f"{t['ranks'][1]['last_complete_step']}",
)
for rank in (0, 1):
    last = os.path.basename(slices(data_of(run, rank), "hwts*slice_*")[-1])
    same(
        f"the cut file of rank {rank} is named",
        any(s.startswith(f"rank {rank}: {last}: a record is cut (40 of 64 bytes)") for s in told),
        True,
    )
    same(
        f"what tells of the start of rank {rank} is named",
        f"rank {rank}: started: host_start.log.{rank}, start_info.{rank}; not stopped: no end_info" in told,
        True,
    )
same("one rank is not compared", [s for s in one["evidence"] if s.startswith("rank 1: ")], [])

# One of two ranks was stopped in order; of the other a slice is missing.
run = copy("gap")
gone = slices(data_of(run, 0), "hwts*slice_*")[1]
for f in (
    glob.glob(os.path.join(data_of(run, 0), "../end_info*"))
    + [gone, gone + ".done"]
    + glob.glob(os.path.join(data_of(run, 0), "ts_track*_1.done"))
):
    os.remove(f)
age(run)
t = json.loads(triage(run, "--format=json"))
same("states", [r["state"] for r in t["ranks"]], ["CRASHED", "NOT ANALYSED"])
same("the worst is the state of the run", t["state"], "CRASHED")
same(
    "the slice is told",
    "rank 0: slice 1 is missing: after hwts.data.0.slice_0 comes slice 2" in t["evidence"],
    True,
)
same(
    "it is lost",
    [(os.path.basename(l["file"]), l["offset"], l["records"]) for l in t["lost"] if l["records"] is None],
    [("hwts.data.0.slice_1", None, None)],
)
run = os.path.join(place, "two")

# The record of tasks in slices that cut records anywhere, and one of them is lost: what was begun before it
# and is not heard of again is unknown, and the halves on both sides make no record.
run = copy("lost", 0)
crash(run, 0, 90)
folder = data_of(run, 0)
record = b"".join(open(f, "rb").read() for f in slices(folder, "hwts*slice_*"))
stem = os.path.basename(slices(folder, "hwts*slice_*")[0])[:-1]
states = set()
for size in (333, 1000, 2501):
    for gap in range(1, min(len(record) // size, 9)):
        data = record[: (gap + 1) * size + 200]
        for f in slices(folder, "hwts*slice_*"):
            os.remove(f)
        for i in range(0, len(data), size):
            if i != gap * size:
                open(os.path.join(folder, stem + str(i // size)), "wb").write(data[i : i + size])
        age(run)
        before = [data[i : i + HWTS_B] for i in range(0, gap * size - HWTS_B + 1, HWTS_B)]
        behind = [
            data[i : i + HWTS_B]
            for i in range(-(-(gap + 1) * size // HWTS_B) * HWTS_B, len(data) - HWTS_B + 1, HWTS_B)
        ]
        want = {
            s: ("unknown" if v[0] == "running" else v[0], v[1], v[2]) for s, v in streams_of(before).items()
        }
        want.update(streams_of(behind))
        t = json.loads(triage(run, "--format=json", status=4))
        got = {
            int(a["track"].split()[1]): (a["state"], a["ts_ns"])
            for a in t["last_activity"]
            if a["track"].startswith("Stream ")
        }
        same(
            f"streams in slices of {size} without {gap}", got, {s: (v[0], v[2] * 10) for s, v in want.items()}
        )
        same(
            "the words for people",
            ("UNKNOWN, lost in a gap" in triage(run, status=4)),
            "unknown" in [v[0] for v in want.values()],
        )
        states.update(v[0] for v in want.values())
same("all states were seen", states, {"done", "running", "unknown"})
run = os.path.join(place, "two")

# For people.
text = triage(run, status=4)
for words in (
    "State",
    "CRASHED",
    "Coverage",
    "complete steps, step ",
    "is cut",
    "Last activity before the end",
    "RUNNING, no end record",
    "Lost to damage",
):
    same(f"'{words}' is told", words in text, True)
for line in triage(run, "--format=ndjson", status=4).splitlines():
    same(
        "a line of ndjson names its table",
        json.loads(line)["table"] in "verdict run blocked findings last_activity ranks lost".split(),
        True,
    )
triage(run, "--format=csv", status=2)

# Text era, real records.
t = json.loads(triage(os.path.join(samples, "JOB3"), "--format=json"))
got = {
    int(a["track"].split()[1]): (a["state"], a["ts_ns"])
    for a in t["last_activity"]
    if a["track"].startswith("Stream ")
}
same(
    "streams of JOB3", got, {s: (v[0], v[2] * 10) for s, v in streams(os.path.join(samples, "JOB3")).items()}
)
same("running in JOB3", sum(v[0] == "running" for v in got.values()), 4)
print(f"triage: {compared} comparisons")
