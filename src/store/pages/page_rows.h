/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a table, read from the pages of a database file (sqlite.org/fileformat2.html#b_tree_pages), for
 * files that nobody writes, in less time than a statement takes (doc/performance.md#databases). Pages and
 * rows that are damaged are left out, and those after them are read.
 *
 * The file is not trusted: each page of it is read at most once for a table, and each offset is checked. A
 * struct page_rows belongs to one thread at a time.
 */
#ifndef NPUSCOPE_STORE_PAGES_PAGE_ROWS_H
#define NPUSCOPE_STORE_PAGES_PAGE_ROWS_H

#include "base/err.h"
#include "base/val.h"

/* A column of the table that is asked for. */
struct page_column {
    uint32_t number; /* among the table's columns, from 0; one that rows do not have is NULL */
    bool real;       /* of REAL affinity: whole numbers are stored as integers, and given as reals */
    bool rowid;      /* another name of the rowid, which is stored as NULL */
};

struct page_rows;

/*
 * Begin to read the table whose tree has this root, in the order of rowids. c: n columns in any order,
 * copied; value_most: bytes of the longest row that is given. Errors: ERR_VERSION (a file or table that only
 * SQLite reads: texts that are not UTF-8, a table without rowids), ERR_IO, ERR_NOMEM.
 */
NODISCARD int page_rows_new(struct page_rows **out, const char *path, uint32_t root,
                            const struct page_column *c, size_t n, size_t value_most, struct err *e);
void page_rows_free(struct page_rows *r);
/*
 * The next row's n values into v; texts and blobs are borrowed until the next call. false: there is none, or
 * the reading failed (page_rows_end()).
 */
bool page_rows_next(struct page_rows *r, struct val *v);
/*
 * How it ended: OK, ERR_FORMAT (the first place that is damaged, with its offset), ERR_LIMIT (rows above
 * value_most are left out), ERR_IO, ERR_NOMEM.
 */
NODISCARD int page_rows_end(const struct page_rows *r, struct err *e);

#endif
