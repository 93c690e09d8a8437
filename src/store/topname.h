/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Occupied time per name in one stretch of the timeline, and the name that has most of it. Exact up to
 * TOPNAME_FULL names; further ones are not told apart. Beginning a new stretch costs nothing.
 */
#ifndef NPUSCOPE_TOPNAME_H
#define NPUSCOPE_TOPNAME_H

#include <stdint.h>
#include <string.h>

#define TOPNAME_SLOTS 256
#define TOPNAME_FULL  192

struct topname {
    struct {
        uint32_t turn, name;
        uint64_t ns;
    } slot[TOPNAME_SLOTS];
    uint32_t turn, n;
};

/* Begin a stretch; a zeroed struct has begun none. */
static inline void topname_begin(struct topname *k)
{
    k->n = 0;
    if (!++k->turn) { /* once in 2^32 stretches: old turns could come again */
        memset(k->slot, 0, sizeof k->slot);
        k->turn = 1;
    }
}

/* Add ns to this name and return its sum; just ns when there are too many names. */
static inline uint64_t topname_add(struct topname *k, uint32_t name, uint64_t ns)
{
    uint32_t i = name * 2654435761u >> 24;

    while (k->slot[i].turn == k->turn && k->slot[i].name != name)
        i = (i + 1) % TOPNAME_SLOTS;
    if (k->slot[i].turn == k->turn)
        return k->slot[i].ns += ns;
    if (k->n >= TOPNAME_FULL)
        return ns;
    k->n++;
    k->slot[i].turn = k->turn;
    k->slot[i].name = name;
    return k->slot[i].ns = ns;
}

#endif
