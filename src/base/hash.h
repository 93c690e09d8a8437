/* SPDX-License-Identifier: Apache-2.0 */
/* A hash of a 64-bit key, for tables with open addressing over hostile keys; and that of groups. */
#ifndef NPUSCOPE_BASE_HASH_H
#define NPUSCOPE_BASE_HASH_H

#include "base/str.h"

static inline size_t prof_hash(uint64_t key)
{
    return (size_t)str_hash((struct str){ (const char *)&key, sizeof key }, str_seed());
}

/*
 * What the names of communication ops call a group, made from the id of its communicator: two multiplicative
 * hashes of 32 bits, written in decimal (doc/analysis.md#common-rules).
 */
static inline uint64_t comm_group_hash(struct str id)
{
    uint32_t a = 0, b = 0;

    for (size_t i = 0; i < id.n; i++) {
        a = a * 29 + (unsigned char)id.p[i];
        b = b * 131 + (unsigned char)id.p[i];
    }
    return (uint64_t)a << 32 | b;
}

#endif
