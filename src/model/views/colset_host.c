/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Host pane. */
#include "config.h"

#include "model/views/colset.h"

/* clang-format off */
#define NSR(id, title, expr, prio, flags, help) { id, title, expr, VT_REAL, VU_NS, 8, 9, prio, true, flags, \
    help }
#define NS(id, title, expr, prio, flags, help) { id, title, expr, VT_INT, VU_NS, 8, 9, prio, true, flags, \
    help }

static const struct view_col aicpu_cols[] = {
    { "kernel", "Kernel", "ifnull(" COLSET_TEXT("a.name_id") ", '-')", VT_TEXT, VU_NONE, 12, 30, 0, false,
        VC_MAIN | VC_FLEX, "AI CPU kernel" },
    { "calls",  "Calls",  "count(*)", VT_INT, VU_COUNT, 5, 6, 0, true, 0, "executions" },
    NSR("avg_ns", "Avg total",  "avg(ifnull(a.total_ns, a.compute_ns))", 0, 0,
        "mean total time, from dispatch to end; on the timeline it begins after dispatch"),
    NSR("dispatch_ns", "Dispatch", "avg(a.dispatch_ns)", 1, VC_LEVEL,
        "mean dispatch time, before it computes"),
    NSR("compute_ns", "Compute", "avg(a.compute_ns)", 1, VC_LEVEL,
        "mean compute or execution time, without dispatch"),
    NSR("total_ns", "Total", "sum(ifnull(a.total_ns, a.compute_ns)) + 0.0", 0, VC_BAR, "sum of total times"),
    { "share_pct", "%", "100.0 * sum(ifnull(a.total_ns, a.compute_ns)) / nullif(sum(sum(ifnull(a.total_ns, "
        "a.compute_ns))) OVER (), 0)", VT_REAL, VU_PCT, 5, 5, 1, true, 0, "share of AI CPU time" },
    NSR("max_ns", "Max", "max(ifnull(a.total_ns, a.compute_ns))", 3, 0, "longest"),
};
const struct view_def view_host_aicpu = {
    .id = "host.aicpu", .title = "AI CPU", .pane = PANE_HOST, .from = "aicpu_exec a",
        .where = "a.rank = :rank AND ifnull(a.total_ns, a.compute_ns) IS NOT NULL", .group = "a.name_id",
        .key = "",
    COLSET_COLS(aicpu_cols), .sort = "total_ns", .empty = "host", .needs = COLSET_ANY("aicpu_exec"),
    .inside = "host.aicpu_exec", .inside_filter = "kernel={kernel}", .inside_sort = "total_ns",
    .unit_of = "kernels",
};
static const struct view_col api_cols[] = {
    { "api",   "API",   COLSET_TEXT("a.name_id"), VT_TEXT, VU_NONE, 14, 34, 0, false, VC_MAIN | VC_FLEX,
        "host API" },
    { "level", "Level", "a.level", VT_TEXT, VU_NONE, 7, 8, 2, false, 0, "acl, model, node, hccl, runtime" },
    { "calls", "Calls", "a.calls", VT_INT, VU_COUNT, 5, 7, 0, true, 0, "calls" },
    NSR("total_ns", "Total", "a.total_ns", 0, VC_BAR | VC_INSIDE, "sum of times"),
    NSR("avg_ns", "Avg", "a.avg_ns", 1, 0, "mean"),
    NSR("min_ns", "Min", "a.min_ns", 3, 0, "shortest"),
    NSR("max_ns", "Max", "a.max_ns", 2, 0, "longest"),
    { "std_dev_ns", "Std dev", "1000 * square_root(a.variance)", VT_REAL, VU_NS, 7, 8, 6, true, VC_HIDDEN,
        "standard deviation: the root of the variance that the source gives, which is in us^2" },
};
const struct view_def view_host_api = {
    .id = "host.api", .title = "API calls", .pane = PANE_HOST, .from = "api_stat a",
        .where = "a.rank = :rank", .key = "a.rowid", COLSET_COLS(api_cols),
    .sort = "total_ns", .empty = "host", .needs = COLSET_ANY("api_stat"), .unit_of = "APIs",
};
static const struct view_col op_cols[] = {
    { "op_name", "Op", "ifnull(" COLSET_TEXT("h.name_id") ", '-')", VT_TEXT, VU_NONE, 14, 36, 0, false,
        VC_MAIN | VC_FLEX, "framework op" },
    { "calls",   "Calls", "sum(ifnull(h.calls, 1))", VT_INT, VU_COUNT, 5, 6, 0, true, 0, "calls" },
    NS("self_ns", "Host self", "sum(h.self_ns)", 0, VC_BAR, "host time of its own"),
    NS("total_ns", "Host total", "sum(h.dur_ns)", 1, VC_INSIDE, "host time with what it calls"),
    NS("device_self_ns", "Dev self", "sum(h.device_self_ns)", 1, 0, "device time of its own"),
    NS("device_ns", "Dev total", "sum(h.device_ns)", 2, VC_INSIDE, "device time with what it calls"),
    NS("aicore_self_ns", "AI Core self", "sum(h.aicore_self_ns)", 6, VC_HIDDEN,
    "AI Core part of its own device time"),
};
#define HOLDS_OPS "ifnull(" COLSET_TEXT("h.type_id") ", '') IN ('module', 'optimizer')"
const struct view_def view_host_op = {
    .id = "host.op", .title = "framework ops", .pane = PANE_HOST, .from = "host_op h",
        .where = "h.rank = :rank AND NOT " HOLDS_OPS,
    .group = "h.name_id", .key = "", COLSET_COLS(op_cols), .sort = "self_ns",
        .empty = "host", .open = "host.call", .open_filter = "op_name={op_name}",
    .needs = "SELECT 1 FROM host_op h WHERE h.rank = :rank AND NOT " HOLDS_OPS " AND coalesce(h.dur_ns, "
        "h.self_ns, h.device_ns, h.device_self_ns) IS NOT NULL LIMIT 1", .unit_of = "ops",
};
static const struct view_col module_cols[] = {
    { "module", "Module", "ifnull(" COLSET_TEXT("h.name_id") ", '-')", VT_TEXT, VU_NONE, 14, 36, 0, false,
        VC_MAIN | VC_FLEX, "module or optimizer" },
    { "calls",   "Calls", "sum(ifnull(h.calls, 1))", VT_INT, VU_COUNT, 5, 6, 0, true, 0, "calls" },
    NS("device_ns", "Dev total", "sum(h.device_ns)", 0, VC_BAR | VC_INSIDE,
        "device time of what was launched in it"),
    NS("total_ns", "Host total", "sum(h.dur_ns)", 1, VC_INSIDE, "host time with what it calls"),
    NS("self_ns", "Host self", "sum(h.self_ns)", 2, 0, "host time outside of its modules and ops"),
    NS("aicore_ns", "AI Core", "sum(h.aicore_ns)", 6, VC_HIDDEN, "AI Core part of its device time"),
};
const struct view_def view_host_module = {
    .id = "host.module", .title = "modules", .pane = PANE_HOST, .from = "host_op h",
        .where = "h.rank = :rank AND " HOLDS_OPS, .group = "h.name_id", .key = "", COLSET_COLS(module_cols),
    .sort = "device_ns", .empty = "host", .open = "host.call", .open_filter = "op_name={module}",
    .needs = "SELECT 1 FROM host_op h WHERE h.rank = :rank AND " HOLDS_OPS " LIMIT 1", .unit_of = "modules",
};
static const struct view_col call_cols[] = {
    { "op_name", "Op", COLSET_TEXT("h.name_id"), VT_TEXT, VU_NONE, 14, 36, 0, false, VC_MAIN | VC_FLEX,
        "framework op" },
    NS("self_ns", "Host self", "h.self_ns", 0, VC_BAR, "host time of its own"),
    NS("total_ns", "Host total", "h.dur_ns", 1, VC_INSIDE, "host time with what it calls"),
    NS("device_self_ns", "Dev self", "h.device_self_ns", 1, 0, "device time of its own"),
    NS("device_ns", "Dev total", "h.device_ns", 2, VC_INSIDE, "device time with what it calls"),
    { "in_shapes", "In shape", COLSET_TEXT("h.in_shapes_id"), VT_TEXT, VU_NONE, 8, 24, 3, false, 0,
        "shapes of the inputs" },
    { "type", "Type", COLSET_TEXT("h.type_id"), VT_TEXT, VU_NONE, 6, 9, 4, false, VC_HIDDEN,
        "module, optimizer, GC, shapes: what is no op" },
    { "step", "Step", "h.step", VT_INT, VU_NONE, 4, 5, 5, false, VC_HIDDEN, "step" },
    { "module", "Module", COLSET_TEXT("h.module_id"), VT_TEXT, VU_NONE, 10, 24, 5, false, VC_HIDDEN | VC_PATH,
        "module that it is of, outer modules first" },
    { "stack", "Call stack", COLSET_TEXT("h.stack_id"), VT_TEXT, VU_NONE, 8, 30, 6, false, VC_HIDDEN,
        "call stack, the innermost function first" },
    { "extra", "Extra", "h.extra", VT_TEXT, VU_NONE, 10, 24, 7, false, VC_HIDDEN,
        "as JSON: parameters of a module or optimizer with its first call, columns of the source" },
    { "ts_ns", "Start", "h.ts_ns", VT_INT, VU_TS, 8, 11, 5, false, VC_HIDDEN, "start, where recorded" },
    { "line",  "Line", "h.line", VT_INT, VU_NONE, 4, 6, 8, false, VC_HIDDEN, "line in the file" },
};
const struct view_def view_host_call = {
    .id = "host.call", .title = "framework op calls", .pane = PANE_HOST, .from = "host_op h",
        .where = "h.rank = :rank", .key = "h.id", COLSET_COLS(call_cols), .empty = "host",
        .needs = COLSET_ANY("host_op"), .ts_col = "ts_ns", .dur_col = "total_ns", .unit_of = "calls",
};
static const struct view_col stage_cols[] = {
    { "stage",  "Stage", COLSET_TEXT("h.name_id"), VT_TEXT, VU_NONE, 12, 36, 0, false, VC_MAIN | VC_FLEX,
        "module, event and stage" },
    { "level",  "Level", "h.level", VT_TEXT, VU_NONE, 5, 6, 4, false, 0, "level" },
    NS("dur_ns", "Time", "h.dur_ns", 0, VC_BAR | VC_INSIDE, "duration"),
    { "start_ns", "Start", "h.start_ns", VT_INT, VU_TS, 8, 11, 1, false, 0, "start" },
    { "thread", "Thread", "h.thread", VT_TEXT, VU_NONE, 6, 9, 3, false, 0, "thread id" },
    { "memory_b", "Memory", "h.memory_b", VT_INT, VU_BYTES, 8, 9, 2, true, 0, "memory of the process" },
    { "info",   "Info", "h.info", VT_TEXT, VU_NONE, 6, 20, 6, false, VC_HIDDEN, "custom information" },
    { "clock",  "Clock", "(SELECT 'own' FROM note n WHERE n.source_id = h.source_id AND "
        "n.code = 'OTHER_CLOCK' LIMIT 1)", VT_TEXT, VU_NONE, 5, 5, 8, false, VC_HIDDEN,
        "own: the start is on the host's clock, which the rank's is not related to" },
};
const struct view_def view_host_stage = {
    .id = "host.stage", .title = "host stages", .pane = PANE_HOST, .from = "host_stage h",
        .where = "h.rank = :rank", .key = "h.id", COLSET_COLS(stage_cols), .sort = "dur_ns", .empty = "host",
        .needs = COLSET_ANY("host_stage"), .ts_col = "start_ns", .dur_col = "dur_ns", .unit_of = "stages",
};
#define SAMPLE_WHAT(what) "CASE " what " WHEN 'context_switch_count' THEN 'context switches' " \
    "WHEN 'runnable_process' THEN 'runnable processes' ELSE " what " END"
static const struct view_col sample_cols[] = {
    { "what",  "What", SAMPLE_WHAT("h.what"), VT_TEXT, VU_NONE, 12, 40, 0, false, VC_MAIN | VC_FLEX,
        "what was measured" },
    { "value", "Value", "h.value", VT_REAL, VU_NONE, 8, 14, 0, true, 0, "value" },
    { "ts_ns", "Time", "h.ts_ns", VT_INT, VU_TS, 8, 11, 1, false, 0, "time, where recorded" },
    { "at_ns", "Since start", "h.at_ns", VT_INT, VU_NS, 8, 11, 1, false, VC_APART,
        "time since a start that the source does not give" },
};
const struct view_def view_host_sample = {
    .id = "host.sample", .title = "measurements", .pane = PANE_HOST, .from = "host_sample h",
        .where = "h.rank = :rank", .key = "h.rowid", COLSET_COLS(sample_cols), .empty = "host",
        .needs = COLSET_ANY("host_sample"), .unit_of = "measurements",
};
/*
 * What was sampled, of tables of measurements and of curves of the timeline; a table that has least, mean and
 * most itself gives one row of the three.
 */
#define AGGREGATE "CASE WHEN what LIKE '% Min' THEN ' Min' WHEN what LIKE '% Max' THEN ' Max' " \
    "WHEN what LIKE '% Avg' THEN ' Avg' WHEN what LIKE '% Average' THEN ' Average' ELSE '' END"
static const struct view_col counter_cols[] = {
    { "what",    "What", "g.what", VT_TEXT, VU_NONE, 12, 44, 0, false, VC_MAIN | VC_FLEX | VC_TIME,
        "what was measured" },
    { "samples", "Samples", "g.n", VT_INT, VU_COUNT, 5, 8, 1, true, VC_APART,
        "samples; none where the source gives only its own sums" },
    { "min_value", "Min", "g.least / g.k", VT_REAL, VU_NONE, 8, 12, 0, true, 0, "smallest value" },
    { "avg_value", "Mean", "g.mean / g.k", VT_REAL, VU_NONE, 8, 12, 0, true, 0, "mean of the samples" },
    { "max_value", "Max", "g.most / g.k", VT_REAL, VU_NONE, 8, 12, 0, true, 0, "largest value" },
    { "unit",    "Unit", "CASE g.k WHEN 1 THEN g.unit WHEN 1024.0 THEN 'MiB' ELSE 'GiB' END", VT_TEXT,
        VU_NONE, 4, 6, 3, false, 0,
        "unit, where it is not part of the name; many KB of memory are MiB or GiB" },
};
const struct view_def view_host_counter = {
    .id = "host.counter", .title = "counters", .pane = PANE_HOST,
    .from = "(SELECT what, nullif(sum(of = ''), 0) AS n, min(value) FILTER (WHERE of IN ('', ' Min')) AS "
        "least, avg(value) FILTER (WHERE of IN ('', ' Avg', ' Average')) AS mean, max(value) FILTER "
        "(WHERE of IN ('', ' Max')) AS most, NULL AS unit, 1 AS k "
        "FROM (SELECT substr(what, 1, length(what) - length(of)) AS what, of, value "
        "FROM (SELECT " SAMPLE_WHAT("what") " AS what, value, "
        AGGREGATE " AS of FROM host_sample WHERE rank = :rank)) GROUP BY what UNION ALL "
        "SELECT ifnull(" COLSET_TEXT("t.process_id") " || ' ', '') || " COLSET_TEXT("t.name_id")
        ", count(*), min(s.value), avg(s.value), max(s.value), t.unit, CASE WHEN t.unit IS NOT 'KB' THEN 1 "
        "WHEN max(s.value) >= 1048576 THEN 1048576.0 WHEN max(s.value) >= 1024 THEN 1024.0 ELSE 1 END "
        "FROM track t CROSS JOIN "
        "counter_sample s ON s.track_id = t.id WHERE t.rank = :rank AND t.kind = 'counter' GROUP BY t.id) g",
    .group = "", .key = "", COLSET_COLS(counter_cols), .empty = "host",
    .needs = "SELECT 1 FROM host_sample WHERE rank = :rank UNION ALL SELECT 1 FROM track WHERE rank = :rank "
        "AND kind = 'counter' LIMIT 1", .unit_of = "counters",
};
/* us; the files that have ms since 1970 instead: doc/formats/analysed.md#transitional-files */
#define RUN_US(x) "CASE WHEN " x " >= 1.2e12 AND " x " < 1e14 THEN " x " * 1000 ELSE " x " END"
static const struct view_col getnext_cols[] = {
    { "kernel", "Node", COLSET_TEXT("a.name_id"), VT_TEXT, VU_NONE, 12, 30, 0, false, VC_MAIN | VC_FLEX,
        "AI CPU node" },
    { "ts_ns", "Start", "a.ts_ns", VT_INT, VU_TS, 8, 11, 0, false, 0, "start" },
    NS("total_ns", "Total", "a.total_ns", 0, 0,
        "total time, from dispatch to end; on the timeline it begins after dispatch"),
    NS("compute_ns", "Compute", "a.compute_ns", 1, 0,
        "compute or execution time, without dispatch: in MindSpore 1.x what the timeline draws"),
    NS("dispatch_ns", "Dispatch", "a.dispatch_ns", 1, 0, "dispatch time, before it computes"),
    { "queue_size", "Queue", "a.queue_size", VT_INT, VU_COUNT, 5, 6, 1, true, 0, "queue size" },
    { "stream", "Stream", "a.stream", VT_INT, VU_NONE, 6, 6, 4, false, 0, "stream" },
    { "task", "Task", "a.task", VT_INT, VU_NONE, 5, 7, 5, false, 0, "task id" },
    { "run_start", "Run start us", RUN_US("a.run_start"), VT_REAL, VU_NONE, 8, 12, 7, false, VC_HIDDEN,
        "start as recorded in old files: of the device's counter, in r2.1 since 1970" },
    { "run_end", "Run end us", RUN_US("a.run_end"), VT_REAL, VU_NONE, 8, 12, 7, false, VC_HIDDEN,
        "end as recorded in old files: of the device's counter, in r2.1 since 1970" },
};
const struct view_def view_host_aicpu_exec = {
    .id = "host.aicpu_exec", .title = "AI CPU executions", .pane = PANE_HOST, .from = "aicpu_exec a",
        .where = "a.rank = :rank", .key = "a.exec_id", COLSET_COLS(getnext_cols), .empty = "host",
        .needs = COLSET_ANY("aicpu_exec"), .ts_col = "ts_ns", .dur_col = "total_ns", .unit_of = "executions",
};
/* clang-format on */
