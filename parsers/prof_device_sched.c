/* Tasks that only the scheduler's own processor tells of (formats/msprof-raw.md 5.2: 310P). */
#include "config.h"

#include <stdlib.h>

#include "prof_device_log.h"
#include "prof_order.h"

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

/* By task; those of one stay in order of the file. */
static bool sched_before(const void *arg, uint32_t i, uint32_t k)
{
    return same(sched(arg, i), sched(arg, k)) < 0;
}

static int by_ids(const void *va, const void *vb)
{
    const struct prof_task *a = va, *b = vb;

    return compare(a->stream, a->task, a->batch, b->stream, b->task, b->batch);
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

/* Tasks that the logs have, by their ids. */
static struct prof_task *sorted_copy(const struct prof_device *d, struct err *e)
{
    struct prof_task *v = calloc(d->n_tasks + 1, sizeof *v);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    for (size_t i = 0; i < d->n_tasks; i++)
        v[i] = d->task[i];
    qsort(v, d->n_tasks, sizeof *v, by_ids);
    return v;
}

static int add_tasks(struct prof_device *d, struct prof *p, const struct prof_scheds *s,
                     struct err *e)
{
    struct prof_task *logged = sorted_copy(d, e),
                     *v = realloc(d->task, (d->n_tasks + s->n + 1) * sizeof *v);
    size_t n_logged = d->n_tasks;
    uint64_t lost = 0;

    if (v)
        d->task = v;
    if (!logged || !v) {
        free(logged);
        return err_nomem(e);
    }
    for (size_t i = 0, n; i < s->n; i += n) {
        struct prof_task t = { .stream = s->v[i].stream,
                               .task = s->v[i].task,
                               .batch = s->v[i].batch };
        for (n = 1; i + n < s->n && same(&s->v[i], &s->v[i + n]) == 0;)
            n++;
        if (bsearch(&t, logged, n_logged, sizeof t, by_ids))
            continue;
        if (task_of(&s->v[i], n, &t))
            d->task[d->n_tasks++] = t;
        else
            lost++;
    }
    free(logged);
    if (lost)
        prof_note(
            p, d->f, PROF_TS_TRACK, NOTE_LOST_RECORDS,
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
    if (prof_flips_number(&all, flips->v, flips->n, e) ||
        prof_sort(scheds->v, scheds->n, sizeof *scheds->v, sched_before, scheds->v, e) ||
        add_tasks(d, p, scheds, e))
        return (int)e->code;
    return prof_device_sort(d, e);
}
