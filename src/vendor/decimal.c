/* Exact decimal sums. */
#include "config.h"

#include "vendor/decimal.h"

/* Digits of repr(v) to a number with the point at its place; an exponent only occurs for small
 * values ("1e-05"). */
static struct decimal parse(double v)
{
    struct decimal d = { .places = 0 };
    char t[32];
    size_t n = vendor_repr(v, t), e = 0;
    int shift = 0, point = -1, digits = 0;
    char digit[32];
    while (e < n && t[e] != 'e')
        e++;
    for (size_t i = e + 2; i < n; i++) /* behind "e-" */
        shift = shift * 10 + (t[i] - '0');
    for (size_t i = 0; i < e; i++)
        if (t[i] == '.')
            point = digits;
        else
            digit[digits++] = (char)(t[i] - '0');
    if (point < 0)
        point = digits;
    for (int i = 0; i < digits; i++) {
        int place = i - point + shift; /* 0: tenths, negative: whole part */
        if (place >= DECIMAL_PLACES || -place > DECIMAL_WHOLE)
            continue;
        if (place >= 0)
            d.frac[place] = (unsigned char)digit[i];
        else
            d.whole[-place - 1] = (unsigned char)digit[i];
        if (place >= 0 && place + 1 > d.places)
            d.places = place + 1;
    }
    return d;
}

void decimal_add(struct decimal *d, double v)
{
    struct decimal x = parse(v);
    int carry = 0;
    if (x.places > d->places)
        d->places = x.places;
    for (int i = DECIMAL_PLACES; i-- > 0;) {
        int s = d->frac[i] + x.frac[i] + carry;
        d->frac[i] = (unsigned char)(s % 10);
        carry = s / 10;
    }
    for (int i = 0; i < DECIMAL_WHOLE; i++) {
        int s = d->whole[i] + x.whole[i] + carry;
        d->whole[i] = (unsigned char)(s % 10);
        carry = s / 10;
    }
}

void decimal_put(struct vout *o, const struct decimal *d)
{
    int top = DECIMAL_WHOLE - 1;
    while (top > 0 && !d->whole[top])
        top--;
    for (int i = top; i >= 0; i--)
        vout_c(o, (char)('0' + d->whole[i]));
    if (d->places)
        vout_c(o, '.');
    for (int i = 0; i < d->places; i++)
        vout_c(o, (char)('0' + d->frac[i]));
}
