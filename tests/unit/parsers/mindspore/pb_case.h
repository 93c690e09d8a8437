/* SPDX-License-Identifier: Apache-2.0 */
/* Protobuf messages made in a test. */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_MINDSPORE_PB_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_MINDSPORE_PB_CASE_H

#include <stdint.h>
#include <string.h>

struct pb_text {
    unsigned char p[2048];
    size_t n;
};

static inline void pb_put_varint(struct pb_text *t, uint64_t v)
{
    for (; v > 127; v >>= 7)
        t->p[t->n++] = (unsigned char)(v | 128);
    t->p[t->n++] = (unsigned char)v;
}

static inline void pb_put_number(struct pb_text *t, unsigned field, uint64_t v)
{
    pb_put_varint(t, field << 3);
    pb_put_varint(t, v);
}

static inline void pb_put_bytes(struct pb_text *t, unsigned field, const void *p, size_t n)
{
    pb_put_varint(t, field << 3 | 2);
    pb_put_varint(t, n);
    memcpy(t->p + t->n, p, n);
    t->n += n;
}

static inline void pb_put_text(struct pb_text *t, unsigned field, const char *s)
{
    pb_put_bytes(t, field, s, strlen(s));
}

static inline void pb_put_message(struct pb_text *t, unsigned field, const struct pb_text *m)
{
    pb_put_bytes(t, field, m->p, m->n);
}

#endif
