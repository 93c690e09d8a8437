/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortest decimal text of a double, as Python prints it, without the C library's locale.
 *
 * Digits by the free-format algorithm of Steele and White ("How to print floating-point numbers
 * accurately", 1990) on exact integers: value = r / s * 10^k, m+ and m- half the gaps to the
 * neighbours; digits are produced until the rest is inside the gap.
 */
#include "config.h"

#include <string.h>

#include "emit/emit.h"

/* Two digits a step: a number is a good part of what large files hold. */
static const char pairs[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

char *emit_number(uint64_t v, char buf[24])
{
    char *p = buf + 23;

    *p = '\0';
    for (; v >= 100; v /= 100)
        memcpy(p -= 2, pairs + v % 100 * 2, 2);
    if (v >= 10)
        memcpy(p -= 2, pairs + v * 2, 2);
    else
        *--p = (char)('0' + v);
    return p;
}

/* 1074 + 53 bits of the smallest, 1024 of the largest double, and room for * 10 */
#define LIMBS      40
#define PLAIN_DOWN 112 /* of plain_digits(): 128 bits less those of a digit and the gaps */

struct big {
    int n; /* used limbs, little end first */
    uint32_t d[LIMBS];
};

static void big_set(struct big *b, uint64_t v)
{
    b->n = 0;
    while (v) {
        b->d[b->n++] = (uint32_t)v;
        v >>= 32;
    }
}

static void big_mul(struct big *b, uint32_t f)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->d[i] * f;
        b->d[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->d[b->n++] = (uint32_t)carry;
}

static void big_shl(struct big *b, int bits)
{
    int limbs = bits / 32, rest = bits % 32;
    if (!b->n)
        return;
    if (rest)
        big_mul(b, (uint32_t)1 << rest);
    if (limbs) {
        memmove(b->d + limbs, b->d, (size_t)b->n * sizeof *b->d);
        memset(b->d, 0, (size_t)limbs * sizeof *b->d);
        b->n += limbs;
    }
}

static int big_cmp(const struct big *a, const struct big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = a->n; i-- > 0;)
        if (a->d[i] != b->d[i])
            return a->d[i] < b->d[i] ? -1 : 1;
    return 0;
}

/* a + b against c */
static int big_cmp_sum(const struct big *a, const struct big *b, const struct big *c)
{
    struct big t;
    uint64_t carry = 0;
    int n = a->n > b->n ? a->n : b->n;
    if (n + 1 < c->n)
        return -1;
    for (int i = 0; i < n; i++) {
        carry += (i < a->n ? a->d[i] : 0u);
        carry += (i < b->n ? b->d[i] : 0u);
        t.d[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        t.d[n++] = (uint32_t)carry;
    t.n = n;
    return big_cmp(&t, c);
}

/* a -= b, a >= b */
static void big_sub(struct big *a, const struct big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->n; i++) {
        borrow += (int64_t)a->d[i] - (i < b->n ? (int64_t)b->d[i] : 0);
        a->d[i] = (uint32_t)borrow;
        borrow >>= 32; /* arithmetic: -1 or 0 */
    }
    while (a->n && !a->d[a->n - 1])
        a->n--;
}

struct scaled {
    struct big r, s, mp, mm;
    bool even; /* an even mantissa: the borders of the gap round back to it */
};

/* r/s = v, and half gaps above and below; returns nothing, k is fixed by fix_exponent. */
static void scale(struct scaled *c, uint64_t mant, int exp2, bool narrow)
{
    int up = exp2 > 0 ? exp2 : 0, down = exp2 < 0 ? -exp2 : 0, extra = narrow ? 1 : 0;
    big_set(&c->r, mant);
    big_set(&c->s, 1);
    big_set(&c->mp, 1);
    big_set(&c->mm, 1);
    big_shl(&c->r, up + 1 + extra);
    big_shl(&c->s, down + 1 + extra);
    big_shl(&c->mp, up + extra);
    big_shl(&c->mm, up);
    c->even = !(mant & 1);
}

/*
 * Multiply so that 0.1 <= v/10^k < 1 in the sense of the gap; returns k. exp2: v >= 2^exp2, which gives k to
 * start from.
 */
static int fix_exponent(struct scaled *c, int exp2)
{
    int k = exp2 * 30103 / 100000 - (exp2 < 0);
    for (int i = 0; i < k; i++)
        big_mul(&c->s, 10);
    for (int i = k; i < 0; i++) {
        big_mul(&c->r, 10);
        big_mul(&c->mp, 10);
        big_mul(&c->mm, 10);
    }
    while (big_cmp_sum(&c->r, &c->mp, &c->s) >= (c->even ? 0 : 1)) {
        big_mul(&c->s, 10);
        k++;
    }
    return k;
}

static int digits_of(struct scaled *c, char *digit)
{
    int n = 0;
    for (;;) {
        int d = 0;
        big_mul(&c->r, 10);
        big_mul(&c->mp, 10);
        big_mul(&c->mm, 10);
        while (big_cmp(&c->r, &c->s) >= 0) {
            big_sub(&c->r, &c->s);
            d++;
        }
        bool low = big_cmp(&c->r, &c->mm) < (c->even ? 1 : 0);
        bool high = big_cmp_sum(&c->r, &c->mp, &c->s) >= (c->even ? 0 : 1);
        if (!low && !high) {
            digit[n++] = (char)('0' + d);
            continue;
        }
        int half = big_cmp_sum(&c->r, &c->r, &c->s);
        if (high && (!low || half > 0 || (half == 0 && d % 2)))
            d++;
        digit[n++] = (char)('0' + d);
        return n;
    }
}

/* Python's layout: positional for exponents -4 .. 15, else scientific. point: position of the point
 * before digit[point]. */
static size_t layout(char *out, const char *digit, int n, int point)
{
    char *p = out;
    if (point > -4 && point <= 16) {
        int i = 0;
        if (point <= 0) {
            *p++ = '0';
            *p++ = '.';
            for (int z = point; z < 0; z++)
                *p++ = '0';
        } else {
            for (; i < point; i++)
                *p++ = i < n ? digit[i] : '0';
            *p++ = '.';
            if (i >= n)
                *p++ = '0';
        }
        for (; i < n; i++)
            *p++ = digit[i];
        return (size_t)(p - out);
    }
    int ex = point - 1, a = ex < 0 ? -ex : ex;
    *p++ = digit[0];
    if (n > 1) {
        *p++ = '.';
        memcpy(p, digit + 1, (size_t)n - 1);
        p += n - 1;
    }
    *p++ = 'e';
    *p++ = ex < 0 ? '-' : '+';
    if (a >= 100)
        *p++ = (char)('0' + a / 100);
    *p++ = (char)('0' + a / 10 % 10);
    *p++ = (char)('0' + a % 10);
    return (size_t)(p - out);
}

/*
 * Digits of a value that has at most 15 of them, nine after the point: most of what is printed. A quotient of
 * two exact numbers that gives v again is its decimal, and no other text of up to 15 digits gives the same
 * double. 0: has more digits.
 */
static int short_digits(double v, char *digit, int *point)
{
    static const double pow10[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    if (v < 1e-4 || v >= 1e15)
        return 0;
    for (int places = 0; places < 10 && v * pow10[places] < 1e15; places++) {
        uint64_t m = (uint64_t)(v * pow10[places] + 0.5);
        char t[24], *p;
        int n;
        if ((double)m / pow10[places] != v)
            continue;
        p = emit_number(m, t);
        n = (int)(t + sizeof t - 1 - p);
        *point = n - places;
        while (n > 1 && p[n - 1] == '0')
            n--;
        memcpy(digit, p, (size_t)n);
        return n;
    }
    return 0;
}

/*
 * The same digits for mant / 2^down below 2^53, where the denominator is a power of two and fits: no digit
 * before the point can be the last one, because half a gap is at most 1/2 there, unless all that follows is
 * 0.
 */
static int plain_digits(uint64_t mant, int down, bool narrow, char *digit, int *point)
{
    const unsigned __int128 one = (unsigned __int128)1 << (down + 1 + narrow);
    unsigned __int128 r = ((unsigned __int128)mant << (1 + narrow)) & (one - 1), mm = 1,
                      mp = (unsigned __int128)1 << narrow;
    uint64_t whole = down < 64 ? mant >> down : 0;
    char t[24], *w = emit_number(whole, t);
    int n = whole ? (int)(t + sizeof t - 1 - w) : 0;
    bool even = !(mant & 1);

    memcpy(digit, w, (size_t)n);
    *point = n;
    for (bool last = !r; !last;) {
        r *= 10, mp *= 10, mm *= 10;
        int d = (int)(r / one);
        r &= one - 1;
        bool low = even ? r <= mm : r < mm, high = even ? r + mp >= one : r + mp > one;
        last = low || high;
        if (!last && !n && !d) {
            --*point;
            continue;
        }
        if (high && (!low || 2 * r > one || (2 * r == one && d % 2)))
            d++;
        digit[n++] = (char)('0' + d);
    }
    while (n > 1 && digit[n - 1] == '0')
        n--;
    return n;
}

size_t repr_text(double v, char *buf)
{
    uint64_t bits;
    char digit[24], *p = buf;
    struct scaled c;
    int k, n;
    memcpy(&bits, &v, sizeof bits);
    if (bits >> 63) {
        *p++ = '-';
        v = -v;
    }
    uint64_t frac = bits & (((uint64_t)1 << 52) - 1);
    int be = (int)(bits >> 52 & 0x7ff);
    if (be == 0x7ff || (!be && !frac)) { /* no caller makes an infinity or NaN */
        memcpy(p, "0.0", 3);
        return (size_t)(p + 3 - buf);
    }
    n = short_digits(v, digit, &k);
    uint64_t mant = be ? frac | (uint64_t)1 << 52 : frac;
    if (!n && be >= 1075 - PLAIN_DOWN && be < 1075) {
        n = plain_digits(mant, 1075 - be, !frac, digit, &k);
    } else if (!n) {
        scale(&c, mant, (be ? be : 1) - 1075, be > 1 && !frac);
        k = fix_exponent(&c, be ? be - 1023 : -1074);
        n = digits_of(&c, digit);
    }
    return (size_t)(p - buf) + layout(p, digit, n, k);
}

#define WHOLE_MAX 9e18 /* a double below 2^63 */

int64_t repr_whole(double v)
{
    if (!(v < WHOLE_MAX))
        return v >= WHOLE_MAX ? (int64_t)WHOLE_MAX : 0;
    return v > -WHOLE_MAX ? (int64_t)v : -(int64_t)WHOLE_MAX;
}
