/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table for people: columns as data, over one or several ranks, filtered, sorted, paged. Used by panes and
 * commands alike.
 *
 * A view keeps row keys and the columns in use for sorting and filtering (doc/performance.md#tables), never
 * rows; pages are read by key. Long work is done in slices: a view gives the rows that are known to come
 * first and goes on in view_work(). Nothing here knows a screen. Not thread-safe. A view borrows its stores:
 * close it before them.
 */
#ifndef NPUSCOPE_MODEL_VIEW_VIEW_H
#define NPUSCOPE_MODEL_VIEW_VIEW_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/val.h"
#include "model/view/filter.h"
#include "run/kind.h"
#include "store/store.h"

enum view_type { VT_INT, VT_REAL, VT_TEXT };
enum view_unit {
    VU_NONE,
    VU_NS,
    VU_TS /* instant: relative in the store */,
    VU_BYTES,
    VU_COUNT,
    VU_PCT /* 0..100 */,
    VU_RATIO /* 0..1 */,
    VU_FLOPS,
    VU_FLOPS_S,
    VU_MFLOPS,
    VU_TFLOPS_S,
    VU_BYTES_S,
    VU_MHZ
};
enum view_flags {
    VC_HIDDEN = 1, /* not on the screen unless chosen (C); printed by commands only with --all-columns */
    VC_MAIN = 2,   /* plain text filters and searches use it */
    VC_BAR = 4,    /* the screen adds a bar of this column's value at the right */
    VC_PATH = 8,   /* a scope path: cut in the middle */
    VC_FLEX = 16,  /* takes the width that is left */
    VC_LEFT = 32,  /* left-aligned although a number (ids) */
    VC_RUNNING =
        128, /* running sum of column share_pct, the largest first; over the rows shown when filtered */
    VC_PROSE = 256,     /* text of people: cut at its end */
    VC_HUE = 512,       /* a number of its own colour, as those of ranks */
    VC_LEVEL = 2048,    /* of several rows it has no sum: a level, a peak, a mean (view_col_adds()) */
    VC_MARK = 1024,     /* of damage: left out where no row has a value */
    VC_WHOLE = 4096,    /* on the screen only where it need not be cut, else in the lines under the table */
    VC_SAID = 8192,     /* sentences of the program: shown in the language (base/lang/said.h) */
    VC_STAYS = 32768,   /* on the screen although all rows say the same: it colours them */
    VC_BASE = 65536,    /* "step" or "run", what the sums of a row are of: left out where all say "run" */
    VC_IF_ANY = 131072, /* left out where no row has a value, also by commands for people */
    VC_APART = 262144,  /* a place in a file, a count of different things: no picture of all rows */
    VC_INSIDE = 524288, /* it holds what other rows have, or runs beside it: no sum (view_col_adds()) */
    VC_AMOUNT = 16384,  /* with VC_BAR: the bar is of this column, though a share stands beside it */
    VC_TIME = 64 /* made from the timeline: a command that prints it or chooses by it reads that, too */
};
struct view_col {
    const char *id;    /* for scripts, with unit: total_ns, share_pct; fixed */
    const char *title; /* column head */
    const char *expr;  /* SQL over the relation */
    enum view_type type;
    enum view_unit unit;
    uint8_t min_width, width; /* cells: least, ideal */
    uint8_t prio;             /* 0 never dropped, higher dropped first when narrow */
    bool desc;                /* the natural direction of sorting is descending */
    unsigned flags;
    const char *help;
};
/*
 * One row for what is the same in several ranks. The rows of all of them are in table each_rank (column rank,
 * then those of the definition by their ids), which from reads; group is the GROUP BY list.
 */
struct view_merge_col {
    const char *id, *expr;
};
struct view_merge {
    const char *from, *group;
    const struct view_merge_col *cols; /* others are the same in all ranks */
    size_t n_cols;
    bool no_sums; /* a row is what one of the ranks recorded */
};
enum view_over { /* which stores a view reads */
                 VIEW_OVER_RANKS,
                 VIEW_OVER_JOB,  /* the overview of the job, for each of its ranks */
                 VIEW_OVER_LOGS, /* the one of its logs (analysis/log_rows.h) */
};
struct view_def {
    const char *id;    /* "ops.type": command and --by value, or pane view */
    const char *title; /* for the pane: "type", "scope" ... */
    enum pane_id pane;
    /*
     * FROM part, without the word. :rank, :step0, :step1 (NULL: open), :first_step (0 or 1), :moment (NULL:
     * none was chosen) may be used anywhere
     */
    const char *from;
    /*
     * table joined to plain rows, "op o": LEFT JOIN op o ON dim_id = dim_ref. Columns over it alone are read
     * once per row of the joined table, for all its rows, so it is meant for dictionaries. from is one table
     * with an alias then; NULL: none
     */
    const char *dim;
    const char *dim_id, *dim_ref; /* "o.id", its integer key, and "e.op_id" */
    const char *where;            /* or NULL */
    /*
     * for grouped rows: a FROM part that gives the same rows in the same order sooner, on our connections
     * only; NULL: none. When it fails (its sums are not whole numbers), from is used
     */
    const char *quick;
    const char *step; /* step of a plain row: the step range of the scope applies to it; NULL: none */
    const char *key;  /* unique integer of a row, ascending in the natural order; ignored when grouped */
    /* computed once into a temporary table: GROUP BY list, "" for none; NULL: plain rows */
    const char *group;
    const struct view_col *cols;
    size_t n_cols;
    const char *sort; /* id of the column sorted by at first, in its natural direction; NULL: natural order */
    const char *sort_else; /* the same where no row of that column has a value; NULL: that column */
    const char *first; /* id of a column: rows with a value of it come before all others in any order; NULL */
    const char *needs; /* SQL that gives 1 when there is data for this view, e.g. "SELECT 1 FROM
                          op_exec WHERE rank = :rank LIMIT 1" */
    /* SQL that gives 1 when the rows are sums of the source, which no range of steps changes; NULL: never */
    const char *unsplit;
    const char *empty;            /* id of the empty state (model/views/empty.h) */
    const char *ts_col, *dur_col; /* columns that `t` takes to the timeline, or NULL */
    const char *open;             /* id of the view that Enter opens, filtered by ... */
    const char *open_filter;      /* ... "type={type}": columns of the row in braces */
    /*
     * What the card beside the table lists of its row, and the column that it is sorted by; NULL: what Enter
     * opens, by the column that is first there
     */
    const char *inside, *inside_filter, *inside_sort;
    const char *apart; /* the column of what rows are about, where a picture is of one thing; NULL: one */
    enum view_over over;
    const char *unit_of;            /* "row" word for counts: "ops", "steps" */
    const struct view_merge *merge; /* of several ranks, or NULL: a row is of one rank */
    const char *summary; /* SQL of one row of totals shown below and in reports, or NULL; columns as
                            name/value */
};

/* All views of the program, in the order of panes and `v` (the list is model/views/colset.h). */
extern const struct view_def *const view_defs[];
extern const size_t view_n_defs;
const struct view_def *view_def_find(const char *id);

/* Column of the definition by its id, or the only one that begins so; -1: none. */
int view_def_find_col(const struct view_def *d, const char *id);
/*
 * Whether the word occurs in the statement of the view: a table that it reads, a parameter (":step0") that it
 * has.
 */
bool view_def_reads(const struct view_def *d, const char *word);

struct rowpool;
struct view_part { /* one rank */
    struct store *store;
    int rank;
    struct rowpool *pool; /* rows shared between views (model/view/rowset.h), or NULL */
};
struct view_scope {
    int64_t step0, step1; /* step range; INT64_MIN, INT64_MAX: open */
    bool first_step;      /* means per step include the first recorded step */
    bool has_moment;
    int64_t moment; /* that views of one moment are about: stored ns, a node or an entry (curves.h) */
};
/* No step range is chosen. */
static inline bool view_scope_all(const struct view_scope *s)
{
    return s->step0 == INT64_MIN && s->step1 == INT64_MAX;
}
/* The step range: "17", "15-16", "15..", "..16"; "" all steps. Returns buf. */
char *view_scope_steps(const struct view_scope *s, char *buf, size_t n);
#define VIEW_SCOPE_ALL ((struct view_scope){ .step0 = INT64_MIN, .step1 = INT64_MAX })

struct view;
/* The definition and the stores are borrowed. Errors: ERR_NOMEM, ERR_IO, ERR_CANCELLED. An empty
 * result is no error. */
NODISCARD int view_open(struct view **out, const struct view_def *d, const struct view_part *parts,
                        size_t n_parts, const struct view_scope *scope, struct err *e);
/* A view over the result of any statement (SQL console, generic tables): columns as found. def
 * lives in the view. */
NODISCARD int view_open_sql(struct view **out, struct store *s, struct str sql, struct err *e);
void view_close(struct view *v);
const struct view_def *view_definition(const struct view *v);
/* With several ranks column 0 is `rank` (unless rows are merged), and the definition's columns follow. */
const struct view_col *view_rank_column(void);
size_t view_n_cols(const struct view *v);
/* Whether the sum of a column over several rows means anything; not of shares, rates, means and levels. */
bool view_col_adds(const struct view_col *c);
const struct view_col *view_col(const struct view *v, size_t i);
/* The title in the language of the screen; columns of a statement or of a file keep their own. */
const char *view_col_title(const struct view_col *c);
int view_find_col(const struct view *v, const char *id); /* -1: none; unambiguous prefixes are accepted */

size_t view_total(const struct view *v); /* rows without filters */
size_t view_rows(const struct view *v);  /* rows shown */
/* false: it asks for a rank, and rows are of all of them. */
bool view_takes_filter(const struct view *v, const struct filter *f);
/* The same, with an error (ERR_USAGE) that says why not. */
NODISCARD int view_check_filter(const struct view *v, const struct filter *f, struct err *e);
/*
 * Replace the filters (any number of compiled lines, all of which must hold; borrowed until replaced).
 * *undecided counts rows without a result (too costly).
 */
NODISCARD int view_set_filters(struct view *v, struct filter *const *f, size_t n, size_t *undecided,
                               struct err *e);
/*
 * The same in slices: view_work() finds the rows; until then view_rows() is the number of rows known to be
 * shown, which are at their final positions.
 */
NODISCARD int view_filter_begin(struct view *v, struct filter *const *f, size_t n, struct err *e);
/*
 * Go on for about budget_ns with what is not finished: filters, the order beyond the first rows, columns that
 * will be asked for. *more: there is work left. Errors end it: ERR_NOMEM, ERR_IO, ERR_CANCELLED.
 */
NODISCARD int view_work(struct view *v, int64_t budget_ns, bool *more, struct err *e);
/* Whether filters are at work: there may be more rows than view_rows(). */
bool view_is_counting(const struct view *v);
size_t view_undecided(const struct view *v);
/* Sort by a column; col -1: natural order. NULLs come last in either direction; equal values keep
 * the natural order. */
NODISCARD int view_sort(struct view *v, int col, bool desc, struct err *e);
/* Sort by one more column before the others: rows with equal values keep the order they have now. */
NODISCARD int view_sort_again(struct view *v, int col, bool desc, struct err *e);
int view_sorted_by(const struct view *v, bool *desc);
/*
 * The sign in front of a column's name, which is taken off, and the direction it asks for: '-' descending,
 * '+' ascending, 0 (no sign) the natural direction of the column.
 */
char view_sort_sign(struct str *name);
bool view_sort_desc(const struct view *v, int col, char sign);

/* Rows first .. first+n-1 of what is shown. */
struct page {
    size_t first, n, n_cols;
    const struct val *v; /* n * n_cols, row by row; valid until the next view call that changes or pages */
};
enum view_times {
    VIEW_RELATIVE /* since the rank's first instant */,
    VIEW_ABSOLUTE /* Unix ns where known */,
    VIEW_STORED
};
NODISCARD int view_page(struct view *v, size_t first, size_t n, enum view_times times, struct page *p,
                        struct err *e);
static inline const struct val *page_val(const struct page *p, size_t row, size_t col)
{
    return &p->v[row * p->n_cols + col];
}
/*
 * Key and rank of a shown row, to find it again after sorting, in another view, or beside further ranks. Rows
 * that are of several ranks (view_merge) are found by what they are; their rank is -1.
 */
int64_t view_row_key(struct view *v, size_t row, int *rank);
size_t view_row_of_key(struct view *v, int64_t key, int rank); /* SIZE_MAX: not shown */
/*
 * Next shown row from `from` on (inclusive; dir +1 or -1, wraps) whose main column matches; SIZE_MAX: none,
 * with ERR_LIMIT when rows could not be searched.
 */
size_t view_search(struct view *v, struct re *re, size_t from, int dir, struct err *e);
/*
 * Smallest and largest value, and sum, of a numeric column over the shown rows; false when there is no value.
 */
bool view_range(struct view *v, int col, double *min, double *max, double *sum, struct err *e);
/* The column of marks of damage (doc/store.md#marks); SIZE_MAX: the view has none. */
size_t view_damage_col(const struct view *v);
/*
 * Whether no row, shown or not, has a value in this column, of a VC_BASE one any other than "run". Loads the
 * column; false when it cannot be read.
 */
bool view_col_blank(struct view *v, size_t col);
/*
 * Whether all shown rows have the same value in this column, or none has one. Loads the column; false when it
 * cannot be read, and over several stores.
 */
bool view_col_same(struct view *v, size_t col);
/*
 * Cells of the widest text of a column over all rows, measured by width(); 0 when it has no text. Loads the
 * column.
 */
size_t view_text_cells(struct view *v, size_t col, size_t (*width)(struct str s, unsigned flags),
                       unsigned flags);
/*
 * The most frequent values of a text column among the shown rows, for completion; valid until the next call
 * that pages.
 */
size_t view_top_values(struct view *v, int col, struct str *out, size_t max, struct err *e);
/* The SELECT that means the same (rank, steps, filters, sort included), for `;`. */
void view_sql(const struct view *v, struct buf *out);

#endif
