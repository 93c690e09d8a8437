/* A run that is slowed down many times, or whose program is started by another (valgrind), says so: what rests on times is left out there. */
#ifndef NPUSCOPE_TEST_SLOWED_H
#define NPUSCOPE_TEST_SLOWED_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool is_slowed(void)
{
    return getenv("NPUSCOPE_TEST_SLOWED") != NULL;
}

#endif
