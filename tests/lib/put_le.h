/* SPDX-License-Identifier: Apache-2.0 */
/* A number of n bytes as records hold it. */
#ifndef NPUSCOPE_TEST_PUT_LE_H
#define NPUSCOPE_TEST_PUT_LE_H

#include <stddef.h>
#include <stdint.h>

static inline void put_le(unsigned char *p, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(v >> (8 * i));
}

#endif
