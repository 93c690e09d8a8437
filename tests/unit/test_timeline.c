/*
 * The timeline against a computation from the events: random traces (nesting up to 40, overlaps, unsorted tracks, instants, very long
 * events, bursts, counters), random windows and zoom levels.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/timeline_int.h"
#include "store/fill.h"
#include "store/lod.h"

#define N_NAMES    300
#define GLYPH_STEP 0.125

static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static int64_t below(uint64_t *r, int64_t n)
{
    return n > 0 ? (int64_t)(next(r) % (uint64_t)n) : 0;
}

/* ---- traces ---- */

struct row {
    struct chunk_event *ev; /* in order, with lanes; of a counter: dur holds the value's bits */
    size_t n;
    int lanes;
    bool counter;
};

struct scene {
    struct row row[9];
    size_t n;
    struct store *store;
    struct timeline *tl;
    int64_t name_id[N_NAMES];
};

static void put(struct row *r, size_t *cap, int64_t ts, int64_t dur, uint32_t name)
{
    if (r->n == *cap) {
        *cap = *cap ? *cap * 2 : 1024;
        r->ev = realloc(r->ev, *cap * sizeof *r->ev);
        assert_non_null(r->ev);
    }
    r->ev[r->n] = (struct chunk_event){ .ts = ts, .dur = dur, .name = name, .off = r->n };
    r->n++;
}

/* Calls inside calls, up to 40 deep: what a host thread looks like. */
static void make_nested(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = below(x, 100000), end[40];
    size_t depth = 0, cap = 0;
    while (r->n < n) {
        ts += below(x, 300);
        while (depth && end[depth - 1] <= ts)
            depth--;
        if (depth == 40) {
            ts = end[--depth];
            continue;
        }
        int64_t most = depth ? end[depth - 1] - ts : 50000 + below(x, 3000000);
        int64_t dur = depth ? below(x, most + 1) : most;
        put(r, &cap, ts, dur, (uint32_t)below(x, N_NAMES));
        end[depth++] = ts + dur;
        if (!depth || next(x) % 5 == 0)
            ts += below(x, 4000);
        if (next(x) % 500 == 0) { /* all calls return, then nothing for a while */
            ts = end[0] + below(x, 200000);
            depth = 0;
        }
    }
}

/* Tasks that overlap without nesting, instants, a few that span everything, bursts and silence. */
static void make_overlapping(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = -below(x, 1000000);
    size_t cap = 0;
    while (r->n < n) {
        uint64_t kind = next(x) % 1000;
        ts += kind < 2 ? below(x, 20000000) : kind < 300 ? below(x, 3) : below(x, 2000);
        put(r, &cap, ts,
            kind == 500  ? below(x, 400000000)
            : kind > 900 ? 0
            : kind < 300 ? below(x, 20)
                         : below(x, 3000),
            (uint32_t)below(x, kind % 7 ? 20 : N_NAMES));
    }
}

/* One after the other, now and then far apart: a stream. */
static void make_plain(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = below(x, 5000);
    size_t cap = 0;
    while (r->n < n) {
        int64_t dur = below(x, 900);
        put(r, &cap, ts, dur, (uint32_t)(r->n % 700 == 3 ? 299 : below(x, 200)));
        ts += dur + (next(x) % 2000 ? below(x, 700) : 1000000 * below(x, 5)); /* equal gaps too */
    }
}

/* Two lanes at most: a task, and now and then one that begins before it ends. */
static void make_pairs(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = 0;
    size_t cap = 0;
    while (r->n < n) {
        int64_t dur = 100 + below(x, 900);
        if (r->n % CHUNK_EVENTS == CHUNK_EVENTS - 1)
            dur = 0; /* chunks end with an instant */
        put(r, &cap, ts, dur, (uint32_t)below(x, 50));
        if (r->n > n / 2 || next(x) % 50 == 0)
            put(r, &cap, ts + below(x, dur), dur, (uint32_t)below(x, 50));
        ts += 2000 + below(x, 100);
    }
}

static void make_counter(struct row *r, uint64_t *x, size_t n)
{
    int64_t ts = below(x, 5000);
    size_t cap = 0;
    r->counter = true;
    while (r->n < n) {
        put(r, &cap, ts, chunk_from_double((double)below(x, 100000) / 16), 0);
        ts += below(x, 30000);
    }
}

static void shuffle(struct chunk_event *ev, size_t n, size_t reach, uint64_t *x)
{
    for (size_t i = 0; i + 1 < n; i++) {
        size_t k = i + (size_t)below(x, (int64_t)(n - i < reach ? n - i : reach));
        struct chunk_event e = ev[i];
        ev[i] = ev[k];
        ev[k] = e;
    }
}

static void feed(struct fill *f, struct row *r, size_t number, const uint32_t *names)
{
    struct err e = ERR_INIT;
    char tid[16];
    snprintf(tid, sizeof tid, "%zu", number);
    struct track_def d = { .rank = 0,
                           .kind = r->counter ? TK_COUNTER : TK_HOST_THREAD,
                           .pid = STR("1"),
                           .tid = str_of(tid),
                           .name = str_of(tid),
                           .sort = (int64_t)number,
                           .stream = -1,
                           .source_id = 1 };
    uint32_t t = sink_track(fill_sink(f), &d);
    for (size_t i = 0; i < r->n; i++) {
        struct chunk_event *ev = &r->ev[i];
        if (r->counter) {
            assert_int_equal(sink_sample(fill_sink(f), t, ev->ts, chunk_to_double(ev->dur), &e),
                             OK);
            continue;
        }
        ev->name = names[ev->name];
        assert_int_equal(sink_event(fill_sink(f), t, ev->ts, ev->dur, ev->name, ev->off, &e), OK);
    }
    /* As the store keeps them. */
    struct chunk_state st;
    int64_t added;
    qsort(r->ev, r->n, sizeof *r->ev, chunk_event_cmp);
    chunk_state_init(&st);
    for (size_t i = 0; i < r->n && !r->counter; i++)
        r->ev[i].lane = chunk_place(&st, r->ev[i].ts, r->ev[i].dur, &added);
    r->lanes = st.n_lanes;
}

static void scene_open(struct scene *s, uint64_t seed, size_t n)
{
    struct err e = ERR_INIT;
    struct fill *f;
    uint64_t x = seed * 7919 + 1;
    uint32_t names[N_NAMES];
    int rank = 0;
    memset(s, 0, sizeof *s);
    make_nested(&s->row[0], &x, n);
    make_overlapping(&s->row[1], &x, n);
    make_plain(&s->row[2], &x, n);
    make_counter(&s->row[3], &x, n / 2);
    make_nested(&s->row[4], &x, n);
    shuffle(s->row[4].ev, n, n, &x); /* in no order at all */
    make_overlapping(&s->row[5], &x, n / 3);
    shuffle(s->row[5].ev, s->row[5].n, 50, &x); /* nearly in order */
    make_plain(&s->row[6], &x, 500);
    make_counter(&s->row[7], &x, 9000);
    shuffle(s->row[7].ev, 9000, 30, &x);
    make_pairs(&s->row[8], &x, n / 2);
    s->n = ARRAY_LEN(s->row);
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    for (int i = 0; i < N_NAMES; i++) {
        char text[16];
        snprintf(text, sizeof text, "op%d", i);
        names[i] = sink_intern(fill_sink(f), str_of(text));
        s->name_id[i] = names[i];
    }
    for (size_t i = 0; i < s->n; i++)
        feed(f, &s->row[i], i, names);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s->store, &e), OK);
    assert_int_equal(timeline_open(&s->tl, &s->store, &rank, 1, &e), OK);
    assert_int_equal(timeline_n_tracks(s->tl), s->n);
}

static void scene_close(struct scene *s)
{
    timeline_close(s->tl);
    store_close(s->store);
    for (size_t i = 0; i < s->n; i++)
        free(s->row[i].ev);
}

/* The row a track of the timeline was made from: its name says. */
static const struct row *row_of(const struct scene *s, size_t track)
{
    uint64_t number = 0;
    assert_true(str_u64(timeline_track(s->tl, track)->name, &number) && number < s->n);
    return &s->row[number];
}

static size_t chunk_edge(const struct row *r, uint64_t *x)
{
    size_t i = (size_t)below(x, (int64_t)r->n) / CHUNK_EVENTS * CHUNK_EVENTS;
    return i && next(x) % 2 ? i - 1 : i;
}

/* A window somewhere on the row, of any length; at times beyond its ends, at times beginning or ending with an event. */
static void random_window(const struct row *r, uint64_t *x, int64_t *from, int64_t *to)
{
    int64_t a = r->ev[0].ts, span = r->ev[r->n - 1].ts - a + 1;
    int64_t len = span >> below(x, 24);
    len = 1 + len / 2 + below(x, len + 1);
    *from = a - span / 20 + below(x, span + span / 10);
    if (next(x) % 4 == 0)
        *from = r->ev[below(x, (int64_t)r->n)].ts;
    *to = *from + len;
    if (next(x) % 8 == 0)
        *to = r->ev[below(x, (int64_t)r->n)].ts;
    if (next(x) % 4 == 0) /* where a chunk begins or ends */
        *from = r->ev[chunk_edge(r, x)].ts + below(x, 2);
    if (next(x) % 4 == 0)
        *to = r->ev[chunk_edge(r, x)].ts + below(x, 2);
    if (*to <= *from)
        *to = *from + 1 + below(x, 1000);
}

static bool touches(const struct chunk_event *ev, int64_t from, int64_t to)
{
    return ev->ts < to && (chunk_end(ev) > from || ev->ts >= from);
}

/* ---- cells ---- */

static int64_t edge(int64_t from, int64_t to, size_t n, size_t i)
{
    return from + (int64_t)((__int128)(to - from) * (int64_t)i / (int64_t)n);
}

static size_t cell_at(int64_t from, int64_t to, size_t n, int64_t ts)
{
    size_t i = 0;
    while (i + 1 < n && edge(from, to, n, i + 1) <= ts)
        i++;
    return i;
}

struct brute {
    double busy[256];
    uint32_t count[256];
};

/* Counts as they fall into buckets of shift (from t0), each bucket going to the cell of its middle; shift < 0: as they are. */
static void brute_cells(const struct row *r, int lane, int64_t from, int64_t to, size_t n,
                        int64_t t0, int shift, struct brute *b)
{
    int64_t covered = from;
    memset(b, 0, sizeof *b);
    for (size_t k = 0; k < r->n && r->ev[k].ts < to; k++) {
        const struct chunk_event *ev = &r->ev[k];
        int64_t end = chunk_end(ev), a = ev->ts > covered ? ev->ts : covered;
        if (lane >= 0 && ev->lane != lane)
            continue;
        if (shift < 0 && ev->ts >= from)
            b->count[cell_at(from, to, n, ev->ts)]++;
        for (size_t i = cell_at(from, to, n, a); i < n && a < end && a < to; i++) {
            int64_t e0 = edge(from, to, n, i), e1 = edge(from, to, n, i + 1),
                    stop = end < e1 ? end : e1;
            if (stop <= a)
                continue;
            b->busy[i] += (double)(stop - a) / (double)(e1 - e0);
            a = stop;
        }
        covered = end > covered ? end : covered;
    }
    for (size_t i = n - 1; i-- > 0;) /* several cells in one ns look alike */
        if (edge(from, to, n, i) == edge(from, to, n, i + 1))
            b->busy[i] = b->busy[i + 1];
    for (size_t k = 0; shift >= 0 && k < r->n; k++) {
        int64_t w = (int64_t)1 << shift, at = t0 + ((r->ev[k].ts - t0) >> shift) * w;
        if ((lane >= 0 && r->ev[k].lane != lane) || at + w <= from || at >= to)
            continue;
        int64_t mid = at + w / 2, last = (at + w < to ? at + w : to) - 1;
        mid = mid < from ? from : mid > last ? last : mid;
        if (mid < at) /* the bucket begins before the window */
            mid = at;
        b->count[cell_at(from, to, n, mid)]++;
    }
}

static void compare_cells(const struct scene *s, size_t track, int lane, int64_t from, int64_t to,
                          size_t n, size_t *by_level)
{
    static struct tl_cell got[256];
    static struct brute want;
    struct err e = ERR_INIT;
    const struct row *r = row_of(s, track);
    const struct tl_lod *lod;
    int level = timeline_cells_level(s->tl, track, lane, from, to, n, &lod);
    double most = level < 0 ? 1e-3 : GLYPH_STEP;
    assert_int_equal(timeline_cells(s->tl, track, lane, from, to, n, got, &e), OK);
    brute_cells(r, lane, from, to, n, level < 0 ? 0 : lod->t0,
                level < 0 ? -1 : lod->shift + level * LOD_STEP, &want);
    by_level[level + 1]++;
    for (size_t i = 0; i < n; i++) {
        if (got[i].count != want.count[i])
            fail_msg("track %zu lane %d level %d cell %zu of %zu: %u events begin, not %u", track,
                     lane, level, i, n, want.count[i], got[i].count);
        if (fabs((double)got[i].busy - want.busy[i]) > most)
            fail_msg("track %zu lane %d level %d cell %zu of %zu: busy %.4f, not %.4f", track, lane,
                     level, i, n, want.busy[i], (double)got[i].busy);
        if (got[i].count || got[i].busy > 0)
            assert_int_not_equal(got[i].name_id, 0);
    }
}

static void timeline_cells_agree_with_the_events(void **state)
{
    (void)state;
    size_t by_level[8] = { 0 };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct scene s;
        uint64_t x = seed;
        scene_open(&s, seed, 60000);
        for (int k = 0; k < 400; k++) {
            size_t track = (size_t)below(&x, (int64_t)s.n), n = 10 + (size_t)below(&x, 240);
            const struct row *r = row_of(&s, track);
            int64_t from, to;
            if (r->counter)
                continue;
            random_window(r, &x, &from, &to);
            compare_cells(&s, track, k % 2 ? -1 : (int)below(&x, r->lanes), from, to, n, by_level);
        }
        scene_close(&s);
    }
    /* Every way was taken. */
    for (size_t i = 0; i < 5; i++)
        if (!by_level[i])
            fail_msg("no window was drawn from level %d", (int)i - 1);
}

/* A single event in hours of silence is drawn at every zoom, where it is. */
static void timeline_lone_event_never_disappears(void **state)
{
    (void)state;
    struct scene s;
    struct row *r = &s.row[0];
    static struct tl_cell k[200];
    struct err e = ERR_INIT;
    struct fill *f;
    size_t cap = 0, drawn = 0;
    int rank = 0;
    memset(&s, 0, sizeof s);
    for (int i = 0; i < 20000; i++)
        put(r, &cap, (int64_t)i * 1000, 800, 0);
    put(r, &cap, (int64_t)3600 * 1000000000, 1, 1);
    put(r, &cap, (int64_t)7200 * 1000000000, 0, 1);
    for (int i = 0; i < 20000; i++)
        put(r, &cap, (int64_t)9000 * 1000000000 + i * 1000, 800, 0);
    s.n = 1;
    assert_int_equal(fill_open(&f, &(struct fill_opts){ .path = NULL }, &e), OK);
    assert_int_equal(fill_begin(f, 1, &e), OK);
    const uint32_t names[2] = { sink_intern(fill_sink(f), STR("a")),
                                sink_intern(fill_sink(f), STR("b")) };
    feed(f, r, 0, names);
    assert_int_equal(fill_end(f, true, &e), OK);
    assert_int_equal(fill_finish(f, "key", &e), OK);
    assert_int_equal(fill_take_store(f, &s.store, &e), OK);
    assert_int_equal(timeline_open(&s.tl, &s.store, &rank, 1, &e), OK);
    for (int64_t half = (int64_t)9000 * 1000000000; half > 50; half /= 3) {
        for (int hour = 1; hour <= 2; hour++) {
            int64_t ts = (int64_t)hour * 3600 * 1000000000, from = ts - half, to = ts + half;
            const struct tl_lod *lod;
            assert_int_equal(timeline_cells(s.tl, 0, -1, from, to, 200, k, &e), OK);
            size_t at = cell_at(from, to, 200, ts);
            uint32_t near =
                k[at].count + (at ? k[at - 1].count : 0) + (at < 199 ? k[at + 1].count : 0);
            assert_true(near >= 1);
            drawn += timeline_cells_level(s.tl, 0, -1, from, to, 200, &lod) >= 0;
        }
    }
    assert_true(drawn > 0);
    scene_close(&s);
}

/* ---- counters ---- */

static void compare_counter(const struct scene *s, size_t track, int64_t from, int64_t to, size_t n,
                            size_t *by_level)
{
    static struct tl_cell got[256], want[256];
    struct err e = ERR_INIT;
    const struct row *r = row_of(s, track);
    const struct tl_lod *lod;
    double before = NAN;
    int level = timeline_cells_level(s->tl, track, -1, from, to, n, &lod);
    by_level[level + 1]++;
    assert_int_equal(timeline_cells(s->tl, track, -1, from, to, n, got, &e), OK);
    memset(want, 0, sizeof want);
    for (size_t k = 0; k < r->n; k++) {
        int64_t ts = r->ev[k].ts;
        double v = chunk_to_double(r->ev[k].dur);
        if (ts < from)
            before = v;
        if (level >= 0) {
            int shift = lod->shift + level * LOD_STEP;
            int64_t w = (int64_t)1 << shift, at = lod->t0 + ((ts - lod->t0) >> shift) * w,
                    last = (at + w < to ? at + w : to) - 1;
            if (at + w <= from || at >= to)
                continue;
            ts = at + w / 2 < from ? from : at + w / 2 > last ? last : at + w / 2;
            v = (double)(float)v;
        }
        if (ts < from || ts >= to)
            continue;
        struct tl_cell *c = &want[cell_at(from, to, n, ts)];
        c->lo = !c->count || v < c->lo ? v : c->lo;
        c->hi = !c->count || v > c->hi ? v : c->hi;
        c->level = v;
        c->count++;
    }
    for (size_t i = 0; i < n; i++) {
        if (!want[i].count)
            want[i].level = want[i].lo = want[i].hi = before;
        before = want[i].level;
        assert_int_equal(got[i].count, want[i].count);
        if (isnan(want[i].level)) {
            assert_true(isnan(got[i].level));
            continue;
        }
        assert_true(got[i].lo <= want[i].lo && got[i].lo >= want[i].lo);
        assert_true(got[i].hi <= want[i].hi && got[i].hi >= want[i].hi);
        assert_true(got[i].level <= want[i].level && got[i].level >= want[i].level);
    }
}

static void timeline_counters_agree_with_the_samples(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 5;
    size_t by_level[8] = { 0 };
    scene_open(&s, 5, 60000);
    for (int k = 0; k < 600; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n);
        const struct row *r = row_of(&s, track);
        int64_t from, to;
        if (!r->counter)
            continue;
        random_window(r, &x, &from, &to);
        compare_counter(&s, track, from, to, 10 + (size_t)below(&x, 240), by_level);
        struct tl_figures f;
        struct err e = ERR_INIT;
        double last = NAN;
        for (size_t i = 0; i < r->n && r->ev[i].ts < to; i++)
            last = chunk_to_double(r->ev[i].dur);
        assert_int_equal(timeline_cell(s.tl, track, -1, from, to, &f, &e), OK);
        assert_true(isnan(last) ? isnan(f.level) : f.level <= last && f.level >= last);
    }
    for (size_t i = 0; i < 4; i++)
        assert_true(by_level[i] > 0);
    scene_close(&s);
}

/* ---- exact figures ---- */

struct figures {
    struct tl_area area;
    struct tl_gap gap[16];
    size_t n_gaps;
    int64_t name_ns[N_NAMES + 8];
    uint64_t name_events[N_NAMES + 8];
};

static void brute_gap(struct figures *f, struct tl_gap g)
{
    size_t at = f->n_gaps < 16 ? f->n_gaps : 16;
    if (g.len_ns <= 0)
        return;
    while (at && f->gap[at - 1].len_ns < g.len_ns)
        at--;
    if (at == 16)
        return;
    memmove(&f->gap[at + 1], &f->gap[at], (15 - at) * sizeof f->gap[0]);
    f->gap[at] = g;
    f->n_gaps += f->n_gaps < 16;
}

static void brute_figures(const struct row *r, int lane, int64_t from, int64_t to,
                          struct figures *f)
{
    int64_t covered = from, after = 0;
    memset(f, 0, sizeof *f);
    for (size_t k = 0; k < r->n && r->ev[k].ts < to; k++) {
        const struct chunk_event *ev = &r->ev[k];
        if ((lane >= 0 && ev->lane != lane) || !touches(ev, from, to))
            continue;
        int64_t a = ev->ts > from ? ev->ts : from, end = chunk_end(ev), b = end < to ? end : to;
        f->area.events++;
        f->area.dur_sum_ns += b - a;
        f->area.longest_ns = b - a > f->area.longest_ns ? b - a : f->area.longest_ns;
        brute_gap(f, (struct tl_gap){ covered, a - covered, after, ev->name });
        if (b > covered)
            f->area.busy_ns += b - (a > covered ? a : covered);
        if (b >= covered) {
            covered = b;
            after = ev->name;
        }
        f->name_ns[ev->name] += b - a;
        f->name_events[ev->name]++;
    }
    brute_gap(f, (struct tl_gap){ covered, to - covered, after, 0 });
}

static void compare_names(const struct scene *s, size_t track, int64_t from, int64_t to,
                          const struct figures *want)
{
    static struct tl_name got[N_NAMES];
    struct err e = ERR_INIT;
    size_t n, distinct = 0;
    assert_int_equal(timeline_names(s->tl, track, from, to, got, N_NAMES, &n, &e), OK);
    for (size_t i = 0; i < ARRAY_LEN(want->name_events); i++)
        distinct += want->name_events[i] > 0;
    assert_int_equal(n, distinct);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(got[i].busy_ns, want->name_ns[got[i].name_id]);
        assert_int_equal(got[i].events, want->name_events[got[i].name_id]);
        assert_true(!i || got[i - 1].busy_ns >= got[i].busy_ns);
    }
}

static void compare_figures(const struct scene *s, size_t track, int64_t from, int64_t to)
{
    static struct figures want;
    struct err e = ERR_INIT;
    struct tl_area got;
    struct tl_gap gap[16];
    struct tl_figures cell;
    size_t n;
    const struct row *r = row_of(s, track);
    brute_figures(r, -1, from, to, &want);
    assert_int_equal(timeline_area(s->tl, track, from, to, &got, &e), OK);
    assert_int_equal(got.events, want.area.events);
    assert_int_equal(got.busy_ns, want.area.busy_ns);
    assert_int_equal(got.dur_sum_ns, want.area.dur_sum_ns);
    assert_int_equal(got.longest_ns, want.area.longest_ns);
    assert_int_equal(got.longest_gap_ns, want.n_gaps ? want.gap[0].len_ns : 0);
    if (want.n_gaps)
        assert_int_equal(got.longest_gap_at, want.gap[0].from_ns);
    for (size_t max = 1; max <= 16; max *= 4) {
        assert_int_equal(timeline_gaps(s->tl, track, from, to, gap, max, &n, &e), OK);
        assert_int_equal(n, want.n_gaps < max ? want.n_gaps : max);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(gap[i].len_ns, want.gap[i].len_ns);
            assert_int_equal(gap[i].from_ns, want.gap[i].from_ns);
            assert_int_equal(gap[i].after_name, want.gap[i].after_name);
            assert_int_equal(gap[i].before_name, want.gap[i].before_name);
        }
    }
    compare_names(s, track, from, to, &want);
    int lane = (int)(from & 7);
    if (lane >= r->lanes)
        lane = -1;
    brute_figures(r, lane, from, to, &want);
    assert_int_equal(timeline_cell(s->tl, track, lane, from, to, &cell, &e), OK);
    assert_int_equal(cell.events, want.area.events);
    assert_int_equal(cell.busy_ns, want.area.busy_ns);
}

static void timeline_sums_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct scene s;
        uint64_t x = seed + 50;
        scene_open(&s, seed + 10, 40000);
        for (int k = 0; k < 400; k++) {
            size_t track = (size_t)below(&x, (int64_t)s.n);
            int64_t from, to;
            if (row_of(&s, track)->counter)
                continue;
            random_window(row_of(&s, track), &x, &from, &to);
            compare_figures(&s, track, from, to);
        }
        scene_close(&s);
    }
}

/* ---- looking for events ---- */

static void timeline_windows_list_their_events(void **state)
{
    (void)state;
    enum { MAX = 700 };
    static struct tl_event got[MAX];
    struct scene s;
    uint64_t x = 9;
    scene_open(&s, 20, 40000);
    for (int k = 0; k < 400; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n), n, i = 0, at = 0;
        const struct row *r = row_of(&s, track);
        struct err e = ERR_INIT;
        int64_t from, to;
        bool more;
        if (r->counter)
            continue;
        random_window(r, &x, &from, &to);
        assert_int_equal(timeline_events(s.tl, track, from, to, got, MAX, &n, &more, &e), OK);
        for (; at < r->n && r->ev[at].ts < to && i < n; at++) {
            if (!touches(&r->ev[at], from, to))
                continue;
            assert_int_equal(got[i].ts_ns, r->ev[at].ts);
            assert_int_equal(got[i].dur_ns, r->ev[at].dur);
            assert_int_equal(got[i].lane, r->ev[at].lane);
            assert_int_equal(got[i].name_id, r->ev[at].name);
            i++;
        }
        assert_int_equal(i, n);
        for (; at < r->n && r->ev[at].ts < to && !touches(&r->ev[at], from, to); at++)
            ;
        assert_int_equal(more, n == MAX && at < r->n && r->ev[at].ts < to);
    }
    scene_close(&s);
}

static void timeline_steps_from_event_to_event(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 13;
    scene_open(&s, 30, 30000);
    for (int k = 0; k < 1500; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n);
        const struct row *r = row_of(&s, track);
        struct err e = ERR_INIT;
        struct tl_event from, ev;
        if (r->counter)
            continue;
        size_t at = (size_t)below(&x, (int64_t)r->n);
        /* The event itself: the first one behind where it begins, as often as it takes. */
        int64_t ts = r->ev[at].ts, seq = -1;
        int rc = timeline_step(s.tl, track, ts, seq, 1, 0, &from, &e);
        assert_int_equal(rc, 1);
        while (at && r->ev[at - 1].ts == ts)
            at--;
        assert_int_equal(from.ts_ns, ts);
        int dir = k % 2 ? 1 : -1;
        int64_t name = k % 3 ? r->ev[below(&x, (int64_t)r->n)].name : 0;
        int64_t i = (int64_t)at + dir;
        while (i >= 0 && i < (int64_t)r->n && name && r->ev[i].name != name)
            i += dir;
        rc = timeline_step(s.tl, track, from.ts_ns, from.seq, dir, name, &ev, &e);
        assert_int_equal(rc, i >= 0 && i < (int64_t)r->n);
        if (rc) {
            assert_int_equal(ev.ts_ns, r->ev[i].ts);
            assert_int_equal(ev.dur_ns, r->ev[i].dur);
            assert_int_equal(ev.name_id, r->ev[i].name);
        }
    }
    scene_close(&s);
}

/* Nearest event of any track whose name matches. */
static int64_t brute_find(const struct scene *s, int64_t name, int64_t ts, int dir)
{
    int64_t best = dir > 0 ? INT64_MAX : INT64_MIN;
    for (size_t k = 0; k < s->n; k++)
        for (size_t i = 0; i < s->row[k].n && !s->row[k].counter; i++) {
            int64_t at = s->row[k].ev[i].ts;
            if (s->row[k].ev[i].name != name || (dir > 0 ? at <= ts : at >= ts))
                continue;
            if (dir > 0 ? at < best : at > best)
                best = at;
        }
    return best;
}

static void timeline_finds_names_on_every_track(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 17;
    scene_open(&s, 40, 20000);
    for (int k = 0; k < 60; k++) {
        struct err e = ERR_INIT;
        struct tl_event ev;
        struct re *re;
        char text[32];
        size_t which = (size_t)below(&x, N_NAMES);
        const struct row *r = &s.row[k % 2 ? 2 : 0];
        int64_t ts = r->ev[below(&x, (int64_t)r->n)].ts;
        int dir = k % 3 ? 1 : -1;
        snprintf(text, sizeof text, "^op%zu$", which);
        assert_int_equal(re_new(&re, str_of(text), 0, &e), OK);
        int64_t want = brute_find(&s, s.name_id[which], ts, dir);
        int rc = timeline_find(s.tl, re, ts, dir, &ev, &e);
        assert_int_equal(rc, want != INT64_MAX && want != INT64_MIN);
        if (rc)
            assert_int_equal(ev.ts_ns, want);
        re_free(re);
    }
    scene_close(&s);
}

static void timeline_point_finds_the_innermost_event(void **state)
{
    (void)state;
    struct scene s;
    uint64_t x = 23;
    scene_open(&s, 50, 30000);
    for (int k = 0; k < 800; k++) {
        size_t track = (size_t)below(&x, (int64_t)s.n);
        const struct row *r = row_of(&s, track);
        struct err e = ERR_INIT;
        struct tl_event ev;
        int lane = -1;
        int64_t from, to;
        if (r->counter)
            continue;
        random_window(r, &x, &from, &to);
        for (size_t i = 0; i < r->n && r->ev[i].ts <= from; i++)
            if (chunk_end(&r->ev[i]) > from && r->ev[i].lane > lane)
                lane = r->ev[i].lane;
        int rc = timeline_at(s.tl, track, from, 0, &ev, &e);
        assert_int_equal(rc < 0, 0);
        if (lane < 0)
            continue; /* nothing but an instant can be there */
        assert_int_equal(rc, 1);
        assert_true(ev.ts_ns <= from && ev.ts_ns + ev.dur_ns >= from);
        assert_true(ev.lane >= lane);
    }
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timeline_cells_agree_with_the_events),
        cmocka_unit_test(timeline_lone_event_never_disappears),
        cmocka_unit_test(timeline_counters_agree_with_the_samples),
        cmocka_unit_test(timeline_sums_are_exact),
        cmocka_unit_test(timeline_windows_list_their_events),
        cmocka_unit_test(timeline_steps_from_event_to_event),
        cmocka_unit_test(timeline_finds_names_on_every_track),
        cmocka_unit_test(timeline_point_finds_the_innermost_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
