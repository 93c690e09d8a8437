/* SPDX-License-Identifier: Apache-2.0 */
/* Directory of a track's chunks, decoding with a small cache, walking over a window. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "model/timeline/timeline_int.h"
#include "store/fill/lod.h"

/* Class by the op of that name, where there is one; else by the name itself. */
static enum op_class class_by_name(struct tl_part *p, const struct tl_track *tr, int64_t name_id)
{
    struct err e = ERR_INIT;
    enum op_class c = OC_NONE;

    if (part_query(p, &p->get_class,
                   "SELECT o.core, s.text FROM op o LEFT JOIN string s ON s.id = o.type_id WHERE "
                   "o.name_id = :name LIMIT 1",
                   &e) == OK) {
        struct query *q = p->get_class;
        query_bind_int(q, ":name", name_id);
        if (query_step(q, &e) == 1 && (!query_null(q, 0) || !query_null(q, 1)))
            c = op_class_of(query_str(q, 0),
                            query_null(q, 1) ? store_string(p->store, name_id) : query_str(q, 1));
        query_reset(q);
    }
    return c != OC_NONE ? c : op_class_of_event(tr->kind, tr->process, store_string(p->store, name_id));
}

/* Room for name_id in a list of classes; NULL: out of memory. */
static uint8_t *class_slot(struct tl_classes *c, size_t name_id)
{
    if (name_id >= c->n) {
        size_t n = c->n ? c->n : 1024;
        while (n <= name_id)
            n *= 2;
        uint8_t *p = realloc(c->of, n);
        if (!p)
            return NULL;
        memset(p + c->n, 0, n - c->n);
        c->of = p;
        c->n = n;
    }
    return &c->of[name_id];
}

enum op_class timeline_class(struct timeline *t, size_t track, int64_t name_id)
{
    const struct tl_track *tr = &t->tracks[track];
    struct tl_part *p = &t->parts[tr->part];

    if (t->track_class[track] != OC_NONE)
        return t->track_class[track];
    if (name_id < 0)
        return OC_NONE;
    bool overlap = str_eq(tr->kind, STR("overlap"));
    uint8_t *slot = class_slot(overlap ? &p->overlap_classes : &p->classes, (size_t)name_id);
    if (!slot)
        return OC_NONE;
    if (!*slot)
        *slot =
            (uint8_t)(1 + (overlap ? op_class_of_event(tr->kind, tr->process, store_string(p->store, name_id))
                                   : class_by_name(p, tr, name_id)));
    return (enum op_class)(*slot - 1);
}

/* ---- loading ---- */

struct track_index {
    int64_t id;
    size_t track;
};

static int id_cmp(const void *a, const void *b)
{
    const struct track_index *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The tracks of a part by id; *n of them. NULL: out of memory. */
static struct track_index *index_tracks(const struct timeline *t, size_t part, size_t *n)
{
    struct track_index *x = calloc(t->n_tracks ? t->n_tracks : 1, sizeof *x);

    *n = 0;
    if (!x)
        return NULL;
    for (size_t i = 0; i < t->n_tracks; i++)
        if (t->tracks[i].part == part)
            x[(*n)++] = (struct track_index){ t->tracks[i].id, i };
    if (*n)
        qsort(x, *n, sizeof *x, id_cmp);
    return x;
}

static bool add_chunk(struct tl_dir *d, struct query *q)
{
    struct tl_chunk *more = grow_array(d->chunk, d->n, &d->cap, sizeof *more, 4);

    if (!more)
        return false;
    d->chunk = more;
    struct tl_chunk *c = &d->chunk[d->n++];
    *c = (struct tl_chunk){ .id = query_int(q, 1),
                            .t0 = query_int(q, 2),
                            .t1 = query_int(q, 3),
                            .n = (uint32_t)query_int(q, 4),
                            .dur_sum = query_int(q, 5),
                            .busy = query_int(q, 6),
                            .t_last = query_int(q, 7),
                            .t_near = query_int(q, 8),
                            .gap = query_int(q, 9),
                            .gap_at = query_int(q, 10),
                            .longest = query_int(q, 11),
                            .longest_name = (uint32_t)query_int(q, 12),
                            .lanes = (uint64_t)query_int(q, 13),
                            .end_before = INT64_MIN };
    const struct tl_chunk *before = d->n > 1 ? c - 1 : NULL;
    c->near_max = before && before->near_max > c->t_near ? before->near_max : c->t_near;
    if (before)
        c->end_before = before->t1 > before->end_before ? before->t1 : before->end_before;
    return true;
}

static bool add_far(struct tl_dir *d, struct query *q)
{
    int64_t id = query_int(q, 1);
    size_t at = d->n_far ? d->far[d->n_far - 1].chunk : 0;

    while (at < d->n && d->chunk[at].id != id)
        at++;
    if (at == d->n) /* its chunk is missing in a damaged store: no window shows the event */
        return true;
    struct tl_far *more = grow_array(d->far, d->n_far, &d->cap_far, sizeof *more, 4);
    if (!more)
        return false;
    d->far = more;
    struct tl_far *f = &d->far[d->n_far++];
    *f = (struct tl_far){ .chunk = at,
                          .i = (uint16_t)query_int(q, 2),
                          .ev = { .lane = (int32_t)query_int(q, 3),
                                  .ts = query_int(q, 4),
                                  .dur = query_int(q, 5),
                                  .name = (uint32_t)query_int(q, 6) } };
    return true;
}

static bool add_lod(struct tl_dir *d, struct query *q)
{
    int64_t top = query_int(q, 2), shift = query_int(q, 4);

    if (top < 0 || top > LOD_SHIFT_MOST || shift < 0 || shift + top * LOD_STEP > LOD_SHIFT_MOST)
        return true; /* a damaged store: cells are made from the chunks */
    struct tl_lod *more = grow_array(d->lod, d->n_lods, &d->cap_lods, sizeof *more, 4);

    if (!more)
        return false;
    d->lod = more;
    struct tl_lod *l = &d->lod[d->n_lods++];
    *l = (struct tl_lod){
        .lane = (int)query_int(q, 1), .levels = (int)top + 1, .t0 = query_int(q, 3), .shift = (int)shift
    };
    return true;
}

/* Rows come in order of track; the chunks first. */
static const struct {
    const char *sql;
    bool (*add)(struct tl_dir *d, struct query *q);
} loads[] = {
    { "SELECT track, id, t0, t1, n, dur_sum, busy, t_last, t_near, gap, gap_at, longest, "
      "longest_name, lanes FROM chunk ORDER BY track, t0, id",
      add_chunk },
    { "SELECT track, chunk, i, lane, ts, dur, name FROM long_event ORDER BY track, rowid",
      add_far }, /* rowid: they were stored in the order of their track */
    { "SELECT a.track, a.lane, (SELECT max(level) FROM lod b WHERE b.track = a.track AND b.lane = "
      "a.lane), a.t0, a.shift FROM lod a WHERE a.level = 0 AND a.part = 0 ORDER BY a.track, a.lane",
      add_lod },
};

int dirs_load(struct timeline *t, size_t part, struct err *e)
{
    size_t n, at;
    struct track_index *index = index_tracks(t, part, &n);

    if (!index)
        return err_nomem(e);
    for (size_t k = 0; k < ARRAY_LEN(loads) && !e->code; k++) {
        struct query *q = NULL;
        int rc = -1;
        if (store_query(t->parts[part].store, &q, loads[k].sql, e) == OK)
            rc = query_step(q, e);
        for (at = 0; rc == 1; rc = query_step(q, e)) {
            while (at < n && index[at].id < query_int(q, 0))
                at++;
            if (at == n)
                break;
            if (index[at].id == query_int(q, 0) && !loads[k].add(&t->dirs[index[at].track], q)) {
                err_nomem(e);
                break;
            }
        }
        query_free(q);
    }
    for (size_t i = 0; i < n && !e->code; i++) {
        struct tl_dir *d = &t->dirs[index[i].track];
        d->checked = calloc(d->n ? d->n : 1, sizeof *d->checked);
        if (!d->checked)
            err_nomem(e);
    }
    free(index);
    return e->code;
}

void dirs_free(struct timeline *t)
{
    for (size_t i = 0; t->dirs && i < t->n_tracks; i++) {
        free(t->dirs[i].chunk);
        free(t->dirs[i].checked);
        free(t->dirs[i].far);
        free(t->dirs[i].lod);
    }
    free(t->dirs);
    for (size_t i = 0; i < CHUNK_CACHE; i++)
        free(t->cache[i].ev);
    for (size_t i = 0; i < PART_CACHE; i++)
        free(t->parts_read[i].p);
}

/* ---- decoding ---- */

int part_query(struct tl_part *p, struct query **q, const char *sql, struct err *e)
{
    if (!*q)
        return store_query(p->store, q, sql, e);
    query_reset(*q);
    return OK;
}

static size_t share_of(size_t all, size_t n, size_t least)
{
    size_t share = all / (n ? n : 1);

    return share > least ? share : least;
}

void timeline_set_cache(struct timeline *t, size_t n)
{
    size_t keep = share_of(CHUNK_CACHE, n, CHUNK_CACHE_LEAST),
           parts = share_of(PART_CACHE, n, PART_CACHE_LEAST);

    for (size_t i = keep; i < t->n_cache; i++) {
        free(t->cache[i].ev);
        t->cache[i] = (struct tl_decoded){ .chunk = NULL };
    }
    t->n_cache = keep;
    for (size_t i = parts; i < t->n_parts_read; i++) {
        free(t->parts_read[i].p);
        t->parts_read[i] = (struct tl_blob){ .track = 0 };
    }
    t->n_parts_read = parts;
}

static struct tl_decoded *cache_slot(struct timeline *t, const struct tl_chunk *c)
{
    struct tl_decoded *oldest = &t->cache[0];

    for (size_t i = 0; i < t->n_cache; i++) {
        if (t->cache[i].chunk == c)
            return &t->cache[i];
        if (t->cache[i].used < oldest->used)
            oldest = &t->cache[i];
    }
    return oldest;
}

int chunk_damaged(struct err *e)
{
    return err_set(e, ERR_STORE, "a chunk of the timeline in the store is damaged: read the run again");
}

/* Set the last end of each block; for counters the field dur is no duration. */
static void find_reach(struct tl_decoded *d, size_t n, bool counter)
{
    for (size_t i = 0; i < n; i++) {
        int64_t end = counter ? d->ev[i].ts : chunk_end(&d->ev[i]), *reach = &d->reach[i / WALK_BLOCK];
        *reach = i % WALK_BLOCK && *reach > end ? *reach : end;
    }
}

const struct tl_decoded *chunk_events(struct timeline *t, size_t track, const struct tl_chunk *c, bool keep,
                                      struct err *e)
{
    struct tl_part *p = &t->parts[t->tracks[track].part];
    struct tl_decoded *slot = cache_slot(t, c);
    bool *checked = &t->dirs[track].checked[c - t->dirs[track].chunk];

    if (slot->chunk == c) {
        slot->used = slot->used || keep ? ++t->cache_turn : 0;
        return slot;
    }
    slot->used = keep ? ++t->cache_turn : 0;
    if (!slot->ev && !(slot->ev = malloc(CHUNK_EVENTS * sizeof *slot->ev))) {
        err_nomem(e);
        return NULL;
    }
    slot->chunk = NULL;
    if (part_query(p, &p->get_chunk, "SELECT d FROM chunk WHERE id = :id", e))
        return NULL;
    query_bind_int(p->get_chunk, ":id", c->id);
    int rc = query_step(p->get_chunk, e);
    unsigned want = (t->tracks[track].lanes > 1 ? CHUNK_LANE : 0) | (*checked ? CHUNK_CHECKED : 0);
    bool whole = rc == 1 && c->n && c->n <= CHUNK_EVENTS &&
                 chunk_decode(query_str(p->get_chunk, 0), want, slot->ev, c->n);
    query_reset(p->get_chunk);
    if (!whole) {
        (void)!chunk_damaged(e);
        return NULL;
    }
    *checked = true;
    slot->chunk = c;
    find_reach(slot, c->n, t->tracks[track].is_counter);
    return slot;
}

/* ---- finding chunks in the directory ---- */

size_t dir_from(const struct tl_dir *d, int64_t ts)
{
    size_t lo = 0, hi = d->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->chunk[mid].near_max < ts)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t dir_after(const struct tl_dir *d, int64_t ts)
{
    size_t lo = 0, hi = d->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->chunk[mid].t0 <= ts)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* ---- walking ---- */

void walk_open(struct chunk_walk *w, struct timeline *t, size_t track, int64_t from, int64_t to,
               bool backward)
{
    struct tl_dir *d = &t->dirs[track];
    size_t first = dir_from(d, from), end = dir_after(d, to);

    *w = (struct chunk_walk){ .t = t,
                              .d = d,
                              .track = track,
                              .from = from,
                              .to = to,
                              .lane = -1,
                              .backward = backward,
                              .end = backward ? first : end,
                              .at = backward ? end : first };
    if (!backward && first > end) /* everything but far events began and ended before */
        w->at = end;
}

/* 1: the chunk has a name that is wanted, 0: it has none, -1: error. */
static int has_names(struct chunk_walk *w, const struct tl_chunk *c, struct err *e)
{
    struct tl_part *p = &w->t->parts[w->t->tracks[w->track].part];
    int rc;

    if (!w->names && !w->name)
        return 1;
    if (part_query(p, &p->get_names, "SELECT names FROM chunk WHERE id = :id", e))
        return -1;
    query_bind_int(p->get_names, ":id", c->id);
    if ((rc = query_step(p->get_names, e)) == 1) {
        struct str set = query_str(p->get_names, 0);
        rc = w->names ? chunk_names_any(set, w->names, w->n_names) : chunk_names_has(set, w->name);
    }
    query_reset(p->get_names);
    return rc;
}

/*
 * Whether events of the chunk that are not far may touch the window and are wanted. 1: yes, 0: no, -1: error.
 */
static int wanted(struct chunk_walk *w, const struct tl_chunk *c, struct err *e)
{
    if (c->t_near < w->from || (w->lane >= 0 && !(c->lanes >> w->lane & 1)))
        return 0;
    return has_names(w, c, e);
}

/* Take the far events of chunks before limit that were not decoded; returns their number. */
static size_t take_far(struct chunk_walk *w, size_t limit)
{
    const struct tl_dir *d = w->d;

    w->n = 0;
    for (; w->far_at < d->n_far && d->far[w->far_at].chunk < limit; w->far_at++) {
        const struct tl_far *f = &d->far[w->far_at];
        if (chunk_end(&f->ev) < w->from || f->ev.ts > w->to)
            continue;
        if (w->n == CHUNK_EVENTS)
            break;
        w->far[w->n] = f->ev;
        w->far_of[w->n++] = f;
    }
    return w->n;
}

static bool room_for_far(struct chunk_walk *w, struct err *e)
{
    size_t n = w->d->n_far < CHUNK_EVENTS ? w->d->n_far : CHUNK_EVENTS;

    if (w->far || !n)
        return true;
    w->far = malloc(n * sizeof *w->far);
    w->far_of = malloc(n * sizeof *w->far_of);
    if (w->far && w->far_of)
        return true;
    err_nomem(e);
    return false;
}

/*
 * Give the next blocks of the current chunk that touch the window. 1: there are some, 0: no more, -1: error.
 */
static int give_blocks(struct chunk_walk *w, struct err *e)
{
    const struct tl_chunk *c = w->chunk;
    const struct tl_decoded *d = chunk_events(w->t, w->track, c, !w->once, e);
    size_t i = w->next, end;

    if (!d)
        return -1;
    w->next = c->n;
    while (i < c->n && d->reach[i / WALK_BLOCK] < w->from)
        i += WALK_BLOCK;
    for (end = i; end < c->n && d->reach[end / WALK_BLOCK] >= w->from && d->ev[end].ts <= w->to;)
        end += WALK_BLOCK;
    if (end < c->n)
        w->next = end;
    else
        end = c->n;
    while (end > i && d->ev[end - 1].ts > w->to)
        end--;
    w->base = i;
    w->ev = d->ev + i;
    w->n = end > i ? end - i : 0;
    return w->n > 0;
}

static int give_chunk(struct chunk_walk *w, const struct tl_chunk *c, struct err *e)
{
    w->chunk = c;
    w->base = 0;
    w->n = w->next = c->n;
    w->ev = NULL;
    if (w->sums && c->t0 >= w->from && c->t_last < w->to && c->t1 <= w->to)
        return 1;
    w->next = 0;
    return give_blocks(w, e);
}

static int next_backward(struct chunk_walk *w, struct err *e)
{
    while (w->at > w->end) {
        const struct tl_chunk *c = &w->d->chunk[--w->at];
        int rc = wanted(w, c, e);
        if (rc > 0)
            rc = give_chunk(w, c, e);
        if (rc)
            return rc;
    }
    return 0;
}

/*
 * Give the far events before the next chunk that is wanted, or the first blocks of that chunk. 0: the chunk
 * has none, or there is no more chunk.
 */
static int next_chunk(struct chunk_walk *w, struct err *e)
{
    int rc = 0;

    while (w->at < w->end && !(rc = wanted(w, &w->d->chunk[w->at], e)))
        w->at++;
    if (rc < 0)
        return rc;
    if (take_far(w, w->at)) {
        w->chunk = NULL;
        w->ev = w->far;
        return 1;
    }
    if (w->at == w->end)
        return 0;
    while (w->far_at < w->d->n_far && w->d->far[w->far_at].chunk == w->at)
        w->far_at++; /* they are given with their chunk */
    return give_chunk(w, &w->d->chunk[w->at++], e);
}

int walk_next(struct chunk_walk *w, struct err *e)
{
    int rc = 0;

    if (w->backward)
        return next_backward(w, e);
    if (!room_for_far(w, e))
        return -1;
    if (w->chunk && w->next < w->chunk->n)
        rc = give_blocks(w, e);
    do {
        if (!rc)
            rc = next_chunk(w, e);
    } while (!rc && w->at < w->end);
    return rc;
}

void walk_close(struct chunk_walk *w)
{
    free(w->far);
    free(w->far_of);
}

void walk_event(const struct chunk_walk *w, size_t i, struct tl_event *ev)
{
    const struct chunk_event *x = &w->ev[i];
    const struct tl_chunk *c = w->chunk ? w->chunk : &w->d->chunk[w->far_of[i]->chunk];
    size_t at = w->chunk ? w->base + i : w->far_of[i]->i;

    *ev = (struct tl_event){ .track = w->track,
                             .ts_ns = x->ts,
                             .dur_ns = x->dur,
                             .lane = x->lane,
                             .name_id = x->name,
                             .cls = timeline_class(w->t, w->track, x->name),
                             .seq = c->id * CHUNK_EVENTS + (int64_t)at };
}
