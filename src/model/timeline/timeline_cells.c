/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of a window (doc/performance.md#level-of-detail): from the coarsest level of detail with at least
 * four buckets a cell, from the events where the lowest level is too coarse for that or where there are few.
 * So a bucket on the edge of two cells changes a cell's busy share by less than an eighth, one step of the
 * drawing.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "model/timeline/timeline_int.h"
#include "store/fill/lod.h"
#include "store/topname.h"

#define LEAST_BUCKETS 4 /* per cell */
#define FEW_CHUNKS    2 /* so few chunks are decoded, not looked up in the pyramid */
/*
 * A bucket on an edge that is busy up to this share goes with all its time to the cell of its middle: it may
 * hold one short event only.
 */
#define WHOLE_SHARE (LOD_FULL / 4)

/* ---- the grid ---- */

int grid_set(struct tl_grid *g, int64_t from, int64_t to, size_t n, struct err *e)
{
    if (g->n == n && g->from == from && g->to == to)
        return OK;
    if (g->cap < n + 1) {
        int64_t *p = realloc(g->edge, (n + 1) * sizeof *p);
        if (!p)
            return err_nomem(e);
        g->edge = p;
        g->cap = n + 1;
    }
    uint64_t span = (uint64_t)to - (uint64_t)from;
    for (size_t i = 0; i <= n; i++)
        g->edge[i] = (int64_t)((uint64_t)from + (uint64_t)((unsigned __int128)span * i / n));
    g->from = from;
    g->to = to;
    g->n = n;
    g->per_ns = (double)n / (double)span;
    return OK;
}

size_t grid_cell(const struct tl_grid *g, int64_t ts)
{
    if (ts < g->from)
        return 0;
    if (ts >= g->to)
        return g->n - 1;
    size_t i = (size_t)((double)((uint64_t)ts - (uint64_t)g->from) * g->per_ns);
    if (i >= g->n)
        i = g->n - 1;
    while (i && g->edge[i] > ts)
        i--;
    while (i + 1 < g->n && g->edge[i + 1] <= ts)
        i++;
    return i;
}

void grid_free(struct tl_grid *g)
{
    free(g->edge);
}

/* ---- time in cells ---- */

struct painter {
    const struct tl_grid *g;
    struct tl_cell *out;
    struct topname *names; /* of cell at */
    size_t at;
    uint64_t most;   /* ns of the name that is set in cell at */
    int64_t covered; /* end of the union so far */
};

static void paint_cell(struct painter *p, size_t i, uint64_t ns, uint32_t name)
{
    struct tl_cell *c = &p->out[i];

    if (p->at != i) {
        p->at = i;
        p->most = 0;
        topname_begin(p->names);
    }
    uint64_t sum = topname_add(p->names, name, ns), width;
    if (sum > p->most && name) {
        p->most = sum;
        c->name_id = name;
    }
    width = (uint64_t)p->g->edge[i + 1] - (uint64_t)p->g->edge[i];
    c->busy += width ? (float)((double)ns / (double)width) : 0;
}

/* Spread [a, b) over its cells; share of it is covered. */
static void paint(struct painter *p, int64_t a, int64_t b, double share, uint32_t name)
{
    for (size_t i = grid_cell(p->g, a); i < p->g->n && a < b; i++) {
        int64_t edge = p->g->edge[i + 1], end = b < edge ? b : edge;
        if (end <= a)
            continue;
        uint64_t ns = (uint64_t)end - (uint64_t)a;
        paint_cell(p, i, share < 1 ? (uint64_t)((double)ns * share + 0.5) : ns, name);
        a = end;
    }
}

static void paint_event(struct painter *p, const struct chunk_event *ev)
{
    const struct tl_grid *g = p->g;
    int64_t end = chunk_end(ev);

    if (ev->ts >= g->to || (end <= g->from && ev->ts < g->from))
        return;
    if (ev->ts >= g->from) {
        struct tl_cell *c = &p->out[grid_cell(g, ev->ts)];
        c->count++;
        if (!c->name_id)
            c->name_id = ev->name; /* so that instants have a name */
    }
    int64_t a = ev->ts > p->covered ? ev->ts : p->covered, b = end < g->to ? end : g->to;
    if (a < b)
        paint(p, a, b, 1, ev->name);
    if (end > p->covered)
        p->covered = end;
}

static int cells_from_events(struct timeline *t, size_t track, int lane, struct painter *p, struct err *e)
{
    struct chunk_walk w;
    int rc;

    walk_open(&w, t, track, p->g->from, p->g->to, false);
    w.lane = lane;
    while ((rc = walk_next(&w, e)) == 1)
        for (size_t i = 0; i < w.n; i++)
            if (lane < 0 || w.ev[i].lane == lane)
                paint_event(p, &w.ev[i]);
    walk_close(&w);
    return rc < 0 ? e->code : OK;
}

/* ---- from levels of detail ---- */

const struct tl_lod *timeline_lod(const struct timeline *t, size_t track, int lane)
{
    const struct tl_dir *d = &t->dirs[track];

    if (t->tracks[track].lanes <= 1)
        lane = -1;
    for (size_t i = 0; i < d->n_lods; i++)
        if (d->lod[i].lane == lane)
            return &d->lod[i];
    return NULL;
}

int timeline_cells_level(const struct timeline *t, size_t track, int lane, int64_t from, int64_t to, size_t n,
                         const struct tl_lod **lod)
{
    const struct tl_dir *d = &t->dirs[track];
    const struct tl_lod *l = *lod = timeline_lod(t, track, lane);
    uint64_t widest = ((uint64_t)to - (uint64_t)from) / n / LEAST_BUCKETS;

    if (!l || dir_after(d, to) - dir_from(d, from) <= FEW_CHUNKS || widest >> l->shift == 0)
        return -1;
    int level = (63 - __builtin_clzll(widest) - l->shift) / LOD_STEP;
    return level < l->levels ? level : l->levels - 1;
}

struct tl_buckets timeline_buckets(const struct tl_lod *l, int level, int64_t from, int64_t to)
{
    struct tl_buckets b = { .t0 = l->t0, .shift = l->shift + level * LOD_STEP };
    uint64_t most = (uint64_t)LOD_BUCKETS;

    if (to <= l->t0)
        return b;
    uint64_t first = from > l->t0 ? ((uint64_t)from - (uint64_t)l->t0) >> b.shift : 0,
             last = ((uint64_t)to - 1 - (uint64_t)l->t0) >> b.shift;
    b.first = (uint32_t)(first < most ? first : most);
    b.end = (uint32_t)(last < most ? last + 1 : most);
    return b;
}

static int damaged(struct err *e)
{
    return err_set(e, ERR_STORE, "a level of detail in the store is damaged: read the run again");
}

static int read_part(struct tl_part *p, struct tl_blob *b, struct err *e)
{
    if (part_query(p, &p->get_lod,
                   "SELECT d FROM lod WHERE track = :track AND lane = :lane AND level = :level AND "
                   "part = :part",
                   e))
        return e->code;
    query_bind_int(p->get_lod, ":track", b->track);
    query_bind_int(p->get_lod, ":lane", b->lane);
    query_bind_int(p->get_lod, ":level", b->level);
    query_bind_int(p->get_lod, ":part", b->part);
    if (query_step(p->get_lod, e) == 1) {
        struct str blob = query_str(p->get_lod, 0);
        if (!lod_check(blob))
            (void)!damaged(e);
        else if (!(b->p = malloc(blob.n)))
            err_nomem(e);
        else
            memcpy(b->p, blob.p, b->n = blob.n);
    }
    query_reset(p->get_lod);
    return e->code;
}

/* The part with this key, from the cache or read into its oldest slot. NULL: error. */
static const struct tl_blob *get_part(struct timeline *t, size_t store, const struct tl_blob *key,
                                      struct err *e)
{
    struct tl_blob *oldest = &t->parts_read[0];

    for (size_t i = 0; i < t->n_parts_read; i++) {
        struct tl_blob *b = &t->parts_read[i];
        if (b->track == key->track && b->store == store && b->lane == key->lane && b->level == key->level &&
            b->part == key->part) {
            b->used = ++t->cache_turn;
            return b;
        }
        oldest = b->used < oldest->used ? b : oldest;
    }
    free(oldest->p);
    *oldest = *key;
    oldest->store = store;
    if (read_part(&t->parts[store], oldest, e)) {
        oldest->track = 0;
        return NULL;
    }
    oldest->used = ++t->cache_turn;
    return oldest;
}

int timeline_parts(struct timeline *t, size_t track, const struct tl_lod *l, int level,
                   const struct tl_buckets *b, tl_part_fn *fn, void *arg, struct err *e)
{
    struct tl_blob key = { .track = t->tracks[track].id, .lane = l->lane, .level = level };

    for (key.part = b->first / LOD_PART; key.part * LOD_PART < b->end; key.part++) {
        uint32_t at = key.part * LOD_PART, from = b->first > at ? b->first - at : 0,
                 to = b->end - at < LOD_PART ? b->end - at : LOD_PART;
        const struct tl_blob *part = get_part(t, t->tracks[track].part, &key, e);
        if (!part)
            return e->code;
        if (part->p && !fn(arg, (struct str){ part->p, part->n }, at + from, from, to - from))
            return damaged(e);
    }
    return OK;
}

struct painting {
    struct painter *p;
    const struct tl_buckets *b;
    union {
        struct lod_bucket bucket[LOD_PART];
        struct lod_value value[LOD_PART];
    };
};

/* Start, middle and end of a bucket, within the window. */
static void bucket_time(const struct tl_buckets *b, uint32_t i, const struct tl_grid *g, int64_t *a,
                        int64_t *mid, int64_t *end)
{
    int64_t t = (int64_t)((uint64_t)b->t0 + ((uint64_t)i << b->shift)), width = (int64_t)1 << b->shift;
    uint64_t room = (uint64_t)g->to - (uint64_t)t; /* t < to */
    int64_t half = room > (uint64_t)width / 2 ? t + width / 2 : g->to;

    *a = t > g->from ? t : g->from;
    *end = room < (uint64_t)width ? g->to : t + width;
    *mid = half < *a ? *a : half >= *end ? *end - 1 : half;
}

static void paint_bucket(struct painter *p, const struct tl_buckets *b, uint32_t i,
                         const struct lod_bucket *k)
{
    int64_t a, mid, end;

    bucket_time(b, i, p->g, &a, &mid, &end);
    size_t at = grid_cell(p->g, mid);
    struct tl_cell *c = &p->out[at];
    c->count += k->count;
    if (!c->name_id)
        c->name_id = k->name;
    if (!k->busy)
        return;
    if (k->busy <= WHOLE_SHARE) {
        uint64_t ns = lod_busy_ns(k, b->shift);
        paint_cell(p, at, ns ? ns : 1, k->name);
    } else {
        paint(p, a, end, (double)k->busy / LOD_FULL, k->name);
    }
}

static bool paint_part(void *arg, struct str blob, uint32_t first, uint32_t from, uint32_t n)
{
    struct painting *k = arg;

    if (!lod_decode(blob, from, n, k->bucket))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (k->bucket[i].count || k->bucket[i].busy)
            paint_bucket(k->p, k->b, first + i, &k->bucket[i]);
    return true;
}

/* Paint the window from the buckets of a level, part by part. */
static int cells_from_lod(struct timeline *t, size_t track, const struct tl_lod *l, int level,
                          struct painter *p, tl_part_fn *paint_one, struct err *e)
{
    const struct tl_buckets b = timeline_buckets(l, level, p->g->from, p->g->to);
    struct painting *k = malloc(sizeof *k);

    if (!k)
        return err_nomem(e);
    k->p = p;
    k->b = &b;
    int rc = timeline_parts(t, track, l, level, &b, paint_one, k, e);
    free(k);
    return rc;
}

/* ---- events ---- */

static void finish_cells(struct timeline *t, size_t track, struct tl_cell *out)
{
    const struct tl_grid *g = &t->grid;

    for (size_t i = g->n; i-- > 0;) {
        struct tl_cell *c = &out[i];
        if (i + 1 < g->n && g->edge[i] == g->edge[i + 1]) { /* cells within one ns are equal */
            c->busy = c[1].busy;
            c->name_id = c[1].name_id;
        }
        if (c->busy > 1)
            c->busy = 1;
        if (c->name_id)
            c->cls = timeline_class(t, track, c->name_id);
    }
}

static int event_cells(struct timeline *t, size_t track, int lane, struct tl_cell *out, struct err *e)
{
    struct topname names = { .turn = 0 };
    struct painter p = {
        .g = &t->grid, .out = out, .names = &names, .at = SIZE_MAX, .covered = t->grid.from
    };
    const struct tl_lod *l;
    int level = timeline_cells_level(t, track, lane, p.g->from, p.g->to, p.g->n, &l), rc;

    if (level < 0) {
        rc = cells_from_events(t, track, lane, &p, e);
    } else {
        rc = cells_from_lod(t, track, l, level, &p, paint_part, e);
    }
    if (rc == OK)
        finish_cells(t, track, out);
    return rc;
}

/* ---- counters ---- */

static void add_value(struct tl_cell *c, uint32_t count, double lo, double hi, double last)
{
    c->lo = c->count ? fmin(c->lo, lo) : lo;
    c->hi = c->count ? fmax(c->hi, hi) : hi;
    c->level = last;
    c->count += count;
}

static bool paint_values(void *arg, struct str blob, uint32_t first, uint32_t from, uint32_t n)
{
    struct painting *k = arg;
    int64_t a, mid, end;

    if (!lod_decode_values(blob, from, n, k->value))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct lod_value *v = &k->value[i];
        if (!v->count)
            continue;
        bucket_time(k->b, first + i, k->p->g, &a, &mid, &end);
        add_value(&k->p->out[grid_cell(k->p->g, mid)], v->count, (double)v->lo, (double)v->hi,
                  (double)v->last);
    }
    return true;
}

static int values_from_samples(struct timeline *t, size_t track, struct tl_cell *out, struct err *e)
{
    const struct tl_grid *g = &t->grid;
    struct chunk_walk w;
    int rc;

    walk_open(&w, t, track, g->from, g->to, false);
    while ((rc = walk_next(&w, e)) == 1)
        for (size_t i = 0; i < w.n; i++) {
            double v = chunk_to_double(w.ev[i].dur);
            if (w.ev[i].ts >= g->from && w.ev[i].ts < g->to)
                add_value(&out[grid_cell(g, w.ev[i].ts)], 1, v, v, v);
        }
    walk_close(&w);
    return rc < 0 ? e->code : OK;
}

static int counter_cells(struct timeline *t, size_t track, struct tl_cell *out, struct err *e)
{
    struct painter p = { .g = &t->grid, .out = out };
    const struct tl_lod *l;
    double before;
    int level = timeline_cells_level(t, track, -1, p.g->from, p.g->to, p.g->n, &l), rc;

    if (timeline_value_before(t, track, p.g->from, &before, e))
        return e->code;
    if (level < 0) {
        rc = values_from_samples(t, track, out, e);
    } else {
        rc = cells_from_lod(t, track, l, level, &p, paint_values, e);
    }
    for (size_t i = 0; rc == OK && i < p.g->n; i++) {
        if (!out[i].count)
            out[i].level = out[i].lo = out[i].hi = before;
        before = out[i].level;
    }
    return rc;
}

int timeline_cells(struct timeline *t, size_t track, int lane, int64_t from, int64_t to, size_t n,
                   struct tl_cell *out, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (struct tl_cell){ .level = NAN, .lo = NAN, .hi = NAN };
    if (!n)
        return OK;
    if (grid_set(&t->grid, from, to > from ? to : from + 1, n, e))
        return e->code;
    return t->tracks[track].is_counter ? counter_cells(t, track, out, e)
                                       : event_cells(t, track, lane, out, e);
}
