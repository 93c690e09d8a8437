/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and indexes as data (doc/store.md#unit-tables). */
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
    { "triage_act",       "last_activity", "rank" },
    { "logs_event_line",  "log_event",  "line_id" },
};
/* clang-format on */
const size_t schema_n_indexes = sizeof schema_indexes / sizeof schema_indexes[0];

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
