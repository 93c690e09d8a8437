/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python's Decimal as the files of MindSpore 1.x need it (doc/formats/mindspore1.md#text-forms): sums of
 * printed numbers with 28 significant digits, half to even, and shares of them. Pure.
 */
#ifndef NPUSCOPE_EMIT_DECIMAL_H
#define NPUSCOPE_EMIT_DECIMAL_H

#include <stdbool.h>

#include "base/str.h"

#define DECIMAL_TEXT 64

/* c * 10^exp. */
struct decimal {
    __int128 c;
    int exp;
};

/* The shortest text of a double, as a decimal. */
struct decimal decimal_of(double v);
struct decimal decimal_add(struct decimal a, struct decimal b);
/* With the exponent that it has: "0.00110", "1E-7". */
struct str decimal_text(struct decimal d, char t[DECIMAL_TEXT]);
/*
 * part / whole * 100 with two decimals, half to even: "38.13". false: whole is 0, or the share is beyond
 * 10^15.
 */
bool decimal_percent(struct decimal part, struct decimal whole, char t[DECIMAL_TEXT], struct str *out);

#endif
