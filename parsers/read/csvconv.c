/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions of CSV cells. */
#include "config.h"

#include "parsers/read/csvconv.h"

#include "base/read/csv.h"
#include "base/swar.h"

static const struct {
    enum csv_op_code code;
    uint64_t mul;
} convs[N_CSV_CONVS] = {
    [CV_SKIP] = { OP_SKIP, 0 },
    [CV_EXTRA] = { OP_EXTRA, 0 },
    [CV_CELL] = { OP_CELL, 0 },
    [CV_RAW] = { OP_RAW, 0 },
    [CV_STR] = { OP_STR, 0 },
    [CV_SHAPES] = { OP_SHAPES, 0 },
    [CV_CORE] = { OP_CORE, 0 },
    [CV_INT] = { OP_INT, 1 },
    [CV_ID] = { OP_ID, 1 },
    [CV_DEVICE] = { OP_DEVICE, 1 },
    [CV_U64] = { OP_U64, 0 },
    [CV_REAL] = { OP_REAL, 0 },
    [CV_NUMBER] = { OP_NUMBER, 0 },
    [CV_PERCENT] = { OP_PERCENT, 0 },
    [CV_NS] = { OP_SCALED, 1 },
    [CV_US] = { OP_SCALED, 1000 },
    [CV_MS] = { OP_SCALED, 1000000 },
    [CV_TICK] = { OP_SCALED, 10 },
    [CV_US_REAL] = { OP_SCALED_REAL, 1000 },
    [CV_MS_REAL] = { OP_SCALED_REAL, 1000000 },
    [CV_TS_NS] = { OP_TS, 1 },
    [CV_TS_US] = { OP_TS, 1000 },
    [CV_TS_TICK] = { OP_TS, 10 },
    [CV_B] = { OP_SCALED, 1 },
    [CV_KB] = { OP_SCALED, 1024 },
    [CV_MB] = { OP_SCALED, 1048576 },
    [CV_MB_1000] = { OP_SCALED, 1048576 },
};

/* ---- short decimals: nearly all cells ---- */

/* Digits as an integer, how many of them follow the point, sign. */
struct dec {
    uint64_t m;
    unsigned frac;
    bool neg;
};

#define EXACT_M ((uint64_t)1 << 53) /* integers up to here are doubles */
static const uint64_t pow10_u64[] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u,
};
static const double pow10_f64[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* Up to eight bytes: digits with at most one point among them. */
static inline bool decimal8(const char *p, size_t n, struct dec *d)
{
    uint64_t v = swar_right(p, n), point = swar_eq1(v, SWAR_LOW * '.');

    d->frac = 0;
    if (point) { /* the digits before it close the gap */
        unsigned at = 8 * swar_first(point);
        uint64_t before = v & ((UINT64_C(1) << at) - 1), behind = (v >> at & ~UINT64_C(0xff)) << at;
        v = behind | before << 8 | '0';
        d->frac = 7 - at / 8;
    }
    d->m = swar_number(v);
    return swar_is_digits(v) && n > (point != 0);
}

/* 9 to 16 bytes. */
static inline bool decimal16(const char *p, size_t n, struct dec *d)
{
    struct dec front;

    if (!decimal8(p, n - 8, &front) || !decimal8(p + n - 8, 8, d))
        return false;
    bool in_front = p[n - 9 - front.frac] == '.', behind = p[n - 1 - d->frac] == '.';
    d->m += front.m * (behind ? 10000000 : 100000000);
    d->frac += in_front ? front.frac + 8 : 0;
    return !(in_front && behind);
}

/* 17 to 20 bytes with a point among the last eight: instants. */
static inline bool decimal20(const char *p, size_t n, struct dec *d)
{
    uint64_t head = swar_right(p, n - 16), middle = swar_load(p + n - 16);

    if (!swar_is_digits(head) || !swar_is_digits(middle) || !decimal8(p + n - 8, 8, d) ||
        p[n - 1 - d->frac] != '.')
        return false;
    d->m += (swar_number(head) * 100000000 + swar_number(middle)) * 10000000;
    return true;
}

/* Any shape, byte by byte. */
static bool decimal_slow(const char *p, size_t n, struct dec *d)
{
    const char *end = p + n, *point = NULL;

    d->m = 0;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(unsigned char)*p - '0';
        if (digit <= 9)
            d->m = d->m * 10 + digit;
        else if (*p == '.' && !point)
            point = p;
        else
            return false;
    }
    d->frac = point ? (unsigned)(end - point) - 1 : 0;
    n -= point != NULL;
    return n > 0 && n <= 19;
}

/* Up to 19 digits with at most one point among them. false: another way has to be found. */
static inline bool short_decimal(struct str s, struct dec *d)
{
    d->neg = s.n && s.p[0] == '-';
    s.p += d->neg;
    s.n -= d->neg;
    if (s.n - 1 < 8) /* none are too many */
        return decimal8(s.p, s.n, d);
    if (s.n - 9 < 8 && decimal16(s.p, s.n, d))
        return true;
    return s.n && s.n <= 20 && ((s.n > 16 && decimal20(s.p, s.n, d)) || decimal_slow(s.p, s.n, d));
}

static bool signed_value(bool neg, uint64_t m, struct val *out)
{
    if (m > INT64_MAX)
        return false;
    val_put_int(out, neg ? -(int64_t)m : (int64_t)m);
    return true;
}

/* Value as an integer, when it is one. */
static bool short_whole(const struct dec *d, struct val *out)
{
    uint64_t p = d->frac < ARRAY_LEN(pow10_u64) ? pow10_u64[d->frac] : 0;

    if (d->frac == 0)
        return signed_value(d->neg, d->m, out);
    return p && d->m % p == 0 && signed_value(d->neg, d->m / p, out);
}

/* Value times the factor of op, rounded half away from zero. */
static bool short_scaled(const struct csv_op *op, const struct dec *d, struct val *out)
{
    uint64_t m;

    if (d->frac <= op->tens)
        return !__builtin_mul_overflow(d->m, op->rest * pow10_u64[op->tens - d->frac], &m) &&
               signed_value(d->neg, m, out);
    if (d->frac >= ARRAY_LEN(pow10_u64) || __builtin_mul_overflow(d->m, op->mul, &m))
        return false;
    uint64_t p = pow10_u64[d->frac], rest = m % p;
    return signed_value(d->neg, m / p + (rest >= p - rest), out);
}

/* Value times 10^shift as a double: both operands are exact, so the one operation rounds once. */
static bool short_real(const struct dec *d, int shift, struct val *out)
{
    int exp = shift - (int)d->frac;
    double v = (double)d->m;

    if (d->m > EXACT_M || exp < -22)
        return false;
    if (exp < 0)
        v /= pow10_f64[-exp];
    else if (v * pow10_f64[exp] <= (double)EXACT_M)
        v *= pow10_f64[exp];
    else
        return false;
    val_put_real(out, d->neg ? -v : v);
    return true;
}

/* ---- any decimal ---- */

static bool scaled(struct str cell, uint64_t mul, struct val *out)
{
    int64_t i;

    if (!str_scaled(cell, mul, &i, NULL))
        return false;
    val_put_int(out, i);
    return true;
}

static bool whole(struct str cell, struct val *out)
{
    bool rounded = false;
    int64_t i;

    if (!str_scaled(cell, 1, &i, &rounded) || rounded)
        return false;
    val_put_int(out, i);
    return true;
}

/* The decimal times 10^places (a text, "e-2"), rounded once: 22.077 becomes the double nearest to 0.22077. */
static bool shifted(struct str cell, const char *places, double factor, struct val *out)
{
    char text[64];
    size_t n = strlen(places);
    double d;

    bool plain =
        cell.n + n <= sizeof text && str_chr(cell, 'e') == SIZE_MAX && str_chr(cell, 'E') == SIZE_MAX;
    if (plain) {
        memcpy(text, cell.p, cell.n);
        memcpy(text + cell.n, places, n);
    }
    if (!str_f64(plain ? (struct str){ text, cell.n + n } : cell, &d))
        return false;
    val_put_real(out, plain ? d : d * factor);
    return true;
}

/* Exact where the text is a whole number of ns. */
static bool scaled_real(struct str cell, const struct csv_op *op, struct val *out)
{
    bool rounded = false;
    int64_t i;

    if (!str_scaled(cell, op->mul, &i, &rounded) || rounded)
        return shifted(cell, op->mul == 1000 ? "e3" : "e6", (double)op->mul, out);
    val_put_real(out, (double)i);
    return true;
}

static bool apply_any(const struct csv_op *op, struct str cell, struct val *out)
{
    double d;
    uint64_t u;

    switch (op->code) {
    case OP_INT:
        return whole(cell, out);
    case OP_ID:
        if (!whole(cell, out))
            return false;
        if (out->i == (int64_t)UINT32_MAX)
            *out = val_null();
        return true;
    case OP_DEVICE:
        if (!str_eq_nocase(cell, STR("host")))
            return whole(cell, out);
        *out = val_null();
        return true;
    case OP_U64:
        if (!str_u64(cell, &u))
            return false;
        *out = val_uint(u);
        return true;
    case OP_NUMBER:
        if (whole(cell, out))
            return true;
        __attribute__((fallthrough));
    case OP_REAL:
        if (!str_f64(cell, &d))
            return false;
        val_put_real(out, d);
        return true;
    case OP_PERCENT:
        return shifted(cell, "e-2", 0.01, out);
    case OP_SCALED_REAL:
        return scaled_real(cell, op, out);
    case OP_SCALED:
        return scaled(cell, op->mul, out);
    case OP_TS:
        if (!scaled(cell, op->mul, out))
            return false;
        if (out->i == 0)
            *out = val_null();
        return true;
    default:
        return false;
    }
}

static bool apply_short(const struct csv_op *op, const struct dec *d, struct val *out)
{
    switch (op->code) {
    case OP_INT:
    case OP_ID:
    case OP_DEVICE:
        return short_whole(d, out);
    case OP_SCALED:
    case OP_TS:
        return short_scaled(op, d, out);
    case OP_NUMBER:
        return short_whole(d, out) || short_real(d, 0, out);
    case OP_REAL:
        return short_real(d, 0, out);
    case OP_PERCENT:
        return short_real(d, -2, out);
    case OP_SCALED_REAL:
        return short_real(d, op->mul == 1000 ? 3 : 6, out);
    default:
        return false;
    }
}

bool csv_apply(const struct csv_op *op, struct str cell, struct val *out)
{
    struct dec d;

    if (!short_decimal(cell, &d) || !apply_short(op, &d, out))
        return apply_any(op, cell, out);
    if ((op->code == OP_TS && out->i == 0) || (op->code == OP_ID && out->i == (int64_t)UINT32_MAX))
        *out = val_null();
    return true;
}

void csv_op_scale(struct csv_op *op, uint64_t mul)
{
    op->mul = op->rest = mul;
    for (op->tens = 0; op->rest && op->rest % 10 == 0; op->tens++)
        op->rest /= 10;
}

struct csv_op csv_op(enum csv_conv conv)
{
    struct csv_op op = { .code = convs[conv].code };

    csv_op_scale(&op, convs[conv].mul);
    return op;
}

bool csv_convert(enum csv_conv conv, struct str cell, struct val *out)
{
    struct csv_op op = csv_op(conv);
    char padded[64] = { 0 };

    *out = val_null();
    if (csv_is_null(cell))
        return true;
    if (cell.n > sizeof padded - CSV_PAD)
        return apply_any(&op, cell, out);
    memcpy(padded, cell.p, cell.n);
    return csv_apply(&op, (struct str){ padded, cell.n }, out);
}
