/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The views for people who write SQL (doc/store.md#views): statement, meaning, columns in the order of the
 * statement; and statements to begin with. Tests hold the columns against those that SQLite reports.
 */
#include "config.h"

#include "store/schema.h"

/* clang-format off */
#define MARKS \
    { "ts_err_ns", CT_NS, "ns", "how far its instants may be off where damage says time; NULL: no bound" }, \
    { "damage", CT_TEXT, "", "what damage may have made untrue: time, duration, name, op, figures" }
static const struct schema_column ops_columns[] = {
    { "id", CT_INT, "", "number of the execution" },
    { "rank", CT_INT, "", "rank" },
    { "device", CT_INT, "", "device" },
    { "step", CT_INT, "", "step" },
    { "op_name", CT_TEXT, "", "full name of the op" },
    { "type", CT_TEXT, "", "op type" },
    { "core", CT_TEXT, "", "AIC, AIV, MIX, AICPU, HCCL, HOST, GPU, CPU or as recorded" },
    { "stream", CT_INT, "", "stream" },
    { "task", CT_INT, "", "task id" },
    { "ts_ns", CT_TS, "ns", "start, since the rank's origin" },
    { "time_utc", CT_TEXT, "", "wall clock time of ts_ns, UTC; NULL on another clock" },
    { "dur_ns", CT_NS, "ns", "duration" },
    { "wait_ns", CT_NS, "ns", "gap before it as the source gives it" },
    { "delay_ns", CT_NS, "ns", "from the end of the host call that launched it to its start" },
    { "block_num", CT_INT, "", "blocks (cores) the kernel runs on" },
    { "in_shapes", CT_TEXT, "", "shapes of the inputs" },
    { "in_types", CT_TEXT, "", "data types of the inputs" },
    { "in_formats", CT_TEXT, "", "formats of the inputs" },
    { "out_shapes", CT_TEXT, "", "shapes of the outputs" },
    { "out_types", CT_TEXT, "", "data types of the outputs" },
    { "out_formats", CT_TEXT, "", "formats of the outputs" },
    { "source_id", CT_INT, "", "file" },
    { "line", CT_INT, "", "line or record there" },
    MARKS,
};
static const struct schema_column op_types_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "type", CT_TEXT, "", "op type" },
    { "core", CT_TEXT, "", "AIC, AIV, MIX, AICPU, HCCL, HOST, GPU, CPU or as recorded" },
    { "calls", CT_INT, "", "executions" },
    { "total_ns", CT_NS, "ns", "sum of durations" },
    { "avg_ns", CT_NSR, "ns", "mean duration" },
    { "min_ns", CT_NS, "ns", "shortest" },
    { "max_ns", CT_NS, "ns", "longest" },
    { "delay_avg_ns", CT_NSR, "ns", "mean delay from launch to start" },
    { "delay_max_ns", CT_NS, "ns", "longest delay from launch to start" },
};
static const struct schema_column op_names_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "op_name", CT_TEXT, "", "full name of the op" },
    { "type", CT_TEXT, "", "op type" },
    { "core", CT_TEXT, "", "AIC, AIV, MIX, AICPU, HCCL, HOST, GPU, CPU or as recorded" },
    { "calls", CT_INT, "", "executions" },
    { "total_ns", CT_NS, "ns", "sum of durations" },
    { "avg_ns", CT_NSR, "ns", "mean duration" },
    { "min_ns", CT_NS, "ns", "shortest" },
    { "max_ns", CT_NS, "ns", "longest" },
    { "delay_avg_ns", CT_NSR, "ns", "mean delay from launch to start" },
    { "delay_max_ns", CT_NS, "ns", "longest delay from launch to start" },
};
static const struct schema_column op_stats_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "by", CT_TEXT, "", "what a row stands for: type, op, shape, kernel, task" },
    { "name", CT_TEXT, "", "full name of the op" },
    { "type", CT_TEXT, "", "op type" },
    { "core", CT_TEXT, "", "core" },
    { "calls", CT_INT, "", "executions counted" },
    { "total_ns", CT_NSR, "ns", "sum of times" },
    { "avg_ns", CT_NSR, "ns", "mean time" },
    { "min_ns", CT_NSR, "ns", "shortest" },
    { "max_ns", CT_NSR, "ns", "longest" },
    { "share", CT_REAL, "ratio", "share of the total, 0 to 1, as the source gives it" },
    { "per", CT_TEXT, "", "run or step: what calls and total_ns count" },
    { "file", CT_TEXT, "", "file it comes from" },
    { "line", CT_INT, "", "line there" },
};
static const struct schema_column rank_step_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "step", CT_INT, "", "step number" },
    { "total_ns", CT_NS, "ns", "length" },
    { "interval_ns", CT_NS, "ns", "from the end of the last step to the first forward op" },
    { "fp_bp_ns", CT_NS, "ns", "from the first forward to the last backward op" },
    { "tail_ns", CT_NS, "ns", "from the last backward op to the end" },
    { "computing_ns", CT_NS, "ns", "computing" },
    { "comm_not_overlapped_ns", CT_NS, "ns", "communication while nothing computes" },
    { "overlapped_ns", CT_NS, "ns", "communication overlapped by computing" },
    { "communication_ns", CT_NS, "ns", "communication" },
    { "free_ns", CT_NS, "ns", "neither computing nor communication" },
};
static const struct schema_column events_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "kind", CT_TEXT, "", "kind of track, as in table track" },
    { "process", CT_TEXT, "", "process or layer of the track" },
    { "track", CT_TEXT, "", "name of the track" },
    { "ts_ns", CT_TS, "ns", "start, since the rank's origin" },
    { "dur_ns", CT_NS, "ns", "duration, 0 for a point" },
    { "depth", CT_INT, "", "lane of the track" },
    { "name", CT_TEXT, "", "name of the event" },
    { "source_off", CT_INT, "bytes", "place of its details in the source" },
    MARKS,
};
static const struct schema_column memory_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "component", CT_TEXT, "", "pool: GE, PTA, MindSpore, APP, HCCL ..." },
    { "ts_ns", CT_TS, "ns", "time, since the rank's origin" },
    { "time_utc", CT_TEXT, "", "wall clock time of ts_ns, UTC; NULL on another clock" },
    { "allocated_b", CT_BYTES, "bytes", "allocated" },
    { "reserved_b", CT_BYTES, "bytes", "reserved" },
    { "active_b", CT_BYTES, "bytes", "active" },
    { "device_type", CT_TEXT, "", "device, as recorded" },
};
static const struct schema_column queues_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "queue", CT_TEXT, "", "connector <op>, host, device or the node's name" },
    { "seq", CT_INT, "", "sample or batch number" },
    { "ts_ns", CT_TS, "ns", "time, where recorded, since the rank's origin" },
    { "size", CT_INT, "", "items in the queue" },
    { "capacity", CT_INT, "", "its capacity" },
};
static const struct schema_column communication_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "step", CT_INT, "", "step" },
    { "op_name", CT_TEXT, "", "communication op" },
    { "type", CT_TEXT, "", "its type" },
    { "group_name", CT_TEXT, "", "group of ranks" },
    { "kind", CT_TEXT, "", "collective or p2p" },
    { "ts_ns", CT_TS, "ns", "start, since the rank's origin" },
    { "dur_ns", CT_NS, "ns", "elapsed" },
    { "transit_ns", CT_NS, "ns", "moving data" },
    { "wait_ns", CT_NS, "ns", "waiting" },
    { "sync_ns", CT_NS, "ns", "waiting before the first transfer" },
    { "idle_ns", CT_NS, "ns", "neither" },
    { "size_b", CT_BYTES, "bytes", "bytes moved" },
    MARKS,
};
static const struct schema_column links_columns[] = {
    { "rank", CT_INT, "", "rank that recorded it" },
    { "step", CT_INT, "", "step" },
    { "op_name", CT_TEXT, "", "communication op, or type of ops" },
    { "group_name", CT_TEXT, "", "group of ranks" },
    { "stat", CT_TEXT, "", "op, total, top1, middle, ...: what the row stands for" },
    { "from_rank", CT_INT, "", "rank that sends; NULL: the members of the group are not known" },
    { "to_rank", CT_INT, "", "rank that receives; NULL as above" },
    { "src_rank", CT_INT, "", "from (number in the group)" },
    { "dst_rank", CT_INT, "", "to (number in the group)" },
    { "transport", CT_TEXT, "", "HCCS RDMA SDMA PCIE SIO LOCAL" },
    { "size_b", CT_BYTES, "bytes", "bytes moved" },
    { "time_ns", CT_NS, "ns", "time of moving" },
    { "bandwidth_b_per_s", CT_REAL, "bytes/s", "bandwidth as the source gives it" },
    { "packets", CT_INT, "", "packets" },
    { "large_share", CT_REAL, "ratio", "share of large packets, 0 to 1" },
};
static const struct schema_column counters_columns[] = {
    { "rank", CT_INT, "", "rank" },
    { "process", CT_TEXT, "", "what the counter belongs to" },
    { "counter", CT_TEXT, "", "name of the counter" },
    { "unit", CT_TEXT, "", "unit of a counter" },
    { "ts_ns", CT_TS, "ns", "when, since the rank's origin" },
    { "value", CT_REAL, "", "value" },
};
static const struct schema_column files_columns[] = {
    { "path", CT_TEXT, "", "path below the unit's root" },
    { "kind", CT_TEXT, "", "file kind" },
    { "rank", CT_INT, "", "rank the file belongs to, NULL when unknown" },
    { "device", CT_INT, "", "device the file belongs to, NULL when unknown" },
    { "size_b", CT_BYTES, "bytes", "size on disk" },
    { "rows", CT_INT, "", "rows, events or records read" },
    { "lost", CT_INT, "", "rows lost to damage" },
    { "state", CT_TEXT, "", "ok, TORN, LIMIT, EMPTY, BAD, ABSENT, OFF, UNREAD, NEWER" },
    { "feeds", CT_TEXT, "", "panes that show its data" },
    { "note", CT_TEXT, "", "reason for the state, with line or offset" },
};
#define COLUMN_ROW(t, name, type, unit, help) { #name, type, unit, help },
static const struct schema_column steps_columns[] = {
    COLS_step(COLUMN_ROW, step)
    { "time_utc", CT_TEXT, "", "wall clock time of start_ns, UTC; NULL on another clock" },
};
#undef COLUMN_ROW

#define TXT(id) "(SELECT text FROM string WHERE string.id = " id ")"
/* Absolute Unix ns of a stored instant of table alias x; NULL when the rank's clock is not Unix time. */
#define ABS(x, col) "(" x "." col " + ifnull((SELECT origin_ns FROM rank r WHERE r.rank = " x ".rank), 0))"
#define UTC(x, col) "CASE WHEN (SELECT clock FROM rank r WHERE r.rank = " x ".rank) = 'unix' THEN " \
    "strftime('%Y-%m-%d %H:%M:%S', " ABS(x, col) " / 1000000000, 'unixepoch') || printf('.%09d', " ABS(x, \
    col) " % 1000000000) END"

#define COLUMNS(v) v##_columns, sizeof v##_columns / sizeof v##_columns[0]

#define DELAYS "avg(l.delay_ns) AS delay_avg_ns, max(l.delay_ns) AS delay_max_ns"

const struct schema_view schema_views[] = {
    { "ops",
      "SELECT e.id, e.rank, e.device, e.step, " TXT("o.name_id") " AS op_name, " TXT("o.type_id")
      " AS type, o.core, e.stream, e.task, "
      "e.ts_ns, " UTC("e", "ts_ns") " AS time_utc, e.dur_ns, e.wait_ns, "
      "(SELECT delay_ns FROM op_launch l WHERE l.exec_id = e.id) AS delay_ns, o.block_num, "
      TXT("o.in_shapes_id") " AS in_shapes, " TXT("o.in_types_id") " AS in_types, "
      TXT("o.in_formats_id") " AS in_formats, " TXT("o.out_shapes_id") " AS out_shapes, "
      TXT("o.out_types_id") " AS out_types, "
      TXT("o.out_formats_id") " AS out_formats, e.source_id, e.line, e.ts_err_ns, e.damage "
      "FROM op_exec e LEFT JOIN op o ON o.id = "
      "e.op_id",
      "executions of ops with their texts", COLUMNS(ops) },
    { "op_types",
      "SELECT e.rank, " TXT("o.type_id") " AS type, o.core, count(*) AS calls, sum(e.dur_ns) AS total_ns, "
      "avg(e.dur_ns) AS avg_ns, "
      "min(e.dur_ns) AS min_ns, max(e.dur_ns) AS max_ns, " DELAYS
      " FROM op_exec e JOIN op o ON o.id = e.op_id LEFT JOIN op_launch l ON l.exec_id = e.id "
      "WHERE e.dur_ns IS NOT NULL GROUP BY e.rank, o.type_id, o.core",
      "executions grouped by op type", COLUMNS(op_types) },
    { "op_names",
      "SELECT e.rank, " TXT("o.name_id") " AS op_name, " TXT("o.type_id")
      " AS type, o.core, count(*) AS calls, sum(e.dur_ns) AS total_ns, "
      "avg(e.dur_ns) AS avg_ns, min(e.dur_ns) AS min_ns, max(e.dur_ns) AS max_ns, " DELAYS
      " FROM op_exec e JOIN op o ON o.id = e.op_id LEFT JOIN op_launch l ON l.exec_id = e.id "
      "WHERE e.dur_ns IS NOT NULL GROUP BY e.rank, o.name_id, o.type_id, o.core",
      "executions grouped by op name", COLUMNS(op_names) },
    { "op_stats",
      "SELECT s.rank, s.by, " TXT("s.name_id") " AS name, " TXT("s.type_id")
      " AS type, s.core, s.calls, s.total_ns, s.avg_ns, s.min_ns, s.max_ns, s.share, s.per, "
      "f.path AS file, s.line FROM op_stat s LEFT JOIN source f ON f.id = s.source_id",
      "the profiler's own aggregates", COLUMNS(op_stats) },
    { "steps",
      "SELECT s.*, " UTC("s", "start_ns") " AS time_utc FROM step s",
      "steps", COLUMNS(steps) },
    { "rank_step",
      "SELECT rank, step, total_ns, interval_ns, fp_bp_ns, tail_ns, computing_ns, comm_not_overlapped_ns, "
      "overlapped_ns, communication_ns, free_ns FROM step",
      "steps of every rank: of a job in its overview", COLUMNS(rank_step) },
    { "events",
      "SELECT t.rank, t.kind, " TXT("t.process_id") " AS process, " TXT("t.name_id")
      " AS track, e.ts_ns, e.dur_ns, e.depth, " TXT("e.name_id") " AS name, e.source_off, "
      "t.ts_err_ns, t.damage "
      "FROM event e JOIN track t ON t.id = e.track_id",
      "events of the timeline with their texts", COLUMNS(events) },
    { "memory",
      "SELECT m.rank, " TXT("m.component_id") " AS component, m.ts_ns, " UTC("m", "ts_ns")
      " AS time_utc, m.allocated_b, m.reserved_b, m.active_b, m.device_type FROM mem_sample m",
      "memory pools over time", COLUMNS(memory) },
    { "queues",
      "SELECT q.rank, q.queue, q.seq, q.ts_ns, q.size, q.capacity FROM queue_sample q",
      "samples of queues of the data pipeline", COLUMNS(queues) },
    { "communication",
      "SELECT c.rank, c.step, " TXT("c.name_id") " AS op_name, " TXT("c.type_id") " AS type, "
      TXT("c.group_id") " AS group_name, c.kind, c.ts_ns, c.dur_ns, c.transit_ns, "
      "c.wait_ns, c.sync_ns, c.idle_ns, c.size_b, c.ts_err_ns, c.damage FROM comm_exec c",
      "communication ops", COLUMNS(communication) },
    { "links",
      "SELECT l.rank, l.step, " TXT("l.name_id") " AS op_name, " TXT("l.group_id")
      " AS group_name, l.stat, l.from_rank, l.to_rank, l.src_rank, l.dst_rank, l.transport, "
      "l.size_b, l.time_ns, "
      "l.bandwidth AS bandwidth_b_per_s, l.packets, l.large_share FROM comm_link l",
      "traffic between ranks", COLUMNS(links) },
    { "counters",
      "SELECT t.rank, " TXT("t.process_id") " AS process, " TXT("t.name_id")
      " AS counter, t.unit, s.ts_ns, s.value FROM counter_sample s JOIN track t ON t.id = s.track_id",
      "counters of the timeline", COLUMNS(counters) },
    { "files",
      "SELECT path, kind, rank, device, size_b, rows, lost, state, feeds, note FROM source",
      "files of the run", COLUMNS(files) },
};
/* clang-format on */
const size_t schema_n_views = sizeof schema_views / sizeof schema_views[0];

/* clang-format off */
const struct schema_example schema_examples[] = {
    { "Which op types take the most time on the device?",
      "SELECT type, core, calls, total_ns FROM op_types ORDER BY total_ns DESC LIMIT 10" },
    { "Which ops vary most from call to call?",
      "SELECT op_name, calls, min_ns, max_ns, round(1.0 * max_ns / min_ns, 2) AS ratio FROM op_names "
      "WHERE calls > 1 AND min_ns > 0 ORDER BY ratio DESC LIMIT 10" },
    { "Which input shapes has the longest op type, and how long does each take?",
      "SELECT in_shapes, count(*) AS calls, avg(dur_ns) AS avg_ns FROM ops WHERE type = (SELECT type FROM "
      "op_types ORDER BY total_ns DESC LIMIT 1) GROUP BY in_shapes ORDER BY sum(dur_ns) DESC" },
    { "Which steps were the longest, and what were they made of?",
      "SELECT step, time_utc, total_ns, computing_ns, comm_not_overlapped_ns, free_ns FROM steps "
      "ORDER BY total_ns DESC LIMIT 5" },
    { "How much memory did each pool take at most?",
      "SELECT component, max(allocated_b) AS allocated_b, max(reserved_b) AS reserved_b FROM memory "
      "GROUP BY component" },
    { "Which calls of the host took the most time?",
      "SELECT process, name, count(*) AS calls, sum(dur_ns) AS total_ns FROM events WHERE kind = "
      "'host_thread' GROUP BY process, name ORDER BY total_ns DESC LIMIT 10" },
    { "How much of each type of communication is waiting?",
      "SELECT type, count(*) AS calls, sum(dur_ns) AS total_ns, round(100.0 * sum(wait_ns) / sum(dur_ns), 1) "
      "AS wait_pct FROM communication GROUP BY type ORDER BY total_ns DESC" },
    { "How fast was each link?",
      "SELECT from_rank, to_rank, transport, sum(size_b) AS size_b, round(sum(size_b) * 1e9 / sum(time_ns)) "
      "AS b_per_s FROM links WHERE time_ns > 0 GROUP BY from_rank, to_rank, transport" },
    { "What did the counters of the timeline show?",
      "SELECT counter, unit, count(*) AS samples, min(value) AS low, avg(value) AS mean, max(value) AS high "
      "FROM counters GROUP BY process, counter, unit" },
    { "Are the ranks of a job alike?",
      "SELECT rank, count(*) AS steps, avg(total_ns) AS step_ns, avg(computing_ns) AS computing_ns, "
      "avg(free_ns) AS free_ns FROM job.rank_step GROUP BY rank" },
};
/* clang-format on */
const size_t schema_n_examples = sizeof schema_examples / sizeof schema_examples[0];
