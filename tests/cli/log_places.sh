#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Dumps in a folder that all jobs share: those are read that name a process of the run, in the stacks beside them
# or in their own name, and no others.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

python3 - "$npuscope" "$tmp" <<'END'
import glob, json, os, re, shutil, subprocess, sys

program, tmp = sys.argv[1:]
job, shared = tmp + "/job", tmp + "/shared"
env = dict(os.environ)
for name in "TORCH_HCCL_DEBUG_INFO_TEMP_FILE", "TORCH_HCCL_STATUS_SAVE_PATH":
    env.pop(name, None)


def run(*args):
    r = subprocess.run([program, *args], capture_output=True, text=True, env=env)
    assert r.returncode in (0, 4), (args, r.returncode, r.stderr)
    return r.stdout


def read():
    """Names of the dumps that are read, and whether the dumps gave the verdict."""
    logs = json.loads(run("triage", "-q", "--format=json", job))["logs"]
    return sorted(os.path.basename(f["path"]) for f in logs["files"] if f["kind"] in ("flight", "stack", "status"))


run("demo", "-q", "--raw", "--gen=2", "--era=torch_npu", "--fault=hang", "--ranks=3", "--steps=2", "--crashed=2.500", job)
os.mkdir(shared)
dumps = glob.glob(job + "/tmp/*")
names = sorted(os.path.basename(p) for p in dumps)
assert len([n for n in names if n.startswith("hccl_trace")]) >= 4 and read() == names, names
for p in dumps:
    shutil.move(p, shared)
assert not read()
env["TORCH_HCCL_DEBUG_INFO_TEMP_FILE"] = shared + "/hccl_trace_rank_"
env["TORCH_HCCL_STATUS_SAVE_PATH"] = shared
assert read() == names, (read(), names)

# Of another process: neither its stack nor its dump; a dump without a stack names nobody.
stacks = sorted(glob.glob(shared + "/*_py_traceback"))
with open(stacks[0], encoding="utf-8") as f:
    text = f.read()
assert re.match(r"pid: \d+\n", text), text[:40]
when = os.stat(stacks[0])
with open(stacks[0], "w", encoding="utf-8") as f:
    f.write(re.sub(r"^pid: \d+", "pid: 999999", text))
os.utime(stacks[0], ns=(when.st_atime_ns, when.st_mtime_ns))
os.remove(stacks[1])
gone = {os.path.basename(stacks[0]), os.path.basename(stacks[1])}
gone |= {n.replace("_py_traceback", "") for n in gone}
assert read() == sorted(set(names) - gone), (read(), gone)

# Older than the run.
for p in glob.glob(shared + "/*"):
    os.utime(p, (1000000000, 1000000000))
assert not read(), read()
# What is no regular file is not opened.
shutil.rmtree(shared)
os.mkdir(shared)
os.mkfifo(shared + "/hccl_trace_rank_0_py_traceback")
os.symlink("/dev/zero", shared + "/hccl_trace_rank_1_py_traceback")
assert not read(), read()

# A folder that the user names has to be one; the rest of the answer stays.
for wrong, why in (tmp + "/not-there", "No such file or directory"), (program, "no folder"):
    r = subprocess.run([program, "triage", "-q", "--logs=" + wrong, job], capture_output=True, text=True, env=env)
    assert r.returncode == 4 and wrong in r.stderr and why in r.stderr and "Last activity" in r.stdout, (r.stderr, wrong)

# A folder that may not be entered is said to be missing in the verdict.
closed = glob.glob(job + "/**/debug", recursive=True)[0] + "/device-9"
os.makedirs(closed)
os.chmod(closed, 0)
words = [program, "triage", "-q", "--format=json", "--no-cache", job]
if os.getuid() == 0:
    words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *words] if shutil.which("setpriv") else []
if words:
    for d, _, files in os.walk(tmp):
        os.chmod(d, 0o755 if d != closed else 0)
    r = subprocess.run(words, capture_output=True, text=True, env=dict(env, HOME=tmp, XDG_CONFIG_HOME=tmp))
    missing = json.loads(r.stdout)["logs"]["verdict"]["missing"]
    assert "1 folder could not be entered: " + closed in missing, (missing, r.stderr[-300:])
os.chmod(closed, 0o755)
print("log_places: %d dumps" % len(names))
END
