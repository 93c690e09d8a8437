#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Working databases of msprof's export (doc/formats/msprof.md#working-databases): a PROF folder of which only
they and the info files are left must say what its raw data said. The test makes them from the database that
npuscope exports of the raw data of a demo.

  working.py NPUSCOPE
"""
import glob
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from databases import NAME, Check, listing

SAME = {
    "executions": f"select o.core, {NAME % 'o.name_id'}, {NAME % 'o.type_id'}, {NAME % 'o.in_shapes_id'}, "
    f"{NAME % 'o.out_types_id'}, o.block_num, o.state, e.ts_ns + r.origin_ns, e.dur_ns, e.rank, e.device, "
    "e.stream, e.task, e.step from op_exec e join op o on o.id = e.op_id join rank r on r.rank = e.rank "
    "order by "
    "8, 12, 13",
    "steps": "select step, start_ns, end_ns, fp_ns, bp_ns, total_ns, interval_ns, fp_bp_ns, refresh_ns "
    "from step "
    "order by 1",
    "calls": f"select level, {NAME % 'name_id'}, calls, cast(total_ns as int), cast(max_ns as int) from "
    f"api_stat "
    "order by 1, 2",
    "allocations": f"select {NAME % 'name_id'}, size_b, alloc_ns, release_ns, dur_ns, "
    f"alloc_total_allocated_b "
    "from mem_alloc order by 3",
    "modules": f"select {NAME % 'module_id'}, ts_ns, reserved_b from mem_module order by 2, 1",
    "device memory": "select process, ts_ns, ddr_b, hbm_b, total_b from mem_device order by 2, 1",
    "streams": f"select {NAME % 'name_id'}, n, dur_sum_ns from track where kind = 'stream' order by 1",
}
WORD = "(select value from STRING_IDS s where s.id = %s)"
TICK = 10  # ns: the demo's counters run at 100 MHz
PLAIN = (
    # database, table, what is left of the exported one. :mono, :host, :device turn times into other clocks
    (
        "device_0",
        "npu_mem",
        f"NpuMem as select case {WORD % 'type'} when 'app' then '0' else '1' end as event, ddr, hbm, "
        f"timestampNs "
        "as timestamp, ddr + hbm as memory from x.NPU_MEM",
    ),
    (
        "device_0",
        "npu_module_mem",
        "NpuModuleMem as select moduleId as module_id, (timestampNs - :host) / 10 as syscnt, totalReserved "
        "as "
        "total_size, 'NPU:0' as device_type from x.NPU_MODULE_MEM",
    ),
    (
        "device_0",
        "ascend_task",
        "AscendTask as select modelId as model_id, -1 as index_id, streamId as stream_id, taskId as task_id, "
        "contextId as context_id, 0 as batch_id, startNs - :mono as start_time, endNs - startNs as duration, "
        f"{WORD % 'taskType'} as host_task_type, 'UNKNOWN' as device_task_type, connectionId as "
        f"connection_id "
        "from x.TASK",
    ),
    (
        "host",
        "ge_info",
        f"TaskInfo as select modelId as model_id, {WORD % 'i.name'} as op_name, streamId as stream_id, "
        f"taskId as "
        f"task_id, blockNum as block_num, mixBlockNum as mix_block_num, case {WORD % 'opState'} when "
        f"'dynamic' "
        f"then '1' else '0' end as op_state, {WORD % 'i.taskType'} as task_type, {WORD % 'opType'} as "
        f"op_type, 0 "
        f"as batch_id, {WORD % 'inputShapes'} as input_shapes, {WORD % 'inputDataTypes'} as "
        f"input_data_types, "
        f"{WORD % 'inputFormats'} as input_formats, {WORD % 'outputShapes'} as output_shapes, "
        f"{WORD % 'outputDataTypes'} as output_data_types, {WORD % 'outputFormats'} as output_formats, 0 as "
        f"device_id, contextId as context_id, {WORD % 'hf32Eligible'} as op_flag from x.COMPUTE_TASK_INFO "
        f"i join "
        "x.TASK t on t.globalTaskId = i.globalTaskId",
    ),
    (
        "host",
        "api_event",
        f"ApiData as select {WORD % 'name'} as struct_type, '0' as id, (select name from x.ENUM_API_TYPE e "
        f"where "
        "e.id = type) as level, globalTid & 4294967295 as thread_id, '0' as item_id, (startNs - :host) / "
        "10 as "
        "start, (endNs - :host) / 10 as end, connectionId as connection_id from x.CANN_API where type <> "
        "15000",
    ),
    (
        "host",
        "api_event",
        f"EventData as select {WORD % 'name'} as struct_type, 'model' as level, globalTid & 4294967295 as "
        "thread_id, '0' as item_id, connectionId as request_id, (startNs - :host) / 10 as timestamp, "
        "connectionId as "
        f"connection_id from x.CANN_API where type = 15000 union all select {WORD % 'name'}, 'model', "
        f"globalTid & "
        "4294967295, '0', connectionId, (endNs - :host) / 10, connectionId from x.CANN_API where type = "
        "15000 order "
        "by 6",
    ),
    (
        "host",
        "task_memory",
        f"NpuOpMem as select {WORD % 'a.operatorName'} as name, a.size, (a.timestampNs - :host) / 10 as "
        "allocation_time, (select min((b.timestampNs - :host) / 10) from x.NPU_OP_MEM b where b.addr = "
        "a.addr and "
        f"{WORD % 'b.type'} = 'release' and b.timestampNs > a.timestampNs) as release_time, "
        f"a.totalAllocate as "
        "allocation_total_allocated, a.totalReserve as allocation_total_reserved from x.NPU_OP_MEM a where "
        f"{WORD % 'a.type'} <> 'release'",
    ),
)


def clocks(prof):
    """What is to be taken from absolute ns: of the monotonic clock, of the host's and the device's counter 0."""
    start = json.load(open(glob.glob(f"{prof}/device_0/start_info*")[0], encoding="utf-8"))
    log = {}
    for name in ("host_start.log", "dev_start.log"):
        with open(glob.glob(f"{prof}/device_0/{name}*")[0], encoding="utf-8") as f:
            log[name] = dict(x.strip().split(":") for x in f if ":" in x)
    wall, mono = int(start["collectionTimeBegin"]) * 1000, int(start["clockMonotonicRaw"])
    begin = wall - mono + int(log["host_start.log"]["clock_monotonic_raw"])
    return {
        "mono": wall - mono,
        "host": begin - int(log["host_start.log"]["cntvct"]) * TICK,
        "device": begin - int(log["dev_start.log"]["cntvct"]) * TICK,
    }


def make(prof, exported, steps, clock):
    for folder, name, sql in PLAIN:
        os.makedirs(f"{prof}/{folder}/sqlite", exist_ok=True)
        db = sqlite3.connect(f"{prof}/{folder}/sqlite/{name}.db")
        db.execute("attach ? as x", (exported,))
        for word, zero in clock.items():
            sql = sql.replace(f":{word}", str(zero))
        db.execute("create table " + sql.replace("from STRING_IDS", "from x.STRING_IDS"))
        db.commit()
        db.close()
    db = sqlite3.connect(f"{prof}/device_0/sqlite/trace.db")
    db.execute(
        "create table training_trace (device_id int, model_id int, iteration_id int, FP_start int, BP_end "
        "int, "
        "iteration_end int, iteration_time int)"
    )
    for step, start, end, fp, bp in steps:
        ticks = [(int(x) - clock["device"]) // TICK for x in (fp, bp, end)]
        db.execute(
            "insert into training_trace values(0, 1, ?, ?, ?, ?, ?)",
            (step, *ticks, (int(end) - int(start)) // TICK),
        )
    db.commit()
    db.close()
    open(f"{prof}/device_0/sqlite/biu_perf.db", "wb").close()


def main():
    c = Check(os.path.abspath(sys.argv[1]))
    work = tempfile.mkdtemp(prefix="npuscope-working.")
    try:
        raw, left, both = (os.path.join(work, x) for x in ("raw", "left", "both"))
        argv = ["--raw", "--gen=2", "--ranks=1", "--steps=3", "--size=300", "--seed=3", raw]
        subprocess.run([c.npuscope, "demo", "-q", *argv], check=True)
        prof = glob.glob(f"{raw}/*/PROF_*")[0]
        shutil.rmtree(f"{os.path.dirname(prof)}/FRAMEWORK")  # its marks are other steps than the device's
        below = os.path.relpath(prof, raw)
        subprocess.run([c.npuscope, "export", "db", "-dir", prof], check=True, stdout=subprocess.DEVNULL)
        exported = os.path.join(work, "exported.db")
        os.rename(glob.glob(f"{prof}/msprof_*.db")[0], exported)
        at = "+ (select origin_ns from rank)"
        steps = c.query(raw, f"select step, start_ns {at}, end_ns {at}, fp_ns {at}, bp_ns {at} from step")
        shutil.copytree(raw, left)
        make(os.path.join(left, below), exported, steps, clocks(prof))
        shutil.copytree(left, both)
        for data in glob.glob(f"{left}/{below}/*/data"):
            shutil.rmtree(data)
        before = listing(left)
        rows = 0
        for what, sql in SAME.items():
            ours, wanted = c.query(left, sql), c.query(raw, sql)
            c.say(what, ours, wanted)
            rows += len(ours)
        c.say("the folder is as it was", listing(left), before)
        states = c.query(left, "select distinct state from source where kind = 'raw_sqlite' order by 1")
        c.say("states", states, [["EMPTY"], ["ok"]])
        # raw data beside them comes first
        used = "select distinct s.kind from op_exec e join source s on s.id = e.source_id"
        no = c.query(both, "select distinct used from source where kind = 'raw_sqlite' and size_b > 0")
        c.say("both: working databases are left", no, [["no (same data in other files)"]])
        c.say("both: raw data is read", c.query(both, used), c.query(raw, used))
        for what in ("executions", "steps"):
            c.say(f"both: {what}", c.query(both, SAME[what]), c.query(raw, SAME[what]))
    finally:
        shutil.rmtree(work)
    print(f"working: {c.tried} comparisons of {rows} rows, {c.failed} differ")
    sys.exit(1 if c.failed or not rows else 0)


if __name__ == "__main__":
    main()
