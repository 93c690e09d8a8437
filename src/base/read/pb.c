/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of protobuf messages, with bounds. */
#include "config.h"

#include "base/read/pb.h"

struct pb pb_of(struct str text, uint64_t off)
{
    return (struct pb){ .p = (const unsigned char *)text.p, .n = text.n, .off = off };
}

struct pb pb_sub(const struct pb_field *f)
{
    return pb_of(f->bytes, f->at);
}

static void take(struct pb *m, size_t n)
{
    m->p += n;
    m->n -= n;
    m->off += n;
}

static bool damaged(struct pb *m, uint64_t off, const char *why)
{
    if (!m->bad) {
        m->bad = why;
        m->bad_off = off;
    }
    m->n = 0;
    return false;
}

bool pb_varint(struct pb *m, uint64_t *v)
{
    uint64_t x = 0;

    for (size_t i = 0; i < m->n && i < 10; i++) {
        if (i == 9 && m->p[i] > 1)
            break;
        x |= (uint64_t)(m->p[i] & 0x7f) << (7 * i);
        if (!(m->p[i] & 0x80)) {
            *v = x;
            take(m, i + 1);
            return true;
        }
    }
    if (m->n)
        damaged(m, m->off, m->n < 10 ? "a number is cut" : "a number has too many bytes");
    return false;
}

static bool fixed(struct pb *m, size_t n, uint64_t *v)
{
    if (m->n < n)
        return damaged(m, m->off, "a number is cut");
    *v = 0;
    for (size_t i = n; i > 0; i--)
        *v = *v << 8 | m->p[i - 1];
    take(m, n);
    return true;
}

static bool bytes(struct pb *m, struct pb_field *f)
{
    uint64_t n;

    if (!pb_varint(m, &n))
        return damaged(m, m->off, "a length is cut");
    f->at = m->off;
    f->cut = n > m->n;
    f->bytes = (struct str){ (const char *)m->p, f->cut ? m->n : (size_t)n };
    if (f->cut)
        damaged(m, f->off, "a field reaches beyond its message");
    else
        take(m, (size_t)n);
    return true;
}

bool pb_next(struct pb *m, struct pb_field *f)
{
    uint64_t key, off = m->off;

    if (m->bad || !m->n || !pb_varint(m, &key))
        return false;
    *f = (struct pb_field){ .off = off };
    if (key >> 3 == 0 || key >> 3 > UINT32_MAX >> 3)
        return damaged(m, off, "a field has an impossible number");
    f->number = (uint32_t)(key >> 3);
    f->wire = (enum pb_wire)(key & 7);
    switch (key & 7) {
    case PB_VARINT:
        return pb_varint(m, &f->value) || damaged(m, off, "a number is cut");
    case PB_FIXED64:
        return fixed(m, 8, &f->value);
    case PB_FIXED32:
        return fixed(m, 4, &f->value);
    case PB_BYTES:
        return bytes(m, f);
    default: /* groups are from before 2008 */
        return damaged(m, off, "a field of an unknown wire type");
    }
}

double pb_double(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof d);
    return d;
}

float pb_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;

    memcpy(&f, &low, sizeof f);
    return f;
}
