/* SPDX-License-Identifier: Apache-2.0 */
/* op_statistic: how long the ops of each type took, by device (doc/formats/msprof.md#op_statistic). */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "msprof/tables/ops.h"

struct group {
    size_t dev;
    uint32_t type, core; /* texts */
    uint32_t model;      /* in a graph's export: text of its name; else 0 */
    uint64_t n;
    bool whole; /* all durations are whole ns: SQLite sums and divides integers then */
    int64_t sum_ns;
    double sum, min, max;
};

struct table {
    struct msprof_run *r;
    bool graph;
    struct msprof_ops ops;
    struct group *group;
    size_t n, cap;
    uint32_t *slot; /* hash table of indexes + 1 into group */
    size_t n_slots; /* a power of two */
    double *total;  /* by device */
};

/* ---- groups ---- */

static size_t hash_of(const struct group *g)
{
    uint64_t x = ((uint64_t)g->type << 32 | g->core) + (g->dev + g->model) * 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    return (size_t)(x ^ x >> 33);
}

static int grow(struct table *t, struct err *e)
{
    size_t n_slots = t->n_slots ? 2 * t->n_slots : 256;
    uint32_t *slot = calloc(n_slots, sizeof *slot);
    struct group *group = realloc(t->group, n_slots / 2 * sizeof *group);

    if (group)
        t->group = group;
    if (!slot || !group) {
        free(slot);
        return err_nomem(e);
    }
    for (size_t i = 0; i < t->n; i++) {
        size_t at = hash_of(&t->group[i]);
        while (slot[at % n_slots])
            at++;
        slot[at % n_slots] = (uint32_t)i + 1;
    }
    free(t->slot);
    t->slot = slot;
    t->n_slots = n_slots;
    t->cap = n_slots / 2;
    return OK;
}

static struct group *group_of(struct table *t, const struct group *like, struct err *e)
{
    if (t->n == t->cap && grow(t, e))
        return NULL;
    size_t at = hash_of(like);
    for (; t->slot[at % t->n_slots]; at++) {
        struct group *g = &t->group[t->slot[at % t->n_slots] - 1];
        if (g->dev == like->dev && g->type == like->type && g->core == like->core && g->model == like->model)
            return g;
    }
    t->slot[at % t->n_slots] = (uint32_t)t->n + 1;
    t->group[t->n] = *like;
    return &t->group[t->n++];
}

static void add(struct group *g, double ns)
{
    g->min = g->n ? fmin(g->min, ns) : ns;
    g->max = g->n ? fmax(g->max, ns) : ns;
    g->whole = g->whole && ns == floor(ns) && fabs(ns) < 9e18 &&
               !__builtin_add_overflow(g->sum_ns, (int64_t)ns, &g->sum_ns);
    g->sum += ns;
    g->n++;
}

static int add_device(struct table *t, size_t dev, struct err *e)
{
    const struct prof_device *d = &t->r->m.dev[dev];
    int64_t begin = prof_begin_ns(d->f);
    struct msprof_op op;

    for (size_t i = 0; i < d->n_tasks; i++) {
        if (!msprof_op_at(&t->ops, dev, i, &op) || op.op->type == PROF_NONE ||
            prof_device_ns(d->f, op.task->start) <= begin)
            continue;
        const struct group like = { .dev = dev,
                                    .type = op.op->type,
                                    .core = op.op->core,
                                    .model = t->graph
                                                 ? prof_model_name(t->r->m.p, &t->r->m.host, op.host->model)
                                                 : 0,
                                    .whole = true };
        struct group *g = group_of(t, &like, e);
        if (!g)
            return e->code;
        double ns = msprof_times_of(t->r, dev, op.task).span_ns;
        add(g, ns);
        t->total[dev] += ns;
    }
    return OK;
}

/* ---- rows ---- */

/*
 * All numbers are first rounded to that many decimals (OpReportMap, like op_counter_op_scene_calculator.py in
 * msprof's analysis/mscalculate).
 */
#define KEPT_DIGITS 6

static double kept(double v)
{
    return emit_round(v, KEPT_DIGITS);
}

static double sum_us(const struct group *g)
{
    return msprof_sql_round(kept(g->whole ? (double)g->sum_ns : g->sum) / 1000.0, 3);
}

static double avg_ns(const struct group *g)
{
    return g->whole ? (double)(g->sum_ns / (int64_t)g->n) : g->sum / (double)g->n;
}

static void put(const struct table *t, double v, struct emit *o)
{
    emit_c(o, ',');
    if (t->r->dialect == DIALECT_PYTHON)
        msprof_put_sql3(o, v);
    else
        msprof_put_trim3(o, msprof_sql_round(v, 3));
}

static int put_row(struct table *t, struct msprof_csv *csv, const struct group *g, struct err *e)
{
    struct emit *o = msprof_csv_row(csv, e);
    double sum = g->whole ? (double)g->sum_ns : g->sum;

    if (!o)
        return e->code;
    emit_u(o, (uint64_t)t->r->m.dev[g->dev].f->device);
    if (t->graph)
        msprof_put_text(o, t->r, g->model);
    msprof_put_text(o, t->r, g->type);
    msprof_put_text(o, t->r, g->core);
    emit_c(o, ',');
    emit_u(o, g->n);
    put(t, kept(sum) / 1000.0, o);
    put(t, kept(g->min) / 1000.0, o);
    put(t, kept(avg_ns(g)) / 1000.0, o);
    put(t, kept(g->max) / 1000.0, o);
    put(t, t->total[g->dev] > 0 ? kept(sum / t->total[g->dev] * 100) : 0, o);
    emit_c(o, '\n');
    return OK;
}

struct order {
    double us;
    size_t rank;      /* of the device; 0: all devices are one list */
    struct str model; /* its name, in a graph's export */
    size_t at;
};

static int by_total(const void *a, const void *b)
{
    const struct order *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    int c = str_cmp(x->model, y->model);
    if (c)
        return c;
    if (x->us != y->us)
        return x->us > y->us ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int put_rows(struct table *t, const struct order *order, struct err *e)
{
#define REST "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
    const char *header = t->graph ? "Device_id,Model Name," REST : "Device_id," REST;
    struct msprof_csv csv;

    if (msprof_csv_begin(&csv, t->r, "op_statistic", t->n, header, e))
        return e->code;
    for (size_t i = 0; i < t->n; i++)
        if (put_row(t, &csv, &t->group[order[i].at], e))
            break;
    return msprof_csv_end(&csv, e);
}

static int sort_and_put(struct table *t, const size_t *devices, struct err *e)
{
    struct order *order = calloc(t->n + 1, sizeof *order);

    if (!order)
        return err_nomem(e);
    for (size_t i = 0; i < t->n; i++) {
        order[i] = (struct order){ .us = sum_us(&t->group[i]), .at = i };
        if (t->graph)
            order[i].model = prof_str(t->r->m.p, t->group[i].model);
        while (t->r->dialect == DIALECT_PYTHON && devices[order[i].rank] != t->group[i].dev)
            order[i].rank++;
    }
    qsort(order, t->n, sizeof *order, by_total);
    (void)!put_rows(t, order, e);
    free(order);
    return e->code;
}

static bool has_ops(const struct table *t)
{
    struct msprof_op op;

    for (size_t i = 0; i < t->r->m.n_dev; i++)
        for (size_t k = 0; k < t->r->m.dev[i].n_tasks; k++)
            if (msprof_op_at(&t->ops, i, k, &op))
                return true;
    return false;
}

int msprof_op_statistic(struct msprof_run *r, struct err *e)
{
    struct table t = { .r = r, .graph = msprof_is_graph(r), .ops = msprof_ops_of(r) };
    size_t *devices = msprof_device_order(r, e);

    t.total = calloc(r->m.n_dev + 1, sizeof *t.total);
    if (!t.total)
        err_nomem(e);
    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        (void)!add_device(&t, i, e);
    if (!e->code && t.n)
        (void)!sort_and_put(&t, devices, e);
    else if (!e->code)
        msprof_no_data(r, "op_statistic", ".csv",
                       has_ops(&t) ? "no op ran whose type is known" : msprof_why_no_ops(r));
    free(devices);
    free(t.group);
    free(t.slot);
    free(t.total);
    return e->code;
}
