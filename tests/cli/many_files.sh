#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a file of a unit costs in memory, when it is listed only: 200 000 of them, the most there may be, fit in
# 64 MiB (`make bench` measures that many). Measured as what 18 000 more files add to the peak of a command.
set -u
grep -q '^HARD_CFLAGS = -fsanitize' "${top_builddir:-.}/Makefile" && {
    echo "many_files: skipped, sanitizers take memory of their own"
    exit 77
}
. "${top_srcdir:-.}/tests/cli/lib.sh"
"$npuscope" demo -q --ranks=1 --steps=2 --size=2000 "$tmp/run" || exit 1
python3 - "$npuscope" "$tmp" <<'END'
import os, subprocess, sys
program, tmp = sys.argv[1:]
FEW, MANY, BYTES = 6000, 24000, 320  # a path below the unit has 35 letters here
unit = os.path.join(tmp, "run", os.listdir(tmp + "/run")[0])

def peak_kib(*argv):
    """Of the command and the processes that it starts, the largest."""
    # a small process starts it: until it is another program its memory counts as that of who starts it
    code = ("import os,resource,subprocess,sys; r = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(r.returncode)")
    r = subprocess.run([sys.executable, "-S", "-E", "-c", code, program, *argv], capture_output=True, text=True)
    assert r.returncode == 0, r.stderr
    return int(r.stdout.split()[-1])

def measure():
    subprocess.run([program, "cache", "remove", "--all"], capture_output=True, check=True)
    return {"import": peak_kib("import", "-q", unit), "files": peak_kib("files", "-q", "-n", "5", unit)}

def add(first, last):
    for i in range(first, last):
        folder = os.path.join(unit, "logs", "part%02d" % (i // 3000))
        if i % 3000 == 0:
            os.makedirs(folder)
        open(os.path.join(folder, "trace_record_%06d.txt" % i), "xb").close()

add(0, FEW)
few = measure()
add(FEW, MANY)
many = measure()
r = subprocess.run([program, "query", "-q", "-F", "csv", "--no-header",
                    "select count(*) from source where kind = 'log' and path like 'logs/part%'", unit],
                   capture_output=True, text=True, check=True)
assert int(r.stdout.split(",")[-1]) == MANY, r.stdout
for what in few:
    each = (many[what] - few[what]) * 1024 / (MANY - FEW)
    print("%s: %.1f MiB, with %d more files %.1f MiB: %.0f bytes each" % (
        what, few[what] / 1024, MANY - FEW, many[what] / 1024, each))
    limit = BYTES + (140 if what == "import" else 0)  # and pages of the store, 16 MiB at most
    assert each <= limit, (what, each, limit)
END
