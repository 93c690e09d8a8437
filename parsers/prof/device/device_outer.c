/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that have sub-tasks with rows of their own (doc/formats/msprof.md#hidden-outer-tasks). */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/str.h"
#include "parsers/prof/device/device_log.h"

#define BLOCK_IDS 512 /* ids of tasks follow each other: those of a block are bits */

struct block {
    uint32_t stream, batch, high; /* high: id / BLOCK_IDS */
};
struct bits {
    uint64_t of[BLOCK_IDS / 64];
};
/* Ids of tasks by stream and batch. */
struct ids {
    struct intern *blocks; /* a struct block each: where its bits are */
    struct bits *bits;
    size_t cap;
    struct block last; /* looked up last */
    uint32_t last_at;  /* INTERN_NONE: none was */
};

/* Where the bits of the task's block are; INTERN_NONE: there are none. */
static uint32_t find(struct ids *x, const struct prof_task *t)
{
    const struct block b = { t->stream, t->batch, t->task / BLOCK_IDS };

    if (x->last_at == INTERN_NONE || memcmp(&b, &x->last, sizeof b) != 0) {
        x->last = b;
        x->last_at = intern_find(x->blocks, (struct str){ (const char *)&b, sizeof b });
    }
    return x->last_at;
}

static int put(struct ids *x, const struct prof_task *t, struct err *e)
{
    if (find(x, t) == INTERN_NONE) {
        size_t n = intern_count(x->blocks);
        struct bits *v = grow_array(x->bits, n, &x->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        x->bits = v;
        v[n] = (struct bits){ { 0 } };
        x->last_at = intern_put(x->blocks, (struct str){ (const char *)&x->last, sizeof x->last });
        if (x->last_at == INTERN_NONE)
            return err_nomem(e);
    }
    x->bits[x->last_at].of[t->task % BLOCK_IDS / 64] |= (uint64_t)1 << t->task % 64;
    return OK;
}

static bool has(struct ids *x, const struct prof_task *t)
{
    uint32_t at = find(x, t);

    return at != INTERN_NONE && x->bits[at].of[t->task % BLOCK_IDS / 64] >> t->task % 64 & 1;
}

int prof_device_outer(struct prof_device *d, struct err *e)
{
    struct ids x = { .last_at = INTERN_NONE };

    (void)!intern_new(&x.blocks, e);
    for (size_t i = 0; i < d->n_tasks && !e->code; i++)
        if (d->task[i].source == PROF_BY_FFTS)
            (void)!put(&x, &d->task[i], e);
    for (size_t i = 0; i < d->n_tasks && !e->code; i++)
        d->task[i].outer = d->task[i].source != PROF_BY_FFTS && has(&x, &d->task[i]);
    intern_free(x.blocks);
    free(x.bits);
    return e->code;
}
