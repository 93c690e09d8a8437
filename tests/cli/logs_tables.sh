#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables of the logs (--by), against what the JSON of the same logs says, and against the files themselves.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

python3 - "$npuscope" "$tmp" <<'END'
import collections, json, os, subprocess, sys

program, tmp = sys.argv[1:]
job = tmp + "/job"


def run(*args, status=0):
    r = subprocess.run([program, *args], capture_output=True, text=True)
    assert r.returncode == status, (args, r.returncode, r.stderr)
    return r


def rows(by, *more):
    return json.loads(run("logs", "--by=" + by, "--all-columns", "--format=json", *more, job).stdout)


checked = 0
for fault, era in ("aicore", "torch_npu"), ("mismatch", "torch_npu"), ("hang", "r27"), ("host_oom", "r27"):
    subprocess.run(["rm", "-rf", job], check=True)
    run("demo", "-q", "--raw", "--gen=2", "--steps=3", "--size=2000", "--ranks=4", "--fault=" + fault,
        "--fault-rank=2", "--era=" + era, job)
    whole = json.loads(run("logs", "--format=json", job).stdout)
    lines, what, files = rows("line"), rows("what"), rows("file")

    # Among the files of the run: the same, by the words of its other files.
    words = {"ok": "ok", "apart": "APART", "damaged": "TORN", "refused": "BAD"}
    listed = json.loads(run("files", "--by=logs", "--all-columns", "--format=json", "-q", job).stdout)
    assert [(f["path"], f["rank"], words[f["state"]], f["lines"], f["errors"]) for f in files] == \
        [(f["path"], f["rank"], f["state"], f["rows"], f["errors"]) for f in listed], (fault, files, listed)
    assert all(f["note"] for f in listed), (fault, listed)
    checked += len(listed)

    # The lines are the events, in the same order, each where it stands in its file.
    assert len(lines) == len(whole["events"]), (fault, len(lines))
    for l, e in zip(lines, whole["events"]):
        assert (l["path"], l["line"], l["utc_ns"], l["rank"], l["signature"]) == \
            (e["path"], e["line"], e["ts_ns"], e["rank"], e["signature"]), (fault, l, e)
        assert (l["severity"] == "OFF") == bool(e.get("apart")), (fault, l, e)
        with open(job + "/" + l["path"], "rb") as f:
            f.seek(l["offset_b"])
            here = f.readline().decode()
        assert l["source"] in ("console", "launcher") or l["message"][:40] in here, (fault, l, here)
        checked += 1
    # A stamp of whole seconds may stand for the end of its second.
    times = [t if t % 10 ** 9 else t + 10 ** 9 - 1 for t in (l["utc_ns"] for l in lines) if t is not None]
    assert times == sorted(times), fault

    # What: sums of the lines of this run.
    here = [l for l in lines if l["severity"] != "OFF"]
    count = collections.Counter(l["signature"] for l in here)
    for w in what:
        of = [l for l in here if l["signature"] == w["signature"] and l["says"] == w["says"]]
        assert w["lines"] == len(of) and w["ranks"] == len({l["rank"] for l in of} - {None}), (fault, w)
    assert sum(w["lines"] for w in what) == sum(count.values()) == len(here), fault

    # The first error of the verdict is marked, and no other.
    first = [l for l in lines if l["first"]]
    said = whole["verdict"]["first_error"]
    assert [(l["path"], l["line"]) for l in first] == ([(said["path"], said["line"])] if said else []), (fault, first)

    assert [(f["path"], f["kind"], f["state"], f["lines"], f["errors"]) for f in files] == \
        [(f["path"], f["kind"], f["state"], f["lines"], f["errors"]) for f in whole["files"]], fault

    # Filters, order and columns are those of every table; without --by they mean the lines.
    some = json.loads(run("logs", "-f", "rank=2 severity=ERROR", "--columns=rank,severity", "--format=json",
                          job).stdout)
    assert len(some) == sum(l["rank"] == 2 and l["severity"] == "ERROR" for l in lines), fault

# The rank that issued another collective is the one that the board marks, in the group of the job.
subprocess.run(["rm", "-rf", job], check=True)
run("demo", "-q", "--raw", "--gen=2", "--steps=3", "--size=2000", "--ranks=4", "--fault=mismatch", "--fault-rank=2",
    "--era=torch_npu", job)
board = rows("hang")
assert {b["rank"] for b in board} == {0, 1, 2, 3}, board
odd = {b["rank"] for b in board if b["state"] in ("MISMATCH", "MISSING")}
assert odd <= {2}, board
assert all(b["seq"] is not None and b["op"] for b in board), board

# More texts than are kept: the others are counted, which is said; the error that is in one file only is kept.
many = tmp + "/many/log/debug/plog"
os.makedirs(many)
text = "[ERROR] RUNTIME(%d,python3.9):2026-03-14-09:12:07.%03d.000 [a.cc:1]7 Kernel task happen error, retCode=0x31, " \
    "[vector core exception]. " + "x" * 3700 + "\n"
with open(many + "/plog-1000_20260314091200000.log", "w") as f:
    f.writelines(text % (1000, i) for i in range(512))
for i in range(1, 40):
    os.link(many + "/plog-1000_20260314091200000.log", many + "/plog-%d_20260314091200000.log" % (1000 + i))
with open(many + "/plog-9999_20260314091200000.log", "w") as f:
    f.write("[ERROR] RUNTIME(9999,python3.9):2026-03-14-09:12:08.000.000 [a.cc:1]7 Aicore kernel execute failed, "
            "device_id=2, stream_id=3, report_stream_id=3, task_id=9, flip_num=0, fault kernel_name=Last\n")
job = tmp + "/many"
v = json.loads(run("logs", "--format=json", job).stdout)["verdict"]
assert any("lines were only counted" in m for m in v["missing"]), v["missing"]
left = rows("file")
assert sum(f["left_out"] or 0 for f in left) > 1000 and sum(f["errors"] for f in left) == 40 * 512 + 1, left
assert [l["path"][-30:] for l in rows("line", "-f", "kernel=Last")] == ["plog-9999_20260314091200000.log"[-30:]]

job = tmp + "/job"
assert "is one of line, what, hang, file" in run("logs", "--by=ops", job, status=2).stderr
assert "no steps" in run("logs", "--by=line", "--steps=3", job, status=2).stderr
print("%d lines, %d places" % (checked, len(board)))
END
