#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kinds of files that no sample has: each is found by its real name and gives the rows that its text says.

rare_files.py NPUSCOPE
"""
import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

DUMP = ["ID", "Event", "Event Type", "Name", "Timestamp(ns)", "Process Id", "Thread Id", "Device Id", "Ptr",
        "Attr", "Call Stack(Python)", "Call Stack(C)"]
EVENTS = [
    [1, "MALLOC", "PTA", "N/A", 1700000000000000200, 41, 42, "0", "0x40",
     "{allocation_id:4,addr:0x40,size:512,total:2048,used:1536,owner:PTA@ops@aten}", "f.py(1): main", ""],
    [2, "FREE", "PTA", "N/A", 1700000000000000500, 41, 42, "0", "0x40",
     "{allocation_id:4,addr:0x40,size:512,total:2048,used:1024}", "", ""],
]
BLOCK = "SELECT (SELECT text FROM string WHERE id = name_id), size_b, dur_ns FROM mem_alloc"

SPANS = ('[{"name": "step", "ph": "X", "pid": 7, "tid": 9, "ts": "1718118785133456.5", "dur": 2.5}, '
         '{"name": "step", "ph": "X", "pid": 7, "tid": 9, "ts": "1718118785133460.5", "dur": 4}]')
SPANS_OF = "SELECT count(*), sum(dur_ns), max(ts_ns) - min(ts_ns) FROM events"

OPS = "FROM op_exec x JOIN op ON op.id = op_id JOIN string ON string.id = name_id ORDER BY ts_ns"
HOST = "SELECT what, value FROM host_sample ORDER BY rowid"
LINK = {"HCCS": {"Transport Type": "HCCS", "Transit Size(MB)": 4.128776, "Transit Time(ms)": 8.22,
                 "Bandwidth(GB/s)": 0.50225}}
MATRIX = json.dumps({"(8, 9)": {"step2": {"allgather-total@13": {"9-8": LINK["HCCS"]}}}})
MONITOR = "".join(json.dumps(x) + "\n" for x in [
    {"kind": "Kernel", "name": "Add_ab", "type": "KERNEL_AIVEC", "startNs": 1700000000000001000,
     "endNs": 1700000000000002000, "deviceId": 3, "streamId": 2, "correlationId": 7},
    {"kind": "Kernel", "name": "Mul", "type": "KERNEL_AIVEC", "startNs": 1700000000000002500,
     "endNs": 1700000000000002900, "deviceId": 3, "streamId": 2, "correlationId": 8},
])

# kind, path below ASCEND_PROFILER_OUTPUT, with / before it: below the folder that is opened; text (a list: rows of a dump), statement, its rows
FILES = [
    ("ddr", "ddr_20240611062509.csv", "Device_id,Metric,Read(MB/s),Write(MB/s)\n0,Average,1.5,2.5\n",
     "SELECT what, value FROM host_sample ORDER BY what",
     [["ddr Average Read(MB/s)", "1.5"], ["ddr Average Write(MB/s)", "2.5"]]),
    ("page_fault", "page_fault_20240611062509.csv",
     "Device Id,Stream Id,Task Id,Page Fault Num,Op Name\n0,47,3,12,MatMul\n",
     "SELECT stream, task, page_faults FROM task_cache", [["47", "3", "12"]]),
    ("osrt_statistic", "os_runtime_statistic_20240611062509.csv",
     "Device_id,Process ID,Thread ID,Name,Time(%),Time(us),Count,Avg(us),Max(us),Min(us)\n"
     "host,1,2,futex,12.5,100,4,25,40,10\n",
     "SELECT level, calls, total_ns, min_ns, max_ns FROM api_stat",
     [["os", "4", "100000", "10000", "40000"]]),
    ("msproftx", "msprof_tx_20240611062509.csv",
     "Device_id,pid,tid,category,event_type,payload_type,payload_value,Start_time(us),End_time(us),"
     "message_type,message,domain,mark_id,Device Start_time(us),Device End_time(us)\n"
     "host,1,2,N/A,push/pop,0,N/A,1718118785133456.128\t,1718118785133458.128\t,0,forward,default,7,N/A,"
     "N/A\n",
     "SELECT level, thread, end_ns - start_ns FROM host_stage", [["push/pop", "2", "2000"]]),
    ("prof_rule", "prof_rule_0.json",
     '{"Rule Type": "Computation", "Rule Description": "x", "Rule Suggestion": "use fewer casts"}',
     "SELECT key, value FROM doc WHERE key LIKE '%Suggestion'", [["Rule Suggestion", "use fewer casts"]]),
    ("msproftx_json", "msprof_tx_20240611062509.json", SPANS, SPANS_OF, [["2", "6500", "4000"]]),
    ("host_info_timeline", "host_info/timeline_0.json", SPANS, SPANS_OF, [["2", "6500", "4000"]]),
    ("sampled_misc", "dvpp_20240611120000.csv",
     "Device_id,Dvpp Id,Engine Type,Engine ID,All Time(us),All Frame,All Utilization(%)\n0,1,VDEC,2,100,7,12.5\n",
     HOST, [["dvpp 1 VDEC 2 All Time(us)", "100"], ["dvpp 1 VDEC 2 All Frame", "7"],
            ["dvpp 1 VDEC 2 All Utilization(%)", "12.5"]]),
    ("sys_usage", "process_mem_20240611120000.csv",
     "Device_id,PID,Name,Size(pages),Resident(pages)\nhost,77,python,200,100\n",
     HOST, [["process_mem 77 python Size(pages)", "200"], ["process_mem 77 python Resident(pages)", "100"]]),
    ("aicore_util", "ai_core_utilization_20240611120000.csv",
     "Device_id,Core ID,mac_ratio,vec_ratio\n0,Core0,0.5,N/A\n0,Average,0.25,0.125\n",
     HOST, [["ai_core_utilization Core0 mac_ratio", "0.5"], ["ai_core_utilization Average mac_ratio", "0.25"],
            ["ai_core_utilization Average vec_ratio", "0.125"]]),
    ("host_usage", "host_cpu_usage_20240611120000.csv",
     "Device_id,Total Cpu Numbers,Occupied Cpu Numbers,Recommend Cpu Numbers\nhost,192,4,5\n",
     HOST, [["host_cpu_usage Total Cpu Numbers", "192"], ["host_cpu_usage Occupied Cpu Numbers", "4"],
            ["host_cpu_usage Recommend Cpu Numbers", "5"]]),
    ("cpu_pmu", "ctrl_cpu_top_function_1.csv",
     "Device_id,Function,Module,Cycles,Cycles(%)\n0,f,m.so,10,0.5\n",
     HOST, [["ctrl_cpu_top_function f m.so Cycles", "10"], ["ctrl_cpu_top_function f m.so Cycles(%)", "0.5"]]),
    ("dyn_config", "/profiler_config.json", '{"start_step": 3, "stop_step": 5, "x": {"a.b": true}}',
     "SELECT key, value FROM doc WHERE key <> 'prof_path' ORDER BY key",
     [["start_step", "3"], ["stop_step", "5"], ["x.a.b", "true"]]),
    ("opprof_basic", "/OPPROF_20250102030405678_ABCDEFGHIJKLMNOP/OpBasicInfo.csv",
     "Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device Id,Pid,Current Freq,Rated Freq\n"
     "add_custom,vector,12.345,8,NA,0,41,1650,1800\n",
     "SELECT text, core, block_num, dur_ns " + OPS, [["add_custom", "AIV", "8", "12345"]]),
    ("opprof_trace", "/OPPROF_20250102030405678_ABCDEFGHIJKLMNOP/simulator/trace.json", SPANS, SPANS_OF,
     [["2", "6500", "4000"]]),
    ("mem_tracker_block", "rank_0/memory_block.csv",
     "start_time_stamp,end_time_stamp,device_addr,stream_id,pool_type,size,task_name,python_stack\n"
     "1,5,0x12,0,NPU,1024,Add,f(a, b),g(c)\n",
     "SELECT start_time_stamp, end_time_stamp, size, task_name, python_stack FROM t_1",
     [["1", "5", "1024", "Add", "f(a, b),g(c)"]]),
    ("monitor_jsonl", "/msmonitor_4711_20240611062509123_0.jsonl", MONITOR,
     "SELECT text, x.stream, dur_ns " + OPS, [["Add_ab", "2", "1000"], ["Mul", "2", "400"]]),
    ("cluster_communication_matrix", "/cluster_analysis_output/cluster_communication_matrix.json", MATRIX,
     "SELECT step, src_rank, dst_rank, size_b, time_ns FROM comm_link", [["2", "9", "8", "4128776", "8220000"]]),
    ("g1_min_cycle", "/profiler/min_cycle_counter_0.txt", "43806841592.0",
     "SELECT value FROM setting WHERE key = 'min_cycle_counter'", [["43806841592.0"]]),
    ("mem_tracker_task", "rank_0/task.csv",
     "time_stamp,task_name,node_name,graph_name,python_stack,\n3,Add,a,g,f(x, y),\n",
     "SELECT time_stamp, task_name, graph_name, python_stack FROM t_1", [["3", "Add", "g", "f(x, y)"]]),
    ("memscope_csv", "memscope_dump_20251203091123.csv", EVENTS, BLOCK, [["PTA@ops@aten", "512", "300"]]),
    ("memscope_csv", "leaks_dump_20251203091123.csv", EVENTS, BLOCK, [["PTA@ops@aten", "512", "300"]]),
    ("memscope_db", "memscope_dump_20251203091123.db", EVENTS, BLOCK, [["PTA@ops@aten", "512", "300"]]),
    ("memscope_db", "leaks_dump_20251203091123.db", EVENTS, BLOCK, [["PTA@ops@aten", "512", "300"]]),
]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if isinstance(text, str):
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)
    elif path.endswith(".db"):
        table = "memscope_dump" if "memscope" in path else "leaks_dump"
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE %s (%s)" % (table, ", ".join('"%s"' % h for h in DUMP)))
            db.executemany("INSERT INTO %s VALUES (%s)" % (table, ", ".join("?" * len(DUMP))), text)
        db.close()
    else:
        with open(path, "w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows([DUMP] + text)


def ask(tool, *args):
    r = subprocess.run([tool, *args, "--no-cache", "-q", "-F", "csv", "--no-header"], capture_output=True,
                       text=True)
    if r.returncode:
        sys.exit("npuscope %s: status %d: %s" % (" ".join(args), r.returncode, r.stderr))
    return list(csv.reader(io.StringIO(r.stdout)))


def main():
    tool, wrong = sys.argv[1], 0
    with tempfile.TemporaryDirectory() as tmp:
        for i, (kind, path, text, sql, rows) in enumerate(FILES):
            unit = os.path.join(tmp, str(i), "w_1_20250109065044023_ascend_ms")
            if path.startswith("/"):
                unit = os.path.join(tmp, str(i))
            below = path[1:] if path.startswith("/") else os.path.join("ASCEND_PROFILER_OUTPUT", path)
            write(os.path.join(unit, below), text)
            found = [r for r in ask(tool, "files", "-C", "kind,state,rows", unit) if r[0] == kind]
            got = ask(tool, "query", sql, unit)
            if [r[:2] for r in found] != [[kind, "ok"]] or found[0][2] == "0" or got != rows:
                wrong += 1
                print("%s: %s, rows %s, wanted %s" % (path, found, got, rows))
    print("%d files, %d wrong" % (len(FILES), wrong))
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
