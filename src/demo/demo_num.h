/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the demo writers. */
#ifndef NPUSCOPE_DEMO_NUM_H
#define NPUSCOPE_DEMO_NUM_H

#include <stdint.h>

/* ns since 1970 as Python's double of us: exact, except that it is rounded to a quarter at this size. */
static inline double demo_us(int64_t unix_ns)
{
    return (double)(unix_ns / 1000) + (double)((unix_ns % 1000 + 125) / 250) * 0.25;
}

/* v rounded half away from zero to n (0..6) decimals, as an integer scaled by 10^n. */
static inline int64_t demo_round(double v, int n)
{
    static const double pow10[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6 };
    double s = v * pow10[n];
    return s < 0 ? -(int64_t)(0.5 - s) : (int64_t)(s + 0.5);
}

#endif
