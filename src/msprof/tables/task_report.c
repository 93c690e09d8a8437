/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task_time.csv of chip 0 (doc/formats/msprof.md#csv-columns): tasks of the same ids summed up. Its numbers
 * went through SQLite, where a double without a fraction is an integer and the mean of integers is one
 * (msprof's calculate_rts_data.py and runtime_report.py).
 */
#include "config.h"

#include "msprof/tables/task_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/device/mini_times.h"

#define HEADER                                                                                               \
    "Device_id,Time(%),Time(us),Count,Avg(us),Min(us),Max(us),Waiting(us),Running(us),"                      \
    "Pending(us),Type,API,Task ID,Op Name,Stream ID"

/* A number of SQLite's. */
struct number {
    double v;
    bool whole;
};
struct row {
    size_t dev;
    uint64_t n;
    struct number total, avg, min, max, waits, runs, pends; /* tasks: ns, copies: us */
    double ratio;
    uint32_t kind, task, stream;
    bool copy;
};
struct rows {
    struct row *v;
    size_t n, cap;
};

/* ---- SQLite's numbers ---- */

static struct number number(double v)
{
    return (struct number){ v, fabs(v) < 0x1p62 && floor(v) >= v };
}

static struct number less(struct number a, struct number b)
{
    return (struct number){ a.v - b.v, a.whole && b.whole };
}

static void add(struct number *sum, struct number x)
{
    sum->v += x.v;
    sum->whole &= x.whole;
}

static void widen(struct row *r, struct number x)
{
    if (!r->n || x.v < r->min.v)
        r->min = x;
    if (!r->n || x.v > r->max.v)
        r->max = x;
    r->n++;
    add(&r->total, x);
}

static struct number mean(struct number sum, uint64_t n)
{
    double v = sum.v / (double)n;

    return sum.whole ? (struct number){ trunc(v), true } : (struct number){ v, false };
}

static struct row *new_row(struct rows *t, size_t dev, struct err *e)
{
    static const struct number zero = { 0, true };
    struct row *v = grow_array(t->v, t->n, &t->cap, sizeof *v, 256);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    t->v = v;
    v += t->n++;
    *v = (struct row){ .dev = dev, .total = zero, .waits = zero, .runs = zero, .pends = zero };
    return v;
}

/* ---- tasks ---- */

/* A state that was not recorded has no time. */
static struct number since(const struct msprof_clock *c, uint64_t from, uint64_t to)
{
    static const struct number zero = { 0, true };

    return from ? less(number(msprof_dev(c, to, 1e9)), number(msprof_dev(c, from, 1e9))) : zero;
}

static void add_task(struct row *r, const struct msprof_clock *c, const struct prof_mini_time *x)
{
    uint64_t begun = x->runs ? x->runs : x->pends;

    /* a task that ran before it waited, waited to its end */
    add(&r->waits, since(c, x->waits, x->runs < x->waits ? x->done : x->runs));
    add(&r->runs, since(c, x->runs, x->done));
    add(&r->pends, since(c, x->pends, x->done));
    widen(r, since(c, begun, x->done));
}

static int add_tasks(struct rows *t, const struct msprof_run *r, size_t dev, struct err *e)
{
    const struct prof_mini_window w = { r->how[dev].from, r->how[dev].to };
    struct prof_mini_time *v;
    size_t n;

    if (prof_mini_times(&v, &n, r->m.p, r->m.dev[dev].f, &w, e) == OK)
        for (size_t i = 0; i < n && !e->code; i++) {
            struct row *x = t->n ? &t->v[t->n - 1] : NULL;
            if (!x || x->dev != dev || x->kind != v[i].kind || x->task != v[i].task ||
                x->stream != v[i].stream) {
                if (!(x = new_row(t, dev, e)))
                    break;
                x->kind = v[i].kind;
                x->task = v[i].task;
                x->stream = v[i].stream;
            }
            add_task(x, &r->clock[dev], &v[i]);
        }
    free(v);
    return e->code;
}

static int ratio_cmp(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    if (x->ratio > y->ratio || x->ratio < y->ratio)
        return x->ratio > y->ratio ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

/* Without any running time there are no rows at all. */
static void finish_tasks(struct rows *t, size_t first)
{
    double all = 0;

    for (size_t i = first; i < t->n; i++)
        all += t->v[i].runs.v;
    if (!(all > 0)) {
        t->n = first;
        return;
    }
    for (size_t i = first; i < t->n; i++) {
        struct row *x = &t->v[i];
        x->avg = mean(x->total, x->n);
        x->total = x->runs;
        x->ratio = emit_round(x->runs.v / all * 100, 6);
    }
    if (t->n > first)
        qsort(t->v + first, t->n - first, sizeof *t->v, ratio_cmp);
}

/* ---- copies ---- */

static int copy_cmp(const void *a, const void *b)
{
    const struct prof_copy *x = a, *y = b;

    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

static int add_copy(struct rows *t, const struct msprof_run *r, size_t dev, const struct prof_copy *x,
                    struct err *e)
{
    const struct msprof_clock *c = &r->clock[dev];
    struct row *v = t->n ? &t->v[t->n - 1] : NULL;
    double start = msprof_dev(c, x->start, 1e6);

    if (!v || v->dev != dev || !v->copy || v->task != x->task || v->stream != x->stream) {
        if (!(v = new_row(t, dev, e)))
            return e->code;
        v->copy = true;
        v->task = x->task;
        v->stream = x->stream;
    }
    add(&v->waits, less(number(start), number(msprof_dev(c, x->received, 1e6))));
    widen(v, number(msprof_dev(c, x->end, 1e6) - start));
    v->runs = v->total;
    v->avg = (struct number){ v->total.v / (double)v->n, false };
    return OK;
}

static int add_copies(struct rows *t, const struct msprof_run *r, size_t dev, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];
    struct prof_copy *v = calloc(d->n_copies + 1, sizeof *v);
    size_t n = 0;

    if (!v)
        return err_nomem(e);
    for (size_t i = 0; i < d->n_copies; i++)
        if (d->copy[i].end > r->how[dev].from && d->copy[i].end <= r->how[dev].to)
            v[n++] = d->copy[i];
    qsort(v, n, sizeof *v, copy_cmp);
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!add_copy(t, r, dev, &v[i], e);
    free(v);
    return e->code;
}

/* Copies share in the total of all times as they are printed. */
static double printed_us(const struct row *x)
{
    return x->copy ? x->total.v : msprof_sql_round(x->total.v / 1000.0, 3);
}

static void share(struct rows *t, size_t first)
{
    double all = 0;

    for (size_t i = first; i < t->n; i++)
        all += printed_us(&t->v[i]);
    for (size_t i = first; i < t->n; i++)
        t->v[i].ratio = all > 0 ? printed_us(&t->v[i]) / all * 100 : 0;
}

/* ---- rows ---- */

/* The name of the host's op with these ids, before the ids repeat; without ops, the name of the kernel. */
static struct str op_name(const struct msprof_run *r, const struct row *x)
{
    const struct prof_host *h = &r->m.host;
    size_t lo = 0, hi = h->n_tasks;
    uint32_t device = r->m.dev[x->dev].f->device < 0 ? 0 : (uint32_t)r->m.dev[x->dev].f->device;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct prof_host_task *t = &h->task[mid];
        bool before = t->device != device      ? t->device < device
                      : t->stream != x->stream ? t->stream < x->stream
                      : t->batch               ? false
                                               : t->task < x->task;
        if (before)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < h->n_tasks && h->task[lo].device == device && h->task[lo].stream == x->stream &&
           !h->task[lo].batch && h->task[lo].task == x->task && !x->copy;
         lo++) {
        const struct prof_host_task *t = &h->task[lo];
        if (t->op != PROF_NONE)
            return prof_str(r->m.p, h->op[t->op].name);
        if (!h->n_ops && t->kernel != PROF_NONE)
            return prof_str(r->m.p, t->kernel);
    }
    return STR("N/A");
}

static void put_us(struct emit *o, const struct row *x, struct number v)
{
    emit_c(o, ',');
    if (!x->copy)
        emit_repr(o, msprof_sql_round(v.v / 1000.0, 3));
    else if (v.whole)
        emit_i(o, (int64_t)v.v);
    else
        emit_repr(o, v.v);
}

static void put_type(struct emit *o, const struct row *x)
{
    const char *word = x->copy ? "other" : prof_ts_word(x->kind);

    emit_c(o, ',');
    if (word) {
        emit_s(o, word);
    } else {
        emit_s(o, "unknown ");
        emit_u(o, x->kind);
    }
}

static void put_row(struct emit *o, const struct msprof_run *r, const struct row *x, bool shared)
{
    emit_i(o, r->m.dev[x->dev].f->device);
    emit_c(o, ',');
    emit_repr(o, shared ? x->ratio : msprof_sql_round(x->ratio, 3));
    put_us(o, x, x->total);
    emit_c(o, ',');
    emit_u(o, x->n);
    put_us(o, x, x->avg);
    put_us(o, x, x->min);
    put_us(o, x, x->max);
    put_us(o, x, x->waits);
    put_us(o, x, x->runs);
    if (x->copy)
        emit_s(o, ",N/A");
    else
        put_us(o, x, x->pends);
    put_type(o, x);
    emit_s(o, x->copy ? ",MemcpyAsync," : ",,");
    emit_u(o, x->task);
    msprof_cell(o, op_name(r, x));
    emit_c(o, ',');
    emit_u(o, x->stream);
    emit_c(o, '\n');
}

static int write_rows(struct msprof_run *r, const struct rows *t, const bool *shared, struct err *e)
{
    struct msprof_csv c;
    struct emit *o = NULL;

    if (msprof_csv_begin(&c, r, "task_time", t->n, HEADER, e))
        return e->code;
    for (size_t i = 0; i < t->n && (o = msprof_csv_row(&c, e)); i++)
        put_row(o, r, &t->v[i], shared[t->v[i].dev]);
    return msprof_csv_end(&c, e);
}

int msprof_task_report(struct msprof_run *r, struct err *e)
{
    bool *shared = calloc(r->m.n_dev + 1, sizeof *shared);
    struct rows t = { .v = NULL };

    if (!shared)
        return err_nomem(e);
    for (size_t dev = 0; dev < r->m.n_dev && !e->code; dev++) {
        size_t first = t.n, tasks;
        if (add_tasks(&t, r, dev, e))
            break;
        finish_tasks(&t, first);
        tasks = t.n;
        if (add_copies(&t, r, dev, e) == OK && (shared[dev] = t.n > tasks))
            share(&t, first);
    }
    if (!e->code && t.n)
        (void)!write_rows(r, &t, shared, e);
    free(shared);
    free(t.v);
    return e->code;
}
