/* Private to the gen-1 writers: exact sums of printed numbers, as Python's Decimal gives them
 * (gen1-raw.md 4). */
#ifndef NPUSCOPE_DEMO_GEN1_DECIMAL_H
#define NPUSCOPE_DEMO_GEN1_DECIMAL_H

#include "demo/demo_out.h"

#define GEN1_DECIMAL_PLACES 40
#define GEN1_DECIMAL_WHOLE  16

/* A number >= 0; zeroed it is 0. */
struct gen1_decimal {
    int places; /* behind the point, trailing zeros kept */
    unsigned char whole[GEN1_DECIMAL_WHOLE],
        frac[GEN1_DECIMAL_PLACES]; /* units first; tenths first */
};

/* Add the shortest text of v (v >= 0). */
void gen1_decimal_add(struct gen1_decimal *d, double v);
void gen1_decimal_put(struct demo_out *o, const struct gen1_decimal *d);

#endif
