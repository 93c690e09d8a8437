/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How rows of a table of another program's database are read: from the pages of its file where nothing but
 * that file counts, else by a statement. Internal to src/store.
 */
#ifndef NPUSCOPE_FOREIGN_SOURCE_H
#define NPUSCOPE_FOREIGN_SOURCE_H

#include "store/db.h"
#include "store/foreign_rows.h"
#include "store/pages/page_rows.h"

/* ---- by a statement ---- */

struct statement_rows {
    sqlite3_stmt *st;
    int rc; /* SQLite's code at the end: SQLITE_DONE when all rows were read */
};
/* A row_source's next; arg is a struct statement_rows. */
bool statement_rows_next(void *arg, struct val *v);

/* ---- from the pages ---- */

/* Why foreign_pages() may look at a table's layout: for the connection's authorizer. */
bool foreign_pages_needs(int action, const char *what);
/*
 * Begin to read these columns (n 0: rows of one NULL) of a table from the pages of the file. *out NULL: a
 * statement has to read it, because columns are computed or have defaults, or for what page_rows_new() names.
 * value_most as there. Errors: SQLite's are left to the statement; ERR_IO, ERR_NOMEM.
 */
NODISCARD int foreign_pages(struct page_rows **out, sqlite3 *db, const char *path, struct str table,
                            const struct str *names, size_t n, size_t value_most, struct err *e);
/* A row_source's next; arg is a struct page_rows. */
bool foreign_pages_next(void *arg, struct val *v);

#endif
