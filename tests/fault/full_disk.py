#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A disk that is too small, and one that becomes full while an import writes.

  - Calls that need room fail with ENOSPC from the n-th on (fault.c), once or for good, while a run is
    read and while large files are added to a finished store: what lies there afterwards is no store, or a
    whole one in which each file is wholly in or wholly out with the reason; one message says that the
    disk is full; nothing else stays; with room again the run is read whole. The same when one call fails
    with EIO, and for each single file that is made beside the store: what the store lacks is no damage of
    the file that is being read.
  - File systems of given sizes (a private tmpfs, where this user may mount one): what does not fit is
    known before anything is read, so that no call fails; small tables are read first, what is left says
    what is needed and what is free, and a larger disk gives more files.
Usage: full_disk.py NPUSCOPE FAULT.SO WORKDIR POINTS
"""
import os
import sqlite3
import subprocess
import sys

import kill_import
from kill_import import Run, Way, Wrong


def left_out(way):
    """Paths of files without rows for want of room, by the store as it lies there; None without a store."""
    path = way.run.copied(os.path.join(way.run.work, "look"))
    if not path:
        return None
    db = sqlite3.connect(path)
    found = [
        p
        for (p,) in db.execute(
            "SELECT path FROM source WHERE state = 'UNREAD' AND used IS NULL AND note LIKE 'no room: %'"
        )
    ]
    db.close()
    return found


def point(way, library, at, word, sticky):
    """One import during which the disk becomes full at that call. Returns a word for what came of it."""
    way.prepare()
    env = dict(way.env, LD_PRELOAD=library, FAULT_AT=str(at), FAULT_DO=word)
    if sticky:
        env["FAULT_STICKY"] = "1"
    p = subprocess.run(way.argv(), env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    said = p.stderr.decode("utf-8", "replace").strip()
    if p.returncode not in (0, 1):
        raise Wrong("status %d: %s" % (p.returncode, said))
    before = "before" in way.parts
    # The journal of a finished store is part of it until there is room to play it in.
    rest = [
        f
        for f in way.run.files()
        if not f.endswith((".npus", ".npus-wal", ".npus-shm") if before else ".npus")
    ]
    if rest:
        raise Wrong("left behind: %s" % " ".join(rest))
    left = way.judge_kill(1, without=True)
    unread = left_out(way)
    if p.returncode == 0 and left != "whole":
        raise Wrong("status 0, but the store is not whole (%s)" % left)
    if p.returncode == 1 and not (any(w in said for w in ("full", "No space", "no room", "disk I/O error"))):
        raise Wrong("no clear message: %r" % said)
    if p.returncode == 1 and unread and said.count("not read") != 1:
        raise Wrong("files are left without one word of it: %r" % said)
    if left == "absent" and before:
        raise Wrong("the store that was there is gone")
    way.judge_next(1)
    return "%s: %s%s" % (way.name, left, ", files left" if unread else "")


def moments(way, library, points):
    """Calls to fail, of all and of those that make a file: number, how, for good."""
    for only in ({}, {"FAULT_ONLY": "open"}):
        way.env.pop("FAULT_ONLY", None)
        way.env.update(only)
        way.count_calls(library)
        n = min(points, way.calls)
        for i in range(n):
            at = 1 + i * way.calls // n
            yield at, "enospc", i % 2 == 0 and not only
            if only or i % 2 == 1:
                yield at, "eio", False


def faults(npuscope, library, work, points):
    run = Run(npuscope, work, 6000)
    run.make(1)
    run.make(2)
    run.place(1)
    seen, failed = {}, 0
    for way in (Way(run, "import"), Way(run, "add", ["steps", "-q"])):
        way.learn((1, 2))
        for at, how, sticky in moments(way, library, points):
            try:
                word = point(way, library, at, how, sticky)
                seen[word] = seen.get(word, 0) + 1
            except Wrong as e:
                failed += 1
                kind = "file made" if "FAULT_ONLY" in way.env else "call"
                print(
                    "%s, %s %s %s %d of %d: %s"
                    % (way.name, how, "from" if sticky else "at", kind, at, way.calls, e)
                )
    print("; ".join("%s %d" % x for x in sorted(seen.items())))
    if not any("files left" in word for word in seen):
        sys.exit("no file was ever left for want of room, this shows nothing")
    return failed


def report_says_why(npuscope, run):
    """Its line of a table whose file is left gives that as the reason."""
    p = subprocess.run(
        [npuscope, "report", "-q", run.root],
        env=run.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    lines = [x for x in p.stdout.decode("utf-8", "replace").splitlines() if x.startswith("Timeline:")]
    if len(lines) == 1 and "no room" in lines[0] and "did not run" not in lines[0]:
        return 0
    print("a report without room says: %r" % lines)
    return 1


def sizes(npuscope, work):
    """Inside a mount namespace of our own: one size after the other."""
    run = Run(npuscope, work, 60000)
    run.make(1)
    run.place(1)
    os.makedirs(run.cache)
    files, failed, empty = [], 0, 0
    for mib in (1, 3, 5, 7, 9, 12, 40):
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=%dm,mode=700" % mib, "tmpfs", run.cache], check=True
        )
        p = subprocess.run(
            [npuscope, "import", "-q", run.root],
            env=run.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
        said = p.stderr.decode("utf-8", "replace").strip()
        path, read = run.store(), 0
        if path:
            db = kill_import.judge_whole(path)
            (read,) = db.execute(
                "SELECT count(*) FROM source WHERE state = 'ok' AND rows IS NOT NULL"
            ).fetchone()
            (left,) = db.execute(
                "SELECT count(*) FROM source WHERE note LIKE 'no room: about % of disk needed, % free;%'"
            ).fetchone()
            db.close()
            if (p.returncode == 1) != (left > 0):
                failed += 1
                print("%d MiB: status %d with %d files left" % (mib, p.returncode, left))
        if p.returncode and not (
            "of disk needed" in said
            and "free" in said
            and "--db=FILE" in said
            and "XDG_CACHE_HOME" in said
            and len(said.splitlines()) == 1
        ):
            failed += 1
            print("%d MiB: no clear message: %r" % (mib, said))
        # A table that is empty for want of room says so, not that it was never recorded.
        shown = subprocess.run(
            [npuscope, "timeline", "-q", run.root],
            env=run.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
        empty += b"is not read: no room: about" in shown.stderr and shown.returncode == 1
        if mib == 3:
            failed += report_says_why(npuscope, run)
        files.append(read)
        subprocess.run(["umount", run.cache], check=True)
    print("files read by size of the disk: %s" % " ".join(map(str, files)))
    if not empty:
        failed += 1
        print("no command said that its file has no room")
    if files != sorted(files) or len(set(files)) < 3 or p.returncode:
        failed += 1
        print("more room does not give more files, or all of it not all files")
    return failed


def main():
    npuscope, library, work = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    if sys.argv[4] == "sizes":
        sys.exit(1 if sizes(npuscope, work) else 0)
    failed = faults(npuscope, library, os.path.join(work, "faults"), int(sys.argv[4])) if library else 0
    mine = subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    if mine:
        failed += subprocess.run(
            [
                "unshare",
                "-rm",
                sys.executable,
                __file__,
                npuscope,
                library,
                os.path.join(work, "sizes"),
                "sizes",
            ],
            check=False,
        ).returncode
    else:
        print("no file system of our own can be mounted here: sizes are not tried")
    print("%d failed" % failed)
    sys.exit(1 if failed else 77 if not library and not mine else 0)


if __name__ == "__main__":
    main()
