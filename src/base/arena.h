/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bump allocator with a maximum, freed in one call. Not thread-safe.
 * Memory is aligned for any type and not zeroed except by arena_zalloc.
 */
#ifndef NPUSCOPE_ARENA_H
#define NPUSCOPE_ARENA_H

#include "base/str.h"

struct arena;
/* max_b: ceiling over all blocks; above it allocation gives NULL. */
NODISCARD int arena_new(struct arena **out, size_t max_b, struct err *e);
void arena_free(struct arena *a);
/* Give everything back at once; keeps one block for reuse. */
void arena_reset(struct arena *a);
/* NULL when out of memory or above the maximum. */
void *arena_alloc(struct arena *a, size_t n);
void *arena_zalloc(struct arena *a, size_t n);
/* count * size with overflow check, zeroed. */
void *arena_array(struct arena *a, size_t count, size_t size);
/* Copy of the bytes (with a terminator after them). p is NULL when out of memory. */
struct str arena_str(struct arena *a, struct str s);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
