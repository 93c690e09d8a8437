#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile names: escape sequences, C1 and bidi controls, invalid UTF-8, line ends, names of 4 KiB, in ops,
settings, headers, files and folders, through every command, table and format, and in what a user types:
nothing raw reaches a terminal, text on a pipe is as safe, JSON stays JSON, CSV keeps the bytes.

usage: hostile.py NPUSCOPE WORKDIR
       hostile.py spoil DIR            only put such names into a synthetic profile
"""
import csv
import fcntl
import io
import json
import os
import pty
import re
import select
import shutil
import sqlite3
import struct
import subprocess
import sys
import termios

npuscope, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SPOIL_ONLY = sys.argv[1] == "spoil"
EVIL = (
    b"Evil\x1b]0;pwn\x07\x1b[31m\x1b[2J"
    b"\xe2\x80\xaegnp\xe2\x81\xa6\xe2\x80\x8b\xc2\x9b31m\x9b5m\x7f\x08\x0e\xff\xfe\xc3(\xed\xa0\x80\xf4\x90\x80\x80"
)
LONG = b"Default/" + b"long/" * 830
COMMANDS = "report files ops steps timeline flops memory data comm host".split()
FORMATS = "text csv json ndjson markdown".split()
ENV = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", XDG_CACHE_HOME=os.path.join(work, "cache"), TERM="xterm")
failed, runs = [], 0


def on_pipe(args):
    return subprocess.run(
        [npuscope, *args], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, timeout=120
    )


def on_terminal(args):
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    p = subprocess.Popen(
        [npuscope, *args],
        stdin=subprocess.DEVNULL,
        stdout=side,
        stderr=side,
        env=dict(ENV, PAGER="cat"),
        start_new_session=True,
    )
    os.close(side)
    data = b""
    while True:
        if not select.select([main], [], [], 60)[0]:
            p.kill()
            data += b"\x1bHANGS"
            break
        try:
            got = os.read(main, 65536)
        except OSError:
            break
        if not got:
            break
        data += got
    os.close(main)
    return p.wait(), data


CONTROLS = re.compile(rb"[\x00-\x09\x0b-\x1f\x7f]")
# Controls above ASCII, marks that turn the writing or take no place, and bytes that are no UTF-8.
UNSEEN = re.compile("[\x80-\x9f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2028\u2029\ufeff\ud800-\udfff]")


def raw(data, terminal):
    """What of data must not be there."""
    if terminal:
        data = re.sub(rb"\x1b\[[0-9;]*m", b"", data).replace(b"\r\n", b"\n")
    return sorted(set(CONTROLS.findall(data))) + sorted(
        set(UNSEEN.findall(data.decode("utf-8", "surrogateescape")))
    )


def check(what, found):
    global runs
    runs += 1
    if found:
        failed.append("%s: %r" % (what, found[:6]))


# ---- two profiles full of such names ----


def spoil_json(data):
    evil = json.dumps(EVIL.decode("utf-8", "replace")).encode()[1:-1] + b"\xff\xfe"
    return re.sub(
        rb"(Conv2D|AllReduce|allReduce|MatMul|GetNext|Launch|Default/|MindSpore|Stream |node)",
        lambda m: evil + m.group(1),
        data,
        count=400,
    )


def spoil_text(data):
    rows = data.split(b"\n")
    for i in range(1, min(len(rows), 60)):
        rows[i] = re.sub(
            rb"(Conv2D|AllReduce|MatMul|GetNext|Launch|Default/|TransData|APP|PTA|MindSpore|hcom)",
            lambda m: (EVIL if i % 3 else LONG) + m.group(1),
            rows[i],
            count=6,
        )
    return b"\n".join(rows)


def spoil(folder):
    n = 0
    for d, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(d, name)
            data = open(path, "rb").read()
            if name.startswith("profiler_info") or not data or b"\0" in data[:1000]:
                continue
            new = spoil_json(data) if data[:1] in b"[{" else spoil_text(data)
            n += new != data
            open(path, "wb").write(new)
    return n


def add_files(folder):
    """Files and folders of such names; a table with such a header, cells and line ends."""
    os.makedirs(os.fsencode(folder) + b"/sub\x1b[2J\n\xe2\x80\xae\xff", exist_ok=True)
    for name in (
        b"odd\x1b[5m\nname\xe2\x80\xae.csv",
        b"sub\x1b[2J\n\xe2\x80\xae\xff/x\xff\x9b31m.json",
        b"n" * 251 + b".csv",
    ):
        with open(os.fsencode(folder) + b"/" + name, "wb") as f:
            f.write(
                b'a\x1b[7m,"b\nc"\n"\x1b[41m\n2",' + EVIL + b"\n"
                if name.endswith(b"csv")
                else b'{"\\u001b[2J": "\\u202e"}'
            )
    db = sqlite3.connect(os.path.join(folder, "extra.db"))
    db.execute('create table "t\x1b[2J\u202e"("c\x1b]0;pwn\x07")')
    db.execute('insert into "t\x1b[2J\u202e" values(?)', (EVIL,))
    db.commit()
    db.close()
    path = (
        os.path.join(folder, next(n for n in sorted(os.listdir(folder)) if n.startswith("profiler_info")))
        if any(n.startswith("profiler_info") for n in os.listdir(folder))
        else None
    )
    if path:
        info = json.load(open(path))
        info["\x1b[31mkey"] = "\x1b]0;pwn\x07\u202e"
        info["device_target"] = info.get("device_target", "Ascend") + "\x1b[2J"
        json.dump(info, open(path, "w"))


def spoil_all(top):
    changed = spoil(top)
    if changed < 8:
        sys.exit("only %d files were spoilt: the test shows nothing" % changed)
    for d, _, names in os.walk(top):
        if any(n.startswith("profiler_info") for n in names):
            add_files(d)
            break


def make(gen):
    top = os.fsdecode(os.fsencode(work) + b"/g%d\x1b]0;pwn\x07\xe2\x80\xae\xff" % gen)
    p = on_pipe(["demo", "-q", "--gen=%d" % gen, "--ranks=2", "--steps=2", "--seed=7", "--size=3000", top])
    if p.returncode:
        sys.exit("no demo: %r" % p.stderr)
    spoil_all(top)
    return top


def tables(command):
    """Words of --by."""
    text = on_pipe(["help", command]).stdout.decode()
    part = re.search(r"Tables \(--by\)\n(.*?)\n\n", text, re.S)
    return [None] + (re.findall(r"^  (\S+)", part.group(1), re.M) if part else [])


def check_formats(top, command, gen):
    for by in tables(command) if gen == 1 else [None]:
        args = (
            [command, "-q", "--rank=all", "--all-columns", top]
            if command not in ("report",)
            else [command, "-q", top]
        )
        args[1:1] = ["--by=" + by] if by else []
        for form in FORMATS if by is None else ("text", "json"):
            if command == "report" and form == "csv":
                continue
            p = on_pipe([*args, "--format=" + form])
            what = "%s --by=%s --format=%s" % (command, by, form)
            if p.returncode not in (0, 1, 4):
                failed.append("%s: status %d: %r" % (what, p.returncode, p.stderr[:200]))
            check(what + " (stderr)", raw(p.stderr, False))
            if form in ("text", "markdown"):
                check(what, raw(p.stdout, False))
            elif form == "json" and p.stdout:
                json.loads(p.stdout.decode("utf-8", "surrogateescape"))
                check(what, [b for b in raw(p.stdout, False) if isinstance(b, bytes)])
            elif form == "ndjson":
                for line in p.stdout.decode("utf-8", "surrogateescape").splitlines():
                    json.loads(line)
        for form in FORMATS if by is None and gen == 1 else ("text",):
            status, data = on_terminal([*args, "--format=" + form])
            check("%s --by=%s --format=%s on a terminal" % (command, by, form), raw(data, True))


def check_others(top):
    out = os.path.join(work, "out\x1b[2J")
    for args in (
        [
            "query",
            "-q",
            "SELECT * FROM string; SELECT * FROM setting; SELECT path, note FROM source; SELECT '\x1b[31m' "
            "AS \"\x1b[2J\"",
            top,
        ],
        ["query", "-q", "SELECT '\x1b]0;pwn\x07", top],
        ["query", "-q", "SELEC\x1b[2J", top],
        ["import", top],
        ["import", "--no-cache", top],
        ["cache"],
        ["cache", "list"],
        ["cache", "remove", top + "\x1b[2J"],
        ["schema", "\x1b[2J"],
        ["help", "\x1b[2J"],
        ["\x1b[2J"],
        ["ops", "--\x1b[2J", top],
        ["ops", "--by=\x1b[2J", top],
        ["ops", "--filter=type~(\x1b[2J", top],
        ["ops", "--filter=\x1b[2J=3", top],
        ["ops", "--sort=\x1b[2J", top],
        ["ops", "--columns=\x1b[2J\u202e", top],
        ["ops", "--rank=\x1b[2J", top],
        ["ops", "--steps=\x1b[2J", top],
        ["ops", "--db=/\x1b[2J/x", top],
        ["ops", "-q", "--output=/nonexistent\x1b[2J/x", top],
        ["timeline", "--track=\x1b[2J", top],
        ["timeline", "--from=\x1b[2J", top],
        ["report", "/no\x1b[2J\n\u202e\udcff/where"],
        ["export", "-q", "--output=" + out, top],
        ["demo", "--gen=\x1b[2J", out + "d"],
        ["demo", "-q", top],
        ["-v", "report", top],
        ["-v", "-v", "import", "--no-cache", top],
        ["export", "-q", "--format=\x1b[2J", top],
        ["report", "a" * 5000],
        ["ops", "-q", "--log=" + os.path.join(work, "log"), top],
    ):
        p = on_pipe(args)
        if p.returncode < 0 or p.returncode > 6:
            failed.append("%r: status %d" % (args, p.returncode))
        check("%r" % args, raw(p.stdout + p.stderr, False))
        status, data = on_terminal(
            args
            if "-q" in args
            else [args[0], "-q", *args[1:]]
            if args[0] in COMMANDS + ["query", "export"]
            else args
        )
        check(
            "%r on a terminal" % args, [x for x in raw(re.sub(rb"\r[^\n]*\r", b"", data), True) if x != b"\r"]
        )
    if os.path.exists(os.path.join(work, "log")):
        check("the log", raw(open(os.path.join(work, "log"), "rb").read(), False))
    for d, _, names in os.walk(out):
        for name in names:
            check("name of an exported file", raw(os.fsencode(name), False))


def check_bytes(top):
    """The rows are not harmless because the names are lost: CSV on a pipe has them as they are."""
    p = on_pipe(["ops", "-q", "--by=op", "--format=csv", top])
    rows = list(csv.reader(io.StringIO(p.stdout.decode("utf-8", "surrogateescape"))))
    names = [os.fsencode(r[rows[0].index("op_name")]) for r in rows[1:]]
    if not any(EVIL in n for n in names):
        failed.append("no name of the CSV has the bytes of the profile")
    if not any(len(n) > 4096 for n in names):
        failed.append("no name of the CSV is longer than 4 KiB")


if SPOIL_ONLY:
    spoil_all(work)
    sys.exit(0)
shutil.rmtree(work, ignore_errors=True)
os.makedirs(work)
for gen in (1, 2):
    top = make(gen)
    on_pipe(["import", "-q", top])
    for command in COMMANDS:
        check_formats(top, command, gen)
    check_others(top)
    check_bytes(top)
print("%d outputs looked at, %d bad" % (runs, len(failed)))
for line in failed[:40]:
    print(line)
sys.exit(1 if failed else 0)
