/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Memory pane. */
#include "config.h"

#include "model/timeline/curves.h"
#include "model/views/colset.h"

/* clang-format off */
/*
 * What is alive at one moment: a place on the axis of the curve (curves.h), which is a node of a static
 * graph, an instant, or an entry of a trace without times. Where none was chosen it is the one with the most.
 */
#define OF_RANK(table) " FROM " table " WHERE rank = :rank AND "
#define MOST_NODE  "(SELECT node" OF_RANK("mem_node") "ifnull(graph_id, 0) = " CURVES_GRAPH_SQL \
    " ORDER BY used_b DESC, node LIMIT 1)"
#define MOST_TIME  "(SELECT ts_ns" OF_RANK("mem_sample") "component_id = " CURVES_POOL_SQL \
    " AND ts_ns IS NOT NULL ORDER BY ifnull(allocated_b, reserved_b) DESC, ts_ns LIMIT 1)"
#define MOST_ALLOC "(SELECT alloc_ns" OF_RANK("mem_alloc") "alloc_ns IS NOT NULL " \
    "ORDER BY alloc_total_allocated_b DESC, alloc_ns LIMIT 1)"
#define MOST_ENTRY "(SELECT line" OF_RANK("mem_sample") "component_id = " CURVES_POOL_SQL \
    " ORDER BY ifnull(allocated_b, reserved_b) DESC, line LIMIT 1)"
#define IF_TIMED   "EXISTS (SELECT 1" OF_RANK("mem_alloc") "alloc_ns IS NOT NULL)"
/* The moment is rounded as the times of blocks were; as curves_moment(). */
#define QUARTER   "((t + 125) / 250 - ((t + 125) % 500 = 250))" /* to the nearest, a half to the even one */
#define AS_COARSE \
    QUARTER " / 4 * 1000 + CASE " QUARTER " % 4 WHEN 0 THEN 0 WHEN 1 THEN 200 WHEN 2 THEN 500 ELSE 800 END " \
    "- ns"
#define MOMENT \
    "origin AS (SELECT ifnull((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'origin_ns'), 0) " \
    "AS ns), " \
    "axis AS (SELECT CASE WHEN " CURVES_GRAPH_SQL " IS NOT NULL THEN 'node' WHEN " IF_TIMED " THEN 'time' " \
    "ELSE 'entry' END AS axis), " \
    "chosen AS (SELECT axis, ifnull(:moment, CASE axis WHEN 'node' THEN " MOST_NODE " WHEN 'time' THEN " \
    "ifnull(" MOST_TIME ", " MOST_ALLOC ") ELSE " MOST_ENTRY " END) AS at FROM axis), " \
    "moment AS (SELECT axis, CASE WHEN axis = 'time' AND " CURVES_COARSE_SQL " THEN (SELECT " AS_COARSE \
    " FROM (SELECT at + ns AS t FROM origin)) ELSE at END AS at FROM origin CROSS JOIN chosen)"
#define ALIVE_TENSORS \
    "SELECT name_id, size_b, NULL AS born_ns, NULL AS dies_ns, born_node AS born, dies_node AS dies " \
    "FROM moment CROSS JOIN mem_tensor WHERE axis = 'node' AND rank = :rank " \
    "AND ifnull(kind, '') <> 'total' AND ifnull(graph_id, 0) = " CURVES_GRAPH_SQL \
    " AND ifnull(born_node, at) <= at AND ifnull(dies_node, at) >= at"
#define ALIVE_BLOCKS \
    "SELECT name_id, size_b, alloc_ns, release_ns, NULL, NULL FROM moment CROSS JOIN mem_alloc " \
    "WHERE axis = 'time' AND rank = :rank AND alloc_ns <= at AND (release_ns IS NULL OR release_ns > at) " \
    "UNION ALL " \
    "SELECT name_id, size_b, NULL, NULL, line, release_line FROM moment CROSS JOIN mem_alloc " \
    "WHERE axis = 'entry' AND rank = :rank AND line <= at AND (release_line IS NULL OR release_line > at)"
/*
 * A tensor is called after its node and the number of the output, "MatMul-op12:0"; the node knows its full
 * name. path: that name up to its last part; own: the last part, which ends in the number of the node, or in
 * its alias (store/anonymise/aliases.h).
 */
#define NO_OUTPUT(t)  "CASE WHEN rtrim(" t ", '0123456789') GLOB '*:' THEN " \
    "substr(" t ", 1, length(rtrim(" t ", '0123456789')) - 1) ELSE " t " END"
#define PATH_OF(text) "rtrim(" text ", replace(" text ", '/', ''))"
#define TYPE_OF(own)  "CASE WHEN rtrim(" own ", '0123456789') GLOB '*-op' THEN " \
    "substr(" own ", 1, length(rtrim(" own ", '0123456789')) - 3) " \
    "WHEN rtrim(" own ", '0123456789') GLOB '*-op_anon' THEN " \
    "substr(" own ", 1, length(rtrim(" own ", '0123456789')) - 8) " \
    "WHEN " own " GLOB 'cann::*_[0-9]*' THEN rtrim(" own ", '0123456789_') ELSE nullif(" own ", '') END"
#define ALIVE_ROWS \
    "(WITH " MOMENT ", alive AS (" ALIVE_TENSORS " UNION ALL " ALIVE_BLOCKS "), " \
    "node AS (SELECT l.text AS leaf, max(f.text) AS full FROM mem_node m JOIN string l ON l.id = m.name_id " \
    "JOIN string f ON f.id = m.full_name_id WHERE m.rank = :rank GROUP BY 1), " \
    "known AS (SELECT name_id, min(type_id) AS type_id, min(scope_id) AS scope_id FROM op GROUP BY 1), " \
    "named AS (SELECT a.*, s.text AS name, " NO_OUTPUT("s.text") " AS leaf FROM alive a " \
    "LEFT JOIN string s ON s.id = a.name_id), " \
    "placed AS (SELECT n.*, ifnull(nullif(f.full, ''), n.leaf) AS full FROM named n " \
    "LEFT JOIN node f ON f.leaf = n.leaf), " \
    "parted AS (SELECT *, " PATH_OF("full") " AS path, " \
    "substr(full, length(" PATH_OF("full") ") + 1) AS own FROM placed) " \
    "SELECT n.size_b, n.born_ns, n.dies_ns, n.born, n.dies, " \
    "ifnull(nullif(n.name, ''), '-') AS op, " \
    "coalesce(" COLSET_TEXT("k.type_id") ", " TYPE_OF("n.own") ", '-') AS type, " \
    "coalesce(" COLSET_TEXT("k.scope_id") ", nullif(rtrim(n.path, '/'), ''), '-') AS layer " \
    "FROM parted n LEFT JOIN known k ON k.name_id = n.name_id) a"
#define ALIVE_COLS(id_, title_, flags_, help_) \
    { id_, title_, "a." id_, VT_TEXT, VU_NONE, 12, 36, 0, false, VC_MAIN | VC_FLEX | (flags_), help_ }, \
    { "size_b", "Holds", "total(a.size_b)", VT_INT, VU_BYTES, 9, 10, 0, true, VC_BAR, "bytes alive" }, \
    { "share_pct", "%", "100.0 * total(a.size_b) / nullif(sum(total(a.size_b)) OVER (), 0)", VT_REAL, \
        VU_PCT, 5, 5, 1, true, 0, "share of all that is alive" }, \
    { "blocks", "Blocks", "count(*)", VT_INT, VU_COUNT, 6, 6, 3, true, 0, "allocations or tensors alive" }, \
    { "born_ns", "Born", "min(a.born_ns)", VT_INT, VU_TS, 8, 11, 1, false, 0, "the first was allocated" }, \
    { "dies_ns", "Dies", "CASE WHEN count(a.dies_ns) = count(*) THEN max(a.dies_ns) END", VT_INT, VU_TS, 8, \
        11, 1, false, 0, "the last is released; empty: alive at the end" }, \
    { "born", "From", "min(a.born)", VT_INT, VU_NONE, 5, 6, 1, false, 0, \
        "node, or entry of the trace, since which the first is alive" }, \
    { "dies", "Until", "CASE WHEN count(a.dies) = count(*) THEN max(a.dies) END", VT_INT, VU_NONE, 5, 6, 1, \
        false, 0, "last node, or entry that releases the last; empty: alive at the end" }
#define ALIVE_VIEW(cols_, group_) \
    .pane = PANE_MEM, .from = ALIVE_ROWS, .group = group_, .key = "", COLSET_COLS(cols_), .sort = "size_b"
/* Analysed files have tensors of node 0 alone. */
#define HAS_ALIVE \
    "SELECT 1 FROM mem_alloc WHERE rank = :rank UNION ALL SELECT 1 FROM mem_tensor " \
    "WHERE rank = :rank AND born_node > 0 LIMIT 1"
/* A layer is known of some: names have paths, or the ops of these names have scopes. */
#define HAS_LAYER(table, more) \
    "SELECT 1 FROM " table " m JOIN string s ON s.id = m.name_id WHERE m.rank = :rank " more "AND " \
    "(instr(s.text, '/') > 0 OR m.name_id IN (SELECT name_id FROM op WHERE scope_id IS NOT NULL))"
#define HAS_LAYERS \
    HAS_LAYER("mem_alloc", "") " UNION ALL " HAS_LAYER("mem_tensor", "AND m.born_node > 0 ") \
    " UNION ALL SELECT 1 FROM mem_node m JOIN string s ON s.id = m.full_name_id WHERE m.rank = :rank AND " \
    "instr(s.text, '/') > 0 AND EXISTS (SELECT 1 FROM mem_tensor WHERE rank = :rank AND born_node > 0) " \
    "LIMIT 1"

static const struct view_col alive_cols[] = {
    ALIVE_COLS("op", "Alive", VC_PATH, "op or owner of what is alive"),
    { "type", "Type", "min(a.type)", VT_TEXT, VU_NONE, 6, 14, 4, false, 0, "op type" },
    { "layer", "Layer", "min(a.layer)", VT_TEXT, VU_NONE, 6, 24, 9, false, VC_HIDDEN | VC_PATH,
        "name without its last part" },
};
const struct view_def view_memory_alive = {
    .id = "memory.alive", .title = "alive by op", ALIVE_VIEW(alive_cols, "a.op"), .needs = HAS_ALIVE,
    .unit_of = "ops",
};
static const struct view_col alive_type_cols[] = { ALIVE_COLS("type", "Type", 0, "op type") };
const struct view_def view_memory_alive_type = {
    .id = "memory.alive_type", .title = "by type", ALIVE_VIEW(alive_type_cols, "a.type"),
    .needs = HAS_ALIVE,
    .open = "memory.alive", .open_filter = "type={type}", .unit_of = "types",
};
static const struct view_col alive_layer_cols[] = {
    ALIVE_COLS("layer", "Layer", VC_PATH, "name without its last part"),
};
const struct view_def view_memory_alive_layer = {
    .id = "memory.alive_layer", .title = "by layer", ALIVE_VIEW(alive_layer_cols, "a.layer"),
    .needs = HAS_LAYERS,
    .open = "memory.alive", .open_filter = "layer={layer}", .unit_of = "layers",
};

#define B(id, title, expr, prio, flags, help) { id, title, expr, VT_INT, VU_BYTES, 9, 10, prio, true, flags, \
    help }

static const struct view_col alloc_cols[] = {
    { "name",     "Allocated by", COLSET_TEXT("m.name_id"), VT_TEXT, VU_NONE, 12, 36, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "op or owner" },
    B("size_b",   "Size",  "m.size_b", 0, VC_BAR, "size of the block"),
    { "alloc_ns", "Born",  "m.alloc_ns", VT_INT, VU_TS, 8, 11, 1, false, 0, "allocation" },
    { "release_ns", "Dies", "m.release_ns", VT_INT, VU_TS, 8, 11, 2, false, 0,
        "release; empty: alive at the end" },
    { "dur_ns",   "Life",  "m.dur_ns", VT_INT, VU_NS, 8, 9, 1, true, 0, "lifetime" },
    { "active_release_ns", "Idle from", "m.active_release_ns", VT_INT, VU_TS, 8, 11, 7, false, VC_HIDDEN,
        "end of use by streams" },
    { "active_dur_ns", "In use", "m.active_dur_ns", VT_INT, VU_NS, 8, 9, 7, true, VC_HIDDEN,
        "lifetime in use" },
    B("alloc_total_allocated_b", "Allocated", "m.alloc_total_allocated_b", 4, 0,
    "pool total right after the allocation"),
    B("alloc_total_reserved_b", "Reserved", "m.alloc_total_reserved_b", 5, 0,
    "reserved right after the allocation"),
    B("alloc_total_active_b", "Active", "m.alloc_total_active_b", 7, VC_HIDDEN,
    "active right after the allocation"),
    B("release_total_allocated_b", "After", "m.release_total_allocated_b", 7, VC_HIDDEN,
    "pool total right after the release"),
    { "device_type", "Device", "m.device_type", VT_TEXT, VU_NONE, 6, 8, 7, false, VC_HIDDEN,
        "device or pool" },
    B("block_b", "Block", "m.block_b", 8, VC_HIDDEN, "size of its block, padding included"),
    { "at_peak", "Peak", "m.at_peak", VT_INT, VU_NONE, 4, 4, 8, true, VC_HIDDEN,
        "1: alive when the most was allocated" },
    { "addr", "Address", "m.addr", VT_INT, VU_NONE, 8, 16, 9, false, VC_HIDDEN, "address" },
    { "stack", "Stack", COLSET_TEXT("m.stack_id"), VT_TEXT, VU_NONE, 8, 40, 9, false, VC_HIDDEN,
        "call stack of the allocation, innermost first" },
    { "path", "File", COLSET_FILE("m.source_id"), VT_TEXT, VU_NONE, 8, 20, 9, false, VC_HIDDEN,
        "file it comes from" },
    { "line", "Line", "m.line", VT_INT, VU_NONE, 4, 6, 9, false, VC_HIDDEN,
        "line there, or entry of the trace that allocates it" },
    { "release_line", "Until", "m.release_line", VT_INT, VU_NONE, 4, 6, 9, false, VC_HIDDEN,
        "entry of the trace that releases it; empty: alive at the end" },
};
const struct view_def view_memory_alloc = {
    .id = "memory.alloc", .title = "allocations", .pane = PANE_MEM, .from = "mem_alloc m",
        .where = "m.rank = :rank", .key = "m.rowid", COLSET_COLS(alloc_cols), .sort = "size_b",
        .empty = "mem", .needs = COLSET_ANY("mem_alloc"), .ts_col = "alloc_ns", .dur_col = "dur_ns",
    .unit_of = "allocations",
};
#define AT_PEAK "CASE WHEN m.at_peak THEN m.size_b END"
#define AT_END  "CASE WHEN m.release_line IS NULL THEN m.size_b END"
static const struct view_col holder_cols[] = {
    { "name",   "Held by", "ifnull(" COLSET_TEXT("m.name_id") ", '-')", VT_TEXT, VU_NONE, 12, 40, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "innermost frame of the program that allocated; -: no stack was kept" },
    B("peak_b", "At the peak", "total(" AT_PEAK ")", 0, VC_BAR, "held when the most was allocated"),
    { "peak_share", "Share", "total(" AT_PEAK ") / nullif(sum(total(" AT_PEAK ")) OVER "
        "(PARTITION BY m.source_id, m.device_type), 0)",
        VT_REAL, VU_RATIO, 6, 6, 1, true, 0, "share of all that was allocated then" },
    { "peak_blocks", "Blocks", "count(" AT_PEAK ")", VT_INT, VU_COUNT, 6, 6, 3, true, 0, "allocations then" },
    B("end_b",  "At the end", "total(" AT_END ")", 2, 0, "still held at the end"),
    { "end_blocks", "Left", "count(" AT_END ")", VT_INT, VU_COUNT, 5, 6, 4, true, 0,
        "allocations still held at the end" },
    { "allocations", "Calls", "count(*)", VT_INT, VU_COUNT, 5, 6, 5, true, 0,
        "allocations of the whole trace" },
    { "device_type", "Device", "m.device_type", VT_TEXT, VU_NONE, 6, 8, 6, false, 0, "device" },
    { "path", "File", COLSET_FILE("m.source_id"), VT_TEXT, VU_NONE, 8, 20, 7, false, VC_HIDDEN,
        "file it comes from" },
};
const struct view_def view_memory_holder = {
    .id = "memory.holder", .title = "who holds the peak", .pane = PANE_MEM, .from = "mem_alloc m",
        .where = "m.rank = :rank AND m.at_peak IS NOT NULL", .group = "m.source_id, m.device_type, m.name_id",
        .key = "", COLSET_COLS(holder_cols), .sort = "peak_b", .empty = "mem",
        .needs = "SELECT 1 FROM mem_alloc WHERE rank = :rank AND at_peak IS NOT NULL LIMIT 1",
    .open = "memory.alloc", .open_filter = "name={name}", .unit_of = "owners",
};
/* What is reserved for a process is no pool's: a quantity has its column. Some pools are sums of others. */
#define OF_POOL(value)    "CASE WHEN NOT " STORE_IS_PROCESS("m") " THEN " value " END"
#define OF_PROCESS(value) "CASE WHEN " STORE_IS_PROCESS("m") " THEN " value " END"
static const struct view_col pool_cols[] = {
    { "component", "Component", COLSET_TEXT("m.component_id"), VT_TEXT, VU_NONE, 8, 20, 0, false,
        VC_MAIN | VC_FLEX, "pool" },
    { "ts_ns",     "Time",  "m.ts_ns", VT_INT, VU_TS, 8, 11, 0, false, 0, "time" },
    B("allocated_b", "Allocated", OF_POOL("m.allocated_b"), 0, VC_LEVEL | VC_APART, "allocated"),
    B("reserved_b", "Reserved", OF_POOL("m.reserved_b"), 0, VC_BAR | VC_LEVEL | VC_APART, "reserved"),
    B("active_b",  "Active", OF_POOL("m.active_b"), 3, VC_LEVEL | VC_APART, "active"),
    { "process_b", "Process", OF_PROCESS("m.reserved_b"), VT_INT, VU_BYTES, 8, 8, 0, true,
        VC_LEVEL | VC_APART | VC_IF_ANY, "what the whole process held on the device" },
    { "event", "Event", "m.event", VT_TEXT, VU_NONE, 6, 14, 4, false, VC_HIDDEN, "what the allocator did" },
    { "device_type", "Device", "m.device_type", VT_TEXT, VU_NONE, 6, 8, 6, false, VC_HIDDEN, "device" },
    { "line", "Line", "m.line", VT_INT, VU_NONE, 4, 6, 7, false, VC_HIDDEN,
        "line of the file, or entry of the trace" },
};
const struct view_def view_memory_pool = {
    .id = "memory.pool", .title = "pools over time", .pane = PANE_MEM, .from = "mem_sample m",
        .where = "m.rank = :rank", .key = "m.rowid", COLSET_COLS(pool_cols), .empty = "mem",
        .apart = "component",
        .needs = COLSET_ANY("mem_sample"), .ts_col = "ts_ns", .unit_of = "samples",
};
static const struct view_col peak_cols[] = {
    { "component", "Component", "ifnull(" COLSET_TEXT("m.component_id") ", '-')", VT_TEXT, VU_NONE, 8, 24, 0,
        false, VC_MAIN | VC_FLEX, "pool, module or process" },
    B("peak_reserved_b", "Peak reserved", OF_POOL("max(m.reserved_b)"), 0, VC_BAR | VC_LEVEL,
    "most a pool took"),
    B("peak_allocated_b", "Peak allocated", OF_POOL("max(m.allocated_b)"), 0, VC_LEVEL,
    "most a pool had handed out"),
    B("peak_active_b", "Peak active", OF_POOL("max(m.active_b)"), 2, VC_LEVEL,
    "most of it that was in use or waited for streams"),
    B("peak_process_b", "Peak process", OF_PROCESS("max(m.reserved_b)"), 0, VC_LEVEL,
    "most the whole process held on the device"),
    B("last_reserved_b", "At the end", "(SELECT x.reserved_b FROM mem_sample x WHERE x.rank = :rank "
    "AND x.component_id = m.component_id ORDER BY x.ts_ns DESC, x.line DESC LIMIT 1)", 1, VC_LEVEL,
    "reserved, or held by the process, at the end"),
    { "samples", "Samples", "count(*)", VT_INT, VU_COUNT, 6, 8, 3, true, VC_APART, "samples" },
};
const struct view_def view_memory_peak = {
    .id = "memory.peak", .title = "peaks", .pane = PANE_MEM, .from = "mem_sample m",
        .where = "m.rank = :rank", .group = "m.component_id", .key = "", COLSET_COLS(peak_cols),
        .sort = "peak_reserved_b", .empty = "mem", .needs = COLSET_ANY("mem_sample"),
    .open = "memory.pool", .open_filter = "component={component}", .unit_of = "components",
};
static const struct view_col tensor_cols[] = {
    { "name",   "Tensor", COLSET_TEXT("m.name_id"), VT_TEXT, VU_NONE, 12, 36, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "tensor or op" },
    B("size_b", "Size",   "m.size_b", 0, VC_BAR, "size"),
    { "born_node", "Born", "m.born_node", VT_INT, VU_NONE, 5, 6, 1, false, 0, "first node it is alive at" },
    { "dies_node", "Dies", "m.dies_node", VT_INT, VU_NONE, 5, 6, 1, false, 0,
        "last node it is alive at; empty: to the end" },
    { "shape",  "Shape",  COLSET_TEXT("m.shape_id"), VT_TEXT, VU_NONE, 8, 18, 2, false, 0, "shape" },
    { "format", "Format", COLSET_TEXT("m.format_id"), VT_TEXT, VU_NONE, 6, 12, 4, false, 0, "format" },
    { "type",   "Type",   COLSET_TEXT("m.type_id"), VT_TEXT, VU_NONE, 6, 10, 5, false, 0, "data type" },
    { "kind",   "Kind",   "m.kind", VT_TEXT, VU_NONE, 6, 9, 6, false, VC_HIDDEN,
        "output, workspace, static" },
    { "graph_id", "Graph", "m.graph_id", VT_INT, VU_NONE, 5, 5, 6, false, VC_HIDDEN, "graph" },
};
const struct view_def view_memory_tensor = {
    .id = "memory.tensor", .title = "tensors of the graph", .pane = PANE_MEM, .from = "mem_tensor m",
        .where = "m.rank = :rank", .key = "m.rowid", COLSET_COLS(tensor_cols), .sort = "size_b",
        .empty = "mem", .needs = COLSET_ANY("mem_tensor"), .unit_of = "tensors",
};
/* Of each graph the first node with the most: what later nodes take the peak cannot hold. */
#define PEAK_NODES "(SELECT graph_id AS g, min(node) AS at FROM (SELECT graph_id, node, used_b, " \
    "max(used_b) OVER (PARTITION BY graph_id) AS most FROM mem_node WHERE rank = :rank) " \
    "WHERE used_b = most GROUP BY graph_id)"
static const struct view_col node_cols[] = {
    { "node",  "Node",  "m.node", VT_INT, VU_NONE, 5, 6, 0, false, 0, "position in the graph's order" },
    { "name",  "Name",  COLSET_TEXT("m.name_id"), VT_TEXT, VU_NONE, 12, 36, 0, false,
        VC_MAIN | VC_FLEX | VC_PATH, "node" },
    B("peak_b", "To peak", "CASE WHEN m.node <= p.at THEN m.allocated_b END", 0, VC_BAR | VC_LEVEL,
    "what it adds to the memory alive, on the way to the node with the most; empty: it comes after that"),
    B("used_b", "Alive", "m.used_b", 0, VC_LEVEL, "memory alive at the node, static included"),
    B("allocated_b", "Change", "m.allocated_b", 1, 0, "change against the node before"),
    B("size_b", "Own",  "m.size_b", 2, 0, "memory of its own outputs and workspace"),
    { "allocations", "Allocs", "m.allocations", VT_INT, VU_COUNT, 5, 6, 3, true, 0, "tensors it allocates" },
    { "mark",  "Mark",  "m.mark", VT_TEXT, VU_NONE, 4, 4, 4, false, 0, "fp or bp point of the step" },
    { "graph_id", "Graph", "m.graph_id", VT_INT, VU_NONE, 5, 5, 6, false, VC_HIDDEN, "graph" },
};
const struct view_def view_memory_node = {
    .id = "memory.node", .title = "nodes of the graph", .pane = PANE_MEM, 
    /* Computed once: with a statement for each row the peaks would be found again for each. */
    .from = "mem_node m LEFT JOIN " PEAK_NODES " p ON p.g IS m.graph_id",
        .where = "m.rank = :rank", .group = "", .key = "", COLSET_COLS(node_cols), .sort = "peak_b",
        .empty = "mem",
        .needs = COLSET_ANY("mem_node"), .unit_of = "nodes",
};
static const struct view_col module_cols[] = {
    { "module", "Module", "ifnull(" COLSET_TEXT("m.module_id") ", '-')", VT_TEXT, VU_NONE, 8, 24, 0, false,
        VC_MAIN | VC_FLEX, "driver module" },
    B("peak_b", "Peak", "max(m.reserved_b)", 0, VC_BAR | VC_LEVEL | VC_APART, "largest reserved"),
    B("first_b", "First", "(SELECT x.reserved_b FROM mem_module x WHERE x.rank = :rank "
    "AND x.module_id = m.module_id ORDER BY x.ts_ns LIMIT 1)", 2, VC_LEVEL, "reserved at the first sample"),
    B("last_b", "Last", "(SELECT x.reserved_b FROM mem_module x WHERE x.rank = :rank "
    "AND x.module_id = m.module_id ORDER BY x.ts_ns DESC LIMIT 1)", 1, VC_LEVEL,
    "reserved at the last sample"),
    { "samples", "Samples", "count(*)", VT_INT, VU_COUNT, 6, 8, 3, true, VC_APART, "samples" },
};
const struct view_def view_memory_module = {
    .id = "memory.module", .title = "driver modules", .pane = PANE_MEM, .from = "mem_module m",
        .where = "m.rank = :rank", .group = "m.module_id", .key = "", COLSET_COLS(module_cols),
        .sort = "peak_b", .empty = "mem", .needs = COLSET_ANY("mem_module"), .unit_of = "modules",
};
static const struct view_col device_cols[] = {
    { "process", "Process", "m.process", VT_TEXT, VU_NONE, 6, 12, 0, false, VC_MAIN | VC_FLEX,
        "APP or Device" },
    { "ts_ns",   "Time", "m.ts_ns", VT_INT, VU_TS, 8, 12, 0, false, 0, "time" },
    B("ddr_b",   "DDR",  "m.ddr_b", 1, VC_LEVEL | VC_APART, "DDR in use"),
    B("hbm_b",   "HBM",  "m.hbm_b", 0, VC_BAR | VC_LEVEL | VC_APART, "HBM in use"),
    B("total_b", "Both", "m.total_b", 0, VC_LEVEL | VC_APART, "both"),
};
const struct view_def view_memory_device = {
    .id = "memory.device", .title = "device memory", .pane = PANE_MEM, .from = "mem_device m",
        .where = "m.rank = :rank", .key = "m.rowid", COLSET_COLS(device_cols), .empty = "mem",
        .needs = COLSET_ANY("mem_device"), .ts_col = "ts_ns", .unit_of = "samples",
};
/* clang-format on */
