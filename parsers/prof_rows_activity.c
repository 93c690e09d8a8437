/*
 * What streams were doing when the data ended: a task that began, was the last of its stream and did not end. What the others did last is
 * told by their tracks (import/activity.c).
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "prof_rows.h"

/* Nothing of its stream began or ended behind it. */
static bool is_last(const struct prof_device *d, const struct prof_task *x)
{
    for (size_t i = d->n_tasks; i-- > 0;)
        if (d->task[i].stream == x->stream)
            return d->task[i].end <= x->start;
    return true;
}

/* Of a task with contexts the host's rows are those of its contexts: the first one's op is its. */
static struct str name_of(const struct prof_rows *r, const struct prof_device *d,
                          const struct prof_task *x)
{
    const struct prof_host *h = &r->host;
    size_t lo = 0, hi = h->n_tasks;

    if (x->host != PROF_NONE && h->task[x->host].op != PROF_NONE)
        return prof_rows_task_name(r, x);
    while (lo < hi) { /* the first one of (device, stream, task) */
        const struct prof_host_task *t = &h->task[lo + (hi - lo) / 2];
        bool before = t->device != d->f->device ? t->device < d->f->device
                      : t->stream != x->stream  ? t->stream < x->stream
                                                : t->task < x->task;
        if (before)
            lo = lo + (hi - lo) / 2 + 1;
        else
            hi = lo + (hi - lo) / 2;
    }
    for (; lo < h->n_tasks && h->task[lo].stream == x->stream && h->task[lo].task == x->task; lo++)
        if (h->task[lo].batch == x->batch && h->task[lo].op != PROF_NONE)
            return prof_str(r->p, h->op[h->task[lo].op].name);
    return prof_rows_task_name(r, x);
}

static int put_open(struct prof_rows *r, const struct prof_device *d, const struct prof_task *x,
                    struct err *e)
{
    struct val v[N_COLS(last_activity)] = { 0 };
    enum prof_tag tag = prof_has(d->f, PROF_STARS) ? PROF_STARS : PROF_HWTS;
    char track[32];

    snprintf(track, sizeof track, "Stream %" PRIu32, x->stream);
    v[COL(last_activity, rank)] = val_int(prof_rows_rank(r, d->f));
    v[COL(last_activity, kind)] = val_cstr("stream");
    v[COL(last_activity, track)] = val_cstr(track);
    v[COL(last_activity, stream)] = val_int(x->stream);
    v[COL(last_activity, task)] = val_int(x->task);
    v[COL(last_activity, name_id)] = sink_text(r->g->out, name_of(r, d, x));
    v[COL(last_activity, ts_ns)] = val_int(prof_device_ns(d->f, x->start));
    v[COL(last_activity, state)] = val_cstr("running");
    v[COL(last_activity, source_id)] = val_id(prof_rows_source(d->f, tag));
    return sink_row(r->g->out, T_last_activity, v, N_COLS(last_activity), NULL, e);
}

/* Open tasks are by start: of a stream the last one counts. */
static bool has_later(const struct prof_device *d, size_t i)
{
    for (size_t k = i + 1; k < d->n_open; k++)
        if (d->open[k].stream == d->open[i].stream)
            return true;
    return false;
}

#define LOOKED_AT 4096 /* open tasks that are looked at: a stream has one */

int prof_rows_activity(struct prof_rows *r, struct err *e)
{
    for (size_t i = 0; i < r->n_dev; i++) {
        const struct prof_device *d = &r->dev[i];
        size_t from = d->n_open > LOOKED_AT ? d->n_open - LOOKED_AT : 0;
        for (size_t k = from; k < d->n_open; k++)
            if (!has_later(d, k) && is_last(d, &d->open[k]) && put_open(r, d, &d->open[k], e))
                return (int)e->code;
    }
    return OK;
}
