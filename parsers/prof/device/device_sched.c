/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that only the scheduler's own processor records (doc/formats/msprof.md#device-tasks: 310P). */
#include "config.h"

#include <stdlib.h>

#include "base/large/sort_index.h"
#include "parsers/prof/device/device_log.h"

/* At this time `host` is still the number of the first record. */
static bool starts_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct prof_task *a = (const struct prof_task *)arg + i, *b = (const struct prof_task *)arg + k;

    return a->start != b->start ? a->start < b->start : a->host < b->host;
}

int prof_device_sort(struct prof_device *d, struct err *e)
{
    return prof_sort(d->spool, d->task, d->n_tasks, sizeof *d->task, starts_before, d->task, e);
}

enum { SCHED_START = 0, SCHED_END = 2 };

static uint16_t device_at(const void *arg, uint32_t i)
{
    (void)arg, (void)i;
    return 0;
}
static const struct prof_sched *sched(const void *arg, uint32_t i)
{
    return (const struct prof_sched *)arg + i;
}
static uint32_t stream_at(const void *arg, uint32_t i)
{
    return sched(arg, i)->stream;
}
static uint32_t task_at(const void *arg, uint32_t i)
{
    return sched(arg, i)->task;
}
static uint64_t time_at(const void *arg, uint32_t i)
{
    return sched(arg, i)->counter;
}
static uint32_t *batch_at(void *arg, uint32_t i)
{
    return &((struct prof_sched *)arg)[i].batch;
}

static int compare(uint32_t stream, uint32_t task, uint32_t batch, uint32_t stream2, uint32_t task2,
                   uint32_t batch2)
{
    if (stream != stream2)
        return stream < stream2 ? -1 : 1;
    if (task != task2)
        return task < task2 ? -1 : 1;
    return batch < batch2 ? -1 : batch > batch2;
}

static int same(const struct prof_sched *a, const struct prof_sched *b)
{
    return compare(a->stream, a->task, a->batch, b->stream, b->task, b->batch);
}

/* By task; records of one task stay in order of the file. */
static bool sched_before(const void *arg, uint32_t i, uint32_t k)
{
    return same(sched(arg, i), sched(arg, k)) < 0;
}

/* The first start and the first end of n records of one task; false: one of them is missing. */
static bool task_of(const struct prof_sched *v, size_t n, struct prof_task *out)
{
    const struct prof_sched *start = NULL, *end = NULL;

    for (size_t i = 0; i < n; i++) {
        if (v[i].state == SCHED_START && !start)
            start = &v[i];
        else if (v[i].state == SCHED_END && !end)
            end = &v[i];
    }
    if (!start || !end || end->counter < start->counter)
        return false;
    *out = (struct prof_task){ .start = start->counter,
                               .end = end->counter,
                               .stream = v->stream,
                               .task = v->task,
                               .batch = v->batch,
                               .context = PROF_NONE,
                               .host = PROF_NONE,
                               .counter = PROF_NONE,
                               .source = PROF_BY_TS,
                               .kind = (uint8_t)start->kind };
    return true;
}

/* Marks the tasks that the logs have, in the first record of each. */
static void mark_logged(const struct prof_device *d, const struct prof_scheds *s)
{
    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_task *t = &d->task[i];
        const struct prof_sched key = { .stream = t->stream, .task = t->task, .batch = t->batch };
        size_t lo = 0, hi = s->n;
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            if (same(&s->v[mid], &key) < 0)
                lo = mid + 1;
            else
                hi = mid;
        }
        if (lo < s->n && same(&s->v[lo], &key) == 0)
            s->v[lo].logged = true;
    }
}

static int add_tasks(struct prof_device *d, struct prof *p, const struct prof_scheds *s, struct err *e)
{
    struct prof_task t, *v;
    uint64_t lost = 0;
    size_t room = d->n_tasks;

    v = spool_grow(d->spool, d->task, d->n_tasks + s->n, &room, sizeof *v, 1);
    if (!v)
        return err_nomem(e);
    d->task = v;
    mark_logged(d, s);
    for (size_t i = 0, n; i < s->n; i += n) {
        for (n = 1; i + n < s->n && same(&s->v[i], &s->v[i + n]) == 0;)
            n++;
        if (s->v[i].logged)
            continue;
        if (task_of(&s->v[i], n, &t))
            d->task[d->n_tasks++] = t;
        else
            lost++;
    }
    if (lost)
        prof_note(p, d->f, PROF_TS_TRACK, NOTE_LOST_RECORDS,
                  "%llu tasks of the scheduler have no start or no end: they are not in the results",
                  (unsigned long long)lost);
    return OK;
}

int prof_device_scheduled(struct prof_device *d, struct prof *p, struct prof_scheds *scheds,
                          struct prof_flips *flips, struct err *e)
{
    const struct prof_flip_tasks all = { .arg = scheds->v,
                                         .n = scheds->n,
                                         .device = device_at,
                                         .stream = stream_at,
                                         .task = task_at,
                                         .time = time_at,
                                         .batch = batch_at };

    if (!scheds->n)
        return OK;
    if (prof_flips_number(d->spool, &all, flips->v, flips->n, e) ||
        prof_sort(d->spool, scheds->v, scheds->n, sizeof *scheds->v, sched_before, scheds->v, e) ||
        add_tasks(d, p, scheds, e))
        return e->code;
    return prof_device_sort(d, e);
}
