/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a filtered lineup: counting them, where they are, the next one. */
#include "config.h"

#include "model/timeline/lineup_match_int.h"

#include <stdlib.h>

#include "model/view/slice.h"

/* ---- events ---- */

/* Whether an event passes the tests that are left: of its name, and of numbers with ts as stored. */
static bool passes(const struct lineup_match *m, size_t track, uint32_t name, int64_t ts, int64_t dur,
                   int lane)
{
    const struct track_match *x = &m->track[track];

    if (x->fate != F_SOME)
        return x->fate == F_ALL;
    if (x->names) {
        const struct part_match *p = &m->part[lineup_part_of(m->l, track)];
        if (name >= p->n_names || !x->names[name])
            return false;
    }
    for (size_t i = 0; i < m->n_tests && x->by_number >> i; i++) {
        if (!(x->by_number >> i & 1))
            continue;
        const struct test *t = &m->test[i];
        int64_t v = t->what == W_DURATION ? dur : lane, at;
        if (t->what == W_START) {
            at = lineup_axis(m->l, lineup_part_of(m->l, track), ts);
            v = __builtin_sub_overflow(at, m->zero, &v) ? at : v;
        }
        if (!filter_whole(t->t, v))
            return false;
    }
    return true;
}

bool lineup_match_event(const struct lineup_match *m, const struct tl_event *ev)
{
    return passes(m, ev->track, (uint32_t)ev->name_id,
                  lineup_stored(m->l, lineup_part_of(m->l, ev->track), ev->ts_ns), ev->dur_ns, ev->lane);
}

bool lineup_match_track(const struct lineup_match *m, size_t track)
{
    const struct track_match *x = &m->track[track];

    return x->fate == F_ALL || (x->fate == F_SOME && (!x->counted || x->count));
}

uint64_t lineup_match_count(const struct lineup_match *m, uint64_t *of)
{
    *of = m->of;
    return m->count;
}

bool lineup_match_failed(const struct lineup_match *m)
{
    return m->failed;
}

size_t lineup_match_undecided(const struct lineup_match *m)
{
    return m->undecided;
}

/* A walk over the events of a track that may match, as stored. */
static void open_walk(const struct lineup_match *m, struct chunk_walk *w, size_t track, int64_t from,
                      int64_t to, bool backward)
{
    size_t part = lineup_part_of(m->l, track);

    walk_open(w, lineup_part(m->l, part)->tl, lineup_local(m->l, track), from, to, backward);
    w->names = m->track[track].names;
    w->n_names = m->part[part].n_names;
}

/* ---- positions of matches ---- */

static bool places_init(struct places *p, const struct tl_track *k, size_t most)
{
    uint64_t span = (uint64_t)k->t1 - (uint64_t)k->t0;

    p->n = 256;
    while (p->n < most && p->n < (uint64_t)k->n * 4)
        p->n *= 2;
    p->shift = 0;
    while (span >> p->shift >= p->n)
        p->shift++;
    p->bit = calloc(p->n / 64, sizeof *p->bit);
    return p->bit != NULL;
}

static size_t place_of(const struct places *p, int64_t t0, int64_t ts)
{
    if (ts <= t0)
        return 0;
    uint64_t i = ((uint64_t)ts - (uint64_t)t0) >> p->shift;
    return i < p->n ? (size_t)i : p->n - 1;
}

static void places_set(struct places *p, int64_t t0, int64_t from, int64_t to)
{
    size_t a = place_of(p, t0, from), b = place_of(p, t0, to > from ? to - 1 : from);

    for (; a <= b && a & 63; a++)
        p->bit[a / 64] |= UINT64_C(1) << (a & 63);
    for (; a + 63 <= b; a += 64)
        p->bit[a / 64] = UINT64_MAX;
    for (; a <= b; a++)
        p->bit[a / 64] |= UINT64_C(1) << (a & 63);
}

static bool places_any(const struct places *p, size_t a, size_t b)
{
    for (; a <= b && a & 63; a++)
        if (p->bit[a / 64] >> (a & 63) & 1)
            return true;
    for (; a + 63 <= b; a += 64)
        if (p->bit[a / 64])
            return true;
    for (; a <= b; a++)
        if (p->bit[a / 64] >> (a & 63) & 1)
            return true;
    return false;
}

static bool prepare_places(struct track_match *x, const struct tl_track *k)
{
    if (!places_init(&x->all, k, BITS_MOST))
        return false;
    if (k->lanes < 2 || k->lanes > LANES_MOST)
        return true;
    x->lane = calloc((size_t)k->lanes, sizeof *x->lane);
    for (int i = 0; x->lane && i < k->lanes; i++)
        if (!places_init(&x->lane[i], k, LANE_BITS))
            return false;
    return x->lane != NULL;
}

void match_places_free(struct track_match *x, int lanes)
{
    free(x->all.bit);
    for (int i = 0; x->lane && i < lanes; i++)
        free(x->lane[i].bit);
    free(x->lane);
}

/* ---- counting ---- */

static void count_chunk(struct lineup_match *m, struct track_match *x, const struct tl_track *k)
{
    uint64_t count = 0;

    for (size_t i = 0; i < m->walk.n; i++) {
        const struct chunk_event *ev = &m->walk.ev[i];
        if (!passes(m, m->at, ev->name, ev->ts, ev->dur, ev->lane))
            continue;
        count++;
        places_set(&x->all, k->t0, ev->ts, chunk_end(ev));
        if (x->lane && ev->lane < k->lanes)
            places_set(&x->lane[ev->lane], k->t0, ev->ts, chunk_end(ev));
    }
    x->count += count;
    m->count += count;
}

/* Count one more chunk of the current track; go to the next track when there is none. */
static int count_on(struct lineup_match *m, struct err *e)
{
    struct track_match *x = &m->track[m->at];
    const struct tl_track *k = lineup_track(m->l, m->at);

    if (x->counted) {
        m->at++;
        return OK;
    }
    if (!m->walking && prepare_places(x, k)) {
        open_walk(m, &m->walk, m->at, INT64_MIN, INT64_MAX, false);
        m->walking = true;
    }
    int rc = m->walking ? walk_next(&m->walk, e) : err_nomem(e);
    if (m->walking && rc == 1) {
        count_chunk(m, x, k);
        return OK;
    }
    if (m->walking)
        walk_close(&m->walk);
    m->walking = false;
    x->counted = !e->code;
    x->failed = e->code != OK;
    m->failed |= x->failed;
    m->at++;
    return e->code;
}

int lineup_match_work(struct lineup_match *m, int64_t budget_ns, bool *more, struct err *e)
{
    int64_t until = slice_now() + budget_ns;

    while (m->at < lineup_n_tracks(m->l) && !e->code) {
        (void)!count_on(m, e);
        if (slice_now() >= until)
            break;
    }
    *more = m->at < lineup_n_tracks(m->l);
    return e->code;
}

/* ---- cells ---- */

static void cells_from_places(const struct places *p, int64_t t0, int64_t t1, const struct tl_grid *g,
                              bool *out)
{
    for (size_t i = 0; i < g->n; i++) {
        int64_t a = g->edge[i], b = g->edge[i + 1];
        if (a > t1 || b <= t0)
            continue;
        out[i] = places_any(p, place_of(p, t0, a), place_of(p, t0, b > a ? b - 1 : a));
    }
}

static int cells_from_events(struct lineup_match *m, size_t track, int lane, bool *out, struct err *e)
{
    const struct tl_grid *g = &m->grid;
    struct chunk_walk w;
    int64_t a, b;

    open_walk(m, &w, track, g->from, g->to, false);
    while (walk_next(&w, e) == 1)
        for (size_t i = 0; i < w.n; i++) {
            const struct chunk_event *ev = &w.ev[i];
            if (!event_clip(ev, g->from, g->to, &a, &b) || (lane >= 0 && ev->lane != lane) ||
                !passes(m, track, ev->name, ev->ts, ev->dur, ev->lane))
                continue;
            size_t last = grid_cell(g, b > a ? b - 1 : a);
            for (size_t c = grid_cell(g, a); c <= last; c++)
                out[c] = true;
        }
    walk_close(&w);
    for (size_t i = g->n - 1; i-- > 0;) /* cells within one ns are equal */
        if (g->edge[i] == g->edge[i + 1])
            out[i] = out[i + 1];
    return e->code;
}

int lineup_match_cells(struct lineup_match *m, size_t track, int lane, int64_t from, int64_t to, size_t n,
                       bool *out, struct err *e)
{
    const struct track_match *x = &m->track[track];
    const struct tl_track *k = lineup_track(m->l, track);
    size_t part = lineup_part_of(m->l, track);

    /* while it is not known, nothing is dimmed */
    bool all = x->fate == F_ALL || (x->fate == F_SOME && !x->counted);
    for (size_t i = 0; i < n; i++)
        out[i] = all;
    if (all || x->fate == F_NONE || !n)
        return OK;
    from = lineup_stored(m->l, part, from);
    to = lineup_stored(m->l, part, to);
    if (to <= from)
        return OK;
    if (grid_set(&m->grid, from, to, n, e))
        return e->code;
    const struct places *p = lane < 0 || k->lanes < 2 ? &x->all : x->lane ? &x->lane[lane] : NULL;
    if (p && ((uint64_t)to - (uint64_t)from) / n >> p->shift >= BITS_A_CELL) {
        cells_from_places(p, k->t0, k->t1, &m->grid, out);
        return OK;
    }
    return cells_from_events(m, track, lane, out, e);
}

/* ---- the next one ---- */

/* In the order of time, then of tracks, then of events. */
static int place_cmp(int64_t ts, size_t track, int64_t seq, const struct tl_event *b)
{
    if (ts != b->ts_ns)
        return ts < b->ts_ns ? -1 : 1;
    if (track != b->track)
        return track < b->track ? -1 : 1;
    return seq < b->seq ? -1 : seq > b->seq;
}

/* The next match on a track; events beyond bound are of no use. */
static int next_on_track(struct lineup_match *m, size_t track, const struct tl_event *after, int64_t bound,
                         int dir, struct tl_event *ev, struct err *e)
{
    size_t part = lineup_part_of(m->l, track);
    int64_t from = lineup_stored(m->l, part, after->ts_ns), until = lineup_stored(m->l, part, bound);
    struct chunk_walk w;
    int rc = 0, found = 0;

    open_walk(m, &w, track, dir > 0 ? from : INT64_MIN, dir > 0 ? until : from, dir < 0);
    while (!found && (rc = walk_next(&w, e)) == 1) {
        if (dir < 0 && w.chunk->t_last < until)
            break;
        for (size_t k = 0; k < w.n && !found; k++) {
            size_t i = dir > 0 ? k : w.n - 1 - k;
            const struct chunk_event *x = &w.ev[i];
            if ((dir > 0 ? x->ts < from : x->ts > from) || !passes(m, track, x->name, x->ts, x->dur, x->lane))
                continue;
            walk_event(&w, i, ev);
            ev->track = track;
            ev->ts_ns = lineup_axis(m->l, part, ev->ts_ns);
            found = place_cmp(after->ts_ns, after->track, after->seq, ev) * dir < 0;
        }
    }
    walk_close(&w);
    return rc < 0 ? -1 : found;
}

int lineup_match_next(struct lineup_match *m, int64_t ts, size_t track, int64_t seq, int dir,
                      struct tl_event *ev, struct err *e)
{
    const struct tl_event after = { .ts_ns = ts, .track = track, .seq = seq };
    int64_t bound = dir > 0 ? INT64_MAX : INT64_MIN;
    int found = 0;

    for (size_t i = 0; i < lineup_n_tracks(m->l); i++) {
        struct tl_event x;
        if (!lineup_match_track(m, i) || lineup_track(m->l, i)->is_counter)
            continue;
        int rc = next_on_track(m, i, &after, bound, dir, &x, e);
        if (rc < 0)
            return -1;
        if (rc && (!found || place_cmp(x.ts_ns, x.track, x.seq, ev) * dir < 0)) {
            *ev = x;
            bound = x.ts_ns;
            found = 1;
        }
    }
    return found;
}
