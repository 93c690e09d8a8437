#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doctor: every fact once, nothing written, and each problem named with what helps and told by the exit status.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
python3 - "$npuscope" "$tmp" <<'END' || exit 1
import json, os, subprocess, sys

npuscope, tmp = sys.argv[1:]
home = tmp + "/user"
os.makedirs(home)
clean = {"PATH": os.environ["PATH"], "HOME": home, "TERM": "xterm", "LC_ALL": "C.UTF-8", "TMPDIR": tmp}


def doctor(status, **more):
    env = {k: v for k, v in {**clean, **more}.items() if v is not None}
    r = subprocess.run([npuscope, "doctor", "--format=json"], env=env, capture_output=True, text=True)
    assert r.returncode == status, (r.returncode, r.stdout, r.stderr)
    rows = json.loads(r.stdout)
    names = [(x["about"], x["name"]) for x in rows]
    assert len(names) == len(set(names)), names
    return {f"{x['about']} {x['name']}": (x["value"], x["problem"] or "") for x in rows}


well = doctor(0)
assert all(not problem for _, problem in well.values()), well
version = subprocess.run([npuscope, "--version"], capture_output=True, text=True).stdout.split()[1]
assert well["program npuscope"][0] == version, well
# --version -v says the same of the program.
said = subprocess.run([npuscope, "--version", "-v"], env=clean, capture_output=True, text=True).stdout.splitlines()
said = {line[:18].strip(): line[18:] for line in said[1:]}
for name in "schema of stores", "compiler", "SQLite", "PCRE2", "cJSON", "zlib", "libarchive", "curses":
    assert said[name] and said[name] == well["program " + name][0], (name, said, well)
assert said["libarchive"].split(".")[0].isdigit(), said
assert well["host system"][0].split()[:3] == [os.uname().sysname, os.uname().release, os.uname().machine], well
assert well["host processors"][0].startswith(f"{os.cpu_count()} online"), well
assert well["cache folder"][0] == home + "/.cache/npuscope" and well["cache kept"][0].startswith("0 stores"), well
assert well["settings config"][0].startswith(home + "/.config/npuscope/config: none"), well
assert well["terminal symbols"][0] == "UTF-8", well
assert not os.listdir(home), os.listdir(home)

# To a file, and to standard output by its name.
for to in tmp + "/facts", "-":
    r = subprocess.run([npuscope, "doctor", "-F", "csv", "-o", to], env=clean, capture_output=True, text=True)
    said = open(to).read() if to != "-" else r.stdout
    assert r.returncode == 0 and said.startswith("about,name,value,problem") and (to == "-") == bool(r.stdout), (to, r)

assert "export TERM" in doctor(4, TERM=None)["terminal TERM"][1]
assert "not known" in doctor(4, TERM="no-such-terminal")["terminal TERM"][1]
assert doctor(0, TERM="vt100")["terminal colours"][0].startswith("none")
assert "LC_ALL=C.UTF-8" in doctor(4, LC_ALL="xx_YY.UTF-8")["terminal locale"][1]
assert doctor(0, LC_ALL="C")["terminal symbols"][0].startswith("ASCII")
assert "XDG_CACHE_HOME" in doctor(4, XDG_CACHE_HOME=npuscope + "/none")["cache folder"][1]

run = tmp + "/run"
subprocess.run([npuscope, "-q", "demo", "--steps=2", "--size=1k", run], check=True, env=clean)
subprocess.run([npuscope, "-q", "import", run], check=True, env=clean)
stores = [f for f in os.listdir(home + "/.cache/npuscope") if f.endswith(".npus")]
assert stores and doctor(0)["cache kept"][0].startswith(f"{len(stores)} stores"), (stores, doctor(0))

os.makedirs(home + "/.config/npuscope")
with open(home + "/.config/npuscope/config", "w") as f:
    f.write("theme = light\nmouse = perhaps\n")
with open(home + "/.config/npuscope/signatures", "w") as f:
    f.write("[A]\nlog = console\nclass = nothing of the kind\nmatch = some words\nsays = x\n")
told = doctor(4)
assert "the first is 2: " in told["settings config"][1], told
assert "1 wrong signatures are left out, the first: line 3: " in told["settings signatures"][1], told
assert "No such file" in doctor(4, NPUSCOPE_SIGNATURES=tmp + "/none")["settings signatures"][1]
END
