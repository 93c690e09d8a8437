/* Private to the gen-1 writers: exact sums of printed numbers, as Python's Decimal gives them
 * (gen1-raw.md 4). */
#ifndef NPUSCOPE_DEMO_DECIMAL_H
#define NPUSCOPE_DEMO_DECIMAL_H

#include "vendor/vout.h"

#define DECIMAL_PLACES 40
#define DECIMAL_WHOLE  16

/* A number >= 0; zeroed it is 0. */
struct decimal {
    int places; /* behind the point, trailing zeros kept */
    unsigned char whole[DECIMAL_WHOLE], frac[DECIMAL_PLACES]; /* units first; tenths first */
};

/* Add the shortest text of v (v >= 0). */
void decimal_add(struct decimal *d, double v);
void decimal_put(struct vout *o, const struct decimal *d);

#endif
