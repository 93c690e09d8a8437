/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a view's definition for one rank. In memory are the keys of all rows and the columns that were
 * used for sorting or filtering (doc/performance.md#tables, #memory). Everything else is read from the store
 * by key.
 *
 * A pool shares rowsets between views, so that opening a view again, or with another step range, reads
 * nothing twice. It frees the columns used longest ago when all of them together take more than its limit. A
 * rowset belongs to its pool; views open and close them in pairs. Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_VIEW_ROWSET_H
#define NPUSCOPE_MODEL_VIEW_ROWSET_H

#include "base/arena.h"
#include "model/view/column.h"
#include "model/view/view.h"

#define ROWPOOL_LIMIT_B ((size_t)96 << 20)

struct rowset;

/*
 * Open the rows of definition d for part p. scope: step range and first step, for definitions that compute
 * with them (grouped ones); other rowsets hold all steps. Errors: ERR_NOMEM, ERR_IO, ERR_CANCELLED.
 */
NODISCARD int rowset_open(struct rowset **out, struct rowpool *pool, const struct view_def *d,
                          const struct view_part *p, const struct view_scope *scope, struct err *e);
/*
 * Open the rows of a temporary table made by the caller, which is dropped when the rowset is closed. Its
 * columns are c0, c1 ...
 */
NODISCARD int rowset_open_temp(struct rowset **out, struct rowpool *pool, const struct view_def *d,
                               struct store *s, const char *table, struct err *e);
void rowset_close(struct rowset *r);

size_t rowset_rows(const struct rowset *r);
int64_t rowset_key(const struct rowset *r, size_t row);
size_t rowset_find(const struct rowset *r, int64_t key); /* SIZE_MAX: none */
/* Columns of a rowset are those of the definition and then these: */
size_t rowset_step_col(const struct rowset *r); /* SIZE_MAX: no column holds the step */

/* Bring a column into memory until about until_ns. *ready: rowset_cells() may be called. */
NODISCARD int rowset_need(struct rowset *r, size_t col, int64_t until_ns, bool *ready, struct err *e);
/*
 * Values of a column that is ready: of row i, via NULL: values[i]; else values[code - 1] of the code in
 * via[i] (0: NULL). Valid until the next rowset_need() or rowpool_trim() unless pinned.
 */
struct cells {
    const struct column *via, *values;
};
struct cells rowset_cells(struct rowset *r, size_t col);
/* Row of cells.values that row i stands for; SIZE_MAX: NULL. */
static inline size_t cells_row(const struct cells *c, size_t row)
{
    return c->via ? (size_t)column_raw(c->via, row) - 1 : row;
}
void rowset_pin(struct rowset *r, size_t col);
void rowset_unpin(struct rowset *r, size_t col);
/* Keep the ranks of the texts of a column (model/view/ranking.h) with it; takes ownership of rank. */
void rowset_set_rank(struct rowset *r, size_t col, uint32_t *rank);

/*
 * Read the values of all columns of a row from the store, NULLs when it is no longer there; texts go to the
 * arena.
 */
NODISCARD int rowset_row(struct rowset *r, size_t row, struct arena *a, struct val *out, struct err *e);
/*
 * Read rows from .. to - 1, in any order: calls fn, as query_each() does, with row number and values (texts
 * borrowed for the call).
 */
typedef bool rowset_row_fn(void *arg, size_t row, const struct val *v, size_t n);
NODISCARD int rowset_each(struct rowset *r, size_t from, size_t to, rowset_row_fn *fn, void *arg,
                          struct err *e);

/*
 * Whether a FROM part is one table with an alias: with NOT INDEXED after it, its rows are read in the order
 * of their keys.
 */
bool rowset_is_one_table(const char *from);

/* ---- the pool ---- */

NODISCARD int rowpool_new(struct rowpool **out, size_t limit_b, struct err *e);
/* Every rowset must be closed. */
void rowpool_free(struct rowpool *p);
/* The store is about to be closed: forget its rows. Views over it are closed before. */
void rowpool_forget(struct rowpool *p, const struct store *s);
/* Free columns, those used longest ago first, until the limit holds. */
void rowpool_trim(struct rowpool *p);
/* Count memory that views use for their own order of rows, too. */
void rowpool_charge(struct rowpool *p, size_t before_b, size_t now_b);
size_t rowpool_used(const struct rowpool *p);
/* Whether a column of n rows would fit without freeing anything. */
bool rowpool_has_room(const struct rowpool *p, size_t n);

#endif
