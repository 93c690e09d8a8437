#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the working databases of msprof's export say beside executions
(doc/formats/msprof.md#working-databases): links and figures of communication, arrows from calls, AI CPUs, the
queue, fused ops, parts of steps, curves. The test makes them from what msprof itself made of the samples;
npuscope must read from them alone what it reads from the raw data of the same run.

  working_samples.py NPUSCOPE SAMPLES
"""
import csv
import glob
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from decimal import Decimal

from databases import NAME, Check

WORD = "(select value from x.STRING_IDS s where s.id = %s)"
ENUM = "(select name from x.ENUM_%s e where e.id = %s)"
TASKS = (
    "AscendTask as select modelId as model_id, streamId as stream_id, taskId as task_id, contextId as "
    "context_id, "
    f"0 as batch_id, startNs - :mono as start_time, endNs - startNs as duration, {WORD % 'taskType'} as "
    "host_task_type, 'UNKNOWN' as device_task_type, connectionId as connection_id from x.TASK"
)
COMM = (
    f"HCCLTaskSingleDevice as select {WORD % 'o.opName'} as op_name, {WORD % 'o.opType'} as op_type, "
    f"{WORD % 'c.groupName'} as group_name, {WORD % 'c.taskType'} as hccl_name, t.startNs - :mono as "
    f"timestamp, "
    "t.endNs - t.startNs as duration, c.planeId as plane_id, c.isMaster as is_master, o.connectionId as "
    "connection_id, c.size, c.srcRank as local_rank, c.dstRank as remote_rank, "
    f"{ENUM % ('HCCL_TRANSPORT_TYPE', 'c.transportType')} as transport_type, "
    f"{ENUM % ('HCCL_LINK_TYPE', 'c.linkType')} as link_type, {ENUM % ('HCCL_RDMA_TYPE', 'c.rdmaType')} as "
    "rdma_type from x.COMMUNICATION_TASK_INFO c join x.TASK t on t.globalTaskId = c.globalTaskId join "
    "x.COMMUNICATION_OP o on o.opId = c.opId order by t.startNs"
)
CALLS = (
    f"ApiData as select {WORD % 'name'} as struct_type, '0' as id, (select name from x.ENUM_API_TYPE e where "
    "e.id = type) as level, globalTid & 4294967295 as thread_id, '0' as item_id, (startNs - :host) / 10 as "
    "start, "
    "(endNs - :host) / 10 as end, connectionId as connection_id from x.CANN_API"
)
OPS = (
    f"TaskInfo as select modelId as model_id, {WORD % 'i.name'} as op_name, streamId as stream_id, taskId as "
    f"task_id, blockNum as block_num, mixBlockNum as mix_block_num, {WORD % 'i.taskType'} as task_type, "
    f"{WORD % 'opType'} as op_type, 0 as batch_id, 0 as device_id, contextId as context_id from "
    "x.COMPUTE_TASK_INFO i join x.TASK t on t.globalTaskId = i.globalTaskId"
)
CURVES = (
    ("hbm", f"HBMbwData as select timestampNs as timestamp, bandwidth / 1048576.0 as bandwidth, hbmId as "
    f"hbmid, "
     f"{WORD % 'type'} as event_type from x.HBM"),
    ("llc", "LLCMetrics as select llcId as l3tid, timestampNs as timestamp, hitRate / 100 as hitrate, "
    "throughput / "
     "1048576.0 as throughput from x.LLC"),
    ("pcie", "PcieOriginalData as select timestampNs - :own as timestamp, txPostMin / 1e6 as "
    "tx_p_bandwidth_min, "
     "txPostMax / 1e6 as tx_p_bandwidth_max, txPostAvg / 1e6 as tx_p_bandwidth_avg, txNonpostAvg / 1e6 as "
     "tx_np_bandwidth_avg, txCplAvg / 1e6 as tx_cpl_bandwidth_avg, txNonpostLatencyAvg as tx_np_latency_avg, "
     "rxPostAvg / 1e6 as rx_p_bandwidth_avg, rxNonpostAvg / 1e6 as rx_np_bandwidth_avg, rxCplAvg / 1e6 as "
     "rx_cpl_bandwidth_avg from x.PCIE union all select timestampNs - :own, 2, 1, 7, 7, 7, 7, 7, 7, 7 from "
     "x.PCIE "
     "where rowid = 1"),  # the last row is none: its least is above its most
    ("nic", "NicOriginalData as select timestampNs - :own as timestamp, rxPacketRate as rxpacket, "
    "rxByteRate as "
     "rxbyte, txPacketRate as txpacket, txByteRate as txbyte, funcId as funcid from x.NIC"),
    ("roce", "RoceOriginalData as select timestampNs - :own as timestamp, rxPacketRate as rxpacket, "
    "rxByteRate as "
     "rxbyte, txPacketRate as txpacket, txByteRate as txbyte, funcId as funcid from x.ROCE"),
)
CURVE = (
    f"select {NAME % 't.process_id'}, {NAME % 't.name_id'}, unit, ts_ns, value from track t join "
    f"counter_sample c on "
    "c.track_id = t.id where t.kind = 'counter' and t.process_id in (select id from string where text in "
    "(%s)) "
    "order by 1, 2, 4"
)
SAME = {
    "communication": f"select {NAME % 'name_id'}, {NAME % 'type_id'}, ts_ns, dur_ns, transit_ns, wait_ns, "
    f"sync_ns, "
    "idle_ns, size_b from comm_exec order by 3, 1",
    "links": f"select {NAME % 'name_id'}, {NAME % 'type_id'}, src_rank, dst_rank, transport, size_b, "
    f"time_ns, "
    "bandwidth from comm_link order by 1, 3, 4, 5",
    "arrows": "select from_ns, to_ns, count(*) from flow group by 1, 2 order by 1, 2",
    "launches": f"select e.ts_ns, {NAME % 'o.name_id'}, l.launch_ns, l.delay_ns from op_launch l join "
    f"op_exec e on "
    "e.id = l.exec_id join op o on o.id = e.op_id order by 1, 2",
    "AI CPUs": f"select {NAME % 'name_id'}, total_ns, dispatch_ns, compute_ns, memcpy_ns, task_ns, stream, "
    f"task "
    "from aicpu_exec order by ts_ns",
    "batches": "select batch, kind, dur_ns, start_us from batch_time order by 1",
    "queue": "select queue, seq, size, action from queue_sample order by 1, 2",
    "fusion": f"select {NAME % 'op_name_id'}, {NAME % 'original_id'}, model_id, input_b, output_b, weight_b, "
    "workspace_b, total_b from fusion order by 1",
    "parts of steps": f"select step, kind, {NAME % 'name_id'}, start_ns, end_ns, dur_ns from step_part "
    f"order by 4",
    "overlap": f"select {NAME % 'name_id'}, n, dur_sum_ns from track where kind = 'overlap' order by 1",
    "curves": CURVE % "'PCIe', 'NIC', 'RoCE', 'HCCS'",
}
# msprof keeps these instants as doubles of ns or us since 1970, which step by 256 ns, and rates follow them.
NEAR = {
    "curves": CURVE % "'HBM', 'LLC'",
    "AI CPUs": f"select stream, task, {NAME % 'name_id'}, ts_ns, 0 from aicpu_exec order by 4",
}
# What msprof's files of 910A have in such doubles only, or 1 ns short (doc/formats/prof-quirks.md#attrinfo).
NOT_EXACT = {("train_910a_hwts", "parts of steps"), ("train_910a_hwts", "overlap")}


def clocks(prof):
    """What is to be taken from absolute ns: of the monotonic clock, the device's own, both counters."""

    def log(name):
        with open(f"{prof}/device_0/{name}.0", encoding="utf-8") as f:
            return dict(x.strip().split(":") for x in f if ":" in x)

    with open(f"{prof}/device_0/start_info.0", encoding="utf-8") as f:
        start = json.load(f)
    with open(f"{prof}/device_0/info.json.0", encoding="utf-8") as f:
        mhz = Decimal(json.load(f)["DeviceInfo"][0]["hwts_frequency"])
    with open(f"{prof}/host/info.json", encoding="utf-8") as f:
        host_mhz = Decimal(json.load(f)["CPU"][0]["Frequency"])
    host, device = log("host_start.log"), log("dev_start.log")
    mono = int(start["collectionTimeBegin"]) * 1000 - int(start["clockMonotonicRaw"])
    begin = mono + int(host["clock_monotonic_raw"]) + int(int(host["cntvct_diff"]) * 1000 / host_mhz)
    return {
        "mono": mono,
        "own": begin - int(device["clock_monotonic_raw"]),
        "host": begin - int(int(host["cntvct"]) * 1000 / host_mhz),
        "device": begin - int(int(device["cntvct"]) * 1000 / mhz),
        "tick": int(1000 / mhz),
    }


def rows_of(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def ns(text):
    return int(Decimal(text.strip()) * 1000)


class Maker:
    def __init__(self, prof, expected):
        self.prof, self.expected, self.clock = prof, expected, clocks(prof)

    def query(self, folder, name, sql):
        os.makedirs(f"{self.prof}/{folder}/sqlite", exist_ok=True)
        db = sqlite3.connect(f"{self.prof}/{folder}/sqlite/{name}.db")
        db.execute("attach ? as x", (self.expected + "/msprof.db",))
        for word, zero in self.clock.items():
            sql = sql.replace(f":{word}", str(zero))
        db.execute("create table " + sql)
        db.commit()
        db.close()

    def rows(self, folder, name, table, columns, rows):
        if not rows:
            return
        db = sqlite3.connect(f"{self.prof}/{folder}/sqlite/{name}.db")
        db.execute(f"create table {table} ({columns})")
        db.executemany(f"insert into {table} values ({','.join('?' * len(rows[0]))})", rows)
        db.commit()
        db.close()

    def aicpu(self):
        rows = []
        for r in rows_of(self.expected, "aicpu.csv"):
            words = ("Compute", "Memcpy", "Task", "Dispatch", "Total")
            times = [float(r[k + "_time(us)"]) / 1000 for k in words]
            at = (ns(r["Timestamp(us)"]) - self.clock["mono"]) / 1e6
            rows.append((int(r["Stream ID"]), int(r["Task ID"]), at, *times))
        self.rows(
            "device_0", "ai_cpu", "AiCpuData", "stream_id, task_id, sys_start, compute_time, memcpy_time, "
            "task_time, "
            "dispatch_time, total_time", rows,
        )
        rows = [
            (r["Timestamp(us)"].strip(), r["Action"], r["Source"], int(r["Cached Buffer Size"]))
            for r in rows_of(self.expected, "dp.csv")
        ]
        self.rows("device_0", "ai_cpu", "AiCpuDP", "timestamp text, action, source, buffer_size", rows)
        rows = [
            (r["Node Name"], int(r["Queue Size"]), float(r["Start Time(us)"]),
             float(r["End Time(us)"]) - float(r["Start Time(us)"]))
            for r in rows_of(self.expected, "aicpu_mi.csv")
        ]
        self.rows("device_0", "data_preprocess", "DataQueue", "node_name, queue_size, start_time, "
        "duration", rows)

    def fusion(self):
        sizes = [f"Memory {k}(KB)" for k in ("Input", "Output", "Weight", "Workspace", "Total")]
        rows = [
            (int(r["Model ID"]), r["Fusion Op"], r["Original Ops"].strip('"').replace(";", ","),
             *(str(int(Decimal(r[k]) * 1024)) for k in sizes))
            for r in rows_of(self.expected, "fusion_op.csv")
        ]
        self.rows(
            "host", "ge_model_info", "GeFusionOpInfo", "model_id, fusion_name, op_names, memory_input, "
            "memory_output, "
            "memory_weight, memory_workspace, memory_total", rows,
        )

    def parts(self):
        with open(self.expected + "/step_trace.json", encoding="utf-8") as f:
            events = [e for e in json.load(f) if e["ph"] == "X"]
        for kind, table, columns in (
            ("Reduce", "all_reduce", "index_id, start, end"),
            ("GetNext Time", "get_next", "index_id, start_time, end_time"),
        ):
            rows = []
            for e in events:
                if e.get("cat") == kind:
                    ends = (ns(e["ts"]), ns(e["ts"]) + ns(str(e["dur"])))
                    ticks = [round((x - self.clock["device"]) / self.clock["tick"]) for x in ends]
                    # each iteration has one get-next
                    rows.append((e["args"].get("Iteration ID", len(rows) + 1), *ticks))
            self.rows("device_0", "trace", table, columns, rows)

    def hccs(self):
        rows = []
        for path in sorted(glob.glob(f"{self.prof}/device_0/data/hccs.data.0.slice_?")):
            with open(path, encoding="utf-8") as f:
                rows += [tuple(int(x.strip(":")) for x in line.split()) for line in f if line[0].isdigit()]
        self.rows("device_0", "hccs", "HCCSOriginalData", "timestamp, txamount, rxamount", rows)

    def all(self):
        self.query("device_0", "ascend_task", TASKS)
        self.query("host", "api_event", CALLS)
        self.query("host", "ge_info", OPS)
        db = sqlite3.connect(f"file:{self.expected}/msprof.db?mode=ro&immutable=1", uri=True)
        tables = {r[0] for r in db.execute("select name from sqlite_master")}
        db.close()
        if "COMMUNICATION_TASK_INFO" in tables:
            self.query("device_0", "hccl_single_device", COMM)
        for name, sql in CURVES:
            if name.upper() in tables:
                self.query("device_0", name, sql)
        self.aicpu()
        self.fusion()
        self.parts()
        self.hccs()


def is_near(ours, wanted):
    return len(ours) == len(wanted) and all(
        a[:3] == b[:3]
        and abs(int(a[3]) - int(b[3])) <= 256
        and abs(float(a[4]) - float(b[4])) <= 1e-3 * float(b[4])
        for a, b in zip(ours, wanted)
    )


def main():
    c = Check(os.path.abspath(sys.argv[1]))
    rows = 0
    seen = set()
    for case in ("train_1dev_graph", "train_910a_hwts", "sampled_system"):
        work = tempfile.mkdtemp(prefix="npuscope-working.")
        try:
            folder = os.path.join(sys.argv[2], "data", "msprof", case)
            raw, left = os.path.join(work, "raw"), os.path.join(work, "left")
            source = glob.glob(folder + "/PROF_*")[0]
            for to in (raw, left):
                shutil.copytree(source, f"{to}/{os.path.basename(source)}", copy_function=shutil.copyfile)
                for top, _, _ in os.walk(to):
                    os.chmod(top, 0o755)
            prof = f"{left}/{os.path.basename(source)}"
            Maker(prof, folder + "/expected").all()
            for data in glob.glob(prof + "/*/data"):
                shutil.rmtree(data)
            for what, sql in SAME.items():
                if (case, what) in NOT_EXACT:
                    continue
                ours, wanted = c.query(left, sql), c.query(raw, sql)
                c.say(f"{case}: {what}", ours, wanted)
                rows += len(wanted)
                seen |= {what} if wanted else set()
            for what, sql in NEAR.items():
                ours, wanted = c.query(left, sql), c.query(raw, sql)
                c.say(f"{case}: {what} in doubles", is_near(ours, wanted), True)
                rows += len(wanted)
        finally:
            shutil.rmtree(work)
    c.say("every query had rows", sorted(set(SAME) - seen), [])
    print(f"working_samples: {c.tried} comparisons of {rows} rows, {c.failed} differ")
    sys.exit(1 if c.failed or not rows else 0)


if __name__ == "__main__":
    main()
