/* SPDX-License-Identifier: Apache-2.0 */
/* Device cycles of MindSpore 1.x (doc/formats/mindspore1.md#clocks): the counter runs at 100 MHz. */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_TICKS_H
#define NPUSCOPE_PARSERS_MINDSPORE_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#define TICK_NS 10

/* false: no instant (a damaged counter). */
static inline bool ticks_ns(uint64_t ticks, int64_t *ns)
{
    return !__builtin_mul_overflow(ticks, TICK_NS, ns);
}

#endif
