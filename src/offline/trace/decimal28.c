/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal digits in a row, added as on paper. */
#include "config.h"

#include "offline/trace/decimal28.h"

#include <math.h>
#include <stdio.h>

#define PRECISION 28
#define SUM_MAX   (2 * DECIMAL28_DIGITS)

/* Take digits, of which the last `decimals` stand after the point, without zeros before the first. */
static void take(struct decimal28 *d, bool negative, const char *digit, int n, int decimals)
{
    while (n > 0 && *digit == '0') {
        digit++;
        n--;
    }
    if (n > DECIMAL28_DIGITS) { /* beyond any double */
        decimals -= n - DECIMAL28_DIGITS;
        n = DECIMAL28_DIGITS;
    }
    d->negative = negative;
    d->n = n;
    d->decimals = decimals < 0 ? 0 : decimals;
    memmove(d->digit, digit, (size_t)n);
}

void decimal28_set(struct decimal28 *d, int64_t v, int decimals)
{
    char t[24];
    int n = snprintf(t, sizeof t, "%lld", (long long)v), at = v < 0;

    take(d, v < 0, t + at, n - at, decimals);
}

void decimal28_set_real(struct decimal28 *d, double v)
{
    char t[1500], out[1500];
    int n, k = 0, decimals = 0;

    if (!isfinite(v))
        v = 0;
    /* 52 bits of a fraction from 2^-7 on are at most 59 decimals */
    n = snprintf(t, sizeof t, "%.*f", v == 0 || fabs(v) >= 0x1p-7 ? 60 : 1075, fabs(v));
    while (n && t[n - 1] == '0')
        n--;
    for (int i = 0; i < n; i++)
        if (t[i] == '.')
            decimals = n - i - 1;
        else
            out[k++] = t[i];
    take(d, v < 0, out, k, decimals);
}

/* The digit of weight 10^-place, place counted from the point to the right; 0 outside of d. */
static int digit_at(const struct decimal28 *d, int place)
{
    int i = place + (d->n - d->decimals) - 1;

    return i >= 0 && i < d->n ? d->digit[i] - '0' : 0;
}

static int whole_digits(const struct decimal28 *d)
{
    return d->n > d->decimals ? d->n - d->decimals : 0;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* The same for values without their signs. */
static int compare_sizes(const struct decimal28 *a, const struct decimal28 *b)
{
    int whole = most(whole_digits(a), whole_digits(b)), last = most(a->decimals, b->decimals);

    for (int place = 1 - whole; place <= last; place++) {
        int x = digit_at(a, place), y = digit_at(b, place);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

int decimal28_compare(const struct decimal28 *a, const struct decimal28 *b)
{
    bool na = a->negative && a->n, nb = b->negative && b->n;

    if (na != nb)
        return na ? -1 : 1;
    return na ? compare_sizes(b, a) : compare_sizes(a, b);
}

/*
 * p[0..n) to 28 significant digits; returns how many are left. There is a zero, or a carried one, before the
 * first digit of both numbers, so that nothing is carried further.
 */
static int round_digits(char *p, int n, int *decimals)
{
    int from = 0;
    bool more = false;

    while (from < n && p[from] == '0')
        from++;
    int keep = from + PRECISION;
    if (n <= keep)
        return n;
    for (int i = keep + 1; i < n; i++)
        more |= p[i] != '0';
    bool up = p[keep] > '5' || (p[keep] == '5' && (more || (p[keep - 1] - '0') % 2));
    for (int i = keep - 1; up && i >= 0; i--) {
        up = p[i] == '9';
        p[i] = up ? '0' : (char)(p[i] + 1);
    }
    if (from && p[from - 1] != '0') /* 999 became 1000: a digit too many */
        keep--;
    *decimals -= n - keep;
    return keep;
}

void decimal28_add(struct decimal28 *out, const struct decimal28 *a, const struct decimal28 *b, bool minus)
{
    char p[SUM_MAX];
    bool nb = minus ? !b->negative : b->negative, take_away = a->negative != nb, negative = a->negative;
    int whole = most(whole_digits(a), whole_digits(b)) + 1, last = most(a->decimals, b->decimals);
    int n = whole + last, carry = 0;

    if (take_away && compare_sizes(a, b) < 0) {
        const struct decimal28 *t = a;
        a = b;
        b = t;
        negative = nb;
    }
    for (int i = n - 1; i >= 0; i--) {
        int place = i - whole + 1, x = digit_at(a, place), y = digit_at(b, place);
        int v = take_away ? x - y + carry : x + y + carry;
        carry = v < 0 ? -1 : v > 9;
        p[i] = (char)('0' + (v + 10) % 10);
    }
    int decimals = last;
    n = round_digits(p, n, &decimals);
    take(out, negative, p, n, decimals);
    if (!out->n)
        out->negative = false;
}

struct str decimal28_text(const struct decimal28 *d, char t[DECIMAL28_TEXT])
{
    int adjusted = d->n - 1 - d->decimals, k = 0;

    if (d->negative)
        t[k++] = '-';
    if (d->decimals && (d->n ? adjusted : -d->decimals) < -6) {
        t[k++] = d->n ? d->digit[0] : '0';
        if (d->n > 1)
            t[k++] = '.';
        for (int i = 1; i < d->n; i++)
            t[k++] = d->digit[i];
        k += snprintf(t + k, 8, "E%d", d->n ? adjusted : -d->decimals);
        return (struct str){ t, (size_t)k };
    }
    int whole = whole_digits(d);
    for (int i = 0; i < whole; i++)
        t[k++] = d->digit[i];
    if (!whole)
        t[k++] = '0';
    if (d->decimals)
        t[k++] = '.';
    for (int place = 1; place <= d->decimals; place++)
        t[k++] = (char)('0' + digit_at(d, place));
    return (struct str){ t, (size_t)k };
}
