# SPDX-License-Identifier: Apache-2.0
"""What a crashed run of several ranks is shown to be, against the same run that went on: `demo --raw` writes
both from the same seed.

usage: crash_truth.py NPUSCOPE DIR

Each stream, the communication and the AI CPU of a crashed rank are the beginning of what they are in the
whole run, with no row missing; what `triage` says was done last is the last of these rows, what it says
was running is the next one of the whole run, with its name and its start; whole steps are those of the
whole run, the cut one began when it does there; ranks said to be behind are. Steps are those that the program
marked where its marks outlive it (torch_npu), else those of the device in both runs: MindSpore 2.x writes no
marks before it has 104 857 records (doc/formats/framework.md#framework-files).
"""
import csv
import glob
import io
import json
import os
import shutil
import subprocess
import sys

npuscope, work = sys.argv[1], sys.argv[2]
checked, wrong = 0, []


def ask(folder, sql):
    p = subprocess.run(
        [npuscope, "query", "-q", "--rank=all", "-F", "csv", folder, sql], capture_output=True, text=True
    )
    if p.returncode not in (0, 4):
        sys.exit(f"crash_truth: {folder}: status {p.returncode}: {p.stderr}")
    return list(csv.DictReader(io.StringIO(p.stdout)))


def check(what, good):
    global checked
    checked += 1
    if not good:
        wrong.append(what)


# track, name, start, end of what ran, absolute
STREAMS = (
    "select t.rank, 'Stream ' || t.stream as track, s.text as name, e.ts_ns + r.origin_ns as t0, e.ts_ns + "
    "e.dur_ns + r.origin_ns as t1 from event e "
    "join track t on t.id = e.track_id join rank r on r.rank = t.rank join string s on s.id = e.name_id "
    "where t.kind = 'stream' order by 1, 2, 4, 5, 3"
)
COMM = {
    "1": "select p.rank, 'Communication' as track, s.text as name, p.start_ns + r.origin_ns as t0, "
    "p.end_ns + r.origin_ns as t1 from step_part p "
    "join rank r on r.rank = p.rank join string s on s.id = p.name_id where p.kind = 'reduce' order by 1, 4",
    "2": "select c.rank, 'Communication' as track, s.text as name, c.ts_ns + r.origin_ns as t0, "
    "c.ts_ns + c.dur_ns + r.origin_ns as t1 from comm_exec c "
    "join rank r on r.rank = c.rank join string s on s.id = c.name_id order by 1, 4",
}
AICPU = (
    "select a.rank, 'AI CPU' as track, s.text as name, a.ts_ns + r.origin_ns as t0, a.ts_ns + "
    "ifnull(a.compute_ns, a.total_ns) + r.origin_ns as t1 "
    "from aicpu_exec a join rank r on r.rank = a.rank join string s on s.id = a.name_id order by 1, 4"
)
STEPS = (
    "select s.rank, s.step, s.start_ns + r.origin_ns as t0, s.end_ns + r.origin_ns as t1, s.total_ns, "
    "s.interval_ns, s.fp_bp_ns, s.tail_ns, s.complete "
    "from step s join rank r on r.rank = s.rank order by 1, 2"
)


def tracks(folder, sql):
    out = {}
    for r in ask(folder, sql):
        out.setdefault((int(r["rank"]), r["track"]), []).append((r["name"], int(r["t0"]), int(r["t1"])))
    return out


def same_op(short, full):
    """Host records name an op, marks its path."""
    return short == full or full.rsplit("/", 1)[-1] == short


def check_tracks(gen, whole, cut, last):
    """The beginning of each track, and what came next."""
    for sql in (STREAMS, COMM[gen], AICPU):
        all_rows, rows = tracks(whole, sql), tracks(cut, sql)
        check(f"{gen}: no rows of {sql[:60]}", rows and all_rows)
        for key, want in all_rows.items():
            got = rows.get(key, [])
            runs = [x for x in last if (x["rank"], x["track"]) == key and x["state"] == "running"]
            done = [x for x in last if (x["rank"], x["track"]) == key and x["state"] == "done"]
            # Of a communication op that runs, what its tasks have done so far is a row of its own.
            part = gen == "2" and key[1] == "Communication" and runs
            n = len(got) - 1 if part and got and got[-1][0] == runs[0]["name"] else len(got)
            check(f"{gen}: {key}: the {n} rows are not the first of {len(want)}", got[:n] == want[:n])
            check(f"{gen}: {key}: nothing is missing", n < len(want))
            for x in runs:
                check(
                    f"{gen}: {key}: {x} runs, but next is {want[n]}",
                    same_op(x["name"], want[n][0]) and x["ts_ns"] == want[n][1],
                )
            ended = [r for r in got[:n] if not runs or key[1] != "Communication" or r[2] <= runs[0]["ts_ns"]]
            for x in done:
                check(
                    f"{gen}: {key}: {x} is not the last of its rows",
                    ended
                    and x["ts_ns"] == max(r[2] for r in ended)
                    and any(same_op(x["name"], r[0]) and r[2] == x["ts_ns"] for r in ended),
                )
            check(f"{gen}: {key}: not in the last activity", runs or done)


def without_marks(gen, whole, cut):
    """Of a run that left no marks the whole one has to be without them, too."""
    check(f"{gen}: the crashed run has marks", not glob.glob(os.path.join(cut, "*", "FRAMEWORK", "*")))
    for marks in glob.glob(os.path.join(whole, "*", "FRAMEWORK")):
        shutil.rmtree(marks)


def check_steps(gen, whole, cut, said):
    want = {(r["rank"], r["step"]): r for r in ask(whole, STEPS)}
    got = {(r["rank"], r["step"]): r for r in ask(cut, STEPS)}
    check(f"{gen}: steps {sorted(got)} are not of {sorted(want)}", got and got.keys() <= want.keys())
    for key, r in got.items():
        if key not in want:
            continue
        same = (
            r == want[key]
            if r["complete"] == "1"
            else all(r[c] == want[key][c] for c in ("t0", "interval_ns"))
        )
        check(f"{gen}: step {key}: {r}, not {want[key]}", same)
    for k in said["ranks"]:
        mine = [r for r in got.values() if int(r["rank"]) == k["rank"]]
        check(
            f"{gen}: {k}: whole steps",
            k["last_complete_step"]
            == max((int(r["step"]) for r in mine if r["complete"] == "1"), default=None),
        )
        check(
            f"{gen}: {k}: cut step",
            k["cut_step"] == max(int(r["step"]) for r in mine if r["complete"] == "0"),
        )


DRAWN = (
    "select e.ts_ns + r.origin_ns as t0, e.ts_ns + e.dur_ns + r.origin_ns as t1 from event e join track t on "
    "t.id = e.track_id join rank r on r.rank = t.rank "
    "join string s on s.id = e.name_id where t.rank = {} and t.kind = 'step' and s.text = 'Step {} (cut)'"
)


def check_drawn(gen, cut, said):
    """The cut step is on the timeline, to the last task that ended."""
    streams = tracks(cut, STREAMS)
    for k in said["ranks"]:
        got = ask(cut, DRAWN.format(k["rank"], k["cut_step"]))
        start = [r["t0"] for r in ask(cut, STEPS) if int(r["rank"]) == k["rank"] and r["complete"] == "0"]
        last = max(r[2] for (rank, _), rows in streams.items() if rank == k["rank"] for r in rows)
        check(
            f"{gen}: {k}: the cut step is drawn {got}, not from {start} to {last}",
            [(r["t0"], int(r["t1"])) for r in got] == [(start[0], last)],
        )


def check_behind(gen, last, said):
    """Who is in an op that others have left, from their rows alone."""
    comm = [x for x in last if x["track"] == "Communication"]
    runs = {x["rank"]: x["name"] for x in comm if x["state"] == "running"}
    left = [x["name"] for x in comm if x["state"] == "done"]
    behind = {name: sorted(r for r in runs if runs[r] == name) for name in runs.values() if name in left}
    check(f"{gen}: no rank is behind: the runs do not crash apart", behind)
    for name, ranks in behind.items():
        who = ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
        text = (
            f"{who} {'is' if len(ranks) == 1 else 'are'} still in {name.rsplit('/', 1)[-1]}, which "
            f"{left.count(name)} other"
        )
        check(
            f"{gen}: not said: {text}: {said['evidence'][:2]}",
            any(x.startswith(text) for x in said["evidence"]),
        )
    check(
        f"{gen}: said of ranks that are not behind",
        sum("still in" in x for x in said["evidence"]) == len(behind),
    )


def main():
    several = (
        ("1", None, 7, 4, "3"),
        ("1", None, 11, 2, "55%"),
        ("1", None, 3, 2, "1"),
        ("2", "r27", 7, 4, "3"),
        ("2", "r27", 5, 2, "60%"),
        ("2", "r27", 3, 2, "1"),
        ("2", "torch_npu", 7, 4, "3"),
        ("2", "torch_npu", 5, 2, "60%"),
    )
    for gen, era, seed, ranks, at in several[1::3] if os.environ.get("NPUSCOPE_TEST_SLOW") else several:
        run = f"{gen}{era or ''}{seed}"
        whole, cut = os.path.join(work, f"whole{run}"), os.path.join(work, f"cut{run}")
        options = [
            npuscope,
            "demo",
            "-q",
            "--raw",
            f"--gen={gen}",
            f"--seed={seed}",
            f"--ranks={ranks}",
            "--steps=5",
            *([f"--era={era}"] if era else []),
        ]
        subprocess.run(options + [whole], check=True)
        subprocess.run(options + [f"--crashed={at}", cut], check=True)
        p = subprocess.run([npuscope, "triage", "-q", "-F", "json", cut], capture_output=True, text=True)
        said = json.loads(p.stdout)
        check_tracks(gen, whole, cut, said["last_activity"])
        if era == "r27":
            without_marks(gen, whole, cut)
        check_steps(gen, whole, cut, said)
        check_drawn(gen, cut, said)
        check_behind(gen, said["last_activity"], said)
    for w in wrong[:12]:
        print("crash_truth:", w)
    print(f"crash_truth: {checked} statements, {len(wrong)} are not true")
    sys.exit(1 if wrong else 0)


main()
