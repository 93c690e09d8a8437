/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Ops pane. */
#include "config.h"

#include "model/views/colset.h"

/*
 * The sums of analysed files are used where no executions were recorded; with MindSpore 1.x always, because
 * MindSpore shows them and its executions come from another file (doc/store.md#facts-once). There they must
 * be sums of the device: files of host ops are written without any analysis. x: the value of op_stat.by.
 */
/* clang-format off */
#define HAS_STAT(x, and) "EXISTS (SELECT 1 FROM op_stat WHERE by = '" x "' AND rank = :rank" and ")"
#define IS_GEN1 "(SELECT value FROM meta WHERE key = 'generation') IN ('1', '1b')"
#define USE_STAT(x) \
    "(" HAS_STAT(x, "") " AND ((" IS_GEN1 " AND " HAS_STAT(x, " AND ifnull(core, '') <> 'CPU'") ") " \
    "OR NOT EXISTS (SELECT 1 FROM op_exec WHERE rank = :rank AND dur_ns IS NOT NULL)))"
/* clang-format on */
/*
 * AI Core, AI CPU and communication work in parallel: shares are those of AI Core time, HCCL and AI CPU never
 * enter the total.
 */
#define ENGINE "CASE WHEN g.core IN ('HCCL', 'AICPU') THEN g.core ELSE '' END"
#define SHARE                                                                                                \
    "CASE WHEN " ENGINE " = '' THEN 100.0 * g.total / nullif(sum(g.total) OVER (PARTITION BY " ENGINE        \
    "), 0) END"
#define CUM                                                                                                  \
    "CASE WHEN " ENGINE " = '' THEN 100.0 * sum(g.total) OVER (PARTITION BY " ENGINE                         \
    " ORDER BY g.total DESC, g.ord ROWS UNBOUNDED PRECEDING) / "                                             \
    "nullif(sum(g.total) OVER (PARTITION BY " ENGINE "), 0) END"

/*
 * AI CPU kernels of a rank that has no executions of AI CPU ops. Beside types of a mean step they are of one,
 * too, so that times and calls compare: what the run has of them by its number of steps. `+`: by the few ops
 * of the core, not by all executions of the rank.
 */
#define MEAN_STEPS                                                                                           \
    "(SELECT nullif(count(*), 0) FROM step WHERE rank = :rank AND " USE_STAT("type") " AND " HAS_STAT(       \
        "type", " AND per = 'step'") ")"
#define AICPU_ROWS                                                                                           \
    "SELECT k.name_id, 'AICPU', CASE WHEN k.steps IS NULL THEN k.calls WHEN k.calls % k.steps = 0 THEN "     \
    "k.calls / k.steps ELSE 1.0 * k.calls / k.steps END, k.total / ifnull(k.steps, 1), k.least, k.most, "    \
    "CASE WHEN k.steps IS NULL THEN 'run' ELSE 'step' END, k.ord, " NO_DELAYS                                \
    " FROM (SELECT a.name_id AS name_id, count(*) AS calls, "                                                \
    "sum(ifnull(a.total_ns, a.compute_ns)) + 0.0 AS total, min(ifnull(a.total_ns, a.compute_ns)) AS least, " \
    "max(ifnull(a.total_ns, a.compute_ns)) AS most, min(a.rowid) AS ord, " MEAN_STEPS " AS steps "           \
    "FROM aicpu_exec a WHERE a.rank = :rank AND NOT EXISTS (SELECT 1 FROM op_exec e JOIN op o ON "           \
    "o.id = e.op_id WHERE +e.rank = :rank AND o.core = 'AICPU') "                                            \
    "AND ifnull(a.total_ns, a.compute_ns) IS NOT NULL GROUP BY a.name_id) k"

/* Delays between launch and run of grouped executions; where there are no executions they are not known. */
#define JOIN_LAUNCH "LEFT JOIN op_launch l ON l.exec_id = e.id "
#define DELAYS                                                                                               \
    "count(l.delay_ns) AS launched, sum(l.delay_ns) + 0.0 AS delay, min(l.delay_ns) AS delay_least, "        \
    "max(l.delay_ns) AS delay_most"
#define QUICK_DELAYS                                                                                         \
    "e.launched AS launched, e.delay_ns + 0.0 AS delay, e.delay_min_ns AS delay_least, e.delay_max_ns AS "   \
    "delay_most"
#define NO_DELAYS "NULL, NULL, NULL, NULL"

/* Executions grouped by an expression over e and o. */
#define EXEC_ROWS(expr, join)                                                                                \
    "SELECT " expr                                                                                           \
    " AS gid, o.core AS core, count(*) AS calls, sum(e.dur_ns) + 0.0 AS total, min(e.dur_ns) AS "            \
    "least, max(e.dur_ns) AS most, 'run' AS per, min(e.rowid) AS ord, " DELAYS                               \
    " FROM op_exec e LEFT JOIN op o ON o.id = e.op_id " JOIN_LAUNCH join                                     \
    " WHERE e.rank = :rank AND e.dur_ns IS NOT NULL AND " COLSET_STEPS("e.step")

/* The same from exec_sum (store/exec_sum.c). stat: the view shows sums of analysed files instead. */
#define NO_STAT "0"
#define EXEC_SUMS(by, stat)                                                                                  \
    "exec_sum('" by "', CASE WHEN " stat " THEN NULL ELSE :rank END, :step0, :step1) e"
#define QUICK_ROWS(by, stat, gid)                                                                            \
    "SELECT " gid                                                                                            \
    " AS gid, e.core AS core, e.calls AS calls, e.total_ns + 0.0 AS total, e.min_ns AS least, "              \
    "e.max_ns AS most, 'run' AS per, e.first_row AS ord, " QUICK_DELAYS " FROM " EXEC_SUMS(by, stat)

/* clang-format off */
#define DELAY_HELP "from the end of the host call to the start on the device; negative: it began before" \
    " the call ended"
#define DELAY_COLS \
    { "delay_avg_ns", "Delay", "g.delay / nullif(g.launched, 0)", VT_REAL, VU_NS, 7, 8, 7, true, \
        VC_HIDDEN | VC_TIME, \
        "mean time from launch to run: " DELAY_HELP }, \
    { "delay_min_ns", "Delay min", "g.delay_least", VT_REAL, VU_NS, 7, 8, 9, true, VC_HIDDEN | VC_TIME, \
        "shortest time from launch to run" }, \
    { "delay_max_ns", "Delay max", "g.delay_most", VT_REAL, VU_NS, 7, 8, 8, true, VC_HIDDEN | VC_TIME, \
        "longest time from launch to run" }
/* On the screen and in text where a row says step: what the other tables have is of the whole run. */
#define PER_COL(expr_, prio_) \
    { "per",       "Per",   expr_,      VT_TEXT, VU_NONE,   4,  4, prio_, false, VC_BASE, \
        "what calls and sums are of: run (all recorded steps), step (the source gives a mean step; AI CPU " \
        "beside it: those of the run by the number of steps)" }
#define GROUP_COLS(id_, title_, expr_, flags_, help_) GROUP_COLS_OF(id_, title_, expr_, flags_, help_, 0)
#define GROUP_COLS_OF(id_, title_, expr_, flags_, help_, core_flags) \
    { id_,         title_,  expr_,      VT_TEXT, VU_NONE,  12, 30, 0, false, VC_MAIN | VC_FLEX | (flags_), \
        help_ }, \
    { "core",      "Core",  "g.core",   VT_TEXT, VU_NONE,   5,  5, 3, false, core_flags, \
        "AIC cube or AI Core, AIV vector, MIX both, AICPU, HCCL communication" }, \
    { "total_ns",  "Time",  "g.total",  VT_REAL, VU_NS,     8,  9, 0, true,  VC_BAR, "sum of durations" }, \
    { "share_pct", "%",     SHARE,      VT_REAL, VU_PCT,    5,  5, 1, true,  0, \
        "share of all AI Core time; AI CPU and HCCL run in parallel and have none" }, \
    { "cum_pct",   "cum%",  CUM,        VT_REAL, VU_PCT,    5,  5, 4, false, VC_RUNNING, \
        "running share, largest first; of a filtered table that of its rows" }, \
    { "calls",     "Calls", "g.calls",  VT_INT,  VU_COUNT,  5,  6, 1, true,  0, "executions" }, \
    { "avg_ns",    "Avg",   "g.total / nullif(g.calls, 0)", VT_REAL, VU_NS, 7, 8, 2, true, 0, \
        "mean duration" }, \
    { "min_ns",    "Min",   "g.least",  VT_REAL, VU_NS,     7,  8, 6, true,  VC_HIDDEN, "shortest" }, \
    { "max_ns",    "Max",   "g.most",   VT_REAL, VU_NS,     7,  8, 5, true,  VC_HIDDEN, "longest" }, \
    PER_COL("g.per", 3), \
    DELAY_COLS

/* What Triage calls RUNNING: it has no end, and so no duration (parsers/prof/rows/rows_activity.c). */
#define RUN_OF "last_activity l WHERE l.rank = :rank AND l.kind = 'comm' AND l.state = 'running'"
static const struct view_col type_cols[] = {
    GROUP_COLS("type", "Type", "ifnull(" COLSET_TEXT("g.gid") ", '-')", 0, "op type"),
    { "running", "Running", "(SELECT nullif(count(*), 0) FROM op o CROSS JOIN op_exec e ON e.op_id = o.id "
        "WHERE o.name_id IN (SELECT l.name_id FROM " RUN_OF ") AND o.type_id = g.gid AND o.core IS g.core "
        "AND +e.rank = :rank AND e.dur_ns IS NULL AND " COLSET_STEPS("e.step") ")", VT_INT, VU_COUNT, 4, 7, 4,
        true, VC_IF_ANY, "executions that were begun and have no end: in no other column" },
};
#define TYPE_STAT_ROWS "SELECT type_id, core, calls, total_ns, min_ns, max_ns, per, rowid, " \
    NO_DELAYS " FROM op_stat " \
    "WHERE by = 'type' AND rank = :rank AND " USE_STAT("type")
const struct view_def view_ops_type = {
    .id = "ops.type", .title = "type", .pane = PANE_OPS,
    .from = "(" EXEC_ROWS("o.type_id", "") " AND NOT " USE_STAT("type") " GROUP BY o.type_id, o.core "
        "UNION ALL " TYPE_STAT_ROWS " UNION ALL " AICPU_ROWS ") g",
    .quick = "(" QUICK_ROWS("type", USE_STAT("type"), "e.gid") " UNION ALL " TYPE_STAT_ROWS " UNION ALL "
        AICPU_ROWS ") g",
    .group = "", .key = "", COLSET_COLS(type_cols), .sort = "total_ns", .unsplit = "SELECT " USE_STAT("type"),
        .empty = "ops", .open = "ops.op", .open_filter = "type={type}",
    .needs = "SELECT 1 FROM op_exec WHERE rank = :rank UNION ALL SELECT 1 FROM op_stat WHERE rank = :rank "
        "AND by = 'type' "
             "UNION ALL SELECT 1 FROM aicpu_exec WHERE rank = :rank LIMIT 1", .unit_of = "types",
};

#define AI_CORE(core) "ifnull(" core ", '') NOT IN ('HCCL', 'AICPU')"
static const struct view_col op_cols[] = {
    { "op_name",   "Op", COLSET_TEXT("g.name_id"), VT_TEXT, VU_NONE, 14, 34, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "full name of the op" },
    { "type",      "Type",  COLSET_TEXT("g.type_id"), VT_TEXT, VU_NONE, 6, 16, 2, false, 0, "op type" },
    { "core",      "Core",  "g.core",   VT_TEXT, VU_NONE,   5,  5, 6, false, 0, "core" },
    { "avg_ns",    "Avg",   "g.avg",    VT_REAL, VU_NS,     7,  8, 0, true,  0,
        "mean duration of an execution" },
    { "calls",     "Calls", "g.calls",  VT_INT,  VU_COUNT,  5,  5, 3, true,  0, "executions" },
    { "total_ns",  "Total", "g.total",  VT_REAL, VU_NS,     8,  9, 1, true,  0, "sum of durations" },
    { "min_ns",    "Min",   "g.least",  VT_REAL, VU_NS,     7,  8, 7, true,  VC_HIDDEN, "shortest" },
    { "max_ns",    "Max",   "g.most",   VT_REAL, VU_NS,     7,  8, 6, true,  VC_HIDDEN, "longest" },
    { "share_pct", "%",     "CASE WHEN " AI_CORE("g.core") " THEN 100.0 * g.total / nullif(g.whole, 0) END",
        VT_REAL, VU_PCT, 5, 5, 5, true, 0, "share of all AI Core time" },
    { "block_num", "Block", "g.block_num", VT_INT, VU_COUNT, 5, 5, 5, true,  0, "blocks (cores) it runs on" },
    { "mflops",    "MFLOPs", "g.flops / 1e6", VT_REAL, VU_MFLOPS, 6, 8, 6, true, VC_HIDDEN,
        "floating point operations of one execution, in millions" },
    { "tflops_per_s", "TFLOPS", "g.flops / nullif(g.avg, 0) / 1000", VT_REAL, VU_TFLOPS_S, 6, 6, 4, true, 0,
        "rate of operations" },
    { "util_pct",  "Util",  "100.0 * g.util", VT_REAL, VU_PCT, 5, 5, 4, true, 0,
        "share of the device's peak" },
    { "in_shapes", "In shape", COLSET_TEXT("g.in_shapes_id"), VT_TEXT, VU_NONE, 8, 22, 7, false, 0,
        "shapes of the inputs" },
    { "in_types",  "In types", COLSET_TEXT("g.in_types_id"), VT_TEXT, VU_NONE, 6, 14, 8, false, VC_HIDDEN,
        "data types of the inputs" },
    { "in_formats", "In formats", COLSET_TEXT("g.in_formats_id"), VT_TEXT, VU_NONE, 6, 12, 9, false,
        VC_HIDDEN, "formats of the inputs" },
    { "out_shapes", "Out shape", COLSET_TEXT("g.out_shapes_id"), VT_TEXT, VU_NONE, 8, 18, 9, false, VC_HIDDEN,
        "shapes of the outputs" },
    { "out_types", "Out types", COLSET_TEXT("g.out_types_id"), VT_TEXT, VU_NONE, 6, 10, 9, false, VC_HIDDEN,
        "data types of the outputs" },
    { "out_formats", "Out formats", COLSET_TEXT("g.out_formats_id"), VT_TEXT, VU_NONE, 6, 12, 9, false,
        VC_HIDDEN, "formats of the outputs" },
    DELAY_COLS,
    { "op_id",     "Id",    "g.op_id",  VT_INT,  VU_NONE,   4,  6, 9, false, VC_HIDDEN | VC_LEFT,
        "number of the op in table op" },
    { "first_ns",  "First", "g.first",  VT_INT,  VU_TS,     8, 10, 9, false, VC_HIDDEN,
        "start of its first execution" },
    PER_COL("g.per", 2),
};
#define OP_FIELDS "o.name_id AS name_id, o.type_id AS type_id, o.core AS core, o.block_num AS block_num, " \
    "o.in_shapes_id, o.in_types_id, o.in_formats_id, o.out_shapes_id, o.out_types_id, o.out_formats_id, " \
    "o.id AS op_id"
#define FLOPS_OF(op) "(SELECT avg(ifnull(f.cube_flops, 0) + ifnull(f.vector_flops, 0)) FROM op_flops f " \
    "WHERE f.op_id = " op " AND f.rank = :rank)"
#define UTIL_OF(op) "(SELECT avg(f.utilisation) FROM op_flops f WHERE f.op_id = " op " AND f.rank = :rank)"
/*
 * The whole of shares: the time of all but HCCL and AI CPU. It is a total in each row, not a window over the
 * rows, so that 10^6 ops need not be sorted.
 */
#define OP_WHOLE "(SELECT sum(w.dur_ns) + 0.0 FROM op_exec w JOIN op v ON v.id = w.op_id " \
    "WHERE w.rank = :rank AND w.dur_ns IS NOT NULL AND " COLSET_STEPS("w.step") " AND " AI_CORE("v.core") \
    ")"
#define OP_STAT_ROWS "SELECT s.name_id, ifnull(s.type_id, o.type_id), ifnull(s.core, o.core), o.block_num, " \
    "o.in_shapes_id, o.in_types_id, o.in_formats_id, o.out_shapes_id, o.out_types_id, " \
    "o.out_formats_id, o.id, s.calls, s.total_ns, s.avg_ns, s.min_ns, s.max_ns, NULL, " FLOPS_OF("o.id") \
    ", " UTIL_OF("o.id") ", " \
    "sum(s.total_ns) OVER (PARTITION BY CASE WHEN ifnull(s.core, o.core) IN ('HCCL', 'AICPU') THEN " \
    "ifnull(s.core, o.core) ELSE '' END), s.per, " NO_DELAYS \
    " FROM op_stat s LEFT JOIN op o ON o.id = (SELECT id FROM op x WHERE x.name_id = s.name_id " \
    "ORDER BY x.type_id IS NULL, x.id LIMIT 1) " \
    "WHERE s.by = 'op' AND s.rank = :rank AND " USE_STAT("op")
const struct view_def view_ops_op = {
    .id = "ops.op", .title = "single op", .pane = PANE_OPS,
    .from = "(SELECT " OP_FIELDS ", count(*) AS calls, sum(e.dur_ns) + 0.0 AS total, avg(e.dur_ns) AS avg, "
        "min(e.dur_ns) AS least, max(e.dur_ns) AS most, min(e.ts_ns) AS first, "
            FLOPS_OF("o.id") " AS flops, " UTIL_OF("o.id") " AS util, " OP_WHOLE " AS whole, "
            "'run' AS per, " DELAYS " FROM op_exec e JOIN op o ON o.id = e.op_id " JOIN_LAUNCH
            "WHERE e.rank = :rank AND e.dur_ns IS NOT NULL AND " COLSET_STEPS("e.step")
            " AND NOT " USE_STAT("op") " GROUP BY o.id UNION ALL " OP_STAT_ROWS ") g",
    .quick = "(SELECT " OP_FIELDS ", e.calls AS calls, e.total_ns + 0.0 AS total, e.total_ns * 1.0 / e.calls "
        "AS avg, e.min_ns AS least, e.max_ns AS most, e.first_ns AS first, "
             "f.flops AS flops, f.util AS util, e.ai_core_ns AS whole, 'run' AS per, " QUICK_DELAYS
             " FROM " EXEC_SUMS("op", USE_STAT("op"))
             " CROSS JOIN op o ON o.id = e.gid "
             "LEFT JOIN (SELECT op_id, avg(ifnull(cube_flops, 0) + ifnull(vector_flops, 0)) AS flops, "
             "avg(utilisation) AS util FROM op_flops WHERE rank = :rank GROUP BY op_id) f ON f.op_id = o.id "
             "UNION ALL " OP_STAT_ROWS ") g",
    .group = "", .key = "", COLSET_COLS(op_cols), .sort = "total_ns", .sort_else = "avg_ns",
        .unsplit = "SELECT " USE_STAT("op"),
        .empty = "ops", .open = "ops.exec", .open_filter = "op_id={op_id}",
    .needs = "SELECT 1 FROM op_exec WHERE rank = :rank UNION ALL SELECT 1 FROM op_stat WHERE rank = :rank "
        "AND by = 'op' LIMIT 1", .ts_col = "first_ns", .dur_col = "avg_ns", .unit_of = "ops",
};

/* Here and below each has a row for each of its cores, which are counted as rows. */
static const struct view_col scope_cols[] = {
    GROUP_COLS("scope", "Scope", "ifnull(" COLSET_TEXT("g.gid") ", '-')", VC_PATH,
    "name without its last part"),
};
const struct view_def view_ops_scope = {
    .id = "ops.scope", .title = "scope", .pane = PANE_OPS, .from = "(" EXEC_ROWS("o.scope_id", "")
        " GROUP BY o.scope_id, o.core) g",
    .quick = "(" QUICK_ROWS("scope", NO_STAT, "e.gid") ") g", .group = "", .key = "",
    COLSET_COLS(scope_cols), .sort = "total_ns", .empty = "ops",
    .needs = "SELECT 1 FROM op_exec WHERE rank = :rank AND EXISTS (SELECT 1 FROM op WHERE scope_id IS NOT "
        "NULL) LIMIT 1", .unit_of = "rows",
};

static const struct view_col shape_cols[] = {
    GROUP_COLS("type", "Type", "ifnull(" COLSET_TEXT("g.gid") ", '-')", 0, "op type"),
    { "in_shapes", "In shape", COLSET_TEXT("g.shape"), VT_TEXT, VU_NONE, 22, 40, 0, false, VC_FLEX,
        "shapes of the inputs" },
};
const struct view_def view_ops_shape = {
    .id = "ops.shape", .title = "type and shape", .pane = PANE_OPS,
    .from = "(SELECT o.type_id AS gid, o.in_shapes_id AS shape, o.core AS core, count(*) AS calls, "
        "sum(e.dur_ns) + 0.0 AS total, min(e.dur_ns) AS least, max(e.dur_ns) AS most, "
            "'run' AS per, min(e.rowid) AS ord, " DELAYS " FROM op_exec e LEFT JOIN op o ON o.id = e.op_id "
            JOIN_LAUNCH "WHERE e.rank = :rank AND e.dur_ns IS NOT NULL AND " COLSET_STEPS("e.step")
            " GROUP BY o.type_id, o.in_shapes_id, o.core) g",
    .quick = "(SELECT e.gid AS gid, e.shape AS shape, e.core AS core, e.calls AS calls, e.total_ns + 0.0 AS "
        "total, e.min_ns AS least, e.max_ns AS most, 'run' AS per, e.first_row AS ord, " QUICK_DELAYS " FROM "
             EXEC_SUMS("shape", NO_STAT) ") g",
    .group = "", .key = "", COLSET_COLS(shape_cols), .sort = "total_ns", .empty = "ops",
    .needs = COLSET_ANY("op_exec"), .unit_of = "types and shapes",
};

static const struct view_col core_cols[] = {
    GROUP_COLS_OF("core_name", "Core", "ifnull(g.gid, '-')", 0, "core", VC_HIDDEN), /* for the bars' colour */
};
const struct view_def view_ops_core = {
    .id = "ops.core", .title = "core", .pane = PANE_OPS, .from = "(" EXEC_ROWS("o.core", "")
        " GROUP BY o.core) g",
    .quick = "(" QUICK_ROWS("core", NO_STAT, "e.core") ") g", .group = "", .key = "", COLSET_COLS(core_cols),
        .sort = "total_ns", .empty = "ops",
    .needs = "SELECT 1 FROM op_exec WHERE rank = :rank AND EXISTS (SELECT 1 FROM op WHERE core IS NOT "
        "NULL) LIMIT 1", .unit_of = "cores",
};

static const struct view_col stream_cols[] = {
    GROUP_COLS("stream", "Stream", "ifnull(CAST(g.gid AS TEXT), '-')", 0,
    "stream of the device; '-': communication without one"),
};
const struct view_def view_ops_stream = {
    .id = "ops.stream", .title = "stream", .pane = PANE_OPS, .from = "(" EXEC_ROWS("e.stream", "")
        " GROUP BY e.stream, o.core) g",
    .quick = "(" QUICK_ROWS("stream", NO_STAT, "e.gid") ") g", .group = "", .key = "",
        COLSET_COLS(stream_cols), .sort = "total_ns", .empty = "ops", .needs = COLSET_ANY("op_exec"),
        .unit_of = "rows",
};

/*
 * By what the framework op that launched them says of itself (table exec_host): of analysed runs the timeline
 * has it.
 */
#define JOIN_HOST "LEFT JOIN exec_host x ON x.exec_id = e.id"
#define HAS_HOST(col) "SELECT 1 FROM exec_host WHERE rank = :rank AND " col " IS NOT NULL LIMIT 1"
static const struct view_col module_cols[] = {
    GROUP_COLS("module", "Module", "ifnull(" COLSET_TEXT("g.gid") ", '-')", VC_PATH | VC_TIME,
    "module of the framework op that launched them, outer modules first; '-': none is known"),
};
const struct view_def view_ops_module = {
    .id = "ops.module", .title = "module", .pane = PANE_OPS, .from = "(" EXEC_ROWS("x.module_id", JOIN_HOST)
        " GROUP BY x.module_id, o.core) g",
    .group = "", .key = "", COLSET_COLS(module_cols), .sort = "total_ns", .empty = "ops",
        .open = "ops.launched",
        .open_filter = "module={module} core={core}", .needs = HAS_HOST("module_id"), .unit_of = "rows",
};
static const struct view_col code_cols[] = {
    GROUP_COLS("code", "Code", "ifnull(" COLSET_TEXT("g.gid") ", '-')", VC_TIME,
    "call stack of the framework op that launched them, the innermost function first; '-': none is known"),
};
const struct view_def view_ops_code = {
    .id = "ops.code", .title = "code", .pane = PANE_OPS, .from = "(" EXEC_ROWS("x.stack_id", JOIN_HOST)
        " GROUP BY x.stack_id, o.core) g",
    .group = "", .key = "", COLSET_COLS(code_cols), .sort = "total_ns", .empty = "ops",
        .open = "ops.launched",
        .open_filter = "code={code} core={core}", .needs = HAS_HOST("stack_id"), .unit_of = "rows",
};

static const struct view_col exec_cols[] = {
    { "op_name",  "Op", COLSET_TEXT("o.name_id"), VT_TEXT, VU_NONE, 14, 34, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "full name of the op" },
    { "type",     "Type",   COLSET_TEXT("o.type_id"), VT_TEXT, VU_NONE, 6, 16, 3, false, 0, "op type" },
    { "core",     "Core",   "o.core",    VT_TEXT, VU_NONE,  5,  5, 5, false, 0, "core" },
    { "step",     "Step",   "e.step",    VT_INT,  VU_NONE,  4,  5, 2, false, 0, "step" },
    { "stream",   "Stream", "e.stream",  VT_INT,  VU_NONE,  6,  6, 4, false, 0, "stream" },
    { "task",     "Task",   "e.task",    VT_INT,  VU_NONE,  5,  7, 6, false, VC_HIDDEN, "task id" },
    { "ts_ns",    "Start",  "e.ts_ns",   VT_INT,  VU_TS,    8, 11, 1, false, 0, "start" },
    { "dur_ns",   "Duration", "e.dur_ns", VT_INT, VU_NS,    8,  8, 0, true,  0, "duration" },
    { "state",    "State",  "CASE WHEN e.dur_ns IS NULL AND (SELECT p.name_id FROM op p WHERE p.id = "
        "e.op_id) IN (SELECT l.name_id FROM " RUN_OF ") THEN 'RUNNING' END", VT_TEXT, VU_NONE, 7, 7, 1, false,
        VC_HIDDEN, "RUNNING: it has no end, and is in no sum or mean" },
    { "wait_ns",  "Wait",   "e.wait_ns", VT_INT,  VU_NS,    7,  8, 3, true,  0, "gap before it" },
    { "delay_ns", "Delay",  "(SELECT l.delay_ns FROM op_launch l WHERE l.exec_id = e.id)", VT_INT, VU_NS, 7,
        8, 7, true, VC_TIME, "time from launch to run: " DELAY_HELP },
    { "block_num", "Block", "o.block_num", VT_INT, VU_COUNT, 5, 5, 6, true,  0, "blocks (cores) it runs on" },
    { "in_shapes", "In shape", COLSET_TEXT("o.in_shapes_id"), VT_TEXT, VU_NONE, 8, 22, 7, false, VC_HIDDEN,
        "shapes of the inputs" },
    { "op_id",    "Id",     "e.op_id",   VT_INT,  VU_NONE,  4,  6, 9, false, VC_HIDDEN | VC_LEFT,
        "number of the op in table op" },
    { "exec_id",  "Exec",   "e.id",      VT_INT,  VU_NONE,  4,  7, 9, false, VC_HIDDEN | VC_LEFT,
        "number of the execution in table op_exec" },
    { "path",     "File",   COLSET_FILE("e.source_id"), VT_TEXT, VU_NONE, 8, 20, 9, false, VC_HIDDEN,
        "file it comes from" },
    { "line",     "Line",   "e.line",    VT_INT,  VU_NONE,  4,  7, 9, false, VC_HIDDEN, "line there" },
    COLSET_MARKS("e"),
};
const struct view_def view_ops_exec = {
    .id = "ops.exec", .title = "executions", .pane = PANE_OPS, .from = "op_exec e", .dim = "op o",
        .dim_id = "o.id", .dim_ref = "e.op_id", .where = "e.rank = :rank", .step = "e.step",
    .key = "e.id", COLSET_COLS(exec_cols), .empty = "ops", .needs = COLSET_ANY("op_exec"),
    .ts_col = "ts_ns", .dur_col = "dur_ns", .unit_of = "executions",
};

#define OF_HOST(col) \
    "ifnull((SELECT " COLSET_TEXT("x." col) " FROM exec_host x WHERE x.exec_id = e.id), '-')"
static const struct view_col launched_cols[] = {
    { "op_name",  "Op", COLSET_TEXT("o.name_id"), VT_TEXT, VU_NONE, 12, 24, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH | VC_TIME, "full name of the op" },
    { "type",     "Type",   COLSET_TEXT("o.type_id"), VT_TEXT, VU_NONE, 6, 14, 5, false, VC_HIDDEN,
        "op type" },
    { "core",     "Core",   "o.core",    VT_TEXT, VU_NONE,  5,  5, 5, false, VC_HIDDEN, "core" },
    { "step",     "Step",   "e.step",    VT_INT,  VU_NONE,  4,  5, 4, false, 0, "step" },
    { "dur_ns",   "Duration", "e.dur_ns", VT_INT, VU_NS,    8,  8, 0, true,  0, "duration" },
    { "module",   "Module", OF_HOST("module_id"), VT_TEXT, VU_NONE, 10, 26, 1, false, VC_PATH,
        "module of the framework op that launched it, outer modules first" },
    { "code",     "Code",   OF_HOST("stack_id"), VT_TEXT, VU_NONE, 10, 30, 2, false, 0,
        "call stack of that op, the innermost function first" },
    { "host_op",  "Framework op", OF_HOST("name_id"), VT_TEXT, VU_NONE, 12, 24, 3, false, VC_PATH,
        "the framework op that launched it" },
    { "ts_ns",    "Start",  "e.ts_ns",   VT_INT,  VU_TS,    8, 11, 6, false, VC_HIDDEN, "start" },
    { "exec_id",  "Exec",   "e.id",      VT_INT,  VU_NONE,  4,  7, 9, false, VC_HIDDEN | VC_LEFT,
        "number of the execution in table op_exec" },
};
const struct view_def view_ops_launched = {
    .id = "ops.launched", .title = "what launched them", .pane = PANE_OPS, .from = "op_exec e",
        .dim = "op o", .dim_id = "o.id", .dim_ref = "e.op_id", .where = "e.rank = :rank", .step = "e.step",
    .key = "e.id", COLSET_COLS(launched_cols), .empty = "ops", .needs = COLSET_ANY("exec_host"),
    .ts_col = "ts_ns", .dur_col = "dur_ns", .unit_of = "executions",
};

static const struct view_col stat_cols[] = {
    { "name",      "Name",  "ifnull(" COLSET_TEXT("s.name_id") ", " COLSET_TEXT("s.type_id") ")", VT_TEXT,
        VU_NONE, 12, 34, 0, false, VC_MAIN | VC_FLEX | VC_PATH, "op or op type" },
    { "by",        "By",    "s.by",       VT_TEXT, VU_NONE,  4,  6, 3, false, 0, "what a row stands for" },
    { "in_shapes", "In shape", COLSET_TEXT("s.in_shapes_id"), VT_TEXT, VU_NONE, 8, 22, 5, false, 0,
        "shapes of the inputs, of rows by shape" },
    { "core",      "Core",  "s.core",     VT_TEXT, VU_NONE,  5,  5, 4, false, 0, "core" },
    { "calls",     "Calls", "s.calls",    VT_INT,  VU_COUNT, 5,  6, 1, true,  0, "executions" },
    { "total_ns",  "Total", "s.total_ns", VT_REAL, VU_NS,    8,  9, 0, true,  VC_BAR, "sum of times" },
    { "avg_ns",    "Avg",   "s.avg_ns",   VT_REAL, VU_NS,    7,  8, 1, true,  0, "mean" },
    { "min_ns",    "Min",   "s.min_ns",   VT_REAL, VU_NS,    7,  8, 5, true,  0, "shortest" },
    { "max_ns",    "Max",   "s.max_ns",   VT_REAL, VU_NS,    7,  8, 5, true,  0, "longest" },
    { "share_pct", "%",     "100.0 * s.share", VT_REAL, VU_PCT, 5, 6, 2, true, 0,
        "share as the source gives it" },
    PER_COL("s.per", 1),
    { "path",      "File",  COLSET_FILE("s.source_id"), VT_TEXT, VU_NONE, 8, 24, 6, false, VC_HIDDEN,
        "file it comes from" },
    { "line",      "Line",  "s.line",     VT_INT,  VU_NONE,  4,  6, 7, false, VC_HIDDEN, "line there" },
};
const struct view_def view_ops_stat = {
    .id = "ops.stat", .title = "profiler's own sums", .pane = PANE_OPS, .from = "op_stat s",
        .where = "s.rank = :rank", .key = "s.rowid", COLSET_COLS(stat_cols), .sort = "total_ns",
        .empty = "ops", .needs = COLSET_ANY("op_stat"), .unit_of = "rows",
};

/* Tasks by op; those that no op is known of by stream. */
static const struct view_col cache_cols[] = {
    { "op_name", "Op", "ifnull(" COLSET_TEXT("c.name_id") ", 'stream ' || c.stream)", VT_TEXT, VU_NONE, 12,
        34, 0, false, VC_MAIN | VC_FLEX | VC_PATH, "op; its stream where the tasks have no names" },
    { "tasks",   "Tasks", "count(*)", VT_INT, VU_COUNT, 5, 6, 1, true, 0, "tasks" },
    { "l2_hit_pct", "L2 hit", "100.0 * avg(c.l2_hit)", VT_REAL, VU_PCT, 6, 6, 0, true, 0,
        "mean hit rate of the L2 cache" },
    { "l2_victim_pct", "L2 victim", "100.0 * avg(c.l2_victim)", VT_REAL, VU_PCT, 6, 9, 0, true, VC_BAR,
        "mean rate of lines that the L2 cache gave up" },
    { "tlb_hit_pct", "TLB hit", "100.0 * avg(c.tlb_hit)", VT_REAL, VU_PCT, 6, 7, 0, true, 0,
        "mean hit rate of the TLB" },
    { "tlb_miss_pct", "TLB miss", "100.0 * avg(c.tlb_miss)", VT_REAL, VU_PCT, 6, 8, 2, true, 0,
        "mean miss rate of the TLB" },
    { "page_faults", "Page faults", "sum(c.page_faults)", VT_INT, VU_COUNT, 6, 11, 1, true, 0,
        "page faults of all of them" },
};
const struct view_def view_ops_cache = {
    .id = "ops.cache", .title = "cache", .pane = PANE_OPS, .from = "task_cache c", .where = "c.rank = :rank",
        .group = "c.name_id, CASE WHEN c.name_id IS NULL THEN c.stream END", .key = "",
        COLSET_COLS(cache_cols), .sort = "l2_victim_pct", .empty = "ops", .needs = COLSET_ANY("task_cache"),
        .unit_of = "ops",
};

#define SIZE(id, title, prio, help) { id "_b", title, "f." id "_b", VT_INT, VU_BYTES, 8, 9, prio, true, 0, \
    help }
static const struct view_col fusion_cols[] = {
    { "op_name",   "Op",    COLSET_TEXT("f.op_name_id"), VT_TEXT, VU_NONE, 12, 28, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "fused op" },
    { "originals", "Made of", COLSET_TEXT("f.original_id"), VT_TEXT, VU_NONE, 12, 28, 0, false, 0,
        "ops it was made of" },
    SIZE("total", "Total", 0, "memory: all of it"),
    SIZE("input", "Input", 1, "memory of inputs"),
    SIZE("output", "Output", 1, "memory of outputs"),
    SIZE("weight", "Weight", 2, "memory of weights"),
    SIZE("workspace", "Workspace", 2, "workspace"),
    { "model_id",  "Model", "f.model_id", VT_INT, VU_NONE, 5, 5, 6, false, VC_HIDDEN, "model" },
};
#undef SIZE
const struct view_def view_ops_fusion = {
    .id = "ops.fusion", .title = "fused ops", .pane = PANE_OPS, .from = "fusion f",
        .where = "f.rank = :rank", .key = "f.rowid", COLSET_COLS(fusion_cols), .sort = "total_b",
        .empty = "ops", .needs = COLSET_ANY("fusion"), .unit_of = "fused ops",
};
/* clang-format on */
