#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kill imports with SIGKILL and look at what lies there afterwards.

Rounds alternate between the ways to import (WAYS) and between two ways to choose the moment: a random
time, and a random one of the calls that change the disk (fault.c), half of these with half of their bytes
written. After each kill
  - the store is absent, or SQLite finds it whole; each source is wholly in it or wholly out of it;
  - the next start answers as a whole import does, and the store has the rows of one;
  - nothing else lies in the cache directory then.
In between the run is now and then exchanged for another in the same place, or the store removed, as a
user may do after a crash.

The judge is tested, too: at the end stores are damaged in ways that a kill must not, and each has to be
found out. Usage: kill_import.py NPUSCOPE FAULT.SO WORKDIR ROUNDS [SEED]     FAULT.SO "": only random
times
"""
import os
import random
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

QUESTION = "SELECT count(*) FROM op_exec; SELECT count(*) FROM event"
SIDES = ("-wal", "-shm", "-journal")


class Wrong(Exception):
    """What must not be, as a sentence."""


def rows_of(db):
    """Rows of every table, and what the timeline holds: numbers that two imports of one run share."""
    tables = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
    found = {
        t: db.execute('SELECT count(*) FROM "%s"' % t).fetchone()[0]
        for t in tables
        if t not in ("meta", "sqlite_stat1")
    }
    found["events"] = db.execute(
        "SELECT sum(n), sum(dur_sum), sum(busy), sum(length(d)) FROM chunk"
    ).fetchone()
    found["levels"] = db.execute("SELECT level, count(*) FROM lod GROUP BY 1 ORDER BY 1").fetchall()
    found["files"] = db.execute("SELECT path, state, used, rows, lost FROM source ORDER BY 1").fetchall()
    return found


def sources_of(db):
    """The same by source, for the tables that name one. Rows of exec_host without a line are made of those of
    several files when all is read (import/derived/launch.c), and anew at each import, as totals are."""
    found = {path: {"state": state} for path, state in db.execute("SELECT path, state FROM source")}
    name = dict(db.execute("SELECT id, path FROM source"))
    for (t,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if t in ("source", "note", "finding", "op") or "source_id" not in [
            c[1] for c in db.execute('PRAGMA table_info("%s")' % t)
        ]:
            continue
        read = "WHERE line IS NOT NULL" if t == "exec_host" else ""
        for source, n in db.execute('SELECT source_id, count(*) FROM "%s" %s GROUP BY 1' % (t, read)):
            if source in name:
                found[name[source]][t] = n
    for source, *sums in db.execute(
        "SELECT t.source_id, count(*), sum(c.n), sum(c.dur_sum) FROM chunk c JOIN track t ON t.id = c.track "
        "GROUP BY 1"
    ):
        if source in name:
            found[name[source]]["events"] = sums
    for source, n in db.execute(
        "SELECT t.source_id, count(*) FROM lod l JOIN track t ON t.id = l.track GROUP BY 1"
    ):
        if source in name:
            found[name[source]]["levels"] = n
    return found


def judge_whole(path):
    """Open a store and its side files; raises Wrong unless SQLite finds it whole and it is marked
    complete."""
    db = sqlite3.connect(path)
    try:
        said = [r[0] for r in db.execute("PRAGMA integrity_check")]
        if said != ["ok"]:
            raise Wrong("integrity_check: %s" % said[0])
        if db.execute("SELECT value FROM meta WHERE key = 'complete'").fetchall() != [("1",)]:
            raise Wrong("a store that is not complete has its name")
    except sqlite3.Error as e:
        db.close()
        raise Wrong("the store cannot be read: %s" % e) from e
    return db


def kill_group(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def runs(pid):
    """The process has a program: it is neither gone nor a zombie."""
    try:
        return bool(os.readlink("/proc/%s/exe" % pid))
    except OSError:
        return False


def wait_for_group(group):
    """Killed processes take a moment to go; the worker is not our child."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        left = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                left += [pid] if os.getpgid(int(pid)) == group and runs(pid) else []
            except ProcessLookupError:
                pass
        if not left:
            return
        time.sleep(0.002)
    raise Wrong("a killed process does not end")


def differing(a, b):
    return [k for k in sorted(set(a) | set(b)) if a.get(k) != b.get(k)]


class Run:
    """A profile in a folder that can be exchanged for another, and the cache."""

    def __init__(self, npuscope, work, size, only=""):
        self.npuscope, self.work, self.size, self.only = npuscope, work, size, only
        os.makedirs(work)
        self.root = os.path.join(work, "run")
        self.cache = os.path.join(work, "cache")
        self.folder = os.path.join(self.cache, "npuscope")
        self.env = dict(
            os.environ,
            XDG_CACHE_HOME=self.cache,
            XDG_STATE_HOME=os.path.join(work, "state"),
            HOME=work,
            LC_ALL="C.UTF-8",
            TZ="UTC",
        )
        self.env.pop("NPUSCOPE_OPTIONS", None)

    def call(self, args, env=None, want=0):
        p = subprocess.run(
            [self.npuscope] + args,
            env=env or self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        )
        if want is not None and p.returncode != want:
            raise Wrong(
                "%s: status %d: %s"
                % (" ".join(args[:2]), p.returncode, p.stderr.decode("utf-8", "replace").strip())
            )
        return p.stdout.decode()

    def make(self, seed):
        made = "%s.%d" % (self.root, seed)
        self.call(["demo", "-q", "--ranks=1", "--steps=4", "--size=%d" % self.size, "--seed=%d" % seed, made])
        for folder, _, files in os.walk(made):
            for f in files:
                if self.only and f != self.only:
                    os.remove(os.path.join(folder, f))

    def place(self, seed):
        """The run made with this seed lies in the folder."""
        for s in (1, 2):
            if s != seed and os.path.isdir(self.root) and not os.path.isdir("%s.%d" % (self.root, s)):
                os.rename(self.root, "%s.%d" % (self.root, s))
        if os.path.isdir("%s.%d" % (self.root, seed)):
            os.rename("%s.%d" % (self.root, seed), self.root)

    def clear(self):
        shutil.rmtree(self.cache, ignore_errors=True)

    def files(self):
        return sorted(os.listdir(self.folder)) if os.path.isdir(self.folder) else []

    def store(self):
        found = [os.path.join(self.folder, f) for f in self.files() if f.endswith(".npus")]
        if len(found) > 1:
            raise Wrong("two stores of one run")
        return found[0] if found else None

    def copied(self, to):
        """A copy of the store as it lies there, side files too, so that looking changes nothing. None: there
        is none."""
        path = self.store()
        for end in ("",) + SIDES:
            if os.path.exists(to + end):
                os.remove(to + end)
            if path and os.path.exists(path + end):
                shutil.copy(path + end, to + end)
        return to if path else None


class Way:
    """One way to import: what lies there before, the command, and what a whole import of each run gives."""

    def __init__(self, run, name, before=None, watched=False):
        self.run, self.name, self.before, self.watched = run, name, before, watched
        self.env = dict(run.env)
        self.whole, self.parts, self.answer = {}, {}, {}
        self.saved = None

    def argv(self):
        if not self.watched:
            return [self.run.npuscope, "import", "-q", self.run.root]
        # As the screen starts it: rows can be read while it fills (WAL).
        unit = next(
            os.path.join(self.run.root, d) for d in os.listdir(self.run.root) if d.endswith("_ascend_ms")
        )
        return [self.run.npuscope, "--import-worker", unit, self.store_name, "1", "", "", "0", "1"]

    def prepare(self):
        """The state from which the import starts."""
        self.run.clear()
        if self.before and not self.saved:
            self.run.call(self.before + [self.run.root])
            self.saved = os.path.join(self.run.work, self.name + ".saved")
            shutil.copytree(self.run.cache, self.saved)
        elif self.saved:
            shutil.copytree(self.saved, self.run.cache)
        elif self.watched:
            os.makedirs(self.run.folder, mode=0o700)

    def start(self, env):
        pipe = subprocess.PIPE if self.watched else subprocess.DEVNULL
        return subprocess.Popen(
            self.argv(), env=env, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def finish(self, child):
        """Wait for its end. The worker is told to go on whenever it says nothing, until it does."""
        end = time.monotonic() + 60
        while self.watched and time.monotonic() < end:
            if select.select([child.stdout], [], [], 0.002)[0]:
                if not os.read(child.stdout.fileno(), 65536):
                    break
            else:
                try:
                    os.write(child.stdin.fileno(), b"g")
                except BrokenPipeError:
                    break
        try:
            child.wait(max(end - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired:
            kill_group(child)
            raise Wrong("the import does not end") from None
        finally:
            if self.watched:
                child.stdin.close()
                child.stdout.close()

    def learn(self, seeds):
        """Whole imports, unharmed: the reference, and how long one takes."""
        for seed in seeds:
            self.run.place(seed)
            self.run.clear()
            if seed == seeds[0] and self.watched:
                self.run.call(["import", "-q", self.run.root])
                self.store_name = self.run.store()
            if seed == seeds[0]:
                self.prepare()
                if self.saved:
                    self.parts["before"] = self.look(sources_of)
                began = time.monotonic()
                self.finish(self.start(self.env))
                self.seconds = time.monotonic() - began
            else:
                self.run.call(["import", "-q", self.run.root])
            self.whole[seed], self.parts[seed] = self.look(rows_of), self.look(sources_of)
            self.answer[seed] = self.run.call(["query", "-q", "--format=csv", QUESTION, self.run.root])
        self.run.place(seeds[0])
        if self.saved:
            state = {p: v["state"] for p, v in self.parts["before"].items()}
            if not any(state[p] == "UNREAD" and v["state"] == "ok" for p, v in self.parts[seeds[0]].items()):
                raise Wrong("%s: nothing was left to be added, this shows nothing" % self.name)
        if self.whole[seeds[0]] == self.whole[seeds[1]]:
            raise Wrong("the two runs look the same, a mixture of them would not be seen")

    def look(self, how):
        db = judge_whole(self.run.copied(os.path.join(self.run.work, "look")))
        found = how(db)
        db.close()
        return found

    def count_calls(self, library):
        self.prepare()
        said = os.path.join(self.run.work, "calls")
        self.finish(self.start(dict(self.env, LD_PRELOAD=library, FAULT_COUNT=said)))
        with open(said, encoding="ascii") as f:
            self.calls = int(f.read())

    def judge_kill(self, seed, without=False):
        """What a kill left; without: a first import may have left files out. Returns a word for it."""
        path = self.run.copied(os.path.join(self.run.work, "look"))
        if not path:
            if self.saved:
                raise Wrong("the store that was there is gone")
            return "absent"
        db = judge_whole(path)
        found = sources_of(db)
        db.close()
        known = [self.parts[k] for k in ("before", seed) if k in self.parts]
        for source, rows in found.items():
            if without and rows == {"state": "UNREAD"}:
                continue
            if not any(k.get(source) == rows for k in known):
                raise Wrong(
                    "%s is partly there: %s, not one of %s" % (source, rows, [k.get(source) for k in known])
                )
        changed = [p for p in found if found[p] != known[0].get(p)]
        return "whole" if found == self.parts[seed] else "some files added" if changed else "as before"

    def judge_next(self, seed):
        """The next start, and what lies there after it."""
        said = self.run.call(["query", "-q", "--format=csv", QUESTION, self.run.root])
        if said != self.answer[seed]:
            raise Wrong("the next start answers %r, not %r" % (said, self.answer[seed]))
        if self.run.files() != [os.path.basename(self.run.store())]:
            raise Wrong("left behind: %s" % " ".join(self.run.files()))
        got = self.look(rows_of)
        if got != self.whole[seed]:
            raise Wrong(
                "the store differs from a whole import in: %s" % ", ".join(differing(got, self.whole[seed]))
            )

    def round(self, rng, library, by_call):
        """One kill. Returns what it was and what it left."""
        self.prepare()
        env = dict(self.env)
        if by_call:
            at = rng.choice(
                (rng.randint(1, self.calls), self.calls - rng.randint(0, min(9, self.calls - 1)))
            )  # often near the end
            word = rng.choice(("kill", "half"))
            when = "%s at call %d of %d" % (word, at, self.calls)
            env.update(LD_PRELOAD=library, FAULT_AT=str(at), FAULT_DO=word)
        else:
            after = rng.uniform(0, self.seconds)
            when = "kill after %.1f of %.1f ms" % (after * 1e3, self.seconds * 1e3)
        self.last = when
        child = self.start(env)
        if not by_call:
            time.sleep(after)
            kill_group(child)
        self.finish(child)
        wait_for_group(child.pid)
        left = self.judge_kill(1)
        then = rng.choice(("start", "start", "exchange", "remove"))
        self.last = "%s, %s, then %s" % (when, left, then)
        if then == "exchange":
            self.run.place(2)
        elif then == "remove":
            self.run.call(["cache", "remove", "-q"] + (["--all"] if left == "absent" else [self.run.root]))
            if self.run.files():
                raise Wrong("cache remove leaves: %s" % " ".join(self.run.files()))
        try:
            self.judge_next(2 if then == "exchange" else 1)
        finally:
            self.run.place(1)
        return left + (", killed" if child.returncode == -signal.SIGKILL else ", not killed")


def change(sql):
    """A function that changes a store."""

    def run(path):
        db = sqlite3.connect(path)
        if db.execute(sql).rowcount < 1:
            raise RuntimeError("nothing was changed by: " + sql)
        db.commit()
        db.close()

    return run


# What a kill must not leave.
DAMAGES = {
    "cut": lambda path: os.truncate(path, os.path.getsize(path) // 2),
    "incomplete": change("DELETE FROM meta WHERE key = 'complete'"),
    "a row less": change("DELETE FROM op_exec WHERE rowid = 1"),
    "a chunk less": change("DELETE FROM chunk WHERE rowid = (SELECT max(rowid) FROM chunk)"),
    "a part of the pyramid less": change("DELETE FROM lod WHERE rowid = (SELECT max(rowid) FROM lod)"),
}


def judge_judge(way, names):
    """Stores damaged on purpose must be found out; returns how many were."""
    way.run.place(1)
    for name in names:
        way.run.clear()
        way.run.call(["import", "-q", way.run.root])
        DAMAGES[name](way.run.store())
        try:
            way.judge_kill(1)
        except Wrong:
            continue
        sys.exit("the judge does not see a store that is damaged: %s" % name)
    return len(names)


def main():
    npuscope, library, work, rounds = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(10**6)
    print("seed %d, %d rounds%s" % (seed, rounds, "" if library else ", at random times only"))
    rng = random.Random(seed)
    run, large = Run(npuscope, work, 6000), Run(
        npuscope, os.path.join(work, "large"), 40000, "trace_view.json"
    )
    for r in (run, large):
        r.make(1)
        r.make(2)
    ways = [
        Way(run, "import"),
        Way(run, "add", ["steps", "-q"]),
        Way(large, "pyramid"),
        Way(run, "watched", watched=True),
    ]
    left, failed = {}, 0
    for w in ways:
        w.learn((1, 2))
        if library:
            w.count_calls(library)
    for i in range(rounds):
        w = ways[i % len(ways)]
        try:
            word = "%s: %s" % (w.name, w.round(rng, library, bool(library) and i // len(ways) % 2 == 0))
            left[word] = left.get(word, 0) + 1
        except Wrong as e:
            failed += 1
            print("round %d, %s, %s: %s" % (i + 1, w.name, w.last, e))
    if not ways[2].whole[1]["lod"]:
        sys.exit("no level of detail is built, this shows nothing")
    found = judge_judge(ways[0], ["cut", "incomplete", "a row less"]) + judge_judge(
        ways[2], ["a chunk less", "a part of the pyramid less"]
    )
    print("; ".join("%s %d" % x for x in sorted(left.items())))
    if sum(n for word, n in left.items() if word.endswith("not killed")) * 2 > rounds:
        sys.exit("most imports ended before they were killed, this shows little")
    print("%d rounds failed; %d stores damaged on purpose were found out" % (failed, found))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
