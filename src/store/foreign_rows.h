/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a statement of another program's database (store/foreign.h), read by a thread while the caller uses
 * those before. Until it returns the statement's connection belongs to that thread. Internal to src/store.
 */
#ifndef NPUSCOPE_FOREIGN_ROWS_H
#define NPUSCOPE_FOREIGN_ROWS_H

#include "store/db.h"
#include "store/foreign.h"

#define FOREIGN_COLUMNS 2000 /* SQLite's own limit */

/*
 * Call fn for every row, in order, in the caller's thread. *rc: SQLite's code at the end, SQLITE_DONE when
 * all rows were read. Few rows are read without a thread. Errors: those of fn, ERR_NOMEM.
 */
NODISCARD int foreign_rows(sqlite3_stmt *st, foreign_row_fn *fn, void *arg, int *rc, struct err *e);

#endif
