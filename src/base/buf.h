/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing byte buffer with a maximum given at creation. An append beyond the maximum, or without memory,
 * marks the buffer failed: later appends do nothing and buf_failed() is true. So writers append freely and
 * check once.
 */
#ifndef NPUSCOPE_BUF_H
#define NPUSCOPE_BUF_H

#include <stdbool.h>

#include "base/str.h"

struct buf {
    char *p; /* terminated with a NUL that n does not count; NULL while empty */
    size_t n, cap, max;
    bool failed;
};

void buf_init(struct buf *b, size_t max);
void buf_done(struct buf *b);
void buf_clear(struct buf *b); /* keeps memory, forgets a failure */
void buf_add(struct buf *b, struct str s);
void buf_addc(struct buf *b, char c);
void buf_puts(struct buf *b, const char *c);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
/*
 * A JSON string with its quotes: '"' and '\\' with a backslash, control characters as \u escapes, all other
 * bytes as they are.
 */
void buf_json(struct buf *b, struct str s);
/* Make room for n more bytes and return where they go (then add to b->n), NULL when failed. */
char *buf_room(struct buf *b, size_t n);
static inline bool buf_failed(const struct buf *b)
{
    return b->failed;
}
static inline struct str buf_str(const struct buf *b)
{
    return (struct str){ b->p ? b->p : "", b->n };
}
/* Take the memory out (terminated, free() it); the buffer is empty afterwards. NULL when failed. */
char *buf_take(struct buf *b);

/* Checked arithmetic: true when the result fits. */
static inline bool size_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}
static inline bool size_add(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

#endif
