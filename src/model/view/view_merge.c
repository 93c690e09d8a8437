/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of several ranks as one: each rank's are put into a table of the first store, and grouped there. */
#include "config.h"

#include "model/view/view_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQL_B  ((size_t)1 << 20)
#define KEYS_B ((size_t)4 << 20) /* of one row */

static int run(struct store *s, struct buf *sql, struct err *e)
{
    return buf_failed(sql) ? err_nomem(e) : store_exec(s, sql->p, e);
}

static void drop(struct store *s, const char *table)
{
    struct err ignored = ERR_INIT;
    char sql[100];

    snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS temp.%s", table);
    if (store_exec(s, sql, &ignored))
        err_clear(&ignored); /* goes with the connection */
}

static int make_table(const struct view *v, struct store *s, struct query **insert, struct err *e)
{
    struct buf sql;

    drop(s, "each_rank");
    buf_init(&sql, SQL_B);
    buf_puts(&sql, "CREATE TEMP TABLE each_rank(rank");
    for (size_t i = 0; i < v->def->n_cols; i++)
        buf_printf(&sql, ", \"%s\"", v->def->cols[i].id);
    buf_addc(&sql, ')');
    int rc = run(s, &sql, e);
    buf_clear(&sql);
    buf_puts(&sql, "INSERT INTO temp.each_rank VALUES(:rank");
    for (size_t i = 0; i < v->def->n_cols; i++)
        buf_printf(&sql, ", :c%zu", i);
    buf_addc(&sql, ')');
    if (rc == OK)
        rc = buf_failed(&sql) ? err_nomem(e) : store_query(s, insert, sql.p, e);
    buf_done(&sql);
    return rc;
}

static int put_row(struct query *insert, int rank, const struct val *row, size_t n, struct err *e)
{
    query_bind_int(insert, ":rank", rank);
    for (size_t i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, ":c%zu", i);
        query_bind_val(insert, name, &row[i]);
    }
    int rc = query_step(insert, e);
    query_reset(insert);
    return rc < 0 ? e->code : OK;
}

static int put_part(struct view *v, const struct part_state *p, struct query *insert, struct err *e)
{
    const size_t n = v->def->n_cols;

    for (size_t i = 0; i < rowset_rows(p->rows); i++) {
        arena_reset(v->page_arena);
        struct val *row = arena_array(v->page_arena, n ? n : 1, sizeof *row);
        if (!row)
            return err_nomem(e);
        if (rowset_row(p->rows, i, v->page_arena, row, e) || put_row(insert, p->p.rank, row, n, e))
            return e->code;
    }
    return OK;
}

static const char *expr_of(const struct view_merge *m, const char *id)
{
    for (size_t i = 0; i < m->n_cols; i++)
        if (!strcmp(m->cols[i].id, id))
            return m->cols[i].expr;
    return NULL;
}

/* As the rows of a statement are kept (rowset_open_temp()). */
static int group_rows(const struct view *v, struct store *s, const char *name, struct err *e)
{
    const struct view_merge *m = v->def->merge;
    struct buf sql;

    buf_init(&sql, SQL_B);
    buf_printf(&sql, "CREATE TEMP TABLE %s AS SELECT ", name);
    for (size_t i = 0; i < v->def->n_cols; i++) {
        const char *id = v->def->cols[i].id, *expr = expr_of(m, id);
        buf_puts(&sql, i ? ", " : "");
        if (expr)
            buf_puts(&sql, expr);
        else
            buf_printf(&sql, "min(\"%s\")", id);
        buf_printf(&sql, " AS c%zu", i);
    }
    buf_printf(&sql, " FROM %s GROUP BY %s", m->from, m->group);
    int rc = run(s, &sql, e);
    buf_done(&sql);
    return rc;
}

/* Columns that rows are grouped by; returns how many. */
static size_t group_columns(const struct view_def *d, int *cols, size_t most)
{
    struct str rest = str_of(d->merge->group), word;
    size_t n = 0;
    char id[64];

    while (n < most && str_next(&rest, ',', &word)) {
        str_copy(str_trim(word), id, sizeof id);
        cols[n] = view_def_find_col(d, id);
        n += cols[n] >= 0;
    }
    return n;
}

static int64_t key_of(const struct val *row, const int *cols, size_t n)
{
    uint64_t key = 0;

    for (size_t i = 0; i < n; i++) {
        const struct val *v = &row[cols[i]];
        const uint64_t number[] = { v->t, v->t == VAL_INT ? (uint64_t)v->i : 0 };
        const struct str bytes = { (const char *)number, sizeof number };
        key = v->t == VAL_TEXT ? str_hash(v->s, key + 1) : str_hash(bytes, key);
    }
    return (int64_t)(key >> 1);
}

const int64_t *view_merge_keys(struct view *v)
{
    struct arena *a = NULL;
    struct err ignored = ERR_INIT;
    int cols[8];

    if (v->merge_keys || !v->def->merge || v->n_parts != 1)
        return v->merge_keys;
    struct rowset *rows = v->parts[0].rows;
    const size_t n = group_columns(v->def, cols, ARRAY_LEN(cols)), n_rows = rowset_rows(rows);
    int64_t *keys = calloc(n_rows + 1, sizeof *keys);
    bool ok = n && keys && arena_new(&a, KEYS_B, &ignored) == OK;
    for (size_t i = 0; ok && i < n_rows; i++) {
        arena_reset(a);
        struct val *row = arena_array(a, v->def->n_cols, sizeof *row);
        ok = row && rowset_row(rows, i, a, row, &ignored) == OK;
        keys[i] = ok ? key_of(row, cols, n) : 0;
    }
    arena_free(a);
    if (ok)
        v->merge_keys = keys;
    else
        free(keys);
    return v->merge_keys;
}

int view_merge_parts(struct view *v, struct err *e)
{
    struct part_state *first = &v->parts[0];
    struct store *s = first->p.store;
    struct rowset *rows = NULL;
    struct query *insert = NULL;
    char name[48];

    snprintf(name, sizeof name, "m%" PRIxPTR, (uintptr_t)v);
    if (make_table(v, s, &insert, e))
        goto out;
    for (size_t i = 0; i < v->n_parts; i++)
        if (put_part(v, &v->parts[i], insert, e))
            goto out;
    if (group_rows(v, s, name, e) || rowset_open_temp(&rows, v->pool, v->def, s, name, e)) {
        drop(s, name);
        goto out;
    }
    for (size_t i = 0; i < v->n_parts; i++)
        rowset_close(v->parts[i].rows);
    first->rows = rows;
    first->has_clock = false;
    v->merged = v->n_parts;
    v->n_parts = 1;
    v->with_rank = false;
out:
    query_free(insert);
    drop(s, "each_rank");
    return e->code;
}
