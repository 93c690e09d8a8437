/* SPDX-License-Identifier: Apache-2.0 */
/* aicpu.csv, aicpu_mi.csv, dp.csv (doc/formats/msprof.md#small-tables): of Python's half on every chip. */
#include "config.h"

#include <stdlib.h>

#include "msprof/run.h"
#include "parsers/prof/device/aicpu.h"

/* The AI CPU data of all devices, in order of the devices. */
struct all {
    struct msprof_run *r;
    struct prof_aicpu *v;
};

/* Begins a row with its device. NULL: e is set. */
static struct emit *row_of(const struct all *a, size_t device, struct msprof_csv *c, struct err *e)
{
    struct emit *o = msprof_csv_row(c, e);

    if (o)
        emit_u(o, (uint64_t)a->r->m.p->device[device]->device);
    return o;
}

/* ---- ops ---- */

/* In a partial export: the op ran within its iterations. */
static bool is_in(const struct msprof_window *w, const struct prof_aicpu_node *x)
{
    return x->start >= w->from && x->end <= w->to;
}

struct node_row {
    int64_t ns; /* the time that is printed */
    uint32_t i; /* index of the op */
};

static int by_stamp(const void *a, const void *b)
{
    const struct node_row *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? -1 : 1;
    return x->i < y->i ? -1 : x->i > y->i;
}

/* Ops of a device that are shown, by stamp. Returns how many. */
static size_t node_rows(const struct all *a, size_t device, struct node_row *row)
{
    const struct msprof_clock *c = &a->r->clock[device];
    const struct msprof_window w = msprof_window_of(a->r->o, &a->r->steps[device]);
    int64_t begin = prof_begin_ns(a->r->m.p->device[device]);
    size_t n = 0;

    for (size_t i = 0; i < a->v[device].n_nodes; i++) {
        const struct prof_aicpu_node *x = &a->v[device].node[i];
        int64_t ns = msprof_local_us(c, msprof_dev(c, x->start, 1e3) * 1e3);
        if (ns >= begin && is_in(&w, x))
            row[n++] = (struct node_row){ ns, (uint32_t)i };
    }
    qsort(row, n, sizeof *row, by_stamp);
    return n;
}

static void put_us(struct emit *o, double us)
{
    emit_c(o, ',');
    emit_repr(o, emit_round(us, 3));
}

static double total_us(const struct msprof_clock *c, const struct prof_aicpu_node *x)
{
    double d = x->left >= x->submitted ? (double)(x->left - x->submitted) : -(double)(x->submitted - x->left);

    return d / (c->hw > 0 ? c->hw : 1e9) * 1e3 * 1e3;
}

static void put_node(const struct all *a, size_t device, struct emit *o, const struct node_row *row,
                     uint32_t task)
{
    const struct msprof_clock *c = &a->r->clock[device];
    const struct prof_aicpu_node *x = &a->v[device].node[row->i];
    uint32_t name = prof_aicpu_op_name(a->r->m.p, &a->r->m.dev[device], &a->r->m.host, task);

    emit_c(o, ',');
    msprof_put_ns(o, row->ns, true);
    msprof_cell(o, name == PROF_NONE ? STR("N/A") : prof_str(a->r->m.p, name));
    put_us(o, (double)x->compute_us);
    put_us(o, (double)x->copy_us);
    put_us(o, (msprof_dev(c, x->end, 1e3) - msprof_dev(c, x->start, 1e3)) * 1e3);
    put_us(o, x->dispatch_us);
    put_us(o, total_us(c, x));
    emit_c(o, ',');
    emit_u(o, x->stream);
    emit_c(o, ',');
    emit_u(o, x->task);
    emit_c(o, '\n');
}

static int put_nodes(const struct all *a, size_t device, struct msprof_csv *c, struct err *e)
{
    const struct prof_aicpu *x = &a->v[device];
    struct node_row *row = calloc(x->n_nodes + 1, sizeof *row);
    uint32_t *task = NULL;
    struct emit *o;

    if (!row)
        (void)err_nomem(e);
    else if (prof_aicpu_tasks(x, a->r->m.p, &a->r->m.dev[device], &a->r->m.host, &task, e) == OK) {
        size_t n = node_rows(a, device, row);
        for (size_t i = 0; i < n && (o = row_of(a, device, c, e)) != NULL; i++)
            put_node(a, device, o, &row[i], task[row[i].i]);
    }
    free(task);
    free(row);
    return e->code;
}

static int aicpu(const struct all *a, struct err *e)
{
    struct msprof_csv c;
    uint64_t n = 0;

    for (size_t i = 0; i < a->r->m.n_dev; i++)
        n += a->v[i].n_nodes;
    (void)!msprof_csv_begin(&c, a->r, "aicpu", n,
                            "Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),"
                            "Task_time(us),Dispatch_time(us),Total_time(us),Stream ID,Task ID",
                            e);
    for (size_t i = 0; i < a->r->m.n_dev && !e->code; i++)
        (void)!put_nodes(a, i, &c, e);
    return msprof_csv_end(&c, e);
}

/* ---- the data queue ---- */

static int aicpu_mi(const struct all *a, struct err *e)
{
    struct msprof_csv c;
    struct emit *o;
    uint64_t n = 0;

    for (size_t i = 0; i < a->r->m.n_dev; i++)
        n += a->v[i].n_items;
    (void)!msprof_csv_begin(&c, a->r, "aicpu_mi", n,
                            "Device_id,Node Name,Start Time(us),End Time(us),Queue Size", e);
    for (size_t i = 0; i < a->r->m.n_dev; i++)
        for (size_t k = 0; k < a->v[i].n_items && (o = row_of(a, i, &c, e)) != NULL; k++) {
            const struct prof_aicpu_item *m = &a->v[i].item[k];
            struct str name = prof_aicpu_item_name(a->r->m.p, m);
            if (name.p) {
                msprof_cell(o, name);
            } else {
                emit_c(o, ',');
                emit_u(o, m->node);
            }
            emit_c(o, ',');
            emit_repr(o, (double)m->start_us);
            emit_c(o, ',');
            emit_repr(o, (double)m->end_us);
            emit_c(o, ',');
            emit_u(o, m->size);
            emit_c(o, '\n');
        }
    return msprof_csv_end(&c, e);
}

/* ---- data preparation ---- */

/*
 * Older files go through a double of us (parse_dp_data.py). The TAB makes a text of the stamp in JSON, as
 * msprof's is (emit/csvjson.h).
 */
static void put_stamp(const struct all *a, size_t device, struct emit *o, uint64_t stamp)
{
    int64_t ns = msprof_local_ns(&a->r->clock[device], (double)stamp);

    if (a->v[device].dp_is_older)
        emit_repr(o, (double)(ns / 1000) + (double)(ns % 1000) / 1000);
    else
        msprof_put_ns(o, ns, a->r->o->json);
}

static int dp(const struct all *a, struct err *e)
{
    struct msprof_csv c;
    struct emit *o;
    uint64_t n = 0;

    for (size_t i = 0; i < a->r->m.n_dev; i++)
        n += a->v[i].n_dp;
    (void)!msprof_csv_begin(&c, a->r, "dp", n, "Device_id,Timestamp(us),Action,Source,Cached Buffer Size", e);
    for (size_t i = 0; i < a->r->m.n_dev; i++)
        for (size_t k = 0; k < a->v[i].n_dp && (o = row_of(a, i, &c, e)) != NULL; k++) {
            const struct prof_aicpu_dp *d = &a->v[i].dp[k];
            emit_c(o, ',');
            put_stamp(a, i, o, d->stamp);
            msprof_cell(o, prof_str(a->r->m.p, d->action));
            msprof_cell(o, prof_str(a->r->m.p, d->source));
            emit_c(o, ',');
            emit_u(o, d->size);
            emit_c(o, '\n');
        }
    return msprof_csv_end(&c, e);
}

int msprof_aicpu(struct msprof_run *r, struct err *e)
{
    static int (*const files[])(const struct all *, struct err *) = { aicpu, aicpu_mi, dp };
    struct all a = { .r = r, .v = calloc(r->m.n_dev + 1, sizeof *a.v) };

    if (!a.v)
        return err_nomem(e);
    for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
        if (prof_aicpu_read(&a.v[i], r->m.p, r->m.p->device[i], r->m.host.expanded, e) == OK)
            (void)!prof_aicpu_streams(&a.v[i], r->m.p, &r->m.dev[i], e);
    for (size_t i = 0; i < ARRAY_LEN(files) && !e->code; i++)
        if (files[i](&a, e) && !emit_goes_on(e))
            break;
    for (size_t i = 0; i < r->m.n_dev; i++)
        prof_aicpu_done(&a.v[i]);
    free(a.v);
    return e->code;
}
