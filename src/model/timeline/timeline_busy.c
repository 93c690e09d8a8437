/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The busiest stretch of a track. Where buckets are narrow compared with the stretch they decide. Otherwise
 * they give a bound of the time that a stretch beginning in a chunk can cover, and the chunks with the
 * highest bounds are decoded.
 */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "model/timeline/timeline_int.h"
#include "store/fill/lod.h"

#define FINE     16 /* buckets in a stretch at least, for no chunk to be decoded */
#define MOST_TRY 64 /* chunks decoded at most; after so many with equal bounds no better one is likely */

struct best {
    int64_t from, to, len;
    int64_t at, busy;
};

static void offer(struct best *b, int64_t at, int64_t busy)
{
    if (busy <= b->busy)
        return;
    b->busy = busy;
    b->at = at;
}

/* ---- event by event ---- */

struct span {
    int64_t a, b;
};

struct spans { /* of the union, in order */
    struct span *p;
    size_t n, cap;
};

static bool add_span(struct spans *s, int64_t a, int64_t b)
{
    if (s->n && a <= s->p[s->n - 1].b) {
        s->p[s->n - 1].b = b > s->p[s->n - 1].b ? b : s->p[s->n - 1].b;
        return true;
    }
    struct span *p = grow_array(s->p, s->n, &s->cap, sizeof *p, 256);
    if (!p)
        return false;
    s->p = p;
    s->p[s->n++] = (struct span){ a, b };
    return true;
}

static int load_spans(struct timeline *t, size_t track, int64_t from, int64_t to, struct spans *s,
                      struct err *e)
{
    struct chunk_walk w;

    walk_open(&w, t, track, from, to, false);
    w.once = true;
    while (!e->code && walk_next(&w, e) == 1)
        for (size_t i = 0; i < w.n; i++) {
            int64_t a = w.ev[i].ts > from ? w.ev[i].ts : from, b = chunk_end(&w.ev[i]);
            b = b < to ? b : to;
            if (b > a && !add_span(s, a, b)) {
                err_nomem(e);
                break;
            }
        }
    walk_close(&w);
    return e->code;
}

/* Try the stretches that begin in [from, to]: the best one begins with a span or ends with one. */
static int try_events(struct timeline *t, size_t track, int64_t from, int64_t to, struct best *best,
                      struct err *e)
{
    struct spans s = { .n = 0 };
    int64_t stop = best->to - to > best->len ? to + best->len : best->to, inside = 0;
    size_t first = 0, end = 0;

    if (load_spans(t, track, from, stop, &s, e))
        goto out;
    /* Stretches that begin with span i: spans i..end-1 lie inside, end may reach in. */
    for (size_t i = 0; i < s.n && s.p[i].a <= to; i++) {
        int64_t close = s.p[i].a + best->len;
        for (; end < s.n && s.p[end].b <= close; end++)
            inside += s.p[end].b - s.p[end].a;
        int64_t part = end < s.n && s.p[end].a < close ? close - s.p[end].a : 0;
        if (close <= best->to)
            offer(best, s.p[i].a, inside + part);
        if (i < end)
            inside -= s.p[i].b - s.p[i].a;
        else
            end = i + 1; /* longer than the stretch itself */
    }
    /* Stretches that end with span i. */
    inside = 0;
    for (size_t i = 0; i < s.n; i++) {
        int64_t open = s.p[i].b - best->len;
        inside += s.p[i].b - s.p[i].a;
        for (; first <= i && s.p[first].b <= open; first++)
            inside -= s.p[first].b - s.p[first].a;
        int64_t cut = s.p[first].a < open ? open - s.p[first].a : 0;
        if (open >= from && open <= to)
            offer(best, open, inside - cut);
    }
    if (from + best->len <= best->to && s.n) { /* and the stretch at the beginning of the window */
        int64_t sum = 0;
        for (size_t i = 0; i < s.n && s.p[i].a < from + best->len; i++)
            sum += (s.p[i].b < from + best->len ? s.p[i].b : from + best->len) - s.p[i].a;
        offer(best, from, sum);
    }
out:
    free(s.p);
    return e->code;
}

/* ---- buckets ---- */

struct loads { /* covered ns per bucket of the window */
    const struct tl_buckets *b;
    uint64_t *ns;
    struct lod_bucket bucket[LOD_PART];
};

static bool take_loads(void *arg, struct str blob, uint32_t first, uint32_t from, uint32_t n)
{
    struct loads *l = arg;

    if (!lod_decode(blob, from, n, l->bucket))
        return false;
    for (uint32_t i = 0; i < n; i++)
        l->ns[first + i - l->b->first] = lod_busy_ns(&l->bucket[i], l->b->shift);
    return true;
}

static int64_t bucket_at(const struct tl_buckets *b, uint64_t i)
{
    return (int64_t)((uint64_t)b->t0 + ((b->first + i) << b->shift));
}

/* Try stretches that begin at the edge of a bucket: right to two buckets. */
static void try_edges(const struct loads *l, struct best *best)
{
    uint64_t k = (uint64_t)best->len >> l->b->shift, n = l->b->end - l->b->first, sum = 0;

    for (uint64_t i = 0; i < n; i++) {
        sum += l->ns[i];
        if (i + 1 < k)
            continue;
        int64_t at = bucket_at(l->b, i + 1 - k);
        at = at < best->from ? best->from : at;
        at = at > best->to - best->len ? best->to - best->len : at;
        offer(best, at, (int64_t)sum);
        sum -= l->ns[i + 1 - k];
    }
}

/* A chunk, and the most time that a stretch beginning in it can cover. */
struct chance {
    uint64_t most;
    int64_t from, to;
};

static int chance_cmp(const void *a, const void *b)
{
    const struct chance *x = a, *y = b;
    return x->most != y->most ? (x->most > y->most ? -1 : 1) : x->from < y->from ? -1 : x->from > y->from;
}

/* Replace the load of each bucket by the most that a stretch beginning in it can cover. */
static void bound_buckets(struct loads *l, int64_t len)
{
    uint64_t n = l->b->end - l->b->first, k = ((uint64_t)len >> l->b->shift) + 2, sum = 0;

    for (uint64_t i = 0; i < n && i < k; i++)
        sum += l->ns[i] + 1; /* shares are rounded */
    for (uint64_t i = 0; i < n; i++) {
        uint64_t own = l->ns[i] + 1;
        l->ns[i] = sum < (uint64_t)len ? sum : (uint64_t)len;
        sum -= own;
        if (i + k < n)
            sum += l->ns[i + k] + 1;
    }
}

/* The chunks of the window with their bounds; *n of them. NULL: out of memory. */
static struct chance *list_chances(const struct tl_dir *d, const struct loads *l, const struct best *best,
                                   size_t *n)
{
    struct chance *c = calloc(d->n + 1, sizeof *c);
    int64_t last = best->to - best->len;
    uint64_t at = 0, buckets = l->b->end - l->b->first;

    *n = 0;
    for (size_t i = 0; c && i < d->n; i++) {
        int64_t from = i ? d->chunk[i].t0 : best->from,
                to = i + 1 < d->n && d->chunk[i + 1].t0 < last ? d->chunk[i + 1].t0 : last;
        from = from > best->from ? from : best->from;
        if (to < from)
            continue;
        while (at && bucket_at(l->b, at) > from)
            at--;
        struct chance *x = &c[(*n)++];
        *x = (struct chance){ .from = from, .to = to };
        for (; at < buckets && bucket_at(l->b, at) <= to; at++)
            x->most = bucket_at(l->b, at + 1) > from && l->ns[at] > x->most ? l->ns[at] : x->most;
    }
    return c;
}

static int try_chances(struct timeline *t, size_t track, struct loads *l, struct best *best, struct err *e)
{
    size_t n;

    bound_buckets(l, best->len);
    struct chance *c = list_chances(&t->dirs[track], l, best, &n);
    if (!c)
        return err_nomem(e);
    if (n)
        qsort(c, n, sizeof *c, chance_cmp);
    for (size_t i = 0; i < n && i < MOST_TRY && c[i].most > (uint64_t)best->busy; i++)
        if (try_events(t, track, c[i].from, c[i].to, best, e))
            break;
    free(c);
    return e->code;
}

static int try_buckets(struct timeline *t, size_t track, const struct tl_lod *lod, struct best *best,
                       struct err *e)
{
    uint64_t widest = (uint64_t)best->len / FINE;
    int level = widest >> lod->shift ? (63 - __builtin_clzll(widest) - lod->shift) / LOD_STEP : 0;
    level = level < lod->levels ? level : lod->levels - 1;
    const struct tl_buckets b = timeline_buckets(lod, level, best->from, best->to);
    struct loads *l = calloc(1, sizeof *l);

    if (b.first >= b.end)
        goto out;
    if (!l || !(l->ns = calloc(b.end - b.first, sizeof *l->ns))) {
        err_nomem(e);
        goto out;
    }
    l->b = &b;
    if (timeline_parts(t, track, lod, level, &b, take_loads, l, e))
        goto out;
    if (widest >> lod->shift)
        try_edges(l, best);
    else
        (void)!try_chances(t, track, l, best, e);
out:
    if (l)
        free(l->ns);
    free(l);
    return e->code;
}

int timeline_busiest(struct timeline *t, size_t track, int64_t from, int64_t to, int64_t len, int64_t *at,
                     int64_t *busy_ns, struct err *e)
{
    const struct tl_lod *lod = timeline_lod(t, track, -1);
    struct best best = { .from = from, .to = to, .len = len < to - from ? len : to - from, .at = from };
    struct tl_area area;

    if (best.len < 1)
        best.len = 1;
    int rc = lod ? try_buckets(t, track, lod, &best, e) : try_events(t, track, from, to - best.len, &best, e);
    if (rc || timeline_area(t, track, best.at, best.at + best.len, &area, e))
        return e->code;
    *at = best.at;
    *busy_ns = area.busy_ns;
    return OK;
}
