#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bundle: what is in it is what the commands print and the files hold, its list is printed before it is written, it
# stays below its limit, nothing goes into the profile unasked, and with --anonymise no name of the run is in it.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

home=$tmp/home/qalice77/secretproject
mkdir -p "$home" || exit 1
"$npuscope" demo -q --raw --gen=2 --ranks=2 --crashed=60% --fault=aicore "$home/died" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --size=2000 "$home/fine" || exit 1
python3 - "$npuscope" "$tmp" "$home" <<'END'
import gzip, io, os, re, shutil, subprocess, sys, tarfile
program, tmp, home = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
died, fine = home + "/died", home + "/fine"
env = dict(os.environ, MS_TEST_PLAIN="12", HCCL_TOKEN_X="hunter2", MASTER_ADDR="qhost.example", RANK_TABLE_FILE=home)

def run(*args, status=0, cwd=tmp, text=True):
    r = subprocess.run([program, *args], capture_output=True, text=text, cwd=cwd, env=env)
    assert r.returncode == status, (args, r.returncode, r.stderr)
    return r

def members(data):
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as t:
        files = t.getmembers()
        tops = {f.name.split("/")[0] for f in files}
        assert len(tops) == 1 and all(f.isreg() and f.mode == 0o600 for f in files), files
        names = [f.name.split("/", 1)[1] for f in files]
        assert len(names) == len(set(names)) and names[0] == "README.txt", names
        return tops.pop(), {n: t.extractfile(f).read() for n, f in zip(names, files)}

def read(path):
    with open(path, "rb") as f:
        return f.read()

def tree(path):
    return {os.path.join(d, f): read(os.path.join(d, f)) for d, _, files in os.walk(path) for f in files}

# A run that died: results, logs, heads, the host.
before = tree(died)
r = run("bundle", "-o", "a.tar.gz", died, status=4)
top, m = members(read(tmp + "/a.tar.gz"))
assert re.fullmatch(r"npuscope-died-\d{8}T\d{6}Z", top), top
assert tree(died) == before, "something was written into the profile"
commands = {"triage.json": ["triage", "--format=json"], "report.md": ["report", "-F", "markdown", "--rank=all"],
            "files.csv": ["files", "-F", "csv", "--all-columns", "--rank=all"]}
for name, args in commands.items():
    alone = run(*args, "-q", died, status=0 if args[0] == "files" else 4).stdout
    assert m[name].decode() == alone, name
assert b"rank" in m["triage.txt"] and b"AI Core" in m["logs.txt"] + m["logs.json"] and b"npuscope" in m["version.txt"]
first = m["first-error.txt"].decode().split("\n")
path, line = first[0].rsplit(":", 1)
said = read(os.path.join(died, path)).decode().split("\n")[int(line) - 1]
assert any(l.startswith(">") and said in l for l in first), first[:9]
logs = [n for n in m if n.startswith("logs/")]
assert len(logs) >= 8, logs
for n in logs:
    assert m[n] == read(os.path.join(died, n[len("logs/"):])), n
heads = [n for n in m if n.startswith("profile/")]
cut = 0
for n in heads:
    whole = read(os.path.join(died, re.sub(r"\.head$", "", n[len("profile/"):])))
    assert m[n] == whole[:len(m[n])] and (len(m[n]) == len(whole)) == (not n.endswith(".head")), n
    cut += n.endswith(".head")
assert len(heads) > 40 and cut > 5, (len(heads), cut)
host = m["host.txt"].decode()
assert "MS_TEST_PLAIN=12\n" in host and "MASTER_ADDR=qhost.example\n" in host and "hunter2" not in host, host
readme = m["README.txt"].decode()
assert all(n in readme for n in m if n != "README.txt"), "a member that the list does not have"
assert "triage.txt" in r.stdout and re.search(r"\d+ files or parts of them +profile/", r.stdout), r.stdout
assert "wrote a.tar.gz" in r.stderr, r.stderr

# The list alone, and the archive to standard output.
shutil.rmtree(tmp + "/only", ignore_errors=True)
os.mkdir(tmp + "/only")
listed = run("bundle", "--list", died, status=4, cwd=tmp + "/only").stdout
assert not os.listdir(tmp + "/only") and all(n in listed for n in m if n != "README.txt"), listed
_, again = members(run("bundle", "-o", "-", died, status=4, text=False).stdout)
assert again.keys() == m.keys() and again["triage.json"] == m["triage.json"]

# Its own name, in the current folder, but not in the profile.
run("bundle", died, status=4, cwd=tmp + "/only")
assert [re.sub(r"\d", "0", f) for f in os.listdir(tmp + "/only")] == ["npuscope-died-00000000T000000Z.tar.gz"]
inside = [d for d, _, f in os.walk(died) if d.endswith("_ascend_ms")][0]
assert "--output" in run("bundle", ".", status=2, cwd=inside).stderr
assert tree(died) == before
run("bundle", "-o", tmp + "/no/such/a.tar.gz", died, status=1)

# A limit leaves the results, and says what is missing.
_, small = members(run("bundle", "--limit=200kB", "-o", "-", died, status=4, text=False).stdout)
assert sum(len(x) for x in small.values()) <= 200000, sum(len(x) for x in small.values())
assert "triage.txt" in small and "first-error.txt" in small and b"above --limit" in small["README.txt"]
run("bundle", "--limit=3", died, status=2)

# Long logs: their first and last lines, also of a packed one; an error in the middle is in first-error.txt.
noise = b"".join(b"[INFO] line %d of a long log\n" % i for i in range(60000))
for path in [n[len("logs/"):] for n in logs if "worker_1" in n]:
    with open(os.path.join(died, path), "ab") as f:
        f.write(noise)
with gzip.open(died + "/msrun_log/worker_7.log.gz", "wb") as f:
    f.write(b"worker 7 begins\n" + noise + b"worker 7 ends\n")
_, long = members(run("bundle", "-o", "-", died, status=4, text=False).stdout)
x = long["logs/msrun_log/worker_1.log"]
assert len(x) < 300000 and x.endswith(b"line 59999 of a long log\n") and b"bytes are left out here]\n[INFO] line" in x
x = long["logs/msrun_log/worker_7.log.gz"]
assert x.startswith(b"worker 7 begins\n") and x.endswith(b"worker 7 ends\n") and len(x) < 300000

# Logs without a profile.
os.mkdir(tmp + "/logs")
shutil.copytree(died + "/msrun_log", tmp + "/logs/msrun_log")
shutil.copytree(died + "/log", tmp + "/logs/log")
_, alone = members(run("bundle", "-o", "-", tmp + "/logs", text=False).stdout)
assert "logs.txt" in alone and "triage.txt" not in alone and "host.txt" in alone
assert any(n.startswith("logs/log/") for n in alone) and not any(n.startswith("profile/") for n in alone)
assert "hold names" in run("bundle", "--anonymise=k", tmp + "/logs", status=2).stderr
os.mkdir(tmp + "/nothing")
assert "neither a profile nor logs" in run("bundle", tmp + "/nothing", status=1).stderr

# A healthy run has no logs, which is said.
_, well = members(run("bundle", "-o", "-", fine, text=False).stdout)
assert "report.md" in well and "logs.txt" not in well and b"logs: none were found" in well["README.txt"]

# No name of the run is left.
names = [b"qalice77", b"secretproject", b"qhost", b"hunter2", b"20260314091207", os.uname().nodename.encode()]
for where, status in ((died, 4), (fine, 0)):
    _, hidden = members(run("bundle", "--anonymise=" + tmp + "/key", "-o", "-", where, status=status, text=False).stdout)
    key = read(tmp + "/key").decode(errors="surrogateescape").split("\n")[1:-1]
    ops = [l.split("\t")[1].encode(errors="surrogateescape") for l in key if l.startswith("op_")]
    assert len(ops) > 20, len(ops)
    text = b"\n".join(hidden[n] for n in hidden if n != "version.txt" and not n.startswith("host/"))
    for name in names + [o for o in ops if len(o) > 8]:
        assert name not in text, (where, name)
    assert "triage.txt" not in hidden and not any(n.startswith(("logs", "profile/")) for n in hidden)
    assert b"MS_TEST_PLAIN=12" in hidden["host.txt"] and b"MASTER_ADDR=(set, not shown)" in hidden["host.txt"]
print("bundle:", len(m), "members,", len(logs), "logs,", len(heads), "heads")
END
