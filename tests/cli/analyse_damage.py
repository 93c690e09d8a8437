#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`npuscope analyse` on raw folders of generation 1 damaged at random, a few files of each in a few ways.

It must end by itself with a status that is true: 0 when nothing was met, 4 when standard error tells
what, 1 when a row says FAILED or there is nothing to analyse. What a row calls written is there, whole
and of that size, and nothing else is; a second run gives the same bytes; no control byte reaches a
terminal. A round says its seed and its damages when it fails.

Usage: analyse_damage.py NPUSCOPE WORKDIR [ROUNDS [SEED]]
"""
import csv
import io
import json
import os
import pty
import random
import re
import shutil
import subprocess
import sys

ENV = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", TERM="xterm")
RUNS = {
    "r20": ["--era=r20"],
    "r16": ["--era=r16"],
    "r15": ["--era=r15"],
    "r13": ["--era=r13"],
    "two": ["--ranks=2"],
    "gpu": ["--mode=gpu"],
    "cpu": ["--mode=cpu"],
    "pynative": ["--mode=pynative"],
    "crashed": ["--crashed=60%"],
}
VERSIONS = ("r0.6", "r1.0", "r1.1", "r1.3", "r1.4", "r1.5", "r1.6", "r1.7", "r1.8", "r1.10", "r2.0")
NO_JSON = "flops_utilization_step"  # a line of text, whatever its name says
EVIL = b"\x1b]0;pwn\x07\x1b[2J\xe2\x80\xae\xc2\x9b31m\x9b5m\x7f\r\n\"',{}[]%s\0\xff\xfe"


# ---- damages: bytes of one file to its new bytes ----


def span(data, rng):
    a = rng.randrange(len(data))
    return a, min(len(data), a + rng.choice((1, 2, 8, 64, 256, 4096)))


def flip(data, rng):
    out = bytearray(data)
    for _ in range(rng.choice((1, 4, 32))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def cut(data, rng):
    return data[: rng.randrange(len(data))]


def behead(data, rng):
    return data[rng.randrange(len(data)) :]


def zero(data, rng):
    a, b = span(data, rng)
    return data[:a] + bytes(b - a) + data[b:]


def ones(data, rng):
    a, b = span(data, rng)
    return data[:a] + b"\xff" * (b - a) + data[b:]


def drop(data, rng):
    a, b = span(data, rng)
    return data[:a] + data[b:]


def double(data, rng):
    a, b = span(data, rng)
    return data[:b] + data[a:]


def swap(data, rng):
    a, b = span(data, rng)
    n = b - a
    return data[:a] + data[b : b + n] + data[a:b] + data[b + n :]


def spoil(data, rng):
    a = rng.randrange(len(data))
    return data[:a] + EVIL + data[a + rng.choice((0, len(EVIL))) :]


def numbers(data, rng):
    """Another number where digits stand."""
    at = [m.span() for m in re.finditer(rb"\d+", data)]
    if not at:
        return flip(data, rng)
    a, b = rng.choice(at)
    return (
        data[:a]
        + rng.choice((b"-1", b"0", b"1e308", b"nan", b"9" * 19, b"18446744073709551615", b""))
        + data[b:]
    )


IN_FILE = (flip, cut, behead, zero, ones, drop, double, swap, spoil, numbers)


# ---- damages of folders ----


def remove(path, files, rng):
    os.remove(path)


def empty(path, files, rng):
    open(path, "wb").close()


def other(path, files, rng):
    """The bytes of another file."""
    shutil.copyfile(rng.choice(files), path + "~")
    os.replace(path + "~", path)


def next_slice(path, files, rng):
    """The file again as a later slice, or in two that are swapped."""
    name, n = re.subn(r"slice_0$", "slice_%d" % rng.choice((1, 2, 10)), path)
    if n:
        shutil.copyfile(path, name)
        open(name + ".done", "wb").close()


def split(path, files, rng):
    name, n = re.subn(r"slice_0$", "slice_1", path)
    data = open(path, "rb").read()
    if n and data:
        at = rng.randrange(len(data))
        order = [data[:at], data[at:]] if rng.random() < 0.5 else [data[at:], data[:at]]
        open(path, "wb").write(order[0])
        open(name, "wb").write(order[1])


OF_FOLDER = (remove, empty, other, next_slice, split)


def all_files(root):
    return sorted(os.path.join(d, n) for d, _, names in os.walk(root) for n in names)


def hurt_folder(root, rng):
    told = []
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        files = [f for f in all_files(root) if not f.endswith(".done")]
        if not files:
            break
        path, how = rng.choice(files), rng.choice(IN_FILE * 2 + OF_FOLDER)
        told.append("%s %s" % (how.__name__, os.path.relpath(path, root)))
        if how in OF_FOLDER:
            how(path, files, rng)
            continue
        data = open(path, "rb").read()
        if data:
            open(path, "wb").write(how(data, rng))
    return told


# ---- the runs ----


def on_pipe(npuscope, args):
    p = subprocess.run([npuscope, *args], env=ENV, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


def on_terminal(npuscope, args):
    """Status and what reached the terminal, both streams."""
    main, side = pty.openpty()
    p = subprocess.Popen(
        [npuscope, *args],
        env=dict(ENV, PAGER="cat"),
        stdin=subprocess.DEVNULL,
        stdout=side,
        stderr=side,
        start_new_session=True,
    )
    os.close(side)
    seen = b""
    try:
        while True:
            got = os.read(main, 65536)
            if not got:
                break
            seen += got
    except OSError:  # the other side is closed
        pass
    os.close(main)
    return p.wait(timeout=60), seen


def raw(seen):
    """Control bytes and characters on a terminal that are not its colours and line ends."""
    seen = re.sub(rb"\x1b\[[0-9;]*m", b"", seen)
    seen = re.sub(rb"\r +\r", b"", seen)  # what takes long has a line of progress, which is wiped out
    seen = seen.replace(b"\r\n", b"\n")
    text = seen.decode("utf-8", "surrogateescape")
    return sorted(
        {
            c
            for c in text
            if (ord(c) < 0x20 and c != "\n")
            or 0x7F <= ord(c) < 0xA0
            or c in "\u202a\u202e\u2066\u2069"
            or 0xD800 <= ord(c) < 0xE000
        }
    )


def read_all(folder):
    return {os.path.relpath(f, folder): open(f, "rb").read() for f in all_files(folder)}


def check_files(rows, out, bad):
    got = read_all(out) if os.path.isdir(out) else {}
    written = {r["file"]: int(r["size_b"]) for r in rows if r["state"] == "written"}
    if set(got) != set(written):
        bad.append(
            "there, but not called written: %s; the other way: %s"
            % (sorted(set(got) - set(written)), sorted(set(written) - set(got)))
        )
    for name, data in got.items():
        if written.get(name, len(data)) != len(data):
            bad.append("%s: %d bytes, said to be %d" % (name, len(data), written[name]))
        if name.endswith(".json") and not name.startswith(NO_JSON):
            try:
                json.loads(data)
            except ValueError as e:
                bad.append("%s: %s" % (name, e))
    return got


def check_status(code, rows, err, bad):
    failed = any(r["state"] == "FAILED" for r in rows)
    if code not in (0, 1, 4):
        bad.append("status %d: %s" % (code, err[-2000:]))
    elif code == 0 and (failed or err.strip()):
        bad.append("status 0, but: %s" % (err.strip()[:300] or "a row FAILED"))
    elif code == 4 and (failed or not err.strip()):
        bad.append("status 4, but %s" % ("a row FAILED" if failed else "nothing is told"))
    elif code == 1 and not failed and (rows or not err.strip()):
        bad.append("status 1 without a reason: %s" % err.strip()[:300])


def one_round(npuscope, work, clean, rng):
    hurt, out, bad = os.path.join(work, "hurt"), os.path.join(work, "out"), []
    for folder in (hurt, out):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(clean, hurt)
    told = hurt_folder(hurt, rng)
    options = rng.choice(([], [], ["--pretty"], ["--ms-version=" + rng.choice(VERSIONS)]))
    args = ["analyse", *options, "-o", out, hurt]
    try:
        code, text, err = on_pipe(npuscope, [*args, "--format=csv"])
        rows = list(csv.DictReader(io.StringIO(text)))
        check_status(code, rows, err, bad)
        files = check_files(rows, out, bad)
        again, seen = on_terminal(npuscope, [*args, "--force"])
        if again != code:
            bad.append("status %d, then %d" % (code, again))
        if raw(seen):
            bad.append("on the terminal: %r" % raw(seen))
        after = read_all(out) if os.path.isdir(out) else {}
        if after != files:
            bad.append(
                "other bytes the second time: %s"
                % sorted(n for n in set(after) | set(files) if after.get(n) != files.get(n))
            )
    except subprocess.TimeoutExpired:
        bad.append("hangs")
    return ["%s %s: %s" % (" ".join(options), "; ".join(told), b) for b in bad], len(rows) if not bad else 0


def main():
    npuscope, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    bad, reported, clean = [], 0, {}
    for i in range(rounds):
        name = list(RUNS)[(seed + i) % len(RUNS)]
        if name not in clean:
            clean[name] = os.path.join(work, name)
            made = on_pipe(
                npuscope,
                [
                    "demo",
                    "-q",
                    "--raw",
                    "--ranks=1",
                    "--steps=3",
                    "--size=50",
                    "--seed=7",
                    *RUNS[name],
                    clean[name],
                ],
            )
            if made[0]:
                sys.exit("no demo: " + made[2])
        wrong, n = one_round(npuscope, work, clean[name], random.Random(seed + i))
        reported += n
        bad += ["seed %d: %s: %s" % (seed + i, name, w) for w in wrong]
    print("%d damaged folders, %d files reported" % (rounds, reported))
    for line in bad:
        print(line)
    sys.exit(1 if bad or not reported else 0)


if __name__ == "__main__":
    main()
