/* Tables people look at: row keys, columns in use, filter, sort, pages. */
#include "config.h"

#include "model/view_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE_ARENA_B ((size_t)64 << 20)

static const struct view_col rank_col = {
    .id = "rank",
    .title = "Rank",
    .expr = ":rank",
    .type = VT_INT,
    .unit = VU_NONE,
    .min_width = 4,
    .width = 5,
    .help = "rank the row belongs to",
};

/* ---- statements ---- */

static void bind_scope(const struct view *v, const struct part_state *p, struct query *q)
{
    query_bind_int(q, ":rank", p->p.rank);
    query_bind_int(q, ":first_step", v->scope.first_step);
    if (v->scope.step0 != INT64_MIN)
        query_bind_int(q, ":step0", v->scope.step0);
    if (v->scope.step1 != INT64_MAX)
        query_bind_int(q, ":step1", v->scope.step1);
}

/* FROM, WHERE of a part: the temporary table of a grouped view, else the definition's. */
void view_relation(const struct view *v, const struct part_state *p, struct buf *sql)
{
    if (p->temp[0]) {
        buf_printf(sql, " FROM temp.%s", p->temp);
        return;
    }
    buf_printf(sql, " FROM %s", v->def->from);
    if (v->def->where)
        buf_printf(sql, " WHERE (%s)", v->def->where);
}

void view_expr(const struct view *v, const struct part_state *p, size_t col, struct buf *sql)
{
    const struct view_col *c = view_col(v, col);

    if (v->with_rank && col == 0)
        buf_puts(sql, ":rank");
    else if (v->own_cols)
        buf_printf(sql, "c%zu", col);
    else if (p->temp[0])
        buf_printf(sql, "\"%s\"", c->id);
    else
        buf_puts(sql, c->expr);
}

const char *view_key_expr(const struct view *v, const struct part_state *p)
{
    return p->temp[0] ? "rowid" : v->def->key;
}

int view_query(const struct view *v, const struct part_state *p, struct buf *sql, struct query **q,
               struct err *e)
{
    if (buf_failed(sql))
        return err_nomem(e);
    if (store_query(p->p.store, q, sql->p, e))
        return (int)e->code;
    bind_scope(v, p, *q);
    return OK;
}

/* ---- rows ---- */

static int run(struct query *q, struct err *e)
{
    int rc;

    while ((rc = query_step(q, e)) == 1)
        ;
    query_free(q);
    return rc < 0 ? (int)e->code : OK;
}

/* A grouped view is computed once, into a temporary table of the connection. */
static int materialise(struct view *v, struct part_state *p, struct err *e)
{
    struct buf sql;
    struct query *q = NULL;
    size_t first = v->with_rank ? 1 : 0;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "CREATE TEMP TABLE v%" PRIxPTR "_%zu AS SELECT ", (uintptr_t)v,
               (size_t)(p - v->parts));
    for (size_t i = first; i < view_n_cols(v); i++)
        buf_printf(&sql, "%s%s AS \"%s\"", i > first ? ", " : "", view_col(v, i)->expr,
                   view_col(v, i)->id);
    view_relation(v, p, &sql);
    if (v->def->group[0])
        buf_printf(&sql, " GROUP BY %s", v->def->group);
    int rc = view_query(v, p, &sql, &q, e);
    buf_done(&sql);
    if (rc || run(q, e))
        return (int)e->code;
    snprintf(p->temp, sizeof p->temp, "v%" PRIxPTR "_%zu", (uintptr_t)v, (size_t)(p - v->parts));
    return OK;
}

static int add_key(struct view *v, int64_t key, struct err *e)
{
    if (v->total == v->cap) {
        size_t cap = v->cap ? v->cap * 2 : 1024;
        int64_t *p = realloc(v->keys, cap * sizeof *p);
        if (!p)
            return err_nomem(e);
        v->keys = p;
        v->cap = cap;
    }
    v->keys[v->total++] = key;
    return OK;
}

int view_select(const struct view *v, const struct part_state *p, const size_t *col,
                struct query **q, struct err *e)
{
    struct buf sql;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "SELECT %s", view_key_expr(v, p));
    if (col) {
        buf_puts(&sql, ", ");
        view_expr(v, p, *col, &sql);
    }
    view_relation(v, p, &sql);
    buf_printf(&sql, " ORDER BY %s", view_key_expr(v, p));
    int rc = view_query(v, p, &sql, q, e);
    buf_done(&sql);
    return rc;
}

static int load_keys(struct view *v, struct part_state *p, struct err *e)
{
    struct query *q = NULL;
    int rc;

    p->first = v->total;
    if (view_select(v, p, NULL, &q, e))
        return (int)e->code;
    while ((rc = query_step(q, e)) == 1 && add_key(v, query_int(q, 0), e) == OK)
        ;
    query_free(q);
    p->n = v->total - p->first;
    return (int)e->code;
}

static int natural_order(struct view *v, struct err *e)
{
    free(v->order);
    v->order = malloc((v->total ? v->total : 1) * sizeof *v->order);
    if (!v->order)
        return err_nomem(e);
    for (size_t i = 0; i < v->total; i++)
        v->order[i] = (uint32_t)i;
    v->shown = v->total;
    return OK;
}

static int open_part(struct view *v, struct part_state *p, struct err *e)
{
    bool is_unix;
    int64_t last;

    if (v->def->group && materialise(v, p, e))
        return (int)e->code;
    p->has_clock =
        store_rank_clock(p->p.store, p->p.rank, &p->origin_ns, &p->first_ns, &last, &is_unix);
    return load_keys(v, p, e);
}

static struct view *view_new(const struct view_def *d, size_t n_parts, struct err *e)
{
    struct view *v = calloc(1, sizeof *v);

    if (!v) {
        err_nomem(e);
        return NULL;
    }
    v->def = d;
    v->sort_col = -1;
    v->parts = calloc(n_parts ? n_parts : 1, sizeof *v->parts);
    if (!v->parts || arena_new(&v->page_arena, PAGE_ARENA_B, e)) {
        err_nomem(e);
        view_close(v);
        return NULL;
    }
    return v;
}

static int initial_sort(struct view *v, struct err *e)
{
    const char *s = v->def->sort;

    if (!s)
        return OK;
    bool reverse = *s == '-';
    int col = view_find_col(v, s + reverse);
    return col < 0 ? err_set(e, ERR_BUG, "view %s sorts by an unknown column", v->def->id)
                   : view_sort(v, col, view_col(v, (size_t)col)->desc != reverse, e);
}

int view_open(struct view **out, const struct view_def *d, const struct view_part *parts,
              size_t n_parts, const struct view_scope *scope, struct err *e)
{
    struct view *v = view_new(d, n_parts, e);

    if (!v)
        return (int)e->code;
    v->scope = *scope;
    v->with_rank = n_parts > 1;
    v->cols = calloc(view_n_cols(v), sizeof *v->cols);
    if (!v->cols) {
        err_nomem(e);
        goto fail;
    }
    for (size_t i = 0; i < n_parts; i++) {
        v->parts[v->n_parts].p = parts[i];
        if (open_part(v, &v->parts[v->n_parts++], e))
            goto fail;
    }
    if (v->total > UINT32_MAX - 1) {
        err_set(e, ERR_LIMIT, "more rows than a table can show");
        goto fail;
    }
    if (natural_order(v, e) || initial_sort(v, e))
        goto fail;
    *out = v;
    return OK;
fail:
    view_close(v);
    return (int)e->code;
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
                                     .min_width = 4,
                                     .width = 12,
                                     .prio = 0,
                                     .flags = i == 0 ? VC_MAIN : 0,
                                     .help = "" };
        v->own_def.n_cols = i + 1;
    }
    v->own_def.cols = cols;
    return OK;
}

/* A column of texts takes the room that its texts need, up to a limit. */
static void make_text(struct view_col *c)
{
    c->type = VT_TEXT;
    c->flags |= VC_FLEX;
    c->min_width = 8;
    c->width = 40;
}

/* Text columns are those that hold a text in the first rows; numbers otherwise. */
static int copy_rows(struct view *v, struct query *q, struct part_state *p, struct err *e)
{
    struct buf sql;
    int rc;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "CREATE TEMP TABLE v%" PRIxPTR "_0(", (uintptr_t)v);
    for (size_t i = 0; i < v->own_def.n_cols; i++)
        buf_printf(&sql, "%sc%zu", i ? ", " : "", i);
    buf_puts(&sql, ")");
    rc = buf_failed(&sql) ? err_nomem(e) : store_exec(p->p.store, sql.p, e);
    buf_clear(&sql);
    snprintf(p->temp, sizeof p->temp, "v%" PRIxPTR "_0", (uintptr_t)v);
    buf_printf(&sql, "INSERT INTO temp.%s VALUES(", p->temp);
    for (size_t i = 0; i < v->own_def.n_cols; i++)
        buf_printf(&sql, "%s:c%zu", i ? ", " : "", i);
    buf_puts(&sql, ")");
    struct query *ins = NULL;
    if (rc == OK)
        rc = store_query(p->p.store, &ins, sql.p, e);
    buf_done(&sql);
    while (rc == OK && (rc = query_step(q, e)) == 1) {
        for (size_t i = 0; i < v->own_def.n_cols; i++) {
            struct val x = query_val(q, i);
            char name[24];
            snprintf(name, sizeof name, ":c%zu", i);
            query_bind_val(ins, name, &x);
            if (x.t == VAL_TEXT)
                make_text(&v->own_cols[i]);
            else if (x.t == VAL_INT && v->own_cols[i].type == VT_REAL && !v->own_cols[i].prio)
                v->own_cols[i].prio = 1;
            else if (x.t == VAL_REAL)
                v->own_cols[i].prio = 2;
        }
        rc = query_step(ins, e) < 0 ? (int)e->code : OK;
        query_reset(ins);
    }
    query_free(ins);
    for (size_t i = 0; i < v->own_def.n_cols; i++) {
        struct view_col *c = &v->own_cols[i];
        if (c->type != VT_TEXT && c->prio == 1)
            c->type = VT_INT;
        c->prio = 0;
        if (c->type == VT_TEXT)
            c->flags |= VC_LEFT;
    }
    return (int)e->code;
}

int view_open_sql(struct view **out, struct store *s, struct str sql, struct err *e)
{
    struct query *q = NULL;
    struct view *v = view_new(NULL, 1, e);

    if (!v)
        return (int)e->code;
    v->def = &v->own_def;
    v->own_def = (struct view_def){ .id = "sql",
                                    .title = "result",
                                    .pane = PANE_SQL,
                                    .from = "",
                                    .key = "rowid",
                                    .unit_of = "rows" };
    v->scope = VIEW_SCOPE_ALL;
    v->parts[0].p.store = s;
    v->n_parts = 1;
    if (store_user_query(s, &q, sql, NULL, e) || make_sql_def(v, q, e) ||
        copy_rows(v, q, &v->parts[0], e))
        goto fail;
    query_free(q);
    q = NULL;
    v->sql_text = malloc(sql.n + 1);
    v->cols = calloc(view_n_cols(v) ? view_n_cols(v) : 1, sizeof *v->cols);
    if (!v->sql_text || !v->cols) {
        err_nomem(e);
        goto fail;
    }
    memcpy(v->sql_text, sql.p, sql.n);
    v->sql_text[sql.n] = 0;
    if (load_keys(v, &v->parts[0], e) || natural_order(v, e))
        goto fail;
    *out = v;
    return OK;
fail:
    query_free(q);
    view_close(v);
    return (int)e->code;
}

void view_close(struct view *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->n_parts; i++) {
        struct err ignored = ERR_INIT;
        char sql[100];
        query_free(v->parts[i].page);
        if (!v->parts[i].temp[0])
            continue;
        snprintf(sql, sizeof sql, "DROP TABLE temp.%s", v->parts[i].temp);
        if (store_exec(v->parts[i].p.store, sql, &ignored))
            err_clear(&ignored); /* goes with the connection */
    }
    for (size_t i = 0; v->cols && i < view_n_cols(v); i++)
        view_cache_done(&v->cols[i]);
    for (size_t i = 0; v->own_cols && i < v->own_def.n_cols; i++)
        free((char *)v->own_cols[i].id);
    free(v->own_cols);
    free(v->sql_text);
    free(v->cols);
    free(v->parts);
    free(v->keys);
    free(v->order);
    arena_free(v->page_arena);
    free(v);
}

/* ---- facts ---- */

const struct view_def *view_definition(const struct view *v)
{
    return v->def;
}

size_t view_n_cols(const struct view *v)
{
    return v->def->n_cols + (v->with_rank ? 1 : 0);
}

const struct view_col *view_col(const struct view *v, size_t i)
{
    if (v->with_rank)
        return i == 0 ? &rank_col : &v->def->cols[i - 1];
    return &v->def->cols[i];
}

int view_find_col(const struct view *v, const char *id)
{
    int found = -1;

    for (size_t i = 0; i < view_n_cols(v); i++)
        if (strcmp(view_col(v, i)->id, id) == 0)
            return (int)i;
    for (size_t i = 0; i < view_n_cols(v); i++) {
        if (strncmp(view_col(v, i)->id, id, strlen(id)) != 0)
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

size_t view_total(const struct view *v)
{
    return v->total;
}

size_t view_rows(const struct view *v)
{
    return v->shown;
}

static size_t part_of(const struct view *v, size_t row)
{
    size_t p = 0;

    while (p + 1 < v->n_parts && row >= v->parts[p + 1].first)
        p++;
    return p;
}

int64_t view_row_key(const struct view *v, size_t row, size_t *part)
{
    size_t r = v->order[row];

    if (part)
        *part = part_of(v, r);
    return v->keys[r];
}

size_t view_row_of_key(const struct view *v, int64_t key, size_t part)
{
    for (size_t i = 0; i < v->shown; i++)
        if (v->keys[v->order[i]] == key && part_of(v, v->order[i]) == part)
            return i;
    return SIZE_MAX;
}

/* ---- pages ---- */

static int prepare_page(struct view *v, struct part_state *p, struct err *e)
{
    struct buf sql;

    buf_init(&sql, (size_t)1 << 20);
    buf_puts(&sql, "SELECT ");
    for (size_t i = 0; i < view_n_cols(v); i++) {
        if (i)
            buf_puts(&sql, ", ");
        view_expr(v, p, i, &sql);
    }
    view_relation(v, p, &sql);
    buf_printf(&sql, " %s %s = :view_key", !p->temp[0] && v->def->where ? "AND" : "WHERE",
               view_key_expr(v, p));
    int rc = view_query(v, p, &sql, &p->page, e);
    buf_done(&sql);
    return rc;
}

static void to_times(const struct part_state *p, enum view_times times, struct val *x)
{
    if (x->t != VAL_INT || times == VIEW_STORED || !p->has_clock)
        return;
    x->i += times == VIEW_ABSOLUTE ? p->origin_ns : -p->first_ns;
}

static int read_row(struct view *v, size_t row, enum view_times times, struct val *out,
                    struct err *e)
{
    size_t r = v->order[row];
    struct part_state *p = &v->parts[part_of(v, r)];

    if (!p->page && prepare_page(v, p, e))
        return (int)e->code;
    query_bind_int(p->page, ":view_key", v->keys[r]);
    int rc = query_step(p->page, e);
    for (size_t i = 0; rc == 1 && i < view_n_cols(v); i++) {
        out[i] = query_val(p->page, i);
        if (out[i].t == VAL_TEXT) {
            out[i].s = arena_str(v->page_arena, out[i].s);
            if (!out[i].s.p)
                err_nomem(e);
        }
        if (view_col(v, i)->unit == VU_TS)
            to_times(p, times, &out[i]);
    }
    query_reset(p->page);
    return (int)e->code;
}

int view_page(struct view *v, size_t first, size_t n, enum view_times times, struct page *p,
              struct err *e)
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
    for (size_t i = 0; i < n; i++)
        if (read_row(v, first + i, times, out + i * p->n_cols, e))
            return (int)e->code;
    return OK;
}
