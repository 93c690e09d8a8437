#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# export says what it wrote and where, with rows and bytes; -o - is standard output and has nothing else.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=2 --steps=2 --size=2000 "$tmp/two" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --raw "$tmp/raw" || exit 1
python3 - "$npuscope" "$tmp" <<'END'
import csv, io, json, os, re, sqlite3, subprocess, sys
program, tmp = os.path.abspath(sys.argv[1]), sys.argv[2]
two, checked = tmp + "/two", 0

def run(*args, status=0):
    r = subprocess.run([program, *args], capture_output=True, text=True, cwd=tmp)
    assert r.returncode == status, (args, r.returncode, r.stderr)
    return r

def table(text):
    return list(csv.DictReader(io.StringIO(text)))

# A folder: every file that is there, none that is not.
for form in "csv", "json":
    r = run("export", "--rank=0", "--output=" + form, "-F", form, two)
    said = table(r.stdout) if form == "csv" else json.loads(r.stdout)
    there = sorted(form + "/" + f for f in os.listdir(tmp + "/" + form))
    assert sorted(x["file"] for x in said) == there, said
    for x in said:
        path = os.path.join(tmp, x["file"])
        with open(path, encoding="utf-8", newline="") as f:
            rows = len(list(csv.reader(f))) - 1 if form == "csv" else len(json.load(f))
        assert int(x["rows"]) == rows > 0 and int(x["size_b"]) == os.path.getsize(path), (x, rows)
        checked += 2
    assert "wrote %d files below %s" % (len(said), form) in r.stderr, r.stderr
text = run("export", "--rank=0", "--output=text", two).stdout
assert re.search(r"^File +Rows +Size$", text, re.M), text
assert re.search(r"^text/ops\.type\.csv +\d+ +[\d.]+ [KM]?i?B$", text, re.M), text

# A database: the rows of all its tables.
said = table(run("export", "--rank=0", "--db=plain.db", "-F", "csv", two).stdout)
c = sqlite3.connect(tmp + "/plain.db")
names = [x[0] for x in c.execute("select name from sqlite_master where type = 'table'")]
rows = sum(c.execute('select count(*) from "%s"' % n).fetchone()[0] for n in names)
c.close()
size = os.path.getsize(tmp + "/plain.db")
assert said == [{"file": "plain.db", "rows": str(rows), "size_b": str(size)}], said

# -q says nothing.
r = run("export", "-q", "--rank=0", "--output=quiet", two)
assert r.stdout == r.stderr == "", r
r = run("export", "-q", "--rank=0", "--db=quiet.db", two)
assert r.stdout == r.stderr == "", r

# Standard output: the tables alone, as in the files.
whole = json.loads(run("export", "--rank=0", "-o", "-", "-F", "json", two).stdout)
for f in os.listdir(tmp + "/json"):
    with open(os.path.join(tmp, "json", f), encoding="utf-8") as x:
        assert whole[f[:-5]] == json.load(x), f
    checked += 1
assert len(whole) == len(os.listdir(tmp + "/json"))
tables = run("export", "--rank=0", "-o", "-", two).stdout.split("\n\n")
files = {}
for f in os.listdir(tmp + "/csv"):
    with open(os.path.join(tmp, "csv", f), encoding="utf-8", newline="") as x:
        files[f] = x.read().rstrip("\n")
assert sorted(t.rstrip("\n") for t in tables) == sorted(files.values())
assert not os.path.exists(tmp + "/-")
r = run("export", "--db=-", two, status=2)
assert "cannot go to standard output" in r.stderr and not os.path.exists(tmp + "/-")
for args in ["ops", two], ["report", two], ["help", "columns"], ["pretty", tmp + "/json/ops.type.json"]:
    assert run(*args, "-o", "-").stdout == run(*args).stdout != "", args
    checked += 1
assert not os.path.exists(tmp + "/-")
run("ops", "-q", "-o", "./-", two)
os.remove(tmp + "/-")

# What is written in msprof's forms.
folders = [os.path.join(d, n) for d, names, _ in os.walk(tmp + "/raw") for n in names]
prof = next(f for f in folders if "/PROF_" in f)
for words in ["export", "summary"], ["export", "timeline"], ["export", "db"], ["analyze"]:
    out = os.path.join(tmp, "ms-" + words[-1])
    lines = run(*words, "-dir", prof, "--output=" + out).stdout.splitlines()
    said = sorted(line.split("  ")[0] for line in lines)
    assert said == sorted(os.path.join(d, f) for d, _, fs in os.walk(out) for f in fs), (words, said)
    checked += len(said)
print("%d figures and files checked" % checked)
END
