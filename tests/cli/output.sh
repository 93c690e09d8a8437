#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# "-o -" is standard output for every command that writes one thing: the same bytes as without, and no file
# of that name. What writes several files, or a database, says that it cannot go there. Every command is
# tried: one that is new has to be put here.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=2 --steps=2 --size=2000 "$tmp/run" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --raw --ranks=1 "$tmp/raw" || exit 1
"$npuscope" demo -q --gen=2 --steps=2 --size=2000 --raw --fault=killed "$tmp/died" || exit 1
mkdir "$tmp/cwd"
python3 - "$npuscope" "$tmp" <<'END'
import glob, os, re, subprocess, sys

program, tmp = os.path.abspath(sys.argv[1]), sys.argv[2]
run, raw, died, cwd = tmp + "/run", tmp + "/raw", tmp + "/died", tmp + "/cwd"
prof = glob.glob(raw + "/*/PROF_*")[0]
info = glob.glob(run + "/*/profiler_info_0.json")[0]
checked = 0


def call(*args):
    global checked
    checked += 1
    r = subprocess.run([program, *args], cwd=cwd, capture_output=True, stdin=subprocess.DEVNULL)
    left = os.listdir(cwd)
    assert not left, (args, left)
    return r.returncode, r.stdout, r.stderr.decode()


# Arguments of each command; None: it has no output of its own, or two (bundle.sh has that of bundle), or what it prints
# changes by itself, as free memory (doctor.sh).
commands = {
    "report": [run], "triage": [run], "files": [run], "ops": [run], "op": ["Conv2D", run], "steps": [run],
    "timeline": [run], "flops": [run], "memory": [run], "data": [run], "comm": [run], "host": [run],
    "logs": [died], "query": ["select count(*) from op", run], "import": ["-q", run], "windows": [run],
    "config": [], "configure": [], "pretty": [info], "schema": [], "cache": ["list"], "help": ["columns"],
    "export": None, "analyse": None, "demo": None, "bundle": None, "doctor": None,
}
known = call("help")[1].decode().split("\nCommands\n")[1].split("\n\n")[0]
listed = re.findall(r"^  ([a-z]+) ", known, re.M)
assert sorted(set(listed)) == sorted(commands), set(listed) ^ set(commands)
call("import", "-q", run)
forms = [("timeline", "--chrome", run), ("report", "-F", "json", run), ("triage", "-F", "ndjson", run),
         ("configure", "--list"), ("configure", "--check", "{}"), ("cache",), ("help", "--man=npuscope")]
for args in forms + [(c, *a) for c, a in commands.items() if a is not None]:
    plain = call(*args)
    for dash in ("-o", "-"), ("-o-",), ("--output=-",), ("--output", "-"):
        assert call(*args, *dash)[:2] == plain[:2], (args, dash)
    assert plain[1] or args[0] == "windows", args
several = [("analyse", raw), ("export", "summary", "-dir", prof), ("export", "db", "-dir", prof),
           ("analyze", "-dir", prof), ("export", "text", "-dir=" + prof)]
for args in several:
    status, out, said = call(*args, "--output=-")
    assert status in (1, 2) and not out, (args, status, out)
    assert "several files cannot go to standard output: give --output the name of a folder" in said, said
for args, what in (("ops", "--db=-", run), "a store"), (("import", "--db=-", run), "a store"), \
        (("export", "--db=-", run), "a database"), (("ops", "--log=-", run), "diagnostics"), \
        (("export", "-o", "-", "--anonymise=-", run), "the key"):
    status, out, said = call(*args)
    assert status == 2 and not out and what + " cannot go to standard output: give" in said, (args, said)
status, out, said = call("demo", tmp + "/new", "-o", "-")
assert status == 2 and "'demo' takes no option -o" in said, said
print("%d calls" % checked)
END
