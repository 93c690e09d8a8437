#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --anonymise of export, timeline and report: no name of the run is left in any byte of what is shared, the key maps
# every one back, and a second run with the key gives the same aliases. Runs of each generation, below folders
# that carry the name of a user; where the samples are at hand a run of torch_npu with Python's call stacks, too.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

home=$tmp/home/qalice77/secretproject
mkdir -p "$home" || exit 1
"$npuscope" demo -q --gen=1 --steps=2 "$home/one" || exit 1
# Slow programs have a sample of the runs.
[ -n "${NPUSCOPE_TEST_SLOW:-}" ] || "$npuscope" demo -q --gen=1 --steps=2 --raw "$home/raw" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --size=2000 "$home/two" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --raw "$home/rawtwo" || exit 1
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}
sample=$samples/data/outputs/msinsight-text/level1/rank0_ascend_pt
[ -d "$sample" ] && cp -r "$sample" "$home/torch" && chmod -R u+w "$home/torch"
python3 - "$npuscope" "$tmp" "$home" <<'END'
import csv, io, json, os, re, shutil, sqlite3, stat, subprocess, sys
program, tmp, home = sys.argv[1:]
names_checked = mapped = 0

def run(*args, status=0):
    r = subprocess.run([program, *args], capture_output=True, text=True)
    assert r.returncode == status, (args, r.returncode, r.stderr)
    return r

def query(where, sql):
    out = run("query", "-q", "-F", "csv", "--no-header", "--rank=0", sql, where).stdout
    return [r[0] for r in csv.reader(io.StringIO(out)) if r]

def key_of(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
        lines = f.read().split("\n")
    assert lines[0] == "npuscope key 1" and lines[-1] == "", lines[0]
    pairs = [line.split("\t") for line in lines[1:-1]]
    key = {a: re.sub(r"\\x(..)", lambda m: chr(int(m[1], 16)), n) for a, n in pairs}
    assert len(key) == len(pairs) == len(set(key.values())), "a name or an alias twice"
    return key

def tree(path):
    out = {}
    for d, _, files in os.walk(path):
        for f in files:
            with open(os.path.join(d, f), "rb") as x:
                out[os.path.relpath(os.path.join(d, f), path)] = x.read()
    return out

def secrets(where):
    """Every full name of the run that says more than its op type."""
    def texts(*columns):
        uses = " union ".join("select %s from %s" % tuple(c.split(" ")) for c in columns)
        return set(query(where, "select text from string where id in (%s)" % uses))
    names = texts("name_id op", "scope_id op", "name_id op_stat", "name_id mem_alloc", "stack_id host_op",
                  "name_id comm_exec", "full_name_id mem_node", "name_id mem_tensor")
    types = texts("type_id op", "type_id op_stat", "type_id host_op", "name_id api_stat", "type_id comm_exec")
    words = {"Default", "Gradients", "host", "device", "data", "unknown", "total", "Total Op Info"}
    found = {x for x in names - types - words if re.search("[A-Za-z]", x)}
    return {x for x in found if not re.fullmatch(r"(aten|torch|c10d|npu)::[\w:.#]*|ProfilerStep[\w#]*", x)}

def hosts(where):
    return set(query(where, "select host from rank where host is not null union select value from setting "
                            "where key like '%hostname' and value <> ''"))

def parts_of(data):
    """Its words, as the parts of names are: "conv1-Conv2d", "train.py(33)"."""
    data = re.sub(rb"\b(aten|torch|torch_npu|c10d|npu|autograd::engine)::[\w:.#]+", b"", data)  # public
    return set(re.split(rb"[^A-Za-z0-9_.()-]+", data))

for name in sorted(os.listdir(home)):
    where, key_file = os.path.join(home, name), os.path.join(tmp, name + ".key")
    shared = os.path.join(tmp, name + ".shared")
    secret = secrets(where) | hosts(where) | {"qalice77", "secretproject", home}
    assert len(secret) > 100, (name, len(secret))
    plain = os.path.join(tmp, name + ".plain")
    run("export", "-q", "--output=" + plain, where)
    said = run("export", "--output=" + shared, "--anonymise=" + key_file, where)
    assert "names" in said.stderr and "ops.type.csv" in said.stdout, said
    assert stat.S_IMODE(os.stat(key_file).st_mode) == 0o600
    key = key_of(key_file)
    first = tree(shared)

    # The same files, and with the key the same bytes, but for the order of what is sorted by name.
    was = tree(plain)
    assert set(was) == set(first), set(was) ^ set(first)
    back = re.compile(r"(?:\w+-)?(?:op|path|host|user)_anon\d+")
    for f in was:
        text = back.sub(lambda m: key[m[0]], first[f].decode("utf-8", "surrogateescape"))
        want = was[f].decode("utf-8", "surrogateescape")
        if f == "data.stage.csv":  # a column of free text is left out
            continue
        if f in ("memory.alive.csv", "memory.alive_type.csv") and "cann::" in want:
            continue  # a type that only a name says, which is an alias
        assert sorted(text.split("\n")) == sorted(want.split("\n")), (name, f)
        mapped += 1

    # Other formats, the database; the second run adds no name.
    outputs = {"csv": first}
    for form in ("json", "ndjson", "markdown", "text") if name in ("two", "torch") else ("json",):
        d = os.path.join(tmp, "%s.%s" % (name, form))
        run("export", "-q", "--output=" + d, "-F", form, "--anonymise=" + key_file, where)
        outputs[form] = tree(d)
    again = os.path.join(tmp, name + ".again")
    run("export", "-q", "--output=" + again, "--anonymise=" + key_file, where)
    assert tree(again) == first and key_of(key_file) == key, name
    db = os.path.join(tmp, name + ".db")
    said = run("export", "--rank=0", "--db=" + db, "--anonymise=" + key_file, where)
    assert " 0 of them new" in said.stderr, said.stderr
    with open(db, "rb") as f:
        outputs["db"] = {"db": f.read()}
    c = sqlite3.connect(db)
    assert c.execute("select count(*) from op_exec").fetchone()[0] > 0, name
    assert c.execute("select count(value) from doc").fetchone()[0] == 0, name
    c.close()

    # A trace, and the events as a table: nothing but names differs, and the key has them all.
    for form, options in ("trace", ["--chrome"]), ("events", ["-F", "csv", "--all-columns"]):
        made = [os.path.join(tmp, name + "." + form + str(i)) for i in (0, 1)]
        run("timeline", "-q", *options, "--rank=all", "-o", made[0], where)
        said = run("timeline", *options, "--rank=all", "-o", made[1], "--anonymise=" + key_file, where)
        assert " names, " in said.stderr, said.stderr
        key = key_of(key_file)
        was, now = (open(f, encoding="utf-8", errors="surrogateescape").read() for f in made)
        text = back.sub(lambda m: key[m[0]], now)
        assert text == was and (now != was or name == "rawtwo"), (name, form, len(text), len(was))
        outputs[form] = {form: now.encode("utf-8", "surrogateescape")}
        if form == "trace":
            assert len(json.loads(now)["traceEvents"]) > 100, name
        mapped += 1

    # A report: the same rows, also those that no store has (state, evidence, findings of the inventory).
    def rows_of(report):
        """Its tables as sorted texts: what is sorted by name lies elsewhere."""
        return {t: sorted(json.dumps(r, sort_keys=True) for r in rows) if isinstance(rows, list) else rows
                for t, rows in json.loads(report).items()}
    report = ["report", "-q", "--rank=all", "--top=1000000"]
    was = run(*report, "-F", "json", where).stdout
    now = run(*report, "-F", "json", "--anonymise=" + key_file, where).stdout
    key = key_of(key_file)
    assert now != was and rows_of(back.sub(lambda m: key[m[0]], now)) == rows_of(was), (name, "report")
    outputs["report.json"] = {"report": now.encode("utf-8", "surrogateescape")}
    for form in "text", "markdown", "ndjson":
        out = os.path.join(tmp, name + ".report." + form)
        run(*report, "-F", form, "-o", out, "--anonymise=" + key_file, where)
        outputs["report." + form] = {form: open(out, "rb").read()}
    assert key_of(key_file) == key, name
    mapped += 1
    parts = {s.encode("utf-8", "surrogateescape") for s in key.values() if len(s) >= 8 and not s.isalpha()}
    for form, files in outputs.items():
        data = b"\n".join(files.values())
        for s in secret:
            assert s.encode("utf-8", "surrogateescape") not in data, (name, form, s)
            names_checked += 1
        left = parts & parts_of(data)
        assert not left, (name, form, sorted(left)[:5])
    # op types stay
    assert b"Conv2D" in first["ops.type.csv"], name

# Ranks of one run share aliases.
d = os.path.join(tmp, "ranks")
run("export", "-q", "--rank=all", "--output=" + d, "--anonymise=" + tmp + "/ranks.key", home + "/two")
rows = list(csv.DictReader(io.StringIO(tree(d)["ops.op.csv"].decode())))
by = {r: {x["op_name"] for x in rows if x["rank"] == r} for r in ("0", "1")}
assert by["0"] == by["1"] and len(by["0"]) > 50

# Ranks that were read before are compared with, not written: the same verdict, no name of theirs.
job = os.path.join(tmp, "job")
run("demo", "-q", "--gen=2", "--steps=8", "--size=4000", "--ranks=4", job)
run("import", "-q", "--rank=all", job)
for form in "json", "text":
    was = run("report", "-q", "--rank=0", "-F", form, job).stdout
    now = run("report", "-q", "--rank=0", "-F", form, "--anonymise=" + tmp + "/job.key", job).stdout
    key = key_of(tmp + "/job.key")
    assert "rank 3 is late" in was and now != was, was[:800]
    text = back.sub(lambda m: key[m[0]], now)
    if form == "json":
        assert rows_of(text) == rows_of(was)
    for s in secrets(job) | set(os.listdir(job)):
        assert s not in now, (form, s)

# The key stays with its owner.
def refused(key, *output, says, status=2):
    r = run("export", "-q", *output, "--anonymise=" + key, home + "/two", status=status)
    assert says in r.stderr, r.stderr
for sub in "", "/deep/er":
    os.makedirs(tmp + "/out" + sub, exist_ok=True)
    refused(tmp + "/out" + sub + "/key", "--output=" + tmp + "/out", says="would lie in what is shared")
    assert not os.path.exists(tmp + "/out" + sub + "/key")
os.symlink(tmp + "/out", tmp + "/link")
refused(tmp + "/link/key", "--output=" + tmp + "/out", says="would lie in what is shared")
refused(tmp + "/out/key", "--output=" + tmp + "/link", says="would lie in what is shared")
refused(tmp + "/new/key", "--output=" + tmp + "/new", says="folder of the key file is not there", status=1)
refused(tmp + "/x.db", "--db=" + tmp + "/x.db", says="would lie in what is shared")
refused(home + "/two/key", "--output=" + tmp + "/fresh", says="would lie in the profile")
same = "-o", tmp + "/t.key", "--anonymise=" + tmp + "/t.key"
r = run("timeline", "--chrome", *same, home + "/two", status=2)
assert "would lie in what is shared" in r.stderr and not os.path.exists(tmp + "/t.key"), r.stderr
r = run("timeline", "--chrome", "--anonymise=" + home + "/two/key", home + "/two", status=2)
assert "would lie in the profile" in r.stderr and not r.stdout, r.stderr
# Forms that have none say what has: msprof's, and a report.
for form in "summary", "timeline", "db":
    r = run("export", form, "-dir", home, "--anonymise=" + tmp + "/x.key", status=1)
    assert "npuscope timeline --chrome PATH" in r.stderr and not os.path.exists(tmp + "/x.key"), r.stderr
r = run("triage", "--anonymise=" + tmp + "/x.key", home + "/two", status=2)
assert "'report', 'timeline', 'export' and 'bundle' do" in r.stderr, r.stderr
r = run("report", "--anonymise=" + home + "/two/key", home + "/two", status=2)
assert "would lie in the profile" in r.stderr and not r.stdout, r.stderr
r = run("report", "-o", tmp + "/r.key", "--anonymise=" + tmp + "/r.key", home + "/two", status=2)
assert "would lie in what is shared" in r.stderr and not os.path.exists(tmp + "/r.key"), r.stderr

# What is damaged is named in sentences that no store has: the folders in them, too; a second rank is compared.
hurt = os.path.join(home, "hurt")
shutil.copytree(home + "/two", hurt)
for d, _, files in os.walk(hurt):
    for f in files:
        if f == "trace_view.json" or f.startswith("msprof_"):
            os.truncate(os.path.join(d, f), os.path.getsize(os.path.join(d, f)) // 2)
folder = sorted(os.listdir(hurt))[0]
prof = next(f for f in os.listdir(os.path.join(hurt, folder)) if f.startswith("PROF_"))
run("import", "-q", "--rank=all", hurt, status=4)
for form in "text", "json":
    r = run("report", "-F", form, "--anonymise=" + tmp + "/hurt.key", hurt, status=4)
    assert "TORN" in r.stdout and "trace_view.json" in r.stdout, r.stdout
    for s in "qalice77", "secretproject", folder, prof, prof.split("_")[-1]:
        assert s not in r.stdout, (form, s)
assert not os.path.exists(tmp + "/fresh")

# A file that is no key, or is cut, is left as it is.
for text, says in ("my notes\n", "no key file"), ("npuscope key 1\nop_anon1\tx", "cut"), \
        ("npuscope key 1\nop_anon1\tx\nop_anon2\tx\n", "twice"), ("npuscope key 1\nop_anon1 x\n", "line 2"), \
        ("npuscope key 1\nop_anon1\t\\x4\n", "line 2"):
    with open(tmp + "/bad.key", "w") as f:
        f.write(text)
    r = run("export", "-q", "--output=" + tmp + "/fresh", "--anonymise=" + tmp + "/bad.key", home + "/two",
            status=1)
    assert says in r.stderr, r.stderr
    assert open(tmp + "/bad.key").read() == text and not os.path.exists(tmp + "/fresh")
print("%d names looked for, %d files mapped back" % (names_checked, mapped))
END
