/* The inside of struct view, for files of src/model. */
#ifndef NPUSCOPE_VIEW_INT_H
#define NPUSCOPE_VIEW_INT_H

#include "base/arena.h"
#include "model/view.h"

/* One rank of a view. */
struct part_state {
    struct view_part p;
    char temp[48];      /* temporary table of a grouped view, "" none */
    size_t first, n;    /* its rows */
    struct query *page; /* reads one row by key */
    bool has_clock;
    int64_t origin_ns, first_ns;
};

/* Values of one column for every row, read once when it is first sorted or filtered by. */
struct col_cache {
    bool loaded;
    int64_t *i;  /* VT_INT; INT64_MIN is NULL */
    double *r;   /* VT_REAL; NAN is NULL */
    uint32_t *t; /* VT_TEXT: id in texts, INTERN_NONE is NULL */
    struct intern *texts;
};

struct view {
    const struct view_def *def;
    struct view_scope scope;
    bool with_rank;
    struct part_state *parts;
    size_t n_parts;
    int64_t *keys; /* of every row, parts one after the other */
    size_t total, cap;
    uint32_t *order; /* rows shown, in order */
    size_t shown;
    struct col_cache *cols;
    int sort_col;
    bool sort_desc;
    struct filter *const *filters;
    size_t n_filters;
    struct arena *page_arena;
    /* view_open_sql */
    struct view_def own_def;
    struct view_col *own_cols;
    char *sql_text;
};

NODISCARD int view_query(const struct view *v, const struct part_state *p, struct buf *sql,
                         struct query **q, struct err *e);
/* Every row of a part in natural order: its key, then the value of col (NULL: the key alone). */
NODISCARD int view_select(const struct view *v, const struct part_state *p, const size_t *col,
                          struct query **q, struct err *e);
/* Read a column for all rows. Columns: as view_col(). */
NODISCARD int view_cache_load(struct view *v, size_t col, struct err *e);
void view_cache_done(struct col_cache *c);
bool view_cache_null(const struct view *v, size_t col, size_t row);
double view_cache_num(const struct view *v, size_t col, size_t row); /* text: 0 */
void view_relation(const struct view *v, const struct part_state *p, struct buf *sql);
const char *view_key_expr(const struct view *v, const struct part_state *p);
void view_expr(const struct view *v, const struct part_state *p, size_t col, struct buf *sql);

#endif
