# SPDX-License-Identifier: Apache-2.0
"""Ways to measure: a command as a process, commands side by side, a screen from start to a wanted text, a
process that should sleep."""
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import fcntl
import time


class Failed(Exception):
    """A measurement that could not be made; the text says why."""


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


TIME = shutil.which("time")  # the program, not the word of a shell


def run(argv, env=None, keep=False):
    """Wall seconds, user + system seconds, peak MiB and, if kept, standard output of a command that must
    succeed.

    The kernel counts the memory of the process that starts a command as the command's, as long as they
    are one: a small one starts it, if there is one. Without, no peak is less than our own.
    """
    with tempfile.NamedTemporaryFile("r") as said:
        result = _run(([TIME, "-f", "%M", "-o", said.name] if TIME else []) + argv, env, keep)
        peak = said.read().split()
    if peak:
        result["peak_mib"] = int(peak[-1]) / 1024
    return result


def _run(argv, env, keep):
    start = time.monotonic()
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen(
            argv, stdin=null, stdout=subprocess.PIPE if keep else null, stderr=null, env=env
        )
        out = child.stdout.read() if keep else b""
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise Failed(f"status {child.returncode}: {' '.join(argv)}")
    return {
        "s": time.monotonic() - start,
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_mib": used.ru_maxrss / 1024,
        "out": out.decode(),
    }


def children_mib(argv, env):
    """Largest sum of the resident memory of all children of a command at one moment, and how many they were
    then."""
    most, count = 0, 0
    with open(os.devnull, "r+b") as null, subprocess.Popen(
        argv, stdin=null, stdout=null, stderr=null, env=env
    ) as child:
        while child.poll() is None:
            now = []
            try:
                with open(f"/proc/{child.pid}/task/{child.pid}/children", encoding="ascii") as f:
                    pids = f.read().split()
                for pid in pids:
                    with open(f"/proc/{pid}/statm", encoding="ascii") as f:
                        now.append(int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20)
            except (OSError, IndexError):
                pass  # one of them is ending
            if sum(now) > most:
                most, count = sum(now), len(now)
            time.sleep(0.005)
    if child.returncode:
        raise Failed(f"status {child.returncode}: {' '.join(argv)}")
    return most, count


def have(argv):
    return shutil.which(argv[0]) is not None


def sides(ours, peers, rounds, prepare=lambda: None):
    """Alternate our command and the peers that are installed: one warm-up, then rounds.

    Returns {name: medians of run()}, ours under the name "ours"; a peer that fails is an error, one that
    is missing is left out. Of memory it is the most; of processor time the least, to which a virtual machine
    that has to get its pages from its host only adds.
    """
    todo = [("ours", ours)] + [p for p in peers if have(p[1])]
    seen = {name: [] for name, _ in todo}
    for i in range(rounds + 1):
        for name, argv in todo:
            prepare()
            result = run(argv)
            if i:
                seen[name].append(result)
    of = {"s": median, "cpu_s": min, "peak_mib": max}
    return {name: {k: of[k]([r[k] for r in rs]) for k in of} for name, rs in seen.items()}


class Screen:
    """A program in a terminal of its own, 80x24 unless said."""

    def __init__(self, argv, env, cols=80, rows=24):
        self.start = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(env)
            os.execv(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        self.seen = b""

    def read(self, seconds):
        """What comes within so many seconds; empty when nothing does."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.fd, 65536)
        except OSError as e:
            raise Failed("the program ended") from e
        self.seen += data
        return data

    def until(self, wanted, limit=60):
        """Seconds from the program's start until all of the wanted texts were written."""
        while time.monotonic() - self.start < limit:
            self.read(0.2)
            if all(w in self.seen for w in wanted):
                return time.monotonic() - self.start
        raise Failed(f"no {wanted} within {limit} s")

    def settle(self, quiet=0.5, limit=20):
        """Read until nothing came for a while; returns the bytes that did."""
        end, got = time.monotonic() + limit, 0
        while time.monotonic() < end:
            data = self.read(quiet)
            if not data:
                return got
            got += len(data)
        raise Failed("the screen does not come to rest")

    def press(self, keys):
        os.write(self.fd, keys)

    def wakeups(self, seconds):
        """Voluntary context switches of all threads of the program and its children in so many seconds."""
        before = self._switches()
        time.sleep(seconds)
        return self._switches() - before

    def _switches(self):
        total = 0
        for tid in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{tid}/status", encoding="ascii", errors="replace") as f:
                total += sum(int(line.split()[1]) for line in f if line.startswith("voluntary_ctxt_switches"))
        return total

    def peak_mib(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii", errors="replace") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmHWM")) / 1024

    def end(self):
        try:
            self.press(b"Q")
            for _ in range(20):
                self.read(0.1)
        except (OSError, Failed):
            pass
        try:
            os.kill(self.pid, signal.SIGTERM)
        except OSError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.fd)
