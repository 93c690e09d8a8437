# SPDX-License-Identifier: Apache-2.0
"""The object of `npuscope triage --format=json` on synthetic runs, against their files and against what
`query` answers.

usage: triage.py NPUSCOPE DIR      DIR holds the runs that triage.sh makes
"""
import glob
import json
import os
import re
import subprocess
import sys

npuscope, top = sys.argv[1:]
compared = 0
MEMBERS = (
    "schema program clock origin_ns origin_unix_ns run runs state evidence verdict logs last_complete_step "
    "cut_step blocked not_compared findings last_activity ranks lost"
).split()


VERDICT = "kind severity rank step op value unit at_unix_ns text target".split()


def same(what, got, want):
    global compared
    compared += 1
    if got != want:
        sys.exit(f"FAIL: {what}: got {got!r}, want {want!r}")


def run(*args):
    p = subprocess.run([npuscope, *args, "-q"], capture_output=True, text=True)
    if p.returncode not in (0, 4):
        sys.exit(f"FAIL: {args}: status {p.returncode}: {p.stderr}")
    return p.stdout


def triage(name, *options):
    t = json.loads(run("triage", "--format=json", *options, os.path.join(top, name)))
    same(f"members of {name}", list(t), MEMBERS)
    same("schema", t["schema"], "npuscope-triage-1")
    same("program", t["program"], {"name": "npuscope", "version": run("--version").split()[1]})
    same("one run", (t["run"], [r["run"] for r in t["runs"]], t["runs"][0]["state"]), (1, [1], t["state"]))
    for key in ("clock", "origin_ns", "origin_unix_ns"):
        same(f"{key} is that of the first rank", t[key], t["ranks"][0][key])
    return t


def query(name, sql, *options):
    return json.loads(run("query", "--format=json", *options, sql, os.path.join(top, name)))


def rows_of(findings):
    return sorted((f["rank"], f["rule"], f["severity"], f["text"], f["step"], f["target"]) for f in findings)


def blocked_by_records(t):
    """Who is in an op whose end is the last that others have recorded, from the last activities alone."""
    last = {}
    for a in t["last_activity"]:
        if a["track"] == "Communication":
            last.setdefault(a["rank"], {}).setdefault(a["state"], a["name"])
    return [
        {"rank": r, "op": of["running"], "left_by": by}
        for r, of in sorted(last.items())
        if "running" in of
        for by in [[o for o in sorted(last) if o != r and last[o].get("done") == of["running"]]]
        if by
    ]


def number(path, key):
    with open(path) as f:
        return int(re.search(rf"{key}:\s*(\d+)", f.read()).group(1))


# Generation 1 counts ticks of 10 ns; what the counter and the wall clock showed at the start lies beside.
t = triage("gen1")
same("clock of generation 1", t["clock"], "device")
same("blocked ranks of generation 1", len(t["blocked"]), 1)
for r in t["ranks"]:
    folder = glob.glob(os.path.join(top, f"gen1/profiler/PROF_*/device_{r['rank']}"))[0]
    wall = number(f"{folder}/host_start.log.{r['rank']}", "clock_realtime")
    zero = wall - 10 * number(f"{folder}/dev_start.log.{r['rank']}", "cntvct")
    same(f"wall clock of rank {r['rank']}", r["origin_unix_ns"], r["origin_ns"] + zero)
    same(f"end of rank {r['rank']}", r["last_unix_ns"], r["last_ts_ns"] + zero)
    first = query("gen1", f"SELECT origin_ns + first_ns AS ns FROM rank WHERE rank = {r['rank']}")
    same(f"origin of rank {r['rank']}", r["origin_ns"], first[0]["ns"])
    same("a run begins before it ends", r["origin_ns"] < r["last_ts_ns"], True)

# Without the files that tell, no wall clock is made up.
for f in glob.glob(os.path.join(top, "gen1/profiler/PROF_*/device_1/host_start.log*")):
    os.rename(f, f + ".away")
other = triage("gen1", "--rank=1")
same("no wall clock", (other["clock"], other["origin_unix_ns"]), ("device", None))
same("its own clock is there", type(other["origin_ns"]), int)
for f in glob.glob(os.path.join(top, "gen1/profiler/PROF_*/device_1/*.away")):
    os.rename(f, f[: -len(".away")])

# Who is blocked, in one unit and over three, and the same as rows of finding.
for name, table, options in (("gen1", "finding", []), ("gen2", "job.finding", ["--rank=0"])):
    t = triage(name)
    got = [{k: b[k] for k in ("rank", "op", "left_by")} for b in t["blocked"]]
    same(f"blocked ranks of {name}", got, blocked_by_records(t))
    same(f"there is one in {name}", len(got), 1)
    b = t["blocked"][0]
    same("the step is the one that is cut", b["step"], t["ranks"][b["rank"]]["cut_step"])
    found = query(name, f"SELECT rank, rule, severity, text, step, target FROM {table}", *options)
    same(f"findings of {name} are rows", rows_of(found), rows_of(t["findings"]))
    said = [f for f in found if f["rule"] == "CLU-19"]
    same("the blocked rank is a finding", [(f["rank"], f["step"]) for f in said], [(b["rank"], b["step"])])
    same("with the op", b["op"].rsplit("/", 1)[-1] in said[0]["text"], True)
    same("and who left it", ", ".join(map(str, b["left_by"])) in said[0]["text"], True)
    sql = query(name, f"SELECT evidence_sql AS s FROM {table} WHERE rule = 'CLU-19'", *options)[0]["s"]
    if table == "job.finding":
        sql = sql.replace("FROM last", "FROM job.last").replace("FROM string", "FROM job.string")
    rows = query(name, sql, *options)
    same("its statement shows the op", b["op"] in [r["op_name"] for r in rows], True)
    # Other units lie in the cache by now: they are compared with, and not read.
    alone = triage(name, f"--rank={b['rank']}")
    same("a rank alone is compared", (alone["blocked"], alone["not_compared"]), ([b], []))
    lines = run("triage", "--format=ndjson", os.path.join(top, name)).splitlines()
    tables = {json.loads(line)["table"] for line in lines}
    same("the verdict is the first table", json.loads(lines[0])["table"], "verdict")
    tables -= {"lost", "verdict"}
    same("tables of ndjson", tables, {"run", "blocked", "findings", "last_activity", "ranks"})
    same("for people", "Still in a communication op" in run("triage", os.path.join(top, name)), True)

# Without stores of the others nobody knows who is blocked, and that is said.
rank = b["rank"]
others = [r["rank"] for r in triage("gen2")["ranks"] if r["rank"] != rank]
alone = triage("gen2", "--no-cache", f"--rank={rank}")
same("blocked is not known", (alone["blocked"], alone["not_compared"]), (None, others))
text = run("triage", "--no-cache", f"--rank={rank}", os.path.join(top, "gen2"))
words = f"not compared with other ranks, which are not read: {', '.join(map(str, others))} ("
same("and said", words in text, True)
two = triage("gen2", "--no-cache", f"--rank={rank},{others[0]}")
same("what those read show is known", ([k["left_by"] for k in two["blocked"]], two["not_compared"]),
     ([[others[0]]], others[1:]))
same("all ranks", triage("gen2", "--no-cache")["not_compared"], [])

# A run that ended in order.
t = triage("whole")
same("nobody is blocked", t["blocked"], [])
same("clock of generation 2", (t["clock"], t["origin_ns"]), ("unix", t["origin_unix_ns"]))
timed = [a for a in t["last_activity"] if a["ts_ns"] is not None]
for a in timed:
    same("its times count from there", t["origin_ns"] <= a["ts_ns"] < t["origin_ns"] + 10**10, True)
# device_queue_profiling counts batches and tells no time of them.
same("what has no time", {a["track"] for a in t["last_activity"] if a not in timed}, {"queue host"})
same(
    "its findings are rows",
    rows_of(query("whole", "SELECT rank, rule, severity, text, step, target FROM finding", "--rank=all")),
    rows_of(t["findings"]),
)
t = triage("text")
same("an analysed run of generation 1 has an origin", type(t["origin_ns"]), int)
# The verdict: who hangs comes first, then who is late, here the rank that computes longest; else no rank.
for name in ("gen1", "gen2"):
    t = triage(name)
    v = t["verdict"]
    same(f"members of a line of the verdict of {name}", list(v[0]), VERDICT)
    same(f"{name} begins with the rank that hangs", (v[0]["kind"], v[0]["severity"]), ("blocked", "ERROR"))
    for key in ("rank", "op", "step"):
        same(f"its {key}", v[0][key], t["blocked"][0][key])
    same("then it ended", "ended" in [l["kind"] for l in v[1:3]], True)
t = triage("late")
sql = "SELECT rank, avg(computing_ns) AS ns FROM job.step WHERE step > 11 GROUP BY rank"
steps = query("late", sql, "--rank=0")
late = max(steps, key=lambda s: s["ns"])["rank"]
same("the late rank", [(l["kind"], l["rank"]) for l in t["verdict"] if l["kind"] == "late"], [("late", late)])
line = t["verdict"][0]
sql = f"SELECT late_ns FROM job.rank_late WHERE rank = {late}"
kept = query("late", sql, "--rank=0")[0]["late_ns"]
same("its time is kept", abs(kept - line["value"]) < 1e-5 * kept, True)
same("and is one of a step", line["unit"] == "ns" and 0 < line["value"] < steps[0]["ns"] / 10, True)
sql = "SELECT DISTINCT text AS name FROM op JOIN string ON string.id = name_id"
ops = [o["name"] for o in query("late", sql)]
same("its op is one of the run", line["op"] in ops, True)
same("no rank of two steps is late", [l["kind"] for l in triage("whole")["verdict"]], ["none"])
text = run("triage", os.path.join(top, "late"))
same("the verdict comes first", text.splitlines()[2].split("  ")[0], "WARN")
same("what is the same is said once", len(re.findall("ANALYSED", text)), 1 + 4)
same("of all ranks", bool(re.search(r"^0-3 +State +ANALYSED$", text, re.M)), True)
report = run("report", os.path.join(top, "late"))
same("report begins with it", report.splitlines()[2], text.splitlines()[2])
report = run("report", "--no-cache", os.path.join(top, "late"))
same("a rank alone is called so", report.splitlines()[2].split("; ")[-1], "3 of 4 ranks are not read")

print(f"triage: {compared} comparisons")
