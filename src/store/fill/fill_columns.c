/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables whose columns depend on the run: columns found in the source are added before the first row that
 * needs them.
 */
#include "config.h"

#include "store/fill/fill_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/pages/record.h"

static void table_init(struct fill *f, enum table_id t)
{
    struct table_state *ts = &f->tables[t];
    const struct schema_table *d = &schema_tables[t];
    size_t k = 0;

    if (ts->n_cols)
        return;
    ts->n_cols = d->n_cols;
    ts->rank_col = ts->source_col = -1;
    for (size_t i = 0; i < d->n_cols; i++) {
        if (strcmp(d->cols[i].name, "rank") == 0)
            ts->rank_col = (int)i;
        if (strcmp(d->cols[i].name, "source_id") == 0)
            ts->source_col = (int)i;
        if (d->cols[i].type == CT_TS && k + 1 < ARRAY_LEN(ts->ts_cols))
            ts->ts_cols[k++] = (int)i;
    }
    ts->ts_cols[k] = -1;
}

static unsigned char affinity_of(enum col_type type)
{
    const char *sql = schema_sql_type(type);

    return sql[0] == 'I'   ? AFFINITY_INTEGER
           : sql[0] == 'R' ? AFFINITY_REAL
           : sql[0] == 'T' ? AFFINITY_TEXT
                           : AFFINITY_NONE;
}

int fill_table_fit(struct fill *f, enum table_id t, struct err *e)
{
    struct table_state *ts = &f->tables[t];
    const struct schema_table *d = &schema_tables[t];

    table_init(f, t);
    struct val *row = realloc(ts->row, ts->n_cols * sizeof *row);
    if (row)
        ts->row = row;
    unsigned char *affinity = row ? realloc(ts->affinity, ts->n_cols) : NULL;
    if (!affinity)
        return err_nomem(e);
    ts->affinity = affinity;
    for (size_t i = 0; i < ts->n_cols; i++)
        affinity[i] = affinity_of(i < d->n_cols ? d->cols[i].type : ts->added[i - d->n_cols].type);
    ts->n_row = ts->n_cols;
    return OK;
}

/* Name of an added column as an SQL identifier, without quotes and control bytes. */
static char *column_name(struct str name)
{
    char *c = malloc(name.n + 1);
    size_t n = 0;

    if (!c)
        return NULL;
    for (size_t i = 0; i < name.n && n < 100; i++)
        if ((unsigned char)name.p[i] >= 0x20 && name.p[i] != '"' && name.p[i] != 0x7f)
            c[n++] = name.p[i];
    if (!n)
        c[n++] = '_';
    c[n] = 0;
    return c;
}

/* Takes name over. */
static int add_column(struct table_state *ts, char *name, enum col_type type, struct err *e)
{
    struct added_column *p = realloc(ts->added, (ts->n_added + 1) * sizeof *p);

    if (!p || !name) {
        ts->added = p ? p : ts->added;
        free(name);
        return err_nomem(e);
    }
    ts->added = p;
    ts->added[ts->n_added++] = (struct added_column){ name, type };
    ts->n_cols++;
    return OK;
}

int fill_column(struct sink *s, enum table_id t, struct str name, enum col_type type, size_t *index,
                struct err *e)
{
    struct fill *f = (struct fill *)s;
    struct table_state *ts = &f->tables[t];
    const struct schema_table *d = &schema_tables[t];
    char *c = column_name(name);

    if (!c)
        return err_nomem(e);
    table_init(f, t);
    size_t at = schema_find_column(d, c);
    for (size_t i = 0; at == SIZE_MAX && i < ts->n_added; i++)
        if (sqlite3_stricmp(ts->added[i].name, c) == 0)
            at = d->n_cols + i;
    *index = at != SIZE_MAX ? at : ts->n_cols;
    if (at != SIZE_MAX) {
        free(c);
        return OK;
    }
    sqlite3_finalize(ts->insert);
    ts->insert = NULL;
    return add_column(ts, c, type, e);
}

void fill_columns_names(const struct fill *f, enum table_id t, struct buf *sql)
{
    const struct schema_table *d = &schema_tables[t];
    const struct table_state *ts = &f->tables[t];

    for (size_t i = 0; i < d->n_cols + ts->n_added; i++)
        buf_printf(sql, "%s\"%s\"", i ? "," : "",
                   i < d->n_cols ? d->cols[i].name : ts->added[i - d->n_cols].name);
}

void fill_columns_defs(const struct fill *f, enum table_id t, struct buf *sql)
{
    const struct schema_table *d = &schema_tables[t];
    const struct table_state *ts = &f->tables[t];

    buf_printf(sql, "CREATE TABLE %s(", d->name);
    for (size_t i = 0; i < d->n_cols; i++)
        buf_printf(sql, "%s\"%s\" %s", i ? ", " : "", d->cols[i].name, schema_sql_type(d->cols[i].type));
    for (size_t i = 0; i < ts->n_added; i++)
        buf_printf(sql, ", \"%s\" %s", ts->added[i].name, schema_sql_type(ts->added[i].type));
    buf_puts(sql, ");\n");
}

/*
 * Make the table with all columns at once: SQLite reads its whole schema again for each column that is added
 * to a table (36 counters: 40 ms).
 */
static int make_anew(struct fill *f, enum table_id t, struct err *e)
{
    struct buf sql;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "DROP TABLE %s; ", schema_tables[t].name);
    fill_columns_defs(f, t, &sql);
    int rc = buf_failed(&sql) ? err_nomem(e) : db_exec(f->db, sql.p, e);
    buf_done(&sql);
    return rc;
}

static int add_to_table(struct fill *f, enum table_id t, size_t i, struct err *e)
{
    const struct added_column *c = &f->tables[t].added[i];
    char *sql = sqlite3_mprintf("ALTER TABLE %s ADD COLUMN \"%w\" %s", schema_tables[t].name, c->name,
                                schema_sql_type(c->type));
    int rc = sql ? db_exec(f->db, sql, e) : err_nomem(e);

    sqlite3_free(sql);
    return rc;
}

/* The table has no rows, and no index that would go with it. */
static bool is_untouched(struct fill *f, enum table_id t)
{
    char sql[200];
    sqlite3_stmt *st = NULL;
    struct err ignored = ERR_INIT;

    sqlite3_snprintf(sizeof sql, sql,
                     "SELECT 1 FROM %s UNION ALL SELECT 1 FROM sqlite_master WHERE type = 'index' "
                     "AND tbl_name = '%q' LIMIT 1",
                     schema_tables[t].name, schema_tables[t].name);
    bool untouched = db_prepare(f->db, &st, sql, &ignored) == OK && sqlite3_step(st) == SQLITE_DONE;
    sqlite3_finalize(st);
    return untouched;
}

int fill_columns_make(struct fill *f, enum table_id t, struct err *e)
{
    struct table_state *ts = &f->tables[t];

    if (ts->n_made == ts->n_added)
        return OK;
    if (is_untouched(f, t)) {
        if (make_anew(f, t, e))
            return e->code;
        ts->n_made = ts->n_added;
    }
    for (; ts->n_made < ts->n_added; ts->n_made++)
        if (add_to_table(f, t, ts->n_made, e))
            return e->code;
    return OK;
}

void fill_columns_drop(struct table_state *ts)
{
    for (size_t i = 0; i < ts->n_added; i++)
        free(ts->added[i].name);
    ts->n_cols -= ts->n_cols ? ts->n_added : 0;
    ts->n_added = ts->n_made = ts->n_row = 0;
}

/* Type of a column that was added, from the SQL type that schema_sql_type() gave it. */
static enum col_type type_of(const char *sql)
{
    return !sql || !sql[0] ? CT_U64 : sql[0] == 'I' ? CT_INT : sql[0] == 'T' ? CT_TEXT : CT_REAL;
}

int fill_columns_read(struct fill *f, enum table_id t, struct err *e)
{
    struct table_state *ts = &f->tables[t];
    const struct schema_table *d = &schema_tables[t];
    sqlite3_stmt *st = NULL;
    char sql[100];

    table_init(f, t);
    fill_columns_drop(ts);
    snprintf(sql, sizeof sql, "SELECT * FROM %s", d->name);
    if (db_prepare(f->db, &st, sql, e))
        return e->code;
    for (int i = (int)d->n_cols; i < sqlite3_column_count(st) && !e->code; i++)
        if (add_column(ts, strdup(sqlite3_column_name(st, i)), type_of(sqlite3_column_decltype(st, i)), e) ==
            OK)
            ts->n_made++;
    sqlite3_finalize(st);
    return e->code;
}
