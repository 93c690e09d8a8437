/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite helpers private to src/store: every call's result becomes a struct err here. */
#ifndef NPUSCOPE_DB_H
#define NPUSCOPE_DB_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/val.h"

/* Set e from a result of SQLite. Returns the err_code. */
int db_error(struct err *e, sqlite3 *db, int rc, const char *what);
NODISCARD int db_exec(sqlite3 *db, const char *sql, struct err *e);
/*
 * For busy handlers: wait a moment for another process that holds the store, at most half a minute in all.
 * n: how often that was done for this lock. false: long enough.
 */
bool db_wait(int n);
NODISCARD int db_prepare(sqlite3 *db, sqlite3_stmt **out, const char *sql, struct err *e);
/* Bind a value; text is static for the step that follows. */
void db_bind(sqlite3_stmt *st, int i, const struct val *v);
/* Step a statement that gives no rows, then reset it. */
NODISCARD int db_run(sqlite3 *db, sqlite3_stmt *st, struct err *e);
/*
 * Register X REGEXP Y of SQL, and regexp_row(Y, A, B ...) on values joined by tabs: base/re with its limits;
 * too costly a pattern is an error. And square_root(X).
 */
NODISCARD int regexp_register(sqlite3 *db, struct err *e);
/* Register each_row() and the collation natural (store/scan.c). */
NODISCARD int scan_register(sqlite3 *db, struct err *e);
/* Register the virtual tables event, flow, counter_sample on this connection (store/vtab.c). */
NODISCARD int vtab_register(sqlite3 *db, struct err *e);
/* Register the virtual table exec_sum on this connection (store/exec_sum.c). */
NODISCARD int exec_sum_register(sqlite3 *db, struct err *e);

#endif
