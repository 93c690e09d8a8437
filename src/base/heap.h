/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary heaps in arrays that the caller keeps: element 0 goes before all others. Elements are known by their
 * index, so that one may lie in several arrays.
 */
#ifndef NPUSCOPE_HEAP_H
#define NPUSCOPE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct heap_ops {
    bool (*before)(const void *heap, size_t a, size_t b); /* element a goes before element b */
    void (*swap)(void *heap, size_t a, size_t b);
};

/* Element `at` may belong after elements below it: put it into its position among n. */
static inline void heap_down(void *heap, size_t at, size_t n, const struct heap_ops *o)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && o->before(heap, child + 1, child))
            child++;
        if (!o->before(heap, child, at))
            return;
        o->swap(heap, child, at);
    }
}

/* Element `at` may belong before elements above it. */
static inline void heap_up(void *heap, size_t at, const struct heap_ops *o)
{
    for (size_t above; at && o->before(heap, at, above = (at - 1) / 2); at = above)
        o->swap(heap, at, above);
}

/* End a heap of n: the element that goes before all others becomes the last, and so on. */
static inline void heap_unload(void *heap, size_t n, const struct heap_ops *o)
{
    for (; n > 1; n--) {
        o->swap(heap, 0, n - 1);
        heap_down(heap, 0, n - 1, o);
    }
}

#endif
