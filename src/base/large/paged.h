/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of any length within a bound of memory that holds whatever other programs do: the pages that were
 * used last lie in memory, others in a file without a name that is read and written, never mapped. What fits
 * into the bound never reaches the file. When no file can be made or it cannot grow, memory is all there is.
 *
 * A pool and its arrays belong to one thread. Elements are reached by their numbers; the pages of those used
 * last are found at once, so walk arrays in order where that is possible. An error (no memory, a file that
 * cannot be read) is kept by the pool, elements are zero from then on: paged_failed() tells it after a loop.
 */
#ifndef NPUSCOPE_BASE_PAGED_H
#define NPUSCOPE_BASE_PAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PAGED_B    32768 /* of a page: no element is larger */
#define PAGED_MOST ((size_t)1 << 31)

struct paged_pool;
struct paged {
    struct paged_pool *pool;
    size_t n; /* elements, fewer than PAGED_MOST */
    /* private to the functions below */
    size_t each;      /* bytes of an element */
    size_t per;       /* elements of a page */
    uint64_t inverse; /* 2^shift / per: division by per as a product */
    unsigned shift;
    unsigned char fill;
    uint32_t *page; /* where each page is: frame << 1 | 1, or block of the file << 1; 0: nowhere yet */
    size_t pages, cap;
};

/* memory_b: bound of the pages in memory, subject to spool_memory(). Errors: ERR_NOMEM. */
NODISCARD int paged_pool_new(struct paged_pool **out, uint64_t memory_b, struct err *e);
/* All arrays were ended before. NULL is allowed. */
void paged_pool_free(struct paged_pool *p);
/* The first error of the pool, into e where e has none. OK: there is none. */
NODISCARD int paged_failed(const struct paged_pool *p, struct err *e);
/* There is one. Ask before a loop that ends by what elements hold. */
static inline bool paged_is_lost(const struct paged_pool *p);
/* e becomes the pool's error, unless it has one. */
void paged_fail(struct paged_pool *p, const struct err *e);
/* Bytes of pages that lie in the file now. */
uint64_t paged_filed_b(const struct paged_pool *p);

/* An empty array of elements of `each` bytes; paged_done() ends it, or one that is all zero. */
void paged_init(struct paged *a, struct paged_pool *p, size_t each);
void paged_done(struct paged *a);
/*
 * n elements, every byte of them `fill`; they take no memory until they are changed. Errors: ERR_NOMEM,
 * ERR_LIMIT (PAGED_MOST).
 */
NODISCARD int paged_make(struct paged *a, struct paged_pool *p, size_t each, size_t n, unsigned char fill,
                         struct err *e);
/* What `from` holds becomes a's, whose elements are dropped. */
void paged_move(struct paged *a, struct paged *from);
/* A new last element, all zero, to be filled. Valid as long as one of paged_edit(). */
void *paged_add(struct paged *a);

/* x lies before y. */
typedef bool paged_before_fn(const void *x, const void *y);
/*
 * Sort; equal elements stay as they are. Linear for an array that is in order, and nearly so for one of a few
 * parts in order. Errors: ERR_NOMEM, those of the pool.
 */
NODISCARD int paged_sort(struct paged *a, paged_before_fn *before, struct err *e);

/*
 * Walk an array of at most PAGED_WAYS parts, each of which is in order, in the order of all of it, equal
 * elements as they are in the array. from: where each part begins. An element may be changed once the walk
 * has passed it. Errors: ERR_NOMEM.
 */
#define PAGED_WAYS 16
struct paged_walk;
NODISCARD int paged_walk_new(struct paged_walk **out, struct paged *a, paged_before_fn *before,
                             const size_t *from, size_t n, struct err *e);
/* Number of the next element. false: there is none. */
bool paged_walk_next(struct paged_walk *w, size_t *at);
/* NULL is allowed. */
void paged_walk_free(struct paged_walk *w);

/* ---- private: the way to a page that is in memory ---- */

struct paged_frame {
    unsigned char *p;
    struct paged *owner; /* NULL: the frame is free */
    size_t page;         /* of the owner */
    uint32_t block;      /* of the file, 0: none */
    uint32_t used;       /* at which turn of the pool */
    bool dirty;
};
struct paged_head { /* begin of a pool */
    struct paged_frame *frame;
    uint32_t turn; /* pages that were brought in so far */
    bool lost;     /* there was an error */
};
static inline bool paged_is_lost(const struct paged_pool *p)
{
    return ((const struct paged_head *)(const void *)p)->lost;
}
struct paged_frame *paged_bring(struct paged *a, size_t page);

/* Exact for all i below PAGED_MOST. */
static inline size_t paged_page(const struct paged *a, size_t i)
{
    return (size_t)(i * a->inverse >> a->shift);
}

static inline unsigned char *paged_touch(struct paged *a, size_t i, bool dirty)
{
    const struct paged_head *h = (const struct paged_head *)(const void *)a->pool;
    const size_t page = paged_page(a, i);
    const uint32_t at = a->page[page];
    struct paged_frame *f = at & 1 ? &h->frame[at >> 1] : paged_bring(a, page);

    f->used = h->turn;
    f->dirty |= dirty;
    return f->p + (i - page * a->per) * a->each;
}

/* ---- elements ---- */

/*
 * Element i < n, to be read, or to be changed as well. Valid until four further elements of arrays of the
 * pool were asked for.
 */
static inline const void *paged_at(struct paged *a, size_t i)
{
    return paged_touch(a, i, false);
}
static inline void *paged_edit(struct paged *a, size_t i)
{
    return paged_touch(a, i, true);
}

#endif
