/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indexes of a table that is settled (store/fill/fill_settle.c): its keys are read from the table's pages,
 * sorted in memory and written as pages. Private to src/store/fill and src/store/pages.
 */
#ifndef NPUSCOPE_STORE_PAGES_FILL_INDEX_H
#define NPUSCOPE_STORE_PAGES_FILL_INDEX_H

#include "store/pages/fill_bulk.h"
#include "store/pages/pages.h"

#define FILL_INDEX_COLUMNS 4

struct fill_index {
    size_t column[FILL_INDEX_COLUMNS], n;
    uint64_t rows;
};

/*
 * Set *x to index i of the schema. false: it belongs to another table, or cannot be made here. Indexes made
 * here have integer columns in their order in the table, and keys that fit into memory.
 */
bool fill_index_of(const struct fill *f, enum table_id t, size_t i, struct fill_index *x);
/* Make the indexes of a table that fill_index_of() takes, without entries. */
NODISCARD int fill_index_create(struct fill *f, enum table_id t, struct err *e);
/*
 * Write the entries for all rows of b. *made is false when a key is not an integer: then the index stays
 * empty.
 */
NODISCARD int fill_index_build(const struct fill_index *x, const struct bulk *b, const struct page_sink *s,
                               uint32_t root, bool *made, struct err *e);

#endif
