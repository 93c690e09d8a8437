#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Databases by the names that tools give them: ascend_mindspore_profiler_*.db, msmonitor_*.db,
communication_analyzer.db, cluster_analysis.db. What the first two hold is that of msprof's database under
another name; the others are written here, row by row.

  database_kinds.py NPUSCOPE
"""
import csv
import gzip
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

exe = os.path.abspath(sys.argv[1])
bad = 0
NOBODY = 65534
wrapped = {}  # how the program is run: as whom, where, and what runs it


def run(*args):
    how = dict(wrapped)
    p = subprocess.run([*how.pop("before", []), exe, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       **how)
    if p.returncode not in (0, 4):
        sys.exit(f"npuscope {' '.join(args)}: status {p.returncode}: {p.stderr}")
    return p.stdout


def rows(folder, command, *args):
    return list(csv.DictReader(io.StringIO(run(command, "-q", "--format=csv", *args, folder))))


def expect(what, have, want):
    global bad
    if have != want:
        print(f"{what}: {have!r}, wanted {want!r}")
        bad += 1


def state(folder, name):
    found = [r for r in rows(folder, "files") if r["path"].endswith(name)]
    return (found[0]["kind"], found[0]["state"]) if found else None


def write(path, script):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    db = sqlite3.connect(path)
    db.executescript(script)
    db.close()


def msprof_database(work):
    """The database that msprof's export makes of a raw run."""
    run("demo", "-q", "--raw", "--gen=2", "--ranks=1", "--steps=3", f"{work}/raw")
    for at, _, files in os.walk(f"{work}/raw"):
        if os.path.basename(at).startswith("PROF_") and "host" in os.listdir(at):
            run("export", "db", "-dir", at)
            return os.path.join(at, next(f for f in os.listdir(at) if f.startswith("msprof_")
                                         and f.endswith(".db")))
    sys.exit("no PROF folder in the demo")


def other_names(work, database):
    alone = f"{work}/alone"
    os.makedirs(alone)
    shutil.copy(database, alone)
    want = rows(alone, "ops", "--by=type")
    expect("op types of the demo", len(want) > 5, True)
    for kind, path in {
        "ms_db": "node_1_20240611062509123_ascend_ms/ASCEND_PROFILER_OUTPUT/ascend_mindspore_profiler_0.db",
        "monitor_db": "msmonitor_4711_20240611062509123_0.db",
    }.items():
        folder = f"{work}/{kind}"
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        shutil.copy(database, f"{folder}/{path}")
        expect(f"{kind}: state", state(folder, os.path.basename(path)), (kind, "ok"))
        have = rows(folder, "ops", "--by=type")
        expect(f"{kind}: op types", [(r["type"], r["calls"], r["total_ns"]) for r in have],
               [(r["type"], r["calls"], r["total_ns"]) for r in want])


def packed(work, database):
    """Packed with gzip by itself: the same ops; beside the plain one it is read once."""
    want = rows(f"{work}/alone", "ops", "--by=type")
    folder = f"{work}/packed"
    os.makedirs(folder)
    name = os.path.basename(database)
    with open(database, "rb") as plain, gzip.open(f"{folder}/{name}.gz", "wb") as out:
        shutil.copyfileobj(plain, out)
    expect("packed: state", state(folder, name + ".gz"), ("msprof_db", "ok"))
    expect("packed: op types", rows(folder, "ops", "--by=type"), want)
    shutil.copy(database, folder)
    expect("packed beside it: state", state(folder, name + ".gz"), ("msprof_db", "spare"))
    expect("packed beside it: op types", rows(folder, "ops", "--by=type"), want)


def choice(work):
    """Of a run in three forms Files says which is read, and what of the others."""
    folder = f"{work}/raw"
    for at, _, _ in os.walk(folder):
        if os.path.basename(at).startswith("PROF_"):
            run("export", "text", "-dir", at)
    spare = ("spare", "no", "analysed files are read")
    for prefer, want in (("text", (spare, "yes")), ("raw", (("ok", "yes", ""), "no"))):
        have = rows(folder, "files", f"--prefer={prefer}", "-C", "path,kind,state,used,note")
        raw = [(r["state"], r["used"], r["note"] or "") for r in have
               if "/stars_soc.data" in r["path"] and r["kind"] == "raw_stars"]
        text = [r["used"] for r in have if r["kind"] == "op_summary"]
        expect(f"--prefer={prefer}: raw data", raw, [want[0]])
        expect(f"--prefer={prefer}: op_summary", [u[:len(want[1])] for u in text], [want[1]])


def listing(folder):
    return sorted((x.name, x.inode(), x.stat().st_size, x.stat().st_mtime_ns) for x in os.scandir(folder))


def reads_the_journal(what, live, folder):
    was = listing(folder)
    types = [r["type"] for r in rows(live, "ops", "--by=type")]
    have = [r["note"] for r in rows(live, "files", "-C", "path,note") if r["path"].endswith("_0.db")]
    expect(f"{what}: an op type of the journal", types.count("FromTheJournal"), 1)
    expect(f"{what}: note", have, ["a journal lies beside it: its rows are read, too"])
    expect(f"{what}: listing", listing(folder), was)


def unprivileged(work):
    """What makes a process of a user who may not write there; None when files are not to be had by that user."""
    if os.geteuid() != 0:
        return lambda: None

    def drop():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    os.chmod(work, 0o755)
    if subprocess.run([exe, "--version"], preexec_fn=drop, stdout=subprocess.DEVNULL).returncode == 0:
        return drop
    return None


def may_not_write(work, live, folder):
    """The same as a user who may read the folder and nothing more, then on a medium that nobody can write to."""
    global wrapped
    os.chmod(f"{folder}/ascend_mindspore_profiler_0.db", 0o444)
    for at, _, _ in os.walk(live):
        os.chmod(at, 0o555)
    home = f"{work}/home"
    os.makedirs(home)
    drop = unprivileged(work)
    if drop:
        if os.geteuid() == 0:
            os.chown(home, NOBODY, NOBODY)
        wrapped = {"preexec_fn": drop, "env": {**os.environ, "XDG_CACHE_HOME": home, "TMPDIR": home}}
        reads_the_journal("as an unprivileged user", live, folder)
        wrapped = {}
    else:
        print("as an unprivileged user: not tried, the program is out of reach for one")
    mount = ["unshare", "-m", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"', live]
    if shutil.which("unshare") and subprocess.run([*mount, "true"], stderr=subprocess.DEVNULL).returncode == 0:
        wrapped = {"before": mount, "env": {**os.environ, "XDG_CACHE_HOME": f"{work}/mounted"}}
        reads_the_journal("on a read-only medium", live, folder)
        wrapped = {}
    else:
        print("on a read-only medium: not tried, nothing may be mounted here")
    for at, _, _ in os.walk(live):
        os.chmod(at, 0o755)


def beside_a_writer(work, database):
    """A program that has the database open goes on: nothing is touched, its last rows are read, and Files says how."""
    folder = f"{work}/live/node_1_20240611062509123_ascend_ms/ASCEND_PROFILER_OUTPUT"
    os.makedirs(folder)
    shutil.copy(database, f"{folder}/ascend_mindspore_profiler_0.db")
    writer = sqlite3.connect(f"{folder}/ascend_mindspore_profiler_0.db")
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("UPDATE STRING_IDS SET value = 'FromTheJournal' WHERE id = (SELECT opType FROM COMPUTE_TASK_INFO)")
    writer.commit()
    reads_the_journal("beside a writer", f"{work}/live", folder)
    may_not_write(work, f"{work}/live", folder)
    writer.close()


COMM = """
CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC,
  elapse_time NUMERIC, transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC,
  idle_time NUMERIC);
INSERT INTO CommAnalyzerTime VALUES
  ('hcom_allReduce__452_0_1', '11', 1718087109133456.5, 2.5, 2, 0.25, 0.25, 0),
  ('hcom_allReduce__452_1_1', '11', 1718087109143456.5, 3.5, 3, 0.25, 0.25, 0);
CREATE TABLE CommAnalyzerMatrix (hccl_op_name TEXT, group_name TEXT, src_rank TEXT, dst_rank TEXT,
  transport_type TEXT, transit_size NUMERIC, transit_time NUMERIC, bandwidth NUMERIC);
INSERT INTO CommAnalyzerMatrix VALUES ('hcom_allReduce__452_0_1', '11', '0', '1', 'HCCS', 8, 2, 4);
"""
CLUSTER = """
CREATE TABLE ClusterStepTraceTime (step TEXT, type TEXT, [index] TEXT, computing REAL,
  communication_not_overlapped REAL, overlapped REAL, communication REAL, free REAL, stage REAL, bubble REAL,
  communication_not_overlapped_and_exclude_receive REAL, preparing REAL);
INSERT INTO ClusterStepTraceTime VALUES ('3', 'rank', '0', 800, 100, 50, 150, 10, 0, 0, 100, 5);
INSERT INTO ClusterStepTraceTime VALUES ('3', 'rank', '1', 700, 200, 50, 250, 20, 0, 0, 200, 5);
INSERT INTO ClusterStepTraceTime VALUES ('3', 'stage', '(0, 1)', 800, 200, 50, 250, 20, 0, 0, 200, 5);
"""


def analysis_tables(work):
    output = f"{work}/comm/node_1_20240611062509123_ascend_ms/ASCEND_PROFILER_OUTPUT"
    write(f"{output}/communication_analyzer.db", COMM)
    expect("comm_db: state", state(f"{work}/comm", "communication_analyzer.db"), ("comm_db", "ok"))
    have = rows(f"{work}/comm", "comm", "--by=op")
    expect("comm_db: ops", sorted((r["op_name"], r["dur_ns"], r["transit_ns"]) for r in have),
           [("hcom_allReduce__452_0_1", "2500000", "2000000"),
            ("hcom_allReduce__452_1_1", "3500000", "3000000")])
    write(f"{work}/cluster/cluster_analysis_output/cluster_analysis.db", CLUSTER)
    expect("cluster_db: state", state(f"{work}/cluster", "cluster_analysis.db"), ("cluster_db", "ok"))
    text = run("query", "-q", "--format=csv", "select rank, computing_ns, free_ns from step order by 1",
               f"{work}/cluster")
    expect("cluster_db: steps", text.split(),
           ["rank,computing_ns,free_ns", "0,800000,10000", "1,700000,20000"])


def ranks(folder):
    """Those that triage and the panes over all ranks know."""
    told = run("triage", "-q", "--format=json", folder)
    return [r["rank"] for r in json.loads(told)["ranks"]]


TIMES = """
CREATE TABLE ClusterCommunicationTime (step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT,
  start_timestamp NUMERIC, elapsed_time NUMERIC, transit_time NUMERIC, wait_time NUMERIC,
  synchronization_time NUMERIC, idle_time NUMERIC);
INSERT INTO ClusterCommunicationTime VALUES
  ('step3', 2, 'hcom_allReduce__452_0_1', '11', 1718087109133456.5, 2.5, 2, 0.25, 0.25, 0),
  ('step3', 5, 'hcom_allReduce__452_0_1', '11', 1718087109133456.5, 3.5, 3, 0.25, 0.25, 0);
"""
MAP = "CREATE TABLE RankDeviceMap (rankId INTEGER, deviceId INTEGER); INSERT INTO RankDeviceMap VALUES (4, 0);"
GROUPS = """
CREATE TABLE CommunicationGroup (type TEXT, rank_set TEXT, group_name TEXT);
INSERT INTO CommunicationGroup VALUES ('collective', '(0, 2, 11)', '11'), ('p2p', '[]', '12');
"""


def cluster_ranks(work):
    """A database without the folders of its ranks says which they are."""
    expect("ranks of steps", ranks(f"{work}/cluster"), [0, 1])
    have = rows(f"{work}/cluster", "steps", "--rank=all")
    expect("steps by rank", [(r["rank"], r["step"]) for r in have], [("0", "3"), ("1", "3")])
    for name, script, want in (("times", TIMES, [2, 5]), ("map", MAP, [4]), ("groups", GROUPS, [0, 2, 11]),
                               ("empty", "CREATE TABLE ClusterCommunicationTime (rank_id TEXT);", [0]),
                               ("strange", "CREATE TABLE RankDeviceMap (rankId);"
                                "INSERT INTO RankDeviceMap VALUES (-1), ('x'), (1e30), (NULL), (x'ff'), (7);",
                                [7])):
        write(f"{work}/of_{name}/cluster_analysis_output/cluster_analysis.db", script)
        expect(f"ranks of {name}", ranks(f"{work}/of_{name}"), want)
    for rank, total in ("2", "2500000"), ("5", "3500000"):
        have = rows(f"{work}/of_times", "comm", "--by=type", f"--rank={rank}")
        expect(f"communication of rank {rank}", [(r["calls"], r["total_ns"]) for r in have], [("1", total)])
        expect(f"rank {rank} is not the longest of one", have[0]["long_rank"], "")
    have = rows(f"{work}/of_times", "comm", "--by=type", "--rank=all")
    expect("communication of all ranks", [
        (r["calls"], r["total_ns"], r["avg_ns"], r["share_pct"], r["long_ns"], r["long_rank"], r["short_ns"], r["short_rank"])
        for r in have], [("2", "6000000", "3000000", "100", "3500000", "5", "2500000", "2")])


def tasks_alone(work):
    """Communication tasks without their ops: the empty pane says that they are there."""
    folder = f"{work}/PROF_000001_20240611062509123_TASKSALONE"
    os.makedirs(folder)
    write(f"{folder}/msprof_20240611062509.db", """
        CREATE TABLE STRING_IDS (id INTEGER, value TEXT);
        INSERT INTO STRING_IDS VALUES (1, 'Notify_Wait'), (2, 'NOTIFY_WAIT_SQE');
        CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER,
            globalTaskId INTEGER, globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER,
            taskId INTEGER, modelId INTEGER);
        INSERT INTO TASK VALUES (1000, 2000, 0, 1, 1, 1, 2, 4294967295, 3, 1, 1),
            (3000, 4000, 0, 2, 2, 1, 2, 4294967295, 3, 2, 1);
        CREATE TABLE COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER,
            groupName INTEGER, notifyId INTEGER, rdmaType INTEGER, srcRank INTEGER, dstRank INTEGER,
            transportType INTEGER, size INTEGER, dataType INTEGER, linkType INTEGER, opId INTEGER);
        INSERT INTO COMMUNICATION_TASK_INFO VALUES (1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 9),
            (1, 2, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 9);
        """)
    p = subprocess.run([exe, "comm", folder], capture_output=True, text=True)
    expect("status of tasks alone", p.returncode, 1)
    said = "the timeline has 2 communication tasks, but no file here lists their ops"
    expect("what is said of tasks alone", said in p.stderr, True)


def main():
    with tempfile.TemporaryDirectory() as work:
        os.environ["XDG_CACHE_HOME"] = f"{work}/cache"
        database = msprof_database(work)
        other_names(work, database)
        packed(work, database)
        beside_a_writer(work, database)
        choice(work)
        analysis_tables(work)
        cluster_ranks(work)
        tasks_alone(work)
    return 1 if bad else 0


sys.exit(main())
