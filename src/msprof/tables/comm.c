/* SPDX-License-Identifier: Apache-2.0 */
/* communication_statistic.csv (doc/formats/msprof.md#communication_statistic, #communication). */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/tables/comm_before.h"
#include "msprof/tables/ops.h"

#define HEADER "Device_id,OP Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"

/* The executions of one op type on a device, in ns. */
struct row {
    size_t dev, seq; /* seq: order of first execution */
    uint32_t type;   /* text */
    uint64_t n;
    double total, min, max, ratio;
};
struct rows {
    struct row *v;
    size_t n, cap;
    bool known; /* the op type is known */
};

static int add_run(struct rows *t, uint32_t *row_of, const struct msprof_run *r, size_t dev,
                   const struct prof_comm_run *x, struct err *e)
{
    uint32_t type = r->m.host.comm_op[x->op].type;
    uint32_t *at = &row_of[type == PROF_NONE ? 0 : type + 1];
    double ns = prof_span_ns(&r->how[dev], r->m.dev[dev].f, x->start, x->end);

    t->known |= type != PROF_NONE;
    if (!*at) {
        struct row *v = grow_array(t->v, t->n, &t->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        t->v = v;
        v[t->n] = (struct row){ .dev = dev, .seq = t->n, .type = type, .min = ns, .max = ns };
        *at = (uint32_t)++t->n;
    }
    struct row *w = &t->v[*at - 1];
    w->n++;
    w->total += ns;
    w->min = fmin(w->min, ns);
    w->max = fmax(w->max, ns);
    return OK;
}

static int add_device(struct rows *t, struct msprof_run *r, size_t dev, struct err *e)
{
    const struct prof_comm *c = &r->m.comm[dev];
    uint32_t *row_of = calloc((size_t)prof_n_texts(r->m.p) + 1, sizeof *row_of);
    struct msprof_comm_early early = { .n = 0 };
    size_t first = t->n;
    double total = 0;

    if (!row_of)
        return err_nomem(e);
    if (msprof_comm_early(&early, r, dev, e) == OK)
        for (size_t i = 0; i < c->n_runs && !e->code; i++)
            if (!msprof_comm_is_rest(&early, &c->run[i]))
                (void)!add_run(t, row_of, r, dev, &c->run[i], e);
    msprof_comm_early_done(&early);
    free(row_of);
    for (size_t i = first; i < t->n; i++)
        total += t->v[i].total;
    for (size_t i = first; i < t->n && total > 0; i++)
        t->v[i].ratio = t->v[i].total / total * 100;
    return e->code;
}

static int by_total(const struct row *x, const struct row *y)
{
    if (x->total > y->total || x->total < y->total)
        return x->total > y->total ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}
/* C++: all devices together. */
static int total_cmp(const void *a, const void *b)
{
    return by_total(a, b);
}
/* Python: each device by itself. */
static int device_cmp(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return x->dev != y->dev ? (x->dev < y->dev ? -1 : 1) : by_total(x, y);
}

static void put_number(struct emit *o, const struct msprof_run *r, double v)
{
    emit_c(o, ',');
    if (r->dialect == DIALECT_PYTHON)
        emit_repr(o, msprof_sql_round(v, 3));
    else
        msprof_put_trim3(o, msprof_sql_round(v, 3));
}

static void put_row(struct emit *o, const struct msprof_run *r, const struct row *x)
{
    emit_i(o, r->m.dev[x->dev].f->device);
    msprof_cell(o, x->type == PROF_NONE ? STR("N/A") : prof_str(r->m.p, x->type));
    emit_c(o, ',');
    emit_u(o, x->n);
    put_number(o, r, x->total / 1000.0);
    put_number(o, r, x->min / 1000.0);
    put_number(o, r, x->total / (double)x->n / 1000.0);
    put_number(o, r, x->max / 1000.0);
    put_number(o, r, x->ratio);
    emit_c(o, '\n');
}

static int write_rows(struct msprof_run *r, const struct rows *t, struct err *e)
{
    struct msprof_csv c;
    struct emit *o = NULL;

    if (msprof_csv_begin(&c, r, "communication_statistic", t->n, HEADER, e))
        return e->code;
    for (size_t i = 0; i < t->n && (o = msprof_csv_row(&c, e)); i++)
        put_row(o, r, &t->v[i]);
    return msprof_csv_end(&c, e);
}

int msprof_comm_statistic(struct msprof_run *r, struct err *e)
{
    struct rows t = { .v = NULL };

    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        (void)!add_device(&t, r, i, e);
    if (msprof_is_level0(r) && t.n)
        msprof_no_data(r, "communication_statistic", ".csv",
                       "the ops were collected at level 0, without types");
    else if (!e->code && t.known) {
        qsort(t.v, t.n, sizeof *t.v, r->dialect ? device_cmp : total_cmp);
        (void)!write_rows(r, &t, e);
    }
    free(t.v);
    return e->code;
}
