/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of struct view, for files of src/model/view. */
#ifndef NPUSCOPE_MODEL_VIEW_VIEW_INT_H
#define NPUSCOPE_MODEL_VIEW_VIEW_INT_H

#include "base/arena.h"
#include "model/view/ranking.h"
#include "model/view/rowset.h"
#include "model/view/slice.h"
#include "model/view/view.h"

/*
 * Rows are numbered through all parts: part p has first .. first + n - 1, first is a multiple of 64, so that
 * a set of rows is an array of words and each part has its own. Numbers between the parts are not used.
 */
struct part_state {
    struct view_part p;
    struct rowset *rows;
    size_t first, n;
    bool has_clock;
    bool held; /* store_hold() is on while a page is read */
    int64_t origin_ns, first_ns;
};

struct filter_job; /* model/view/view_filter.c */

struct view {
    const struct view_def *def;
    struct view_scope scope;
    bool with_rank;
    size_t merged; /* each row is of that many ranks: one part, in the store of the first (view_merge.c) */
    int64_t *merge_keys; /* view_merge_keys(); NULL: not made */
    struct rowpool *pool, *own_pool;
    struct part_state *parts;
    size_t n_parts;
    size_t all;         /* rows of all parts */
    size_t words;       /* 64-bit words of a set of rows */
    size_t total;       /* rows in the step range */
    uint64_t *in_scope; /* NULL: all */
    uint64_t *sel;      /* rows shown; NULL: all */

    /* The order (model/view/view_order.c): shown row i is order[i], or perm[i], or the i-th row. */
    int sort_col;
    bool sort_desc;
    bool stacked;    /* perm is sorted by more than one column */
    uint32_t *perm;  /* all rows, sorted; NULL: natural order, or not sorted yet */
    uint32_t *order; /* NULL: all rows, in the order of perm or natural */
    size_t shown;    /* rows shown; while counting: those known so far */
    uint64_t *first; /* rows that come first in any order (def->first); NULL: none, or not known */
    bool first_known;
    size_t ordered;          /* the first rows that are at their final positions */
    uint32_t **ranks;        /* of texts of the sort column, by part and code; one part: in the column */
    struct ranking *ranking; /* the ranking that is being made */
    const struct texts **ranked_lists;
    size_t charged; /* memory of the order, as the pool counts it */

    struct filter *const *filters;
    size_t n_filters;
    struct filter_job *job, *last_job; /* running; finished, kept for its results */
    bool counting;
    bool reordered; /* the order changed while filters run: the search from the top begins again */
    size_t undecided;

    double *running; /* by row: the running share of the rows shown (model/view/view_running.c); NULL: none */
    bool running_known;
    struct find *find; /* results of view_search() for texts (model/view/view_data.c) */
    struct arena *page_arena;
    /* view_open_sql */
    struct view_def own_def;
    struct view_col *own_cols;
    char *sql_text;
};

/* ---- rows and values ---- */

static inline size_t view_part_of(const struct view *v, size_t row)
{
    size_t p = 0;

    while (p + 1 < v->n_parts && row >= v->parts[p + 1].first)
        p++;
    return p;
}
/* Number of the i-th row of all parts. */
static inline uint32_t view_natural(const struct view *v, size_t i)
{
    for (size_t p = 0; p < v->n_parts; p++) {
        if (i < v->parts[p].n)
            return (uint32_t)(v->parts[p].first + i);
        i -= v->parts[p].n;
    }
    return UINT32_MAX;
}
/* Shown row i, i < v->ordered. */
static inline uint32_t view_nth(const struct view *v, size_t i)
{
    return v->order ? v->order[i] : v->perm ? v->perm[i] : view_natural(v, i);
}
static inline bool view_is_rank(const struct view *v, size_t col)
{
    return v->with_rank && col == 0;
}

/* Read a column of all parts (columns as in view_col()); the rank column has no cells. */
NODISCARD int view_need(struct view *v, size_t col, int64_t until_ns, bool *ready, struct err *e);
/* Values by part, read when they are not there; free() it. Valid until the next view_need(). */
NODISCARD int view_cells(struct view *v, size_t col, struct cells **out, struct err *e);

/* Like view_def_find_col(), with a column before those of the definition (NULL: none). */
int view_find_among(const struct view_col *first, const struct view_def *d, const char *id);

/* Put the rows of all parts together, as def->merge says: one part is left. */
NODISCARD int view_merge_parts(struct view *v, struct err *e);
/*
 * Keys of the rows of a view with def->merge, by what they are grouped by: the same row has the same key over
 * other ranks, and in another session. NULL: the view has none, or they could not be made.
 */
const int64_t *view_merge_keys(struct view *v);

/* ---- sets of rows ---- */

uint64_t *set_new(const struct view *v, struct err *e); /* all rows of all parts */
size_t set_count(const struct view *v, const uint64_t *set);

/* ---- the order ---- */

/* Call this when shown rows or sort changed: it puts the first rows in order. */
NODISCARD int view_reorder(struct view *v, struct err *e);
/* Put all rows in order, until about until_ns; *done when they are. */
NODISCARD int view_finish_order(struct view *v, int64_t until_ns, bool *done, struct err *e);
/* Make v->perm, when rows are sorted, until about until_ns; *done when it is there. */
NODISCARD int view_sort_all(struct view *v, int64_t until_ns, bool *done, struct err *e);
/* Put rows 0 .. n-1 in order, however long it takes. */
NODISCARD int view_order_to(struct view *v, size_t n, struct err *e);
void view_order_done(struct view *v);
/* Position at which a row is shown, SIZE_MAX: none. */
size_t view_place_of(struct view *v, uint32_t row, struct err *e);

/* ---- filters ---- */

/* Go on for about budget_ns; when the filter has ended, or was given up, v->counting is false. */
NODISCARD int view_filter_step(struct view *v, int64_t budget_ns, struct err *e);
/* Go on until the filter has ended. */
NODISCARD int view_filter_finish(struct view *v, struct err *e);
void view_filter_done(struct view *v);
void view_find_done(struct view *v);

size_t view_main_col(const struct view *v);

/* ---- running shares ---- */

/* The column of running shares and that of the shares; false: the view has none. */
bool view_running_cols(const struct view *v, size_t *running, size_t *share);
/* While filters are on: put the running share of the rows shown into the values of a row. */
void view_running_put(struct view *v, uint32_t row, struct val *out);
void view_running_forget(struct view *v);

#endif
