/* SPDX-License-Identifier: Apache-2.0 */
/* Searching in the rows that are shown, their ranges and frequent values. */
#include "config.h"

#include "model/view/view_int.h"

#include <stdlib.h>

/* ---- search ---- */

size_t view_main_col(const struct view *v)
{
    for (size_t i = 0; i < view_n_cols(v); i++)
        if (view_col(v, i)->flags & VC_MAIN)
            return i;
    return v->with_rank && view_n_cols(v) > 1 ? 1 : 0;
}

/* Results of the last pattern for the texts of the main column: 0: not tried, 1: no, 2: yes. */
struct find {
    char *pattern;
    uint8_t **tried; /* by part and code */
    size_t n_parts;
};

void view_find_done(struct view *v)
{
    struct find *f = v->find;

    if (!f)
        return;
    for (size_t i = 0; f->tried && i < f->n_parts; i++)
        free(f->tried[i]);
    free(f->tried);
    free(f->pattern);
    free(f);
    v->find = NULL;
}

static int find_begin(struct view *v, struct re *re, const struct cells *cells, struct err *e)
{
    struct str pattern = re_pattern(re);

    if (v->find && str_eq(str_of(v->find->pattern), pattern))
        return OK;
    view_find_done(v);
    struct find *f = v->find = calloc(1, sizeof *f);
    if (!f)
        return err_nomem(e);
    f->n_parts = v->n_parts;
    f->pattern = malloc(pattern.n + 1);
    f->tried = calloc(v->n_parts ? v->n_parts : 1, sizeof *f->tried);
    bool ok = f->pattern && f->tried;
    if (ok)
        str_copy(pattern, f->pattern, pattern.n + 1);
    for (size_t i = 0; ok && i < v->n_parts; i++)
        ok = (f->tried[i] = calloc(cells[i].values->n_codes, 1)) != NULL;
    if (ok)
        return OK;
    view_find_done(v);
    return err_nomem(e);
}

struct search {
    struct view *v;
    struct re *re;
    struct cells *cells;
    struct texts_cursor cursor;
    size_t part; /* part of the cursor; SIZE_MAX: none */
    struct buf tmp;
};

enum search_result { SEARCH_NO, SEARCH_YES, SEARCH_COSTLY, SEARCH_ERROR };

static enum search_result to_result(int m)
{
    return m < 0 ? SEARCH_COSTLY : m ? SEARCH_YES : SEARCH_NO;
}

static enum search_result row_matches(struct search *s, uint32_t row, struct err *e)
{
    size_t p = view_part_of(s->v, row);
    const struct column *c = s->cells[p].values;
    size_t at = cells_row(&s->cells[p], row - s->v->parts[p].first);

    if (at == SIZE_MAX || column_null(c, at))
        return SEARCH_NO;
    if (!c->coded) {
        buf_clear(&s->tmp);
        column_add_number(c, at, &s->tmp);
        return to_result(re_match(s->re, buf_str(&s->tmp), 0, NULL, NULL));
    }
    uint32_t code = column_raw(c, at);
    uint8_t *tried = &s->v->find->tried[p][code];
    if (*tried)
        return *tried == 2 ? SEARCH_YES : SEARCH_NO;
    if (s->part != p) {
        texts_close(&s->cursor);
        s->part = SIZE_MAX;
        if (texts_open(&s->cursor, c->texts, e))
            return SEARCH_ERROR;
        s->part = p;
    }
    enum search_result m = to_result(re_match(s->re, texts_at(&s->cursor, code - 1), 0, NULL, NULL));
    *tried = m == SEARCH_YES ? 2 : m == SEARCH_NO; /* a costly one is tried again the next time */
    return m;
}

static size_t search_rows(struct search *s, size_t from, int dir, size_t *costly, struct err *e)
{
    size_t n = s->v->shown;

    for (size_t i = 0; i < n; i++) {
        size_t at = dir > 0 ? (from + i) % n : (from + n - i % n) % n;
        enum search_result m = row_matches(s, view_nth(s->v, at), e);
        if (m == SEARCH_YES)
            return at;
        if (m == SEARCH_ERROR)
            break;
        *costly += m == SEARCH_COSTLY;
    }
    return SIZE_MAX;
}

size_t view_search(struct view *v, struct re *re, size_t from, int dir, struct err *e)
{
    size_t col = view_main_col(v), found = SIZE_MAX, costly = 0;
    struct search s = { .v = v, .re = re, .part = SIZE_MAX };

    if (view_filter_finish(v, e) || !v->shown || view_is_rank(v, col) || view_order_to(v, SIZE_MAX, e) ||
        view_cells(v, col, &s.cells, e))
        return SIZE_MAX;
    buf_init(&s.tmp, 4096);
    re_renew(re);
    if (view_col(v, col)->type != VT_TEXT || find_begin(v, re, s.cells, e) == OK)
        found = search_rows(&s, from, dir, &costly, e);
    texts_close(&s.cursor);
    buf_done(&s.tmp);
    free(s.cells);
    rowpool_trim(v->pool);
    if (found == SIZE_MAX && costly)
        err_set(e, ERR_LIMIT, "the pattern is too costly: %zu rows could not be searched", costly);
    re_renew(re); /* drawing the match may run the pattern again */
    return found;
}

/* ---- ranges ---- */

/* Call fn for every row shown (in any order): cells of its part, and its row there. */
static void each_shown(const struct view *v, const struct cells *cells,
                       void (*fn)(void *arg, size_t part, size_t row), void *arg)
{
    for (size_t p = 0; p < v->n_parts; p++) {
        const uint64_t *sel = v->sel ? v->sel + v->parts[p].first / 64 : NULL;
        for (size_t i = 0; i < v->parts[p].n; i++) {
            if (sel && !(sel[i / 64] >> i % 64 & 1))
                continue;
            size_t at = cells_row(&cells[p], i);
            if (at != SIZE_MAX && !column_null(cells[p].values, at))
                fn(arg, p, at);
        }
    }
}

struct range {
    const struct cells *cells;
    double min, max, sum;
    bool any;
};

static void add_to_range(void *arg, size_t part, size_t row)
{
    struct range *r = arg;
    double x = column_num(r->cells[part].values, row);

    if (!r->any || x < r->min)
        r->min = x;
    if (!r->any || x > r->max)
        r->max = x;
    r->sum += x;
    r->any = true;
}

bool view_range(struct view *v, int col, double *min, double *max, double *sum, struct err *e)
{
    struct cells *cells;

    *min = *max = *sum = 0;
    if (view_col(v, (size_t)col)->type == VT_TEXT || view_is_rank(v, (size_t)col) ||
        view_cells(v, (size_t)col, &cells, e))
        return false;
    struct range r = { .cells = cells };
    each_shown(v, cells, add_to_range, &r);
    free(cells);
    rowpool_trim(v->pool);
    *min = r.min;
    *max = r.max;
    *sum = r.sum;
    return r.any;
}

/* ---- whole columns ---- */

/* By code: whether its text says something: base leaves out "run". NULL: out of memory. */
static uint8_t *texts_that_say(const struct column *c, bool base)
{
    struct err ignored = ERR_INIT;
    struct texts_cursor cursor;
    uint8_t *full = calloc(c->n_codes ? c->n_codes : 1, 1);

    if (!full || texts_open(&cursor, c->texts, &ignored)) {
        free(full);
        return NULL;
    }
    for (uint32_t code = 1; code < c->n_codes; code++) {
        const struct str text = texts_at(&cursor, code - 1);
        full[code] = text.n > 0 && !(base && str_eq(text, STR("run")));
    }
    texts_close(&cursor);
    return full;
}

static bool part_blank(const struct cells *c, size_t rows, bool base)
{
    uint8_t *full = c->values->coded ? texts_that_say(c->values, base) : NULL;
    bool blank = !c->values->coded || full;

    for (size_t i = 0; blank && i < rows; i++) {
        size_t at = cells_row(c, i);
        if (at != SIZE_MAX && !column_null(c->values, at))
            blank = full && !full[column_raw(c->values, at)];
    }
    free(full);
    return blank;
}

size_t view_damage_col(const struct view *v)
{
    for (size_t i = 0; i < view_n_cols(v); i++)
        if (!strcmp(view_col(v, i)->id, "damage"))
            return i;
    return SIZE_MAX;
}

/* Where rows are marked a note says so; else no column has to be loaded. */
static bool has_notes(const struct view *v)
{
    for (size_t p = 0; p < v->n_parts; p++)
        if (store_int(v->parts[p].p.store, 0, "SELECT 1 FROM note WHERE code = 'MARKED' LIMIT 1", NULL) == 1)
            return true;
    return false;
}

bool view_col_blank(struct view *v, size_t col)
{
    struct err ignored = ERR_INIT;
    struct cells *cells;
    bool blank = true;

    if (view_col(v, col)->flags & VC_MARK && !has_notes(v))
        return true;
    if (view_is_rank(v, col) || view_cells(v, col, &cells, &ignored))
        return false;
    for (size_t p = 0; blank && p < v->n_parts; p++)
        blank = part_blank(&cells[p], v->parts[p].n, view_col(v, col)->flags & VC_BASE);
    free(cells);
    rowpool_trim(v->pool);
    return blank;
}

struct same {
    const struct column *c;
    size_t n; /* rows with a value */
    uint32_t code;
    double number;
    bool differs;
};

static void compare(void *arg, size_t part, size_t row)
{
    struct same *s = arg;
    const uint32_t code = s->c->coded ? column_raw(s->c, row) : 0;
    const double number = column_num(s->c, row);

    (void)part;
    if (s->n++)
        s->differs |= code != s->code || number < s->number || number > s->number;
    s->code = code;
    s->number = number;
}

bool view_col_same(struct view *v, size_t col)
{
    struct err ignored = ERR_INIT;
    struct cells *cells;

    if (v->n_parts != 1 || view_is_rank(v, col) || view_cells(v, col, &cells, &ignored))
        return false;
    struct same s = { .c = cells[0].values };
    each_shown(v, cells, compare, &s);
    free(cells);
    rowpool_trim(v->pool);
    return !s.differs && (!s.n || s.n == view_rows(v));
}

size_t view_text_cells(struct view *v, size_t col, size_t (*width)(struct str s, unsigned flags),
                       unsigned flags)
{
    struct err ignored = ERR_INIT;
    struct cells *cells;
    size_t most = 0;

    if (view_col(v, col)->type != VT_TEXT || view_cells(v, col, &cells, &ignored))
        return 0;
    for (size_t p = 0; p < v->n_parts; p++) {
        struct texts_cursor c;
        if (texts_open(&c, cells[p].values->texts, &ignored))
            break;
        for (uint32_t i = 0; i < texts_count(c.t); i++) {
            size_t w = width(texts_at(&c, i), flags);
            most = w > most ? w : most;
        }
        texts_close(&c);
    }
    free(cells);
    rowpool_trim(v->pool);
    return most;
}

/* ---- frequent values ---- */

struct counts {
    const struct cells *cells;
    uint32_t **n; /* by part and code */
};

static void count_value(void *arg, size_t part, size_t row)
{
    struct counts *c = arg;
    c->n[part][column_raw(c->cells[part].values, row)]++;
}

struct frequency {
    uint64_t n;
    uint32_t id; /* in order of first use */
};

static int frequency_cmp(const void *a, const void *b)
{
    const struct frequency *x = a, *y = b;
    return x->n != y->n ? (x->n > y->n ? -1 : 1) : x->id < y->id ? -1 : 1;
}

/* Add f to the best max of list[0 .. *n). */
static void keep_best(struct frequency *list, size_t *n, size_t max, struct frequency f)
{
    size_t at = *n;

    if (*n == max && (!max || frequency_cmp(&f, &list[max - 1]) > 0))
        return;
    if (*n == max)
        at--;
    else
        ++*n;
    for (; at && frequency_cmp(&f, &list[at - 1]) < 0; at--)
        list[at] = list[at - 1];
    list[at] = f;
}

/* One part: codes are texts. */
static size_t best_of_part(struct view *v, const struct counts *c, struct str *out, size_t max, struct err *e)
{
    struct frequency *best = calloc(max ? max : 1, sizeof *best);
    struct texts_cursor cursor = { .t = NULL };
    size_t n = 0;

    if (!best || texts_open(&cursor, c->cells[0].values->texts, e)) {
        free(best);
        return 0;
    }
    for (uint32_t code = 1; code < c->cells[0].values->n_codes; code++)
        if (c->n[0][code])
            keep_best(best, &n, max, (struct frequency){ c->n[0][code], code });
    for (size_t i = 0; i < n; i++)
        out[i] = arena_str(v->page_arena, texts_at(&cursor, best[i].id - 1));
    texts_close(&cursor);
    free(best);
    return n;
}

/* Several parts: the same text has a code in each. */
static size_t best_of_parts(struct view *v, const struct counts *c, struct str *out, size_t max,
                            struct err *e)
{
    struct intern *texts = NULL;
    struct frequency *all = NULL;
    size_t n = 0, cap = 0;

    if (intern_new(&texts, e))
        return 0;
    for (size_t p = 0; p < v->n_parts; p++)
        cap += c->cells[p].values->n_codes;
    all = calloc(cap ? cap : 1, sizeof *all);
    for (size_t p = 0; all && p < v->n_parts && !e->code; p++) {
        struct texts_cursor cursor;
        if (texts_open(&cursor, c->cells[p].values->texts, e))
            break;
        for (uint32_t code = 1; code < c->cells[p].values->n_codes; code++) {
            uint32_t id = c->n[p][code] ? intern_put(texts, texts_at(&cursor, code - 1)) : 0;
            if (c->n[p][code] && id != INTERN_NONE)
                all[id] = (struct frequency){ all[id].n + c->n[p][code], id };
        }
        texts_close(&cursor);
    }
    if (all)
        qsort(all, intern_count(texts), sizeof *all, frequency_cmp);
    for (; all && n < max && n < intern_count(texts); n++)
        out[n] = arena_str(v->page_arena, intern_get(texts, all[n].id));
    free(all);
    intern_free(texts);
    return n;
}

size_t view_top_values(struct view *v, int col, struct str *out, size_t max, struct err *e)
{
    struct counts c = { .cells = NULL };
    struct cells *cells = NULL;
    size_t n = 0;

    if (view_col(v, (size_t)col)->type != VT_TEXT || !v->n_parts || view_cells(v, (size_t)col, &cells, e))
        return 0;
    arena_reset(v->page_arena);
    c.cells = cells;
    c.n = calloc(v->n_parts, sizeof *c.n);
    bool ok = c.n != NULL;
    for (size_t i = 0; ok && i < v->n_parts; i++)
        ok = (c.n[i] = calloc(cells[i].values->n_codes, sizeof **c.n)) != NULL;
    if (ok) {
        each_shown(v, cells, count_value, &c);
        n = v->n_parts == 1 ? best_of_part(v, &c, out, max, e) : best_of_parts(v, &c, out, max, e);
    }
    for (size_t i = 0; c.n && i < v->n_parts; i++)
        free(c.n[i]);
    free(c.n);
    free(cells);
    rowpool_trim(v->pool);
    return n;
}
