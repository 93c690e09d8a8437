/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a rowset: the SQL that reads them, their keys. */
#include "config.h"

#include "base/grow.h"
#include "model/view/rowset_int.h"
#include "model/views/colset.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The alias: the word at the end of "op_exec e". */
struct str rowset_alias_of(const char *from)
{
    struct str s = str_of(from);
    size_t blank = str_rchr(s, ' ');

    return blank == SIZE_MAX ? s : str_sub(s, blank + 1, s.n);
}

/* Whether "e." occurs in expr, not as the end of a longer word. */
bool rowset_mentions(const char *expr, struct str alias)
{
    struct str s = str_of(expr);

    for (size_t at = 0; (at = str_find(s, alias, at)) != SIZE_MAX; at++)
        if ((at == 0 || !str_is_word(s.p[at - 1])) && at + alias.n < s.n && s.p[at + alias.n] == '.')
            return true;
    return false;
}

/* One table with an alias can be read in the order of its keys, whatever indexes there are. */
bool rowset_is_one_table(const char *from)
{
    size_t blanks = 0;

    for (const char *c = from; *c; c++) {
        blanks += *c == ' ';
        if (*c != ' ' && !str_is_word(*c))
            return false;
    }
    return blanks == 1;
}

void rowset_add_from(const struct rowset *r, struct buf *sql)
{
    if (r->temp[0])
        buf_printf(sql, " FROM temp.%s", r->temp);
    else if (r->is_dim)
        buf_printf(sql, " FROM %s NOT INDEXED", r->def->dim);
    else
        buf_printf(sql, " FROM %s%s", r->def->from, rowset_is_one_table(r->def->from) ? " NOT INDEXED" : "");
}

void rowset_add_joined(const struct rowset *r, struct buf *sql)
{
    rowset_add_from(r, sql);
    if (!r->temp[0] && r->def->dim)
        buf_printf(sql, " LEFT JOIN %s ON %s = %s", r->def->dim, r->def->dim_id, r->def->dim_ref);
}

const char *rowset_key_expr(const struct rowset *r)
{
    return r->temp[0] ? "rowid" : r->is_dim ? r->def->dim_id : r->def->key;
}

/* Append the expression of a column as it is kept (raw: string ids), or as it is shown. */
void rowset_add_expr(const struct rowset *r, size_t col, bool raw, struct buf *sql)
{
    const struct view_def *d = r->def;
    struct str id;

    if (col >= d->n_cols) {
        buf_puts(sql, col == COL_STEP(r) ? d->step : d->dim_ref);
    } else if (r->numbered) {
        buf_printf(sql, "c%zu", col);
    } else if (r->temp[0]) {
        bool string = !raw && colset_string(d->cols[col].expr, &id);
        buf_printf(sql, string ? COLSET_TEXT("\"%s\"") : "\"%s\"", d->cols[col].id);
    } else if (raw && colset_string(d->cols[col].expr, &id)) {
        buf_add(sql, id);
    } else {
        buf_puts(sql, d->cols[col].expr);
    }
}

int rowset_query(const struct rowset *r, struct buf *sql, struct query **q, struct err *e)
{
    if (buf_failed(sql))
        return err_nomem(e);
    if (store_query(r->part.store, q, sql->p, e))
        return e->code;
    query_bind_int(*q, ":rank", r->part.rank);
    query_bind_int(*q, ":first_step", r->scope.first_step);
    if (r->scope.step0 != INT64_MIN)
        query_bind_int(*q, ":step0", r->scope.step0);
    if (r->scope.step1 != INT64_MAX)
        query_bind_int(*q, ":step1", r->scope.step1);
    if (r->scope.has_moment)
        query_bind_int(*q, ":moment", r->scope.moment);
    return OK;
}

size_t rowset_rows(const struct rowset *r)
{
    return r->n;
}

int64_t rowset_key(const struct rowset *r, size_t row)
{
    return r->keys.p ? column_int(&r->keys, row) : r->first_key + (int64_t)row;
}

size_t rowset_find(const struct rowset *r, int64_t key)
{
    size_t lo = 0, hi = r->n;

    if (!r->n || key < rowset_key(r, 0) || key > rowset_key(r, r->n - 1))
        return SIZE_MAX;
    if (!r->keys.p)
        return (size_t)(key - r->first_key);
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (column_int(&r->keys, mid) < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return column_int(&r->keys, lo) == key ? lo : SIZE_MAX;
}

void rowpool_charge(struct rowpool *p, size_t before_b, size_t now_b)
{
    p->used = p->used - before_b + now_b;
}
