/* SPDX-License-Identifier: Apache-2.0 */
/* Radix sort, least significant digit first, on 32 bits of the key at a time packed with the row's number. */
#include "config.h"

#include "base/heap.h"
#include "model/view/radix.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS     ((size_t)1 << DIGIT_BITS)
#define SMALL_RUN  24

#define PASSES ((32 + DIGIT_BITS - 1) / DIGIT_BITS)

/* Count how often each digit occurs, for all passes in one reading. */
static void count_digits(const uint64_t *a, size_t n, unsigned passes, uint32_t count[PASSES][DIGITS])
{
    memset(count, 0, passes * sizeof *count);
    for (size_t i = 0; i < n; i++)
        for (unsigned p = 0; p < passes; p++)
            count[p][a[i] >> (32 + p * DIGIT_BITS) & (DIGITS - 1)]++;
}

/*
 * Sort by the upper 32 bits; the lower ones are row numbers. bits: how many of the upper ones can differ.
 * Result in a.
 */
static void sort_packed(uint64_t *a, uint64_t *b, size_t n, unsigned bits)
{
    uint64_t *from = a, *to = b;
    uint32_t counts[PASSES][DIGITS];
    unsigned passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;

    count_digits(a, n, passes, counts);
    for (unsigned p = 0, shift = 32; p < passes; p++, shift += DIGIT_BITS) {
        uint32_t *count = counts[p], sum = 0;
        if (n && count[from[0] >> shift & (DIGITS - 1)] == n)
            continue; /* the digit is the same in all keys */
        for (size_t d = 0; d < DIGITS; d++) {
            uint32_t c = count[d];
            count[d] = sum;
            sum += c;
        }
        for (size_t i = 0; i < n; i++)
            to[count[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        uint64_t *x = from;
        from = to;
        to = x;
    }
    if (from != a)
        memcpy(a, from, n * sizeof *a);
}

static void sort_small(uint32_t *rows, size_t n, row_key_fn *key, const void *arg)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t row = rows[i];
        uint64_t k = key(arg, row);
        size_t at = i;
        for (; at && key(arg, rows[at - 1]) > k; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static unsigned bits_of(uint64_t v)
{
    return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

struct work {
    row_key_fn *key;
    const void *arg;
    uint64_t *a, *b; /* as many as rows */
};

/* Rows of equal upper bits are sorted by the rest: at most one more level, because 32 bits remain at most. */
static void sort_range(const struct work *w, uint32_t *rows, size_t n)
{
    uint64_t min = UINT64_MAX, max = 0;

    if (n <= SMALL_RUN) {
        sort_small(rows, n, w->key, w->arg);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t k = w->b[i] = w->key(w->arg, rows[i]);
        min = k < min ? k : min;
        max = k > max ? k : max;
    }
    unsigned bits = bits_of(max - min), cut = bits > 32 ? bits - 32 : 0;
    if (!bits)
        return;
    for (size_t i = 0; i < n; i++)
        w->a[i] = (w->b[i] - min) >> cut << 32 | rows[i];
    sort_packed(w->a, w->b, n, bits - cut);
    for (size_t i = 0; i < n; i++)
        rows[i] = (uint32_t)w->a[i];
    if (!cut)
        return;
    for (size_t i = 0; i < n; i++) /* ends of runs: keys to the right of a run stay while it is sorted */
        w->b[i] = w->a[i] >> 32;
    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && w->b[to] == w->b[i]; to++)
            ;
        const struct work rest = { w->key, w->arg, w->a + i, w->b + i };
        sort_range(&rest, rows + i, to - i);
    }
}

int radix_rows(uint32_t *rows, size_t n, row_key_fn *key, const void *arg, struct err *e)
{
    struct work w = { key, arg, malloc((n ? n : 1) * sizeof *w.a), malloc((n ? n : 1) * sizeof *w.b) };

    if (w.a && w.b)
        sort_range(&w, rows, n);
    else
        err_nomem(e);
    free(w.a);
    free(w.b);
    return e->code;
}

/* ---- the first few ---- */

int radix_top_init(struct radix_top *t, size_t max, struct err *e)
{
    *t = (struct radix_top){ .max = max };
    t->key = malloc((max ? max : 1) * sizeof *t->key);
    t->row = malloc((max ? max : 1) * sizeof *t->row);
    if (t->key && t->row)
        return OK;
    radix_top_done(t);
    return err_nomem(e);
}

void radix_top_done(struct radix_top *t)
{
    free(t->key);
    free(t->row);
    *t = (struct radix_top){ .max = 0 };
}

/* With equal keys the later row is worse. */
static bool worse(const void *heap, size_t a, size_t b)
{
    const struct radix_top *t = heap;
    return t->key[a] != t->key[b] ? t->key[a] > t->key[b] : t->row[a] > t->row[b];
}

static void swap(void *heap, size_t a, size_t b)
{
    struct radix_top *t = heap;
    uint64_t k = t->key[a];
    uint32_t r = t->row[a];

    t->key[a] = t->key[b];
    t->row[a] = t->row[b];
    t->key[b] = k;
    t->row[b] = r;
}

static const struct heap_ops worst_first = { worse, swap };

void radix_top_offer_slow(struct radix_top *t, uint64_t key, uint32_t row)
{
    if (!t->max)
        return;
    if (t->n == t->max) {
        t->key[0] = key;
        t->row[0] = row;
        heap_down(t, 0, t->n, &worst_first);
        return;
    }
    t->key[t->n] = key;
    t->row[t->n] = row;
    heap_up(t, t->n++, &worst_first);
}

void radix_top_end(struct radix_top *t)
{
    heap_unload(t, t->n, &worst_first);
}
