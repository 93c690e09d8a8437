/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients rounded as msprof's decimals round them. */
#ifndef NPUSCOPE_BASE_ROUND_H
#define NPUSCOPE_BASE_ROUND_H

#include <stdint.h>

/*
 * over / under to a whole number, half to even; 0 when there is nothing to divide by, the largest when it
 * does not fit.
 */
static inline int64_t prof_half_even(__int128 over, __int128 under)
{
    if (under <= 0 || over < 0)
        return 0;
    __int128 q = over / under, rest = over % under;

    /* not twice the rest, which may not fit */
    if (rest > under - rest || (rest == under - rest && q % 2))
        q++;
    return q > INT64_MAX ? INT64_MAX : (int64_t)q;
}

#endif
