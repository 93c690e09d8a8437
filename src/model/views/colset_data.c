/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Data pane. */
#include "config.h"

#include "model/views/colset.h"

/* clang-format off */
/*
 * Two files describe one pipeline: the raw table has queues and samples, the summary CPU and empty shares.
 * The view has one row per op.
 */
static const struct view_col pipeline_cols[] = {
    { "op",        "Op", "ifnull(min(" COLSET_TEXT("p.type_id") "), 'op') || '(id=' || p.op || ')'",
        VT_TEXT, VU_NONE, 12, 22, 0, false, VC_MAIN | VC_FLEX, "op of the pipeline" },
    { "op_id",     "Id",      "p.op",              VT_INT,  VU_NONE,  2, 3, 8, false, VC_HIDDEN,
        "op id; 0 is the root" },
    { "workers",   "Workers", "max(p.workers)",    VT_INT,  VU_COUNT, 7, 7, 1, true,  0, "parallel workers" },
    { "queue_size", "Queue",  "max(p.queue_size)", VT_INT,  VU_COUNT, 5, 5, 2, true,  0,
        "capacity of its output queue" },
    { "queue_avg", "Mean",    COLSET_SAMPLED("p.queue_avg"),  VT_REAL, VU_NONE,  6, 7, 3, true,  0,
        "mean number of items in it" },
    { "queue_use_pct", "Queue use", "100.0 * " COLSET_SAMPLED("p.queue_use"), VT_REAL, VU_PCT, 6, 9, 0, true,
        VC_BAR,
        "mean fill of its output queue" },
    { "queue_empty_pct", "Empty", "100.0 * " COLSET_SAMPLED("p.queue_empty_share"), VT_REAL, VU_PCT, 5, 6, 1,
        true, 0,
        "share of samples that found its output queue empty: the op that takes from it waits" },
    { "cpu_pct",   "CPU",     "100.0 * max(p.cpu_share)", VT_REAL, VU_PCT, 5, 6, 4, true, 0,
        "CPU of all its workers; 100% is one core" },
    { "cpu_per_worker_pct", "CPU/wkr", "100.0 * max(p.cpu_per_worker)", VT_REAL, VU_PCT, 5, 7, 2, true, 0,
        "CPU of one worker" },
    { "parent",    "Parent",  "max(p.parent)",     VT_INT,  VU_NONE,  6, 6, 5, false, 0,
        "op that takes its output" },
    { "sample_ms", "Sample ms", "max(p.sample_ms)",  VT_REAL, VU_NONE,  6, 6, 8, true,  VC_HIDDEN,
        "sampling interval in ms" },
    { "text",      "Remark",  "max(p.text)",       VT_TEXT, VU_NONE,  8, 30, 8, false, VC_HIDDEN,
        "MindSpore's remark" },
};
const struct view_def view_data_pipeline = {
    .id = "data.pipeline", .title = "pipeline", .pane = PANE_DATA, .from = "pipeline_op p",
        .where = "p.rank = :rank", .group = "p.op", .key = "", COLSET_COLS(pipeline_cols), .empty = "data",
        .needs = COLSET_ANY("pipeline_op"), .unit_of = "ops",
};
static const struct view_col queue_cols[] = {
    { "queue",    "Queue",  "q.queue",           VT_TEXT, VU_NONE,  8, 24, 0, false, VC_MAIN | VC_FLEX,
        "queue" },
    { "connects", "Between", COLSET_CONNECTS("q.queue"), VT_TEXT, VU_NONE, 10, 26, 1, false, VC_IF_ANY,
        "of a connector the op that fills it and the one that takes from it" },
    { "capacity", "Capacity", "max(q.capacity)", VT_INT,  VU_COUNT, 6,  8, 1, true,
        VC_LEVEL, "capacity" },
    { "samples",  "Samples", "count(*)",         VT_INT,  VU_COUNT, 6,  8, 1, true,  VC_APART,
        "samples or batches" },
    { "mean",     "Mean",   "avg(q.size)",       VT_REAL, VU_NONE,  6,  8, 0, true,  0, "mean size" },
    { "max",      "Max",    "max(q.size)",       VT_INT,  VU_COUNT, 5,  6, 2, true,
        VC_LEVEL, "largest size" },
    { "empty",    "Empty",  "sum(q.size = 0)",   VT_INT,  VU_COUNT, 5,  6, 2, true,  0,
        "samples with an empty queue" },
    { "empty_pct", "Empty%", "100.0 * sum(q.size = 0) / count(*)", VT_REAL, VU_PCT, 5, 6, 0, true, VC_BAR,
        "share of them" },
};
const struct view_def view_data_queue = {
    .id = "data.queue", .title = "queues", .pane = PANE_DATA, .from = "queue_sample q",
        .where = "q.rank = :rank", .group = "q.queue", .key = "", COLSET_COLS(queue_cols), .empty = "data",
        .needs = COLSET_ANY("queue_sample"), .open = "data.sample", .open_filter = "queue={queue}",
    .unit_of = "queues",
};
static const struct view_col sample_cols[] = {
    { "queue",    "Queue",  "q.queue",    VT_TEXT, VU_NONE,  8, 24, 0, false, VC_MAIN | VC_FLEX, "queue" },
    { "seq",      "Batch",  "q.seq",      VT_INT,  VU_NONE,  5,  7, 0, false, 0, "sample or batch number" },
    { "ts_ns",    "Time",   "q.ts_ns",    VT_INT,  VU_TS,    8, 12, 3, false, 0, "time, where recorded" },
    { "size",     "Size",   "q.size",     VT_INT,  VU_COUNT, 5,  6, 0, true,
        VC_BAR | VC_LEVEL, "items in the queue" },
    { "capacity", "Capacity", "q.capacity", VT_INT, VU_COUNT, 6, 8, 2, true,
        VC_LEVEL, "capacity" },
};
const struct view_def view_data_sample = {
    .id = "data.sample", .title = "queue sizes", .pane = PANE_DATA, .from = "queue_sample q",
        .where = "q.rank = :rank", .key = "q.rowid", COLSET_COLS(sample_cols), .empty = "data",
        .apart = "queue",
        .needs = COLSET_ANY("queue_sample"), .ts_col = "ts_ns", .unit_of = "samples",
};
static const struct view_col batch_cols[] = {
    { "batch",  "Batch", "b.batch", VT_INT,  VU_NONE, 5,  7, 0, false, 0, "batch number" },
    { "kind",   "Kind",  "b.kind",  VT_TEXT, VU_NONE, 6, 10, 0, false, VC_MAIN | VC_FLEX,
        "pipeline: making it; push: handing it over; total; getnext" },
    { "dur_ns", "Time",  "b.dur_ns", VT_REAL, VU_NS,  8,  9, 0, true,  VC_BAR, "duration" },
    { "ts_ns",  "At",    "b.ts_ns", VT_INT,  VU_TS,   8, 12, 2, false, 0, "time, where recorded" },
};
const struct view_def view_data_batch = {
    .id = "data.batch", .title = "times per batch", .pane = PANE_DATA, .from = "batch_time b",
        .where = "b.rank = :rank", .key = "b.rowid", COLSET_COLS(batch_cols), .empty = "data",
        .apart = "kind",
        .needs = COLSET_ANY("batch_time"), .ts_col = "ts_ns", .dur_col = "dur_ns", .unit_of = "times",
};
/*
 * Shares of machine and process are of all cores, those of an op of one (100% is a core): the bar is of the
 * ops alone.
 */
#define OF_CORES " of all cores; of an op of one core"
static const struct view_col cpu_cols[] = {
    { "who",  "Who",  "ifnull((SELECT min(" COLSET_TEXT("p.type_id") ") || '(id=' || min(p.op) || ')' "
        "FROM pipeline_op p WHERE p.rank = c.rank AND c.who = 'op ' || p.op), c.who)",
        VT_TEXT, VU_NONE, 6, 18, 0, false, VC_MAIN | VC_FLEX, "machine, process or op of the pipeline" },
    { "user_pct", "User", "avg(c.user)", VT_REAL, VU_PCT, 5, 7, 0, true, VC_APART,
        "mean user share" OF_CORES },
    { "sys_pct",  "Sys",  "avg(c.sys)",  VT_REAL, VU_PCT, 5, 7, 0, true, VC_APART,
        "mean system share" OF_CORES },
    { "io_pct",   "I/O",  "avg(c.io)",   VT_REAL, VU_PCT, 5, 7, 1, true, VC_APART,
        "mean share of waiting for I/O" OF_CORES },
    { "idle_pct", "Idle", "avg(c.idle)", VT_REAL, VU_PCT, 5, 7, 1, true, VC_APART,
        "mean idle share" OF_CORES },
    { "max_pct",  "Max",  "max(ifnull(c.user, 0) + ifnull(c.sys, 0))", VT_REAL, VU_PCT, 5, 7, 2, true,
        VC_APART, "largest user and system share" OF_CORES },
    { "samples",  "Samples", "count(*)", VT_INT, VU_COUNT, 6, 8, 3, true, VC_APART, "samples" },
    { "cores",    "Cores",
        "CASE WHEN c.who LIKE 'op %' THEN avg(ifnull(c.user, 0) + ifnull(c.sys, 0)) / 100.0 END",
        VT_REAL, VU_NONE, 5, 6, 0, true, VC_BAR,
        "cores that an op keeps busy, user and system; of machine and process no file says it" },
};
const struct view_def view_data_cpu = {
    .id = "data.cpu", .title = "CPU", .pane = PANE_DATA, .from = "cpu_sample c", .where = "c.rank = :rank",
        .group = "c.who", .key = "", COLSET_COLS(cpu_cols), .empty = "data",
        .needs = COLSET_ANY("cpu_sample"), .unit_of = "rows",
};
static const struct view_col stage_cols[] = {
    { "op",     "Operation", "d.op",    VT_TEXT, VU_NONE, 8, 24, 0, false, VC_MAIN | VC_FLEX, "operation" },
    { "event",  "Event",     "d.event", VT_TEXT, VU_NONE, 6, 12, 4, false, VC_HIDDEN, "event" },
    { "stage",  "Stage",     "d.stage", VT_TEXT, VU_NONE, 6, 20, 1, false, 0, "stage" },
    { "count",  "Count",     "d.count", VT_INT,  VU_COUNT, 5, 7, 1, true,  0, "occurrences" },
    { "avg_ns", "Avg",       "d.avg_ns", VT_REAL, VU_NS,  8, 9, 0, true,  VC_BAR, "mean time" },
    { "info",   "Info",      "nullif(d.info, '{}')",  VT_TEXT, VU_NONE, 6, 20, 5, false, VC_HIDDEN,
        "custom information" },
};
const struct view_def view_data_stage = {
    .id = "data.stage", .title = "stages", .pane = PANE_DATA, .from = "dataset_stage d",
        .where = "d.rank = :rank", .key = "d.rowid", COLSET_COLS(stage_cols), .sort = "avg_ns",
        .empty = "data.dataset", .needs = COLSET_ANY("dataset_stage"), .unit_of = "stages",
};
/* clang-format on */
