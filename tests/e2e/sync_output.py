# SPDX-License-Identifier: Apache-2.0
"""A terminal that answers, or not, when it is asked for synchronised output.

usage: sync_output.py NPUSCOPE RUN SLOW
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

npuscope, run = sys.argv[1:3]
wait_s = 20 * float(sys.argv[3])
ASK, BEGIN, END = b"\x1b[?2026$p", b"\x1b[?2026h", b"\x1b[?2026l"
failed = []


class Terminal:
    """npuscope on a pseudo terminal of 80x24."""

    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(npuscope, [npuscope, "--no-state", run])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = b""

    def read(self, seconds):
        """What comes until nothing has come for so long."""
        got = b""
        while select.select([self.fd], [], [], seconds)[0]:
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                break
            if not more:
                break
            got += more
        self.seen += got
        return got

    def until(self, text):
        end = time.monotonic() + wait_s
        while text not in self.seen and time.monotonic() < end:
            self.read(0.05)
        return text in self.seen

    def send(self, text):
        os.write(self.fd, text)

    def end(self):
        self.send(b"Q")
        self.read(0.3)
        end = time.monotonic() + wait_s
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            self.read(0.05)
        return None


def check(what, ok, detail=b""):
    print("  %s %s" % ("ok " if ok else "NOT", what))
    if not ok:
        failed.append("%s: %r" % (what, detail[-400:]))


def frames(answers):
    """The bytes of some frames after these answers, and the exit status."""
    t = Terminal()
    check("it asks", t.until(ASK), t.seen)
    for piece in answers:
        t.send(piece)
        time.sleep(0.1)
    t.until(b"Triage")
    t.read(0.5)
    t.seen = b""
    for pane in (b"3", b"4", b"j"):
        t.send(pane)
        t.read(0.4)
    got = t.seen
    return got, t.end(), t.seen


for what, answers, wraps in (
    ("known, off", [b"\x1b[?2026;2$y"], True),
    ("known, on", [b"\x1b[?2026;1$y"], True),
    ("known, the answer in pieces", [b"\x1b[?20", b"26;2$y"], True),
    ("not known", [b"\x1b[?2026;0$y"], False),
    ("always off", [b"\x1b[?2026;4$y"], False),
    ("no answer", [], False),
):
    got, status, all_of_it = frames(answers)
    check(what + ": frames", b"4 Steps]" in got or b"[4" in got, got)
    check(what + ": the answer is no key", b"no binding" not in all_of_it and b"Move" not in got, got)
    if wraps:
        check(what + ": begin and end", got.count(BEGIN) == got.count(END) >= 3, got)
        check(what + ": all between", got.startswith(BEGIN) and got.endswith(END), got)
    else:
        check(what + ": plain", BEGIN not in got and END not in got, got)
    check(what + ": exit status", status == 0, repr(status).encode())

# leaves at once: the answer comes when the program waits for it, and is not echoed by whoever has the terminal next
t = Terminal()
check("it asks", t.until(ASK), t.seen)
t.send(b"Q")
t.send(b"\x1b[?2026;2$y")
end = t.end()
left = []
if select.select([t.fd], [], [], 0)[0]:
    try:
        left = os.read(t.fd, 4096)
    except OSError:
        pass
check("a late answer: exit status", end == 0, repr(end).encode())
check("a late answer: not left", b"2026;2" not in bytes(left), bytes(left))

for f in failed:
    print(f)
sys.exit(1 if failed else 0)
