/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the shown rows (doc/performance.md#tables). The first rows are found without sorting the rest;
 * the rest is sorted when it is needed, or when nobody waits.
 */
#include "config.h"

#include "model/view/view_int.h"

#include <stdlib.h>

#include "model/view/radix.h"

#define SORT_NOW 65536 /* so few rows are sorted at once */
#define RANK_NOW 65536 /* so few texts are put in order at once */
#define TOP_ROWS 1000

/* ---- keys ---- */

struct sort_keys {
    const struct view *v;
    struct cells *cells;
    const uint32_t **rank; /* by part, for texts; NULL: numbers, or the rank column */
    bool desc, real, by_part;
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

static bool is_first(const struct view *v, uint32_t row)
{
    return v->first && v->first[row / 64] >> row % 64 & 1;
}

static uint64_t key_of(const void *arg, uint32_t row)
{
    const struct sort_keys *k = arg;
    size_t p = view_part_of(k->v, row);
    uint64_t key;

    if (is_first(k->v, row))
        return 0;

    if (k->by_part) {
        key = (uint64_t)(int64_t)k->v->parts[p].p.rank ^ UINT64_C(1) << 63;
        return k->desc ? ~key : key;
    }
    const struct column *c = k->cells[p].values;
    size_t at = cells_row(&k->cells[p], row - k->v->parts[p].first);
    if (c->coded)
        key = (uint64_t)k->rank[p][column_raw(c, at)] + 1;
    else if (k->real)
        key = double_key(column_num(c, at));
    else
        key = (uint64_t)column_int(c, at) ^ UINT64_C(1) << 63;
    return k->desc ? ~key : key;
}

static bool is_null(const struct sort_keys *k, uint32_t row)
{
    size_t p = view_part_of(k->v, row);

    if (k->by_part || is_first(k->v, row))
        return false;
    size_t at = cells_row(&k->cells[p], row - k->v->parts[p].first);
    return at == SIZE_MAX || column_null(k->cells[p].values, at);
}

static void keys_done(struct sort_keys *k)
{
    free(k->cells);
    free(k->rank);
    *k = (struct sort_keys){ .v = NULL };
}

/* Find the rows that come first; v->first stays NULL where there are none. */
static int know_first(struct view *v, struct err *e)
{
    const int col = v->def && v->def->first ? view_find_col(v, v->def->first) : -1;
    struct cells *cells;

    if (col < 0 || v->first_known)
        return OK;
    if (view_cells(v, (size_t)col, &cells, e))
        return e->code;
    uint64_t *set = calloc(v->words ? v->words : 1, sizeof *set), any = 0;
    for (size_t p = 0; set && p < v->n_parts; p++)
        for (size_t i = 0; i < v->parts[p].n; i++) {
            const size_t at = cells_row(&cells[p], i), row = v->parts[p].first + i;
            const uint64_t bit = at != SIZE_MAX && !column_null(cells[p].values, at);
            set[row / 64] |= bit << row % 64;
            any |= bit;
        }
    free(cells);
    if (!set)
        return err_nomem(e);
    v->first_known = true;
    v->first = any ? set : NULL;
    if (!any)
        free(set);
    return OK;
}

static int keys_init(struct sort_keys *k, struct view *v, struct err *e)
{
    size_t col = (size_t)v->sort_col;

    if (know_first(v, e))
        return e->code;

    *k = (struct sort_keys){ .v = v, .desc = v->sort_desc, .by_part = view_is_rank(v, col) };
    if (view_cells(v, col, &k->cells, e))
        return e->code;
    k->rank = calloc(v->n_parts ? v->n_parts : 1, sizeof *k->rank);
    if (!k->rank) {
        keys_done(k);
        return err_nomem(e);
    }
    for (size_t i = 0; i < v->n_parts && !k->by_part; i++) {
        const struct column *c = k->cells[i].values;
        k->real |= c->width == CW_F64;
        k->rank[i] = v->ranks ? v->ranks[i] : c->rank;
    }
    return OK;
}

/* ---- ranks of texts ---- */

static bool is_text(const struct view *v)
{
    return v->sort_col >= 0 && view_col(v, (size_t)v->sort_col)->type == VT_TEXT;
}

static bool have_ranks(struct view *v, const struct sort_keys *k)
{
    return !is_text(v) || v->ranks || (v->n_parts == 1 && k->cells[0].values->rank) || !v->n_parts;
}

static size_t count_texts(const struct view *v, const struct sort_keys *k)
{
    size_t n = 0;

    for (size_t i = 0; i < v->n_parts; i++)
        n += texts_count(k->cells[i].values->texts);
    return n;
}

static void ranks_done(struct view *v)
{
    for (size_t i = 0; v->ranks && i < v->n_parts; i++)
        free(v->ranks[i]);
    free(v->ranks);
    v->ranks = NULL;
    ranking_free(v->ranking);
    v->ranking = NULL;
    if (v->ranked_lists)
        for (size_t i = 0; i < v->n_parts; i++)
            rowset_unpin(v->parts[i].rows, (size_t)v->sort_col - v->with_rank);
    free(v->ranked_lists);
    v->ranked_lists = NULL;
}

static int ranking_begin(struct view *v, const struct sort_keys *k, struct err *e)
{
    v->ranked_lists = calloc(v->n_parts, sizeof *v->ranked_lists);
    if (!v->ranked_lists)
        return err_nomem(e);
    for (size_t i = 0; i < v->n_parts; i++) {
        v->ranked_lists[i] = k->cells[i].values->texts;
        rowset_pin(v->parts[i].rows, (size_t)v->sort_col - v->with_rank);
    }
    return ranking_new(&v->ranking, v->ranked_lists, v->n_parts, e);
}

/* Keep the results: with one part in its column, for other views, too; else in the view. */
static int ranking_end(struct view *v, struct err *e)
{
    uint32_t **ranks = NULL;

    if (v->n_parts == 1) {
        rowset_set_rank(v->parts[0].rows, (size_t)v->sort_col - v->with_rank, ranking_take(v->ranking, 0));
    } else {
        ranks = calloc(v->n_parts, sizeof *ranks);
        if (!ranks)
            return err_nomem(e);
        for (size_t i = 0; i < v->n_parts; i++)
            ranks[i] = ranking_take(v->ranking, i);
    }
    ranks_done(v);
    v->ranks = ranks;
    return OK;
}

static int make_ranks(struct view *v, int64_t until_ns, bool *done, struct err *e)
{
    struct sort_keys k;

    *done = true;
    if (!is_text(v))
        return OK;
    if (keys_init(&k, v, e))
        return e->code;
    if (!have_ranks(v, &k)) {
        if ((v->ranking || ranking_begin(v, &k, e) == OK) &&
            ranking_step(v->ranking, until_ns, done, e) == OK && *done)
            ranking_end(v, e);
        if (e->code)
            ranks_done(v);
    }
    keys_done(&k);
    return e->code;
}

/* ---- parts of the work ---- */

static void charge(struct view *v)
{
    size_t now = (v->perm ? v->all * 4 : 0) + (v->order ? v->ordered * 4 : 0) + (v->sel ? v->words * 8 : 0) +
                 (v->in_scope ? v->words * 8 : 0);

    rowpool_charge(v->pool, v->charged, now);
    v->charged = now;
}

static void drop_order(struct view *v)
{
    free(v->order);
    v->order = NULL;
}

static void drop_perm(struct view *v)
{
    free(v->perm);
    v->perm = NULL;
}

static uint32_t *new_rows(size_t n, struct err *e)
{
    uint32_t *rows = malloc((n ? n : 1) * sizeof *rows);

    if (!rows)
        err_nomem(e);
    return rows;
}

/* Rows of a set in natural order. */
static void list_set(const struct view *v, const uint64_t *set, uint32_t *out)
{
    size_t n = 0;

    for (size_t w = 0; w < v->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            out[n++] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(bits));
}

/* List the shown rows in the order of perm. */
static void walk_perm(const struct view *v, uint32_t *out)
{
    size_t n = 0;

    for (size_t i = 0; i < v->all && n < v->shown; i++) {
        uint32_t row = v->perm[i];
        out[n] = row;
        n += v->sel[row / 64] >> row % 64 & 1;
    }
}

/* The n rows of a set (NULL: all) in natural order. */
static uint32_t *list_rows(const struct view *v, const uint64_t *set, size_t n, struct err *e)
{
    uint32_t *rows = new_rows(n, e);

    if (rows && set)
        list_set(v, set, rows);
    for (size_t i = 0, p = 0; rows && !set && p < v->n_parts; p++)
        for (size_t k = 0; k < v->parts[p].n; k++)
            rows[i++] = (uint32_t)(v->parts[p].first + k);
    return rows;
}

/* Sort rows by the keys, unknown values last; rows with equal keys keep their order. */
static int sort_rows(const struct sort_keys *k, uint32_t *rows, size_t n, struct err *e)
{
    uint32_t *nulls = new_rows(n, e);
    size_t known = 0, unknown = 0;

    if (!nulls)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        if (is_null(k, rows[i]))
            nulls[unknown++] = rows[i];
        else
            rows[known++] = rows[i];
    }
    if (unknown)
        memcpy(rows + known, nulls, unknown * sizeof *rows);
    free(nulls);
    return radix_rows(rows, known, key_of, k, e);
}

/* Few rows with many texts are sorted by the texts themselves. */
struct row_text {
    struct str s;
    uint32_t row;
};

static int text_up(const void *a, const void *b)
{
    const struct row_text *x = a, *y = b;
    int d = str_cmp_natural(x->s, y->s);
    return d ? d : x->row < y->row ? -1 : 1;
}

static int text_down(const void *a, const void *b)
{
    const struct row_text *x = a, *y = b;
    int d = str_cmp_natural(y->s, x->s);
    return d ? d : x->row < y->row ? -1 : 1;
}

static int sort_by_text(const struct sort_keys *k, uint32_t *rows, size_t n, struct err *e)
{
    struct row_text *t = malloc((n ? n : 1) * sizeof *t);
    struct arena *a = NULL;
    struct texts_cursor c = { .t = NULL };
    size_t known = 0, part = SIZE_MAX, unknown = 0;

    if (!t || arena_new(&a, SIZE_MAX / 2, e))
        err_nomem(e);
    for (size_t i = 0; !e->code && i < n; i++) {
        size_t p = view_part_of(k->v, rows[i]);
        if (is_null(k, rows[i])) {
            t[n - ++unknown] = (struct row_text){ STR_NULL, rows[i] };
            continue;
        }
        const struct column *col = k->cells[p].values;
        if (p != part) {
            texts_close(&c);
            if (texts_open(&c, col->texts, e))
                break;
            part = p;
        }
        size_t at = cells_row(&k->cells[p], rows[i] - k->v->parts[p].first);
        struct str s = arena_str(a, texts_at(&c, column_raw(col, at) - 1));
        if (!s.p)
            err_nomem(e);
        t[known++] = (struct row_text){ s, rows[i] };
    }
    texts_close(&c);
    if (!e->code) {
        qsort(t, known, sizeof *t, k->desc ? text_down : text_up);
        for (size_t i = 0; i < known; i++)
            rows[i] = t[i].row;
        for (size_t i = 0; i < unknown; i++)
            rows[known + i] = t[n - 1 - i].row;
    }
    arena_free(a);
    free(t);
    return e->code;
}

/* ---- the first rows ---- */

static int top_numbers(struct view *v, const struct sort_keys *k, struct err *e)
{
    struct radix_top top;

    if (radix_top_init(&top, TOP_ROWS, e))
        return e->code;
    for (size_t p = 0; p < v->n_parts; p++) {
        uint32_t first = (uint32_t)v->parts[p].first;
        for (size_t i = 0; i < v->parts[p].n; i++) {
            uint32_t row = first + (uint32_t)i;
            if ((!v->sel || v->sel[row / 64] >> row % 64 & 1) && !is_null(k, row))
                radix_top_offer(&top, key_of(k, row), row);
        }
    }
    radix_top_end(&top);
    v->order = top.row;
    v->ordered = top.n;
    top.row = NULL;
    radix_top_done(&top);
    return OK;
}

/* The first rows by texts that have no ranks yet: find the first texts, then their rows. One part only. */
static int top_texts(struct view *v, const struct sort_keys *k, struct err *e)
{
    const struct cells *c = &k->cells[0];
    size_t n = 0, n_codes = c->values->n_codes, rows = 0;
    uint8_t *used = calloc(n_codes, 1);
    uint32_t *codes = new_rows(TOP_ROWS, e), *rank = calloc(n_codes, sizeof *rank);
    uint32_t *found = new_rows(v->shown, e);

    if (!used || !codes || !rank || !found) {
        err_nomem(e);
        goto out;
    }
    for (size_t i = 0; i < v->all; i++) {
        if (v->sel && !(v->sel[i / 64] >> i % 64 & 1))
            continue;
        size_t at = cells_row(c, i);
        if (at != SIZE_MAX)
            used[column_raw(c->values, at)] = 1;
    }
    if (ranking_top(c->values->texts, used, k->desc, codes, TOP_ROWS, &n, e))
        goto out;
    for (size_t i = 0; i < n; i++) /* best first; 0 is for the other texts; key_of() reverses for desc */
        rank[codes[i]] = (uint32_t)(k->desc ? n - i : i + 1);
    for (size_t i = 0; i < v->all; i++) {
        size_t at = cells_row(c, i);
        if ((!v->sel || v->sel[i / 64] >> i % 64 & 1) && at != SIZE_MAX && rank[column_raw(c->values, at)])
            found[rows++] = (uint32_t)i;
    }
    const uint32_t *ranks[] = { rank };
    struct sort_keys top = *k;
    top.rank = ranks;
    if (radix_rows(found, rows, key_of, &top, e) == OK) {
        v->order = found;
        v->ordered = rows;
        found = NULL;
    }
out:
    free(used);
    free(codes);
    free(rank);
    free(found);
    return e->code;
}

static int sort_shown(struct view *v, const struct sort_keys *k, bool ranked, struct err *e)
{
    v->order = list_rows(v, v->sel, v->shown, e);
    if (!v->order || (ranked ? sort_rows(k, v->order, v->shown, e) : sort_by_text(k, v->order, v->shown, e)))
        drop_order(v);
    v->ordered = v->order ? v->shown : 0;
    return e->code;
}

/* Find the first rows, when rows are to be sorted and perm is not there. */
static int first_rows(struct view *v, struct err *e)
{
    struct sort_keys k;
    bool done;

    if (keys_init(&k, v, e))
        return e->code;
    bool ranked = have_ranks(v, &k), few = v->shown <= SORT_NOW;
    if (!ranked && (v->first || count_texts(v, &k) <= RANK_NOW || (!few && v->n_parts > 1))) {
        keys_done(&k);
        if (make_ranks(v, SLICE_FOREVER, &done, e) || keys_init(&k, v, e))
            return e->code;
        ranked = true;
    }
    if (few)
        sort_shown(v, &k, ranked, e);
    else if (ranked)
        top_numbers(v, &k, e);
    else
        top_texts(v, &k, e);
    keys_done(&k);
    return e->code;
}

int view_reorder(struct view *v, struct err *e)
{
    drop_order(v);
    v->shown = v->sel ? set_count(v, v->sel) : v->all;
    v->ordered = v->shown;
    if (v->sort_col >= 0 && !v->perm) {
        if (first_rows(v, e)) {
            drop_order(v);
            v->ordered = 0;
        }
    } else if (v->sel) {
        v->order = new_rows(v->shown, e);
        if (v->order && v->perm)
            walk_perm(v, v->order);
        else if (v->order)
            list_set(v, v->sel, v->order);
    }
    if (e->code)
        v->shown = v->ordered = 0;
    charge(v);
    return e->code;
}

/* ---- the rest ---- */

static int make_perm(struct view *v, struct err *e)
{
    struct sort_keys k;
    uint32_t *rows = list_rows(v, NULL, v->all, e);

    if (!rows || keys_init(&k, v, e)) {
        free(rows);
        return e->code;
    }
    if (sort_rows(&k, rows, v->all, e) == OK) {
        v->perm = rows;
        rows = NULL;
    }
    keys_done(&k);
    free(rows);
    return e->code;
}

int view_sort_all(struct view *v, int64_t until_ns, bool *done, struct err *e)
{
    *done = true;
    if (v->sort_col < 0 || v->perm || make_ranks(v, until_ns, done, e) || !*done)
        return e->code;
    return make_perm(v, e);
}

int view_finish_order(struct view *v, int64_t until_ns, bool *done, struct err *e)
{
    *done = true;
    if (v->counting || v->ordered == v->shown)
        return OK;
    if (view_sort_all(v, until_ns, done, e) || !*done)
        return e->code;
    return view_reorder(v, e);
}

int view_order_to(struct view *v, size_t n, struct err *e)
{
    bool done;

    if (n > v->shown)
        n = v->shown;
    return n <= v->ordered ? OK : view_finish_order(v, SLICE_FOREVER, &done, e);
}

/* Position of a row in natural order, in which rows go up. */
static size_t place_in(const uint32_t *rows, size_t n, uint32_t row)
{
    size_t lo = 0, hi = n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (rows[mid] < row)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n && rows[lo] == row ? lo : SIZE_MAX;
}

/* Position of a row among those that are in order. */
static size_t place_ordered(const struct view *v, uint32_t row)
{
    for (size_t i = 0; i < v->ordered; i++)
        if (view_nth(v, i) == row)
            return i;
    return SIZE_MAX;
}

size_t view_place_of(struct view *v, uint32_t row, struct err *e)
{
    size_t p = view_part_of(v, row), before = row - v->parts[p].first;

    if (v->counting) /* only the rows found so far have a position */
        return place_ordered(v, row);
    if (!v->shown || (v->sel && !(v->sel[row / 64] >> row % 64 & 1)))
        return SIZE_MAX;
    for (size_t i = 0; i < p; i++)
        before += v->parts[i].n;
    if (v->sort_col < 0)
        return v->order ? place_in(v->order, v->shown, row) : before;
    size_t at = place_ordered(v, row);
    if (at != SIZE_MAX || v->ordered == v->shown || view_order_to(v, SIZE_MAX, e))
        return at;
    return place_ordered(v, row);
}

void view_order_done(struct view *v)
{
    drop_order(v);
    drop_perm(v);
    ranks_done(v);
    free(v->first);
    v->first = NULL;
    v->first_known = false;
    if (v->pool)
        rowpool_charge(v->pool, v->charged, 0);
    v->charged = 0;
}

/* ---- sorting ---- */

static void set_sort(struct view *v, int col, bool desc)
{
    if (col != v->sort_col)
        ranks_done(v);
    v->sort_col = col;
    v->sort_desc = desc;
}

/* Show the new order. */
static int show_sorted(struct view *v, struct err *e)
{
    if (v->counting) {
        v->reordered = true;
        v->shown = v->ordered = 0;
        return OK; /* view_filter_step() ends with the order */
    }
    int rc = view_reorder(v, e);
    rowpool_trim(v->pool);
    return rc;
}

int view_sort(struct view *v, int col, bool desc, struct err *e)
{
    bool ready;

    if (col >= 0 && col == v->sort_col && desc == v->sort_desc && v->perm && !v->stacked)
        return OK;
    /* Long work comes before any change: when it is stopped the old order stays. */
    if (col >= 0 && view_need(v, (size_t)col, SLICE_FOREVER, &ready, e))
        return e->code;
    drop_perm(v); /* ties keep the natural order */
    v->stacked = false;
    set_sort(v, col, desc);
    return show_sorted(v, e);
}

/* Sort perm by the sort column; rows with equal values keep the order of the earlier columns. */
static int sort_perm_again(struct view *v, struct err *e)
{
    struct sort_keys k;
    bool done;

    if (make_ranks(v, SLICE_FOREVER, &done, e) || keys_init(&k, v, e))
        return e->code;
    int rc = sort_rows(&k, v->perm, v->all, e);
    keys_done(&k);
    return rc;
}

int view_sort_again(struct view *v, int col, bool desc, struct err *e)
{
    bool done;

    if (v->sort_col < 0 || col < 0)
        return view_sort(v, col, desc, e);
    if (view_need(v, (size_t)col, SLICE_FOREVER, &done, e) || view_sort_all(v, SLICE_FOREVER, &done, e))
        return e->code;
    v->stacked = true;
    set_sort(v, col, desc);
    if (sort_perm_again(v, e) == OK)
        return show_sorted(v, e);
    /* There is no order now: rows are sorted by this column alone when they are needed next. */
    v->stacked = false;
    drop_perm(v);
    drop_order(v);
    v->ordered = 0;
    return e->code;
}

int view_sorted_by(const struct view *v, bool *desc)
{
    if (desc)
        *desc = v->sort_desc;
    return v->sort_col;
}
