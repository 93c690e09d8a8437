/* SPDX-License-Identifier: Apache-2.0 */
/* FLOPs from AI Core counters. */
#include "config.h"

#include "parsers/mindspore/aicore_flops.h"

static const struct {
    uint64_t flops;
    bool cube;
} counters[AICORE_COUNTERS] = {
    { 8192, true },  /* cube fp16 */
    { 16384, true }, /* cube int8 */
    { 32, false },   /* vector fp32 */
    { 128, false },  /* vector fp16, 128 lanes */
    { 64, false },   /* vector fp16, 64 lanes */
    { 64, false },   /* vector int32 */
    { 32, false },   /* vector, other */
    { 0, false },
};
#define PEAK_PER_CYCLE (4096.0 * 2) /* of one core's cube unit: a multiplication and an addition */

struct aicore_flops aicore_flops_of(const struct aicore_record *r)
{
    struct aicore_flops f = { 0, 0 };

    for (size_t i = 0; i < AICORE_COUNTERS; i++)
        *(counters[i].cube ? &f.cube : &f.vector) += (unsigned __int128)r->counter[i] * counters[i].flops;
    return f;
}

uint64_t aicore_flops_per_count(size_t i)
{
    return counters[i].flops;
}

double aicore_peak_flops_per_s(const struct runinfo *run)
{
    return run->aic_freq_mhz * 1e6 * run->aic_cores * PEAK_PER_CYCLE;
}
