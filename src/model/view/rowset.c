/* Rows of a definition for one rank: keys, columns on demand, rows by key. */
#include "config.h"

#include "model/view/rowset_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "model/views/colset.h"

/* ---- statements ---- */

/* The word at the end of "op_exec e": what its columns are called by. */
static struct str alias_of(const char *from)
{
    struct str s = str_of(from);
    size_t blank = str_rchr(s, ' ');

    return blank == SIZE_MAX ? s : str_sub(s, blank + 1, s.n);
}

/* "e." stands in expr, not as the end of a longer word. */
static bool mentions(const char *expr, struct str alias)
{
    struct str s = str_of(expr);

    for (size_t at = 0; (at = str_find(s, alias, at)) != SIZE_MAX; at++)
        if ((at == 0 || !str_is_word(s.p[at - 1])) && at + alias.n < s.n &&
            s.p[at + alias.n] == '.')
            return true;
    return false;
}

/* One table with an alias: it is read in the order of its keys, whatever indexes there are. */
bool rowset_is_one_table(const char *from)
{
    size_t blanks = 0;

    for (const char *c = from; *c; c++) {
        blanks += *c == ' ';
        if (*c != ' ' && !str_is_word(*c))
            return false;
    }
    return blanks == 1;
}

void rowset_add_from(const struct rowset *r, struct buf *sql)
{
    if (r->temp[0])
        buf_printf(sql, " FROM temp.%s", r->temp);
    else if (r->is_dim)
        buf_printf(sql, " FROM %s NOT INDEXED", r->def->dim);
    else
        buf_printf(sql, " FROM %s%s", r->def->from,
                   rowset_is_one_table(r->def->from) ? " NOT INDEXED" : "");
}

static void add_joined(const struct rowset *r, struct buf *sql)
{
    rowset_add_from(r, sql);
    if (!r->temp[0] && r->def->dim)
        buf_printf(sql, " LEFT JOIN %s ON %s = %s", r->def->dim, r->def->dim_id, r->def->dim_ref);
}

const char *rowset_key_expr(const struct rowset *r)
{
    return r->temp[0] ? "rowid" : r->is_dim ? r->def->dim_id : r->def->key;
}

/* Column as it is kept (raw: string ids), or as it is shown. */
void rowset_add_expr(const struct rowset *r, size_t col, bool raw, struct buf *sql)
{
    const struct view_def *d = r->def;
    struct str id;

    if (col >= d->n_cols) {
        buf_puts(sql, col == COL_STEP(r) ? d->step : d->dim_ref);
    } else if (r->numbered) {
        buf_printf(sql, "c%zu", col);
    } else if (r->temp[0]) {
        bool string = !raw && colset_string(d->cols[col].expr, &id);
        buf_printf(sql, string ? COLSET_TEXT("\"%s\"") : "\"%s\"", d->cols[col].id);
    } else if (raw && colset_string(d->cols[col].expr, &id)) {
        buf_add(sql, id);
    } else {
        buf_puts(sql, d->cols[col].expr);
    }
}

int rowset_query(const struct rowset *r, struct buf *sql, struct query **q, struct err *e)
{
    if (buf_failed(sql))
        return err_nomem(e);
    if (store_query(r->part.store, q, sql->p, e))
        return (int)e->code;
    query_bind_int(*q, ":rank", r->part.rank);
    query_bind_int(*q, ":first_step", r->scope.first_step);
    if (r->scope.step0 != INT64_MIN)
        query_bind_int(*q, ":step0", r->scope.step0);
    if (r->scope.step1 != INT64_MAX)
        query_bind_int(*q, ":step1", r->scope.step1);
    return OK;
}

/* ---- keys ---- */

struct keys {
    int64_t *p;
    size_t n, cap;
    bool sorted, no_memory;
};

/* While keys follow each other only the first is kept. */
static bool is_run(const struct rowset *r, const struct keys *k, int64_t key)
{
    return !k->p && (k->n == 0 || key == r->first_key + (int64_t)k->n);
}

static bool spread(struct rowset *r, struct keys *k)
{
    k->cap = k->n * 2 + 1024;
    k->p = malloc(k->cap * sizeof *k->p);
    for (size_t i = 0; k->p && i < k->n; i++)
        k->p[i] = r->first_key + (int64_t)i;
    return k->p != NULL;
}

static bool add_key(struct rowset *r, struct keys *k, int64_t key)
{
    if (is_run(r, k, key)) {
        if (!k->n++)
            r->first_key = key;
        return true;
    }
    if (!k->p && !spread(r, k))
        return false;
    int64_t *p = grow_array(k->p, k->n, &k->cap, sizeof *p, 1024);
    if (!p)
        return false;
    k->p = p;
    k->sorted &= !k->n || k->p[k->n - 1] <= key;
    k->p[k->n++] = key;
    return true;
}

struct key_scan {
    struct rowset *r;
    struct keys keys;
};

static bool on_key(void *arg, const struct val *v, size_t n)
{
    struct key_scan *s = arg;
    bool ok = add_key(s->r, &s->keys, n && v[0].t == VAL_INT ? v[0].i : 0);

    s->keys.no_memory |= !ok;
    return ok;
}

static int key_cmp(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int keep_keys(struct rowset *r, struct keys *k, struct err *e)
{
    struct column_build *b = NULL;

    r->n = k->n;
    if (!k->p)
        return OK;
    if (!k->sorted)
        qsort(k->p, k->n, sizeof *k->p, key_cmp);
    if (column_build_new(&b, CS_NUMBER, k->n, e))
        return (int)e->code;
    for (size_t i = 0; i < k->n; i++) {
        struct val v = val_int(k->p[i]);
        column_build_put(b, i, &v);
    }
    int rc = column_build_end(b, &r->keys, e);
    column_build_free(b);
    rowpool_charge(r->pool, 0, column_bytes(&r->keys));
    return rc;
}

static int load_keys(struct rowset *r, struct err *e)
{
    struct key_scan s = { .r = r, .keys = { .sorted = true } };
    struct query *q = NULL;
    struct buf sql;
    const char *where = r->temp[0] || r->is_dim ? NULL : r->def->where;

    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "SELECT each_row(:each_row, %s)", rowset_key_expr(r));
    if (where && r->def->dim && mentions(where, alias_of(r->def->dim)))
        add_joined(r, &sql);
    else
        rowset_add_from(r, &sql);
    if (where)
        buf_printf(&sql, " WHERE %s", where);
    if (rowset_query(r, &sql, &q, e) == OK && query_each(q, on_key, &s, e) && s.keys.no_memory) {
        err_clear(e);
        err_nomem(e);
    }
    query_free(q);
    buf_done(&sql);
    if (!e->code)
        keep_keys(r, &s.keys, e);
    free(s.keys.p);
    return (int)e->code;
}

size_t rowset_rows(const struct rowset *r)
{
    return r->n;
}

int64_t rowset_key(const struct rowset *r, size_t row)
{
    return r->keys.p ? column_int(&r->keys, row) : r->first_key + (int64_t)row;
}

size_t rowset_find(const struct rowset *r, int64_t key)
{
    size_t lo = 0, hi = r->n;

    if (!r->n || key < rowset_key(r, 0) || key > rowset_key(r, r->n - 1))
        return SIZE_MAX;
    if (!r->keys.p)
        return (size_t)(key - r->first_key);
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (column_int(&r->keys, mid) < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return column_int(&r->keys, lo) == key ? lo : SIZE_MAX;
}

/* ---- grouped rows ---- */

static int run(struct query *q, struct err *e)
{
    int rc;

    while ((rc = query_step(q, e)) == 1)
        ;
    query_free(q);
    return rc < 0 ? (int)e->code : OK;
}

static int fill_temp(struct rowset *r, const char *from, struct err *e)
{
    const struct view_def *d = r->def;
    struct buf sql;
    struct query *q = NULL;
    char name[sizeof r->temp];

    snprintf(name, sizeof name, "v%" PRIxPTR, (uintptr_t)r);
    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "CREATE TEMP TABLE %s AS SELECT ", name);
    for (size_t i = 0; i < d->n_cols; i++) {
        buf_puts(&sql, i ? ", " : "");
        rowset_add_expr(r, i, true, &sql);
        buf_printf(&sql, " AS \"%s\"", d->cols[i].id);
    }
    buf_printf(&sql, " FROM %s", from);
    if (d->where)
        buf_printf(&sql, " WHERE (%s)", d->where);
    if (d->group[0])
        buf_printf(&sql, " GROUP BY %s", d->group);
    int rc = rowset_query(r, &sql, &q, e);
    buf_done(&sql);
    if (rc || run(q, e))
        return (int)e->code;
    memcpy(r->temp, name, sizeof name);
    return OK;
}

/* Computed once, into a temporary table of the connection; texts as string ids. */
static int materialise(struct rowset *r, struct err *e)
{
    struct err why = ERR_INIT;

    if (r->def->quick && fill_temp(r, r->def->quick, &why) == OK)
        return OK;
    if (why.code == ERR_NOMEM || why.code == ERR_CANCELLED) {
        *e = why;
        return (int)e->code;
    }
    return fill_temp(r, r->def->from, e);
}

/* ---- opening and closing ---- */

static struct rowset *rowset_new(struct rowpool *pool, const struct view_def *d,
                                 const struct view_part *p, const struct view_scope *scope,
                                 struct err *e)
{
    struct rowset *r = calloc(1, sizeof *r);

    if (r)
        r->slots = calloc(d->n_cols + N_EXTRA_COLS, sizeof *r->slots);
    if (!r || !r->slots) {
        free(r);
        err_nomem(e);
        return NULL;
    }
    r->pool = pool;
    r->def = d;
    r->part = *p;
    r->scope = *scope;
    r->n_slots = d->n_cols + N_EXTRA_COLS;
    return r;
}

void rowset_free(struct rowset *r)
{
    if (!r)
        return;
    rowset_free(r->dim);
    for (size_t i = 0; i < r->n_slots; i++)
        rowset_drop(r, i);
    rowpool_charge(r->pool, column_bytes(&r->keys), 0);
    column_done(&r->keys);
    query_free(r->page);
    if (r->temp[0]) {
        struct err ignored = ERR_INIT;
        char sql[100];
        snprintf(sql, sizeof sql, "DROP TABLE temp.%s", r->temp);
        if (store_exec(r->part.store, sql, &ignored))
            err_clear(&ignored); /* goes with the connection */
    }
    free(r->slots);
    free(r);
}

static int open_dim(struct rowset *r, struct err *e)
{
    const struct view_def *d = r->def;
    struct str own = alias_of(d->from), other = alias_of(d->dim);

    r->dim = rowset_new(r->pool, d, &r->part, &r->scope, e);
    if (!r->dim)
        return (int)e->code;
    r->dim->is_dim = true;
    for (size_t i = 0; i < d->n_cols; i++)
        r->slots[i].in_dim = mentions(d->cols[i].expr, other) && !mentions(d->cols[i].expr, own);
    return load_keys(r->dim, e);
}

/* The scope's parameters stand in the statement itself. A plain row's step (d->step) is no reason: those rowsets hold all steps. */
static bool uses_scope(const struct view_def *d)
{
    static const char *const names[] = { ":step0", ":step1", ":first_step" };

    for (size_t k = 0; k < ARRAY_LEN(names); k++) {
        if (strstr(d->from, names[k]) || (d->where && strstr(d->where, names[k])))
            return true;
        for (size_t i = 0; i < d->n_cols; i++)
            if (strstr(d->cols[i].expr, names[k]))
                return true;
    }
    return false;
}

static struct rowset *find(const struct rowpool *pool, const struct view_def *d,
                           const struct view_part *p, const struct view_scope *scope)
{
    for (struct rowset *r = pool->list; r; r = r->next)
        if (r->def == d && r->part.store == p->store && r->part.rank == p->rank && !r->numbered &&
            (!uses_scope(d) || (r->scope.step0 == scope->step0 && r->scope.step1 == scope->step1 &&
                                r->scope.first_step == scope->first_step)))
            return r;
    return NULL;
}

static void enter(struct rowpool *pool, struct rowset *r)
{
    r->refs = 1;
    r->next = pool->list;
    pool->list = r;
}

int rowset_open(struct rowset **out, struct rowpool *pool, const struct view_def *d,
                const struct view_part *p, const struct view_scope *scope, struct err *e)
{
    struct rowset *r = find(pool, d, p, scope);

    if (r) {
        r->refs++;
        *out = r;
        return OK;
    }
    r = rowset_new(pool, d, p, scope, e);
    if (!r)
        return (int)e->code;
    if ((d->group && materialise(r, e)) || (!d->group && d->dim && open_dim(r, e)) ||
        load_keys(r, e)) {
        rowset_free(r);
        return (int)e->code;
    }
    enter(pool, r);
    *out = r;
    return OK;
}

int rowset_open_temp(struct rowset **out, struct rowpool *pool, const struct view_def *d,
                     struct store *s, const char *table, struct err *e)
{
    const struct view_part part = { .store = s };
    const struct view_scope all = VIEW_SCOPE_ALL;
    struct rowset *r = rowset_new(pool, d, &part, &all, e);

    if (!r)
        return (int)e->code;
    r->numbered = true;
    snprintf(r->temp, sizeof r->temp, "%s", table);
    if (load_keys(r, e)) {
        rowset_free(r);
        return (int)e->code;
    }
    enter(pool, r);
    *out = r;
    return OK;
}

/* ---- rows ---- */

static int prepare_page(struct rowset *r, struct err *e)
{
    struct buf sql;

    buf_init(&sql, (size_t)1 << 20);
    buf_puts(&sql, "SELECT ");
    for (size_t i = 0; i < r->def->n_cols; i++) {
        buf_puts(&sql, i ? ", " : "");
        rowset_add_expr(r, i, false, &sql);
    }
    add_joined(r, &sql);
    buf_printf(&sql, " WHERE %s = :view_key", rowset_key_expr(r));
    int rc = rowset_query(r, &sql, &r->page, e);
    buf_done(&sql);
    return rc;
}

int rowset_row(struct rowset *r, size_t row, struct arena *a, struct val *out, struct err *e)
{
    if (!r->page && prepare_page(r, e))
        return (int)e->code;
    query_bind_int(r->page, ":view_key", rowset_key(r, row));
    int rc = query_step(r->page, e);
    for (size_t i = 0; i < r->def->n_cols; i++) {
        out[i] = rc == 1 ? query_val(r->page, i) : val_null(); /* a row that is gone is empty */
        if (out[i].t != VAL_TEXT)
            continue;
        out[i].s = arena_str(a, out[i].s);
        if (!out[i].s.p)
            err_nomem(e);
    }
    query_reset(r->page);
    return (int)e->code;
}

struct row_scan {
    struct rowset *r;
    size_t hint;
    rowset_row_fn *fn;
    void *arg;
};

static bool on_row(void *arg, const struct val *v, size_t n)
{
    struct row_scan *s = arg;
    size_t row = rowset_place(s->r, v[0].i, &s->hint);

    return row == SIZE_MAX || s->fn(s->arg, row, v + 1, n - 1);
}

int rowset_each(struct rowset *r, size_t from, size_t to, rowset_row_fn *fn, void *arg,
                struct err *e)
{
    struct row_scan s = { r, from, fn, arg };
    struct buf sql;
    struct query *q = NULL;
    int rc;

    if (from >= to)
        return OK;
    buf_init(&sql, (size_t)1 << 20);
    buf_printf(&sql, "SELECT each_row(:each_row, %s", rowset_key_expr(r));
    for (size_t i = 0; i < r->def->n_cols; i++) {
        buf_puts(&sql, ", ");
        rowset_add_expr(r, i, false, &sql);
    }
    buf_addc(&sql, ')');
    add_joined(r, &sql);
    buf_printf(&sql, " WHERE %s BETWEEN :key0 AND :key1", rowset_key_expr(r));
    rc = rowset_query(r, &sql, &q, e);
    if (rc == OK) {
        query_bind_int(q, ":key0", rowset_key(r, from));
        query_bind_int(q, ":key1", rowset_key(r, to - 1));
        rc = query_each(q, on_row, &s, e);
    }
    query_free(q);
    buf_done(&sql);
    return rc;
}
