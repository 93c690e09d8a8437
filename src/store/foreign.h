/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases that another program wrote, read without a trace (doc/reliability.md#vendor-databases,
 * #hostile-databases): nothing is written to them or beside them, their triggers, views and functions never
 * run. A database whose journal was left behind is recovered in a private copy; one that is packed with gzip
 * is unpacked into one. The interface has no SQLite types. A struct foreign belongs to one thread.
 */
#ifndef NPUSCOPE_FOREIGN_H
#define NPUSCOPE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "base/val.h"
#include "store/note.h"

struct foreign;

/* Whether the first bytes of a file are those of a SQLite database. */
bool foreign_is_database(struct str head);

/*
 * Open, also one that is packed with gzip. cancelled (may be NULL) is asked now and then. Until it is closed
 * SQLite's memory in this process is bounded by the file's size. Errors: ERR_FORMAT (no database, or a
 * damaged one), ERR_LIMIT (a value needs more memory than that, or more than 64 MiB; no room to unpack it),
 * ERR_CANCELLED, ERR_IO, ERR_NOMEM.
 */
NODISCARD int foreign_open(struct foreign **out, const char *path, bool (*cancelled)(void *arg), void *arg,
                           struct err *e);
void foreign_close(struct foreign *f);
/*
 * Why rows may be missing (its journal could not be applied, it is cut, its packing is damaged or above a
 * limit), NULL: nothing is. Valid until foreign_close.
 */
const char *foreign_warning(const struct foreign *f);

/* What that warning is: damage, or a limit. */
enum note_code foreign_warning_code(const struct foreign *f);

/* It was read through a private copy, since a journal lies beside it. */
bool foreign_is_copy(const struct foreign *f);

/* Plain tables, in the order they were made; no views, no virtual tables. */
size_t foreign_n(const struct foreign *f);
struct str foreign_table(const struct foreign *f, size_t i); /* p NULL: there is no i-th */
/* Names of a table's columns, borrowed until the next call of this or foreign_read(). Errors as that. */
NODISCARD int foreign_columns(struct foreign *f, size_t i, const struct str **names, size_t *n,
                              struct err *e);
NODISCARD int foreign_count(struct foreign *f, size_t i, int64_t *rows, struct err *e);

/*
 * One row; texts and blobs are borrowed for the call. Not OK ends the reading with this code. It may not ask
 * for other tables: rows are read ahead by a thread of their own.
 */
typedef int foreign_row_fn(void *arg, const struct val *v, size_t n, struct err *e);
/*
 * Call fn for every row of a table. Errors: ERR_FORMAT when the database is damaged there, ERR_LIMIT as for
 * foreign_open() (rows before were delivered), ERR_CANCELLED, ERR_NOMEM, those of fn.
 */
NODISCARD int foreign_read(struct foreign *f, size_t i, foreign_row_fn *fn, void *arg, struct err *e);
/*
 * The same with these columns alone, of those that foreign_columns() gives; others are not decoded. n may be
 * 0: rows of one NULL.
 */
NODISCARD int foreign_read_columns(struct foreign *f, size_t i, const struct str *names, size_t n,
                                   foreign_row_fn *fn, void *arg, struct err *e);

#endif
