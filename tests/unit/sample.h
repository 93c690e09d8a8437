/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that try the same in many places try a sample of them where programs are slow. */
#ifndef NPUSCOPE_TESTS_UNIT_SAMPLE_H
#define NPUSCOPE_TESTS_UNIT_SAMPLE_H

#include <stddef.h>
#include <stdlib.h>

/* The step of a loop over such places: 1 takes all; with NPUSCOPE_TEST_SLOW (HACKING) one in so many. */
static inline size_t sample_step(size_t every)
{
    return getenv("NPUSCOPE_TEST_SLOW") ? every : 1;
}

/* The same, with NPUSCOPE_TEST_SHORT, too: one in fewer. */
static inline size_t sample_step_short(size_t every, size_t every_short)
{
    return sample_step(every) > 1 ? every : getenv("NPUSCOPE_TEST_SHORT") ? every_short : 1;
}

#endif
