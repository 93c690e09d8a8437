/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of the big tables of a new store, kept as finished pages in a file of their own (it has no name, so
 * nothing of it is left behind) until fill_settle() puts them into the database: an INSERT costs ten times as
 * much. Private to src/store/fill and src/store/pages.
 *
 * Only for a store on disk that nobody reads while it is filled; else every row goes through INSERT
 * at once. The rows of one source are a run of pages, taken back by forgetting them.
 */
#ifndef NPUSCOPE_STORE_PAGES_FILL_BULK_H
#define NPUSCOPE_STORE_PAGES_FILL_BULK_H

#include "store/fill/fill_int.h"

/* Give the big tables a struct bulk, unless the database has another layout than the one written here. */
NODISCARD int bulk_open(struct fill *f, struct err *e);
void bulk_free(struct bulk *b); /* NULL is allowed */

/*
 * Add a row: n values by column, instants relative, NULL in the column of the rowid. *id: its number, 0 for
 * the next one. *late is set when an INSERT has to take the row: it is too long for a page, or its number is
 * not above that of the row before. After an error only bulk_take_back() may follow: every other call returns
 * the error again.
 */
NODISCARD int bulk_row(struct bulk *b, const struct val *v, const unsigned char *affinity, size_t n,
                       int64_t *id, bool *late, struct err *e);
/* The rows since the last call belong to this source. */
NODISCARD int bulk_end(struct bulk *b, uint32_t source, struct err *e);
/*
 * bulk_kept(): the transaction is committed. bulk_take_back(): take all rows since the last bulk_kept() back,
 * also after an error.
 */
void bulk_kept(struct bulk *b);
void bulk_take_back(struct bulk *b);
/*
 * Forget one segment of the source. false: none is left. *first, *last: numbers of its rows, including late
 * ones.
 */
bool bulk_forget(struct bulk *b, uint32_t source, int64_t *first, int64_t *last);

/* Count the row given last as one of this source and rank, for bulk_fed(). */
NODISCARD int bulk_count(struct bulk *b, uint32_t source, int rank, struct err *e);
/* Add the numbers of rows of a rank, by source, to out[0 .. *n), which may grow to max entries. */
void bulk_fed(const struct bulk *b, int rank, struct fill_feeder *out, size_t max, size_t *n);

/* The functions that fill_settle() reads with. */
size_t bulk_pages(const struct bulk *b);
uint32_t bulk_page_size(const struct bulk *b);
uint64_t bulk_rows(const struct bulk *b);
bool bulk_has_late(const struct bulk *b);
/*
 * Read the next pages, in order of their rows, into to; *n is their number, 0 at the end; *at is 0 at first.
 * bulk_read_room() gives memory for to, with the pad that records need; free() it.
 */
#define BULK_READ_PAGES 64
unsigned char *bulk_read_room(const struct bulk *b);
NODISCARD int bulk_read(const struct bulk *b, size_t *at, unsigned char *to, size_t *n, struct err *e);

#endif
