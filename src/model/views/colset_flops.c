/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the FLOPs pane. */
#include "config.h"

#include "model/views/colset.h"

/* FLOPs of one row of op_flops, both units together. */
#define FLOPS "(ifnull(f.cube_flops, 0) + ifnull(f.vector_flops, 0))"
/* Their rates, NULL when neither is given. */
#define FLOPS_S                                                                                              \
    "CASE WHEN f.flops_per_s IS NULL THEN f.vector_flops_per_s ELSE f.flops_per_s + "                        \
    "ifnull(f.vector_flops_per_s, 0) END"
/*
 * One op with its FLOPs and mean time: the mean over its executions, else the mean in an analysed file.
 * Without a rate in the file RATE comes from these. CROSS JOIN: each row of f finds its op; the other way
 * round each op would go through all rows of f.
 */
#define OP_ROWS                                                                                              \
    "(SELECT o.id AS op_id, o.name_id AS name_id, o.type_id AS type_id, o.scope_id AS scope_id, "            \
    "o.core AS core, o.in_shapes_id, o.in_types_id, o.out_shapes_id, o.out_types_id, "                       \
    "avg(" FLOPS ") AS flops, avg(f.cube_flops) AS cube, avg(f.vector_flops) AS vector, "                    \
    "avg(" FLOPS_S ") AS rate, avg(f.utilisation) AS util, ifnull(m.avg_ns, s.avg_ns) AS avg, "              \
    "count(*) AS n FROM op_flops f LEFT JOIN op_exec x ON x.id = f.exec_id CROSS JOIN op o ON o.id = "       \
    "ifnull(f.op_id, x.op_id) LEFT JOIN (SELECT op_id, avg(dur_ns) AS avg_ns FROM op_exec WHERE "            \
    "rank = :rank GROUP BY op_id) m ON m.op_id = o.id LEFT JOIN (SELECT name_id, avg(avg_ns) AS "            \
    "avg_ns FROM op_stat WHERE by = 'op' AND rank = :rank GROUP BY name_id) s ON s.name_id = "               \
    "o.name_id WHERE f.rank = :rank GROUP BY o.id)"
#define RATE "ifnull(g.rate, g.flops / nullif(g.avg, 0) * 1e9)"

/* clang-format off */
static const struct view_col op_cols[] = {
    { "op_name",  "Op", COLSET_TEXT("g.name_id"), VT_TEXT, VU_NONE, 14, 36, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "full name of the op" },
    { "type",     "Type",   COLSET_TEXT("g.type_id"), VT_TEXT, VU_NONE, 6, 16, 2, false, 0, "op type" },
    { "mflops",   "MFLOPs", "g.flops / 1e6", VT_REAL, VU_MFLOPS, 7, 9, 0, true, 0,
        "floating point operations of one execution, in millions" },
    { "tflops_per_s", "TFLOPS", RATE " / 1e12", VT_REAL, VU_TFLOPS_S, 6, 7, 1, true, 0,
        "rate of operations" },
    { "util_pct", "Util%",  "100.0 * g.util", VT_REAL, VU_PCT, 5, 6, 0, true, VC_BAR,
        "share of the device's peak" },
    { "avg_ns",   "Avg",    "g.avg", VT_REAL, VU_NS, 7, 8, 3, true, 0, "mean duration" },
    { "lost_ns",  "Lost",   "g.avg * (1 - g.util)", VT_REAL, VU_NS, 7, 8, 4, true, 0,
        "time x (1 - use of the core)" },
    { "cube_mflops", "Cube", "g.cube / 1e6", VT_REAL, VU_MFLOPS, 7, 9, 6, true, VC_HIDDEN,
        "operations of the cube unit, in millions" },
    { "vector_mflops", "Vector", "g.vector / 1e6", VT_REAL, VU_MFLOPS, 7, 9, 6, true, VC_HIDDEN,
        "operations of the vector unit, in millions" },
    { "share_pct", "%",     "100.0 * g.flops / nullif(sum(g.flops) OVER (), 0)", VT_REAL, VU_PCT, 5, 5, 5,
        true, VC_HIDDEN, "share of all FLOPs" },
    { "core",     "Core",   "g.core", VT_TEXT, VU_NONE, 4, 5, 8, false, VC_HIDDEN, "core" },
    { "in_shapes", "In shape", COLSET_TEXT("g.in_shapes_id"), VT_TEXT, VU_NONE, 8, 22, 8, false, VC_HIDDEN,
        "shapes of the inputs" },
    { "in_types", "In types", COLSET_TEXT("g.in_types_id"), VT_TEXT, VU_NONE, 6, 14, 9, false, VC_HIDDEN,
        "data types of the inputs" },
    { "out_shapes", "Out shape", COLSET_TEXT("g.out_shapes_id"), VT_TEXT, VU_NONE, 8, 18, 9, false, VC_HIDDEN,
        "shapes of the outputs" },
    { "out_types", "Out types", COLSET_TEXT("g.out_types_id"), VT_TEXT, VU_NONE, 6, 10, 9, false, VC_HIDDEN,
        "data types of the outputs" },
    { "op_id",    "Id",     "g.op_id", VT_INT, VU_NONE, 4, 6, 9, false, VC_HIDDEN | VC_LEFT,
        "number of the op in table op" },
};
const struct view_def view_flops_op = {
    .id = "flops.op", .title = "op", .pane = PANE_FLOPS, .from = OP_ROWS " g", .group = "", .key = "",
        COLSET_COLS(op_cols), .sort = "mflops",
    .empty = "flops", .needs = COLSET_ANY("op_flops"), .open = "ops.exec", .open_filter = "op_id={op_id}",
        .unit_of = "ops",
};

#define SUM_COLS(id_, title_, expr_, flags_, help_) \
    { id_, title_, expr_, VT_TEXT, VU_NONE, 12, 36, 0, false, VC_MAIN | VC_FLEX | (flags_), help_ }, \
    { "mflops",    "MFLOPs", "sum(g.flops) / 1e6", VT_REAL, VU_MFLOPS, 8, 10, 0, true, 0, \
        "floating point operations, one execution of each op, in millions" }, \
    { "share_pct", "%",      "100.0 * sum(g.flops) / nullif(sum(sum(g.flops)) OVER (), 0)", VT_REAL, VU_PCT, \
        5, 5, 1, true, VC_BAR, "share of all FLOPs" }, \
    { "tflops_per_s", "TFLOPS", "sum(g.flops) / nullif(sum(g.avg), 0) / 1000", VT_REAL, VU_TFLOPS_S, 6, 7, \
        2, true, 0, "operations over the time of these ops" }, \
    { "util_pct",  "Util%",  "100.0 * ifnull(sum(g.util * g.avg) / nullif(sum(g.avg) FILTER (WHERE g.util " \
        "IS NOT NULL OR g.flops = 0), 0), avg(g.util))", VT_REAL, VU_PCT, 5, 6, 2, true, 0, \
        "share of the device's peak over the time of these ops" }, \
    { "operators", "Ops",    "count(*)", VT_INT, VU_COUNT, 4, 5, 3, true, 0, "ops with FLOPs" }

static const struct view_col scope_cols[] = {
    SUM_COLS("scope", "Scope", "ifnull(" COLSET_TEXT("g.scope_id") ", '-')", VC_PATH,
    "name without its last part"),
};
const struct view_def view_flops_scope = {
    .id = "flops.scope", .title = "scope", .pane = PANE_FLOPS, .from = OP_ROWS " g", .group = "g.scope_id",
        .key = "", COLSET_COLS(scope_cols),
    .sort = "mflops", .empty = "flops",
    .needs = "SELECT 1 FROM op_flops WHERE rank = :rank AND EXISTS (SELECT 1 FROM op WHERE scope_id IS NOT "
        "NULL) LIMIT 1", .unit_of = "scopes",
};
static const struct view_col type_cols[] = {
    SUM_COLS("type", "Type", "ifnull(" COLSET_TEXT("g.type_id") ", '-')", 0, "op type"),
};
const struct view_def view_flops_type = {
    .id = "flops.type", .title = "type", .pane = PANE_FLOPS, .from = OP_ROWS " g", .group = "g.type_id",
        .key = "", COLSET_COLS(type_cols),
    .sort = "mflops", .empty = "flops", .needs = COLSET_ANY("op_flops"), .open = "flops.op",
        .open_filter = "type={type}", .unit_of = "types",
};
/* A row of the scope file is a link "scope:OUTER>INNER": the figure is the inner one's. */
#define IS_LINK "t.kind LIKE 'scope:%>%'"
#define LINK    "instr(t.kind, '>')"
/* Made of raw data by import/derived/flops.c. */
#define IS_OURS "(SELECT kind FROM source WHERE id = t.source_id) IS 'raw_aicore'"
static const struct view_col total_cols[] = {
    { "kind",     "Figure", "CASE WHEN " IS_LINK " THEN substr(t.kind, " LINK " + 1) ELSE t.kind END",
        VT_TEXT, VU_NONE, 6, 12, 0, false, VC_MAIN | VC_FLEX,
        "all, cube, vector, or a scope of MindSpore's scope file" },
    { "inside",   "Inside", "CASE WHEN " IS_LINK " THEN substr(t.kind, 7, " LINK " - 7) END", VT_TEXT,
        VU_NONE, 8, 24, 3, false, 0, "the scope around it; Total: none" },
    { "step",     "Step",   "t.step", VT_INT, VU_NONE, 4, 4, 0, false, 0, "step; empty: the run" },
    { "mflops",   "MFLOPs", "t.flops / 1e6", VT_REAL, VU_MFLOPS, 8, 8, 0, true, 0,
        "operations in millions" },
    /* ours would be a mean over ops beside a use over steps: neither follows from the other */
    { "tflops_per_s", "TFLOPS",
        "CASE WHEN t.step IS NULL AND " IS_OURS " THEN NULL ELSE t.flops_per_s / 1e12 END",
        VT_REAL, VU_TFLOPS_S, 6, 6, 0, true, 0,
        "rate as the source gives it; of raw data the run has none, because MindSpore's is a mean over ops" },
    { "rate_over", "Rate over", "CASE WHEN t.flops_per_s IS NOT NULL AND t.step IS NULL AND NOT " IS_OURS
        " THEN 'ops' END",
        VT_TEXT, VU_NONE, 4, 9, 0, false, VC_SAID,
        "what the rate is a mean over: in MindSpore's figure of the run each op counts once, however long it "
        "takes" },
    { "util_pct", "Util%",  "100.0 * t.utilisation", VT_REAL, VU_PCT, 5, 6, 0, true, VC_BAR,
        "use as the source gives it" },
    /* doc/formats/mindspore1.md#flops_summary; up to r1.4 the use is a mean over ops, and steps have none */
    { "util_over", "Util over", "CASE WHEN t.utilisation IS NULL THEN NULL WHEN t.step IS NOT NULL THEN "
        "'fwd+bwd' WHEN EXISTS (SELECT 1 FROM flops_total s WHERE s.rank = t.rank AND s.step IS NOT NULL) "
        "THEN 'steps' END", VT_TEXT, VU_NONE, 7, 9, 0, false, VC_SAID,
        "what the use is of: of a step its forward and backward part, of the run a mean over the steps, so "
        "that it does not follow from the rate; empty: the files do not say" },
    { "made_by",   "Made by", "CASE WHEN " IS_OURS " THEN 'npuscope' ELSE 'profiler' END",
        VT_TEXT, VU_NONE, 8, 9, 2, false, 0,
        "profiler: of its analysed files; npuscope: of raw data, as MindSpore's analysis does" },
};
const struct view_def view_flops_total = {
    .id = "flops.total", .title = "sums by the profiler's rules", .pane = PANE_FLOPS, .from = "flops_total t",
        .where = "t.rank = :rank", .key = "t.rowid", COLSET_COLS(total_cols), .empty = "flops",
        .needs = COLSET_ANY("flops_total"), .unit_of = "figures",
};
/* clang-format on */
