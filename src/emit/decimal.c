/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers of 28 digits. */
#include "config.h"

#include "emit/decimal.h"

#include <math.h>
#include <stdio.h>

#include "emit/emit.h"

#define DIGITS     28
#define MAX_DIGITS 37 /* of what 128 bits hold for sure */

static int digits_of(__int128 c)
{
    int n = 1;

    for (; c > 9 || c < -9; c /= 10)
        n++;
    return n;
}

/* Drop n digits, half to even. */
static __int128 drop(__int128 c, int n)
{
    __int128 p = 1;

    if (n > MAX_DIGITS)
        return 0;
    for (int i = 0; i < n; i++)
        p *= 10;
    __int128 q = c / p, rest = c % p;
    __int128 twice = 2 * (rest < 0 ? -rest : rest);
    if (twice > p || (twice == p && q % 2))
        q += c < 0 ? -1 : 1;
    return q;
}

static struct decimal context(struct decimal d)
{
    int n = digits_of(d.c) - DIGITS;

    if (n <= 0)
        return d;
    d.c = drop(d.c, n);
    d.exp += n;
    return digits_of(d.c) > DIGITS ? context(d) : d;
}

struct decimal decimal_of(double v)
{
    struct decimal d = { 0, 0 };
    char t[40];
    size_t n = isfinite(v) ? repr_text(v, t) : 0;
    bool behind = false, minus = n && t[0] == '-';
    int e = 0;

    for (size_t i = minus; i < n; i++) {
        if (t[i] == '.') {
            behind = true;
        } else if (t[i] == 'e') {
            bool down = t[i + 1] == '-';
            for (i += 2; i < n; i++)
                e = e * 10 + (t[i] - '0');
            d.exp += down ? -e : e;
        } else {
            d.c = d.c * 10 + (t[i] - '0');
            d.exp -= behind;
        }
    }
    if (minus)
        d.c = -d.c;
    return d;
}

struct decimal decimal_add(struct decimal a, struct decimal b)
{
    struct decimal big = a.exp >= b.exp ? a : b, small = a.exp >= b.exp ? b : a;
    int shift = big.exp - small.exp, room = MAX_DIGITS - digits_of(big.c);

    /* where both do not fit, what is left of the small one is beyond the 28 digits */
    if (shift > room && big.c) {
        small.c = drop(small.c, shift - room);
        small.exp = big.exp - room;
        shift = room;
    }
    for (int i = 0; big.c && i < shift; i++)
        big.c *= 10;
    small.c += big.c;
    return context(small);
}

/* Digits of |c|, from the left. */
static size_t put_digits(__int128 c, char t[48])
{
    unsigned __int128 v = c < 0 ? -(unsigned __int128)c : (unsigned __int128)c;
    char r[48];
    size_t n = 0;

    do
        r[n++] = (char)('0' + (int)(v % 10));
    while (v /= 10);
    for (size_t i = 0; i < n; i++)
        t[i] = r[n - 1 - i];
    return n;
}

/* Digits with a point after the first `whole` of them; whole may be 0 or less. */
static size_t put_point(const char *digit, size_t n, int whole, char *t)
{
    size_t len = 0;

    if (whole <= 0)
        t[len++] = '0';
    for (int i = whole < 0 ? whole : 0; i < (int)n; i++) {
        if (i == (whole < 0 ? whole : 0) && whole <= 0)
            t[len++] = '.';
        else if (i == whole)
            t[len++] = '.';
        t[len++] = i < 0 ? '0' : digit[i];
    }
    return len;
}

struct str decimal_text(struct decimal d, char t[DECIMAL_TEXT])
{
    char digit[48];
    size_t n = put_digits(d.c, digit), len = 0;
    int adjusted = d.exp + (int)n - 1;

    if (d.c < 0)
        t[len++] = '-';
    if (d.exp <= 0 && adjusted >= -6) {
        len += put_point(digit, n, (int)n + d.exp, t + len);
    } else {
        len += put_point(digit, n, 1, t + len);
        len += (size_t)snprintf(t + len, DECIMAL_TEXT - len, "E%+d", adjusted);
    }
    return (struct str){ t, len };
}

/* a * 10^n, false when it does not fit. */
static bool scaled(__int128 a, int n, __int128 *out)
{
    for (; n > 0 && a; n--)
        if (__builtin_mul_overflow(a, 10, &a))
            return false;
    *out = a;
    return true;
}

/* Hundredths of a percent, half to even. */
static bool share(struct decimal part, struct decimal whole, int64_t *out)
{
    int shift = 4 + part.exp - whole.exp;
    __int128 over, under, twice;

    if (!scaled(part.c, shift, &over) || !scaled(whole.c, -shift, &under) || !under)
        return false;
    __int128 q = over / under, rest = over % under;
    bool up = (over < 0) == (under < 0);
    if (__builtin_mul_overflow(rest < 0 ? -rest : rest, 2, &twice))
        return false;
    __int128 size = under < 0 ? -under : under;
    if (twice > size || (twice == size && q % 2))
        q += up ? 1 : -1;
    *out = (int64_t)q;
    return q < INT64_C(100000000000000000) && q > -INT64_C(100000000000000000);
}

bool decimal_percent(struct decimal part, struct decimal whole, char t[DECIMAL_TEXT], struct str *out)
{
    int64_t v;

    if (!whole.c || !share(part, whole, &v))
        return false;
    *out = decimal_text((struct decimal){ v, -2 }, t);
    return true;
}
