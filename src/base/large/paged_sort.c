/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting of arrays in pages: parts in order are merged, several at once, from one array to another. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/paged.h"

#define PART_B  ((size_t)1 << 20) /* sorted in memory, where the array has no long parts in order */
#define SHORT   8                 /* elements sorted by insertion */
#define WAYS    PAGED_WAYS        /* parts merged at once */
#define PART_N  64                /* elements: below this a part in order is a short one */
#define PARTS_0 64                /* so many parts may be short */

struct parts {
    size_t *from; /* where each begins; one more: the end */
    size_t n, cap;
};

static int add_part(struct parts *p, size_t from, struct err *e)
{
    size_t *v = grow_array(p->from, p->n, &p->cap, sizeof *v, PARTS_0);

    if (!v)
        return err_nomem(e);
    p->from = v;
    v[p->n++] = from;
    return OK;
}

/* ---- parts that are in order ---- */

/* Stops with n above `most` when there are more. */
static int find_parts(struct paged *a, paged_before_fn *before, struct parts *p, size_t most, struct err *e)
{
    const void *last = NULL;

    for (size_t i = 0; i < a->n && p->n <= most && !e->code; i++) {
        const void *x = paged_at(a, i);
        if (!last || before(x, last))
            (void)!add_part(p, i, e);
        last = x;
    }
    return e->code;
}

/* By insertion, then by merging from one buffer to the other. v: the n elements; the result is there. */
static void sort_buffer(unsigned char *v, unsigned char *other, size_t n, size_t each,
                        paged_before_fn *before)
{
    unsigned char *from = v, *to = other;

    for (size_t i = 1; i < n; i++) {
        size_t k = i;
        while (k % SHORT && before(v + i * each, v + (k - 1) * each))
            k--;
        if (k == i)
            continue;
        memcpy(other, v + i * each, each);
        memmove(v + (k + 1) * each, v + k * each, (i - k) * each);
        memcpy(v + k * each, other, each);
    }
    for (size_t w = SHORT; w < n; w *= 2) {
        for (size_t i = 0; i < n; i += 2 * w) {
            size_t mid = i + w < n ? i + w : n, end = mid + w < n ? mid + w : n, x = i, y = mid, out = i;
            for (; x < mid && y < end; out++)
                memcpy(to + out * each, from + (before(from + y * each, from + x * each) ? y++ : x++) * each,
                       each);
            memcpy(to + out * each, from + x * each, (mid - x) * each);
            out += mid - x;
            memcpy(to + out * each, from + y * each, (end - y) * each);
        }
        unsigned char *t = from;
        from = to;
        to = t;
    }
    if (from != v)
        memcpy(v, from, n * each);
}

/* Parts of a size that memory holds become parts in order. */
static int make_parts(struct paged *a, paged_before_fn *before, struct parts *p, struct err *e)
{
    const size_t size = PART_B / a->each;
    unsigned char *v = malloc(size * a->each), *other = malloc(size * a->each);

    p->n = 0;
    if (!v || !other)
        (void)!err_nomem(e);
    for (size_t i = 0; v && other && i < a->n && add_part(p, i, e) == OK; i += size) {
        size_t n = a->n - i < size ? a->n - i : size;
        for (size_t k = 0; k < n; k++)
            memcpy(v + k * a->each, paged_at(a, i + k), a->each);
        sort_buffer(v, other, n, a->each, before);
        for (size_t k = 0; k < n; k++)
            memcpy(paged_edit(a, i + k), v + k * a->each, a->each);
    }
    free(v);
    free(other);
    return e->code;
}

/* ---- merging ---- */

struct paged_walk {
    struct paged *a;
    paged_before_fn *before;
    size_t at[WAYS], end[WAYS]; /* what is left of each part, its head included */
    size_t heap[WAYS], n;       /* parts by their heads, the first one first */
    unsigned char head[];       /* of each part, an element */
};

static bool head_before(const struct paged_walk *m, size_t x, size_t y)
{
    const size_t each = m->a->each;

    if (m->before(m->head + x * each, m->head + y * each))
        return true;
    return x < y && !m->before(m->head + y * each, m->head + x * each);
}

static void sink_first(struct paged_walk *m)
{
    const size_t moved = m->heap[0];
    size_t i = 0, k;

    while ((k = 2 * i + 1) < m->n) {
        if (k + 1 < m->n && head_before(m, m->heap[k + 1], m->heap[k]))
            k++;
        if (!head_before(m, m->heap[k], moved))
            break;
        m->heap[i] = m->heap[k];
        i = k;
    }
    m->heap[i] = moved;
}

/* Parts enter the heap in their order, so each rises above those behind it. */
static void enter(struct paged_walk *m, size_t part)
{
    size_t i = m->n++;

    for (; i && head_before(m, part, m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = part;
}

/* n parts; the last one ends at `end`. */
static void start(struct paged_walk *m, const size_t *from, size_t n, size_t end)
{
    const size_t each = m->a->each;

    m->n = 0;
    for (size_t k = 0; k < n; k++) {
        m->at[k] = from[k];
        m->end[k] = k + 1 < n ? from[k + 1] : end;
        memcpy(m->head + k * each, paged_at(m->a, m->at[k]), each);
        enter(m, k);
    }
}

/* The first head goes. */
static void advance(struct paged_walk *m)
{
    const size_t k = m->heap[0], each = m->a->each;

    if (++m->at[k] < m->end[k])
        memcpy(m->head + k * each, paged_at(m->a, m->at[k]), each);
    else
        m->heap[0] = m->heap[--m->n];
    sink_first(m);
}

static struct paged_walk *new_walk(struct paged *a, paged_before_fn *before)
{
    struct paged_walk *m = calloc(1, sizeof *m + WAYS * a->each);

    if (m) {
        m->a = a;
        m->before = before;
    }
    return m;
}

int paged_walk_new(struct paged_walk **out, struct paged *a, paged_before_fn *before, const size_t *from,
                   size_t n, struct err *e)
{
    *out = new_walk(a, before);
    if (!*out)
        return err_nomem(e);
    start(*out, from, n < WAYS ? n : WAYS, a->n);
    return OK;
}

bool paged_walk_next(struct paged_walk *w, size_t *at)
{
    if (!w->n)
        return false;
    *at = w->at[w->heap[0]];
    advance(w);
    return true;
}

void paged_walk_free(struct paged_walk *w)
{
    free(w);
}

/* One pass over all: fewer parts, in another array. */
static int merge_all(struct paged *a, paged_before_fn *before, struct parts *p, struct err *e)
{
    struct paged to;
    struct paged_walk *m = new_walk(a, before);
    size_t left = 0;

    if (!m)
        return err_nomem(e);
    paged_init(&to, a->pool, a->each);
    for (size_t i = 0; i < p->n; i += WAYS) {
        const size_t n = p->n - i < WAYS ? p->n - i : WAYS, from = to.n;
        start(m, p->from + i, n, i + n < p->n ? p->from[i + n] : a->n);
        for (; m->n; advance(m))
            memcpy(paged_add(&to), m->head + m->heap[0] * a->each, a->each);
        p->from[left++] = from;
    }
    p->n = left;
    free(m);
    paged_move(a, &to);
    return paged_failed(a->pool, e);
}

int paged_sort(struct paged *a, paged_before_fn *before, struct err *e)
{
    const size_t most = a->n / PART_N + PARTS_0;
    struct parts p = { NULL, 0, 0 };

    if (find_parts(a, before, &p, most, e) == OK && p.n > most)
        (void)!make_parts(a, before, &p, e);
    while (!e->code && p.n > 1)
        (void)!merge_all(a, before, &p, e);
    free(p.from);
    return a->n ? paged_failed(a->pool, e) : e->code;
}
