/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store's tables and columns as data (design: doc/store.md). DDL, `npuscope schema`, the man page
 * and the column numbers that parsers use come from the lists in schema_tables.h, so they cannot
 * disagree.
 *
 * COL(op_exec, ts_ns) is the position of a column in the row of values that sink_row() takes;
 * N_COLS(op_exec) their number.
 */
#ifndef NPUSCOPE_SCHEMA_H
#define NPUSCOPE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "store/schema_tables.h"

#define SCHEMA_VERSION        9
#define SCHEMA_APPLICATION_ID 0x4e505553 /* "NPUS" */

enum col_type {
    CT_ID, /* INTEGER PRIMARY KEY: the rowid; a NULL value lets the store number it */
    CT_INT,
    CT_REAL,
    CT_TEXT,  /* text stored in the row: only for short or unique texts */
    CT_STR,   /* INTEGER, id in table string; parsers give the result of sink_intern(), NULL for none */
    CT_TS,    /* INTEGER ns, an instant. Parsers give it absolute; the store keeps it relative to the
                rank's origin */
    CT_NS,    /* INTEGER ns, a measured duration */
    CT_NSR,   /* REAL ns, a computed time (means) */
    CT_BYTES, /* INTEGER bytes */
    CT_U64,   /* no declared type: INTEGER up to 2^63-1, decimal TEXT above (doc/store.md#64-bit-ids) */
    CT_BOOL
};

#define SCHEMA_ENUM(t, help) T_##t,
enum table_id { SCHEMA_TABLES(SCHEMA_ENUM) N_TABLES, STAGE_FIRST = 1000 };
#undef SCHEMA_ENUM

#define COL(t, c)                              col_##t##__##c
#define N_COLS(t)                              n_cols_##t
#define SCHEMA_COLS(t, name, type, unit, help) COL(t, name),
#define SCHEMA_TABLE(t, help)                  enum { COLS_##t(SCHEMA_COLS, t) N_COLS(t) };
SCHEMA_TABLES(SCHEMA_TABLE)
#undef SCHEMA_TABLE
#undef SCHEMA_COLS

struct schema_column {
    const char *name;
    enum col_type type;
    const char *unit; /* "ns", "bytes", "" ... */
    const char *help;
};

struct schema_table {
    enum table_id id;
    const char *name;
    const struct schema_column *cols;
    size_t n_cols;
    const char *help;
};

struct schema_index {
    const char *name, *table, *columns; /* named after the pane that needs it */
};

struct schema_view {
    const char *name, *sql, *help; /* for people who write SQL (doc/store.md#views) */
    const struct schema_column *cols;
    size_t n_cols;
};

struct schema_example {
    const char *question, *sql; /* worked statements over the views */
};

extern const struct schema_table schema_tables[N_TABLES];
extern const struct schema_index schema_indexes[];
extern const size_t schema_n_indexes;
extern const struct schema_view schema_views[];
extern const size_t schema_n_views;
extern const struct schema_example schema_examples[];
extern const size_t schema_n_examples;

/* SQL type name of a column type ("INTEGER", "" for CT_U64). */
const char *schema_sql_type(enum col_type t);
/* Position of a column by name, SIZE_MAX when there is none. */
size_t schema_find_column(const struct schema_table *t, const char *name);
/* The table of that name, N_TABLES when there is none. */
enum table_id schema_find_table(const char *name);

#endif
