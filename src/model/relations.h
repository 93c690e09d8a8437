/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The views and tables of a store as a person picks from them: those that are asked for first on top, with
 * their rows. Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_RELATIONS_H
#define NPUSCOPE_MODEL_RELATIONS_H

#include <stdint.h>

#include "store/schema.h"

#define RELATIONS_MAX      128
#define RELATION_ROWS_LOOK 100000 /* rows of larger tables are not counted */

struct store;
struct relation {
    const char *name, *help; /* English */
    const struct schema_column *cols;
    size_t n_cols;
    int64_t rows; /* -1: made from other tables when it is read, or not known */
    bool about;   /* at least RELATION_ROWS_LOOK, by the last of its row ids */
};

/*
 * Those that have rows, as far as that is known; s NULL: all. Returns how many; none is left out for want of
 * room (RELATIONS_MAX). Reads at most RELATION_ROWS_LOOK rows of each.
 */
size_t relations_of(struct store *s, struct relation out[RELATIONS_MAX]);

#endif
