/* SPDX-License-Identifier: Apache-2.0 */
/* Tables for people: row keys, columns in use, filter, sort, pages. */
#include "config.h"

#include "model/view/facts.h"
#include "model/view/view_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE_ARENA_B ((size_t)64 << 20)

/* ---- opening ---- */

static int open_part(struct view *v, struct part_state *p, struct err *e)
{
    bool is_unix;
    int64_t last;

    if (rowset_open(&p->rows, v->pool, v->def, &p->p, &v->scope, e))
        return e->code;
    p->has_clock = store_rank_clock(p->p.store, p->p.rank, &p->origin_ns, &p->first_ns, &last, &is_unix);
    return OK;
}

/* Number the rows of all parts. */
static int place_parts(struct view *v, struct err *e)
{
    for (size_t i = 0; i < v->n_parts; i++) {
        struct part_state *p = &v->parts[i];
        p->first = v->words * 64;
        p->n = rowset_rows(p->rows);
        v->all += p->n;
        v->words += (p->n + 63) / 64;
    }
    return v->words > UINT32_MAX / 64 - 1 ? err_set(e, ERR_LIMIT, "more rows than a table can show") : OK;
}

static struct view *view_new(const struct view_def *d, size_t n_parts, struct rowpool *pool, struct err *e)
{
    struct view *v = calloc(1, sizeof *v);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    v->def = d;
    v->sort_col = -1;
    v->parts = calloc(n_parts ? n_parts : 1, sizeof *v->parts);
    if (!v->parts || arena_new(&v->page_arena, PAGE_ARENA_B, e) ||
        (!pool && rowpool_new(&v->own_pool, ROWPOOL_LIMIT_B, e))) {
        err_nomem(e);
        view_close(v);
        return NULL;
    }
    v->pool = pool ? pool : v->own_pool;
    return v;
}

/* A whole number; the largest or smallest one for values that do not fit. */
static int64_t to_whole(double x)
{
    return x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : (int64_t)x;
}

/*
 * Compare as the statement does: a step with a fraction lies between two whole ones, an unknown step in no
 * range.
 */
static bool in_steps(const struct view_scope *s, const struct column *c, size_t row)
{
    if (column_null(c, row))
        return false;
    if (c->width == CW_F64)
        return to_whole(floor(c->f64[row])) >= s->step0 && to_whole(ceil(c->f64[row])) <= s->step1;
    int64_t step = column_int(c, row);
    return step >= s->step0 && step <= s->step1;
}

/* Set the rows of the step range. */
static int limit_steps(struct view *v, struct err *e)
{
    bool open = view_scope_all(&v->scope);

    if (open || !v->def->step || v->def->group)
        return OK;
    v->in_scope = set_new(v, e);
    for (size_t i = 0; v->in_scope && i < v->n_parts; i++) {
        struct part_state *p = &v->parts[i];
        size_t col = rowset_step_col(p->rows);
        bool ready;
        if (rowset_need(p->rows, col, SLICE_FOREVER, &ready, e))
            return e->code;
        const struct column *c = rowset_cells(p->rows, col).values;
        uint64_t *set = v->in_scope + p->first / 64;
        for (size_t row = 0; row < p->n; row++) {
            bool in = in_steps(&v->scope, c, row);
            set[row / 64] &= ~((uint64_t)!in << row % 64);
        }
    }
    return e->code;
}

static int initial_sort(struct view *v, struct err *e)
{
    const char *s = v->def->sort;

    if (!s)
        return OK;
    int col = view_find_col(v, s);
    if (col >= 0 && v->def->sort_else && view_col_blank(v, (size_t)col))
        col = view_find_col(v, v->def->sort_else);
    return col < 0 ? err_set(e, ERR_BUG, "view %s sorts by an unknown column", v->def->id)
                   : view_sort(v, col, view_sort_desc(v, col, 0), e);
}

/*
 * Rows of a view are in one pool: that of its parts when all have the same one, else (NULL) one of its own.
 */
static struct rowpool *common_pool(const struct view_part *parts, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (parts[i].pool != parts[0].pool)
            return NULL;
    return n ? parts[0].pool : NULL;
}

int view_open(struct view **out, const struct view_def *d, const struct view_part *parts, size_t n_parts,
              const struct view_scope *scope, struct err *e)
{
    struct view *v = view_new(d, n_parts, common_pool(parts, n_parts), e);

    if (!v)
        return e->code;
    v->scope = *scope;
    v->with_rank = n_parts > 1;
    for (size_t i = 0; i < n_parts; i++) {
        v->parts[v->n_parts].p = parts[i];
        if (open_part(v, &v->parts[v->n_parts++], e))
            goto fail;
    }
    if ((d->merge && n_parts > 1 && view_merge_parts(v, e)) || place_parts(v, e) || limit_steps(v, e))
        goto fail;
    v->total = v->in_scope ? set_count(v, v->in_scope) : v->all;
    if (view_set_filters(v, NULL, 0, NULL, e) || initial_sort(v, e))
        goto fail;
    rowpool_trim(v->pool);
    *out = v;
    return OK;
fail:
    view_close(v);
    return e->code;
}

/* ---- the result of a statement ---- */

static int make_sql_def(struct view *v, struct query *q, struct err *e)
{
    size_t n = query_columns(q);
    struct view_col *cols = calloc(n ? n : 1, sizeof *cols);

    v->own_cols = cols;
    if (!cols)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        char *name = strdup(query_name(q, i));
        if (!name)
            return err_nomem(e);
        cols[i] = (struct view_col){ .id = name,
                                     .title = name,
                                     .expr = name,
                                     .type = VT_REAL,
                                     .unit = view_unit_of_name(str_of(name)),
                                     .min_width = 4,
                                     .width = 12,
                                     .prio = 0,
                                     .flags = (i == 0 ? VC_MAIN : 0) | (strcmp(name, "note") ? 0 : VC_SAID),
                                     .help = NULL }; /* a name of the data: view_col_title() */
        v->own_def.n_cols = i + 1;
    }
    v->own_def.cols = cols;
    return OK;
}

static int make_temp(struct view *v, struct store *s, const char *name, struct query **insert, struct err *e)
{
    struct buf sql;
    size_t n = v->own_def.n_cols;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "CREATE TEMP TABLE %s(", name);
    for (size_t i = 0; i < n; i++)
        buf_printf(&sql, "%sc%zu", i ? ", " : "", i);
    buf_puts(&sql, ")");
    int rc = buf_failed(&sql) ? err_nomem(e) : store_exec(s, sql.p, e);
    buf_clear(&sql);
    buf_printf(&sql, "INSERT INTO temp.%s VALUES(", name);
    for (size_t i = 0; i < n; i++)
        buf_printf(&sql, "%s:c%zu", i ? ", " : "", i);
    buf_puts(&sql, ")");
    if (rc == OK)
        rc = buf_failed(&sql) ? err_nomem(e) : store_query(s, insert, sql.p, e);
    buf_done(&sql);
    return rc;
}

/* A column of texts gets the width that its texts need, up to a limit. */
static void make_text(struct view_col *c)
{
    c->type = VT_TEXT;
    c->unit = VU_NONE;
    c->flags |= VC_FLEX;
    c->min_width = 8;
    c->width = 40;
}

/* The values of a column decide its type: any text makes it text, else any fraction makes it real. */
static void note_type(struct view_col *c, const struct val *x)
{
    if (x->t == VAL_TEXT)
        make_text(c);
    else if (x->t == VAL_INT && c->type == VT_REAL && !c->prio)
        c->prio = 1;
    else if (x->t == VAL_REAL)
        c->prio = 2;
}

static void settle_type(struct view_col *c)
{
    if (c->type != VT_TEXT && c->prio == 1)
        c->type = VT_INT;
    c->prio = 0;
    if (c->type == VT_TEXT)
        c->flags |= VC_LEFT;
}

static int copy_rows(struct view *v, struct query *q, struct query *insert, struct err *e)
{
    int rc;

    while ((rc = query_step(q, e)) == 1) {
        for (size_t i = 0; i < v->own_def.n_cols; i++) {
            struct val x = query_val(q, i);
            char name[24];
            snprintf(name, sizeof name, ":c%zu", i);
            query_bind_val(insert, name, &x);
            note_type(&v->own_cols[i], &x);
        }
        if (query_step(insert, e) < 0)
            return e->code;
        query_reset(insert);
    }
    for (size_t i = 0; i < v->own_def.n_cols; i++)
        settle_type(&v->own_cols[i]);
    return e->code;
}

/* Put the rows of q into a temporary table of the connection. */
static int keep_result(struct view *v, struct query *q, struct err *e)
{
    struct part_state *p = &v->parts[0];
    struct query *insert = NULL;
    char name[48];

    snprintf(name, sizeof name, "q%" PRIxPTR, (uintptr_t)v);
    if (make_temp(v, p->p.store, name, &insert, e) == OK && copy_rows(v, q, insert, e) == OK &&
        rowset_open_temp(&p->rows, v->pool, &v->own_def, p->p.store, name, e) == OK)
        p->has_clock = false;
    query_free(insert);
    if (e->code) {
        struct err ignored = ERR_INIT;
        char sql[100];
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS temp.%s", name);
        if (store_exec(p->p.store, sql, &ignored))
            err_clear(&ignored); /* goes with the connection */
    }
    return e->code;
}

static int keep_text(struct view *v, struct str sql, struct err *e)
{
    v->sql_text = malloc(sql.n + 1);
    if (!v->sql_text)
        return err_nomem(e);
    memcpy(v->sql_text, sql.p, sql.n);
    v->sql_text[sql.n] = 0;
    return OK;
}

int view_open_sql(struct view **out, struct store *s, struct str sql, struct err *e)
{
    struct query *q = NULL;
    struct view *v = view_new(NULL, 1, NULL, e);

    if (!v)
        return e->code;
    v->def = &v->own_def;
    v->own_def = (struct view_def){
        .id = "sql", .title = "result", .pane = PANE_SQL, .from = "", .key = "rowid", .unit_of = "rows"
    };
    v->scope = VIEW_SCOPE_ALL;
    v->parts[0].p.store = s;
    v->n_parts = 1;
    if (store_user_query(s, &q, sql, NULL, e) || make_sql_def(v, q, e) || keep_result(v, q, e))
        goto fail;
    query_free(q);
    q = NULL;
    if (keep_text(v, sql, e) || place_parts(v, e))
        goto fail;
    v->total = v->all;
    if (view_set_filters(v, NULL, 0, NULL, e))
        goto fail;
    *out = v;
    return OK;
fail:
    query_free(q);
    view_close(v);
    return e->code;
}

char *view_scope_steps(const struct view_scope *s, char *buf, size_t n)
{
    if (view_scope_all(s))
        snprintf(buf, n, "%s", "");
    else if (s->step0 == s->step1)
        snprintf(buf, n, "%" PRId64, s->step0);
    else if (s->step0 == INT64_MIN)
        snprintf(buf, n, "..%" PRId64, s->step1);
    else if (s->step1 == INT64_MAX)
        snprintf(buf, n, "%" PRId64 "..", s->step0);
    else
        snprintf(buf, n, "%" PRId64 "-%" PRId64, s->step0, s->step1);
    return buf;
}

void view_close(struct view *v)
{
    if (!v)
        return;
    view_filter_done(v);
    view_find_done(v);
    view_running_forget(v);
    view_order_done(v);
    for (size_t i = 0; i < v->n_parts; i++)
        rowset_close(v->parts[i].rows);
    rowpool_free(v->own_pool);
    for (size_t i = 0; v->own_cols && i < v->own_def.n_cols; i++)
        free((char *)v->own_cols[i].id);
    free(v->own_cols);
    free(v->sql_text);
    free(v->parts);
    free(v->merge_keys);
    free(v->in_scope);
    free(v->sel);
    arena_free(v->page_arena);
    free(v);
}

/* ---- facts ---- */

#define NO_RANK (-1)

int64_t view_row_key(struct view *v, size_t row, int *rank)
{
    struct err ignored = ERR_INIT;

    if (view_order_to(v, row + 1, &ignored) || row >= v->ordered)
        return 0;
    uint32_t r = view_nth(v, row);
    size_t p = view_part_of(v, r);
    const int64_t *keys = view_merge_keys(v);
    if (rank)
        *rank = keys ? NO_RANK : v->parts[p].p.rank;
    if (keys)
        return keys[r];
    return rowset_key(v->parts[p].rows, r - v->parts[p].first);
}

size_t view_row_of_key(struct view *v, int64_t key, int rank)
{
    struct err ignored = ERR_INIT;
    size_t part = 0;
    const int64_t *keys = view_merge_keys(v);

    for (size_t i = 0; keys && i < v->all; i++)
        if (keys[i] == key)
            return view_place_of(v, (uint32_t)i, &ignored);
    if (keys)
        return SIZE_MAX;
    while (part < v->n_parts && v->parts[part].p.rank != rank)
        part++;
    if (part == v->n_parts)
        return SIZE_MAX;
    size_t row = rowset_find(v->parts[part].rows, key);
    return row == SIZE_MAX ? SIZE_MAX : view_place_of(v, (uint32_t)(v->parts[part].first + row), &ignored);
}

/* ---- values ---- */

/* ---- sets of rows ---- */

/* ---- pages ---- */

static void to_times(const struct part_state *p, enum view_times times, struct val *x)
{
    if (x->t != VAL_INT || times == VIEW_STORED || !p->has_clock)
        return;
    x->i += times == VIEW_ABSOLUTE ? p->origin_ns : -p->first_ns;
}

/* The rows of a page are read in one transaction of each store they lie in. */
static void release(struct view *v)
{
    for (size_t i = 0; i < v->n_parts; i++) {
        if (v->parts[i].held)
            store_release(v->parts[i].p.store);
        v->parts[i].held = false;
    }
}

static int read_row(struct view *v, size_t row, enum view_times times, struct val *out, struct err *e)
{
    uint32_t r = view_nth(v, row);
    struct part_state *p = &v->parts[view_part_of(v, r)];

    if (v->with_rank)
        out[0] = val_int(p->p.rank);
    if (!p->held)
        store_hold(p->p.store);
    p->held = true;
    if (rowset_row(p->rows, r - p->first, v->page_arena, out + v->with_rank, e))
        return e->code;
    view_running_put(v, r, out);
    for (size_t i = v->with_rank; i < view_n_cols(v); i++)
        if (view_col(v, i)->unit == VU_TS)
            to_times(p, times, &out[i]);
    return OK;
}

int view_page(struct view *v, size_t first, size_t n, enum view_times times, struct page *p, struct err *e)
{
    size_t cells;

    arena_reset(v->page_arena);
    if (first > v->shown)
        first = v->shown;
    if (n > v->shown - first)
        n = v->shown - first;
    *p = (struct page){ .first = first, .n = n, .n_cols = view_n_cols(v) };
    if (!size_mul(n, p->n_cols, &cells))
        return err_nomem(e);
    struct val *out = arena_array(v->page_arena, cells ? cells : 1, sizeof *out);
    if (!out)
        return err_set(e, ERR_LIMIT, "the page is too large");
    p->v = out;
    if (view_order_to(v, first + n, e))
        return e->code;
    for (size_t i = 0; i < n; i++)
        if (read_row(v, first + i, times, out + i * p->n_cols, e))
            break;
    release(v);
    return e->code;
}

/* ---- work in slices ---- */

bool view_is_counting(const struct view *v)
{
    return v->counting;
}

size_t view_undecided(const struct view *v)
{
    return v->undecided;
}

/* Read the main column before a filter or a search, which use it, is typed. */
static int read_ahead(struct view *v, int64_t until_ns, bool *ready, struct err *e)
{
    size_t col = view_main_col(v);

    *ready = true;
    if (!v->n_parts || view_is_rank(v, col) || view_col(v, col)->type != VT_TEXT ||
        !rowpool_has_room(v->pool, v->all))
        return OK;
    return view_need(v, col, until_ns, ready, e);
}

int view_work(struct view *v, int64_t budget_ns, bool *more, struct err *e)
{
    int64_t until = slice_until(budget_ns);
    bool done;

    *more = true;
    if (v->counting) {
        if (view_filter_step(v, budget_ns, e) || v->counting)
            return e->code;
    }
    if (view_finish_order(v, until, &done, e) || !done || read_ahead(v, until, &done, e))
        return e->code;
    *more = !done;
    return OK;
}
