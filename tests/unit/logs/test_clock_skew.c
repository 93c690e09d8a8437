/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks with random differences and moments with random members: the estimate is within its bound of the
 * truth, and the bound is that of all shortest paths between the servers, found one pair at a time.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "logs/clock_skew.h"

#define SERVERS 9
#define MOMENTS 24
#define SIGHTS  (SERVERS * MOMENTS)
#define S_NS    INT64_C(1000000000)
#define START   INT64_C(1760000000000000000)
#define NO_PATH (INT64_C(1) << 61)

static uint64_t seed;

static uint64_t draw(uint64_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % n;
}

static struct {
    size_t servers, n;
    int64_t truth[SERVERS];
    struct skew_sight v[SIGHTS];
    struct skew out[SERVERS];
} t;

static void make(bool same_clocks)
{
    t.n = 0;
    t.servers = 1 + draw(SERVERS);
    for (size_t i = 0; i < t.servers; i++)
        t.truth[i] = same_clocks ? 0 : (int64_t)draw(20 * S_NS) - 10 * S_NS;
    size_t moments = draw(MOMENTS);
    for (uint64_t m = 0; m < moments; m++) {
        int64_t at = START + (int64_t)draw(100 * S_NS);
        for (uint32_t i = 0; i < t.servers; i++) {
            if (!draw(2))
                continue;
            struct skew_sight *s = &t.v[t.n++];
            *s = (struct skew_sight){ m * 77777, i, SKEW_NONE, SKEW_NONE };
            if (draw(4))
                s->from_ns = at + t.truth[i] - (int64_t)draw(S_NS);
            if (draw(4))
                s->to_ns = at + t.truth[i] + (int64_t)draw(S_NS);
        }
    }
}

static void estimate(void)
{
    struct err e = ERR_INIT;
    assert_int_equal(skew_estimate(t.out, t.servers, t.v, t.n, &e), OK);
}

/* d[a][b]: clock a is ahead of clock b by at most so much. */
static void all_paths(int64_t d[SERVERS][SERVERS])
{
    for (size_t a = 0; a < t.servers; a++)
        for (size_t b = 0; b < t.servers; b++)
            d[a][b] = a == b ? 0 : NO_PATH;
    for (size_t i = 0; i < t.n; i++)
        for (size_t k = 0; k < t.n; k++) {
            const struct skew_sight *a = &t.v[i], *b = &t.v[k];
            if (a->moment != b->moment || a->to_ns == SKEW_NONE || b->from_ns == SKEW_NONE)
                continue;
            int64_t most = a->to_ns - b->from_ns;
            d[a->server][b->server] = most < d[a->server][b->server] ? most : d[a->server][b->server];
        }
    for (size_t m = 0; m < t.servers; m++)
        for (size_t a = 0; a < t.servers; a++)
            for (size_t b = 0; b < t.servers; b++)
                if (d[a][m] < NO_PATH && d[m][b] < NO_PATH && d[a][m] + d[m][b] < d[a][b])
                    d[a][b] = d[a][m] + d[m][b];
}

static void check_bounds(void)
{
    int64_t d[SERVERS][SERVERS];

    all_paths(d);
    for (size_t i = 0; i < t.servers; i++) {
        const struct skew *s = &t.out[i];
        size_t with = 0; /* the first server that it can be compared with */
        while (with < i && (d[i][with] == NO_PATH || d[with][i] == NO_PATH || t.out[with].with != with))
            with++;
        assert_true(s->known);
        assert_false(s->contradicts);
        assert_int_equal(s->with, with);
        int64_t low = -d[with][i], high = d[i][with], off = t.truth[i] - t.truth[with] - s->ahead_ns;
        assert_true(off <= s->within_ns && -off <= s->within_ns);
        if (low <= 0 && high >= 0) {
            assert_int_equal(s->ahead_ns, 0);
            assert_int_equal(s->within_ns, high > -low ? high : -low);
        } else {
            assert_true(s->ahead_ns - s->within_ns >= low - 1 && s->ahead_ns + s->within_ns <= high + 1);
            assert_true(2 * s->within_ns - (high - low) <= 1);
        }
    }
}

static void random_clocks(void **state)
{
    size_t compared = 0, differ = 0;

    (void)state;
    for (seed = 1; seed < 20000;) {
        uint64_t next = seed + 1;
        make(next % 5 == 0);
        estimate();
        check_bounds();
        for (size_t i = 0; i < t.servers; i++) {
            compared += t.out[i].with != i;
            differ += t.out[i].ahead_ns != 0;
        }
        seed = next;
    }
    assert_true(compared > 20000);
    assert_true(differ > 10000);
}

/* Two servers, and a third that saw nothing with them. */
static void in_short(void **state)
{
    (void)state;
    t.servers = 3;
    t.n = 0;
    t.v[t.n++] = (struct skew_sight){ 1, 0, START, START + 4 };
    t.v[t.n++] = (struct skew_sight){ 1, 1, START + 100, START + 110 };
    t.v[t.n++] = (struct skew_sight){ 2, 2, START, START };
    estimate();
    /* 100 - 4 .. 110 - 0 */
    assert_int_equal(t.out[1].with, 0);
    assert_int_equal(t.out[1].ahead_ns, 103);
    assert_int_equal(t.out[1].within_ns, 7);
    assert_int_equal(t.out[2].with, 2);
    assert_int_equal(t.out[0].within_ns, 0);
}

/*
 * It came an hour before it was born on the same clock, or clocks do not go alike: nothing is said of them.
 */
static void contradictions(void **state)
{
    (void)state;
    t.servers = 2;
    t.v[0] = (struct skew_sight){ 1, 0, START, START + 4 };
    t.v[1] = (struct skew_sight){ 1, 1, START + 100, START + 110 };
    t.v[2] = (struct skew_sight){ 2, 0, START, START + 4 };
    t.v[3] = (struct skew_sight){ 2, 1, START + 900, START + 910 };
    t.n = 4;
    estimate();
    assert_true(t.out[1].contradicts);
    assert_false(t.out[1].known);
    t.v[0] = (struct skew_sight){ 1, 0, START + 9, START };
    t.v[1] = (struct skew_sight){ 1, 1, START, START + 110 };
    t.n = 2;
    estimate();
    assert_true(t.out[1].contradicts);
    /* instants that no clock shows are none */
    t.v[0] = (struct skew_sight){ 1, 0, START, INT64_MAX };
    t.v[1] = (struct skew_sight){ 1, 1, INT64_MIN + 1, START };
    estimate();
    assert_false(t.out[1].contradicts);
    assert_int_equal(t.out[1].with, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_short),
        cmocka_unit_test(random_clocks),
        cmocka_unit_test(contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
