/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a table that msprof's export wrote, cells as they stand there with their quotes and TABs: what is
 * copied cell by cell. Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_CSV_ROWS_H
#define NPUSCOPE_OFFLINE_CSV_ROWS_H

#include "offline/run.h"

#define CSV_ROWS_COLUMNS 512 /* further cells belong to the last one */

struct csv_rows;

/* All files that begin so, in order, as one table: *header and *n are cells of the first line. */
NODISCARD int csv_rows_open(struct csv_rows **out, const struct offline_run *r, const char *begin,
                            struct err *e);
/* Cells of the header (borrowed until the end), or of the next row (until the next call). false: no more. */
bool csv_rows_header(struct csv_rows *x, const struct str **cells, size_t *n);
bool csv_rows_next(struct csv_rows *x, const struct str **cells, size_t *n, struct err *e);
void csv_rows_close(struct csv_rows *x);

/* Without its quotes, doubled ones undone into text; at most n bytes. Borrowed when there are none. */
struct str csv_rows_plain(struct str cell, char *text, size_t n);
/* Without TABs at its end. */
struct str csv_rows_time(struct str cell);

#endif
