/* Tasks that have sub-tasks with rows of their own (formats/msprof-raw.md 5.2, last line). */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "prof_device_log.h"
#include "prof_hash.h"

#define BLOCK_IDS 512 /* ids of tasks follow each other: those of a block are bits */

struct block {
    uint32_t stream, batch, high; /* high: id / BLOCK_IDS */
    uint64_t bits[BLOCK_IDS / 64];
};
/* Ids of tasks by stream and batch; open addressing, at most half full. */
struct ids {
    struct block *block;
    size_t n, cap;
    uint32_t *slot; /* index + 1 */
    size_t room;
    size_t last; /* the block asked for last */
};

static bool is_it(const struct block *b, const struct prof_task *t)
{
    return b->stream == t->stream && b->batch == t->batch && b->high == t->task / BLOCK_IDS;
}

static size_t place(const struct ids *x, uint32_t stream, uint32_t batch, uint32_t high)
{
    return prof_hash(((uint64_t)stream << 32 | high) ^ (uint64_t)batch << 20) & (x->room - 1);
}

static uint32_t *slot_of(const struct ids *x, const struct prof_task *t)
{
    size_t i = place(x, t->stream, t->batch, t->task / BLOCK_IDS);

    while (x->slot[i] && !is_it(&x->block[x->slot[i] - 1], t))
        i = (i + 1) & (x->room - 1);
    return &x->slot[i];
}

static bool more_room(struct ids *x)
{
    size_t room = x->room ? 2 * x->room : 256;
    uint32_t *slot = calloc(room, sizeof *slot);

    if (!slot)
        return false;
    free(x->slot);
    x->slot = slot;
    x->room = room;
    for (size_t i = 0; i < x->n; i++) {
        const struct block *b = &x->block[i];
        size_t at = place(x, b->stream, b->batch, b->high);
        while (slot[at])
            at = (at + 1) & (room - 1);
        slot[at] = (uint32_t)i + 1;
    }
    return true;
}

/* NULL: there is none. */
static struct block *block_of(struct ids *x, const struct prof_task *t)
{
    if (x->last < x->n && is_it(&x->block[x->last], t))
        return &x->block[x->last];
    uint32_t i = x->room ? *slot_of(x, t) : 0;
    if (!i)
        return NULL;
    x->last = i - 1;
    return &x->block[x->last];
}

static int put(struct ids *x, const struct prof_task *t, struct err *e)
{
    struct block *b = block_of(x, t);

    if (!b) {
        struct block *v = grow_array(x->block, x->n, &x->cap, sizeof *v, 64);
        if (v)
            x->block = v;
        if (!v || (2 * (x->n + 1) > x->room && !more_room(x)))
            return err_nomem(e);
        *slot_of(x, t) = (uint32_t)x->n + 1;
        b = &v[x->n++];
        *b = (struct block){ t->stream, t->batch, t->task / BLOCK_IDS, { 0 } };
    }
    b->bits[t->task % BLOCK_IDS / 64] |= (uint64_t)1 << t->task % 64;
    return OK;
}

static bool has(struct ids *x, const struct prof_task *t)
{
    const struct block *b = block_of(x, t);

    return b && b->bits[t->task % BLOCK_IDS / 64] >> t->task % 64 & 1;
}

int prof_device_outer(struct prof_device *d, struct err *e)
{
    struct ids x = { .n = 0 };

    for (size_t i = 0; i < d->n_tasks && !e->code; i++)
        if (d->task[i].source == PROF_BY_FFTS)
            (void)!put(&x, &d->task[i], e);
    for (size_t i = 0; i < d->n_tasks && !e->code; i++)
        d->task[i].outer = d->task[i].source != PROF_BY_FFTS && has(&x, &d->task[i]);
    free(x.block);
    free(x.slot);
    return (int)e->code;
}
