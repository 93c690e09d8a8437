/*
 * A database of somebody else's schema, written from its beginning to its end: made beside its target and
 * renamed to it when it is whole.
 *
 * Its pages are written as they fill, with no help of SQLite's library: an INSERT costs ten times as much.
 * Memory is that of some pages, and of the values of indexes. Rows are stored as an INSERT stores them in a
 * column of the type given: whole reals as integers where the column is INTEGER or NUMERIC, text that is no
 * UTF-8 or holds NUL as BLOB. Errors carry the target's name; ERR_FULL is a full disk. After an error there
 * is nothing to do but dbout_drop(). Not thread-safe.
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
 * replace false: a target that exists is an error. Pipes and terminals cannot be one. ERR_IO, ERR_FULL,
 * ERR_NOMEM, ERR_USAGE.
 */
NODISCARD int dbout_open(struct dbout **out, const char *path, bool replace, struct err *e);
/*
 * Make a table; *out belongs to d. columns: names with their types, INTEGER when nothing is said, n NUMERIC,
 * r REAL, t TEXT, pk INTEGER PRIMARY KEY: "id pk,name t,value n". Tables may be written in turns.
 */
NODISCARD int dbout_table(struct dbout *d, struct dbout_table **out, const char *name, const char *columns,
                          struct err *e);
/* Before the table's first row. columns: "startNs,id", which hold an integer (VAL_INT) in every row. */
NODISCARD int dbout_index(struct dbout_table *t, const char *name, const char *columns, struct err *e);
/* A row: a value for each column, borrowed for the call. Primary keys ascend, or ERR_BUG. */
NODISCARD int dbout_row(struct dbout_table *t, const struct val *v, struct err *e);
/* Write the rest and give the file its name. Frees d, also after an error. */
NODISCARD int dbout_close(struct dbout *d, struct err *e);
/* Nothing is left of it. NULL is allowed. */
void dbout_drop(struct dbout *d);

#endif
