/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of the timeline against a computation from the events, at random windows and zoom levels
 * (doc/performance.md#level-of-detail).
 */
#include "config.h"

#include <math.h>

#include "store/fill/lod.h"
#include "tests/unit/model/scene.h"

#define GLYPH_STEP 0.125

/* ---- cells ---- */

/* Beginnings of the n cells of a window, and its end. */
struct edges {
    int64_t at[257];
    size_t n;
};

static const struct edges *edges_of(int64_t from, int64_t to, size_t n)
{
    static struct edges g;
    for (size_t i = 0; i <= n; i++)
        g.at[i] = from + (int64_t)((__int128)(to - from) * (int64_t)i / (int64_t)n);
    g.n = n;
    return &g;
}

static size_t cell_at(const struct edges *g, int64_t ts)
{
    size_t i = 0;
    while (i + 1 < g->n && g->at[i + 1] <= ts)
        i++;
    return i;
}

struct brute {
    double busy[256];
    uint32_t count[256];
};

/*
 * Counts as they fall into buckets of shift (from t0), each bucket going to the cell of its middle; shift <
 * 0: as they are.
 */
static void brute_cells(const struct row *r, int lane, int64_t from, int64_t to, size_t n, int64_t t0,
                        int shift, struct brute *b)
{
    const struct edges *g = edges_of(from, to, n);
    int64_t covered = from;
    memset(b, 0, sizeof *b);
    for (size_t k = 0; k < r->n && r->ev[k].ts < to; k++) {
        const struct chunk_event *ev = &r->ev[k];
        int64_t end = chunk_end(ev), a = ev->ts > covered ? ev->ts : covered;
        if (lane >= 0 && ev->lane != lane)
            continue;
        if (shift < 0 && ev->ts >= from)
            b->count[cell_at(g, ev->ts)]++;
        for (size_t i = cell_at(g, a); i < n && a < end && a < to; i++) {
            int64_t e0 = g->at[i], e1 = g->at[i + 1], stop = end < e1 ? end : e1;
            if (stop <= a)
                continue;
            b->busy[i] += (double)(stop - a) / (double)(e1 - e0);
            a = stop;
        }
        covered = end > covered ? end : covered;
    }
    for (size_t i = n - 1; i-- > 0;) /* several cells in one ns look alike */
        if (g->at[i] == g->at[i + 1])
            b->busy[i] = b->busy[i + 1];
    for (size_t k = 0; shift >= 0 && k < r->n; k++) {
        int64_t w = (int64_t)1 << shift, at = t0 + ((r->ev[k].ts - t0) >> shift) * w;
        if ((lane >= 0 && r->ev[k].lane != lane) || at + w <= from || at >= to)
            continue;
        int64_t mid = at + w / 2, last = (at + w < to ? at + w : to) - 1;
        mid = mid < from ? from : mid > last ? last : mid;
        if (mid < at) /* the bucket begins before the window */
            mid = at;
        b->count[cell_at(g, mid)]++;
    }
}

static void compare_cells(const struct scene *s, size_t track, int lane, int64_t from, int64_t to, size_t n,
                          size_t *by_level)
{
    static struct tl_cell got[256];
    static struct brute want;
    struct err e = ERR_INIT;
    const struct row *r = row_of(s, track);
    const struct tl_lod *lod;
    int level = timeline_cells_level(s->tl, track, lane, from, to, n, &lod);
    double most = level < 0 ? 1e-3 : GLYPH_STEP;
    assert_int_equal(timeline_cells(s->tl, track, lane, from, to, n, got, &e), OK);
    brute_cells(r, lane, from, to, n, level < 0 ? 0 : lod->t0, level < 0 ? -1 : lod->shift + level * LOD_STEP,
                &want);
    by_level[level + 1]++;
    for (size_t i = 0; i < n; i++) {
        if (got[i].count != want.count[i])
            fail_msg("track %zu lane %d level %d cell %zu of %zu: %u events begin, not %u", track, lane,
                     level, i, n, want.count[i], got[i].count);
        if (fabs((double)got[i].busy - want.busy[i]) > most)
            fail_msg("track %zu lane %d level %d cell %zu of %zu: busy %.4f, not %.4f", track, lane, level, i,
                     n, want.busy[i], (double)got[i].busy);
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
    const uint32_t names[2] = { sink_intern(fill_sink(f), STR("a")), sink_intern(fill_sink(f), STR("b")) };
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
            size_t at = cell_at(edges_of(from, to, 200), ts);
            uint32_t near = k[at].count + (at ? k[at - 1].count : 0) + (at < 199 ? k[at + 1].count : 0);
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
    const struct edges *g = edges_of(from, to, n);
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
        struct tl_cell *c = &want[cell_at(g, ts)];
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timeline_cells_agree_with_the_events),
        cmocka_unit_test(timeline_lone_event_never_disappears),
        cmocka_unit_test(timeline_counters_agree_with_the_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
