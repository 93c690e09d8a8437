/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing arrays: room for one more element, by doubling; large ones by a quarter, so that their room stays
 * near what they hold.
 */
#ifndef NPUSCOPE_GROW_H
#define NPUSCOPE_GROW_H

#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"

#define GROW_DOUBLE_B ((size_t)64 << 20) /* from here on by a quarter */

/*
 * Room for element n of an array with *room elements (`first` in a new one). false: there is no such number.
 */
NODISCARD static inline bool grow_room(size_t n, size_t *room, size_t each, size_t first)
{
    size_t more = *room ? *room : first;

    while (more <= n)
        if (more > GROW_DOUBLE_B / each && more < SIZE_MAX / 2)
            more += more / 4;
        else if (!size_mul(more, 2, &more))
            return false;
    *room = more;
    return true;
}

/*
 * The array p of elements of `each` bytes, with room for element n: as it is, or moved, with *cap elements of
 * room (`first` in a new one). What is added is not cleared. The caller owns it, free() ends it. NULL without
 * memory: p and *cap are then as before.
 */
NODISCARD static inline void *grow_array(void *p, size_t n, size_t *cap, size_t each, size_t first)
{
    size_t more = *cap, bytes;

    if (n < *cap)
        return p;
    if (!grow_room(n, &more, each, first))
        return NULL;
    void *q = size_mul(more, each, &bytes) ? realloc(p, bytes) : NULL;
    if (q)
        *cap = more;
    return q;
}

#endif
