/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a rowset, read in slices when first needed, and the pool that bounds them. */
#include "config.h"

#include "model/view/rowset_int.h"

#include <stdlib.h>

#include "model/view/slice.h"
#include "model/views/colset.h"

#define SCAN_ROWS   16384 /* rows read between two looks at the clock */
#define SCAN_TEXTS  4096
#define LOOKUP_COST 8 /* one text by id costs as much as so many in sequence */

struct load {
    struct column_build *b;
    enum column_source source;
    struct query *q, *texts;
    size_t row;          /* rows before it are read */
    const uint32_t *ids; /* of CS_STRING, once all rows are read */
    size_t n_ids, at;
    bool by_id; /* read texts one by one */
    /* for the running statement */
    struct rowset *r;
    bool to_dim;
    struct err *e;
    size_t hint, dim_hint;
};

static void load_free(struct load *l)
{
    if (!l)
        return;
    query_free(l->q);
    query_free(l->texts);
    column_build_free(l->b);
    free(l);
}

void rowset_drop(struct rowset *r, size_t col)
{
    struct slot *s = &r->slots[col];

    load_free(s->load);
    s->load = NULL;
    if (s->ready)
        rowpool_charge(r->pool, column_bytes(&s->c), 0);
    column_done(&s->c);
    s->ready = false;
}

size_t rowset_step_col(const struct rowset *r)
{
    const struct view_def *d = r->def;

    if (!d->step || r->temp[0])
        return SIZE_MAX;
    for (size_t i = 0; i < d->n_cols; i++)
        if (d->cols[i].type == VT_INT && str_eq(str_of(d->cols[i].expr), str_of(d->step)))
            return i;
    return COL_STEP(r);
}

static enum column_source source_of(const struct rowset *r, size_t col)
{
    struct str id;

    if (col >= r->def->n_cols)
        return col == COL_STEP(r) ? CS_NUMBER : CS_CODE;
    if (r->def->cols[col].type != VT_TEXT)
        return CS_NUMBER;
    return !r->numbered && colset_string(r->def->cols[col].expr, &id) ? CS_STRING : CS_TEXT;
}

/* ---- reading ---- */

static bool on_value(void *arg, const struct val *v, size_t n)
{
    struct load *l = arg;
    size_t row = rowset_place(l->r, v[0].i, &l->hint);

    if (row == SIZE_MAX || n < 2)
        return true;
    struct val x = v[1];
    if (l->to_dim) {
        size_t to = x.t == VAL_INT ? rowset_place(l->r->dim, x.i, &l->dim_hint) : SIZE_MAX;
        x = to == SIZE_MAX ? val_null() : val_int((int64_t)to + 1);
    }
    if (!column_build_put(l->b, row, &x))
        err_nomem(l->e);
    return l->e->code == OK;
}

static int load_begin(struct rowset *r, size_t col, struct err *e)
{
    struct load *l = r->slots[col].load = calloc(1, sizeof *l);
    struct buf sql;

    if (!l)
        return err_nomem(e);
    l->r = r;
    l->source = source_of(r, col);
    l->to_dim = l->source == CS_CODE;
    if (column_build_new(&l->b, l->source, r->n, e))
        return e->code;
    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "SELECT each_row(:each_row, %s, ", rowset_key_expr(r));
    rowset_add_expr(r, col, true, &sql);
    buf_addc(&sql, ')');
    rowset_add_from(r, &sql);
    buf_printf(&sql, " WHERE %s BETWEEN :key0 AND :key1", rowset_key_expr(r));
    int rc = rowset_query(r, &sql, &l->q, e);
    buf_done(&sql);
    return rc;
}

static int load_rows(struct load *l, int64_t until_ns, struct err *e)
{
    const struct rowset *r = l->r;

    while (l->row < r->n) {
        size_t to = r->n - l->row > SCAN_ROWS ? l->row + SCAN_ROWS : r->n;
        query_bind_int(l->q, ":key0", rowset_key(r, l->row));
        query_bind_int(l->q, ":key1", rowset_key(r, to - 1));
        l->hint = l->row;
        l->e = e;
        if (query_each(l->q, on_value, l, e))
            return e->code;
        l->row = to;
        if (l->source == CS_TEXT) /* every text is read once, and the column takes room of its own */
            store_leave_pages(r->part.store);
        if (slice_over(until_ns))
            break;
    }
    return OK;
}

/* Texts come in the order of their ids; a missing text becomes empty. */
static bool on_text(void *arg, const struct val *v, size_t n)
{
    struct load *l = arg;

    while (n > 1 && l->at < l->n_ids && l->ids[l->at] <= v[0].i) {
        bool here = l->ids[l->at] == v[0].i && v[1].t == VAL_TEXT;
        if (column_build_text(l->b, here ? v[1].s : STR(""), l->e))
            return false;
        l->at++;
    }
    return true;
}

static int texts_begin(struct load *l, struct err *e)
{
    if (column_build_ids(l->b, &l->ids, &l->n_ids, e)) {
        if (e->code == ERR_FORMAT)
            err_where(e, store_path(l->r->part.store), ERR_NO_OFFSET, 0);
        return e->code;
    }
    l->by_id = l->n_ids && l->n_ids * LOOKUP_COST < l->ids[l->n_ids - 1] - l->ids[0];
    return store_query(l->r->part.store, &l->texts,
                       "SELECT each_row(:each_row, id, text) FROM string WHERE id BETWEEN :key0 "
                       "AND :key1",
                       e);
}

static int load_texts(struct load *l, int64_t until_ns, struct err *e)
{
    if (!l->texts && texts_begin(l, e))
        return e->code;
    while (l->at < l->n_ids) {
        uint32_t first = l->ids[l->at], last = first;
        if (!l->by_id && (last += SCAN_TEXTS) > l->ids[l->n_ids - 1])
            last = l->ids[l->n_ids - 1];
        query_bind_int(l->texts, ":key0", first);
        query_bind_int(l->texts, ":key1", last);
        l->e = e;
        if (query_each(l->texts, on_text, l, e))
            return e->code;
        const struct val end[] = { val_int(last), val_null() };
        if (!on_text(l, end, 2)) /* ids up to `last` that have no text */
            return e->code;
        if ((!l->by_id || l->at % 64 == 0) && slice_over(until_ns))
            break;
    }
    return OK;
}

static int load_end(struct rowset *r, size_t col, struct err *e)
{
    struct slot *s = &r->slots[col];

    if (column_build_end(s->load->b, &s->c, e) == OK) {
        s->ready = true;
        s->used_at = ++r->pool->clock; /* the caller is about to use it */
        rowpool_charge(r->pool, 0, column_bytes(&s->c));
    }
    load_free(s->load);
    s->load = NULL;
    return e->code;
}

/* One column of this rowset itself. */
static int need_own(struct rowset *r, size_t col, int64_t until_ns, bool *ready, struct err *e)
{
    struct slot *s = &r->slots[col];

    *ready = s->ready;
    if (s->ready)
        return OK;
    if (!s->load && load_begin(r, col, e))
        goto fail;
    struct load *l = s->load;
    if (l->row < r->n && load_rows(l, until_ns, e))
        goto fail;
    if (l->row < r->n)
        return OK;
    if (l->source == CS_STRING) {
        if (load_texts(l, until_ns, e))
            goto fail;
        if (l->at < l->n_ids)
            return OK;
    }
    if (load_end(r, col, e))
        return e->code;
    *ready = true;
    return OK;
fail:
    load_free(s->load);
    s->load = NULL;
    return e->code;
}

int rowset_need(struct rowset *r, size_t col, int64_t until_ns, bool *ready, struct err *e)
{
    if (!r->slots[col].in_dim)
        return need_own(r, col, until_ns, ready, e);
    if (need_own(r, COL_DIM(r), until_ns, ready, e) || !*ready)
        return e->code;
    return need_own(r->dim, col, until_ns, ready, e);
}

/* ---- using ---- */

static struct column *touch(struct rowset *r, size_t col)
{
    r->slots[col].used_at = ++r->pool->clock;
    return &r->slots[col].c;
}

struct cells rowset_cells(struct rowset *r, size_t col)
{
    if (!r->slots[col].in_dim)
        return (struct cells){ NULL, touch(r, col) };
    return (struct cells){ touch(r, COL_DIM(r)), touch(r->dim, col) };
}

void rowset_pin(struct rowset *r, size_t col)
{
    if (r->slots[col].in_dim) {
        r->slots[COL_DIM(r)].pins++;
        r->dim->slots[col].pins++;
    } else {
        r->slots[col].pins++;
    }
}

void rowset_unpin(struct rowset *r, size_t col)
{
    if (r->slots[col].in_dim) {
        r->slots[COL_DIM(r)].pins--;
        r->dim->slots[col].pins--;
    } else {
        r->slots[col].pins--;
    }
}

void rowset_set_rank(struct rowset *r, size_t col, uint32_t *rank)
{
    struct rowset *owner = r->slots[col].in_dim ? r->dim : r;
    struct column *c = &owner->slots[col].c;

    size_t before = column_bytes(c);
    free(c->rank);
    c->rank = rank;
    rowpool_charge(r->pool, before, column_bytes(c));
}

/* ---- the pool ---- */
