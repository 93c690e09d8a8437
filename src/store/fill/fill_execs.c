/* SPDX-License-Identifier: Apache-2.0 */
/* Reading executions while filling, from the pages and from the database. */
#include "config.h"

#include <stdlib.h>

#include "store/pages/fill_bulk.h"
#include "store/pages/pages.h"
#include "store/pages/record.h"

/* In order of the table's columns, as record_ints() wants them. */
enum { X_OP, X_RANK, X_STREAM, X_TS, X_DUR, X_LINE, N_X };
static const size_t columns[N_X] = { COL(op_exec, op_id), COL(op_exec, rank),   COL(op_exec, stream),
                                     COL(op_exec, ts_ns), COL(op_exec, dur_ns), COL(op_exec, line) };

/* The fields of an op that each row needs, close together: struct op_entry is large. */
struct exec_op {
    uint32_t name_id, core;
};

struct walk {
    struct fill *f;
    struct exec_op *ops; /* by id - 1 */
    size_t n_ops;
    struct record_shapes shapes;
    fill_exec_fn *fn;
    void *arg;
};

static int gather_ops(struct walk *w, struct err *e)
{
    const struct fill *f = w->f;

    if (fill_ops_read(w->f, e))
        return e->code;
    w->ops = calloc(f->n_ops ? f->n_ops : 1, sizeof *w->ops);
    if (!w->ops)
        return err_nomem(e);
    for (w->n_ops = 0; w->n_ops < f->n_ops; w->n_ops++)
        w->ops[w->n_ops] = (struct exec_op){ f->ops[w->n_ops].key.name_id, f->ops[w->n_ops].core };
    return OK;
}

static int give(struct walk *w, const int64_t v[N_X], unsigned nulls, struct err *e)
{
    const struct exec_op *o = v[X_OP] > 0 && (uint64_t)v[X_OP] <= w->n_ops ? &w->ops[v[X_OP] - 1] : NULL;
    const struct fill_exec x = {
        .rank = (int)v[X_RANK],
        .stream = nulls >> X_STREAM & 1 ? FILL_NO_STREAM : v[X_STREAM],
        .name_id = o ? o->name_id : 0,
        .core = o ? fill_op_text(w->f, o->core) : STR_NULL,
        .ts_ns = v[X_TS],
        .dur_ns = v[X_DUR],
        .line = (uint64_t)v[X_LINE],
    };

    return nulls >> X_TS & 1 ? OK : w->fn(w->arg, &x, e);
}

static int give_page(struct walk *w, const unsigned char *page, struct err *e)
{
    uint32_t n = page_cells(page);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t ignored;
        int64_t v[N_X];
        unsigned nulls;
        const unsigned char *p = record_get_varint(page_get(page, i), &ignored);
        p = record_get_varint(p, &ignored);
        if (record_ints_of(&w->shapes, p, columns, N_X, v, &nulls) && give(w, v, nulls, e))
            return e->code;
    }
    return OK;
}

static int give_pages(struct walk *w, const struct bulk *b, struct err *e)
{
    uint32_t size = bulk_page_size(b);
    unsigned char *pages = bulk_read_room(b);
    size_t at = 0, n;

    if (!pages)
        return err_nomem(e);
    while (bulk_read(b, &at, pages, &n, e) == OK && n)
        for (size_t i = 0; i < n && !e->code; i++)
            if (give_page(w, pages + i * size, e))
                break;
    free(pages);
    return e->code;
}

/* Give the rows in the database to fn. */
static int give_rows(struct walk *w, struct err *e)
{
    sqlite3_stmt *st = NULL;
    int rc = SQLITE_DONE;

    if (db_prepare(w->f->db, &st,
                   "SELECT op_id, rank, stream, ts_ns, dur_ns, line FROM op_exec "
                   "WHERE ts_ns IS NOT NULL ORDER BY id",
                   e))
        return e->code;
    while (!e->code && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        int64_t v[N_X];
        unsigned nulls = 0;
        for (int i = 0; i < N_X; i++) {
            v[i] = sqlite3_column_int64(st, i);
            nulls |= sqlite3_column_type(st, i) == SQLITE_NULL ? 1u << i : 0;
        }
        if (give(w, v, nulls, e))
            break;
    }
    sqlite3_finalize(st);
    if (!e->code && rc != SQLITE_DONE)
        return db_error(e, w->f->db, rc, "cannot read the executions");
    return e->code;
}

int fill_execs(struct fill *f, fill_exec_fn *fn, void *arg, struct err *e)
{
    struct walk w = { .f = f, .fn = fn, .arg = arg };
    const struct bulk *b = f->tables[T_op_exec].bulk;

    if (gather_ops(&w, e) == OK && (!b || give_pages(&w, b, e) == OK))
        (void)give_rows(&w, e);
    free(w.ops);
    return e->code;
}
