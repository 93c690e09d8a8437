/* What the chip of a folder means for its files and for the analysis of msprof. */
#include "config.h"

#include "parsers/prof/prof.h"

/* platform_version (0.1) */
static const int stars_chips[] = { 5, 7, 8, 11, 15, 16 };
static const int cpp_chips[] = { 5, 15, 16 };
static const int both_cores_chips[] = { 5, 15, 16 }; /* mscalculate/stars of msprof: mix kernels */
static const int v6_chips[] = { 15, 16 };
static const int known_chips[] = { 0, 1, 2, 3, 4, 5, 7, 8, 11, 15, 16 };
static const int no_batch_chips[] = { 0, 2, 11, 15, 16 }; /* 7; V6 needs none */

static bool is_one_of(int chip, const int *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == chip)
            return true;
    return false;
}

bool prof_has_stars(const struct prof *p)
{
    return is_one_of(p->chip, stars_chips, ARRAY_LEN(stars_chips));
}

bool prof_is_v6(const struct prof *p)
{
    return is_one_of(p->chip, v6_chips, ARRAY_LEN(v6_chips));
}

bool prof_has_batches(const struct prof *p)
{
    return !is_one_of(p->chip, no_batch_chips, ARRAY_LEN(no_batch_chips));
}

bool prof_knows_chip(const struct prof *p)
{
    return is_one_of(p->chip, known_chips, ARRAY_LEN(known_chips));
}

bool prof_has_both_cores(const struct prof *p)
{
    return is_one_of(p->chip, both_cores_chips, ARRAY_LEN(both_cores_chips));
}

bool prof_is_cpp(const struct prof *p)
{
    return is_one_of(p->chip, cpp_chips, ARRAY_LEN(cpp_chips));
}

/* ---- notes ---- */

/* Without a listener notes go nowhere. */
