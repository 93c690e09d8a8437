/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of kernels. */
#include "config.h"

#include "parsers/prof/device/blocks.h"

#include <stdlib.h>

#include "parsers/prof/device/pair.h"
#include "parsers/prof/prof_layout.h"

enum { STARS6_RECORD(FIELD_AT) FFTS_RECORD(FIELD_AT) };
enum { BLOCK_START = 0x24, BLOCK_END = 0x25 }; /* doc/formats/prof.md#stars_soc */

struct reading {
    struct prof_pairs *pairs;
    prof_block_fn *fn;
    void *arg;
    uint64_t unknown;
};

/* Task, kind of core, core and block: none runs twice at a time. */
static uint64_t key_of(struct rec *r)
{
    return (uint64_t)rec_u32(r, S6_TASK) << 32 | (uint64_t)(rec_u8(r, S6_CORE_KIND) & 1) << 24 |
           (uint64_t)rec_u8(r, S6_CORE) << 16 | rec_u16(r, S6_BLOCK);
}

static int on_pair(void *arg, uint64_t key, const struct prof_start *s, uint64_t end, struct err *e)
{
    const struct reading *g = arg;

    return g->fn(g->arg,
                 &(struct prof_block_run){ .start = s->counter,
                                           .end = end,
                                           .task = (uint32_t)(key >> 32),
                                           .block = (uint16_t)key,
                                           .core = (uint8_t)(key >> 16),
                                           .vector = key >> 24 & 1 },
                 e);
}

static int on_block(void *arg, struct prof_record *r, struct err *e)
{
    struct reading *g = arg;
    unsigned function = rec_u16(&r->rec, S6_FUNCTION) & 63;
    const struct prof_start s = { .counter = rec_u64(&r->rec, S6_TICKS) };

    if (function == BLOCK_START)
        return prof_pairs_start(g->pairs, key_of(&r->rec), &s, e);
    if (function == BLOCK_END)
        return prof_pairs_end(g->pairs, key_of(&r->rec), s.counter, e);
    g->unknown++;
    return OK;
}

int prof_blocks_logged(struct prof *p, const struct prof_folder *f, prof_block_fn *fn, void *arg,
                       struct err *e)
{
    struct reading g = { .fn = fn, .arg = arg };
    struct prof_pairs_lost lost = { 0 };

    if (!prof_has(f, PROF_STARS_BLOCK))
        return OK;
    if (prof_pairs_new(&g.pairs, PROF_PAIR_ORDER, on_pair, &g, e) == OK &&
        prof_read(p, f, PROF_STARS_BLOCK, on_block, &g, e) == OK)
        (void)!prof_pairs_finish(g.pairs, &lost, e);
    prof_pairs_free(g.pairs);
    if (lost.starts || lost.ends)
        prof_note(p, f, PROF_STARS_BLOCK, NOTE_LOST_RECORDS,
                  "%llu blocks have no start or no end: they are not in the results",
                  (unsigned long long)(lost.starts + lost.ends));
    if (g.unknown)
        prof_note(p, f, PROF_STARS_BLOCK, NOTE_UNKNOWN_TYPE, "%llu records of blocks are of an unknown type",
                  (unsigned long long)g.unknown);
    return e->code;
}

static int on_counters(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct rec *x = &r->rec;
    struct prof_block_run b = { .start = rec_u64(x, FF_START),
                                .end = rec_u64(x, FF_END),
                                .task = rec_u32(x, F6_TASK),
                                .block = rec_u16(x, F6_BLOCK),
                                .core = rec_u8(x, F6_CORE),
                                .vector = rec_u8(x, F6_CORE_KIND) & 1 };

    if ((rec_u16(x, FF_FUNCTION) & 63) != PROF_FFTS_BLOCK || b.end < b.start)
        return OK;
    return g->fn(g->arg, &b, e);
}

int prof_blocks_counted(struct prof *p, const struct prof_folder *f, prof_block_fn *fn, void *arg,
                        struct err *e)
{
    struct reading g = { .fn = fn, .arg = arg };

    if (!p->chip->v6 || !f->meta.task_based || !f->meta.aiv_task_based)
        return OK;
    return prof_read(p, f, PROF_FFTS, on_counters, &g, e);
}

/* ---- tasks by their ids ---- */

struct entry {
    uint64_t start;
    uint32_t task, i;
};
struct prof_task_index {
    const struct prof_device *d;
    struct entry *v;
    size_t n;
};

static int by_task(const void *va, const void *vb)
{
    const struct entry *a = va, *b = vb;

    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->i < b->i ? -1 : a->i > b->i;
}

int prof_task_index_new(struct prof_task_index **out, const struct prof_device *d, struct err *e)
{
    struct prof_task_index *x = calloc(1, sizeof *x);

    *out = x;
    if (x)
        x->d = d;
    if (!x || !(x->v = spool_array(d->spool, d->n_tasks + 1, sizeof *x->v)))
        return err_nomem(e);
    x->n = d->n_tasks;
    for (size_t i = 0; i < x->n; i++)
        x->v[i] = (struct entry){ d->task[i].start, d->task[i].task, (uint32_t)i };
    qsort(x->v, x->n, sizeof *x->v, by_task);
    return OK;
}

void prof_task_index_free(struct prof_task_index *x)
{
    if (x)
        spool_free(x->d->spool, x->v);
    free(x);
}

const struct prof_task *prof_task_index_at(const struct prof_task_index *x, uint32_t task, uint64_t counter)
{
    size_t lo = 0, hi = x->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->v[mid].task < task || (x->v[mid].task == task && x->v[mid].start <= counter))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && x->v[lo - 1].task == task ? &x->d->task[x->v[lo - 1].i] : NULL;
}
