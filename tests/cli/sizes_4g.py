# SPDX-License-Identifier: Apache-2.0
"""A CSV file and a trace of more than 4 GiB, made here: rows, offsets and memory.

sizes_4g.py NPUSCOPE WORK
"""
import os
import subprocess
import sys

NPUSCOPE, WORK = sys.argv[1:3]
MIB = 1 << 20
PAD = b"x" * MIB
N = 4200  # rows of 1 MiB each, and a row behind 2^32
LIMIT_MIB = 128  # doc/performance.md#memory
failed = 0


def expect(what, got, want):
    global failed
    print(f"{what}: {got!r}")
    if got != want:
        failed += 1
        print(f"    wanted {want!r}")


def run(*args):
    """Standard output and peak MiB of a command that succeeds."""
    p = subprocess.Popen([NPUSCOPE, *args], stdout=subprocess.PIPE)
    out = p.stdout.read().decode()
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    expect(" ".join(args[:1]), p.returncode, 0)
    return out.strip(), usage.ru_maxrss / 1024


def write_csv(path):
    with open(path, "wb", buffering=4 * MIB) as f:
        f.write(b"Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Padding\n")
        for i in range(N):
            f.write(b"1,op%d,MatMul,AI_CORE,%d.000,2.500," % (i % 10, 1700000000000000 + 10 * i))
            f.write(PAD)
            f.write(b"\n")
        f.write(b"1,last,Add,AI_CORE,%d.000,7.125,\n" % (1700000000000000 + 10 * N))


def write_trace(path):
    with open(path, "wb", buffering=4 * MIB) as f:
        f.write(b'[{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "Ascend Hardware"}}')
        for i in range(N):
            f.write(b',\n{"ph": "X", "name": "op%d", "pid": 1, "tid": 2, "ts": "%d.000", "dur": 2.5, "args": {"pad": "'
                    % (i % 10, 1700000000000000 + 10 * i))
            f.write(PAD)
            f.write(b'"}}')
        f.write(b',\n{"ph": "X", "name": "last", "pid": 1, "tid": 2, "ts": "%d.000", "dur": 7.125, "args": {"k": "v"}}]\n'
                % (1700000000000000 + 10 * N))


def check(name, write, statement, want):
    folder = os.path.join(WORK, name)
    os.mkdir(folder)
    path = os.path.join(folder, name)
    write(path)
    expect("above 4 GiB", os.path.getsize(path) > 1 << 32, True)
    _, peak = run("import", "-q", folder)
    expect(f"peak {peak:.0f} MiB", peak <= LIMIT_MIB, True)
    out, _ = run("query", "-q", "-F", "csv", "--no-header", folder, statement)
    expect(name, out, want)
    out, _ = run("query", "-q", "-F", "csv", "--no-header", folder,
                 f"SELECT state FROM source WHERE path = '{name}'")
    expect("state", out, "ok")
    os.remove(path)


check("kernel_details.csv", write_csv,
      "SELECT count(*), sum(dur_ns), (SELECT dur_ns FROM op_exec JOIN op ON op.id = op_id "
      "JOIN string ON string.id = op.name_id WHERE text = 'last') FROM op_exec", f"{N + 1},{N * 2500 + 7125},7125")
check("trace_view.json", write_trace,
      "SELECT count(*), sum(dur_ns), max(source_off) > 4294967296, (SELECT dur_ns FROM event ORDER BY source_off "
      "DESC LIMIT 1) FROM event", f"{N + 1},{N * 2500 + 7125},1,7125")
sys.exit(failed > 0)
