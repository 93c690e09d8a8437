/* SPDX-License-Identifier: Apache-2.0 */
/* Order of large arrays by their indexes. */
#include "config.h"

#include "base/large/sort_index.h"

#include <string.h>

#define RUN    32 /* elements sorted by insertion */
#define EACH_B 256
#define LOOK   65536 /* elements that are moved between two looks at the pages of files */

struct sorting {
    struct spool *pool;
    size_t moved; /* elements since pages were looked at */
    prof_before_fn *before;
    const void *arg;
    uint32_t *v, *tmp;
};

static void look(struct sorting *s, size_t moved)
{
    if ((s->moved += moved) < LOOK)
        return;
    s->moved = 0;
    spool_leave(s->pool);
}

static void insertion(struct sorting *s, size_t from, size_t to)
{
    look(s, to - from);
    for (size_t i = from + 1; i < to; i++) {
        uint32_t x = s->v[i];
        size_t k = i;
        for (; k > from && s->before(s->arg, x, s->v[k - 1]); k--)
            s->v[k] = s->v[k - 1];
        s->v[k] = x;
    }
}

/* [from, mid) and [mid, to) are in order each. */
static void merge(struct sorting *s, size_t from, size_t mid, size_t to)
{
    size_t a = 0, n = mid - from, b = mid, out = from;

    look(s, LOOK / 64); /* two elements that lie far apart: each brings its neighbours */
    if (!s->before(s->arg, s->v[mid], s->v[mid - 1]))
        return;
    memcpy(s->tmp, s->v + from, n * sizeof *s->tmp);
    for (; a < n && b < to; look(s, 1))
        if (s->before(s->arg, s->v[b], s->tmp[a]))
            s->v[out++] = s->v[b++];
        else
            s->v[out++] = s->tmp[a++];
    memcpy(s->v + out, s->tmp + a, (n - a) * sizeof *s->tmp);
}

int prof_order(struct spool *pool, uint32_t **out, size_t n, prof_before_fn *before, const void *arg,
               struct err *e)
{
    struct sorting s = { .pool = pool, .before = before, .arg = arg };

    *out = NULL;
    if (!n)
        return OK;
    if (n >= UINT32_MAX)
        return err_set(e, ERR_LIMIT, "too many records");
    s.v = spool_array(pool, n, sizeof *s.v);
    s.tmp = n > RUN ? spool_array(pool, n, sizeof *s.tmp) : NULL;
    if (!s.v || (n > RUN && !s.tmp)) {
        spool_free(pool, s.v);
        spool_free(pool, s.tmp);
        return err_nomem(e);
    }
    for (size_t i = 0; i < n; i++)
        s.v[i] = (uint32_t)i;
    for (size_t i = 0; i < n; i += RUN)
        insertion(&s, i, n - i < RUN ? n : i + RUN);
    for (size_t w = RUN; w < n; w *= 2)
        for (size_t i = 0; n - i > w; i += 2 * w) {
            merge(&s, i, i + w, n - i - w < w ? n : i + 2 * w);
            if (n - i <= 2 * w)
                break;
        }
    spool_free(pool, s.tmp);
    *out = s.v;
    return OK;
}

/* Each cycle of the permutation is walked once; order[i] = i says that a position is done. */
static void permute(void *base, size_t n, size_t each, uint32_t *order)
{
    unsigned char *p = base, first[EACH_B];

    if (each > EACH_B)
        return;
    for (size_t i = 0; i < n; i++) {
        if (order[i] == i)
            continue;
        memcpy(first, p + i * each, each);
        size_t at = i;
        while (order[at] != i) {
            size_t next = order[at];
            memcpy(p + at * each, p + next * each, each);
            order[at] = (uint32_t)at;
            at = next;
        }
        memcpy(p + at * each, first, each);
        order[at] = (uint32_t)at;
    }
}

/*
 * For an array in a file: it is written from its beginning to its end, and back, so that each page is touched
 * once.
 */
static bool permute_far(struct spool *pool, void *base, size_t n, size_t each, const uint32_t *order)
{
    unsigned char *p = base, *copy = spool_is_filed(pool, base) ? spool_array(pool, n, each) : NULL;

    for (size_t i = 0; copy && i < n; i++) {
        memcpy(copy + i * each, p + order[i] * each, each);
        if (i % LOOK == 0)
            spool_leave(pool);
    }
    for (size_t i = 0; copy && i < n; i += LOOK) {
        memcpy(p + i * each, copy + i * each, (n - i < LOOK ? n - i : LOOK) * each);
        spool_leave(pool);
    }
    spool_free(pool, copy);
    return copy != NULL;
}

int prof_sort(struct spool *pool, void *base, size_t n, size_t each, prof_before_fn *before, const void *arg,
              struct err *e)
{
    uint32_t *order;

    if (prof_order(pool, &order, n, before, arg, e))
        return e->code;
    if (n && !permute_far(pool, base, n, each, order))
        permute(base, n, each, order);
    spool_free(pool, order);
    return OK;
}

/* The first index of [lo, hi) for which before() does not hold. */
static size_t halve(size_t lo, size_t hi, bool (*before)(const void *arg, size_t i), const void *arg)
{
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (before(arg, mid))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t prof_gallop(size_t n, size_t hint, bool (*before)(const void *arg, size_t i), const void *arg)
{
    size_t step = 1;

    if (hint >= n)
        hint = n ? n - 1 : 0;
    if (!n)
        return 0;
    if (before(arg, hint)) {
        size_t lo = hint + 1;
        while (lo + step <= n && before(arg, lo + step - 1)) {
            lo += step;
            step *= 2;
        }
        return halve(lo, lo + step <= n ? lo + step : n, before, arg);
    }
    size_t hi = hint;
    while (hi >= step && !before(arg, hi - step)) {
        hi -= step;
        step *= 2;
    }
    return halve(hi >= step ? hi - step : 0, hi, before, arg);
}
