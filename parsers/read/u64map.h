/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers under 64-bit keys, as addresses under which something lies now: open addressing over hostile keys.
 * A number of 0 is none and is never set. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_READ_U64MAP_H
#define NPUSCOPE_PARSERS_READ_U64MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct u64map {
    uint64_t *key;
    uint32_t *value;
    size_t n, cap; /* keys, places */
};
/* A map of zeros is empty. */
void u64map_done(struct u64map *m);
/* false: no memory. */
NODISCARD bool u64map_set(struct u64map *m, uint64_t key, uint32_t value);
void u64map_drop(struct u64map *m, uint64_t key);
uint32_t u64map_get(const struct u64map *m, uint64_t key);

#endif
