/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline of V6 chips besides their tasks: fusion tasks, and blocks on the cores
 * (doc/formats/prof.md#stars_soc, #ffts_profile, doc/formats/msprof.md#timeline).
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/device/blocks.h"
#include "parsers/prof/rows/rows.h"

/* Layers as msprof orders them. */
#define SORT_BLOCKS 34
#define SORT_FUSION 35
#define CORES       256 /* of a kind */

struct lanes {
    struct prof_rows *r;
    const struct prof_device *d;
    struct prof_task_index *tasks; /* NULL: there was no block yet */
    uint32_t source;
    uint32_t track[2][CORES]; /* of the blocks; SINK_NO_TRACK: none yet */
};

/* SINK_NO_TRACK: e is set. */
static uint32_t new_track(const struct lanes *l, const char *layer, int sort, const char *name,
                          uint32_t number, struct err *e)
{
    const struct prof_folder *f = l->d->f;
    char process[64], tid[32];

    if (l->r->m.n_dev > 1)
        snprintf(process, sizeof process, "%s NPU %d", layer, f->device);
    else
        snprintf(process, sizeof process, "%s", layer);
    snprintf(tid, sizeof tid, "%u", (unsigned)number);
    struct track_def def = { .rank = prof_rows_rank(l->r, f),
                             .kind = TK_ENGINE,
                             .pid = str_of(process),
                             .tid = str_of(tid),
                             .process = str_of(process),
                             .name = str_of(name),
                             .sort = ((int64_t)sort << 40) + number,
                             .stream = -1,
                             .source_id = l->source };
    prof_rows_mark_track(l->r, f, &def);
    uint32_t track = sink_track(l->r->g->out, &def);
    if (track == SINK_NO_TRACK)
        err_nomem(e);
    return track;
}

static int put(const struct lanes *l, uint32_t track, uint64_t start, uint64_t end, struct str name,
               struct err *e)
{
    const struct prof_folder *f = l->d->f;
    struct sink *s = l->r->g->out;
    int64_t from = prof_device_ns(f, start), to = prof_device_ns(f, end);

    if (track == SINK_NO_TRACK)
        return e->code;
    if (to < prof_begin_ns(f))
        return OK;
    return sink_event(s, track, from, to - from, sink_intern(s, name), 0, e);
}

static int put_fusion(struct lanes *l, struct err *e)
{
    if (!l->d->n_fusion)
        return OK;
    l->source = prof_rows_source(l->d->f, PROF_STARS);
    uint32_t track = new_track(l, "Fusion Task", SORT_FUSION, "Fusion Task", 0, e);
    for (size_t i = 0; i < l->d->n_fusion; i++) {
        const struct prof_fusion_run *x = &l->d->fusion[i];
        char name[32];
        int n = snprintf(name, sizeof name, "Fusion %s", prof_fusion_word(x));
        if (put(l, track, x->start, x->end, (struct str){ name, (size_t)n }, e))
            return e->code;
    }
    return OK;
}

static int on_block(void *arg, const struct prof_block_run *b, struct err *e)
{
    struct lanes *l = arg;
    uint32_t *track = &l->track[b->vector][b->core];
    char name[32];

    if (!l->tasks && prof_task_index_new(&l->tasks, l->d, e))
        return e->code;
    const struct prof_task *t = prof_task_index_at(l->tasks, b->task, b->start);
    if (*track == SINK_NO_TRACK) {
        snprintf(name, sizeof name, "%s %u", b->vector ? "AIV" : "AIC", b->core);
        *track = new_track(l, "Block Detail", SORT_BLOCKS, name, (uint32_t)b->vector * CORES + b->core, e);
    }
    return put(l, *track, b->start, b->end, t ? prof_rows_task_name(l->r, t) : STR("block"), e);
}

/* The log of blocks has all of them; the counters of blocks, if collected, have the same ones. */
static int put_blocks(struct lanes *l, struct err *e)
{
    struct prof *p = l->r->m.p;
    bool logged = prof_has(l->d->f, PROF_STARS_BLOCK);

    l->source = prof_rows_source(l->d->f, logged ? PROF_STARS_BLOCK : PROF_FFTS);
    for (size_t i = 0; i < CORES; i++)
        l->track[0][i] = l->track[1][i] = SINK_NO_TRACK;
    (void)!(logged ? prof_blocks_logged : prof_blocks_counted)(p, l->d->f, on_block, l, e);
    prof_task_index_free(l->tasks);
    return e->code;
}

int prof_rows_v6(struct prof_rows *r, struct err *e)
{
    struct lanes *l = r->m.p->chip->v6 ? calloc(1, sizeof *l) : NULL;

    if (!r->m.p->chip->v6)
        return OK;
    if (!l)
        return err_nomem(e);
    for (size_t i = 0; i < r->m.n_dev && !e->code; i++) {
        *l = (struct lanes){ .r = r, .d = &r->m.dev[i] };
        if (put_fusion(l, e) == OK)
            (void)!put_blocks(l, e);
    }
    free(l);
    return e->code;
}
