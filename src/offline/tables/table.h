/* SPDX-License-Identifier: Apache-2.0 */
/* A CSV file that msprof's export made, row by row; columns are found by their names. Not thread-safe. */
#ifndef NPUSCOPE_OFFLINE_TABLE_H
#define NPUSCOPE_OFFLINE_TABLE_H

#include "base/read/csv.h"
#include "offline/run.h"

#define OFFLINE_COLUMNS 16

struct offline_table {
    struct infile *in;
    struct csv *csv;
    size_t at[OFFLINE_COLUMNS]; /* of the wanted columns, SIZE_MAX: the file has none */
    size_t n;
};

/*
 * names: n of the wanted columns. offline_table_close() is allowed after a failure. Errors: ERR_IO,
 * ERR_NOMEM.
 */
NODISCARD int offline_table_open(struct offline_table *t, const struct offline_file *f,
                                 const char *const *names, size_t n, struct err *e);
void offline_table_close(struct offline_table *t);
/*
 * The wanted cells of the next row, without the TAB after a stamp; "" for those that are not there. false: no
 * more, or e is set.
 */
bool offline_table_next(struct offline_table *t, struct str *cell, struct err *e);

#endif
