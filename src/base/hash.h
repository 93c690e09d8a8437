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
 * The same for numbers whose neighbours are looked up one after the other: 64 of them have neighbouring
 * places, so that a large table is not read at random. Numbers that all end alike share these places with
 * what comes after them, which hostile ones can do, too: runs grow by a factor, not with the table.
 */
static inline size_t prof_hash_near(uint64_t key)
{
    return prof_hash(key >> 6) << 6 | (key & 63);
}

/* Of an instant (ns) and what it belongs to: neighbours are those of a ms, 16 us a place. */
static inline size_t prof_hash_time(uint64_t what, int64_t ns)
{
    return prof_hash(what * UINT64_C(0x9e3779b97f4a7c15) + ((uint64_t)ns >> 20)) << 6 |
           ((uint64_t)ns >> 14 & 63);
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
