/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting rows by 64-bit keys: stable, a few passes of counting (doc/performance.md#tables), and finding the
 * first few of them without sorting the rest.
 */
#ifndef NPUSCOPE_MODEL_VIEW_RADIX_H
#define NPUSCOPE_MODEL_VIEW_RADIX_H

#include "base/err.h"

/* Key of a row; rows with small keys come first. */
typedef uint64_t row_key_fn(const void *arg, uint32_t row);

/*
 * Sort rows in place; rows with equal keys keep their order. Needs 16 bytes per row meanwhile. Errors:
 * ERR_NOMEM.
 */
NODISCARD int radix_rows(uint32_t *rows, size_t n, row_key_fn *key, const void *arg, struct err *e);

/* The k rows with the smallest keys among those offered, in ascending order of rows. */
struct radix_top {
    uint64_t *key;
    uint32_t *row; /* after radix_top_end(): in order */
    size_t n, max;
};
NODISCARD int radix_top_init(struct radix_top *t, size_t max, struct err *e);
void radix_top_done(struct radix_top *t);
void radix_top_offer_slow(struct radix_top *t, uint64_t key, uint32_t row);
static inline void radix_top_offer(struct radix_top *t, uint64_t key, uint32_t row)
{
    if (t->n < t->max || (t->max && key < t->key[0]))
        radix_top_offer_slow(t, key, row);
}
void radix_top_end(struct radix_top *t);

#endif
