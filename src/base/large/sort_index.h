/* SPDX-License-Identifier: Apache-2.0 */
/* Order of large arrays by their indexes: stable, and nearly linear when they are almost in order. */
#ifndef NPUSCOPE_BASE_SORT_INDEX_H
#define NPUSCOPE_BASE_SORT_INDEX_H

#include "base/err.h"
#include "base/large/spool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Element a lies before element b of the array that arg leads to. */
typedef bool prof_before_fn(const void *arg, uint32_t a, uint32_t b);

/*
 * Indexes 0 .. n-1 in order; equal elements stay as they are. *out is an array of the pool, which may be
 * NULL: spool_free() ends it; NULL when n is 0. Errors: ERR_NOMEM, ERR_LIMIT
 * (more than 2^32-2 elements).
 */
NODISCARD int prof_order(struct spool *pool, uint32_t **out, size_t n, prof_before_fn *before,
                         const void *arg, struct err *e);
/* Both: sort the array, which may be of the pool, in place. */
NODISCARD int prof_sort(struct spool *pool, void *base, size_t n, size_t each, prof_before_fn *before,
                        const void *arg, struct err *e);

/*
 * The first index of [0, n) for which before(arg, i) does not hold, given that it holds for all indexes
 * before it. The search starts around `hint`, so that a walk costs one step per index.
 */
size_t prof_gallop(size_t n, size_t hint, bool (*before)(const void *arg, size_t i), const void *arg);

#endif
