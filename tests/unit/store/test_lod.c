/* SPDX-License-Identifier: Apache-2.0 */
/* Levels of detail: sums against a direct computation, limits, what is stored and read back. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/fill/chunk.h"
#include "store/fill/lod.h"

#define MAX_LEVELS 8

/* A pyramid read back: levels of buckets from one origin. */
struct level {
    int64_t t0;
    int shift;
    uint32_t n; /* up to the last part stored */
    struct lod_bucket *b;
    struct lod_value *v;
};

struct pyramid {
    struct level level[MAX_LEVELS];
    int n_levels;
    size_t parts, bytes;
    bool values;
};

static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static int take_part(void *arg, const struct lod_part *part, struct err *e)
{
    struct pyramid *p = arg;
    struct level *l = &p->level[part->level];
    uint32_t to = (part->part + 1) * LOD_PART;

    (void)e;
    assert_true(part->level < MAX_LEVELS);
    if (part->level >= p->n_levels)
        p->n_levels = part->level + 1;
    l->shift = part->shift;
    l->t0 = part->t0 - ((int64_t)part->part * LOD_PART << part->shift);
    size_t each = p->values ? sizeof *l->v : sizeof *l->b;
    char *grown = realloc(p->values ? (void *)l->v : (void *)l->b, to * each);
    assert_non_null(grown);
    memset(grown + l->n * each, 0, (to - l->n) * each);
    l->n = to;
    if (p->values) {
        l->v = (struct lod_value *)(void *)grown;
        assert_true(lod_decode_values(part->blob, 0, LOD_PART, l->v + part->part * LOD_PART));
    } else {
        l->b = (struct lod_bucket *)(void *)grown;
        assert_true(lod_check(part->blob));
        assert_true(lod_decode(part->blob, 0, LOD_PART, l->b + part->part * LOD_PART));
    }
    p->parts++;
    p->bytes += part->blob.n;
    return OK;
}

static void read_back(struct lod *l, struct pyramid *p, bool values)
{
    struct err e = ERR_INIT;
    struct buf b;
    buf_init(&b, 1 << 20);
    *p = (struct pyramid){ .values = values };
    assert_int_equal(lod_write(l, &b, take_part, p, &e), OK);
    buf_done(&b);
}

static void done(struct pyramid *p)
{
    for (int i = 0; i < p->n_levels; i++) {
        free(p->level[i].b);
        free(p->level[i].v);
    }
}

/* n events in order, up to depth open at once; long ones, instants, gaps. */
static struct chunk_event *make_events(uint64_t seed, size_t n, int names)
{
    struct chunk_event *ev = calloc(n, sizeof *ev);
    int64_t ts = (int64_t)(next(&seed) % 1000000) - 500000;
    assert_non_null(ev);
    for (size_t i = 0; i < n; i++) {
        uint64_t kind = next(&seed) % 100;
        ts += kind < 5 ? (int64_t)(next(&seed) % 3000000) : (int64_t)(next(&seed) % 3000);
        ev[i] = (struct chunk_event){ .ts = ts,
                                      .dur = kind < 10   ? 0
                                             : kind < 12 ? (int64_t)(next(&seed) % 50000000)
                                                         : (int64_t)(next(&seed) % 5000),
                                      .name = 1 + (uint32_t)(next(&seed) % (uint64_t)names),
                                      .off = i };
    }
    return ev;
}

static struct lod *feed(struct lod_pool *pool, enum lod_kind kind, const struct chunk_event *ev, size_t n)
{
    struct err e = ERR_INIT;
    struct lod *l;
    assert_int_equal(lod_new(&l, pool, kind, ev[0].ts, &e), OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(lod_add_event(l, ev[i].ts, chunk_end(&ev[i]), ev[i].name, &e), OK);
    return l;
}

/* Busy ns and starts of each bucket of a level, from the events. */
static void brute(const struct level *l, const struct chunk_event *ev, size_t n, double *busy,
                  uint32_t *count)
{
    int64_t covered = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        int64_t a = ev[i].ts, b = chunk_end(&ev[i]);
        count[(a - l->t0) >> l->shift]++;
        if (a < covered)
            a = covered;
        while (a < b) {
            int64_t k = (a - l->t0) >> l->shift, edge = l->t0 + ((k + 1) << l->shift),
                    end = b < edge ? b : edge;
            busy[k] += (double)(end - a);
            a = end;
        }
        covered = b > covered ? b : covered;
    }
}

static void check_level(const struct level *l, const struct chunk_event *ev, size_t n)
{
    double *busy = calloc(l->n, sizeof *busy), width = (double)((int64_t)1 << l->shift);
    uint32_t *count = calloc(l->n, sizeof *count);
    brute(l, ev, n, busy, count);
    for (uint32_t i = 0; i < l->n; i++) {
        double share = l->b[i].busy / (double)LOD_FULL, want = busy[i] / width;
        assert_int_equal(l->b[i].count, count[i]);
        if (want > 0)
            assert_true(l->b[i].busy > 0); /* nothing disappears */
        if (share - want > 1.01 / LOD_FULL || want - share > 0.51 / LOD_FULL)
            fail_msg("bucket %u of %d ns: busy %.9f, stored %.9f", i, 1 << l->shift, want, share);
        if (count[i] || want > 0)
            assert_int_not_equal(l->b[i].name, 0);
    }
    free(busy);
    free(count);
}

static void lod_every_level_equals_a_direct_computation(void **state)
{
    (void)state;
    static const size_t sizes[] = { 1, 7, 4096, 50000, 400000 };
    for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
        struct lod_pool pool;
        struct pyramid p;
        lod_pool_init(&pool, LOD_POOL_B);
        struct chunk_event *ev = make_events(k + 1, sizes[k], 40);
        struct lod *l = feed(&pool, k % 2 ? LOD_LANE : LOD_TRACK, ev, sizes[k]);
        read_back(l, &p, false);
        assert_true(p.n_levels >= 1);
        for (int i = 0; i < p.n_levels; i++) {
            check_level(&p.level[i], ev, sizes[k]);
            if (i)
                assert_int_equal(p.level[i].shift, p.level[i - 1].shift + LOD_STEP);
        }
        lod_free(l);
        assert_int_equal(pool.used_b, 0);
        done(&p);
        free(ev);
    }
}

/* Buckets of minutes: times are kept in longer units. */
static void lod_tracks_of_weeks_are_as_right(void **state)
{
    (void)state;
    struct lod_pool pool;
    struct pyramid p;
    struct chunk_event *ev = make_events(8, 20000, 9);
    for (size_t i = 0; i < 20000; i++) {
        ev[i].ts *= 1 << 22;
        ev[i].dur *= i % 5 ? 1 << 22 : 1; /* some are very short beside a bucket */
    }
    lod_pool_init(&pool, LOD_POOL_B);
    struct lod *l = feed(&pool, LOD_TRACK, ev, 20000);
    read_back(l, &p, false);
    assert_true(p.level[0].shift > 34);
    for (int i = 0; i < p.n_levels; i++)
        check_level(&p.level[i], ev, 20000);
    lod_free(l);
    done(&p);
    free(ev);
}

/*
 * Names are exact at the lowest level when the number of buckets grew, not their width: all within 1 ms here.
 */
static void lod_lowest_level_names_what_covers_most(void **state)
{
    (void)state;
    struct lod_pool pool;
    struct pyramid p;
    struct chunk_event ev[900];
    uint64_t r = 5, sum[1024][8];
    int64_t ts = 77;
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < ARRAY_LEN(ev); i++) {
        ev[i] = (struct chunk_event){ .ts = ts,
                                      .dur = (int64_t)(next(&r) % 1000),
                                      .name = 1 + (uint32_t)(next(&r) % 7) };
        for (int64_t t = ts; t < chunk_end(&ev[i]); t++)
            sum[(t - 77) >> LOD_FIRST_SHIFT][ev[i].name]++;
        ts = chunk_end(&ev[i]) + (int64_t)(next(&r) % 300);
    }
    lod_pool_init(&pool, LOD_POOL_B);
    struct lod *l = feed(&pool, LOD_TRACK, ev, ARRAY_LEN(ev));
    read_back(l, &p, false);
    assert_int_equal(p.level[0].shift, LOD_FIRST_SHIFT);
    for (uint32_t i = 0; i < 1024; i++)
        for (int k = 1; k < 8 && p.level[0].b[i].busy; k++)
            assert_true(sum[i][k] <= sum[i][p.level[0].b[i].name]);
    lod_free(l);
    done(&p);
}

static void lod_buckets_follow_the_events_up_to_the_cap(void **state)
{
    (void)state;
    struct lod_pool pool;
    struct pyramid p;
    lod_pool_init(&pool, LOD_POOL_B);
    struct chunk_event *ev = make_events(9, 600000, 5);
    struct lod *l = feed(&pool, LOD_TRACK, ev, 600000);
    read_back(l, &p, false);
    assert_true(p.level[0].n > LOD_BUCKETS / 2 && p.level[0].n <= LOD_BUCKETS);
    assert_true(p.level[p.n_levels - 1].n <= LOD_PART);
    lod_free(l);
    done(&p);
    l = feed(&pool, LOD_TRACK, ev, 20000);
    read_back(l, &p, false);
    assert_true(p.level[0].n <= 8192);
    lod_free(l);
    done(&p);
    free(ev);
}

/* Over the limit of the pool all pyramids are coarser, and still right. */
static void lod_pool_over_its_limit_halves_every_pyramid(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct lod_pool pool;
    struct lod *l[6];
    struct chunk_event *ev = make_events(3, 300000, 9);
    lod_pool_init(&pool, (size_t)1 << 20);
    for (size_t k = 0; k < ARRAY_LEN(l); k++)
        assert_int_equal(lod_new(&l[k], &pool, LOD_TRACK, ev[0].ts, &e), OK);
    for (size_t i = 0; i < 300000; i++)
        for (size_t k = 0; k < ARRAY_LEN(l); k++)
            assert_int_equal(lod_add_event(l[k], ev[i].ts, chunk_end(&ev[i]), ev[i].name, &e), OK);
    assert_true(pool.used_b <= (size_t)1 << 20);
    assert_true(pool.cap < LOD_BUCKETS && pool.cap >= LOD_LEAST);
    for (size_t k = 0; k < ARRAY_LEN(l); k++) {
        struct pyramid p;
        read_back(l[k], &p, false);
        for (int i = 0; i < p.n_levels; i++)
            check_level(&p.level[i], ev, 300000);
        done(&p);
        lod_free(l[k]);
    }
    assert_int_equal(pool.used_b, 0);
    free(ev);
}

static void lod_few_events_far_apart_are_stored_sparsely(void **state)
{
    (void)state;
    struct lod_pool pool;
    struct pyramid p;
    struct chunk_event ev[20];
    lod_pool_init(&pool, LOD_POOL_B);
    for (size_t i = 0; i < ARRAY_LEN(ev); i++)
        ev[i] = (struct chunk_event){ .ts = (int64_t)i * 1000000000, .dur = 10, .name = 3 };
    struct lod *l = feed(&pool, LOD_LANE, ev, ARRAY_LEN(ev));
    read_back(l, &p, false);
    for (int i = 0; i < p.n_levels; i++)
        check_level(&p.level[i], ev, ARRAY_LEN(ev));
    assert_true(p.level[0].n == LOD_PART);
    assert_true(p.bytes < 20 * 12 * (size_t)p.n_levels + 100);
    lod_free(l);
    done(&p);
}

/* The whole range of times, and ends beyond it. */
static void lod_extreme_times_are_kept_within_the_buckets(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct lod_pool pool;
    struct pyramid p;
    struct lod *l;
    uint64_t count = 0, full = 0;
    lod_pool_init(&pool, LOD_POOL_B);
    assert_int_equal(lod_new(&l, &pool, LOD_TRACK, INT64_MIN, &e), OK);
    assert_int_equal(lod_add_event(l, INT64_MIN, INT64_MIN + 5, 1, &e), OK);
    assert_int_equal(lod_add_event(l, 0, INT64_MAX, 2, &e), OK);
    assert_int_equal(lod_add_event(l, INT64_MAX, INT64_MAX, 3, &e), OK);
    read_back(l, &p, false);
    for (uint32_t i = 0; i < p.level[0].n; i++) {
        count += p.level[0].b[i].count;
        full += p.level[0].b[i].busy == LOD_FULL;
    }
    assert_int_equal(count, 3);
    assert_int_equal(full, 512); /* half of 1 024 buckets */
    lod_free(l);
    done(&p);
}

static void lod_copy_goes_on_like_its_model(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct lod_pool pool;
    struct pyramid p;
    struct lod *c;
    struct chunk_event *ev = make_events(4, 30000, 9);
    lod_pool_init(&pool, LOD_POOL_B);
    struct lod *l = feed(&pool, LOD_TRACK, ev, 10000);
    assert_int_equal(lod_copy(&c, l, LOD_LANE, &e), OK);
    lod_free(l);
    for (size_t i = 10000; i < 30000; i++)
        assert_int_equal(lod_add_event(c, ev[i].ts, chunk_end(&ev[i]), ev[i].name, &e), OK);
    read_back(c, &p, false);
    for (int i = 0; i < p.n_levels; i++)
        check_level(&p.level[i], ev, 30000);
    lod_free(c);
    done(&p);
    free(ev);
}

static void lod_counter_keeps_range_and_last(void **state)
{
    (void)state;
    enum { N = 30000 };
    struct err e = ERR_INIT;
    struct lod_pool pool;
    struct pyramid p;
    struct lod *l;
    static int64_t ts[N];
    static double value[N];
    uint64_t r = 8;
    lod_pool_init(&pool, LOD_POOL_B);
    for (size_t i = 0; i < N; i++) {
        ts[i] = (i ? ts[i - 1] : 0) + (int64_t)(next(&r) % 90000);
        value[i] = (double)(int64_t)(next(&r) % 2001) - 1000;
        if (!i)
            assert_int_equal(lod_new(&l, &pool, LOD_COUNTER, ts[0], &e), OK);
        assert_int_equal(lod_add_sample(l, ts[i], value[i], &e), OK);
    }
    read_back(l, &p, true);
    for (int k = 0; k < p.n_levels; k++) {
        struct lod_value *want = calloc(p.level[k].n, sizeof *want);
        for (size_t i = 0; i < N; i++) {
            struct lod_value *w = &want[(ts[i] - p.level[k].t0) >> p.level[k].shift];
            float v = (float)value[i];
            w->lo = !w->count || v < w->lo ? v : w->lo;
            w->hi = !w->count || v > w->hi ? v : w->hi;
            w->last = v;
            w->count++;
        }
        assert_memory_equal(want, p.level[k].v, p.level[k].n * sizeof *want);
        free(want);
    }
    lod_free(l);
    done(&p);
}

static int damage_part(void *arg, const struct lod_part *part, struct err *e)
{
    uint64_t *r = arg;
    static struct lod_bucket out[LOD_PART];
    static struct lod_value values[LOD_PART];
    struct buf b;
    (void)e;
    buf_init(&b, 1 << 20);
    for (int k = 0; k < 200; k++) {
        buf_clear(&b);
        buf_add(&b, part->blob);
        b.p[next(r) % b.n] ^= (char)(1 << (next(r) % 8));
        assert_false(lod_check(buf_str(&b)));
        (void)lod_decode(buf_str(&b), 0, LOD_PART, out); /* stays within its bounds */
        assert_false(lod_check(str_sub(part->blob, 0, next(r) % part->blob.n)));
        assert_false(lod_decode_values(part->blob, 0, LOD_PART, values)); /* the other kind */
    }
    /* A piece of it is the same as that piece of the whole. */
    struct lod_bucket piece[37];
    assert_true(lod_decode(part->blob, 0, LOD_PART, out));
    for (uint32_t from = 0; from + 37 < LOD_PART; from += 29) {
        assert_true(lod_decode(part->blob, from, 37, piece));
        for (size_t i = 0; i < 37; i++) {
            assert_int_equal(piece[i].count, out[from + i].count);
            assert_int_equal(piece[i].busy, out[from + i].busy);
            assert_int_equal(piece[i].name, out[from + i].name);
        }
    }
    buf_done(&b);
    return OK;
}

static void lod_damaged_part_is_noticed(void **state)
{
    (void)state;
    struct err e = ERR_INIT;
    struct lod_pool pool;
    struct buf b;
    uint64_t r = 3;
    struct chunk_event *ev = make_events(6, 20000, 9);
    lod_pool_init(&pool, LOD_POOL_B);
    struct lod *l = feed(&pool, LOD_TRACK, ev, 20000);
    buf_init(&b, 1 << 20);
    assert_int_equal(lod_write(l, &b, damage_part, &r, &e), OK);
    buf_done(&b);
    lod_free(l);
    free(ev);
}

/*
 * An event that lasts to the end of time, in buckets whose number is no power of two: what lies behind the
 * end stays empty.
 */
static void lod_reaches_the_end_of_time(void **state)
{
    struct err e = ERR_INIT;
    struct lod_pool pool;
    struct lod *l;
    struct pyramid p;
    int64_t ts = INT64_MIN;
    (void)state;
    lod_pool_init(&pool, LOD_POOL_B);
    assert_int_equal(lod_new(&l, &pool, LOD_TRACK, ts, &e), OK);
    for (int i = 0; i < 6000; i++, ts += 200)
        assert_int_equal(lod_add_event(l, ts, ts, 1, &e), OK);
    assert_int_equal(lod_add_event(l, ts, INT64_MAX, 2, &e), OK);
    read_back(l, &p, false);
    const struct level *low = &p.level[0];
    uint32_t last = (uint32_t)(UINT64_MAX >> low->shift);
    assert_true(last + 1 < low->n);
    for (uint32_t i = 0; i < low->n; i++) {
        uint32_t want = i > last ? 0 : LOD_FULL;
        if (low->b[i].busy != want)
            fail_msg("bucket %u of 2^%d ns: %u, not %u", i, low->shift, low->b[i].busy, want);
    }
    for (int i = 0; i < p.n_levels; i++)
        assert_true(p.level[i].shift <= LOD_SHIFT_MOST);
    assert_int_equal(lod_busy_ns(&low->b[0], low->shift) >> low->shift, 1);
    done(&p);
    lod_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lod_every_level_equals_a_direct_computation),
        cmocka_unit_test(lod_tracks_of_weeks_are_as_right),
        cmocka_unit_test(lod_lowest_level_names_what_covers_most),
        cmocka_unit_test(lod_buckets_follow_the_events_up_to_the_cap),
        cmocka_unit_test(lod_pool_over_its_limit_halves_every_pyramid),
        cmocka_unit_test(lod_few_events_far_apart_are_stored_sparsely),
        cmocka_unit_test(lod_extreme_times_are_kept_within_the_buckets),
        cmocka_unit_test(lod_copy_goes_on_like_its_model),
        cmocka_unit_test(lod_counter_keeps_range_and_last),
        cmocka_unit_test(lod_damaged_part_is_noticed),
        cmocka_unit_test(lod_reaches_the_end_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
