/* SPDX-License-Identifier: Apache-2.0 */
/* Bump allocator: a list of blocks, newest first; sizes double up to BLOCK_MAX. */
#include "config.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

#define BLOCK_MIN ((size_t)4 << 10)
#define BLOCK_MAX ((size_t)1 << 20)

struct block {
    struct block *next;
    size_t size, used;
    _Alignas(max_align_t) char data[];
};

struct arena {
    struct block *top; /* allocations come from here; the others are full or were passed over */
    size_t held, max;  /* bytes of data over all blocks, and their ceiling */
};

int arena_new(struct arena **out, size_t max_b, struct err *e)
{
    struct arena *a = calloc(1, sizeof *a);
    *out = a;
    if (!a)
        return err_nomem(e);
    a->max = max_b;
    return OK;
}

static void free_blocks(struct block *b)
{
    while (b) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    free_blocks(a->top);
    free(a);
}

void arena_reset(struct arena *a)
{
    struct block *keep = a->top;

    if (!keep)
        return;
    free_blocks(keep->next);
    keep->next = NULL;
    keep->used = 0;
    a->held = keep->size;
}

static struct block *add_block(struct arena *a, size_t need)
{
    size_t size = a->top ? a->top->size * 2 : BLOCK_MIN;
    size_t left = a->max - a->held, all;

    if (size > BLOCK_MAX)
        size = BLOCK_MAX;
    if (size < need)
        size = need;
    if (size > left)
        size = left;
    if (size < need || !size_add(size, sizeof(struct block), &all))
        return NULL;
    struct block *b = malloc(all);
    if (!b)
        return NULL;
    *b = (struct block){ .next = a->top, .size = size };
    a->top = b;
    a->held += size;
    return b;
}

static void *take(struct arena *a, size_t n, size_t align)
{
    struct block *b = a->top;

    if (b) {
        size_t at = (b->used + align - 1) & ~(align - 1);
        if (at <= b->size && n <= b->size - at) {
            b->used = at + n;
            return b->data + at;
        }
    }
    b = add_block(a, n);
    if (!b)
        return NULL;
    b->used = n;
    return b->data;
}

void *arena_alloc(struct arena *a, size_t n)
{
    return take(a, n ? n : 1, _Alignof(max_align_t));
}

void *arena_zalloc(struct arena *a, size_t n)
{
    void *p = arena_alloc(a, n);
    if (p)
        memset(p, 0, n);
    return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    size_t n;
    return size_mul(count, size, &n) ? arena_zalloc(a, n) : NULL;
}

struct str arena_str(struct arena *a, struct str s)
{
    size_t n;
    char *p = size_add(s.n, 1, &n) ? take(a, n, 1) : NULL;

    if (!p)
        return STR_NULL;
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return (struct str){ p, s.n };
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *p = n < 0 ? NULL : take(a, (size_t)n + 1, 1);
    if (!p)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return p;
}
