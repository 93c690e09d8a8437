/* SPDX-License-Identifier: Apache-2.0 */
/* Growing byte buffer; cap counts the byte of the terminator. */
#include "config.h"

#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void buf_init(struct buf *b, size_t max)
{
    *b = (struct buf){ .max = max < SIZE_MAX ? max : SIZE_MAX - 1 };
}

void buf_done(struct buf *b)
{
    free(b->p);
    *b = (struct buf){ .max = b->max };
}

void buf_clear(struct buf *b)
{
    b->n = 0;
    b->failed = false;
    if (b->p)
        b->p[0] = '\0';
}

void buf_json(struct buf *b, struct str s)
{
    buf_addc(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c == '"' || c == '\\')
            buf_addc(b, '\\');
        if (c < 0x20)
            buf_printf(b, "\\u%04x", c);
        else
            buf_addc(b, (char)c);
    }
    buf_addc(b, '"');
}

char *buf_room(struct buf *b, size_t n)
{
    size_t need;

    if (b->failed || !size_add(b->n, n, &need) || need > b->max) {
        b->failed = true;
        return NULL;
    }
    if (need + 1 > b->cap) {
        size_t cap = b->cap <= b->max / 2 ? b->cap * 2 : b->max + 1;
        if (cap < need + 1)
            cap = need + 1;
        if (cap < 64 && b->max >= 63)
            cap = 64;
        char *p = realloc(b->p, cap);
        if (!p) {
            b->failed = true;
            return NULL;
        }
        b->p = p;
        b->cap = cap;
    }
    b->p[need] = '\0';
    return b->p + b->n;
}

void buf_add(struct buf *b, struct str s)
{
    char *to = buf_room(b, s.n);

    if (!to)
        return;
    if (s.n)
        memcpy(to, s.p, s.n);
    b->n += s.n;
}

void buf_addc(struct buf *b, char c)
{
    buf_add(b, (struct str){ &c, 1 });
}

void buf_puts(struct buf *b, const char *c)
{
    buf_add(b, str_of(c));
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        b->failed = true;
    char *to = n < 0 ? NULL : buf_room(b, (size_t)n);
    if (!to)
        return;
    va_start(ap, fmt);
    vsnprintf(to, (size_t)n + 1, fmt, ap);
    va_end(ap);
    b->n += (size_t)n;
}

char *buf_take(struct buf *b)
{
    char *p = buf_room(b, 0) ? b->p : NULL;

    if (!p)
        return NULL;
    p[b->n] = '\0';
    *b = (struct buf){ .max = b->max };
    return p;
}
