/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums and differences that stay at the end of their range where they would not fit: times and durations of
 * damaged files may be anything.
 */
#ifndef NPUSCOPE_BASE_BOUNDED_H
#define NPUSCOPE_BASE_BOUNDED_H

#include <stdint.h>

static inline int64_t bounded_add(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}
static inline int64_t bounded_sub(int64_t a, int64_t b)
{
    int64_t difference;

    return __builtin_sub_overflow(a, b, &difference) ? (a < b ? INT64_MIN : INT64_MAX) : difference;
}
static inline uint64_t bounded_add_u64(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

#endif
