/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a definition for one rank: keys, columns on demand, rows by key. */
#include "config.h"

#include "model/view/rowset_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "model/views/colset.h"

/* ---- statements ---- */

/* ---- keys ---- */

struct keys {
    int64_t *p;
    size_t n, cap;
    bool sorted, no_memory;
};

/* While keys are consecutive only the first is kept. */
static bool is_run(const struct rowset *r, const struct keys *k, int64_t key)
{
    return !k->p && (k->n == 0 || key == r->first_key + (int64_t)k->n);
}

static bool spread(struct rowset *r, struct keys *k)
{
    k->cap = k->n * 2 + 1024;
    k->p = malloc(k->cap * sizeof *k->p);
    for (size_t i = 0; k->p && i < k->n; i++)
        k->p[i] = r->first_key + (int64_t)i;
    return k->p != NULL;
}

static bool add_key(struct rowset *r, struct keys *k, int64_t key)
{
    if (is_run(r, k, key)) {
        if (!k->n++)
            r->first_key = key;
        return true;
    }
    if (!k->p && !spread(r, k))
        return false;
    int64_t *p = grow_array(k->p, k->n, &k->cap, sizeof *p, 1024);
    if (!p)
        return false;
    k->p = p;
    k->sorted &= !k->n || k->p[k->n - 1] <= key;
    k->p[k->n++] = key;
    return true;
}

struct key_scan {
    struct rowset *r;
    struct keys keys;
};

static bool on_key(void *arg, const struct val *v, size_t n)
{
    struct key_scan *s = arg;
    bool ok = add_key(s->r, &s->keys, n && v[0].t == VAL_INT ? v[0].i : 0);

    s->keys.no_memory |= !ok;
    return ok;
}

static int key_cmp(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int keep_keys(struct rowset *r, struct keys *k, struct err *e)
{
    struct column_build *b = NULL;

    r->n = k->n;
    if (!k->p)
        return OK;
    if (!k->sorted)
        qsort(k->p, k->n, sizeof *k->p, key_cmp);
    if (column_build_new(&b, CS_NUMBER, k->n, e))
        return e->code;
    for (size_t i = 0; i < k->n; i++) {
        struct val v = val_int(k->p[i]);
        column_build_put(b, i, &v);
    }
    int rc = column_build_end(b, &r->keys, e);
    column_build_free(b);
    rowpool_charge(r->pool, 0, column_bytes(&r->keys));
    return rc;
}

static int load_keys(struct rowset *r, struct err *e)
{
    struct key_scan s = { .r = r, .keys = { .sorted = true } };
    struct query *q = NULL;
    struct buf sql;
    const char *where = r->temp[0] || r->is_dim ? NULL : r->def->where;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "SELECT each_row(:each_row, %s)", rowset_key_expr(r));
    if (where && r->def->dim && rowset_mentions(where, rowset_alias_of(r->def->dim)))
        rowset_add_joined(r, &sql);
    else
        rowset_add_from(r, &sql);
    if (where)
        buf_printf(&sql, " WHERE %s", where);
    if (rowset_query(r, &sql, &q, e) == OK && query_each(q, on_key, &s, e) && s.keys.no_memory) {
        err_clear(e);
        err_nomem(e);
    }
    query_free(q);
    buf_done(&sql);
    if (!e->code)
        keep_keys(r, &s.keys, e);
    free(s.keys.p);
    return e->code;
}

/* ---- grouped rows ---- */

static int run(struct query *q, struct err *e)
{
    int rc;

    while ((rc = query_step(q, e)) == 1)
        ;
    query_free(q);
    return rc < 0 ? e->code : OK;
}

static int fill_temp(struct rowset *r, const char *from, struct err *e)
{
    const struct view_def *d = r->def;
    struct buf sql;
    struct query *q = NULL;
    char name[sizeof r->temp];

    snprintf(name, sizeof name, "v%" PRIxPTR, (uintptr_t)r);
    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "CREATE TEMP TABLE %s AS SELECT ", name);
    for (size_t i = 0; i < d->n_cols; i++) {
        buf_puts(&sql, i ? ", " : "");
        rowset_add_expr(r, i, true, &sql);
        buf_printf(&sql, " AS \"%s\"", d->cols[i].id);
    }
    buf_printf(&sql, " FROM %s", from);
    if (d->where)
        buf_printf(&sql, " WHERE (%s)", d->where);
    if (d->group[0])
        buf_printf(&sql, " GROUP BY %s", d->group);
    int rc = rowset_query(r, &sql, &q, e);
    buf_done(&sql);
    if (rc || run(q, e))
        return e->code;
    memcpy(r->temp, name, sizeof name);
    return OK;
}

/* Compute grouped rows once, into a temporary table of the connection, with texts as string ids. */
static int materialise(struct rowset *r, struct err *e)
{
    struct err why = ERR_INIT;

    if (r->def->quick && fill_temp(r, r->def->quick, &why) == OK)
        return OK;
    if (why.code == ERR_NOMEM || why.code == ERR_CANCELLED) {
        *e = why;
        return e->code;
    }
    return fill_temp(r, r->def->from, e);
}

/* ---- opening and closing ---- */

static struct rowset *rowset_new(struct rowpool *pool, const struct view_def *d, const struct view_part *p,
                                 const struct view_scope *scope, struct err *e)
{
    struct rowset *r = calloc(1, sizeof *r);

    if (r)
        r->slots = calloc(d->n_cols + N_EXTRA_COLS, sizeof *r->slots);
    if (!r || !r->slots) {
        free(r);
        err_nomem(e);
        return NULL;
    }
    r->pool = pool;
    r->def = d;
    r->part = *p;
    r->scope = *scope;
    r->n_slots = d->n_cols + N_EXTRA_COLS;
    return r;
}

void rowset_free(struct rowset *r)
{
    if (!r)
        return;
    rowset_free(r->dim);
    for (size_t i = 0; i < r->n_slots; i++)
        rowset_drop(r, i);
    rowpool_charge(r->pool, column_bytes(&r->keys), 0);
    column_done(&r->keys);
    query_free(r->page);
    if (r->temp[0]) {
        struct err ignored = ERR_INIT;
        char sql[100];
        snprintf(sql, sizeof sql, "DROP TABLE temp.%s", r->temp);
        if (store_exec(r->part.store, sql, &ignored))
            err_clear(&ignored); /* goes with the connection */
    }
    free(r->slots);
    free(r);
}

static int open_dim(struct rowset *r, struct err *e)
{
    const struct view_def *d = r->def;
    struct str own = rowset_alias_of(d->from), other = rowset_alias_of(d->dim);

    r->dim = rowset_new(r->pool, d, &r->part, &r->scope, e);
    if (!r->dim)
        return e->code;
    r->dim->is_dim = true;
    for (size_t i = 0; i < d->n_cols; i++)
        r->slots[i].in_dim =
            rowset_mentions(d->cols[i].expr, other) && !rowset_mentions(d->cols[i].expr, own);
    return load_keys(r->dim, e);
}

/*
 * Whether the statement itself has parameters of the scope. d->step of plain rows does not count: their
 * rowsets hold all steps.
 */
static bool uses_scope(const struct view_def *d)
{
    static const char *const names[] = { ":step0", ":step1", ":first_step", ":moment" };

    for (size_t k = 0; k < ARRAY_LEN(names); k++) {
        if (strstr(d->from, names[k]) || (d->where && strstr(d->where, names[k])))
            return true;
        for (size_t i = 0; i < d->n_cols; i++)
            if (strstr(d->cols[i].expr, names[k]))
                return true;
    }
    return false;
}

static bool same_scope(const struct view_scope *a, const struct view_scope *b)
{
    return a->step0 == b->step0 && a->step1 == b->step1 && a->first_step == b->first_step &&
           a->has_moment == b->has_moment && (!a->has_moment || a->moment == b->moment);
}

static struct rowset *find(const struct rowpool *pool, const struct view_def *d, const struct view_part *p,
                           const struct view_scope *scope)
{
    for (struct rowset *r = pool->list; r; r = r->next)
        if (r->def == d && r->part.store == p->store && r->part.rank == p->rank && !r->numbered &&
            (!uses_scope(d) || same_scope(&r->scope, scope)))
            return r;
    return NULL;
}

static void enter(struct rowpool *pool, struct rowset *r)
{
    r->refs = 1;
    r->next = pool->list;
    pool->list = r;
}

int rowset_open(struct rowset **out, struct rowpool *pool, const struct view_def *d,
                const struct view_part *p, const struct view_scope *scope, struct err *e)
{
    struct rowset *r = find(pool, d, p, scope);

    if (r) {
        r->refs++;
        *out = r;
        return OK;
    }
    r = rowset_new(pool, d, p, scope, e);
    if (!r)
        return e->code;
    if ((d->group && materialise(r, e)) || (!d->group && d->dim && open_dim(r, e)) || load_keys(r, e)) {
        rowset_free(r);
        return e->code;
    }
    enter(pool, r);
    *out = r;
    return OK;
}

int rowset_open_temp(struct rowset **out, struct rowpool *pool, const struct view_def *d, struct store *s,
                     const char *table, struct err *e)
{
    const struct view_part part = { .store = s };
    const struct view_scope all = VIEW_SCOPE_ALL;
    struct rowset *r = rowset_new(pool, d, &part, &all, e);

    if (!r)
        return e->code;
    r->numbered = true;
    snprintf(r->temp, sizeof r->temp, "%s", table);
    if (load_keys(r, e)) {
        rowset_free(r);
        return e->code;
    }
    enter(pool, r);
    *out = r;
    return OK;
}

/* ---- rows ---- */

static int prepare_page(struct rowset *r, struct err *e)
{
    struct buf sql;

    buf_init(&sql, (size_t)1 << 20);
    buf_puts(&sql, "SELECT ");
    for (size_t i = 0; i < r->def->n_cols; i++) {
        buf_puts(&sql, i ? ", " : "");
        rowset_add_expr(r, i, false, &sql);
    }
    rowset_add_joined(r, &sql);
    buf_printf(&sql, " WHERE %s = :view_key", rowset_key_expr(r));
    int rc = rowset_query(r, &sql, &r->page, e);
    buf_done(&sql);
    return rc;
}

int rowset_row(struct rowset *r, size_t row, struct arena *a, struct val *out, struct err *e)
{
    if (!r->page && prepare_page(r, e))
        return e->code;
    query_bind_int(r->page, ":view_key", rowset_key(r, row));
    int rc = query_step(r->page, e);
    for (size_t i = 0; i < r->def->n_cols; i++) {
        out[i] = rc == 1 ? query_val(r->page, i) : val_null(); /* a row that is no longer there is empty */
        if (out[i].t != VAL_TEXT)
            continue;
        out[i].s = arena_str(a, out[i].s);
        if (!out[i].s.p)
            err_nomem(e);
    }
    query_reset(r->page);
    return e->code;
}

struct row_scan {
    struct rowset *r;
    size_t hint;
    rowset_row_fn *fn;
    void *arg;
};

static bool on_row(void *arg, const struct val *v, size_t n)
{
    struct row_scan *s = arg;
    size_t row = rowset_place(s->r, v[0].i, &s->hint);

    return row == SIZE_MAX || s->fn(s->arg, row, v + 1, n - 1);
}

int rowset_each(struct rowset *r, size_t from, size_t to, rowset_row_fn *fn, void *arg, struct err *e)
{
    struct row_scan s = { r, from, fn, arg };
    struct buf sql;
    struct query *q = NULL;
    int rc;

    if (from >= to)
        return OK;
    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "SELECT each_row(:each_row, %s", rowset_key_expr(r));
    for (size_t i = 0; i < r->def->n_cols; i++) {
        buf_puts(&sql, ", ");
        rowset_add_expr(r, i, false, &sql);
    }
    buf_addc(&sql, ')');
    rowset_add_joined(r, &sql);
    buf_printf(&sql, " WHERE %s BETWEEN :key0 AND :key1", rowset_key_expr(r));
    rc = rowset_query(r, &sql, &q, e);
    if (rc == OK) {
        query_bind_int(q, ":key0", rowset_key(r, from));
        query_bind_int(q, ":key1", rowset_key(r, to - 1));
        rc = query_each(q, on_row, &s, e);
    }
    query_free(q);
    buf_done(&sql);
    return rc;
}
