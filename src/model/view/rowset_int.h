/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of struct rowset, for model/view/rowset.c (keys, rows), rowset_base.c (SQL), rowset_cols.c
 * (columns) and rowpool.c (the pool).
 */
#ifndef NPUSCOPE_MODEL_VIEW_ROWSET_INT_H
#define NPUSCOPE_MODEL_VIEW_ROWSET_INT_H

#include "model/view/rowset.h"

struct load; /* a column being read */

struct slot {
    struct column c;
    bool ready, in_dim;
    unsigned pins;
    uint64_t used_at;
    struct load *load;
};

/* After the definition's columns come the step and the row of the joined table. */
#define N_EXTRA_COLS 2
#define COL_STEP(r)  ((r)->def->n_cols)
#define COL_DIM(r)   ((r)->def->n_cols + 1)

struct rowset {
    struct rowpool *pool;
    struct rowset *next;
    unsigned refs;
    uint64_t used_at;
    const struct view_def *def;
    struct view_part part;
    struct view_scope scope;
    bool is_dim;   /* rows of def->dim */
    bool numbered; /* columns of the temporary table are c0, c1 ... */
    char temp[48]; /* temporary table that holds the rows; "": none */
    struct rowset *dim;
    size_t n;
    int64_t first_key;  /* keys are consecutive from here ... */
    struct column keys; /* ... unless they are here */
    struct slot *slots;
    size_t n_slots;
    struct query *page; /* reads one row by key */
};

struct rowpool {
    size_t limit, used;
    uint64_t clock, trimmed; /* value of clock at the last rowpool_trim() */
    struct rowset *list;
};

/* Alias of a table in FROM; whether an expression uses it; append FROM with the joined table. */
struct str rowset_alias_of(const char *from);
bool rowset_mentions(const char *expr, struct str alias);
void rowset_add_joined(const struct rowset *r, struct buf *sql);
void rowset_free(struct rowset *r);
const char *rowset_key_expr(const struct rowset *r);
void rowset_add_expr(const struct rowset *r, size_t col, bool raw, struct buf *sql);
NODISCARD int rowset_query(const struct rowset *r, struct buf *sql, struct query **q, struct err *e);
void rowset_add_from(const struct rowset *r, struct buf *sql);
/* Forget a column. */
void rowset_drop(struct rowset *r, size_t col);

/*
 * Row of a key in a scan in which keys mostly go up: *hint is the row expected. SIZE_MAX: the rowset does not
 * have it.
 */
static inline size_t rowset_place(const struct rowset *r, int64_t key, size_t *hint)
{
    size_t row = *hint < r->n && rowset_key(r, *hint) == key ? *hint : rowset_find(r, key);

    if (row != SIZE_MAX)
        *hint = row + 1;
    return row;
}

#endif
