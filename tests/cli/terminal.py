# SPDX-License-Identifier: Apache-2.0
"""Commands on a terminal and under signals: progress, pager, safe csv, widths, interruption.

usage: terminal.py NPUSCOPE SMALL BIG MANY     SMALL: a run with hostile op names, BIG: one that takes a
while to read, MANY: one of several ranks
"""
import fcntl
import glob
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

npuscope, small, big, many = sys.argv[1:]
cache = os.path.join(os.environ["XDG_CACHE_HOME"], "npuscope")
failed = []


def catches(p, sig):
    """Waits until a process handles a signal: on a loaded machine it may not have come so far."""
    end = time.monotonic() + 20
    while time.monotonic() < end and p.poll() is None:
        with open("/proc/%d/status" % p.pid, encoding="ascii", errors="replace") as f:
            caught = [int(line.split()[1], 16) for line in f if line.startswith("SigCgt:")]
        if caught and caught[0] >> (sig - 1) & 1:
            return
        time.sleep(0.01)


def plain_signals():
    """A test run in the background or under nohup has them ignored, and programs keep to that."""
    for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(s, signal.SIG_DFL)


def check(what, ok, detail=""):
    print("  %s %s" % ("ok " if ok else "NOT", what))
    if not ok:
        failed.append("%s: %s" % (what, detail))


def on_terminal(args, rows=24, cols=80, env=None, only_err=False, interrupt=False):
    """Run with a terminal for standard output and error (or only error); returns status, bytes, reads with
    their time. interrupt: once the cache is written."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
    p = subprocess.Popen(
        [npuscope, *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if only_err else side,
        stderr=side,
        env={**os.environ, "TERM": "xterm", **(env or {})},
        start_new_session=True,
        preexec_fn=plain_signals,
    )
    os.close(side)
    data, reads, silent = b"", [], time.monotonic()
    while True:
        if interrupt and glob.glob(cache + "/*.tmp.*"):
            interrupt = False
            p.send_signal(signal.SIGINT)
        if select.select([main], [], [], 0.01 if interrupt else 1)[0]:
            silent = time.monotonic()
            try:
                got = os.read(main, 65536)
            except OSError:
                break
            if not got:
                break
            data += got
            reads.append((time.monotonic(), got))
        elif time.monotonic() - silent > 60:
            p.kill()
            failed.append("%s: nothing came for a minute" % args)
            break
    os.close(main)
    return p.wait(), data, reads


def clear_cache():
    shutil.rmtree(cache, ignore_errors=True)


def left_over():
    return [f for f in glob.glob(cache + "/*") if not f.endswith(".npus")]


# progress
clear_cache()
status, data, reads = on_terminal(["import", big], only_err=True)
shown = [r for r in reads if b"MiB/s" in r[1]]
check("progress is shown", status == 0 and len(shown) >= 1, (status, data))
gaps = [b[0] - a[0] for a, b in zip(shown, shown[1:])]
reading = [r[1] for r in reads if b"reading " in r[1]]
check("the figures have room behind a long name", reading and all(b"MiB/s" in x for x in reading), reading)
# The reader may be late for one line and in time for the next, so single gaps say little; their sum does.
check("at most four times a second", sum(gaps) > 0.25 * len(gaps) - 0.2 and all(g > 0.05 for g in gaps), gaps)
check("the line is gone at the end", re.search(rb"\r {20,}\r[^\r]*$", data) is not None, data[-200:])
check("no line is longer than the terminal", all(len(x) < 80 for x in re.split(rb"[\r\n]+", data)), data)
clear_cache()
status, data, reads = on_terminal(["import", "-q", big], only_err=True)
check("quiet means quiet", status == 0 and data == b"", data)

# interruption
clear_cache()
status, data, reads = on_terminal(
    ["timeline", "-F", "csv", "-n", "1", big], interrupt=True
)  # needs the large file
check("Ctrl-C ends with 130", status == 130 and b"interrupted" in data, (status, data))
check("nothing is printed then", b"ts_ns" not in data, data)
check("no temporary files are left", left_over() == [], left_over())
p = subprocess.run(
    [npuscope, "timeline", "-q", "-F", "csv", "-n", "1", big], stdout=subprocess.PIPE, stderr=subprocess.PIPE
)
check(
    "the next start reads all of it",
    p.returncode == 0 and p.stdout.count(b"\n") == 2,
    (p.returncode, p.stderr),
)
for sig, want in ((signal.SIGTERM, 143), (signal.SIGHUP, 129)):
    clear_cache()
    p = subprocess.Popen(
        [npuscope, "import", "-q", big],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=plain_signals,
    )
    end = time.monotonic() + 20
    while not glob.glob(cache + "/*.tmp.*") and time.monotonic() < end:
        time.sleep(0.01)
    start = time.monotonic()
    p.send_signal(sig)
    status = p.wait()
    check("%s ends with %d" % (sig.name, want), status == want and time.monotonic() - start < 5, status)
    check("no temporary files are left after " + sig.name, left_over() == [], left_over())
clear_cache()
p = subprocess.Popen(
    [npuscope, "report", "--no-cache", "-q", big],
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    preexec_fn=plain_signals,
)
catches(p, signal.SIGINT)
time.sleep(0.3)
p.send_signal(signal.SIGINT)
out, err = p.communicate()
check("Ctrl-C without a cache", p.returncode == 130 and out == b"", (p.returncode, err))


p = subprocess.Popen(
    [npuscope, "demo", "--size=50000000", big + ".demo"],
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    preexec_fn=plain_signals,
)
time.sleep(0.3)
start = time.monotonic()
p.send_signal(signal.SIGINT)
out, err = p.communicate()
check("Ctrl-C while a demo is written", p.returncode == 130 and b"interrupted" in err, (p.returncode, err))
check("it ends soon", time.monotonic() - start < 5, time.monotonic() - start)


# several workers at a time: a signal goes to all processes of the job, as a terminal sends it
def workers(group):
    """Processes of the group that still run a program."""
    found = []
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            fields = open(stat).read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] != "Z":
            found.append(stat)
    return found


def interrupt_many(sig, twice=False, tries=20):
    """On a busy machine, or a fast one, the signal may come when all is done: then once more."""
    clear_cache()
    p = subprocess.Popen(
        [npuscope, "import", "--jobs=3", many],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=plain_signals,
        start_new_session=True,
    )
    end, begun = time.monotonic() + 20, set()
    while len(begun) < 3 and time.monotonic() < end:
        begun |= {f.split(".tmp.")[0] for f in glob.glob(cache + "/*.tmp.*")}
    os.killpg(p.pid, sig)
    if twice:
        os.killpg(p.pid, sig)
        time.sleep(0.02)
        try:
            os.killpg(p.pid, sig)
        except ProcessLookupError:
            pass
    out, err = p.communicate()
    if p.returncode == 0 and tries > 1:
        return interrupt_many(sig, twice, tries - 1)
    what = "%s%s to three workers" % (sig.name, " twice" if twice else "")
    check(what, p.returncode == 128 + sig and out == b"" and b"interrupted" in err, (p.returncode, out, err))
    check("no process is left after " + what, workers(p.pid) == [], workers(p.pid))
    check("no temporary files are left after " + what, left_over() == [], left_over())
    return begun, err


for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    begun, err = interrupt_many(sig)
    kept = set(glob.glob(cache + "/*.npus"))
    check("every worker kept what is whole", len(begun) == 3 and begun <= kept, (begun, kept))
    check(
        "how far it came is said",
        re.search(rb"[0-3] of 3 units were read whole, [0-3] in part", err) is not None,
        err,
    )
    check("no file is blamed", b"please report" not in err, err)
interrupt_many(signal.SIGINT, twice=True)
p = subprocess.run(
    [npuscope, "import", "-q", "-F", "csv", many], stdout=subprocess.PIPE, stderr=subprocess.PIPE
)
check(
    "the next import reads all of it",
    p.returncode == 0 and p.stdout.count(b",ok,") == 3 and b"please report" not in p.stdout,
    (p.returncode, p.stdout, p.stderr),
)

# the pager
for pager, rows, want in (("sed s/^/P:/", 10, True), ("sed s/^/P:/", 500, False), ("", 10, False)):
    status, data, reads = on_terminal(["ops", "-q", small], rows=rows, env={"PAGER": pager})
    check(
        "pager '%s' at %d rows" % (pager, rows),
        status == 0 and (b"P:" in data) == want and b"Type" in data,
        (status, data[:200]),
    )
status, data, reads = on_terminal(["ops", "-q", small], rows=10, env={"PAGER": "/none/such"})
check(
    "a pager that does not start",
    status == 0 and b"cannot start the pager" in data and b"Type" in data,
    (status, data[:200]),
)
status, data, reads = on_terminal(["ops", "-q", small], rows=10, env={"PAGER": "touch evil; cat"})
check("no shell", not os.path.exists("evil"), data[:200])
for name in ("evil", "evil;", "cat"):
    if os.path.exists(name):
        os.unlink(name)
status, data, reads = on_terminal(["ops", "-q", small], rows=10, env={"PAGER": "false"})
check("the pager's status", status == 1 and b"pager" in data, (status, data))

# what a terminal gets
danger = re.compile(
    rb"\x1b\[31m|\x1b\[2J|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\xe2\x80\xae|\xe2\x80\x8b"
)
for form in ("text", "csv", "json", "ndjson", "markdown"):
    status, data, reads = on_terminal(["ops", "--by=exec", "-q", "-F", form, small], rows=5000)
    check(form + " on a terminal is safe", status == 0 and not danger.search(data), danger.search(data))
status, data, reads = on_terminal(["ops", "--by=exec", "-q", small], rows=5000, cols=70)
widths = [len(x.rstrip(b"\r").decode("utf-8")) for x in data.split(b"\n")]
check("wide names give way", max(widths) <= 130, max(widths))
status, data, reads = on_terminal(["ops", "-q", small], env={"NO_COLOR": "1"})
check("NO_COLOR", b"\x1b" not in data, data[:100])
status, data, reads = on_terminal(["ops", "-q", small], rows=500)
check("a head in bold", data.startswith(b"\x1b[1m"), data[:100])
p = subprocess.run([npuscope, "ops", "-q", "--color=always", small], stdout=subprocess.PIPE)
check("colour when asked for", p.stdout.startswith(b"\x1b[1m"), p.stdout[:100])

for f in failed:
    print("FAILED " + f)
sys.exit(1 if failed else 0)
