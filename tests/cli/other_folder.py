# SPDX-License-Identifier: Apache-2.0
"""What a PROF folder lost another one of the run still has (doc/formats/prof-quirks.md#lost-clocks).

usage: other_folder.py NPUSCOPE WORK

A demo gets a second PROF folder, begun APART_S before or after it, whose device counted DRIFT faster than the host. Its
rows must be those of the run, and be marked with a bound that holds where they are not sure.
"""
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys

DRIFT = 20e-6
SQL = ("select stream, task, context, ts_ns + (select origin_ns from rank) as t0, dur_ns, ts_err_ns, damage from op_exec "
       "order by id")


class Run:
    def __init__(self, program, work):
        self.program, self.work = program, work
        self.dir = os.path.join(work, "run")
        self.env = dict(os.environ, XDG_CACHE_HOME=os.path.join(work, "cache"))

    def make(self):
        for d in (self.dir, self.env["XDG_CACHE_HOME"]):
            shutil.rmtree(d, ignore_errors=True)
        words = ["--raw", "--gen=2", "--ranks=1", "--steps=2", "--size=60"]
        subprocess.run([self.program, "demo", "-q", *words, self.dir], check=True)
        self.prof = glob.glob(self.dir + "/**/PROF_*", recursive=True)[0]

    def rows(self):
        shutil.rmtree(self.env["XDG_CACHE_HOME"], ignore_errors=True)
        p = subprocess.run([self.program, "query", "-q", "-F", "csv", SQL, self.dir], capture_output=True, text=True,
                           env=self.env)
        if p.returncode not in (0, 4):
            raise AssertionError("status %d: %s" % (p.returncode, p.stderr[-400:]))
        return {(r["stream"], r["task"], r["context"]): r for r in csv.DictReader(io.StringIO(p.stdout))}

    def add_other(self, apart_s):
        """Only its info files are left, as of a run that died before it wrote any record."""
        number = "PROF_000002" if apart_s > 0 else "PROF_000000"
        other = self.prof.replace("PROF_000001", number)
        for part in ("host", "device_0"):
            os.makedirs(os.path.join(other, part))
            for f in glob.glob(os.path.join(self.prof, part, "*")):
                if os.path.isfile(f):
                    shutil.copy(f, os.path.join(other, part))
        ns = apart_s * 1000000000
        with open(glob.glob(other + "/device_0/info.json*")[0]) as f:
            info = json.load(f)
        device_hz = float(info["DeviceInfo"][0]["hwts_frequency"]) * 1e6
        host_hz = float(info["CPU"][0]["Frequency"]) * 1e6
        for f in glob.glob(other + "/*/*start*"):
            with open(f) as g:
                text = g.read()
            hz = device_hz * (1 + DRIFT) if "dev_start" in f else host_hz
            text = re.sub(r"(cntvct: *)(\d+)", lambda m: m[1] + str(int(m[2]) + int(apart_s * hz)), text)
            text = re.sub(r"(clock_(?:monotonic_raw|realtime): *|clockMonotonicRaw\": \")(\d+)",
                          lambda m: m[1] + str(int(m[2]) + ns), text)
            text = re.sub(r"(collectionTimeBegin\": \")(\d+)", lambda m: m[1] + str(int(m[2]) + ns // 1000), text)
            with open(f, "w") as g:
                g.write(text)

    def lose(self, *names):
        for name in names:
            found = glob.glob(os.path.join(self.prof, name))
            if not found:
                raise AssertionError("nothing is called " + name)
            for f in found:
                os.remove(f)


LOST = (
    # files, the greatest bound in ns; 0: rows must have no mark
    (("device_0/dev_start.log*",), 10100000),
    (("device_0/dev_start.log*", "device_0/host_start.log*"), 10100000),
    (("device_0/host_start.log*",), 10100000),
    (("device_0/info.json*",), 0),
    (("host/host_start.log*", "device_0/host_start.log*"), 10100000),
    (("host/host_start.log*",), 0),
)


def judge(run, whole, bound):
    rows = run.rows()
    if rows.keys() != whole.keys():
        return "%d rows instead of %d" % (len(rows), len(whole))
    for key, r in rows.items():
        off = abs(int(r["t0"]) - int(whole[key]["t0"]))
        if r["dur_ns"] != whole[key]["dur_ns"] or (not bound and (off or r["damage"])):
            return "%s: %s instead of %s" % (key, r, whole[key])
        if bound and (r["damage"] != "time" or not r["ts_err_ns"] or off > int(r["ts_err_ns"]) or
                      int(r["ts_err_ns"]) > bound):
            return "%s: off by %d ns: %s" % (key, off, r)
    return None


def main():
    run, failed = Run(os.path.abspath(sys.argv[1]), sys.argv[2]), 0
    run.make()
    whole = run.rows()
    if not whole or any(r["damage"] for r in whole.values()):
        print("the whole run has no rows, or marked ones")
        return 1
    for apart_s in (-100, 100):
        for names, bound in LOST:
            run.make()
            run.add_other(apart_s)
            run.lose(*names)
            said = judge(run, whole, bound)
            if said:
                failed += 1
                print("FAIL without %s, other folder %d s apart: %s" % (", ".join(names), apart_s, said))
    print("other_folder: %d cases, %d failed" % (2 * len(LOST), failed))
    return 1 if failed else 0


sys.exit(main())
