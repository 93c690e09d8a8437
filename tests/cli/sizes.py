# SPDX-License-Identifier: Apache-2.0
"""Large rows of CSV files, many files: what is below the limits is loaded whole, what is above is a limit and no damage.

sizes.py NPUSCOPE WORK
"""
import os
import subprocess
import sys

NPUSCOPE, WORK = sys.argv[1:3]
MIB = 1 << 20
failed = 0


def expect(what, got, want):
    global failed
    if got != want:
        failed += 1
        print(f"{what}: got {got!r}, wanted {want!r}")


def run(*args):
    p = subprocess.run([NPUSCOPE, *args], capture_output=True, text=True)
    return p.returncode, p.stdout, p.stderr


def query(folder, statement):
    return run("query", "-q", "-F", "csv", "--no-header", folder, statement)[1].strip()


def folder(name):
    path = os.path.join(WORK, name)
    os.mkdir(path)
    return path


def state_of(where, name):
    """State and note of a file, the status of the command."""
    status, out, _ = run("files", "-q", "-F", "csv", "-C", "state,note", "-f", f"path={name}", "--no-header", where)
    return status, out.strip()


def step_trace(path, steps, comms):
    with open(path, "w", newline="") as f:
        names = "step_num start_point end_point total fp_point bp_point iteration_interval fp_and_bp tail".split()
        for i in range(comms):
            base = f"stream_10_{i % 8 + 1}_AllReduce-op{i}"
            names += [base, base + "_start_point", base + "_end_point"]
        f.write(",".join(names) + "\r\n")
        for s in range(1, steps + 1):
            at = s * 100000
            row = [s, at, at + 90000, 90000, at + 1000, at + 80000, 1000, 79000, 10000]
            for i in range(comms):
                row += [20, at + 2000 + i, at + 2020 + i]
            f.write(",".join(map(str, row)) + "\r\n")
    return len(names)


def hccl(path, rows):
    """rows: numbers of links of a row's cell. Returns the size of the longest cell."""
    longest = 0
    with open(path, "w", newline="") as f:
        f.write("step_num,communication_cost,wait_cost,link_info,communication_operator_cost\r\n")
        for step, links in enumerate(rows, 1):
            cell = ", ".join(f'"{i}-{i + 1}": {{"HCCS": [0.5, 1000.0, 2000.0]}}' for i in range(links))
            cell = "{" + cell + "}"
            longest = max(longest, len(cell))
            f.write(f'{step},1.5,0.5,"' + cell.replace('"', '""') + '",{}\r\n')
    return longest


def check_wide_and_long():
    where = folder("wide")
    columns = step_trace(os.path.join(where, "step_trace_raw_0_detail_time.csv"), 5, 1664)
    longest = hccl(os.path.join(where, "hccl_raw_0.csv"), [3, 26000, 3])
    expect("columns", columns > 5000, True)
    expect("cell", longest > MIB, True)
    expect("state of the step trace", state_of(where, "step_trace_raw_0_detail_time.csv"), (0, "ok,"))
    expect("state of hccl_raw", state_of(where, "hccl_raw_0.csv"), (0, "ok,"))
    expect("steps", query(where, "SELECT count(*) FROM step"), "5")
    expect("ops of steps", query(where, "SELECT count(*), count(DISTINCT name_id), max(end_ns) - min(start_ns) "
                                        "FROM step_part WHERE step = 5"), f"1664,1664,{(1663 + 20) * 10}")
    expect("links", query(where, "SELECT count(*) FROM comm_link WHERE step = 2"), "26000")


def check_threads():
    """A file that is read by two threads: its windows grow one by one."""
    where = folder("threads")
    path = os.path.join(where, "output")
    os.mkdir(path)
    path = os.path.join(path, "ASCEND_PROFILER_OUTPUT")
    os.mkdir(path)
    path = os.path.join(path, "operator_details.csv")
    stack = "at line of code\r\n"
    sizes = [5 * MIB if i % 40 == 7 else 100000 for i in range(200)]
    total = 0
    with open(path, "w", newline="") as f:
        f.write("Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us)\r\n")
        for i, size in enumerate(sizes):
            text = f"{i}\r\n" + stack * (size // len(stack)) + "end"
            total += len(text)
            f.write(f'op{i},"2,2","{text}",1.0,2.0\r\n')
    expect("bytes", os.path.getsize(path) > 32 * MIB, True)
    expect("long stacks", query(where, "SELECT count(*), sum(length(text)), sum(text LIKE '%end') FROM host_op "
                                       "JOIN string ON string.id = stack_id"), f"200,{total},200")


def check_json_strings():
    """A long text of a JSON document is whole; above the limit it is cut, and called so."""
    for size, state in ((15 * MIB, "ok,"), (20 * MIB, 'LIMIT,"line 3: a string of 20 MiB, limit 16 MiB: cut"')):
        where = folder(f"string {size // MIB}")
        name = "profiler_metadata.json"
        with open(os.path.join(where, "profiler_info_0.json"), "w") as f:
            f.write("{}")
        with open(os.path.join(where, name), "w") as f:
            f.write('{"a": 1,\n"b": 2,\n"text": "' + "x" * size + '",\n"after": "there"}\n')
        expect("state", state_of(where, name), (0, state))
        expect("what follows", query(where, "SELECT value FROM doc WHERE key LIKE '%after'"), "there")
        expect("the text", int(query(where, "SELECT max(length(value)) FROM doc")) > 15 * MIB - 1, True)


def check_events():
    """An event above the limit is left out of the timeline, and called so; the others are there."""
    where = folder("event")
    name = "ascend_timeline_display_0.json"
    with open(os.path.join(where, name), "w") as f:
        for text, size, begin, end in (("a", 1, "[", ","), ("b", 15 * MIB, "", ","), ("c", 17 * MIB, "", ","), ("d", 1, "", "]")):
            f.write(f'{begin}{{"name":"{text}","args":{{"stack":"{"x" * size}"}},"ph":"X","tid":"1","ts":1,"dur":2,"pid":0}}{end}\n')
    expect("event", state_of(where, name),
           (0, f'LIMIT,"at byte {154 + 15 * MIB}: an event of more than 16 MiB, the limit; left out"'))
    expect("events", query(where, f"SELECT rows, lost FROM source WHERE path = '{name}'"), "3,1")
    expect("names", query(where, "SELECT group_concat(name) FROM (SELECT name FROM events ORDER BY 1)"), '"a,b,d"')


def check_limits():
    where = folder("limits")
    name = "hccl_raw_0.csv"
    for what, row in ((f"a cell of 20 MiB, limit 16 MiB", '2,1.5,0.5,"' + "x" * (20 * MIB) + '",{}'),
                      (f"a cell of 70 MiB, limit 16 MiB", '2,1.5,0.5,"' + "x" * (70 * MIB) + '",{}'),
                      (f"a line of 80 MiB, limit 64 MiB", "2" + ("," + "x" * (10 * MIB - 1)) * 8),
                      (f"a row of 70000 columns, limit 65536", "2" + "," * 69999)):
        hccl(os.path.join(where, name), [3])
        with open(os.path.join(where, name), "a", newline="") as f:
            f.write(row + "\r\n3,1.5,0.5,{},{}\r\n")
        expect(what, state_of(where, name), (0, f'LIMIT,"line 3: {what}"'))
        expect(what + ", rows", query(where, f"SELECT rows, lost FROM source WHERE path = '{name}'"), "2,1")
        status, _, err = run("comm", where)
        expect(what + ", status", (status, f"{name} is LIMIT: line 3: {what}" in err), (4, True))


def peak(*args):
    """Peak memory of a command that succeeds."""
    with open(os.devnull, "w") as null:
        p = subprocess.Popen([NPUSCOPE, *args], stdout=null)
        _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    expect(" ".join(args), p.returncode, 0)
    return usage.ru_maxrss * 1024


def check_many_files():
    """The list of a run's files is short: half a KB each, so that 200 000 of them leave room."""
    where = folder("many")
    hccl(os.path.join(where, "hccl_raw_0.csv"), [3])
    peak("comm", "-q", where)
    few = peak("comm", "-q", where)
    extra = os.path.join(where, "extra")
    os.mkdir(extra)
    for i in range(40000):
        open(os.path.join(extra, f"file_{i}.dat"), "w").close()
    peak("comm", "-q", where)
    expect("rows of files", query(where, "SELECT count(*) FROM source WHERE path LIKE 'extra/%'"), "40000")
    grown = peak("comm", "-q", where) - few
    expect(f"{grown} bytes for 40000 files", grown < 40000 * 512, True)


check_wide_and_long()
check_threads()
check_json_strings()
check_events()
check_many_files()
check_limits()
sys.exit(failed > 0)
