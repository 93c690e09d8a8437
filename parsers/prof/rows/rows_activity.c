/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What streams were doing when the data ended: a task that began, was the last of its stream and did not end;
 * and the communication ops such tasks are of. What other streams did last follows from their tracks
 * (import/derived/activity.c).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/rows/rows.h"

/* Nothing of its stream began or ended after it. */
static bool is_last(const struct prof_device *d, const struct prof_task *x)
{
    for (size_t i = d->n_tasks; i-- > 0;)
        if (d->task[i].stream == x->stream)
            return d->task[i].end <= x->start;
    return true;
}

/* The host's rows of a task with contexts are those of its contexts: the op of the first one is its. */
static struct str name_of(struct prof_rows *r, const struct prof_device *d, const struct prof_task *x)
{
    const struct prof_host *h = &r->m.host;
    size_t lo = 0, hi = h->n_tasks;

    if (x->host != PROF_NONE && h->task[x->host].op != PROF_NONE)
        return prof_rows_task_name(r, x);
    while (lo < hi) { /* the first one of (device, stream, batch, task) */
        const struct prof_host_task *t = &h->task[lo + (hi - lo) / 2];
        bool before = t->device != d->f->device ? t->device < d->f->device
                      : t->stream != x->stream  ? t->stream < x->stream
                      : t->batch != x->batch    ? t->batch < x->batch
                                                : t->task < x->task;
        if (before)
            lo = lo + (hi - lo) / 2 + 1;
        else
            hi = lo + (hi - lo) / 2;
    }
    for (; lo < h->n_tasks && h->task[lo].stream == x->stream && h->task[lo].batch == x->batch &&
           h->task[lo].task == x->task;
         lo++)
        if (h->task[lo].op != PROF_NONE)
            return prof_rows_name_text(r, h->op[h->task[lo].op].name);
    return prof_rows_task_name(r, x);
}

/*
 * Marks of steps and communication, or counters of kernels, come after the last record of a task: records
 * were lost, with them maybe the ends of what seems to run.
 */
static bool ends_early(const struct prof_device *d)
{
    uint64_t last = 0;

    for (size_t i = 0; i < d->n_tasks; i++)
        last = d->task[i].end > last ? d->task[i].end : last;
    for (size_t i = 0; i < d->n_open; i++)
        last = d->open[i].start > last ? d->open[i].start : last;
    for (size_t i = 0; i < d->n_marks; i++)
        if (d->mark[i].counter > last)
            return true;
    return d->last_pmu > last;
}

/* What a row says besides its rank. */
struct activity {
    const char *kind;
    struct str name;
    uint64_t start; /* counter */
    bool lost;      /* its end may be among records that were lost */
};

static int put_row(struct prof_rows *r, const struct prof_device *d, const struct activity *a,
                   const struct prof_task *x, struct err *e)
{
    struct val v[N_COLS(last_activity)] = { 0 };
    enum prof_tag tag = prof_has(d->f, PROF_STARS) ? PROF_STARS : PROF_HWTS;
    char track[32] = "Communication";

    if (x)
        snprintf(track, sizeof track, "Stream %" PRIu32, x->stream);
    v[COL(last_activity, rank)] = val_int(prof_rows_rank(r, d->f));
    v[COL(last_activity, kind)] = val_cstr(a->kind);
    v[COL(last_activity, track)] = val_cstr(track);
    v[COL(last_activity, stream)] = x ? val_int(x->stream) : val_null();
    v[COL(last_activity, task)] = x ? val_int(x->task) : val_null();
    v[COL(last_activity, name_id)] = sink_text(r->g->out, a->name);
    v[COL(last_activity, ts_ns)] = val_int(prof_device_ns(d->f, a->start));
    v[COL(last_activity, state)] = val_cstr(a->lost ? "unknown" : "running");
    v[COL(last_activity, source_id)] = val_id(prof_rows_source(d->f, tag));
    return sink_row(r->g->out, T_last_activity, v, N_COLS(last_activity), NULL, e);
}

static int put_open(struct prof_rows *r, const struct prof_device *d, const struct prof_task *x, bool lost,
                    struct err *e)
{
    const struct activity a = { .kind = "stream", .name = name_of(r, d, x), .start = x->start, .lost = lost };

    return put_row(r, d, &a, x, e);
}

/* ---- communication ---- */

/* For the how many-th time a task runs, from 1. */
static uint32_t times_of(const struct prof_device *d, const struct prof_task *x)
{
    uint32_t iter = 1;

    for (size_t i = 0; i < d->n_tasks; i++)
        iter += d->task[i].host == x->host &&
                prof_keeps_comm(&prof_rows_all, d->f, d->task[i].start, d->task[i].end);
    return iter;
}

/* The execution of a communication op that the task is part of; NULL: none of its other tasks has ended. */
static const struct prof_comm_run *run_of(const struct prof_comm *c, uint32_t iter, uint32_t op)
{
    for (size_t i = c->n_runs; i-- > 0;)
        if (c->run[i].op == op && c->run[i].iter == iter)
            return &c->run[i];
    return NULL;
}

static bool has_op(const struct prof_rows_running *all, uint32_t op)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].op == op)
            return true;
    return false;
}

/* The op of a running task is running, too. */
static int find_comm(struct prof_rows_running *all, struct prof_rows *r, size_t dev, size_t open,
                     struct err *e)
{
    const struct prof_host *h = &r->m.host;
    const struct prof_device *d = &r->m.dev[dev];
    const struct prof_comm *c = &r->m.comm[dev];
    const struct prof_task *x = &d->open[open];
    uint32_t op = x->host == PROF_NONE ? PROF_NONE : h->task[x->host].comm_op;

    if (op == PROF_NONE || op >= h->n_comm_ops || has_op(all, op) || all->n == PROF_OPS_AT_ONCE)
        return OK;
    const uint32_t iter = times_of(d, x);
    const struct prof_comm_run *run = run_of(c, iter, op);
    uint32_t name = run ? run->name : prof_comm_open_name(c, r->m.p, d, h, x->host, iter);
    if (name == PROF_NONE)
        return err_nomem(e);
    all->v[all->n++] = (struct prof_running){ .op = op,
                                              .name = name,
                                              .start = run && run->start < x->start ? run->start : x->start,
                                              .open = open,
                                              .run = run ? (size_t)(run - c->run) : SIZE_MAX };
    return OK;
}

/* ---- communication between two of its tasks ---- */

/* By task of the host, how many records the device has of it; counted once for all ops. NULL: no memory. */
static uint32_t *count_records(const struct prof_host *h, const struct prof_device *d)
{
    uint32_t *n = calloc(h->n_tasks + 1, sizeof *n);

    for (size_t i = 0; n && i < d->n_tasks; i++)
        if (d->task[i].host < h->n_tasks)
            n[d->task[i].host]++;
    return n;
}

/* The device records tasks of that type: it has a record of some. */
static bool type_has_records(const struct prof_host *h, const uint32_t *records, uint32_t type)
{
    for (size_t i = h->n_tasks; i-- > 0;)
        if (records[i] && h->task[i].type == type)
            return true;
    return false;
}

/* What is left of an op on a stream. */
struct rest {
    uint32_t stream, missing; /* tasks that were issued and have no record */
};

/*
 * Whether that many tasks are to come on the stream behind what an execution did there until its end: nothing
 * else that the host issued ran behind it, and tasks of unknown issue, which may be of it, are fewer.
 */
static bool is_to_come(const struct prof_device *d, const struct rest *x, uint64_t end)
{
    uint32_t strays = 0;

    for (size_t i = 0; i < d->n_open; i++)
        if (d->open[i].stream == x->stream && d->open[i].start > end)
            return false;
    for (size_t i = d->n_tasks; i-- > 0;) {
        if (d->task[i].stream != x->stream)
            continue;
        if (d->task[i].host != PROF_NONE)
            return d->task[i].start <= end && strays < x->missing;
        strays++;
    }
    return strays < x->missing;
}

#define STREAMS_OF_OP 64

/* All tasks of the op that have records have ended; one that the host issued is still to come. */
static bool is_between(const struct prof_rows *r, const struct prof_device *d, const uint32_t *records,
                       const struct prof_comm_run *run)
{
    const struct prof_host *h = &r->m.host;
    struct rest rest[STREAMS_OF_OP];
    size_t n = 0, k;

    if (!(run->doubt & PROF_DOUBT_DURATION) || run->kfc != PROF_NONE)
        return false;
    for (size_t i = 0; i < h->n_tasks; i++) {
        const struct prof_host_task *t = &h->task[i];
        if (t->comm_op != run->op || t->device != d->f->device || records[i] >= run->iter ||
            !type_has_records(h, records, t->type))
            continue;
        for (k = 0; k < n && rest[k].stream != t->stream; k++)
            continue;
        if (k == n && n == STREAMS_OF_OP)
            continue;
        if (k == n)
            rest[n++] = (struct rest){ .stream = t->stream };
        rest[k].missing++;
    }
    for (k = 0; k < n; k++)
        if (is_to_come(d, &rest[k], run->end))
            return true;
    return false;
}

/* No end of such an op is recorded, though no task runs. */
static int find_between(struct prof_rows_running *all, const struct prof_rows *r, size_t dev, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];
    const struct prof_comm *c = &r->m.comm[dev];
    uint32_t *records = c->n_runs ? count_records(&r->m.host, d) : NULL;

    if (c->n_runs && !records)
        return err_nomem(e);
    for (size_t i = c->n_runs, looked = 0; i-- > 0 && looked < PROF_OPS_AT_ONCE && all->n < PROF_OPS_AT_ONCE;
         looked++) {
        const struct prof_comm_run *run = &c->run[i];
        if (!has_op(all, run->op) && is_between(r, d, records, run))
            all->v[all->n++] = (struct prof_running){
                .op = run->op, .name = run->name, .start = run->start, .open = SIZE_MAX, .run = i
            };
    }
    free(records);
    return OK;
}

/* ---- all ---- */

/* Open tasks are by start: the last one of a stream counts. */
static bool has_later(const struct prof_device *d, size_t i)
{
    for (size_t k = i + 1; k < d->n_open; k++)
        if (d->open[k].stream == d->open[i].stream)
            return true;
    return false;
}

#define LOOKED_AT 4096 /* open tasks that are examined: a stream has one */

static size_t first_open(const struct prof_device *d)
{
    return d->n_open > LOOKED_AT ? d->n_open - LOOKED_AT : 0;
}

static bool is_running(const struct prof_device *d, size_t k)
{
    return !has_later(d, k) && is_last(d, &d->open[k]);
}

int prof_rows_running_make(struct prof_rows *r, size_t dev, struct err *e)
{
    const struct prof_device *d = &r->m.dev[dev];
    struct prof_rows_running *all = &r->running[dev];

    *all = (struct prof_rows_running){ .lost = ends_early(d) };
    for (size_t k = first_open(d); k < d->n_open; k++)
        if (is_running(d, k) && find_comm(all, r, dev, k, e))
            return e->code;
    return find_between(all, r, dev, e);
}

bool prof_rows_is_running(const struct prof_rows *r, size_t dev, const struct prof_comm_run *run)
{
    const struct prof_rows_running *all = &r->running[dev];

    for (size_t i = 0; i < all->n && !all->lost; i++)
        if (all->v[i].run == (size_t)(run - r->m.comm[dev].run))
            return true;
    return false;
}

/* Those of an open task, or of none (SIZE_MAX). */
static int put_comm(struct prof_rows *r, size_t dev, size_t open, struct err *e)
{
    const struct prof_rows_running *all = &r->running[dev];

    for (size_t i = 0; i < all->n; i++) {
        const struct prof_running *x = &all->v[i];
        const struct activity a = {
            .kind = "comm", .name = prof_str(r->m.p, x->name), .start = x->start, .lost = all->lost
        };
        if (x->open == open && put_row(r, &r->m.dev[dev], &a, NULL, e))
            return e->code;
    }
    return OK;
}

static int put_device(struct prof_rows *r, size_t i, struct err *e)
{
    const struct prof_device *d = &r->m.dev[i];

    for (size_t k = first_open(d); k < d->n_open; k++)
        if (is_running(d, k) && (put_open(r, d, &d->open[k], r->running[i].lost, e) || put_comm(r, i, k, e)))
            return e->code;
    return put_comm(r, i, SIZE_MAX, e);
}

int prof_rows_activity(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->m.n_dev; i++)
        if (put_device(r, i, e))
            return e->code;
    return OK;
}
