/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches of tasks. The rule walks back from each flip over the tasks before it; walking all tasks backwards
 * once gives the same: a flip reaches back to the first task (going back) whose id is not below its own, and
 * of the flips that reach a task the last one counts. Those that still reach are a queue, later flips first:
 * an earlier flip is of use only when its id is above theirs, so that it reaches further back than they do.
 */
#include "config.h"

#include "parsers/prof/device/flips.h"

#include <stdlib.h>

#include "base/large/sort_index.h"

#define NO_WAY_BACK 0xffff /* a flip with this task id corrects nothing, as 0 does */

static bool flip_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_flip *v = arg;

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

/* -1, 0, 1: the flip's stream is before, at or after the task's. */
static int side_of(const struct prof_flip *f, uint16_t device, uint32_t stream)
{
    if (f->device != device)
        return f->device < device ? -1 : 1;
    return f->stream != stream ? (f->stream < stream ? -1 : 1) : 0;
}

/* The flips of a stream, from the last one back. */
struct walk {
    const struct prof_flip *flip;
    size_t from, cursor; /* its first flip; those from cursor on have been passed */
    uint32_t *reach;     /* a queue of flips that reach back further still: */
    size_t head, tail;
};

/* Task ids 0 and 65535 say nothing about the tasks before the flip (C++). */
static bool reaches_back(const struct prof_flip *f)
{
    return !f->is_destroyed && f->task && f->task != NO_WAY_BACK;
}

/* Goes to the last flip of the stream; streams after it have no more tasks. */
static void go_to(struct walk *w, uint16_t device, uint32_t stream)
{
    w->cursor = w->from;
    while (w->cursor > 0 && side_of(&w->flip[w->cursor - 1], device, stream) > 0)
        w->cursor--;
    w->from = w->cursor;
    while (w->from > 0 && !side_of(&w->flip[w->from - 1], device, stream))
        w->from--;
    w->head = w->tail = 0;
}

/* Batch of the task, which is earlier than the ones asked for so far. */
static uint32_t batch_of(struct walk *w, uint32_t task, uint64_t time)
{
    for (; w->cursor > w->from && w->flip[w->cursor - 1].time >= time; w->cursor--) {
        const struct prof_flip *f = &w->flip[w->cursor - 1];
        if (reaches_back(f) && (w->head == w->tail || w->flip[w->reach[w->tail - 1]].task < f->task))
            w->reach[w->tail++] = (uint32_t)w->cursor - 1;
    }
    while (w->head < w->tail && w->flip[w->reach[w->head]].task <= task)
        w->head++;
    return (uint32_t)((w->head < w->tail ? w->reach[w->head] + 1 : w->cursor) - w->from);
}

int prof_flips_number(struct spool *pool, const struct prof_flip_tasks *b, struct prof_flip *flip,
                      size_t n_flips, struct err *e)
{
    struct walk w = { .flip = flip, .from = n_flips };
    uint32_t *order, stream = 0;
    uint16_t device = 0;

    for (size_t i = 0; !n_flips && i < b->n; i++)
        *b->batch(b->arg, (uint32_t)i) = 0;
    if (!n_flips)
        return OK;
    if (prof_sort(pool, flip, n_flips, sizeof *flip, flip_before, flip, e) ||
        prof_order(pool, &order, b->n, task_before, b, e))
        return e->code;
    w.reach = calloc(n_flips + 1, sizeof *w.reach);
    if (!w.reach) {
        spool_free(pool, order);
        return err_nomem(e);
    }
    for (size_t i = b->n; i > 0; i--) {
        uint32_t t = order[i - 1];
        if (i == b->n || b->device(b->arg, t) != device || b->stream(b->arg, t) != stream) {
            device = b->device(b->arg, t);
            stream = b->stream(b->arg, t);
            go_to(&w, device, stream);
        }
        *b->batch(b->arg, t) = batch_of(&w, b->task(b->arg, t), b->time(b->arg, t));
    }
    free(w.reach);
    spool_free(pool, order);
    return OK;
}
