/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database of another program's schema, written from beginning to end: made beside its target and renamed
 * to it when it is whole.
 *
 * Its pages are written as they fill, without SQLite's library: an INSERT costs ten times as much. It needs
 * memory for some pages and for the values of indexes. Rows are stored as an INSERT stores them in a column
 * of the type given: whole reals as integers where the column is INTEGER or NUMERIC, text that is no UTF-8 or
 * holds NUL as BLOB. Errors carry the target's name; ERR_FULL is a full disk. After an error only
 * dbout_drop() may be called. Not thread-safe.
 */
#ifndef NPUSCOPE_DBOUT_H
#define NPUSCOPE_DBOUT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/val.h"

struct dbout;
struct dbout_table;

#define DBOUT_COLUMNS       64
#define DBOUT_INDEX_COLUMNS 3

/*
 * replace false: a target that exists is an error. A target cannot be a pipe or a terminal. Errors: ERR_IO,
 * ERR_FULL, ERR_NOMEM, ERR_USAGE.
 */
NODISCARD int dbout_open(struct dbout **out, const char *path, bool replace, struct err *e);
/*
 * Make a table; *out belongs to d. columns: names, each with a mark of its type: none INTEGER, n NUMERIC, r
 * REAL, t TEXT, pk INTEGER PRIMARY KEY; for example "id pk,name t,value n". Rows of several tables may be
 * written in turns.
 */
NODISCARD int dbout_table(struct dbout *d, struct dbout_table **out, const char *name, const char *columns,
                          struct err *e);
/*
 * Make an index, before the table's first row. columns: "startNs,id", which hold an integer (VAL_INT) in
 * every row.
 */
NODISCARD int dbout_index(struct dbout_table *t, const char *name, const char *columns, struct err *e);
/* Add a row: a value for each column, borrowed for the call. Primary keys must ascend, or it is ERR_BUG. */
NODISCARD int dbout_row(struct dbout_table *t, const struct val *v, struct err *e);
/* Write the rest and give the file its name. Frees d, also after an error. */
NODISCARD int dbout_close(struct dbout *d, struct err *e);
/* Remove what was written, and free d. NULL is allowed. */
void dbout_drop(struct dbout *d);

#endif
