/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of tasks that are known only when they are issued (doc/formats/prof.md#ts_track,
 * doc/formats/msprof.md#ai-core-metrics: ts_track type 15).
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/device/device_log.h"

/* ---- batches ---- */

static uint16_t device_at(const void *arg, uint32_t i)
{
    (void)arg, (void)i;
    return 0;
}
static uint32_t stream_at(const void *arg, uint32_t i)
{
    return ((const struct prof_block *)arg)[i].stream;
}
static uint32_t task_at(const void *arg, uint32_t i)
{
    return ((const struct prof_block *)arg)[i].task;
}
static uint64_t time_at(const void *arg, uint32_t i)
{
    return ((const struct prof_block *)arg)[i].counter;
}
static uint32_t *batch_at(void *arg, uint32_t i)
{
    return &((struct prof_block *)arg)[i].batch;
}

int prof_tiling_number(struct prof_device *d, const struct prof *p, struct prof_flips *flips, struct err *e)
{
    const struct prof_flip_tasks all = { .arg = d->block,
                                         .n = d->n_blocks,
                                         .device = device_at,
                                         .stream = stream_at,
                                         .task = task_at,
                                         .time = time_at,
                                         .batch = batch_at };

    return p->chip->batches ? prof_flips_number(d->spool, &all, flips->v, flips->n, e) : OK;
}

/* ---- the host's ops ---- */

struct key {
    uint32_t stream, task, batch;
};

/* The ids of a V6 chip's task are one number. */
struct taking {
    const struct prof_device *d;
    struct prof_host *h;
    bool is_v6;
    uint32_t *order; /* blocks by key */
    struct key key;  /* the key looked for */
};

static int compare(const struct taking *g, const struct key *a, const struct key *b)
{
    if (!g->is_v6 && a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    return g->is_v6 ? 0 : a->batch < b->batch ? -1 : a->batch > b->batch;
}

static struct key key_of(const struct prof_block *b)
{
    return (struct key){ b->stream, b->task, b->batch };
}

static bool block_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct taking *g = arg;
    const struct key a = key_of(&g->d->block[i]), b = key_of(&g->d->block[k]);

    return compare(g, &a, &b) < 0;
}

static bool is_not_above(const void *arg, size_t i)
{
    const struct taking *g = arg;
    const struct key a = key_of(&g->d->block[g->order[i]]);

    return compare(g, &a, &g->key) <= 0;
}

/* The last block record of the task; NULL: there is none. */
static const struct prof_block *find(struct taking *g, const struct prof_host_task *t, size_t *hint)
{
    g->key = (struct key){ t->stream, t->task, t->batch };
    *hint = prof_gallop(g->d->n_blocks, *hint, is_not_above, g);
    if (!*hint)
        return NULL;
    const struct prof_block *b = &g->d->block[g->order[*hint - 1]];
    const struct key found = key_of(b);
    return compare(g, &found, &g->key) ? NULL : b;
}

struct change {
    uint32_t op, blocks, host;
};
struct changes {
    struct change *v;
    size_t n, cap;
};

static bool change_before(const void *arg, uint32_t i, uint32_t k)
{
    const struct change *v = arg;

    return v[i].op != v[k].op ? v[i].op < v[k].op : v[i].blocks < v[k].blocks;
}

static uint32_t blocks_of(uint32_t told)
{
    return told & 0xffff;
}
static uint32_t mix_of(uint32_t told)
{
    return (told & 0xffff) * (told >> 16);
}

static int find_changes(struct taking *g, struct changes *c, struct err *e)
{
    const struct prof_host *h = g->h;
    size_t hint = 0;

    for (size_t i = 0; i < h->n_tasks; i++) {
        const struct prof_host_task *t = &h->task[i];
        if (t->op == PROF_NONE || t->device != g->d->f->device)
            continue;
        const struct prof_op *op = &h->op[t->op];
        const struct prof_block *b = find(g, t, &hint);
        if (!b || (op->block == blocks_of(b->blocks) && op->mix_block == mix_of(b->blocks)))
            continue;
        struct change *v = spool_grow(g->d->spool, c->v, c->n, &c->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        c->v = v;
        v[c->n++] = (struct change){ t->op, b->blocks, (uint32_t)i };
    }
    return prof_sort(g->d->spool, c->v, c->n, sizeof *c->v, change_before, c->v, e);
}

/* Makes an op for each that differs. */
static int apply(struct prof_host *h, const struct changes *c, struct err *e)
{
    size_t more = 0;

    for (size_t i = 0; i < c->n; i++)
        more += !i || c->v[i].op != c->v[i - 1].op || c->v[i].blocks != c->v[i - 1].blocks;
    if (h->n_ops + more >= PROF_NONE)
        return err_set(e, ERR_LIMIT, "too many ops");
    struct prof_op *op = more ? realloc(h->op, (h->n_ops + more) * sizeof *op) : h->op;
    if (more && !op)
        return err_nomem(e);
    h->op = op;
    for (size_t i = 0; i < c->n; i++) {
        const struct change *x = &c->v[i];
        if (!i || x->op != x[-1].op || x->blocks != x[-1].blocks) {
            op[h->n_ops] = op[x->op];
            op[h->n_ops].block = blocks_of(x->blocks);
            op[h->n_ops++].mix_block = mix_of(x->blocks);
        }
        h->task[x->host].op = (uint32_t)h->n_ops - 1;
    }
    return OK;
}

int prof_device_blocks(const struct prof_device *d, struct prof_host *h, bool is_v6, struct err *e)
{
    struct taking g = { .d = d, .h = h, .is_v6 = is_v6 };
    struct changes c = { .v = NULL };

    if (!d->n_blocks || !h->n_ops)
        return OK;
    if (prof_order(d->spool, &g.order, d->n_blocks, block_before, &g, e) == OK &&
        find_changes(&g, &c, e) == OK)
        (void)!apply(h, &c, e);
    spool_free(d->spool, g.order);
    spool_free(d->spool, c.v);
    return e->code;
}
