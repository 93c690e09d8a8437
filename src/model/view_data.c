/* Columns in use, filtering, sorting, searching (performance.md section 7). */
#include "config.h"

#include "model/view_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/unit.h"

#define ROWS_PER_LOOK 16384 /* rows filtered between two looks at whether to stop */

/* ---- one column in memory ---- */

void view_cache_done(struct col_cache *c)
{
    free(c->i);
    free(c->r);
    free(c->t);
    intern_free(c->texts);
    *c = (struct col_cache){ .loaded = false };
}

static void store_value(struct col_cache *c, enum view_type type, size_t row, const struct val *x)
{
    switch (type) {
    case VT_INT:
        c->i[row] = x->t == VAL_INT ? x->i : x->t == VAL_REAL ? (int64_t)x->r : INT64_MIN;
        break;
    case VT_REAL:
        c->r[row] = x->t == VAL_NULL || x->t == VAL_TEXT ? (double)NAN : val_num(x);
        break;
    case VT_TEXT:
        if (x->t == VAL_TEXT) {
            c->t[row] = intern_put(c->texts, x->s);
        } else if (x->t == VAL_NULL) {
            c->t[row] = INTERN_NONE;
        } else {
            char buf[40];
            if (x->t == VAL_INT)
                snprintf(buf, sizeof buf, "%" PRId64, x->i);
            else
                unit_plain(buf, sizeof buf, val_num(x));
            c->t[row] = intern_put(c->texts, str_of(buf));
        }
        break;
    }
}

static int alloc_cache(struct col_cache *c, enum view_type type, size_t n, struct err *e)
{
    size_t k = n ? n : 1;

    if (type == VT_INT)
        c->i = malloc(k * sizeof *c->i);
    else if (type == VT_REAL)
        c->r = malloc(k * sizeof *c->r);
    else if ((c->t = malloc(k * sizeof *c->t)) && intern_new(&c->texts, e))
        return (int)e->code;
    return c->i || c->r || c->t ? OK : err_nomem(e);
}

static int load_part(struct view *v, struct part_state *p, size_t col, struct err *e)
{
    struct col_cache *c = &v->cols[col];
    enum view_type type = view_col(v, col)->type;
    struct query *q = NULL;
    size_t row = p->first;
    int rc;

    if (view_select(v, p, &col, &q, e))
        return (int)e->code;
    while ((rc = query_step(q, e)) == 1 && row < p->first + p->n) {
        struct val x = query_val(q, 1);
        store_value(c, type, row++, &x);
    }
    query_free(q);
    if (!e->code && row != p->first + p->n)
        err_set(e, ERR_BUG, "view %s: a column has %zu of %zu rows", v->def->id, row - p->first,
                p->n);
    return (int)e->code;
}

int view_cache_load(struct view *v, size_t col, struct err *e)
{
    struct col_cache *c = &v->cols[col];

    if (c->loaded)
        return OK;
    if (alloc_cache(c, view_col(v, col)->type, v->total, e) == OK) {
        for (size_t i = 0; i < v->n_parts; i++)
            if (load_part(v, &v->parts[i], col, e))
                break;
    }
    if (e->code)
        view_cache_done(c);
    else
        c->loaded = true;
    return (int)e->code;
}

bool view_cache_null(const struct view *v, size_t col, size_t row)
{
    const struct col_cache *c = &v->cols[col];
    return c->i ? c->i[row] == INT64_MIN : c->r ? isnan(c->r[row]) : c->t[row] == INTERN_NONE;
}

double view_cache_num(const struct view *v, size_t col, size_t row)
{
    const struct col_cache *c = &v->cols[col];
    return c->i ? (double)c->i[row] : c->r ? c->r[row] : 0;
}

/* ---- filters ---- */

/* Text of a cell for regexes on numbers and whole rows. */
static void add_text(const struct view *v, size_t col, size_t row, struct buf *out)
{
    const struct col_cache *c = &v->cols[col];
    char num[40];

    if (view_cache_null(v, col, row))
        return;
    if (c->t)
        buf_add(out, intern_get(c->texts, c->t[row]));
    else if (c->i)
        buf_printf(out, "%" PRId64, c->i[row]);
    else
        buf_puts(out, unit_plain(num, sizeof num, c->r[row]));
}

/* Result per distinct text; 2: given up. */
static int text_bits(const struct view *v, const struct filter_test *t, size_t col, uint8_t **out,
                     struct err *e)
{
    const struct col_cache *c = &v->cols[col];
    uint32_t n = intern_count(c->texts);
    uint8_t *bits = malloc(n ? n : 1);

    if (!bits)
        return err_nomem(e);
    for (uint32_t i = 0; i < n; i++) {
        int m = filter_text(t, intern_get(c->texts, i));
        bits[i] = m < 0 ? 2 : (uint8_t)m;
    }
    *out = bits;
    return OK;
}

static int row_matches(const struct view *v, const struct filter_test *t, size_t col, size_t row,
                       struct buf *tmp)
{
    if (t->op == FO_RE || t->op == FO_TEXT || t->op == FO_ROW_RE) {
        buf_clear(tmp);
        if (t->op == FO_ROW_RE) {
            for (size_t i = 0; i < view_n_cols(v); i++) {
                if (i)
                    buf_addc(tmp, '\t');
                add_text(v, i, row, tmp);
            }
        } else {
            add_text(v, col, row, tmp);
        }
        return filter_text(t, buf_str(tmp));
    }
    return filter_number(t, view_cache_num(v, col, row), view_cache_null(v, col, row));
}

static bool null_matches(const struct filter_test *t)
{
    bool wants_empty = t->op == FO_EQ && t->n && !t->texts[0].n;
    return wants_empty != t->negate;
}

static size_t test_col(const struct view *v, const struct filter_test *t)
{
    return (size_t)t->col + (v->with_rank ? 1 : 0);
}

/* The columns a test looks at. What takes long comes before anything changes: it may be stopped. */
static int load_for_test(struct view *v, const struct filter_test *t, struct err *e)
{
    if (t->op != FO_ROW_RE)
        return view_cache_load(v, test_col(v, t), e);
    for (size_t i = 0; i < view_n_cols(v); i++)
        if (view_cache_load(v, i, e))
            return (int)e->code;
    return OK;
}

static bool stopped(const struct view *v)
{
    return v->n_parts && store_stopped(v->parts[0].p.store);
}

/* Keep the rows of order[0..shown) that pass one test. */
static int apply_test(struct view *v, const struct filter_test *t, size_t *undecided, struct err *e)
{
    size_t col = test_col(v, t), n = 0;
    uint8_t *bits = NULL;
    struct buf tmp;

    filter_renew(t);
    bool by_text = t->op != FO_ROW_RE && v->cols[col].t;
    if (by_text && text_bits(v, t, col, &bits, e))
        return (int)e->code;
    buf_init(&tmp, (size_t)1 << 20);
    for (size_t i = 0; i < v->shown; i++) {
        uint32_t row = v->order[i];
        int m;
        if (i % ROWS_PER_LOOK == ROWS_PER_LOOK - 1 && stopped(v)) {
            err_set(e, ERR_CANCELLED, "stopped");
            break;
        }
        if (!by_text)
            m = row_matches(v, t, col, row, &tmp);
        else if (v->cols[col].t[row] == INTERN_NONE)
            m = null_matches(t);
        else
            m = bits[v->cols[col].t[row]] == 2 ? -1 : bits[v->cols[col].t[row]];
        if (m < 0)
            (*undecided)++;
        else if (m)
            v->order[n++] = row;
    }
    v->shown = n;
    buf_done(&tmp);
    free(bits);
    return (int)e->code;
}

int view_set_filters(struct view *v, struct filter *const *f, size_t n, size_t *undecided,
                     struct err *e)
{
    size_t ignored = 0;

    v->filters = f;
    v->n_filters = n;
    if (!undecided)
        undecided = &ignored;
    *undecided = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < f[i]->n; k++)
            if (load_for_test(v, &f[i]->tests[k], e))
                return (int)e->code;
    for (size_t i = 0; i < v->total; i++)
        v->order[i] = (uint32_t)i;
    v->shown = v->total;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < f[i]->n; k++)
            if (apply_test(v, &f[i]->tests[k], undecided, e))
                return (int)e->code;
    return v->sort_col >= 0 ? view_sort(v, v->sort_col, v->sort_desc, e) : OK;
}

/* ---- sort ---- */

struct keyed {
    uint64_t key;
    uint32_t row;
};

/* Order-preserving map of doubles to unsigned numbers. */
static uint64_t double_key(double d)
{
    uint64_t u;

    if (d == 0)
        d = 0; /* -0 and 0 are equal */
    memcpy(&u, &d, 8);
    return u & UINT64_C(1) << 63 ? ~u : u | UINT64_C(1) << 63;
}

struct ranked {
    struct str s;
    uint32_t id;
};

static int ranked_cmp(const void *a, const void *b)
{
    return str_cmp_natural(((const struct ranked *)a)->s, ((const struct ranked *)b)->s);
}

/* Rank of each distinct text. */
static uint32_t *text_ranks(const struct intern *texts)
{
    uint32_t n = intern_count(texts);
    struct ranked *r = malloc((n ? n : 1) * sizeof *r);
    uint32_t *rank = malloc((n ? n : 1) * sizeof *rank);

    for (uint32_t i = 0; r && i < n; i++)
        r[i] = (struct ranked){ intern_get(texts, i), i };
    if (r && rank) {
        qsort(r, n, sizeof *r, ranked_cmp);
        for (uint32_t i = 0; i < n; i++)
            rank[r[i].id] = i && ranked_cmp(&r[i - 1], &r[i]) == 0 ? rank[r[i - 1].id] : i;
    } else {
        free(rank);
        rank = NULL;
    }
    free(r);
    return rank;
}

/* Stable LSD radix sort, 11 bits a pass, passes without effect left out. */
static int radix_sort(struct keyed *a, size_t n, struct err *e)
{
    struct keyed *b = malloc((n ? n : 1) * sizeof *b), *from = a, *to = b;
    uint64_t all_or = 0, all_and = UINT64_MAX;

    if (!b)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++) {
        all_or |= a[i].key;
        all_and &= a[i].key;
    }
    for (unsigned shift = 0; shift < 64; shift += 11) {
        size_t count[2049] = { 0 };
        if (!(((all_or ^ all_and) >> shift) & 2047))
            continue;
        for (size_t i = 0; i < n; i++)
            count[((from[i].key >> shift) & 2047) + 1]++;
        for (size_t i = 1; i < 2049; i++)
            count[i] += count[i - 1];
        for (size_t i = 0; i < n; i++)
            to[count[(from[i].key >> shift) & 2047]++] = from[i];
        struct keyed *x = from;
        from = to;
        to = x;
    }
    if (from != a)
        memcpy(a, from, n * sizeof *a);
    free(b);
    return OK;
}

static uint64_t sort_key(const struct col_cache *c, const uint32_t *ranks, size_t row)
{
    if (c->i)
        return (uint64_t)c->i[row] ^ UINT64_C(1) << 63;
    if (c->r)
        return double_key(c->r[row]);
    return ranks[c->t[row]];
}

static int u32_cmp(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

int view_sort(struct view *v, int col, bool desc, struct err *e)
{
    if (col >= 0 && view_cache_load(v, (size_t)col, e))
        return (int)e->code;                              /* the old order stays */
    qsort(v->order, v->shown, sizeof *v->order, u32_cmp); /* ties keep the natural order */
    if (col >= 0)
        return view_sort_again(v, col, desc, e);
    v->sort_col = col;
    v->sort_desc = desc;
    return OK;
}

int view_sort_again(struct view *v, int col, bool desc, struct err *e)
{
    uint32_t *ranks = NULL;
    struct keyed *k = NULL;
    size_t n = 0, nulls = 0;

    if (view_cache_load(v, (size_t)col, e))
        return (int)e->code;
    v->sort_col = col;
    v->sort_desc = desc;
    const struct col_cache *c = &v->cols[col];
    if (c->t && !(ranks = text_ranks(c->texts)))
        return err_nomem(e);
    k = malloc((v->shown ? v->shown : 1) * sizeof *k);
    if (!k) {
        free(ranks);
        return err_nomem(e);
    }
    for (size_t i = 0; i < v->shown; i++) {
        uint32_t row = v->order[i];
        if (view_cache_null(v, (size_t)col, row)) {
            v->order[nulls++] = row; /* never ahead of i */
            continue;
        }
        uint64_t key = sort_key(c, ranks, row);
        k[n++] = (struct keyed){ desc ? ~key : key, row };
    }
    if (radix_sort(k, n, e) == OK) {
        memmove(v->order + n, v->order, nulls * sizeof *v->order);
        for (size_t i = 0; i < n; i++)
            v->order[i] = k[i].row;
    }
    free(k);
    free(ranks);
    return (int)e->code;
}

int view_sorted_by(const struct view *v, bool *desc)
{
    if (desc)
        *desc = v->sort_desc;
    return v->sort_col;
}

/* ---- search, ranges, frequent values ---- */

static size_t main_col(const struct view *v)
{
    for (size_t i = 0; i < view_n_cols(v); i++)
        if (view_col(v, i)->flags & VC_MAIN)
            return i;
    return v->with_rank && view_n_cols(v) > 1 ? 1 : 0;
}

size_t view_search(struct view *v, struct re *re, size_t from, int dir, struct err *e)
{
    size_t col = main_col(v);
    struct buf tmp;
    size_t found = SIZE_MAX, costly = 0;

    if (!v->shown || view_cache_load(v, col, e))
        return SIZE_MAX;
    buf_init(&tmp, (size_t)1 << 20);
    re_renew(re);
    for (size_t i = 0; i < v->shown && found == SIZE_MAX; i++) {
        size_t at = dir > 0 ? (from + i) % v->shown : (from + v->shown - i % v->shown) % v->shown;
        buf_clear(&tmp);
        add_text(v, col, v->order[at], &tmp);
        int m = re_match(re, buf_str(&tmp), 0, NULL, NULL);
        costly += m < 0;
        if (m == 1)
            found = at;
    }
    buf_done(&tmp);
    if (found == SIZE_MAX && costly)
        err_set(e, ERR_LIMIT, "the pattern is too costly: %zu rows could not be searched", costly);
    re_renew(re); /* what shows the match may ask again */
    return found;
}

bool view_range(struct view *v, int col, double *min, double *max, double *sum, struct err *e)
{
    bool any = false;

    *min = *max = *sum = 0;
    if (view_col(v, (size_t)col)->type == VT_TEXT || view_cache_load(v, (size_t)col, e))
        return false;
    for (size_t i = 0; i < v->shown; i++) {
        if (view_cache_null(v, (size_t)col, v->order[i]))
            continue;
        double x = view_cache_num(v, (size_t)col, v->order[i]);
        if (!any || x < *min)
            *min = x;
        if (!any || x > *max)
            *max = x;
        *sum += x;
        any = true;
    }
    return any;
}

bool view_col_blank(struct view *v, size_t col)
{
    struct err ignored = ERR_INIT;
    const struct col_cache *c = &v->cols[col];

    if (view_cache_load(v, col, &ignored))
        return false;
    for (size_t i = 0; i < v->total; i++)
        if (!view_cache_null(v, col, i) && (!c->t || intern_get(c->texts, c->t[i]).n))
            return false;
    return true;
}

size_t view_text_cells(struct view *v, size_t col, size_t (*width)(struct str s, unsigned flags),
                       unsigned flags)
{
    struct err ignored = ERR_INIT;
    size_t most = 0;

    if (view_col(v, col)->type != VT_TEXT || view_cache_load(v, col, &ignored))
        return 0;
    const struct intern *texts = v->cols[col].texts;
    for (uint32_t i = 0; i < intern_count(texts); i++) {
        size_t w = width(intern_get(texts, i), flags);
        most = w > most ? w : most;
    }
    return most;
}

struct frequency {
    uint32_t id, n;
};

static int frequency_cmp(const void *a, const void *b)
{
    const struct frequency *x = a, *y = b;
    return x->n != y->n ? (x->n > y->n ? -1 : 1) : x->id < y->id ? -1 : 1;
}

size_t view_top_values(struct view *v, int col, struct str *out, size_t max, struct err *e)
{
    size_t n = 0;

    if (view_col(v, (size_t)col)->type != VT_TEXT || view_cache_load(v, (size_t)col, e))
        return 0;
    const struct col_cache *c = &v->cols[col];
    uint32_t distinct = intern_count(c->texts);
    struct frequency *f = calloc(distinct ? distinct : 1, sizeof *f);
    if (!f)
        return 0;
    for (uint32_t i = 0; i < distinct; i++)
        f[i].id = i;
    for (size_t i = 0; i < v->shown; i++)
        if (c->t[v->order[i]] != INTERN_NONE)
            f[c->t[v->order[i]]].n++;
    qsort(f, distinct, sizeof *f, frequency_cmp);
    while (n < max && n < distinct && f[n].n) {
        out[n] = intern_get(c->texts, f[n].id);
        n++;
    }
    free(f);
    return n;
}
