#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A host whose logs are of another zone than those of its containers: a process that the kernel killed and the
# launcher saw end says by how much. Without one, or where two of them disagree, nothing is assumed.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

python3 - "$npuscope" "$tmp" <<'END'
import datetime, glob, json, re, subprocess, sys

program, tmp = sys.argv[1:]


def run(*args):
    r = subprocess.run([program, *args], capture_output=True, text=True)
    assert r.returncode in (0, 4), (args, r.returncode, r.stderr)
    return r.stdout


def change(path, edit):
    with open(path, encoding="utf-8") as f:
        lines = [edit(x) for x in f]
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(lines)


def later(minutes):
    def edit(line):
        m = re.match(r"(\w{3} [ \d]\d \d\d:\d\d:\d\d)( .*)", line, re.S)
        t = datetime.datetime.strptime("2026 " + m.group(1), "%Y %b %d %H:%M:%S")
        t += datetime.timedelta(minutes=minutes)
        return "%s %2d %s%s" % (t.strftime("%b"), t.day, t.strftime("%H:%M:%S"), m.group(2))
    return edit


def verdict(job):
    return json.loads(run("logs", "-q", "--format=json", job))["verdict"]


checked = 0
for seed, minutes in (1, -480), (2, 480), (3, 330), (4, -300), (5, 0), (6, 7):
    job = tmp + "/job%d" % seed
    run("demo", "-q", "--raw", "--gen=2", "--era=torch_npu", "--fault=host_oom", "--ranks=4", "--servers=2",
        "--steps=2", "--seed=%d" % seed, "--crashed=2.400", "--truth=" + tmp + "/truth.json", job)
    with open(tmp + "/truth.json", encoding="utf-8") as f:
        truth = json.load(f)
    before = verdict(job)
    for path in glob.glob(job + "/*/messages"):
        change(path, later(minutes))
        # the kernel of the host has other pids than its containers
        change(path, lambda x: re.sub(r"Killed process \d+", "Killed process 3141592", x) if seed % 2 else x)
    v = verdict(job)
    server = "worker-%d" % truth["ranks"][truth["root_ranks"][0]]["server"]
    zone = next(c for c in v["clocks"] if c["server"] == server)
    if minutes % 30 == 0:
        assert (v["class"], v["ranks"]) == ("hoom", truth["root_ranks"]), (seed, v["class"], v["ranks"])
        assert zone["host_zone_min"] == (480 + minutes if minutes else None), (seed, zone)
        assert v["first_error"]["ts_ns"] == before["first_error"]["ts_ns"], (seed, v["first_error"])
        assert ("the logs of the host of " + server in run("logs", "-q", job)) == bool(minutes)
    else:  # of no zone: another event
        assert zone["host_zone_min"] is None, (seed, zone)
    checked += 1
print("host_zone: %d zones" % checked)
END
