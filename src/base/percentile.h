/* SPDX-License-Identifier: Apache-2.0 */
/* The one percentile of the program, so that p50 and p95 of the same values are the same on every screen. */
#ifndef NPUSCOPE_PERCENTILE_H
#define NPUSCOPE_PERCENTILE_H

#include <stddef.h>

/* Index of the nearest-rank percentile of n > 0 rising values: the first with pct % of them up to it. */
static inline size_t percentile_at(size_t n, unsigned pct)
{
    size_t rank = n / 100 * pct + (n % 100 * pct + 99) / 100;
    return rank ? rank - 1 : 0;
}

#endif
