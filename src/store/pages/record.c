/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's record format. */
#include "config.h"

#include "store/pages/record.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"

#define TYPE_REAL 7

const unsigned char record_type_bytes[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };

unsigned char *record_varint(unsigned char *p, uint64_t v)
{
    unsigned char digits[RECORD_VARINT_B];
    int n = 0;

    if (v < 0x80) {
        *p++ = (unsigned char)v;
        return p;
    }
    if (v >> 56) { /* nine bytes: the last one holds eight bits */
        p[8] = (unsigned char)v;
        v >>= 8;
        for (int i = 7; i >= 0; i--, v >>= 7)
            p[i] = (unsigned char)(v | 0x80);
        return p + 9;
    }
    for (; v; v >>= 7)
        digits[n++] = (unsigned char)(v & 0x7f);
    while (n > 1)
        *p++ = digits[--n] | 0x80;
    *p++ = digits[0];
    return p;
}

const unsigned char *record_get_long(const unsigned char *p, uint64_t *v)
{
    uint64_t x = 0;

    for (int i = 0; i < 8; i++) {
        x = x << 7 | (*p & 0x7f);
        if (!(*p++ & 0x80)) {
            *v = x;
            return p;
        }
    }
    *v = x << 8 | *p++;
    return p;
}

static size_t varint_bytes(uint64_t v)
{
    size_t n = 1;

    for (; v > 0x7f && n < RECORD_VARINT_B; v >>= 7)
        n++;
    return n;
}

/* Serial type of an integer: 8 and 9 are 0 and 1, the others have the bytes they need. */
static inline unsigned int_type(int64_t i)
{
    static const unsigned char by_bits[65] = {
        1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5,
        5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    };
    uint64_t u = i < 0 ? ~(uint64_t)i : (uint64_t)i;

    if ((uint64_t)i < 2)
        return 8 + (unsigned)i;
    return by_bits[u ? 64 - __builtin_clzll(u) : 0];
}

/* The lowest bytes of a number, highest first. Writes eight bytes. */
static inline unsigned char *put_number(unsigned char *p, uint64_t bits, unsigned bytes)
{
    bits = bits << ((64 - 8 * bytes) & 63); /* no bytes: the value does not matter */
#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    memcpy(p, &bits, sizeof bits);
    return p + bytes;
}

/* ---- single values ---- */

/* Positions for the next type and the next value. */
struct out {
    unsigned char *type, *body;
};

static inline void put_int(struct out *o, int64_t i)
{
    unsigned type = int_type(i);

    *o->type++ = (unsigned char)type;
    o->body = put_number(o->body, (uint64_t)i, record_type_bytes[type]);
}

static inline void put_real(struct out *o, double r)
{
    uint64_t bits;

    memcpy(&bits, &r, sizeof bits);
    *o->type++ = TYPE_REAL;
    o->body = put_number(o->body, bits, 8);
}

/* In a numeric column a whole number is stored as integer; in a REAL one only if that is shorter. */
static inline void store_real(struct out *o, double r, unsigned char affinity)
{
    if (r > -9223372036854775808.0 && r < 9223372036854775808.0) {
        int64_t i = (int64_t)r;
        if ((double)i == r && affinity >= AFFINITY_INTEGER &&
            (affinity == AFFINITY_INTEGER || int_type(i) != 6)) {
            put_int(o, i);
            return;
        }
    } else if (isnan(r)) {
        *o->type++ = 0;
        return;
    }
    put_real(o, r);
}

static void store_text(struct out *o, struct str s)
{
    bool text = (!s.n || !memchr(s.p, 0, s.n)) && text_valid_utf8(s);

    o->type = record_varint(o->type, 2 * (uint64_t)s.n + (text ? 13 : 12));
    if (s.n)
        memcpy(o->body, s.p, s.n);
    o->body += s.n;
}

static void store_int(struct out *o, int64_t i, unsigned char affinity)
{
    char digits[24];

    if (affinity == AFFINITY_TEXT)
        store_text(o, (struct str){ digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, i) });
    else if (affinity == AFFINITY_REAL && int_type(i) == 6)
        put_real(o, (double)i);
    else
        put_int(o, i);
}

static void store_uint(struct out *o, uint64_t u, unsigned char affinity)
{
    char digits[24];

    if (u <= INT64_MAX)
        store_int(o, (int64_t)u, affinity);
    else if (affinity >= AFFINITY_INTEGER)
        put_real(o, (double)u);
    else
        store_text(o, (struct str){ digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, u) });
}

/* ---- records ---- */

size_t record_texts(const struct val *v, size_t n)
{
    size_t texts = 0;

    for (size_t i = 0; i < n; i++)
        texts += v[i].t == VAL_TEXT ? v[i].s.n : 0;
    return texts;
}

/* Bytes of the types of n values. Only texts of 58 bytes and more have types of more than one byte. */
static size_t types_bytes(const struct val *v, size_t n, size_t texts)
{
    size_t bytes = n;

    for (size_t i = 0; texts >= 58 && i < n; i++)
        bytes += v[i].t == VAL_TEXT ? varint_bytes(2 * (uint64_t)v[i].s.n + 13) - 1 : 0;
    return bytes;
}

unsigned char *record_put(unsigned char *p, const struct val *v, const unsigned char *affinity, size_t n,
                          size_t texts)
{
    while (n > 1 && v[n - 1].t == VAL_NULL)
        n--;
    size_t types = types_bytes(v, n, texts), header = types + 1;
    while (header < types + varint_bytes(header))
        header++;
    struct out o = { record_varint(p, header), p + header };
    for (size_t i = 0; i < n; i++) {
        switch (v[i].t) {
        case VAL_INT:
            if (affinity[i] == AFFINITY_INTEGER)
                put_int(&o, v[i].i);
            else
                store_int(&o, v[i].i, affinity[i]);
            break;
        case VAL_REAL:
            store_real(&o, v[i].r, affinity[i]);
            break;
        case VAL_TEXT:
            store_text(&o, v[i].s);
            break;
        case VAL_UINT:
            store_uint(&o, v[i].u, affinity[i]);
            break;
        default:
            *o.type++ = 0;
        }
    }
    return o.body;
}

unsigned char *record_put_ints(unsigned char *p, const int64_t *v, unsigned nulls, size_t n)
{
    struct out o = { p + 1, p + 1 + n };

    *p = (unsigned char)(n + 1);
    for (size_t i = 0; i < n; i++) {
        if (nulls >> i & 1)
            *o.type++ = 0;
        else
            put_int(&o, v[i]);
    }
    return o.body;
}

/* ---- reading ---- */

bool record_ints(const unsigned char *record, const size_t *column, size_t n, int64_t *out, unsigned *nulls)
{
    uint64_t header, type;
    const unsigned char *p = record_get_varint(record, &header), *end = record + header, *body = end;
    size_t i = 0;

    *nulls = 0;
    for (size_t k = 0; k < n; k++) {
        for (;; body += record_bytes(type)) {
            if (p >= end) {
                *nulls |= ~0u << k & ((1u << n) - 1);
                memset(out + k, 0, (n - k) * sizeof *out);
                return true;
            }
            p = record_get_varint(p, &type);
            if (i++ == column[k])
                break;
        }
        if (type == TYPE_REAL || type > 9)
            return false;
        out[k] = type > 7 ? (int64_t)type - 8 : type ? record_get_int(body, record_type_bytes[type]) : 0;
        *nulls |= type == 0 ? 1u << k : 0;
        body += record_type_bytes[type];
    }
    return true;
}

/* ---- by shape ---- */

#define HEADER_MIN 8 /* with RECORD_PAD after the record, 16 bytes can be read */
#define HEADER_MAX 16

/* false: a column is no integer, or lies beyond the offsets of a shape. */
static bool shape_make(struct record_shape *s, const unsigned char *record, const size_t *column, size_t n)
{
    uint64_t header, type = 0;
    const unsigned char *p = record_get_varint(record, &header), *end = record + header;
    uint64_t at = header;
    size_t i = 0;

    s->nulls = 0;
    for (size_t k = 0; k < n; k++) {
        for (;; at += record_bytes(type)) {
            if (p >= end)
                break;
            p = record_get_varint(p, &type);
            if (i++ == column[k])
                break;
        }
        bool found = i == column[k] + 1;
        if ((found && (type == TYPE_REAL || type > 9)) || at > USHRT_MAX)
            return false;
        s->nulls |= !found || type == 0 ? 1u << k : 0;
        s->bytes[k] = found && type < 8 ? record_type_bytes[type] : 0;
        s->small[k] = found && type > 7 ? (signed char)(type - 8) : 0;
        s->at[k] = (unsigned short)at;
        at += found ? record_type_bytes[type] : 0;
    }
    return true;
}

static struct record_shape *shape_of(struct record_shapes *s, const unsigned char *record,
                                     const size_t *column, size_t n)
{
    uint64_t h[2];

    memcpy(h, record, sizeof h);
    if (record[0] < HEADER_MAX)
        h[1] &= ((uint64_t)1 << 8 * (record[0] - HEADER_MIN)) - 1;
    uint64_t hash = (h[0] ^ h[1] * 31) * UINT64_C(0x9e3779b97f4a7c15);
    struct record_shape *v = &s->v[hash >> 58];
    if (v->used && v->header[0] == h[0] && v->header[1] == h[1])
        return v;
    v->used = shape_make(v, record, column, n);
    memcpy(v->header, h, sizeof h);
    return v->used ? v : NULL;
}

bool record_ints_of(struct record_shapes *s, const unsigned char *record, const size_t *column, size_t n,
                    int64_t *out, unsigned *nulls)
{
#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    if (n <= RECORD_SHAPE_COLUMNS && record[0] >= HEADER_MIN && record[0] <= HEADER_MAX) {
        const struct record_shape *v = shape_of(s, record, column, n);
        if (!v)
            return record_ints(record, column, n, out, nulls);
        for (size_t k = 0; k < n; k++)
            out[k] = v->bytes[k] ? record_get_int(record + v->at[k], v->bytes[k]) : v->small[k];
        *nulls = v->nulls;
        return true;
    }
#else
    (void)s;
#endif
    return record_ints(record, column, n, out, nulls);
}
