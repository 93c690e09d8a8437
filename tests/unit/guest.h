/* SPDX-License-Identifier: Apache-2.0 */
/* A run whose program is started by another (valgrind, qemu) says so: what starts it again is left out. */
#ifndef NPUSCOPE_TESTS_UNIT_GUEST_H
#define NPUSCOPE_TESTS_UNIT_GUEST_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool is_guest(void)
{
    return getenv("NPUSCOPE_TEST_GUEST") != NULL;
}

#endif
