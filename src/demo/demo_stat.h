/* SPDX-License-Identifier: Apache-2.0 */
/* Count, sum, extremes and variance of durations, for the statistics tables of the demo writers. */
#ifndef NPUSCOPE_DEMO_STAT_H
#define NPUSCOPE_DEMO_STAT_H

#include <stdint.h>

struct demo_stat {
    uint64_t count;
    int64_t sum_ns, min_ns, max_ns;
    double mean_us, m2; /* Welford's running mean and squared distance, in us */
};

static inline void demo_stat_add(struct demo_stat *s, int64_t ns)
{
    double us = (double)ns / 1000, d = us - s->mean_us;
    s->min_ns = !s->count || ns < s->min_ns ? ns : s->min_ns;
    s->max_ns = !s->count || ns > s->max_ns ? ns : s->max_ns;
    s->sum_ns += ns;
    s->count++;
    s->mean_us += d / (double)s->count;
    s->m2 += d * (us - s->mean_us);
}

/* Mean in ns, rounded. */
static inline int64_t demo_stat_mean(const struct demo_stat *s)
{
    int64_t n = (int64_t)s->count;
    return n ? (s->sum_ns + n / 2) / n : 0;
}

/* Indexes of the entries that have a count, by sum, largest first; returns how many. */
static inline uint32_t demo_stat_order(const struct demo_stat *s, uint32_t n, uint32_t *order)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = used;
        if (!s[i].count)
            continue;
        for (; j && s[order[j - 1]].sum_ns < s[i].sum_ns; j--)
            order[j] = order[j - 1];
        order[j] = i;
        used++;
    }
    return used;
}

#endif
