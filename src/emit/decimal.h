/*
 * Python's Decimal as the files of generation 1 need it (formats/gen1-raw.md 4): sums of printed numbers with 28
 * significant digits, half to even, and shares of them. Pure.
 */
#ifndef NPUSCOPE_EMIT_DECIMAL_H
#define NPUSCOPE_EMIT_DECIMAL_H

#include <stdbool.h>

#include "base/str.h"

#define G1_DECIMAL_TEXT 64

/* c * 10^exp. */
struct g1_decimal {
    __int128 c;
    int exp;
};

/* The shortest text of a double, as a decimal. */
struct g1_decimal g1_decimal_of(double v);
struct g1_decimal g1_decimal_add(struct g1_decimal a, struct g1_decimal b);
/* With the exponent that it has: "0.00110", "1E-7". */
struct str g1_decimal_text(struct g1_decimal d, char t[G1_DECIMAL_TEXT]);
/* part / whole * 100 with two decimals, half to even: "38.13". false: whole is 0, or the share is beyond 10^15. */
bool g1_decimal_percent(struct g1_decimal part, struct g1_decimal whole, char t[G1_DECIMAL_TEXT],
                        struct str *out);

#endif
