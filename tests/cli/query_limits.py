# SPDX-License-Identifier: Apache-2.0
"""`npuscope query` with statements that never end, and with statements that need more memory than a statement
may have: the message, the status, the time, the memory, and what was printed before.

usage: query_limits.py NPUSCOPE DIR
"""
import os
import resource
import subprocess
import sys
import time

npuscope, run = sys.argv[1:]
MIB = 1 << 20
# A statement has 256 MiB; the rest is the program, and in a build with sanitizers what they keep, which is
# little here: memory that was freed is not what is measured.
MOST = 550 * MIB
os.environ["ASAN_OPTIONS"] = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=16")))
ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c"
# Rows that all have to be kept: 4 GB of them.
HUNGRY = (
    "WITH RECURSIVE c(x, y) AS (SELECT 1, randomblob(1000000) UNION ALL "
    "SELECT x + 1, randomblob(1000000) FROM c LIMIT 4000) SELECT count(*) AS n FROM (SELECT DISTINCT * FROM c)"
)
compared = 0


def check(what, ok, detail=""):
    global compared
    compared += 1
    if not ok:
        sys.exit(f"FAIL: {what}: {detail}")


def query(sql, *options):
    """Status, output, messages, seconds."""
    begun = time.monotonic()
    p = subprocess.run(
        [npuscope, "query", "-q", *options, sql, run], capture_output=True, text=True, timeout=300
    )
    return p.returncode, p.stdout, p.stderr, time.monotonic() - begun


def peak():
    """The most memory that one of the processes so far had."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


# Never ending.
query("SELECT 1")  # read the run
status, out, err, seconds = query(ENDLESS, "--timeout=1")
check("an endless statement is ended", status == 1, status)
check("its message", "the statement was ended after 1 s (--timeout)" in err, err)
check("soon", 0.9 < seconds < 60, seconds)
check("it printed nothing", out == "", out)

status, out, err, seconds = query("SELECT 7 AS a; " + ENDLESS, "--timeout=1", "-F", "csv")
check("what was printed before stays", (status, out) == (1, "a\n7\n"), (status, out))
status, out, err, _ = query("SELECT 7 AS a; " + ENDLESS, "--timeout=1", "-o", run + ".csv")
check("a file is not left half", status == 1 and not os.path.exists(run + ".csv"), (status, err))

rows = ENDLESS.replace("count(*) AS n", "x AS n")
status, out, err, seconds = query(rows, "--timeout=1", "-F", "csv", "-n", "3")
check("rows come before the end", (status, out) == (0, "n\n1\n2\n3\n"), (status, out))

# The time is that of all statements, over all ranks.
status, out, err, seconds = query(ENDLESS, "--timeout=1", "--rank=all")
check("several ranks share the time", status == 1 and seconds < 60, (status, seconds))

# Short ones are not touched, and wrong times are refused.
status, out, err, _ = query("SELECT count(*) AS n FROM step", "--timeout=60", "-F", "csv")
check("a short statement", (status, out) == (0, "n\n2\n"), (status, out, err))
for wrong in ("0", "-1", "soon", "1e9"):
    status, _, err, _ = query("SELECT 1", "--timeout=" + wrong)
    check("a wrong time is refused", status == 2 and "timeout" in err, (wrong, status, err))

# Memory.
before = peak()
check("the program alone is small", before < 300 * MIB, before)
HUNGRIES = (
    HUNGRY,
    "SELECT length(hex(zeroblob(400000000))) AS n",
    "SELECT length(group_concat(hex(zeroblob(1000000)))) AS n FROM event",
)
for sql in HUNGRIES[:2] if os.environ.get("NPUSCOPE_TEST_SLOW") else HUNGRIES:
    status, out, err, seconds = query(sql)
    check("a hungry statement is ended", status == 1, (sql, status, out))
    check("its message", "needs more than 256 MiB of memory" in err, err)
    check("memory is bounded", peak() < MOST, peak() // MIB)
    check("in time", seconds < 120, seconds)
    status, out, err, seconds = query(sql, "--no-cache")
    check("in memory too", status == 1 and "256 MiB" in err and peak() < MOST, (status, err, peak() // MIB))
status, out, err, _ = query("SELECT 7 AS a; " + HUNGRY, "-F", "csv")
check("what was printed before stays", (status, out) == (1, "a\n7\n"), (status, out))
# What fits is done, also after one that did not.
status, out, err, _ = query("SELECT length(zeroblob(100000000)) AS n", "-F", "csv")
check("100 MB fit", (status, out) == (0, "n\n100000000\n"), (status, out, err))
print(f"query limits: {compared} comparisons, {peak() // MIB} MiB at most")
