/* SPDX-License-Identifier: Apache-2.0 */
/* Views of the Comm pane. */
#include "config.h"

#include "model/links.h"
#include "model/views/colset.h"

/* clang-format off */
#define NS(id, title, expr, prio, flags, help) { id, title, expr, VT_INT, VU_NS, 8, 9, prio, true, flags, \
    help }
#define NSR(id, title, expr, prio, flags, help) { id, title, expr, VT_REAL, VU_NS, 8, 9, prio, true, flags, \
    help }

/*
 * Of a row of comm_exec: what Triage calls RUNNING, it has no end. Triage may know of an earlier start, that
 * of a task that has not ended; the newest row of the name since then is the op's. NULL stands for no.
 */
#define RUN_OF(t) "last_activity l WHERE l.rank = :rank AND l.kind = 'comm' AND l.state = 'running'" t
#define RUNS(t) /* CASE, because AND as a value asks for the newest row of every row */ \
    "(CASE WHEN " t "name_id IN (SELECT l.name_id FROM " RUN_OF(" AND l.name_id IS NOT NULL") ") THEN " \
    "CASE WHEN EXISTS (SELECT 1 FROM " RUN_OF(" AND l.name_id = " t "name_id AND l.ts_ns <= " t "ts_ns") \
    ") THEN " t "ts_ns = (SELECT max(n.ts_ns) FROM comm_exec n WHERE n.rank = :rank AND n.name_id = " t \
    "name_id) END END)"
#define RUNNING(expr, prio) \
    { "running", "Running", "nullif(" expr ", 0)", VT_INT, VU_COUNT, 4, 7, prio, true, VC_IF_ANY, \
        "ops that were begun and have no end: in no other column" }, \
    { "running_ranks", "Running on", "NULL", VT_TEXT, VU_NONE, 5, 10, prio, false, VC_IF_ANY, \
        "ranks that they run on" }
#define OF_RUNNING(f) f "(rank) FILTER (WHERE running > 0)"
#define RUNNING_MERGED \
    { "running", "sum(running)" }, \
    { "running_ranks", "CASE " OF_RUNNING("count") " WHEN 1 THEN " OF_RUNNING("min") " || '' WHEN 2 THEN " \
        OF_RUNNING("min") " || ',' || " OF_RUNNING("max") " ELSE " OF_RUNNING("group_concat") " END" }

static const struct view_col op_cols[] = {
    { "op_name", "Op", COLSET_TEXT("c.name_id"), VT_TEXT, VU_NONE, 14, 32, 0, false, VC_MAIN | VC_FLEX,
        "communication op" },
    { "type",    "Type",  COLSET_TEXT("c.type_id"), VT_TEXT, VU_NONE, 6, 14, 4, false, VC_HIDDEN, "type" },
    { "kind",    "Kind",  "c.kind", VT_TEXT, VU_NONE, 6, 10, 6, false, VC_HIDDEN, "collective or p2p" },
    { "group_name", "Group", COLSET_TEXT("c.group_id"), VT_TEXT, VU_NONE, 6, 20, 7, false, VC_HIDDEN,
        "group" },
    { "step",    "Step",  "c.step", VT_INT, VU_NONE, 4, 5, 3, false, 0, "step" },
    { "state",   "State", "CASE WHEN " RUNS("c.") " THEN 'RUNNING' END", VT_TEXT, VU_NONE, 7, 7, 1, false,
        VC_IF_ANY, "RUNNING: it has no end, its times are those of what it did so far" },
    { "ts_ns",   "Start", "c.ts_ns", VT_INT, VU_TS, 8, 11, 4, false, VC_HIDDEN, "start" },
    NS("dur_ns", "Elapsed", "c.dur_ns", 0, VC_BAR, "from start to end"),
    NS("transit_ns", "Transit", "c.transit_ns", 1, 0, "moving data"),
    NS("wait_ns", "Wait", "c.wait_ns", 1, 0, "waiting for other ranks"),
    NS("sync_ns", "Sync", "c.sync_ns", 4, 0, "waiting before the first transfer"),
    NS("idle_ns", "Idle", "c.idle_ns", 2, 0, "neither"),
    { "size_b",  "Size",  "c.size_b", VT_INT, VU_BYTES, 8, 9, 2, true, 0, "bytes moved" },
    COLSET_MARKS("c"),
};
const struct view_def view_comm_op = {
    .id = "comm.op", .title = "ops", .pane = PANE_COMM, .from = "comm_exec c",
        .where = "c.rank = :rank", .step = "c.step", .key = "c.id", COLSET_COLS(op_cols), .sort = "dur_ns",
        .first = "state",
        .empty = "comm", .needs = COLSET_ANY("comm_exec"), .ts_col = "ts_ns", .dur_col = "dur_ns",
    .unit_of = "ops",
};

/* Type of a communication op; where the source has none, the last part of its name up to the first '-'. */
#define LAST_PART "replace(n, rtrim(n, replace(n, '/', '')), '')"
#define TYPE_OF \
    "ifnull(" COLSET_TEXT("type_id") ", (SELECT CASE WHEN instr(l, '-') > 1 THEN substr(l, 1, instr(l, " \
    "'-') - 1) ELSE l END FROM (SELECT " LAST_PART " AS l FROM (SELECT text AS n FROM string " \
    "WHERE string.id = name_id))))"
/*
 * Communication of a rank by type: ops of communication.json, else rows of the kernel table, else the sums of
 * msprof or MindSpore. `+`: by the few ops of the core, not by all executions of the rank.
 */
#define HAS_COMM "EXISTS (SELECT 1 FROM comm_exec WHERE rank = :rank)"
#define HAS_EXEC "EXISTS (SELECT 1 FROM op_exec e JOIN op o ON o.id = e.op_id WHERE +e.rank = :rank " \
    "AND o.core = 'HCCL')"

/*
 * Types and groups of several ranks have one row each, with the ranks whose mean is the largest and the
 * smallest. The latter comes last: the others wait for it. Not "slow" and "fast", which tools use both ways.
 */
#define OF_RANKS(prio) \
    NSR("short_ns", "Short avg", "NULL", prio, VC_IF_ANY | VC_LEVEL, \
        "mean of the rank whose mean is smallest"), \
    { "short_rank", "Short rank", "NULL", VT_INT, VU_NONE, 4, 10, 2, false, VC_IF_ANY, \
        "which rank that is: it comes last, the others wait for it" }, \
    NSR("long_ns", "Long avg", "NULL", prio + 1, VC_IF_ANY | VC_LEVEL, \
        "mean of the rank whose mean is largest"), \
    { "long_rank", "Long rank", "NULL", VT_INT, VU_NONE, 4, 9, 3, false, VC_IF_ANY, \
        "which rank that is: it waits longest" }
#define FIRST_RANK(key, order) \
    "first_value(rank) OVER (PARTITION BY " key " ORDER BY avg_ns " order "NULLS LAST, rank)"
#define EACH_RANK(key) \
    "(SELECT *, " FIRST_RANK(key, "DESC ") " AS longest, " FIRST_RANK(key, "") " AS shortest " \
    "FROM temp.each_rank)"
#define MERGED_SUMS \
    { "calls", "sum(calls)" }, { "total_ns", "sum(total_ns)" }, \
    { "avg_ns", "sum(total_ns) * 1.0 / nullif(sum(calls), 0)" }, \
    { "long_ns", "max(avg_ns)" }, { "long_rank", "min(longest) FILTER (WHERE avg_ns IS NOT NULL)" }, \
    { "short_ns", "min(avg_ns)" }, { "short_rank", "min(shortest) FILTER (WHERE avg_ns IS NOT NULL)" }
static const struct view_merge_col type_merged[] = {
    MERGED_SUMS,
    { "share_pct", "100.0 * sum(total_ns) / nullif(sum(sum(total_ns)) OVER (), 0)" },
    { "max_ns", "max(max_ns)" },
    { "wait_ns", "sum(wait_ns)" },
    RUNNING_MERGED,
};
static const struct view_merge type_merge = {
    .from = EACH_RANK("type"), .group = "type", .cols = type_merged, .n_cols = ARRAY_LEN(type_merged),
};
static const struct view_col type_cols[] = {
    { "type",    "Type",  "ifnull(g.type, '-')", VT_TEXT, VU_NONE, 10, 28, 0, false, VC_MAIN | VC_FLEX,
        "type of communication op" },
    { "calls",   "Calls", "sum(g.calls)", VT_INT, VU_COUNT, 5, 6, 1, true, 0, "calls" },
    NSR("total_ns", "Total", "sum(g.total)", 0, VC_BAR | VC_AMOUNT, "sum of times"),
    { "share_pct", "%", "100.0 * sum(g.total) / nullif(sum(sum(g.total)) OVER (), 0)", VT_REAL, VU_PCT, 5, 5,
        1, true, 0, "share of communication time, of the rank or of all that are shown" },
    NSR("avg_ns", "Avg", "sum(g.total) / nullif(sum(g.calls), 0)", 1, 0, "mean"),
    OF_RANKS(2),
    NSR("min_ns", "Min", "min(g.least)", 4, 0, "shortest"),
    NSR("max_ns", "Max", "max(g.most)", 3, 0, "longest"),
    NSR("wait_ns", "Wait", "sum(g.wait)", 2, 0, "waiting"),
    RUNNING("sum(g.runs)", 1),
};
const struct view_def view_comm_type = {
    .id = "comm.type", .title = "types", .pane = PANE_COMM,
    .from = "(SELECT " TYPE_OF " AS type, ifnull(calls, 1) AS calls, dur_ns + 0.0 AS total, dur_ns AS least, "
        "dur_ns AS most, wait_ns AS wait, 0 AS runs FROM comm_exec c WHERE rank = :rank AND " RUNS("c.")
            " IS NOT 1 AND " COLSET_STEPS("step") " UNION ALL SELECT " TYPE_OF
            ", 0, NULL, NULL, NULL, NULL, 1 FROM comm_exec c WHERE rank = :rank AND " RUNS("c.") " AND "
            COLSET_STEPS("step") " UNION ALL SELECT " COLSET_TEXT("o.type_id")
            ", 1, e.dur_ns, e.dur_ns, e.dur_ns, NULL, 0 FROM op_exec e JOIN op o ON o.id = e.op_id "
            "WHERE +e.rank = :rank AND o.core = 'HCCL' AND NOT "
            HAS_COMM " AND " COLSET_STEPS("e.step")
            " UNION ALL SELECT " COLSET_TEXT("type_id") ", calls, total_ns, min_ns, max_ns, wait_ns, 0 "
            "FROM comm_stat WHERE rank = :rank AND NOT " HAS_COMM " AND NOT " HAS_EXEC ") g",
    .group = "g.type", .key = "", COLSET_COLS(type_cols), .sort = "total_ns", .empty = "comm",
    .needs = "SELECT 1 FROM comm_exec UNION ALL SELECT 1 FROM comm_stat UNION ALL SELECT 1 FROM op_exec e "
        "JOIN op o ON o.id = e.op_id WHERE o.core = 'HCCL' LIMIT 1", .unit_of = "types", .merge = &type_merge,
    .inside = "comm.op", .inside_filter = "type={type}", .inside_sort = "dur_ns",
};

/*
 * Links by group, direction and transport, as the matrix has them (model/links.h): totals where the rank has
 * them, else sums of ops.
 */
#define LINK_END(t, end, number) "ifnull(" t end ", 'no. ' || " t number ")"
#define LINK_WORDS(t) LINK_END(t, "from_rank", "src_rank") " || ' -> ' || " LINK_END(t, "to_rank", "dst_rank")
#define LINK_BELOW(rate, key) /* above the mean and where it is the only one: NULL */ \
    "nullif(max(0, 100.0 - 100.0 * " rate " / avg(" rate ") OVER (PARTITION BY " key ")), 0)"
#define LINK_RATE "(sum(l.size_b) * 1e9 / sum(l.time_ns))"
#define LINK_GROUP_NAME \
    "(SELECT min(g.name) || ' ' FROM comm_group g WHERE g.group_id = l.group_id AND g.name <> '')"
/* As titles of matrices: what the framework calls the group, and the digits that names of ops have. */
#define LINK_OF "ifnull(" LINK_GROUP_NAME ", '') || nullif(substr(" COLSET_TEXT("l.group_id") ", -3), '')"
/*
 * Of several ranks the record of the first one counts; the rank that a number in a group stands for may be
 * known to another one.
 */
#define LINK_MEMBERS \
    "(SELECT group_name AS g, number, min(r) AS r FROM (SELECT group_name, src_rank AS number, " \
    "from_rank AS r FROM temp.each_rank UNION ALL SELECT group_name, dst_rank, to_rank FROM " \
    "temp.each_rank) WHERE r IS NOT NULL GROUP BY 1, 2)"
#define LINK_MEMBER(name, end, number) \
    " LEFT JOIN " LINK_MEMBERS " " name " ON e." end " IS NULL AND " name ".g IS e.group_name AND " name \
    ".number = e." number
#define LINK_RECORDS \
    "(SELECT e.rank, e.name, e.mean_of, e.group_name, ifnull(e.from_rank, f.r) AS from_rank, " \
    "ifnull(e.to_rank, t.r) AS to_rank, e.src_rank, e.dst_rank, e.transport, e.bandwidth_b_per_s, " \
    "e.size_b, e.time_ns FROM temp.each_rank e" LINK_MEMBER("f", "from_rank", "src_rank") \
    LINK_MEMBER("t", "to_rank", "dst_rank") ")"
#define LINK_KEY "group_name, from_rank, to_rank, src_rank, dst_rank"
static const struct view_merge_col link_sum_merged[] = {
    { "link", LINK_WORDS("") },
    { "below_pct", LINK_BELOW("min(bandwidth_b_per_s)", "group_name, transport") },
};
static const struct view_merge link_sum_merge = {
    .from = "(SELECT * FROM (SELECT *, min(rank) OVER (PARTITION BY " LINK_KEY ") AS first FROM " LINK_RECORDS
        ") WHERE rank = first)",
    .group = LINK_KEY ", transport", .cols = link_sum_merged, .n_cols = ARRAY_LEN(link_sum_merged),
    .no_sums = true,
};
static const struct view_col link_sum_cols[] = {
    { "link",     "Link", LINK_WORDS("l."), VT_TEXT, VU_NONE, 7, 14, 0, false, VC_MAIN | VC_FLEX,
        "rank that sends -> rank that receives; no.: number in the group, whose members are not known" },
    { "name",     "Group", LINK_OF, VT_TEXT, VU_NONE, 6, 10, 2, false, 0,
        "what the framework calls the group, and the last three digits of its name" },
    { "transport", "Transport", "l.transport", VT_TEXT, VU_NONE, 5, 9, 2, false, 0,
        "HCCS, RDMA, SDMA, PCIE, SIO" },
    { "bandwidth_b_per_s", "Rate", LINK_RATE, VT_REAL, VU_BYTES_S, 8, 10, 0, false, VC_BAR,
        "size over time of all that was moved over it" },
    { "below_pct", "Below mean", LINK_BELOW(LINK_RATE, "l.group_id, l.transport"), VT_REAL, VU_PCT, 6, 10, 0,
        true, 0, "how far below the mean rate of the group's links of its transport; empty: not below it" },
    { "size_b",   "Size", "sum(l.size_b)", VT_INT, VU_BYTES, 8, 9, 1, true, 0,
        "bytes moved: totals where the run has them, else the sum of its ops" },
    NS("time_ns", "Time", "sum(l.time_ns)", 1, 0, "time of moving them"),
    { "from_rank", "From", "l.from_rank", VT_INT, VU_NONE, 4, 5, 6, false, VC_HIDDEN,
        "rank that sends; empty where the members of the group are not known" },
    { "to_rank",  "To",   "l.to_rank", VT_INT, VU_NONE, 4, 5, 6, false, VC_HIDDEN, "rank that receives" },
    { "src_rank", "No.",  "l.src_rank", VT_INT, VU_NONE, 4, 4, 7, false, VC_HIDDEN,
        "number of the sender in the group" },
    { "dst_rank", "to No.", "l.dst_rank", VT_INT, VU_NONE, 4, 6, 7, false, VC_HIDDEN,
        "number of the receiver in the group" },
    { "group_name", "Group name", COLSET_TEXT("l.group_id"), VT_TEXT, VU_NONE, 6, 20, 7, false, VC_HIDDEN,
        "group" },
    { "mean_of",  "Mean of", "ifnull(" LINK_OF " || ' ', '') || l.transport", VT_TEXT, VU_NONE, 6, 15, 7,
        false, VC_HIDDEN, "group and transport: the links that it is compared with" },
};
#define LINK_FILTER \
    "src_rank={src_rank} dst_rank={dst_rank} transport={transport} group_name={group_name}"
const struct view_def view_comm_link_sum = {
    .id = "comm.link_sum", .title = "links", .pane = PANE_COMM, .from = "comm_link l", .where = LINKS_ROWS,
        .group = LINKS_GROUP ", l.transport", .key = "", COLSET_COLS(link_sum_cols),
        .sort = "bandwidth_b_per_s", .empty = "comm", .apart = "mean_of", .open = "comm.link",
        .open_filter = LINK_FILTER, .inside = "comm.link", .inside_filter = LINK_FILTER " stat!=total",
        .needs = "SELECT 1 FROM comm_link WHERE rank = :rank AND src_rank IS NOT NULL AND dst_rank IS NOT "
        "NULL AND transport <> 'LOCAL' AND time_ns > 0 LIMIT 1",
        .unit_of = "rows", /* a link has one in each group */
        .merge = &link_sum_merge,
};

/* Transfers: what the source says of ops and statistics. A total has no op, but a type. */
#define LINK_NAME "coalesce(nullif(" COLSET_TEXT("l.name_id") ", ''), l.stat || ' of ' || " \
    COLSET_TEXT("l.type_id") ", l.stat, '-')"
static const struct view_col link_cols[] = {
    { "op_name",  "Op", LINK_NAME, VT_TEXT, VU_NONE, 12, 28, 0, false, VC_MAIN | VC_FLEX,
        "op it belongs to, or what it is the sum of" },
    { "from_rank", "From", "l.from_rank", VT_INT, VU_NONE, 4, 5, 0, false, 0,
        "rank that sends; empty where the members of the group are not known" },
    { "to_rank", "To",    "l.to_rank", VT_INT, VU_NONE, 4, 5, 0, false, 0, "rank that receives" },
    { "stat",     "Stat", "l.stat", VT_TEXT, VU_NONE, 5, 8, 3, false, 0,
        "what the row stands for: op, total, top1, middle ..." },
    { "transport", "Transport", "l.transport", VT_TEXT, VU_NONE, 5, 9, 2, false, 0,
        "HCCS, RDMA, SDMA, PCIE, SIO, LOCAL" },
    { "step",     "Step", "l.step", VT_INT, VU_NONE, 4, 5, 2, false, 0, "step" },
    { "size_b",   "Size", "l.size_b", VT_INT, VU_BYTES, 8, 9, 1, true, 0, "bytes moved" },
    NS("time_ns", "Time", "l.time_ns", 1, 0, "time of moving"),
    { "bandwidth_b_per_s", "Rate", "l.bandwidth", VT_REAL, VU_BYTES_S, 8, 10, 0, true, VC_BAR,
        "bandwidth as the source gives it" },
    { "large_pct", "Large", "100.0 * l.large_share", VT_REAL, VU_PCT, 5, 6, 5, true, 0,
        "share of large packets" },
    { "src_rank", "No.",  "l.src_rank", VT_INT, VU_NONE, 4, 4, 7, false, 0,
        "number of the sender in the group" },
    { "dst_rank", "to No.", "l.dst_rank", VT_INT, VU_NONE, 4, 6, 7, false, 0,
        "number of the receiver in the group" },
    { "packets",  "Packets", "l.packets", VT_INT, VU_COUNT, 6, 7, 6, true, VC_HIDDEN, "packets" },
    { "group_name", "Group", COLSET_TEXT("l.group_id"), VT_TEXT, VU_NONE, 6, 20, 7, false, VC_HIDDEN,
        "group" },
};
const struct view_def view_comm_link = {
    .id = "comm.link", .title = "transfers", .pane = PANE_COMM, .from = "comm_link l",
        .where = "l.rank = :rank", .step = "l.step", .key = "l.rowid", COLSET_COLS(link_cols),
        .empty = "comm", .apart = "size_b",
        .needs = COLSET_ANY("comm_link"), .unit_of = "rows", /* a link has one for each statistic */
};

/* One row per rank; rows of several open ranks follow each other. */
static const struct view_col rank_cols[] = {
    { "steps",    "Steps", "sum(s.complete IS NOT 0)", VT_INT, VU_COUNT, 5, 6, 3, true, 0, "whole steps" },
    NSR("step_ns", "Step", COLSET_STEP_MEAN(COLSET_STEP_NS), 0, VC_BAR | VC_LEVEL, "mean length of a step"),
    NSR("interval_ns", "Interval", COLSET_STEP_MEAN("s.interval_ns"), 2, VC_LEVEL, "mean interval"),
    NSR("computing_ns", "Compute", COLSET_STEP_MEAN("s.computing_ns"), 0, VC_LEVEL,
    "mean computing per step"),
    NSR("comm_not_overlapped_ns", "Comm only", COLSET_STEP_MEAN("s.comm_not_overlapped_ns"), 0, VC_LEVEL,
    "mean communication that is not hidden"),
    NSR("wait_ns", "Wait", "(SELECT avg(w) FROM (SELECT sum(c.wait_ns) AS w FROM comm_exec c "
    "WHERE c.rank = :rank AND c.step IN " COLSET_STEPS_OF_MEANS " GROUP BY c.step))", 1, VC_BAR | VC_LEVEL,
    "mean waiting in communication per step"),
    NSR("preparing_ns", "Preparing", COLSET_STEP_MEAN("s.preparing_ns"), 1, VC_LEVEL,
    "mean preparing per step"),
    NSR("idle_ns", "Idle", COLSET_STEP_MEAN(COLSET_STEP_IDLE), 1, VC_LEVEL, "mean idle time per step"),
};
const struct view_def view_comm_rank = {
    .id = "comm.rank", .title = "ranks", .pane = PANE_COMM, .from = "step s", .where = "s.rank = :rank AND "
        COLSET_STEPS("s.step"), .group = "s.rank", .key = "", COLSET_COLS(rank_cols), .empty = "comm",
        .needs = "SELECT 1 FROM step WHERE comm_not_overlapped_ns > 0 OR communication_ns > 0 "
        "UNION ALL SELECT 1 FROM step_part WHERE kind = 'reduce' UNION ALL SELECT 1 FROM comm_exec "
        "UNION ALL SELECT 1 FROM comm_stat LIMIT 1", .unit_of = "ranks",
};

static const struct view_col stat_cols[] = {
    { "type",    "Type",  COLSET_TEXT("s.type_id"), VT_TEXT, VU_NONE, 10, 28, 0, false, VC_MAIN | VC_FLEX,
        "type of communication op" },
    { "step",    "Step",  "s.step", VT_INT, VU_NONE, 4, 5, 3, false, 0, "step" },
    { "calls",   "Calls", "s.calls", VT_INT, VU_COUNT, 5, 6, 1, true, 0, "calls" },
    NSR("total_ns", "Total", "s.total_ns", 0, VC_BAR | VC_AMOUNT, "sum of times"),
    NSR("avg_ns", "Avg", "s.avg_ns", 1, 0, "mean"),
    NSR("min_ns", "Min", "s.min_ns", 3, 0, "shortest"),
    NSR("max_ns", "Max", "s.max_ns", 3, 0, "longest"),
    NSR("wait_ns", "Wait", "s.wait_ns", 2, 0, "waiting"),
    { "share_pct", "%", "100.0 * s.share", VT_REAL, VU_PCT, 5, 5, 2, true, 0,
        "share of the rank's own communication time, as the source gives it" },
};
const struct view_def view_comm_stat = {
    .id = "comm.stat", .title = "profiler's own sums", .pane = PANE_COMM, .from = "comm_stat s",
        .where = "s.rank = :rank", .key = "s.rowid", COLSET_COLS(stat_cols), .sort = "total_ns",
        .empty = "comm", .needs = COLSET_ANY("comm_stat"), .unit_of = "rows",
};

/* Sums of the rank's ops by group, from one pass over them. */
#define GROUP_SUM(sum, runs) sum " FILTER (WHERE runs" runs ")"
#define GROUP_SUMS \
    "(SELECT group_id AS of, " GROUP_SUM("sum(n)", " IS NOT 1") " AS calls, " \
    GROUP_SUM("sum(dur_ns)", " IS NOT 1") " AS total, " GROUP_SUM("sum(n)", "") " AS running FROM (SELECT " \
    "c.group_id, ifnull(c.calls, 1) AS n, c.dur_ns, " RUNS("c.") " AS runs FROM comm_exec c WHERE c.rank = " \
    ":rank AND " COLSET_STEPS("c.step") ") GROUP BY group_id)"
/* A job's file names the groups of all ranks: those that the rank is in. */
static const struct view_merge_col group_merged[] = { MERGED_SUMS, RUNNING_MERGED };
static const struct view_merge group_merge = {
    .from = EACH_RANK("group_name, id, ranks"), .group = "group_name, id, ranks", .cols = group_merged,
    .n_cols = ARRAY_LEN(group_merged),
};
static const struct view_col group_cols[] = {
    { "name",  "Name",  "g.name", VT_TEXT, VU_NONE, 8, 12, 0, false, VC_MAIN,
        "what the framework calls it" },
    { "kind",  "Kind",  "g.kind", VT_TEXT, VU_NONE, 6, 10, 2, false, 0, "collective or p2p" },
    { "size",  "Size",  "g.size", VT_INT, VU_COUNT, 4, 5, 0, true, 0, "number of ranks" },
    { "ranks", "Ranks", "g.ranks", VT_TEXT, VU_NONE, 8, 24, 0, false, VC_FLEX,
        "its ranks: the first is number 0 of the group" },
    { "calls", "Calls", "s.calls", VT_INT, VU_COUNT, 5, 6, 1, true, 0,
        "communication ops in it, of the rank or of all that are shown" },
    NS("total_ns", "Total", "s.total", 1, VC_BAR, "their time"),
    NSR("avg_ns", "Avg", "s.total * 1.0 / nullif(s.calls, 0)", 4, 0, "their mean"),
    OF_RANKS(4),
    RUNNING("s.running", 1),
    { "group_name", "Group", COLSET_TEXT("g.group_id"), VT_TEXT, VU_NONE, 6, 20, 1, false, VC_PATH,
        "group; names of communication ops have its last three digits" },
    { "id",    "Id",    "g.id", VT_TEXT, VU_NONE, 8, 30, 7, false, VC_HIDDEN, "id of the communicator" },
};
const struct view_def view_comm_group = {
    .id = "comm.group", .title = "groups", .pane = PANE_COMM,
    .from = "comm_group g LEFT JOIN " GROUP_SUMS " s ON s.of = g.group_id",
        .where = "instr(',' || g.ranks || ',', ',' || :rank || ',') > 0", .group = "g.rowid", .key = "",
        COLSET_COLS(group_cols), .sort = "total_ns", .empty = "comm",
        .needs = "SELECT 1 FROM comm_group WHERE instr(',' || ranks || ',', ',' || :rank || ',') > 0 LIMIT 1",
        .unit_of = "groups", .merge = &group_merge,
};
/* clang-format on */
