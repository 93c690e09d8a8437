/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of another program's database (store/foreign.h), read by a thread while the caller uses those before.
 * Until it returns their source belongs to that thread. Internal to src/store.
 */
#ifndef NPUSCOPE_FOREIGN_ROWS_H
#define NPUSCOPE_FOREIGN_ROWS_H

#include "store/foreign.h"

#define FOREIGN_COLUMNS 2000 /* SQLite's own limit */

/* Where rows come from. */
struct row_source {
    /*
     * The next row's n values into v; texts are borrowed until the next call. false: the rows have ended, or
     * could not be read: the source knows which.
     */
    bool (*next)(void *arg, struct val *v);
    void *arg;
    size_t n; /* columns, 1 to FOREIGN_COLUMNS */
};

/* Call fn for every row, in order, in the caller's thread. Few rows are read without a thread. Errors: those
 * of fn, ERR_NOMEM. */
NODISCARD int foreign_rows(const struct row_source *from, foreign_row_fn *fn, void *arg, struct err *e);

#endif
