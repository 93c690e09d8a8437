/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The view of the command `op`: what is known of an op type or an op, by shape of its inputs. It is no view
 * of the screen, because each execution counts in it twice: for its type and for its name.
 */
#include "config.h"

#include "model/views/colset.h"

/* clang-format off */
/* A row for each op that ran. On a GPU its executions do not say the type, and its sums do. */
#define FIELDS "o.name_id AS name_id, ifnull(o.type_id, (SELECT s.type_id FROM op_stat s WHERE s.name_id = " \
    "o.name_id AND s.by = 'op' AND s.rank = :rank LIMIT 1)) AS type_id, o.core AS core, " \
    "o.in_shapes_id AS shape"
#define RAN "SELECT " FIELDS ", count(*) AS calls, sum(e.dur_ns) + 0.0 AS total, NULL AS mean, " \
    "min(e.dur_ns) AS least, max(e.dur_ns) AS most, 'run' AS per, " \
    "count(l.delay_ns) AS launched, sum(l.delay_ns) + 0.0 AS delay, max(l.delay_ns) AS delay_most " \
    "FROM op_exec e JOIN op o ON o.id = e.op_id LEFT JOIN op_launch l ON l.exec_id = e.id " \
    "WHERE e.rank = :rank AND e.dur_ns IS NOT NULL AND " COLSET_STEPS("e.step") " GROUP BY o.id"
#define RAN_QUICK "SELECT " FIELDS ", e.calls AS calls, e.total_ns + 0.0 AS total, NULL AS mean, " \
    "e.min_ns AS least, e.max_ns AS most, 'run' AS per, e.launched AS launched, e.delay_ns + 0.0 AS delay, " \
    "e.delay_max_ns AS delay_most FROM exec_sum('op', :rank, :step0, :step1) e " \
    "CROSS JOIN op o ON o.id = e.gid"
/* Ops and op types of which there are sums of the source and no executions. */
#define SUMMED "SELECT s.name_id, ifnull(s.type_id, o.type_id), ifnull(s.core, o.core), o.in_shapes_id, " \
    "s.calls, s.total_ns, s.avg_ns, s.min_ns, s.max_ns, s.per, NULL, NULL, NULL FROM op_stat s " \
    "LEFT JOIN op o ON o.id = (SELECT id FROM op x WHERE x.name_id = s.name_id ORDER BY x.type_id IS NULL, " \
    "x.id LIMIT 1) WHERE s.by = 'op' AND s.rank = :rank AND s.name_id NOT IN (SELECT name_id FROM ran)"
#define SUMMED_TYPES "SELECT 'type', s.type_id, s.type_id, s.core, NULL, s.calls, s.total_ns, s.avg_ns, " \
    "s.min_ns, s.max_ns, s.per, NULL, NULL, NULL FROM op_stat s WHERE s.by = 'type' AND s.rank = :rank " \
    "AND s.type_id NOT IN (SELECT type_id FROM known WHERE type_id IS NOT NULL)"
#define AICPU_KERNELS "SELECT 'type', a.name_id, a.name_id, 'AICPU', NULL, count(*), " \
    "sum(ifnull(a.total_ns, a.compute_ns)) + 0.0, NULL, min(ifnull(a.total_ns, a.compute_ns)), " \
    "max(ifnull(a.total_ns, a.compute_ns)), 'run', NULL, NULL, NULL FROM aicpu_exec a WHERE a.rank = :rank " \
    "AND ifnull(a.total_ns, a.compute_ns) IS NOT NULL AND a.name_id NOT IN " \
    "(SELECT type_id FROM known WHERE type_id IS NOT NULL) AND a.name_id NOT IN " \
    "(SELECT type_id FROM op_stat WHERE by = 'type' AND type_id IS NOT NULL) GROUP BY a.name_id"
/* mean: of a source that gives no sum; of several such ops it is not known. */
#define BY(word, id) "SELECT '" word "' AS by, " id " AS gid, type_id, core, shape, sum(calls) AS calls, " \
    "sum(total) AS total, CASE WHEN count(*) = 1 THEN max(mean) END AS mean, min(least) AS least, " \
    "max(most) AS most, per, sum(launched) AS launched, sum(delay) AS delay, max(delay_most) AS delay_most " \
    "FROM known WHERE " id " IS NOT NULL GROUP BY " id ", type_id, core, shape, per"
#define ROWS(ran) "(WITH ran AS (" ran "), known AS (SELECT * FROM ran UNION ALL " SUMMED "), " \
    "whole AS (SELECT sum(total) AS ns FROM known WHERE ifnull(core, '') NOT IN ('HCCL', 'AICPU')) " \
    "SELECT u.*, w.ns AS whole FROM (" BY("type", "type_id") " UNION ALL " BY("op", "name_id") \
    " UNION ALL " SUMMED_TYPES " UNION ALL " AICPU_KERNELS ") u, whole w) g"

static const struct view_col cols[] = {
    { "name",      "Name",  COLSET_TEXT("g.gid"), VT_TEXT, VU_NONE, 12, 30, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "op type or op" },
    { "by",        "By",    "g.by",       VT_TEXT, VU_NONE,  4,  4, 1, false, 0,
        "what the name is: type or op" },
    { "type",      "Type",  COLSET_TEXT("g.type_id"), VT_TEXT, VU_NONE, 6, 16, 4, false, 0, "op type" },
    { "core",      "Core",  "g.core",     VT_TEXT, VU_NONE,  4,  5, 3, false, 0, "core" },
    { "calls",     "Calls", "g.calls",    VT_INT,  VU_COUNT, 5,  6, 0, true,  0, "executions" },
    { "total_ns",  "Total", "g.total",    VT_REAL, VU_NS,    8,  9, 1, true,  0, "sum of durations" },
    { "avg_ns",    "Avg",   "ifnull(g.total / nullif(g.calls, 0), g.mean)", VT_REAL, VU_NS, 7, 8, 0, true, 0,
        "mean duration of an execution" },
    { "min_ns",    "Min",   "g.least",    VT_REAL, VU_NS,    7,  8, 1, true,  0, "shortest" },
    { "max_ns",    "Max",   "g.most",     VT_REAL, VU_NS,    7,  8, 1, true,  0, "longest" },
    { "share_pct", "%", "CASE WHEN ifnull(g.core, '') NOT IN ('HCCL', 'AICPU') "
        "THEN 100.0 * g.total / nullif(g.whole, 0) END", VT_REAL, VU_PCT, 5, 5, 2, true, 0,
        "share of all AI Core time; AI CPU and HCCL run in parallel and have none" },
    { "per",       "Per",   "g.per",      VT_TEXT, VU_NONE,  4,  4, 2, false, VC_BASE,
        "what calls and sums are of: run (all recorded steps), step (the source gives a mean step)" },
    { "delay_avg_ns", "Delay", "g.delay / nullif(g.launched, 0)", VT_REAL, VU_NS, 7, 8, 3, true,
        VC_HIDDEN | VC_TIME, "mean time from launch to run: from the end of the host call to the start on "
        "the device" },
    { "delay_max_ns", "Delay max", "g.delay_most", VT_REAL, VU_NS, 7, 9, 4, true,
        VC_HIDDEN | VC_TIME, "longest time from launch to run" },
    { "in_shapes", "In shape", COLSET_TEXT("g.shape"), VT_TEXT, VU_NONE, 8, 22, 2, false, 0,
        "shapes of the inputs" },
};
/* clang-format on */

const struct view_def view_op_shape = {
    .id = "op.shape",
    .title = "op by shape",
    .pane = PANE_OPS,
    .from = ROWS(RAN),
    .quick = ROWS(RAN_QUICK),
    .group = "",
    .key = "",
    COLSET_COLS(cols),
    .sort = "total_ns",
    .empty = "ops",
    .needs = "SELECT 1 FROM op_exec WHERE rank = :rank UNION ALL SELECT 1 FROM op_stat WHERE rank = :rank "
             "UNION ALL SELECT 1 FROM aicpu_exec WHERE rank = :rank LIMIT 1",
    .unit_of = "rows",
};
