/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lists that schema.h is made from: SCHEMA_TABLES(X) names every plain table, COLS_<table>(C, t) its
 * columns as C(t, name, type, unit, help). The timeline's event, flow and counter_sample are virtual tables
 * (store/vtab.c) and not here.
 */
#ifndef NPUSCOPE_SCHEMA_TABLES_H
#define NPUSCOPE_SCHEMA_TABLES_H

/* clang-format off */
#define SCHEMA_TABLES(X) \
    X(meta,          "facts about the store itself") \
    X(source,        "one row per file of the inventory") \
    X(note,          "damage and surprises found by parsers") \
    X(setting,       "options and versions recorded in the run") \
    X(rank,          "ranks of this unit") \
    X(rank_total,    "totals of a rank, made when everything was read; NULL: not read or not in the run") \
    X(rank_comm,     "communication ops of a rank by group and type, made with rank_total") \
    X(rank_link,     "traffic that a rank recorded by link, made with rank_total") \
    X(rank_op,       "what took most of a rank's device time, made with rank_total") \
    X(rank_late,     "ranks that the others of their job wait for; made by comparing the ranks") \
    X(unit,          "units of a job, one row per rank: only in the overview of a job") \
    X(finding,       "results of consistency checks and rules") \
    X(last_activity, "last record of each stream, engine and queue before the end of the data") \
    X(op,            "one distinct op") \
    X(op_exec,       "one execution of an op's task on the device") \
    X(op_launch,     "the host call that launched an execution, and the delay until it ran") \
    X(exec_host,     "the framework op that launched an execution, with its module and call stack") \
    X(event_place,   "module and call stack that the framework recorded with an op of its timeline") \
    X(aicpu_exec,    "what AI CPU executions have besides op_exec") \
    X(op_counter,    "AI Core metrics of one execution; more columns as found in the run") \
    X(task_cache,    "cache and page counters of one task") \
    X(op_stat,       "aggregates as the profiler's files give them") \
    X(op_flops,      "FLOPs per op or per execution") \
    X(flops_total,   "FLOPs of a step or of the run") \
    X(host_op,       "framework ops on the host") \
    X(fusion,        "a fused op and the ops it was made of") \
    X(step,          "one step") \
    X(step_part,     "segments inside a step") \
    X(track,         "rows of the timeline, and ends of its arrows") \
    X(mem_sample,    "memory pool totals over time") \
    X(mem_alloc,     "lifetime of one allocation") \
    X(mem_node,      "static graph memory per node") \
    X(mem_tensor,    "static graph memory per tensor") \
    X(mem_module,    "memory per driver module over time") \
    X(mem_device,    "memory per process and device over time") \
    X(mem_total,     "memory totals of a rank as its summary file gives them") \
    X(pipeline_op,   "one op of the data pipeline") \
    X(queue_sample,  "size of a queue of the data pipeline over time") \
    X(batch_time,    "times of one batch in the data pipeline") \
    X(cpu_sample,    "CPU use over time") \
    X(dataset_stage, "stages of data processing") \
    X(comm_exec,     "one execution of a communication op") \
    X(comm_link,     "traffic between two ranks") \
    X(comm_stat,     "communication aggregates as the profiler's files give them") \
    X(comm_group,    "which ranks form a group") \
    X(api_stat,      "host API calls grouped by name") \
    X(host_stage,    "stages of the host process") \
    X(host_sample,   "host measurements") \
    X(doc,           "other documents of the run as key and value") \
    X(log_file,      "logs and dumps of the job: only in the store of its logs, as the following") \
    X(log_line,      "lines of logs that say something, and what the profiles say of the end, by time") \
    X(log_event,     "what a line of a log means, with its values") \
    X(collective,    "where a rank stands in a group: flight recorder, status file, or timeout in a log")

/* Marks of a row (doc/store.md#marks). */
#define COL_TS_ERR(C, t) \
    C(t, ts_err_ns,     CT_NS,    "ns", \
        "how far its instants may be off where damage says time; NULL there: no bound is known")
#define COL_DAMAGE(C, t) \
    C(t, damage,        CT_TEXT,  "", \
        "what damage of files may have made untrue: time, duration, name, op, figures; NULL: nothing")
#define COLS_meta(C, t) \
    C(t, key,           CT_TEXT,  "",      "name of the fact") \
    C(t, value,         CT_TEXT,  "",      "its value")
#define COLS_source(C, t) \
    C(t, id,            CT_ID,    "",      "number of the file") \
    C(t, path,          CT_TEXT,  "",      "path below the unit's root") \
    C(t, kind,          CT_TEXT,  "",      "file kind") \
    C(t, rank,          CT_INT,   "",      "rank the file belongs to, NULL when unknown") \
    C(t, device,        CT_INT,   "",      "device the file belongs to, NULL when unknown") \
    C(t, slice,         CT_INT,   "",      "number of the slice") \
    C(t, size_b,        CT_BYTES, "bytes", "size on disk") \
    C(t, mtime_ns,      CT_INT,   "ns",    "modification time, Unix") \
    C(t, state,         CT_TEXT,  "", "ok, TORN, LIMIT, EMPTY, BAD, ABSENT, OFF, UNREAD, NEWER, listed") \
    C(t, rows,          CT_INT,   "",      "rows, events or records read") \
    C(t, lost,          CT_INT,   "",      "rows lost to damage") \
    C(t, used,          CT_TEXT,  "",      "yes, or why not") \
    C(t, feeds,         CT_TEXT,  "",      "panes that show its data") \
    C(t, produced_by,   CT_TEXT,  "",      "option that makes the profiler write it") \
    C(t, note,          CT_TEXT,  "",      "reason for the state, with line or offset") \
    C(t, table_name,    CT_TEXT,  "",      "table it was opened as, for files without a parser of their own")
#define COLS_note(C, t) \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, code,          CT_TEXT,  "",      "kind of note") \
    C(t, severity,      CT_TEXT,  "",      "ERROR, WARN or INFO") \
    C(t, offset,        CT_INT,   "bytes", "place in the file") \
    C(t, line,          CT_INT,   "",      "line in the file") \
    C(t, text,          CT_TEXT,  "",      "what was found") \
    C(t, count,         CT_INT,   "",      "how often")
#define COLS_setting(C, t) \
    C(t, key,           CT_TEXT,  "",      "name of the option or fact") \
    C(t, value,         CT_TEXT,  "",      "its value as recorded") \
    C(t, rank,          CT_INT,   "",      "rank it was recorded for") \
    C(t, source_id,     CT_INT,   "",      "file")
#define COLS_rank(C, t) \
    C(t, rank,          CT_ID,    "",      "rank id, or a number unique in the unit") \
    C(t, known,         CT_BOOL,  "",      "1: the rank id is recorded in the run, 0: a number given here") \
    C(t, device,        CT_INT,   "",      "device id") \
    C(t, host,          CT_TEXT,  "",      "host name") \
    C(t, group_id,      CT_TEXT,  "",      "parallel group") \
    C(t, stage,         CT_INT,   "",      "pipeline stage") \
    C(t, parallel,      CT_TEXT,  "",      "parallel mode") \
    C(t, clock,         CT_TEXT,  "",      "unix, device or relative") \
    C(t, origin_ns,     CT_INT,   "ns",    "added to an instant of this rank gives its absolute time") \
    C(t, first_ns,      CT_INT,   "ns",    "first instant, relative to origin_ns") \
    C(t, last_ns,       CT_INT,   "ns",    "last instant, relative to origin_ns") \
    C(t, state,         CT_TEXT,  "",      "ANALYSED, NOT ANALYSED, CRASHED, STILL RUNNING")
#define COLS_rank_total(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, compute_ns,    CT_NS,    "ns",    "computing, sum over the steps (without steps: over the trace)") \
    C(t, comm_ns,       CT_NS,    "ns",    "communication, the same") \
    C(t, comm_alone_ns, CT_NS,    "ns",    "communication while nothing computes, the same") \
    C(t, idle_ns,       CT_NS,    "ns",    "neither, the same") \
    C(t, wait_ns,       CT_NS,    "ns",    "waiting in communication ops") \
    C(t, step_wait_ns,  CT_NS,    "ns",    "of it per whole step, without the first recorded one") \
    C(t, step_wait_all_ns, CT_NS, "ns",    "the same with the first") \
    C(t, flops,         CT_REAL,  "FLOPs", "operations of the run") \
    C(t, once_flops,    CT_REAL,  "FLOPs", "where no file has flops: operations, one execution of each op") \
    C(t, once_ns,       CT_REAL,  "ns",    "mean times of these ops; NULL: one of them has none") \
    C(t, peak_flops_per_s, CT_REAL, "FLOP/s", "what the uses of its ops are shares of") \
    C(t, peak_mem_b,    CT_BYTES, "bytes", "largest memory") \
    C(t, peak_mem_of,   CT_TEXT,  "",      "quantity: alive (in a graph), reserved (by a pool), process") \
    C(t, capacity_b,    CT_BYTES, "bytes", "memory of the device") \
    C(t, events,        CT_INT,   "",      "events of the timeline") \
    C(t, ops,           CT_INT,   "",      "executions of ops") \
    C(t, notes,         CT_INT,   "",      "warnings and errors noted in its files")
#define COLS_rank_comm(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, group_id,      CT_STR,   "",      "group, NULL where the source does not say") \
    C(t, type_id,       CT_STR,   "",      "type of communication op") \
    C(t, calls,         CT_INT,   "",      "calls") \
    C(t, total_ns,      CT_NS,    "ns",    "sum of times") \
    C(t, wait_ns,       CT_NS,    "ns",    "waiting")
#define COLS_rank_link(C, t) \
    C(t, rank,          CT_INT,   "",      "rank that recorded it") \
    C(t, from_rank,     CT_INT,   "",      "rank that sends") \
    C(t, to_rank,       CT_INT,   "",      "rank that receives") \
    C(t, transport,     CT_TEXT,  "",      "HCCS RDMA SDMA PCIE SIO LOCAL") \
    C(t, size_b,        CT_BYTES, "bytes", "bytes moved") \
    C(t, time_ns,       CT_NS,    "ns",    "time of moving")
#define COLS_rank_op(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, by,            CT_TEXT,  "",      "what a row stands for: op, type, or all (one row)") \
    C(t, name_id,       CT_STR,   "",      "full name of the op") \
    C(t, type_id,       CT_STR,   "",      "op type") \
    C(t, calls,         CT_INT,   "",      "executions") \
    C(t, total_ns,      CT_NS,    "ns",    "sum of their times") \
    C(t, core,          CT_TEXT,  "",      "its core; of a type that of the op that took most")
#define COLS_rank_late(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, late_ns,       CT_NSR,   "ns",    "time of a step that the others wait for it, mean")
#define COLS_unit(C, t) \
    C(t, id,            CT_ID,    "",      "number") \
    C(t, path,          CT_TEXT,  "",      "folder of the unit") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, device,        CT_INT,   "",      "device, NULL: not known") \
    C(t, window,        CT_TEXT,  "",      "folder of one part of a dynamic profile, NULL: none") \
    C(t, state,         CT_TEXT,  "",      "ANALYSED, NOT ANALYSED, CRASHED, STILL RUNNING or UNKNOWN") \
    C(t, files,         CT_INT,   "",      "files") \
    C(t, size_b,        CT_BYTES, "bytes", "bytes of all files") \
    C(t, read,          CT_BOOL,  "",      "1: its rows are in the other tables") \
    C(t, store_path,    CT_TEXT,  "",      "store of the unit") \
    C(t, input_key,     CT_TEXT,  "",      "identity of the unit's files when they were read")
#define COLS_finding(C, t) \
    C(t, id,            CT_ID,    "",      "number") \
    C(t, rule,          CT_TEXT,  "",      "rule") \
    C(t, severity,      CT_TEXT,  "",      "ERROR, WARN or INFO") \
    C(t, rank,          CT_INT,   "",      "rank, NULL: the unit") \
    C(t, step,          CT_INT,   "",      "step, NULL: the run") \
    C(t, text,          CT_TEXT,  "",      "what was found") \
    C(t, form,          CT_INT,   "",      "which of the rule's sentences the text is, 0 the first") \
    C(t, args,          CT_TEXT,  "",      "what fills that sentence, values separated by the byte 31") \
    C(t, value,         CT_REAL,  "",      "measured value") \
    C(t, threshold,     CT_REAL,  "",      "its limit") \
    C(t, gain,          CT_REAL,  "",      "upper bound of the share of a step that would vanish") \
    C(t, evidence_sql,  CT_TEXT,  "",      "statement that shows the rows it follows from") \
    C(t, target,        CT_TEXT,  "",      "pane to look at") \
    C(t, filter,        CT_TEXT,  "",      "filter line there")
#define COLS_last_activity(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, kind,          CT_TEXT,  "",      "stream, aicpu, comm, engine, host or queue") \
    C(t, track,         CT_TEXT,  "",      "what did it: Stream 5, AI CPU, queue host ...") \
    C(t, stream,        CT_INT,   "",      "stream") \
    C(t, task,          CT_INT,   "",      "task id, where recorded") \
    C(t, name_id,       CT_STR,   "",      "op, event, or the task where nothing names it") \
    C(t, ts_ns,         CT_TS,    "ns",    "its end; of what runs its start; NULL: at an unknown time") \
    C(t, state,         CT_TEXT,  "", \
        "done; running: begun, and no end recorded; unknown: begun, and records are lost after it") \
    C(t, size,          CT_INT,   "",      "items in the queue") \
    C(t, capacity,      CT_INT,   "",      "its capacity") \
    C(t, source_id,     CT_INT,   "",      "file, NULL: from other tables") \
    C(t, line,          CT_INT,   "",      "record there")
#define COLS_op(C, t) \
    C(t, id,            CT_ID,    "",      "number of the op") \
    C(t, name_id,       CT_STR,   "",      "full name") \
    C(t, type_id,       CT_STR,   "",      "op type") \
    C(t, scope_id,      CT_STR,   "",      "name without its last part") \
    C(t, core,          CT_TEXT,  "",      "AIC, AIV, MIX, AICPU, HCCL, HOST, GPU, CPU or as recorded") \
    C(t, graph_id,      CT_INT,   "",      "graph") \
    C(t, model_id,      CT_INT,   "",      "model") \
    C(t, state,         CT_TEXT,  "",      "static or dynamic") \
    C(t, in_shapes_id,  CT_STR,   "",      "shapes of the inputs") \
    C(t, in_types_id,   CT_STR,   "",      "data types of the inputs") \
    C(t, in_formats_id, CT_STR,   "",      "formats of the inputs") \
    C(t, out_shapes_id, CT_STR,   "",      "shapes of the outputs") \
    C(t, out_types_id,  CT_STR,   "",      "data types of the outputs") \
    C(t, out_formats_id, CT_STR,  "",      "formats of the outputs") \
    C(t, block_num,     CT_INT,   "",      "blocks (cores) the kernel runs on") \
    C(t, mix_block_num, CT_INT,   "",      "blocks of the second core type of a mixed kernel") \
    C(t, hf32,          CT_TEXT,  "",      "HF32 eligible, as recorded") \
    C(t, attrs_id,      CT_STR,   "",      "attributes") \
    C(t, strategy_id,   CT_STR,   "",      "parallel strategy") \
    C(t, task,          CT_INT,   "",      "task id, where the source names one per op") \
    C(t, stream,        CT_INT,   "",      "stream, where the source names one per op") \
    C(t, source_id,     CT_INT,   "",      "file that named it first") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, extra,         CT_TEXT,  "",      "unknown columns of the source as JSON")
#define COLS_op_exec(C, t) \
    C(t, id,            CT_ID,    "",      "number of the execution") \
    C(t, op_id,         CT_INT,   "",      "op") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, device,        CT_INT,   "",      "device") \
    C(t, step,          CT_INT,   "",      "step") \
    C(t, stream,        CT_INT,   "",      "stream") \
    C(t, task,          CT_INT,   "",      "task id") \
    C(t, context,       CT_INT,   "",      "context (sub-task) id") \
    C(t, batch,         CT_INT,   "",      "batch id") \
    C(t, ts_ns,         CT_TS,    "ns",    "start") \
    C(t, dur_ns,        CT_NS,    "ns",    "duration") \
    C(t, wait_ns,       CT_NS,    "ns",    "gap before it as the source gives it") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line or record there") \
    C(t, extra,         CT_TEXT,  "",      "unknown columns of the source as JSON") \
    COL_TS_ERR(C, t) COL_DAMAGE(C, t)
#define COLS_op_launch(C, t) \
    C(t, exec_id,       CT_ID,    "",      "execution") \
    C(t, op_id,         CT_INT,   "",      "op") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, launch_ns,     CT_TS,    "ns",    "end of the host call that launched it") \
    C(t, delay_ns,      CT_NS,    "ns",    \
        "from there to the start of the execution; negative: it began before the call ended")
#define COLS_exec_host(C, t) \
    C(t, exec_id,       CT_ID,    "",      "execution") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, name_id,       CT_STR,   "",      "framework op") \
    C(t, module_id,     CT_STR,   "",      "module that it is of, outer ones first") \
    C(t, stack_id,      CT_STR,   "",      "call stack, the innermost function first, separated by ;") \
    C(t, source_id,     CT_INT,   "",      "file of the framework op") \
    C(t, line,          CT_INT,   "",      "record there")
#define COLS_event_place(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, ts_ns,         CT_TS,    "ns",    "start of the op") \
    C(t, name_id,       CT_STR,   "",      "op") \
    C(t, module_id,     CT_STR,   "",      "module that it is of") \
    C(t, stack_id,      CT_STR,   "",      "call stack, separated by ;") \
    C(t, source_id,     CT_INT,   "",      "file of the timeline")
#define COLS_aicpu_exec(C, t) \
    C(t, exec_id,       CT_ID,    "",      "execution") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, name_id,       CT_STR,   "",      "AI CPU node") \
    C(t, ts_ns,         CT_TS,    "ns",    "time stamp") \
    C(t, total_ns,      CT_NS,    "ns",    "total time") \
    C(t, dispatch_ns,   CT_NS,    "ns",    "dispatch time") \
    C(t, compute_ns,    CT_NS,    "ns",    "compute or execution time") \
    C(t, memcpy_ns,     CT_NS,    "ns",    "copy time") \
    C(t, task_ns,       CT_NS,    "ns",    "task time") \
    C(t, queue_size,    CT_INT,   "",      "queue size (GetNext)") \
    C(t, stream,        CT_INT,   "",      "stream") \
    C(t, task,          CT_INT,   "",      "task id") \
    C(t, run_start,     CT_REAL,  "us",    "start as recorded in old files") \
    C(t, run_end,       CT_REAL,  "us",    "end as recorded in old files") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    COL_TS_ERR(C, t) COL_DAMAGE(C, t)
#define COLS_op_counter(C, t) \
    C(t, exec_id,       CT_ID,    "",      "execution")
#define COLS_task_cache(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, device,        CT_INT,   "",      "device") \
    C(t, stream,        CT_INT,   "",      "stream") \
    C(t, task,          CT_INT,   "",      "task id; tasks of later steps have it again") \
    C(t, name_id,       CT_STR,   "",      "op, where recorded") \
    C(t, l2_hit,        CT_REAL,  "ratio", "hits of the L2 cache per request") \
    C(t, l2_victim,     CT_REAL,  "ratio", "lines that the L2 cache gave up per request; may be above 1") \
    C(t, tlb_hit,       CT_REAL,  "ratio", "hits of the TLB per request") \
    C(t, tlb_miss,      CT_REAL,  "ratio", "misses of the TLB per request") \
    C(t, page_faults,   CT_INT,   "",      "page faults") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, extra,         CT_TEXT,  "",      "unknown columns of the source as JSON")
#define COLS_op_stat(C, t) \
    C(t, by,            CT_TEXT,  "",      "what a row stands for: type, op, shape, kernel, task") \
    C(t, name_id,       CT_STR,   "",      "full name of the op, or the op type") \
    C(t, type_id,       CT_STR,   "",      "op type") \
    C(t, core,          CT_TEXT,  "",      "core") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, device,        CT_INT,   "",      "device") \
    C(t, calls,         CT_INT,   "",      "executions counted") \
    C(t, total_ns,      CT_NSR,   "ns",    "sum of times") \
    C(t, avg_ns,        CT_NSR,   "ns",    "mean time") \
    C(t, min_ns,        CT_NSR,   "ns",    "shortest") \
    C(t, max_ns,        CT_NSR,   "ns",    "longest") \
    C(t, share,         CT_REAL,  "ratio", "share of the total, 0 to 1, as the source gives it") \
    C(t, per,           CT_TEXT,  "",      "run or step: what calls and total_ns count") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, in_shapes_id,  CT_STR,   "",      "shapes of the inputs, for rows by shape") \
    C(t, extra,         CT_TEXT,  "",      "unknown columns of the source as JSON")
#define COLS_op_flops(C, t) \
    C(t, op_id,         CT_INT,   "",      "op, when per op") \
    C(t, exec_id,       CT_INT,   "",      "execution, when per execution") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, step,          CT_INT,   "",      "step") \
    C(t, cube_flops,    CT_REAL,  "FLOPs", \
        "operations of the cube unit (all units where the source does not part them)") \
    C(t, vector_flops,  CT_REAL,  "FLOPs", "operations of the vector unit") \
    C(t, flops_per_s,   CT_REAL,  "FLOP/s", "rate as the source gives it") \
    C(t, utilisation,   CT_REAL,  "ratio", "share of the peak, 0 to 1") \
    C(t, vector_flops_per_s, CT_REAL, "FLOP/s", "rate of the vector unit") \
    C(t, vector_utilisation, CT_REAL, "ratio", "share of the vector unit's peak, 0 to 1") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_flops_total(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, step,          CT_INT,   "",      "step, NULL: the run") \
    C(t, flops,         CT_REAL,  "FLOPs", "operations") \
    C(t, flops_per_s,   CT_REAL,  "FLOP/s", "rate") \
    C(t, utilisation,   CT_REAL,  "ratio", "share of the peak, 0 to 1") \
    C(t, kind,          CT_TEXT,  "",      "all, cube, vector, or scope:<link>") \
    C(t, source_id,     CT_INT,   "",      "file")
#define COLS_host_op(C, t) \
    C(t, id,            CT_ID,    "",      "number") \
    C(t, name_id,       CT_STR,   "",      "name") \
    C(t, type_id,       CT_STR,   "",      "type; module, optimizer, GC, shapes: not an op, but as named") \
    C(t, parent_id,     CT_INT,   "",      "caller") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, thread,        CT_TEXT,  "",      "host thread") \
    C(t, ts_ns,         CT_TS,    "ns",    "start") \
    C(t, dur_ns,        CT_NS,    "ns",    "host time with what it calls") \
    C(t, self_ns,       CT_NS,    "ns",    "host time of its own") \
    C(t, device_ns,     CT_NS,    "ns",    "device time with what it calls") \
    C(t, device_self_ns, CT_NS,   "ns",    "device time of its own") \
    C(t, aicore_ns,     CT_NS,    "ns",    "AI Core part of device_ns") \
    C(t, aicore_self_ns, CT_NS,   "ns",    "AI Core part of device_self_ns") \
    C(t, calls,         CT_INT,   "",      "calls counted; NULL: one") \
    C(t, in_shapes_id,  CT_STR,   "",      "shapes of the inputs") \
    C(t, stack_id,      CT_STR,   "",      "call stack") \
    C(t, module_id,     CT_STR,   "",      "module") \
    C(t, step,          CT_INT,   "",      "step") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, extra,         CT_TEXT,  "",      "unknown columns of the source as JSON")
#define COLS_fusion(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, op_name_id,    CT_STR,   "",      "fused op") \
    C(t, original_id,   CT_STR,   "",      "ops it was made of, separated by ;") \
    C(t, model_id,      CT_INT,   "",      "model") \
    C(t, input_b,       CT_BYTES, "bytes", "memory of inputs") \
    C(t, output_b,      CT_BYTES, "bytes", "memory of outputs") \
    C(t, weight_b,      CT_BYTES, "bytes", "memory of weights") \
    C(t, workspace_b,   CT_BYTES, "bytes", "workspace") \
    C(t, total_b,       CT_BYTES, "bytes", "all of it") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, extra,         CT_TEXT,  "",      "further columns of the source as JSON")
#define COLS_step(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, step,          CT_INT,   "",      "step number") \
    C(t, graph_id,      CT_INT,   "",      "graph") \
    C(t, model_id,      CT_INT,   "",      "model") \
    C(t, start_ns,      CT_TS,    "ns",    "start") \
    C(t, end_ns,        CT_TS,    "ns",    "end") \
    C(t, fp_ns,         CT_TS,    "ns",    "first forward op") \
    C(t, bp_ns,         CT_TS,    "ns",    "end of the last backward op") \
    C(t, total_ns,      CT_NS,    "ns",    "length") \
    C(t, interval_ns,   CT_NS,    "ns",    "from the end of the last step to the first forward op") \
    C(t, fp_bp_ns,      CT_NS,    "ns",    "from the first forward to the last backward op") \
    C(t, tail_ns,       CT_NS,    "ns",    "from the last backward op to the end") \
    C(t, computing_ns,  CT_NS,    "ns",    "computing") \
    C(t, communication_ns, CT_NS, "ns",    "communication") \
    C(t, comm_not_overlapped_ns, CT_NS, "ns", "communication while nothing computes") \
    C(t, overlapped_ns, CT_NS,    "ns",    "communication overlapped by computing") \
    C(t, free_ns,       CT_NS,    "ns", \
        "neither computing nor communication, as the file counts: of the first step without preparing") \
    C(t, stage_ns,      CT_NS,    "ns",    "stage time as the source gives it") \
    C(t, bubble_ns,     CT_NS,    "ns",    "waiting for another pipeline stage") \
    C(t, comm_no_receive_ns, CT_NS, "ns",  "communication not overlapped without receiving") \
    C(t, preparing_ns,  CT_NS,    "ns",    "from the host's start of the step to the first device task") \
    C(t, refresh_ns,    CT_NS,    "ns",    "iteration refresh") \
    C(t, data_aug_ns,   CT_NS,    "ns",    "data augmentation bound") \
    C(t, complete,      CT_BOOL,  "",      "0: the step the crash cut") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, extra,         CT_TEXT,  "",      "unknown columns of the source as JSON") \
    COL_TS_ERR(C, t) COL_DAMAGE(C, t)
#define COLS_step_part(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, step,          CT_INT,   "",      "step number") \
    C(t, kind,          CT_TEXT,  "", \
        "reduce, getnext; without start: computing, comm_not_overlapped, stage, bubble, comm_no_receive, " \
        "interval, fwd_bwd, tail") \
    C(t, stream,        CT_INT,   "",      "stream") \
    C(t, name_id,       CT_STR,   "",      "name") \
    C(t, start_ns,      CT_TS,    "ns",    "start") \
    C(t, end_ns,        CT_TS,    "ns",    "end") \
    C(t, dur_ns,        CT_NS,    "ns",    "duration") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    COL_TS_ERR(C, t) COL_DAMAGE(C, t)
#define COLS_track(C, t) \
    C(t, id,            CT_ID,    "",      "number of the track") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, kind,          CT_TEXT,  "", \
        "step stream plane engine host_thread overlap counter scope memory queue aicpu flow") \
    C(t, pid,           CT_TEXT,  "",      "process id as the source writes it") \
    C(t, tid,           CT_TEXT,  "",      "thread id as the source writes it") \
    C(t, process_id,    CT_STR,   "",      "layer or process name") \
    C(t, name_id,       CT_STR,   "",      "name of the track") \
    C(t, sort,          CT_INT,   "",      "order on the screen") \
    C(t, unit,          CT_TEXT,  "",      "unit of a counter") \
    C(t, stream,        CT_INT,   "",      "stream, for device tracks") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, n,             CT_INT,   "",      "events") \
    C(t, t0,            CT_INT,   "ns",    "start of the first event") \
    C(t, t1,            CT_INT,   "ns",    "latest end of an event") \
    C(t, busy_ns,       CT_NS,    "ns",    "time covered by events") \
    C(t, dur_sum_ns,    CT_NS,    "ns",    "sum of durations") \
    C(t, lanes,         CT_INT,   "",      "lines needed to draw it") \
    COL_TS_ERR(C, t) COL_DAMAGE(C, t)
#define COLS_mem_sample(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, component_id,  CT_STR,   "",      "GE, PTA, MindSpore, APP, ...") \
    C(t, ts_ns,         CT_TS,    "ns",    "time") \
    C(t, allocated_b,   CT_BYTES, "bytes", "allocated") \
    C(t, reserved_b,    CT_BYTES, "bytes", "reserved") \
    C(t, active_b,      CT_BYTES, "bytes", "active") \
    C(t, stream,        CT_U64,   "",      "stream pointer as recorded") \
    C(t, device_type,   CT_TEXT,  "",      "device, as recorded") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there, or entry of an allocator's trace") \
    C(t, event,         CT_TEXT,  "",      "what the allocator did, where the source says")
#define COLS_mem_alloc(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, name_id,       CT_STR,   "",      "op or owner") \
    C(t, size_b,        CT_BYTES, "bytes", "size") \
    C(t, alloc_ns,      CT_TS,    "ns",    "allocation") \
    C(t, release_ns,    CT_TS,    "ns",    "release; NULL: alive at the end") \
    C(t, active_release_ns, CT_TS, "ns",   "end of use by streams") \
    C(t, dur_ns,        CT_NS,    "ns",    "lifetime") \
    C(t, active_dur_ns, CT_NS,    "ns",    "lifetime in use") \
    C(t, alloc_total_allocated_b, CT_BYTES, "bytes", "pool total right after the allocation: allocated") \
    C(t, alloc_total_reserved_b, CT_BYTES, "bytes", "the same: reserved") \
    C(t, alloc_total_active_b, CT_BYTES, "bytes", "the same: active") \
    C(t, release_total_allocated_b, CT_BYTES, "bytes", "pool total right after the release: allocated") \
    C(t, release_total_reserved_b, CT_BYTES, "bytes", "the same: reserved") \
    C(t, release_total_active_b, CT_BYTES, "bytes", "the same: active") \
    C(t, stream,        CT_U64,   "",      "stream pointer as recorded") \
    C(t, device_type,   CT_TEXT,  "",      "device or pool, as recorded") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there, or entry of a trace that allocates it") \
    C(t, release_line,  CT_INT,   "",      "entry of a trace that releases it") \
    C(t, at_peak,       CT_BOOL,  "",      "1: alive when the most was allocated") \
    C(t, block_b,       CT_BYTES, "bytes", "size of its block, with what was added to the size asked for") \
    C(t, addr,          CT_U64,   "",      "address") \
    C(t, stack_id,      CT_STR,   "",      "call stack of the allocation, innermost first")
#define COLS_mem_node(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, graph_id,      CT_INT,   "",      "graph") \
    C(t, node,          CT_INT,   "",      "position in the graph's order") \
    C(t, name_id,       CT_STR,   "",      "node") \
    C(t, full_name_id,  CT_STR,   "",      "full name of its op") \
    C(t, used_b,        CT_BYTES, "bytes", "memory alive at the node, static included") \
    C(t, size_b,        CT_BYTES, "bytes", "memory of the node's own outputs and workspace") \
    C(t, allocated_b,   CT_BYTES, "bytes", "change against the node before") \
    C(t, allocations,   CT_INT,   "",      "tensors it allocates") \
    C(t, mark,          CT_TEXT,  "",      "fp or bp, where the step's points lie") \
    C(t, source_id,     CT_INT,   "",      "file")
#define COLS_mem_tensor(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, graph_id,      CT_INT,   "",      "graph") \
    C(t, name_id,       CT_STR,   "",      "tensor or op") \
    C(t, size_b,        CT_BYTES, "bytes", "size") \
    C(t, born_node,     CT_INT,   "",      "first node it is alive at") \
    C(t, dies_node,     CT_INT,   "",      "last node it is alive at; NULL: to the end") \
    C(t, shape_id,      CT_STR,   "",      "shape") \
    C(t, format_id,     CT_STR,   "",      "format") \
    C(t, type_id,       CT_STR,   "",      "data type") \
    C(t, kind,          CT_TEXT,  "",      "output, workspace, static, total (of a graph: not in sums) ...") \
    C(t, lifelong,      CT_TEXT,  "",      "life as recorded") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, extra,         CT_TEXT,  "",      "further columns of the source as JSON")
#define COLS_mem_module(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, module_id,     CT_STR,   "",      "driver module") \
    C(t, ts_ns,         CT_TS,    "ns",    "time") \
    C(t, reserved_b,    CT_BYTES, "bytes", "reserved") \
    C(t, device_type,   CT_TEXT,  "",      "device, as recorded") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_mem_device(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, process,       CT_TEXT,  "",      "APP or Device") \
    C(t, ts_ns,         CT_TS,    "ns",    "time") \
    C(t, ddr_b,         CT_BYTES, "bytes", "DDR in use") \
    C(t, hbm_b,         CT_BYTES, "bytes", "HBM in use") \
    C(t, total_b,       CT_BYTES, "bytes", "both") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_mem_total(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, capacity_b,    CT_BYTES, "bytes", "capacity of the device") \
    C(t, peak_b,        CT_BYTES, "bytes", "peak") \
    C(t, static_b,      CT_BYTES, "bytes", "static memory") \
    C(t, allocations,   CT_INT,   "",      "allocations") \
    C(t, deallocations, CT_INT,   "",      "releases") \
    C(t, source_id,     CT_INT,   "",      "file")
#define COLS_pipeline_op(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, op,            CT_INT,   "",      "op id in the pipeline; 0 is the root") \
    C(t, type_id,       CT_STR,   "",      "op type") \
    C(t, parent,        CT_INT,   "",      "op that takes its output") \
    C(t, children,      CT_TEXT,  "",      "ops it takes from, as recorded") \
    C(t, workers,       CT_INT,   "",      "parallel workers") \
    C(t, queue_size,    CT_INT,   "",      "capacity of its output queue") \
    C(t, queue_avg,     CT_REAL,  "",      "mean number of items in it") \
    C(t, queue_use,     CT_REAL,  "ratio", "mean fill, 0 to 1") \
    C(t, queue_empty_share, CT_REAL, "ratio", "share of samples with an empty queue, 0 to 1") \
    C(t, cpu_share,     CT_REAL,  "ratio", "CPU of all its workers, 1 = one core") \
    C(t, cpu_per_worker, CT_REAL, "ratio", "CPU of one worker, 1 = one core") \
    C(t, sample_ms,     CT_REAL,  "ms",    "sampling interval") \
    C(t, text,          CT_TEXT,  "",      "MindSpore's remarks") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_queue_sample(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, queue,         CT_TEXT,  "",      "connector <op>, host, device or the node's name") \
    C(t, seq,           CT_INT,   "",      "sample or batch number") \
    C(t, ts_ns,         CT_TS,    "ns",    "time, where recorded") \
    C(t, at_ns,         CT_NS,    "ns",    "time since a start that the source does not give") \
    C(t, size,          CT_INT,   "",      "items in the queue") \
    C(t, capacity,      CT_INT,   "",      "its capacity") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, action,        CT_TEXT,  "",      "what happened to the queue, where recorded")
#define COLS_batch_time(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, batch,         CT_INT,   "",      "batch number") \
    C(t, kind,          CT_TEXT,  "",      "pipeline, push, total or getnext") \
    C(t, dur_ns,        CT_NSR,   "ns",    "duration") \
    C(t, ts_ns,         CT_TS,    "ns",    "time, where recorded") \
    C(t, at_ns,         CT_NS,    "ns",    "time since a start that the source does not give") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, start_us,      CT_REAL,  "us",    "start on the device's own clock, where that is all there is")
#define COLS_cpu_sample(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, who,           CT_TEXT,  "",      "machine, process or op N") \
    C(t, seq,           CT_INT,   "",      "sample number") \
    C(t, ts_ns,         CT_TS,    "ns",    "time, where recorded") \
    C(t, at_ns,         CT_NS,    "ns",    "time since a start that the source does not give") \
    C(t, user,          CT_REAL,  "%",     "time in user mode") \
    C(t, sys,           CT_REAL,  "%",     "time in system mode") \
    C(t, io,            CT_REAL,  "%",     "waiting for I/O") \
    C(t, idle,          CT_REAL,  "%",     "idle") \
    C(t, source_id,     CT_INT,   "",      "file")
#define COLS_dataset_stage(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, op,            CT_TEXT,  "",      "operation") \
    C(t, event,         CT_TEXT,  "",      "event") \
    C(t, stage,         CT_TEXT,  "",      "stage") \
    C(t, start_ns,      CT_TS,    "ns",    "start") \
    C(t, end_ns,        CT_TS,    "ns",    "end") \
    C(t, avg_ns,        CT_NSR,   "ns",    "mean time") \
    C(t, count,         CT_INT,   "",      "occurrences") \
    C(t, step,          CT_INT,   "",      "step") \
    C(t, info,          CT_TEXT,  "",      "custom information") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_comm_exec(C, t) \
    C(t, id,            CT_ID,    "",      "number") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, name_id,       CT_STR,   "",      "communication op") \
    C(t, type_id,       CT_STR,   "",      "type: allReduce, ...") \
    C(t, group_id,      CT_STR,   "",      "group") \
    C(t, kind,          CT_TEXT,  "",      "collective or p2p") \
    C(t, step,          CT_INT,   "",      "step") \
    C(t, ts_ns,         CT_TS,    "ns",    "start") \
    C(t, dur_ns,        CT_NS,    "ns",    "elapsed") \
    C(t, transit_ns,    CT_NS,    "ns",    "moving data") \
    C(t, wait_ns,       CT_NS,    "ns",    "waiting") \
    C(t, sync_ns,       CT_NS,    "ns",    "waiting before the first transfer") \
    C(t, idle_ns,       CT_NS,    "ns",    "neither") \
    C(t, size_b,        CT_BYTES, "bytes", "bytes moved") \
    C(t, plane,         CT_INT,   "",      "plane") \
    C(t, calls,         CT_INT,   "",      "executions a row stands for; NULL: one") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    COL_TS_ERR(C, t) COL_DAMAGE(C, t)
#define COLS_comm_link(C, t) \
    C(t, rank,          CT_INT,   "",      "rank that recorded it") \
    C(t, step,          CT_INT,   "",      "step") \
    C(t, comm_id,       CT_INT,   "",      "comm_exec, where it belongs to one op") \
    C(t, name_id,       CT_STR,   "",      "op or statistic it belongs to") \
    C(t, type_id,       CT_STR,   "",      "type of communication op") \
    C(t, group_id,      CT_STR,   "",      "group") \
    C(t, src_rank,      CT_INT,   "",      "from, as the source numbers it: in the group") \
    C(t, dst_rank,      CT_INT,   "",      "to, as the source numbers it: in the group") \
    C(t, transport,     CT_TEXT,  "",      "HCCS RDMA SDMA PCIE SIO LOCAL") \
    C(t, size_b,        CT_BYTES, "bytes", "bytes moved") \
    C(t, time_ns,       CT_NS,    "ns",    "time of moving") \
    C(t, bandwidth,     CT_REAL,  "bytes/s", "as the source gives it") \
    C(t, packets,       CT_INT,   "",      "packets") \
    C(t, large_share,   CT_REAL,  "ratio", "share of large packets, 0 to 1") \
    C(t, sizes,         CT_TEXT,  "",      "packet size in MB -> [packets, ms] as JSON") \
    C(t, stat,          CT_TEXT,  "",      "op, total, top1, middle, ...: what the row stands for") \
    C(t, from_rank,     CT_INT,   "",      "rank that sends; NULL: the members of the group are not known") \
    C(t, to_rank,       CT_INT,   "",      "rank that receives; NULL as above") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_comm_stat(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, device,        CT_INT,   "",      "device") \
    C(t, type_id,       CT_STR,   "",      "type of communication op") \
    C(t, step,          CT_INT,   "",      "step, where the source has it") \
    C(t, calls,         CT_INT,   "",      "calls") \
    C(t, total_ns,      CT_NSR,   "ns",    "sum of times") \
    C(t, min_ns,        CT_NSR,   "ns",    "shortest") \
    C(t, avg_ns,        CT_NSR,   "ns",    "mean") \
    C(t, max_ns,        CT_NSR,   "ns",    "longest") \
    C(t, wait_ns,       CT_NSR,   "ns",    "waiting") \
    C(t, share,         CT_REAL,  "ratio", "share of communication time, 0 to 1") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_comm_group(C, t) \
    C(t, rank,          CT_INT,   "",      "rank that recorded it") \
    C(t, kind,          CT_TEXT,  "",      "collective or p2p") \
    C(t, group_id,      CT_STR,   "",      "group, as communication ops name it") \
    C(t, id,            CT_TEXT,  "",      "id of the communicator, which the group's name is made from") \
    C(t, name,          CT_TEXT,  "",      "what the framework calls it: tp, dp, pp, ...") \
    C(t, ranks,         CT_TEXT,  "",      "its ranks: 0,1,2") \
    C(t, size,          CT_INT,   "",      "number of ranks") \
    C(t, source_id,     CT_INT,   "",      "file")
#define COLS_api_stat(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, level,         CT_TEXT,  "",      "acl, model, node, hccl, runtime") \
    C(t, name_id,       CT_STR,   "",      "API") \
    C(t, calls,         CT_INT,   "",      "calls") \
    C(t, total_ns,      CT_NSR,   "ns",    "sum of times") \
    C(t, avg_ns,        CT_NSR,   "ns",    "mean") \
    C(t, min_ns,        CT_NSR,   "ns",    "shortest") \
    C(t, max_ns,        CT_NSR,   "ns",    "longest") \
    C(t, variance,      CT_REAL,  "us^2",  "variance as the source gives it") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, extra,         CT_TEXT,  "",      "further columns of the source as JSON")
#define COLS_host_stage(C, t) \
    C(t, id,            CT_ID,    "",      "number") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, name_id,       CT_STR,   "",      "module.event.stage") \
    C(t, parent,        CT_INT,   "",      "enclosing stage") \
    C(t, level,         CT_TEXT,  "",      "level as recorded") \
    C(t, start_ns,      CT_TS,    "ns",    "start") \
    C(t, end_ns,        CT_TS,    "ns",    "end") \
    C(t, dur_ns,        CT_NS,    "ns",    "duration") \
    C(t, thread,        CT_TEXT,  "",      "thread id") \
    C(t, memory_b,      CT_BYTES, "bytes", "memory of the process at the end") \
    C(t, info,          CT_TEXT,  "",      "custom information") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there") \
    C(t, extra,         CT_TEXT,  "",      "further columns of the source as JSON")
#define COLS_host_sample(C, t) \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, what,          CT_TEXT,  "",      "what was measured, with its unit") \
    C(t, ts_ns,         CT_TS,    "ns",    "time, where recorded") \
    C(t, at_ns,         CT_NS,    "ns",    "time since a start that the source does not give") \
    C(t, value,         CT_REAL,  "",      "value") \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, line,          CT_INT,   "",      "line there")
#define COLS_doc(C, t) \
    C(t, source_id,     CT_INT,   "",      "file") \
    C(t, key,           CT_TEXT,  "",      "place in the document") \
    C(t, value,         CT_TEXT,  "",      "value there")
#define COLS_log_file(C, t) \
    C(t, id,            CT_ID,    "",      "number of the file") \
    C(t, path,          CT_TEXT,  "",      "path below the folder it was found in") \
    C(t, kind,          CT_TEXT,  "",      "plog, devlog, device, bbox, host, console, launcher, env ...") \
    C(t, state,         CT_TEXT,  "",      "ok, apart (of another run), damaged, refused") \
    C(t, server,        CT_TEXT,  "",      "server it is of") \
    C(t, rank,          CT_INT,   "",      "rank of its process") \
    C(t, pid,           CT_INT,   "",      "its process") \
    C(t, lines,         CT_INT,   "",      "lines read") \
    C(t, size_b,        CT_BYTES, "bytes", "bytes read") \
    C(t, errors,        CT_INT,   "",      "lines that tell of a failure") \
    C(t, left_out,      CT_INT,   "",      "such lines above the limit of one kind: counted only") \
    C(t, note,          CT_TEXT,  "",      "reason for the state")
#define COLS_log_line(C, t) \
    C(t, id,            CT_ID,    "",      "number, in order of time") \
    C(t, file_id,       CT_INT,   "",      "file, NULL: of a profile") \
    C(t, line,          CT_INT,   "",      "line in it") \
    C(t, offset_b,      CT_BYTES, "bytes", "where it begins in it") \
    C(t, utc_ns,        CT_INT,   "ns",    "Unix time, NULL: unknown") \
    C(t, clock,         CT_TEXT,  "",      "what the zone of its clock follows from") \
    C(t, ts_ns,         CT_INT,   "ns",    "the same in the rank's profile, from its origin; NULL: unknown") \
    C(t, rank,          CT_INT,   "",      "rank whose line it is") \
    C(t, pid,           CT_INT,   "",      "process") \
    C(t, server,        CT_TEXT,  "",      "server") \
    C(t, source,        CT_TEXT,  "",      "kind of the log; profile: an event of the profile") \
    C(t, level,         CT_TEXT,  "",      "how serious its writer takes it") \
    C(t, module,        CT_TEXT,  "",      "module that wrote it") \
    C(t, role,          CT_TEXT,  "",      "cause, consequence, either, noise, mark") \
    C(t, class,         CT_TEXT,  "",      "class of the failure it tells of") \
    C(t, says,          CT_TEXT,  "",      "what it means") \
    C(t, message,       CT_TEXT,  "",      "what its writer says, without the head of the line") \
    C(t, text,          CT_TEXT,  "",      "the line") \
    C(t, first,         CT_BOOL,  "",      "the first error of the verdict") \
    C(t, apart,         CT_BOOL,  "",      "of another run, or after the end of this one")
#define COLS_log_event(C, t) \
    C(t, line_id,       CT_INT,   "",      "line") \
    C(t, signature,     CT_TEXT,  "",      "signature that the line has") \
    C(t, next,          CT_TEXT,  "",      "what to do") \
    C(t, device,        CT_INT,   "",      "device in the line") \
    C(t, stream,        CT_INT,   "",      "stream in the line") \
    C(t, task,          CT_INT,   "",      "task in the line") \
    C(t, op,            CT_TEXT,  "",      "op in the line") \
    C(t, kernel,        CT_TEXT,  "",      "kernel in the line") \
    C(t, group_name,    CT_TEXT,  "",      "group in the line") \
    C(t, seq,           CT_INT,   "",      "number of the collective in its group, in the line") \
    C(t, remote_rank,   CT_INT,   "",      "other rank in the line") \
    C(t, code,          CT_TEXT,  "",      "error code in the line, with its name")
#define COLS_collective(C, t) \
    C(t, group_name,    CT_TEXT,  "",      "group") \
    C(t, ranks,         CT_INT,   "",      "its members, as far as known") \
    C(t, rank,          CT_INT,   "",      "rank") \
    C(t, enqueued,      CT_INT,   "",      "number of the last collective that the host issued") \
    C(t, started,       CT_INT,   "",      "number of the last one that the device began, where recorded") \
    C(t, completed,     CT_INT,   "",      "number of the last one that ended") \
    C(t, seq,           CT_INT,   "",      "number of the collective in question") \
    C(t, op,            CT_TEXT,  "",      "what the rank issued there") \
    C(t, sizes,         CT_TEXT,  "",      "sizes of its input") \
    C(t, dtypes,        CT_TEXT,  "",      "data types of its input") \
    C(t, state,         CT_TEXT,  "", \
        "MISSING: not issued; WAITS: issued, begun, not ended; MISMATCH: another op, size or type; ended; " \
        "unknown") \
    C(t, says,          CT_TEXT,  "",      "what differs in the group") \
    C(t, place,         CT_TEXT,  "",      "where the Python program is: function (file:line)") \
    C(t, stack,         CT_TEXT,  "",      "the Python stack, innermost first") \
    C(t, source,        CT_TEXT,  "",      "flight, status, or log") \
    C(t, path,          CT_TEXT,  "",      "file it follows from")
/* clang-format on */

#endif
