/* Batches of tasks. */
#include "config.h"

#include "prof_flips.h"

#include <stdlib.h>

#include "prof_order.h"

#define NO_WAY_BACK 0xffff /* a flip with this task id corrects nothing, as 0 does */
#define PATIENCE    64 /* corrections that a task may cost on average: damaged flips end there */

static bool flip_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_host_flip *v = arg;

    if (v[a].device != v[b].device)
        return v[a].device < v[b].device;
    if (v[a].stream != v[b].stream)
        return v[a].stream < v[b].stream;
    return v[a].time < v[b].time;
}

static bool task_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct prof_flip_tasks *b = arg;
    uint32_t s = b->stream(b->arg, i), t = b->stream(b->arg, k);
    uint16_t d = b->device(b->arg, i), x = b->device(b->arg, k);

    if (d != x)
        return d < x;
    return s != t ? s < t : b->time(b->arg, i) < b->time(b->arg, k);
}

/* -1, 0, 1: the flip's stream lies before the task's, is it, lies behind. */
static int side_of(const struct prof_host_flip *f, uint16_t device, uint32_t stream)
{
    if (f->device != device)
        return f->device < device ? -1 : 1;
    return f->stream != stream ? (f->stream < stream ? -1 : 1) : 0;
}

struct walk {
    const struct prof_flip_tasks *b;
    const uint32_t *order;
    size_t from; /* first task of the stream */
    size_t left; /* corrections that are still allowed */
};

/* Tasks before place i of the order that already belong behind the flip. */
static void correct(struct walk *w, size_t i, const struct prof_host_flip *f, uint32_t batch)
{
    const struct prof_flip_tasks *b = w->b;

    if (f->is_destroyed || !f->task || f->task == NO_WAY_BACK)
        return;
    for (; i > w->from && w->left && b->task(b->arg, w->order[i - 1]) < f->task; i--, w->left--)
        *b->batch(b->arg, w->order[i - 1]) = batch;
}

int prof_flips_number(const struct prof_flip_tasks *b, struct prof_host_flip *flip, size_t n_flips,
                      struct err *e)
{
    uint32_t *order, batch = 0, stream = 0;
    uint16_t device = 0;
    size_t f = 0;

    if (prof_sort(flip, n_flips, sizeof *flip, flip_before, flip, e) ||
        prof_order(&order, b->n, task_before, b, e))
        return (int)e->code;
    struct walk w = { .b = b, .order = order, .left = (b->n + n_flips) * PATIENCE };
    for (size_t i = 0; i < b->n; i++) {
        uint32_t t = order[i];
        if (!i || b->device(b->arg, t) != device || b->stream(b->arg, t) != stream) {
            device = b->device(b->arg, t);
            stream = b->stream(b->arg, t);
            batch = 0;
            w.from = i;
            while (f < n_flips && side_of(&flip[f], device, stream) < 0)
                f++;
        }
        for (;
             f < n_flips && !side_of(&flip[f], device, stream) && flip[f].time < b->time(b->arg, t);
             f++)
            correct(&w, i, &flip[f], ++batch);
        *b->batch(b->arg, t) = batch;
    }
    free(order);
    return OK;
}
