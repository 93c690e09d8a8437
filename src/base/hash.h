/* SPDX-License-Identifier: Apache-2.0 */
/* A hash of a 64-bit key, for tables with open addressing over hostile keys. */
#ifndef NPUSCOPE_BASE_HASH_H
#define NPUSCOPE_BASE_HASH_H

#include "base/str.h"

static inline size_t prof_hash(uint64_t key)
{
    return (size_t)str_hash((struct str){ (const char *)&key, sizeof key }, str_seed());
}

#endif
