/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Levels of detail and far events while filling (doc/performance.md#chunks, #level-of-detail): events come
 * chunk by chunk, in the order of the track.
 */
#include "config.h"

#include "store/fill/fill_int.h"

#include <stdlib.h>

void fill_lod_free(struct track_state *t)
{
    if (!t->lods)
        return;
    lod_free(t->lods->all);
    for (size_t i = 0; i < CHUNK_LANES; i++)
        lod_free(t->lods->lane[i]);
    free(t->lods);
    t->lods = NULL;
}

/* A track of one chunk gets no pyramid: decoding it is quicker. */
static int begin(struct fill *f, struct track_state *t, int64_t t0, size_t n, struct err *e)
{
    if (t->lods || n < CHUNK_EVENTS)
        return OK;
    t->lods = calloc(1, sizeof *t->lods);
    if (!t->lods)
        return err_nomem(e);
    return lod_new(&t->lods->all, &f->lods, t->d.kind == TK_COUNTER ? LOD_COUNTER : LOD_TRACK, t0, e);
}

static int add_to_lane(struct track_lods *k, struct lod_pool *pool, const struct chunk_event *ev,
                       uint8_t lane, struct err *e)
{
    if (!k->lane[lane] && lod_new(&k->lane[lane], pool, LOD_LANE, ev->ts, e))
        return e->code;
    return lod_add_event(k->lane[lane], ev->ts, chunk_end(ev), ev->name, e);
}

static int add_events(struct fill *f, struct track_state *t, const struct chunk_event *ev, size_t n,
                      const uint8_t *lane, struct err *e)
{
    struct track_lods *k = t->lods;

    for (size_t i = 0; i < n; i++) {
        /* Up to the first event that finds lane 0 occupied, lane 0 is the track. */
        if (lane[i] && !k->lane[0] && lod_copy(&k->lane[0], k->all, LOD_LANE, e))
            return e->code;
        if (lod_add_event(k->all, ev[i].ts, chunk_end(&ev[i]), ev[i].name, e) ||
            (k->lane[0] && add_to_lane(k, &f->lods, &ev[i], lane[i], e)))
            return e->code;
    }
    return OK;
}

static int add_samples(struct track_state *t, const struct chunk_event *ev, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (lod_add_sample(t->lods->all, ev[i].ts, chunk_to_double(ev[i].dur), e))
            return e->code;
    return OK;
}

static int write_far(struct fill *f, struct track_state *t, const struct chunk_event *ev,
                     const struct chunk_sum *sum, const uint8_t *lane, int64_t chunk, struct err *e)
{
    for (size_t i = 0; i < sum->n_far; i++) {
        const struct chunk_event *x = &ev[sum->far[i]];
        const int64_t v[] = {
            fill_track_id(f, t), chunk, sum->far[i], lane[sum->far[i]], x->ts, x->dur, x->name,
            (int64_t)x->off
        };
        for (int k = 0; k < (int)ARRAY_LEN(v); k++)
            sqlite3_bind_int64(f->ins_long, k + 1, v[k]);
        if (db_run(f->db, f->ins_long, e))
            return e->code;
    }
    return OK;
}

int fill_lod_chunk(struct fill *f, struct track_state *t, const struct chunk_event *ev, size_t n,
                   const struct chunk_sum *sum, const uint8_t *lane, int64_t chunk, struct err *e)
{
    if (t->d.kind == TK_FLOW)
        return OK;
    if (begin(f, t, ev[0].ts, n, e) || write_far(f, t, ev, sum, lane, chunk, e))
        return e->code;
    if (!t->lods)
        return OK;
    return t->d.kind == TK_COUNTER ? add_samples(t, ev, n, e) : add_events(f, t, ev, n, lane, e);
}

int fill_lod_drop(struct fill *f, struct track_state *t, struct err *e)
{
    const struct val id = val_int(fill_track_id(f, t));

    fill_lod_free(t);
    return fill_update(f, "DELETE FROM long_event WHERE track = ?", &id, 1, e);
}

struct writing {
    struct fill *f;
    int64_t track;
    int lane;
};

static int write_part(void *arg, const struct lod_part *p, struct err *e)
{
    struct writing *w = arg;
    sqlite3_stmt *st = w->f->ins_lod;
    const int64_t v[] = { w->track, w->lane, p->level, p->part, p->t0, p->shift };

    for (int k = 0; k < (int)ARRAY_LEN(v); k++)
        sqlite3_bind_int64(st, k + 1, v[k]);
    sqlite3_bind_blob(st, (int)ARRAY_LEN(v) + 1, p->blob.p, (int)p->blob.n, SQLITE_STATIC);
    return db_run(w->f->db, st, e);
}

int fill_lod_write(struct fill *f, struct track_state *t, struct err *e)
{
    struct writing w = { .f = f, .track = fill_track_id(f, t), .lane = -1 };

    if (!t->lods)
        return OK;
    if (lod_write(t->lods->all, &f->blob, write_part, &w, e))
        return e->code;
    for (w.lane = 0; w.lane < CHUNK_LANES; w.lane++)
        if (t->lods->lane[w.lane] && lod_write(t->lods->lane[w.lane], &f->blob, write_part, &w, e))
            return e->code;
    fill_lod_free(t);
    return OK;
}
