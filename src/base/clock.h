/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clocks of the system as ns: CLOCK_MONOTONIC for durations, CLOCK_REALTIME for Unix time,
 * CLOCK_THREAD_CPUTIME_ID for work done.
 */
#ifndef NPUSCOPE_CLOCK_H
#define NPUSCOPE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ns(clockid_t id)
{
    struct timespec t = { 0 };

    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The instant so many ns (below a second) from now, for waits with a limit. */
static inline struct timespec clock_in(clockid_t id, long ns)
{
    struct timespec t = { 0 };

    clock_gettime(id, &t);
    t.tv_sec += (t.tv_nsec + ns) / 1000000000;
    t.tv_nsec = (t.tv_nsec + ns) % 1000000000;
    return t;
}

#endif
