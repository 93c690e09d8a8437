# SPDX-License-Identifier: Apache-2.0
"""Stores with named damage: every command gives what it gives with a whole one.

store_damage.py NPUSCOPE WORK
"""
import glob
import os
import random
import subprocess
import sys

NPUSCOPE, WORK = sys.argv[1:3]
PAGE = 4096
SEED = int(os.environ.get("STORE_DAMAGE_SEED", "1"))
ROUNDS = int(os.environ.get("STORE_DAMAGE_ROUNDS", "60"))
failed = 0


def wrong(text):
    global failed
    failed += 1
    print(text)


def run(*args):
    p = subprocess.run([NPUSCOPE, *args], capture_output=True, stdin=subprocess.DEVNULL)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


subprocess.run([NPUSCOPE, "demo", "-q", "--ranks=1", "--steps=4", "--size=20000", WORK + "/run"], check=True)
RUN = glob.glob(WORK + "/run/*_ascend_ms")[0]
COMMANDS = [
    ("steps", RUN), ("ops", RUN), ("timeline", "-F", "csv", RUN), ("triage", RUN), ("memory", RUN), ("report", RUN),
    ("query", RUN, "SELECT count(*), sum(dur_ns) FROM event"), ("ops", "-F", "json", "-n", "3", RUN),
]
run("import", RUN)
want = {c: run(*c) for c in COMMANDS}
STORE = glob.glob(os.environ["XDG_CACHE_HOME"] + "/npuscope/*.npus")[0]
with open(STORE, "rb") as f:
    good = f.read()
pages = len(good) // PAGE
rng = random.Random(SEED)


def cut():
    return good[:rng.randrange(len(good))]


def flip():
    b, at = bytearray(good), rng.randrange(len(good))
    b[at] ^= 1 << rng.randrange(8)
    return b


def zero():
    b, at, n = bytearray(good), rng.randrange(pages), rng.randrange(1, 30)
    b[at * PAGE:(at + n) * PAGE] = bytes(len(b[at * PAGE:(at + n) * PAGE]))
    return b


def swap():
    """Two whole pages in each other's place: each fits a sum, not its own."""
    b, x, y = bytearray(good), rng.randrange(1, pages), rng.randrange(1, pages)
    b[x * PAGE:(x + 1) * PAGE], b[y * PAGE:(y + 1) * PAGE] = good[y * PAGE:(y + 1) * PAGE], good[x * PAGE:(x + 1) * PAGE]
    return b


def head():
    return bytes(100) + good[100:]


def empty():
    return b""


def noise():
    return rng.randbytes(len(good))


def every_other():
    """All pages but the first are damaged: whatever is asked for meets it."""
    b = bytearray(good)
    for p in range(1, pages):
        b[p * PAGE + 200] ^= 1
    return b


def check(damage, command, data, store, *options):
    with open(store, "wb") as f:
        f.write(data)
    for side in ("-wal", "-shm", "-journal"):
        if os.path.exists(store + side):
            os.remove(store + side)
    status, out, err = run(*command, *options)
    if (status, out) != want[command][:2]:
        with open(os.environ.get("STORE_DAMAGE_KEEP", os.devnull), "ab") as f:
            f.write(data)
        wrong(f"{damage} {command[0]}: status {status}, not {want[command][0]}; same result: "
              f"{out == want[command][1]}; {err}")
    if not os.path.exists(store):
        return True  # the damage was met where the result does not rest on it: the next start makes it anew
    with open(store, "rb") as f:
        made = f.read() != bytes(data)
    if made and "the store is damaged: reading the run again" not in err:
        wrong(f"{damage} {command[0]}: read again without a word: {err}")
    return made


def one_page(n):
    b = bytearray(good)
    b[n * PAGE:(n + 1) * PAGE] = bytes(PAGE)
    return b


again = 0
# Each of the small tables, which are asked for facts that need not be there.
for n in range(1, 60):
    again += check(f"page {n + 1}", COMMANDS[2], one_page(n), STORE)
for damage in (every_other, head, empty, noise, cut):
    for command in COMMANDS:
        again += 1
        # of a cut store the command may need nothing that is not there
        if not check(damage.__name__, command, damage(), STORE) and damage is not cut:
            wrong(f"{damage.__name__} {command[0]}: the store is still damaged")
for i in range(ROUNDS):
    damage = rng.choice((flip, zero, swap))
    again += check(damage.__name__, rng.choice(COMMANDS), damage(), STORE)

# A store that the user named; a database of someone else is not touched.
own = WORK + "/own.npus"
run("import", "--db=" + own, RUN)
with open(own, "rb") as f:
    good = f.read()
pages = len(good) // PAGE
def half():
    return good[:len(good) // 2]


for damage in (every_other, half):
    if not check("--db " + damage.__name__, COMMANDS[1], damage(), own, "--db=" + own):
        wrong(f"--db {damage.__name__}: the store is still damaged")
foreign = b"SQLite format 3\0" + rng.randbytes(20000)
with open(own, "wb") as f:
    f.write(foreign)
status, out, err = run(*COMMANDS[1], "--db=" + own)
with open(own, "rb") as f:
    if status != 1 or f.read() != foreign or "give another name" not in err:
        wrong(f"a database of another program: status {status}, {err}")
print(f"damaged stores that were read again: {again}, seed {SEED}, wrong: {failed}")
sys.exit(failed > 0)
