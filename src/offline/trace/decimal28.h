/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python's Decimal with 28 significant digits, as far as sums and differences of times need it: a double
 * enters with all digits of its binary value (doc/formats/framework.md#long-decimals). Pure.
 */
#ifndef NPUSCOPE_OFFLINE_DECIMAL28_H
#define NPUSCOPE_OFFLINE_DECIMAL28_H

#include "base/str.h"

#define DECIMAL28_DIGITS 1100 /* of the longest double */
#define DECIMAL28_TEXT   (DECIMAL28_DIGITS + 8)

struct decimal28 {
    bool negative;
    int n;        /* digits, the first one is not 0; 0: zero */
    int decimals; /* of them after the point; may be more than n, never negative */
    char digit[DECIMAL28_DIGITS];
};

/* v / 10^decimals, with these decimals. */
void decimal28_set(struct decimal28 *d, int64_t v, int decimals);
/* The exact value of a finite double. */
void decimal28_set_real(struct decimal28 *d, double v);
/* *out = a + b (minus: a - b), half to even to 28 digits; out may be one of them. Numbers below 10^40. */
void decimal28_add(struct decimal28 *out, const struct decimal28 *a, const struct decimal28 *b, bool minus);
int decimal28_compare(const struct decimal28 *a, const struct decimal28 *b);
/* As str() writes it: "0.500", "1E-7". t has room. */
struct str decimal28_text(const struct decimal28 *d, char t[DECIMAL28_TEXT]);

#endif
