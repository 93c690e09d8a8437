#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# npuscope op: op types and ops by name against sums made in Python of every single execution, for runs of each
# generation; the document of op_analyse(); names that are not there; ranks by device.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=1 --steps=3 "$tmp/one" || exit 1
"$npuscope" demo -q --gen=1 --steps=3 --raw "$tmp/raw" || exit 1
"$npuscope" demo -q --gen=1 --steps=3 --raw --mode=gpu "$tmp/gpu" || exit 1
"$npuscope" demo -q --gen=1 --steps=3 --raw --mode=cpu "$tmp/cpu" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --size=3000 "$tmp/two" || exit 1
python3 - "$npuscope" "$tmp" <<'END'
import csv, io, json, subprocess, sys
program, tmp = sys.argv[1:]
compared = 0

def run(*args, status=0):
    r = subprocess.run([program, *args], capture_output=True, text=True)
    assert r.returncode == status, (args, r.returncode, r.stderr)
    return r

def rows(text):
    return list(csv.DictReader(io.StringIO(text)))

def executions(where):
    return rows(run("ops", "-q", "--by=exec", "--all-columns", "-F", "csv", where).stdout)

def close(a, b):
    return abs(float(a) - float(b)) <= 1e-9 * max(abs(float(a)), abs(float(b)), 1)

def figures(ex):
    """By core and shape: calls, total, least, most."""
    g = {}
    for x in ex:
        if x["dur_ns"]:
            g.setdefault((x["core"], x["in_shapes"]), []).append(int(x["dur_ns"]))
    return {k: (len(v), sum(v), min(v), max(v)) for k, v in g.items()}

for run_of in "one", "raw", "two":
    where = tmp + "/" + run_of
    ex = executions(where)
    whole = sum(int(x["dur_ns"]) for x in ex if x["core"] not in ("HCCL", "AICPU") and x["dur_ns"])
    name = next(x["op_name"] for x in ex if x["type"] == "Conv2D")
    last = name.split("/")[-1]
    for asked, by, mine in (("Conv2D", "type", [x for x in ex if x["type"] == "Conv2D"]),
                            (name, "op", [x for x in ex if x["op_name"] == name]),
                            (last, "op", [x for x in ex if x["op_name"].split("/")[-1] == last])):
        want = figures(mine)
        got = rows(run("op", asked, "-q", "-F", "csv", where).stdout)
        assert len(got) == len(want) > 0, (run_of, asked, len(got), len(want))
        for r in got:
            n, total, least, most = want[r["core"], r["in_shapes"]]
            assert r["by"] == by and int(r["calls"]) == n and float(r["total_ns"]) == total, (run_of, r, n, total)
            assert close(r["avg_ns"], total / n) and (int(r["min_ns"]), int(r["max_ns"])) == (least, most), r
            assert close(r["share_pct"], 100 * total / whole), (r, 100 * total / whole)
            compared += 6
        doc = json.loads(run("op", asked, "-q", "-F", "json", where).stdout)
        assert set(doc) == {asked, "device_id"} and doc["device_id"] == 0, doc.keys()
        assert sum(x["op_occurrences"] for x in doc[asked]) == sum(v[0] for v in want.values())
        for x in doc[asked]:
            n, total, least, most = want[x["core"] or "", x["input_shape"] or ""]
            assert list(x)[:5] == ["op_side", "input_shape", "op_occurrences", "op_total_time(us)", "op_avg_time(us)"]
            assert x["op_side"] == "ascend" and x["op_total_time(us)"] == round(total / 1000, 4), (x, total)
            assert x["op_avg_time(us)"] == round(total / n / 1000, 4) and x["op_min_time(us)"] == least / 1000
            assert x["op_max_time(us)"] == most / 1000 and x["matched"] == by
            compared += 6
    said = run("op", "Conv2D," + name, "-F", "csv", where).stderr
    assert "'Conv2D' is an op type: %d exec" % sum(v[0] for v in figures([x for x in ex if x["type"] == "Conv2D"]).values()) in said, said
    assert "'%s' is an op:" % name in said, said

# The sums of the profiler where it wrote no executions, and both where some have none.
for run_of, file, unit, core in ("cpu", "cpu_op_detail_info_0.csv", "op_total_time(ms)", "CPU"), \
                               ("gpu", "gpu_op_detail_info_0.csv", "op_total_time(us)", "GPU"):
    table = rows(open("%s/%s/profiler/%s" % (tmp, run_of, file)).read())
    want = sum(int(r["op_occurrences"]) for r in table if r["op_type"] == "Conv2D")
    got = rows(run("op", "Conv2D", "-q", "-F", "csv", tmp + "/" + run_of).stdout)
    # executions of a GPU have the shapes of their launches
    assert {r["core"] for r in got} == {core} and sum(int(r["calls"]) for r in got) == want, (run_of, got, want)
    assert len({r["in_shapes"] for r in got}) == len(got) and (len(got) > 1) == (run_of == "gpu"), got
    doc = json.loads(run("op", "Conv2D", "-q", "-F", "json", tmp + "/" + run_of).stdout)
    assert doc["Conv2D"][0]["op_side"] == core.lower()
    compared += 2
assert rows(run("op", "GetNext", "-q", "-F", "csv", tmp + "/gpu").stdout)[0]["core"] == "CPU"
assert rows(run("op", "Conv2D", "-q", "-F", "csv", tmp + "/gpu").stdout)[0]["min_ns"]

# Delays between launch and run, by type, by op and by name, of the executions asked for.
def delays(ex, key):
    g = {}
    for x in ex:
        if x["delay_ns"] and x["dur_ns"]:
            # communication is on no stream
            g.setdefault(tuple(x[k] or "-" * (k == "stream") for k in key), []).append(int(x["delay_ns"]))
    return g

where = tmp + "/two"
whole = executions(where)
assert sum(x["delay_ns"] != "" for x in whole) > len(whole) / 2
names = "delay_avg_ns,delay_min_ns,delay_max_ns"
last_step = max(x["step"] for x in whole if x["delay_ns"])
for steps in (), ("--steps=" + last_step,):
    ex = [x for x in whole if not steps or x["step"] == last_step]
    for by, key in ("type", ["type", "core"]), ("shape", ["type", "core", "in_shapes"]), ("op", ["op_id"]), \
            ("stream", ["stream", "core"]):
        want = delays(ex, key)
        columns = ",".join(key) + "," + names
        got = rows(run("ops", "-q", "--by=" + by, "--columns=" + columns, "-F", "csv", *steps, where).stdout)
        assert len(want) == sum(r["delay_avg_ns"] != "" for r in got) > 0, (by, steps, len(want))
        for r in got:
            v = want.get(tuple(r[k] for k in key))
            assert v or r["delay_avg_ns"] + r["delay_max_ns"] == "", r
            assert not v or (close(r["delay_avg_ns"], sum(v) / len(v)) and int(r["delay_min_ns"]) == min(v)
                             and int(r["delay_max_ns"]) == max(v)), (r, v)
            compared += 3
want = delays([x for x in whole if x["type"] == "Conv2D"], ["in_shapes"])
for r in rows(run("op", "Conv2D", "-q", "-F", "csv", "--all-columns", where).stdout):
    v = want[r["in_shapes"],]
    assert close(r["delay_avg_ns"], sum(v) / len(v)) and int(r["delay_max_ns"]) == max(v), (r, v)
    compared += 2
top = rows(run("ops", "-q", "--by=exec", "-k", "-delay_ns", "-n", "1", "--columns=delay_ns", "-F", "csv",
               where).stdout)
assert int(top[0]["delay_ns"]) == max(int(x["delay_ns"]) for x in whole if x["delay_ns"])

# Names that are not there.
two = tmp + "/two"
r = run("op", "conv2d", "-q", two, status=1)
assert r.stdout == "" and "no op type and no op of this run is named 'conv2d'; did you mean 'Conv2D'" in r.stderr, r.stderr
r = run("op", "Conv2D,MatMull", "-q", "-F", "csv", two, status=1)
assert "did you mean 'MatMul'" in r.stderr and "Conv2D," in r.stdout, r.stderr
assert set(json.loads(run("op", "Conv2D,it's", "-q", "-F", "json", two, status=1).stdout)) == {"Conv2D", "device_id"}
assert "needs the name" in run("op", ",", two, status=2).stderr

# Devices.
a, b = (run("op", "Conv2D", "-q", "-F", "csv", x, two).stdout for x in ("--rank=1", "--device=1"))
assert a == b and a != run("op", "Conv2D", "-q", "-F", "csv", two).stdout
assert json.loads(run("op", "Conv2D", "-q", "-F", "json", "--device=1", two).stdout)["device_id"] == 1
assert [x["rank"] for x in json.loads(run("op", "Conv2D", "-q", "-F", "json", "--rank=all", two).stdout)] == [0, 1]
assert "no rank here ran on device 9" in run("op", "Conv2D", "-q", "--device=9", two, status=1).stderr
for f in "text", "markdown", "ndjson":
    assert "Conv2D" in run("op", "Conv2D", "-q", "-F", f, two).stdout
assert len(run("op", "Conv2D", "-q", "-F", "json", "-n", "1", two).stdout.splitlines()) > 0
print("%d figures compared" % compared)
END
