/* SPDX-License-Identifier: Apache-2.0 */
/* base/spans.c: unions, differences and gaps of intervals against a line of marked cells. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/spans.h"

#define CELLS 120

static uint64_t some(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *seed >> 33;
}

static int by_end(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Up to 20 intervals, in order of their ends unless mixed, and the cells they cover. */
static void fill(struct spans *s, bool *cell, uint64_t *seed, bool mixed)
{
    struct span v[20];
    size_t n = some(seed) % 20;
    struct err e = ERR_INIT;

    memset(cell, 0, CELLS * sizeof *cell);
    for (size_t i = 0; i < n; i++) {
        v[i].from = (int64_t)(some(seed) % (CELLS - 12));
        v[i].to = v[i].from + (int64_t)(some(seed) % 12);
        for (int64_t k = v[i].from; k < v[i].to; k++)
            cell[k] = true;
    }
    if (!mixed)
        qsort(v, n, sizeof *v, by_end);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(spans_add(s, v[i].from, v[i].to, &e), OK);
    spans_merge(s);
}

/* The intervals are the runs of marked cells, joined where they touch. */
static void expect(const struct spans *s, const bool *cell)
{
    size_t n = 0;

    for (int64_t k = 0; k < CELLS; k++) {
        if (!cell[k] || (k && cell[k - 1]))
            continue;
        int64_t to = k;
        while (to < CELLS && cell[to])
            to++;
        assert_true(n < s->n);
        assert_int_equal(s->v[n].from, k);
        assert_int_equal(s->v[n++].to, to);
    }
    assert_int_equal(s->n, n);
}

static void spans_are_those_of_cells(void **state)
{
    uint64_t seed = 3;
    struct err e = ERR_INIT;

    (void)state;
    for (int round = 0; round < 4000; round++) {
        struct spans a = { .n = 0 }, b = { .n = 0 }, less = { .n = 0 }, gaps = { .n = 0 };
        bool x[CELLS], y[CELLS], d[CELLS], g[CELLS] = { false };
        fill(&a, x, &seed, round & 1);
        fill(&b, y, &seed, round & 2);
        expect(&a, x);
        expect(&b, y);
        for (size_t k = 0; k < CELLS; k++)
            d[k] = x[k] && !y[k];
        assert_int_equal(spans_less(&a, &b, &less, &e), OK);
        expect(&less, d);
        for (size_t i = 1; i < a.n; i++)
            for (int64_t k = a.v[i - 1].to; k < a.v[i].from; k++)
                g[k] = true;
        assert_int_equal(spans_gaps(&a, &gaps, &e), OK);
        expect(&gaps, g);
        spans_done(&a);
        spans_done(&b);
        spans_done(&less);
        spans_done(&gaps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(spans_are_those_of_cells) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
