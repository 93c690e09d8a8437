/* SPDX-License-Identifier: Apache-2.0 */
/* Long work in slices: a time to stop at, so that a key press never waits (doc/performance.md#tables). */
#ifndef NPUSCOPE_MODEL_VIEW_SLICE_H
#define NPUSCOPE_MODEL_VIEW_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

#define SLICE_FOREVER INT64_MAX
#define SLICE_MS(n)   ((int64_t)(n)*1000000)

static inline int64_t slice_now(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}
static inline int64_t slice_until(int64_t budget_ns)
{
    return budget_ns == SLICE_FOREVER ? SLICE_FOREVER : slice_now() + budget_ns;
}
static inline bool slice_over(int64_t until_ns)
{
    return until_ns != SLICE_FOREVER && slice_now() >= until_ns;
}

#endif
