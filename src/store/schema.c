/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, indexes and views as data (doc/store.md#unit-tables to #views). */
#include "config.h"

#include "store/schema.h"

#include <stdint.h>
#include <string.h>

/* clang-format off */
#define COLUMN_ROW(t, name, type, unit, help) { #name, type, unit, help },
#define TABLE_COLUMNS(t, help) \
    static const struct schema_column t##_columns[] = { COLS_##t(COLUMN_ROW, t) };
/* clang-format on */
SCHEMA_TABLES(TABLE_COLUMNS)
#undef TABLE_COLUMNS
#undef COLUMN_ROW

#define TABLE_ROW(t, help) [T_##t] = { T_##t, #t, t##_columns, N_COLS(t), help },
const struct schema_table schema_tables[N_TABLES] = { SCHEMA_TABLES(TABLE_ROW) };
#undef TABLE_ROW

/* clang-format off */
const struct schema_index schema_indexes[] = {
    { "ops_exec_op",      "op_exec",    "op_id" },
    { "time_exec_ts",     "op_exec",    "rank, stream, ts_ns" },
    { "ops_op_name",      "op",         "name_id" },
    { "flops_op", "op_flops", "op_id" },
    { "ops_stat_name", "op_stat", "name_id" },
    { "steps_step",       "step",       "rank, step" },
    { "steps_part",       "step_part",  "rank, step" },
    { "mem_sample_ts",    "mem_sample", "rank, ts_ns" },
    { "comm_link_pair",   "comm_link",  "rank, src_rank, dst_rank" },
    { "files_note",       "note",       "source_id" },
};
const size_t schema_n_indexes = sizeof schema_indexes / sizeof schema_indexes[0];

#define TXT(id) "(SELECT text FROM string WHERE string.id = " id ")"
/* Absolute Unix ns of a stored instant of table alias x; NULL when the rank's clock is not Unix time. */
#define ABS(x, col) "(" x "." col " + ifnull((SELECT origin_ns FROM rank r WHERE r.rank = " x ".rank), 0))"
#define UTC(x, col) "CASE WHEN (SELECT clock FROM rank r WHERE r.rank = " x ".rank) = 'unix' THEN " \
    "strftime('%Y-%m-%d %H:%M:%S', " ABS(x, col) " / 1000000000, 'unixepoch') || printf('.%09d', " ABS(x, \
    col) " % 1000000000) END"
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
      TXT("o.out_formats_id") " AS out_formats, e.source_id, e.line FROM op_exec e LEFT JOIN op o ON o.id = "
      "e.op_id",
      "executions of ops with their texts" },
    { "op_types",
      "SELECT e.rank, " TXT("o.type_id") " AS type, o.core, count(*) AS calls, sum(e.dur_ns) AS total_ns, "
      "avg(e.dur_ns) AS avg_ns, "
      "min(e.dur_ns) AS min_ns, max(e.dur_ns) AS max_ns, " DELAYS
      " FROM op_exec e JOIN op o ON o.id = e.op_id LEFT JOIN op_launch l ON l.exec_id = e.id "
      "GROUP BY e.rank, o.type_id, o.core",
      "executions grouped by op type" },
    { "op_names",
      "SELECT e.rank, " TXT("o.name_id") " AS op_name, " TXT("o.type_id")
      " AS type, o.core, count(*) AS calls, sum(e.dur_ns) AS total_ns, "
      "avg(e.dur_ns) AS avg_ns, min(e.dur_ns) AS min_ns, max(e.dur_ns) AS max_ns, " DELAYS
      " FROM op_exec e JOIN op o ON o.id = e.op_id LEFT JOIN op_launch l ON l.exec_id = e.id "
      "GROUP BY e.rank, o.name_id, o.type_id, o.core",
      "executions grouped by op name" },
    { "op_stats",
      "SELECT s.rank, s.by, " TXT("s.name_id") " AS name, " TXT("s.type_id")
      " AS type, s.core, s.calls, s.total_ns, s.avg_ns, s.min_ns, s.max_ns, s.share, s.per, "
      "f.path AS file, s.line FROM op_stat s LEFT JOIN source f ON f.id = s.source_id",
      "the profiler's own aggregates" },
    { "steps",
      "SELECT s.*, " UTC("s", "start_ns") " AS time_utc FROM step s",
      "steps" },
    { "rank_step",
      "SELECT rank, step, total_ns, interval_ns, fp_bp_ns, tail_ns, computing_ns, comm_not_overlapped_ns, "
      "overlapped_ns, communication_ns, free_ns FROM step",
      "steps of every rank: of a job in its overview" },
    { "events",
      "SELECT t.rank, t.kind, " TXT("t.process_id") " AS process, " TXT("t.name_id")
      " AS track, e.ts_ns, e.dur_ns, e.depth, " TXT("e.name_id") " AS name, e.source_off "
      "FROM event e JOIN track t ON t.id = e.track_id",
      "events of the timeline with their texts" },
    { "memory",
      "SELECT m.rank, " TXT("m.component_id") " AS component, m.ts_ns, " UTC("m", "ts_ns")
      " AS time_utc, m.allocated_b, m.reserved_b, m.active_b, m.device_type FROM mem_sample m",
      "memory pools over time" },
    { "queues",
      "SELECT q.rank, q.queue, q.seq, q.ts_ns, q.size, q.capacity FROM queue_sample q",
      "queues of the data pipeline" },
    { "communication",
      "SELECT c.rank, c.step, " TXT("c.name_id") " AS op_name, " TXT("c.type_id") " AS type, "
      TXT("c.group_id") " AS group_name, c.kind, c.ts_ns, c.dur_ns, c.transit_ns, "
      "c.wait_ns, c.sync_ns, c.idle_ns, c.size_b FROM comm_exec c",
      "communication ops" },
    { "links",
      "SELECT l.rank, l.step, " TXT("l.name_id") " AS op_name, " TXT("l.group_id")
      " AS group_name, l.stat, l.src_rank, l.dst_rank, l.transport, l.size_b, l.time_ns, "
      "l.bandwidth AS bandwidth_b_per_s, l.packets, l.large_share FROM comm_link l",
      "traffic between ranks" },
    { "counters",
      "SELECT t.rank, " TXT("t.process_id") " AS process, " TXT("t.name_id")
      " AS counter, t.unit, s.ts_ns, s.value FROM counter_sample s JOIN track t ON t.id = s.track_id",
      "counters of the timeline" },
    { "files",
      "SELECT path, kind, rank, device, size_b, rows, lost, state, feeds, note FROM source",
      "files of the run" },
};
/* clang-format on */
const size_t schema_n_views = sizeof schema_views / sizeof schema_views[0];

const char *schema_sql_type(enum col_type t)
{
    switch (t) {
    case CT_ID:
        return "INTEGER PRIMARY KEY";
    case CT_REAL:
    case CT_NSR:
        return "REAL";
    case CT_TEXT:
        return "TEXT";
    case CT_U64:
        return "";
    default:
        return "INTEGER";
    }
}

enum table_id schema_find_table(const char *name)
{
    enum table_id t = 0;

    while (t < N_TABLES && strcmp(schema_tables[t].name, name) != 0)
        t++;
    return t;
}

size_t schema_find_column(const struct schema_table *t, const char *name)
{
    for (size_t i = 0; i < t->n_cols; i++)
        if (strcmp(t->cols[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}
