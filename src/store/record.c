/* SQLite's record format. */
#include "config.h"

#include "store/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"

/* Serial types: 0 NULL, 1 to 6 integers of these bytes, 7 a real, 8 and 9 the integers 0 and 1, from
 * 12 on BLOB (even) and text (odd). */
static const unsigned char type_bytes[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };
#define TYPE_REAL 7

unsigned char *record_varint(unsigned char *p, uint64_t v)
{
    unsigned char digits[RECORD_VARINT_B];
    int n = 0;

    if (v < 0x80) {
        *p++ = (unsigned char)v;
        return p;
    }
    if (v >> 56) { /* nine bytes: the last one has eight bits */
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

const unsigned char *record_get_varint(const unsigned char *p, uint64_t *v)
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
        1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3,
        3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
        5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    };
    uint64_t u = i < 0 ? ~(uint64_t)i : (uint64_t)i;

    if ((uint64_t)i < 2)
        return 8 + (unsigned)i;
    return by_bits[u ? 64 - __builtin_clzll(u) : 0];
}

/* The value of a column as it is stored. */
struct stored {
    uint64_t type;
    uint64_t bits; /* of a number */
    const char *p; /* bytes of a text or BLOB */
};

static inline struct stored stored_int(int64_t i)
{
    return (struct stored){ .type = int_type(i), .bits = (uint64_t)i };
}

static inline struct stored stored_real(double r)
{
    struct stored s = { .type = TYPE_REAL };

    memcpy(&s.bits, &r, sizeof s.bits);
    return s;
}

/* In a numeric column a whole number is stored as integer; in a REAL one only if that is shorter. */
static inline struct stored of_real(double r, unsigned char affinity)
{
    if (isnan(r))
        return (struct stored){ 0 };
    if (affinity >= AFFINITY_INTEGER && r > -9223372036854775808.0 && r < 9223372036854775808.0) {
        int64_t i = (int64_t)r;
        if ((double)i == r && (affinity == AFFINITY_INTEGER || int_type(i) != 6))
            return stored_int(i);
    }
    return stored_real(r);
}

static struct stored of_text(struct str s)
{
    bool text = (!s.n || !memchr(s.p, 0, s.n)) && text_valid_utf8(s);

    return (struct stored){ .type = 2 * (uint64_t)s.n + (text ? 13 : 12), .p = s.p };
}

/* digits: room for the text of a number. */
static inline struct stored of_int(int64_t i, unsigned char affinity, char *digits, size_t n)
{
    if (affinity == AFFINITY_TEXT) {
        int len = snprintf(digits, n, "%" PRId64, i);
        return (struct stored){ .type = 2 * (uint64_t)len + 13, .p = digits };
    }
    struct stored s = stored_int(i);
    return affinity == AFFINITY_REAL && s.type == 6 ? stored_real((double)i) : s;
}

static struct stored of_uint(uint64_t u, unsigned char affinity, char *digits, size_t n)
{
    if (u <= INT64_MAX)
        return of_int((int64_t)u, affinity, digits, n);
    if (affinity >= AFFINITY_INTEGER)
        return stored_real((double)u);
    int len = snprintf(digits, n, "%" PRIu64, u);
    return (struct stored){ .type = 2 * (uint64_t)len + 13, .p = digits };
}

#define DIGITS_B 24

static inline struct stored store(const struct val *v, unsigned char affinity,
                                  char digits[DIGITS_B])
{
    switch (v->t) {
    case VAL_INT:
        return of_int(v->i, affinity, digits, DIGITS_B);
    case VAL_REAL:
        return of_real(v->r, affinity);
    case VAL_TEXT:
        return of_text(v->s);
    case VAL_UINT:
        return of_uint(v->u, affinity, digits, DIGITS_B);
    default:
        return (struct stored){ 0 };
    }
}

size_t record_room(const struct val *v, size_t n)
{
    size_t room = RECORD_VARINT_B + n * (RECORD_VARINT_B + DIGITS_B) + 8;

    for (size_t i = 0; i < n; i++)
        room += v[i].t == VAL_TEXT ? v[i].s.n : 0;
    return room;
}

/* Bytes of the types of n values. Texts alone have types of more than one byte. */
static size_t types_bytes(const struct val *v, size_t n)
{
    size_t bytes = n;

    for (size_t i = 0; i < n; i++)
        if (v[i].t == VAL_TEXT && v[i].s.n >= (0x80 - 12) / 2 - 1)
            bytes += varint_bytes(2 * (uint64_t)v[i].s.n + 13) - 1;
    return bytes;
}

/* The lowest bytes of a number, highest first. Writes eight bytes. */
static inline unsigned char *put_number(unsigned char *p, uint64_t bits, unsigned bytes)
{
    if (!bytes)
        return p;
    bits = bits << (64 - 8 * bytes);
#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    bits = __builtin_bswap64(bits);
#endif
    memcpy(p, &bits, sizeof bits);
    return p + bytes;
}

unsigned char *record_put(unsigned char *p, const struct val *v, const unsigned char *affinity,
                          size_t n)
{
    while (n > 1 && v[n - 1].t == VAL_NULL)
        n--;
    size_t types = types_bytes(v, n), header = types + 1;
    while (header < types + varint_bytes(header))
        header++;
    unsigned char *body = p + header;
    p = record_varint(p, header);
    for (size_t i = 0; i < n; i++) {
        char digits[DIGITS_B];
        struct stored s = store(&v[i], affinity[i], digits);
        if (s.type < 12) {
            *p++ = (unsigned char)s.type;
            body = put_number(body, s.bits, type_bytes[s.type]);
            continue;
        }
        size_t len = (size_t)(s.type - 12) / 2;
        p = record_varint(p, s.type);
        if (len)
            memcpy(body, s.p, len);
        body += len;
    }
    return body;
}

static int64_t get_int(const unsigned char *p, unsigned bytes)
{
    int64_t v = (signed char)p[0];

    for (unsigned i = 1; i < bytes; i++)
        v = (int64_t)((uint64_t)v << 8 | p[i]);
    return v;
}

bool record_ints(const unsigned char *record, const size_t *column, size_t n, int64_t *out,
                 unsigned *nulls)
{
    uint64_t header;
    const unsigned char *p = record_get_varint(record, &header), *end = record + header,
                        *body = end;
    size_t k = 0;

    *nulls = 0;
    for (size_t i = 0; p < end && k < n; i++) {
        uint64_t type;
        p = record_get_varint(p, &type);
        if (i == column[k]) {
            if (type == TYPE_REAL || type > 9)
                return false;
            out[k] = type > 7 ? (int64_t)type - 8 : type ? get_int(body, type_bytes[type]) : 0;
            *nulls |= type == 0 ? 1u << k : 0;
            k++;
        }
        body += type < 12 ? type_bytes[type < 10 ? type : 0] : (type - 12) / 2;
    }
    for (; k < n; k++) {
        out[k] = 0;
        *nulls |= 1u << k;
    }
    return true;
}
