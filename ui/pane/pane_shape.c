/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The amounts of a table as a picture, in the room that its card leaves: over steps or time where the rows
 * have them, else the share that the largest ones have together, or their values from the largest on where
 * these have no sum (doc/screens.md#room).
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lang/tr.h"
#include "base/percentile.h"
#include "ui/app/app_int.h"
#include "ui/pane/panes.h"
#include "ui/widget/chart.h"

#define ROWS_MAX   20000 /* read in some milliseconds */
#define ROWS_LEAST 6     /* fewer are read sooner than drawn */
#define PAGE_ROWS  512
#define LEAST_H    8 /* figures, plot, axis */
#define MOST_H     16
#define TALL_H     20 /* where twice as much as MOST_H is left */
#define LEVEL_H    10 /* of a line */
#define LARGE_H    40 /* of the room that is left */
#define LEAST_W    30
#define THING_W    20  /* the name of what all are about */
#define ALL_PCT    101 /* all shares of one whole, as they are rounded; several ranks have several */

struct dot {
    double x, value;
    double until; /* where it ends on x; x where it has no length there */
};

#define N_PLACES 2 /* a step, a time */

struct row { /* NAN: it has no such value */
    double value, at[N_PLACES], length;
    uint64_t thing; /* hash of what it is about; 0: all are about one */
};

struct shape {
    const struct table *of;
    unsigned version; /* of the table when it was read */
    struct row *rows; /* those with a value */
    size_t n_rows;
    size_t col;
    int place;      /* the column of x; -1: the rows from the largest on */
    bool timed;     /* x is a time: rows stand where they are in it, not one beside the other */
    int apart;      /* the column of what the rows are about; -1: all of one thing */
    uint64_t thing; /* hash of that of the cursor's row: only rows of the same are drawn */
    bool together;  /* what the rows up to each have of the sum, not their values */
    struct dot *d;
    size_t n;
    double sum, min, p50, p95, max;
};

void pane_shape_forget(struct pane *p)
{
    if (p->shape) {
        free(p->shape->rows);
        free(p->shape->d);
    }
    free(p->shape);
    p->shape = NULL;
}

static int by_x(const void *a, const void *b)
{
    const struct dot *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x;
}

static int largest_first(const void *a, const void *b)
{
    const struct dot *p = a, *q = b;
    return p->value > q->value ? -1 : p->value < q->value;
}

/* ---- reading ---- */

static uint64_t hash_of(const struct val *v)
{
    return v->t == VAL_TEXT ? str_hash(v->s, str_seed()) : v->t == VAL_INT ? prof_hash((uint64_t)v->i) : 0;
}

/* Of the page's row; -1: no column. */
static double number_of(const struct page *pg, size_t r, int col)
{
    const struct val *v = col < 0 ? NULL : page_val(pg, r, (size_t)col);

    return v && v->t != VAL_NULL && v->t != VAL_TEXT ? val_num(v) : NAN;
}

/* Of all things at once: the cursor goes from one to another. */
static void read_rows(struct shape *s, struct view *v, const int place[N_PLACES], int length)
{
    struct err ignored = ERR_INIT;
    const size_t rows = view_rows(v);

    for (size_t at = 0; at < rows; at += PAGE_ROWS) {
        struct page pg;
        if (view_page(v, at, rows - at < PAGE_ROWS ? rows - at : PAGE_ROWS, VIEW_RELATIVE, &pg, &ignored))
            return;
        for (size_t r = 0; r < pg.n && s->n_rows < rows; r++) {
            struct row x = { .value = number_of(&pg, r, (int)s->col), .length = number_of(&pg, r, length) };
            if (isnan(x.value))
                continue;
            for (size_t i = 0; i < N_PLACES; i++)
                x.at[i] = number_of(&pg, r, place[i]);
            if (s->apart >= 0)
                x.thing = hash_of(page_val(&pg, r, (size_t)s->apart));
            s->rows[s->n_rows++] = x;
        }
    }
}

/* The rows of the thing; which: of the places, N_PLACES: none. */
static void take_dots(struct shape *s, size_t which)
{
    s->n = 0;
    for (size_t i = 0; i < s->n_rows; i++) {
        const struct row *r = &s->rows[i];
        const double x = which < N_PLACES ? r->at[which] : r->value;
        if (isnan(x) || (s->apart >= 0 && r->thing != s->thing))
            continue;
        s->d[s->n++] = (struct dot){ x, r->value, s->timed && r->length > 0 ? x + r->length : x };
    }
}

static void take_figures(struct shape *s)
{
    qsort(s->d, s->n, sizeof *s->d, largest_first);
    s->sum = 0;
    for (size_t i = 0; i < s->n; i++)
        s->sum += s->d[i].value;
    if (!s->n)
        return;
    s->max = s->d[0].value;
    s->min = s->d[s->n - 1].value;
    s->p50 = s->d[s->n - 1 - percentile_at(s->n, 50)].value;
    s->p95 = s->d[s->n - 1 - percentile_at(s->n, 95)].value;
}

/* Several rows in one place have no order in it. */
static bool is_line(struct shape *s)
{
    if (s->n < ROWS_LEAST)
        return false;
    qsort(s->d, s->n, sizeof *s->d, by_x);
    for (size_t i = 1; i < s->n; i++)
        if (s->d[i].x <= s->d[i - 1].x)
            return false;
    return true;
}

/* -1: the view has no such column. */
static int column_of(const struct view *v, const char *id)
{
    for (size_t i = 0; id && i < view_n_cols(v); i++)
        if (!strcmp(view_col(v, i)->id, id))
            return (int)i;
    return -1;
}

static int apart_of(const struct table *t)
{
    return column_of(table_view(t), table_def(t)->apart);
}

/* What the cursor's row is about. */
static uint64_t thing_of(struct table *t)
{
    const int col = apart_of(t);
    const struct val v = col < 0 ? val_null() : table_value_at(t, table_cursor(t), (size_t)col);

    return hash_of(&v);
}

/* A level holds until the next one is known. */
static void hold_levels(struct shape *s)
{
    for (size_t i = 0; i + 1 < s->n; i++)
        s->d[i].until = s->d[i + 1].x;
}

static void places_of(const struct table *t, int place[N_PLACES])
{
    place[0] = column_of(table_view(t), "step");
    place[1] = column_of(table_view(t), table_def(t)->ts_col);
}

/* Steps if each is one row, else times, else no place. */
static void take_shape(struct shape *s, struct table *t)
{
    struct view *v = table_view(t);
    int place[N_PLACES];

    places_of(t, place);
    s->thing = thing_of(t);
    s->together = false;
    for (size_t i = 0; i < N_PLACES; i++) {
        s->place = place[i];
        if (s->place < 0 || (size_t)s->place == s->col)
            continue;
        s->timed = view_col(v, (size_t)s->place)->unit == VU_TS;
        take_dots(s, i);
        take_figures(s);
        if (is_line(s)) {
            if (s->timed && (view_col(v, s->col)->flags & VC_LEVEL))
                hold_levels(s);
            return;
        }
    }
    s->place = -1;
    s->timed = false;
    take_dots(s, N_PLACES);
    take_figures(s);
    const struct view_col *c = view_col(v, s->col);
    s->together = view_col_adds(c) && s->sum > 0 && !(c->unit == VU_PCT && s->sum > ALL_PCT);
}

static void read_shape(struct shape *s, struct table *t)
{
    int place[N_PLACES];

    places_of(t, place);
    s->apart = apart_of(t);
    read_rows(s, table_view(t), place, column_of(table_view(t), table_def(t)->dur_col));
    take_shape(s, t);
}

static bool is_current(const struct pane *p, struct table *t)
{
    return p->shape && p->shape->of == t && p->shape->version == table_version(t);
}

static bool can_have(struct table *t)
{
    const size_t col = table_amount_column(t);

    return col != SIZE_MAX && !(view_col(table_view(t), col)->flags & VC_APART) &&
           table_rows(t) >= ROWS_LEAST && table_rows(t) <= ROWS_MAX && !table_is_counting(t);
}

bool pane_shape_read(struct pane *p, struct table *t)
{
    if (!p->shape_wanted || is_current(p, t) || !can_have(t))
        return false;
    pane_shape_forget(p);
    struct shape *s = p->shape = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->of = t;
    s->version = table_version(t);
    s->col = table_amount_column(t);
    s->rows = calloc(table_rows(t), sizeof *s->rows);
    s->d = calloc(table_rows(t), sizeof *s->d);
    if (s->rows && s->d)
        read_shape(s, t);
    return true;
}

/* ---- drawing ---- */

static char *as_time(char *buf, size_t n, double v)
{
    return unit_time(buf, n, v, TIME_AUTO);
}

static char *as_size(char *buf, size_t n, double v)
{
    return unit_size(buf, n, v, SIZE_AUTO);
}

static char *as_count(char *buf, size_t n, double v)
{
    return unit_count(buf, n, v, "");
}

static char *as_hundredths(char *buf, size_t n, double v)
{
    return unit_percent(buf, n, v / 100);
}

static char *as_giga(char *buf, size_t n, double v)
{
    static const struct view_col mflops = { .id = "mflops", .title = "MFLOPs", .unit = VU_MFLOPS };
    const struct val number = val_real(v);

    return cell_string(buf, n, &mflops, &number, &(struct cell_units){ .giga = true });
}

/* How a value of this unit is written; units that are not here: as a plain number. */
static const struct {
    enum view_unit unit;
    chart_format_fn *format;
} formats[] = {
    { VU_NS, as_time },
    { VU_BYTES, as_size },
    { VU_COUNT, as_count },
    { VU_PCT, as_hundredths },
    { VU_RATIO, unit_percent },
    { VU_FLOPS, unit_flops },
    { VU_FLOPS_S, unit_flops_rate },
    { VU_BYTES_S, unit_rate },
};

/* The unit is that of the column's head. */
static chart_format_fn *format_of(const struct table *t, size_t col)
{
    const enum view_unit unit = view_col(table_view(t), col)->unit;
    const struct val most = val_real(INFINITY);

    if (unit == VU_MFLOPS && table_is_giga(t, col, &most))
        return as_giga;
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        if (formats[i].unit == unit)
            return formats[i].format;
    return unit_plain;
}

/* How many of the largest have this share of the sum. */
static size_t that_hold(const struct shape *s, double share)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        sum += s->d[i].value;
        if (sum >= share * s->sum)
            return i + 1;
    }
    return s->n;
}

/* Where not all of it has room the first part is whole, or nothing is said. */
static void draw_hold(const struct shape *s, struct canvas *c, struct rect a)
{
    char text[120];

    snprintf(text, sizeof text, tr("%zu of %zu have 50%% of it, %zu have 90%%"), that_hold(s, 0.5), s->n,
             that_hold(s, 0.9));
    if (text_cells_of(text) > a.w)
        snprintf(text, sizeof text, tr("%zu of %zu have 50%% of it"), that_hold(s, 0.5), s->n);
    if (text_cells_of(text) <= a.w)
        draw_puts(c, a.y, a.x, a.w, ROLE_DIM, text);
}

/* "Duration   p50 9.60 us   p95 ...", or "Time   3 of 23 have 50% of it, 9 have 90%". */
static void draw_figures(const struct shape *s, struct table *t, struct canvas *c, struct rect a)
{
    const struct {
        const char *word;
        double value;
    } list[] = { { "p50", s->p50 }, { "p95", s->p95 }, { N_("max"), s->max } };
    chart_format_fn *f = format_of(t, s->col);
    int x = draw_puts(c, a.y, a.x, a.w, ROLE_HEAD, table_title(t, s->col)) + 2;
    char text[40];

    if (s->apart >= 0) {
        const struct val v = table_value_at(t, table_cursor(t), (size_t)s->apart);
        const struct view_col *of = view_col(table_view(t), (size_t)s->apart);
        char thing[256];
        if (v.t != VAL_NULL)
            x += draw_puts(c, a.y, a.x + x, THING_W, ROLE_DIM,
                           cell_string(thing, sizeof thing, of, &v, &(struct cell_units){ 0 })) +
                 2;
    }
    if (s->together) {
        draw_hold(s, c, (struct rect){ a.y, a.x + x, 1, a.w - x });
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(list); i++) { /* as many as are there whole */
        f(text, sizeof text, list[i].value);
        if (x + text_cells_of(tr(list[i].word)) + 1 + text_cells_of(text) > a.w)
            return;
        x += draw_printf(c, a.y, a.x + x, a.w - x, ROLE_DIM, "%s ", tr(list[i].word));
        x += draw_puts(c, a.y, a.x + x, a.w - x, ROLE_TEXT, text) + 3;
    }
}

/* Filled from 0 on all values would look the same. */
static bool is_level(const struct shape *s)
{
    return !s->together && s->max < 2 * s->min;
}

static bool has_values_in_order(const struct shape *s)
{
    return s->place < 0 && !s->together;
}

/* The cell of n at this time, of those from the first row's time to the last's. */
static size_t cell_at(const struct shape *s, double x, size_t n)
{
    const double first = s->d[0].x, last = s->d[s->n - 1].x;

    if (!(x > first)) /* nor is what is no number */
        return 0;
    return x >= last ? n - 1 : (size_t)((x - first) / (last - first) * (double)(n - 1) + 0.5);
}

/* The cell of n in which a row begins: by its time, else by its number. */
static size_t cell_of(const struct shape *s, size_t at, size_t n)
{
    return s->timed ? cell_at(s, s->d[at].x, n) : at * n / s->n;
}

static void raise_to(double *v, double value)
{
    if (isnan(*v) || value > *v)
        *v = value;
}

/* The largest value of each cell, NAN where nothing was; or what all up to there have of the sum. */
static void fill(const struct shape *s, double *v, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        v[i] = NAN;
    for (size_t at = 0; at < s->n; at++) {
        const size_t i = cell_of(s, at, n);
        sum += s->d[at].value;
        if (s->together) {
            v[i] = sum / s->sum;
            continue;
        }
        raise_to(&v[i], s->d[at].value);
        /* the cell in which it ends is its own only where it has half of it, as cells are rounded */
        const size_t end = s->timed ? cell_at(s, s->d[at].until, n) : 0;
        for (size_t k = i + 1; k < end; k++)
            raise_to(&v[k], s->d[at].value);
    }
}

/* The cell of the cursor's row; SIZE_MAX: it has none. */
static size_t cell_of_cursor(const struct shape *s, struct table *t, size_t n)
{
    struct val x = table_value_at(t, table_cursor(t), s->place < 0 ? s->col : (size_t)s->place);
    size_t at = 0;
    if (x.t == VAL_NULL)
        return SIZE_MAX;
    while (at + 1 < s->n && (s->place < 0 ? s->d[at].value > val_num(&x) : s->d[at].x < val_num(&x)))
        at++;
    return cell_of(s, at, n);
}

/* The largest value is the line above those that are drawn from the largest on. */
static void draw_curve(const struct shape *s, struct table *t, struct canvas *c, struct rect a)
{
    size_t want = chart_buckets(c, a), n = s->n < want && !s->timed ? s->n : want;
    double *v = n ? calloc(2 * n, sizeof *v) : NULL, *top = v + n;
    if (!v)
        return;
    fill(s, v, n);
    for (size_t i = 0; i < n; i++)
        top[i] = s->max;
    const struct view_col *col = view_col(table_view(t), s->col),
                          *place = s->place < 0 ? NULL : view_col(table_view(t), (size_t)s->place);
    const struct chart_series series[] = {
        { .v = v, .role = ROLE_INFO, .fill = is_level(s) ? -1 : 0 },
        { .v = top, .role = ROLE_DIM, .fill = -1, .ground = true },
        { .v = v, .role = ROLE_INFO, .fill = 0 },
    };
    const bool is_spread = has_values_in_order(s) && !is_level(s);
    const struct chart k = { .series = series + is_spread,
                             .n_series = is_spread ? 2 : 1,
                             .n = n,
                             .y_max = s->together ? 1 : 0,
                             .y_format = s->together ? unit_percent : format_of(t, s->col),
                             .y_bytes = !s->together && col->unit == VU_BYTES,
                             .x_first = place ? s->d[0].x : 1,
                             .x_last = place ? s->d[s->n - 1].x : (double)s->n,
                             .x_time = place && place->unit == VU_TS,
                             .x_title = place ? (place->unit == VU_TS ? NULL : tr("step")) : tr("largest"),
                             .cursor = cell_of_cursor(s, t, n) };
    chart_draw(c, a, &k, NULL);
    free(v);
}

int pane_draw_shape(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    struct shape *s = p->shape;

    if (a.h < LEAST_H || a.w < LEAST_W || !can_have(t))
        return 0;
    p->shape_wanted = true;
    if (!is_current(p, t)) {
        app_wait_rest(p->app, p->beside.took_ms);
        return 0;
    }
    if (s->n_rows && s->apart >= 0 && s->thing != thing_of(t))
        take_shape(s, t);
    if (s->n < ROWS_LEAST || !(s->max > 0))
        return 0;
    const bool low = is_level(s) || (has_values_in_order(s) && a.h < LARGE_H);
    const int most = low ? LEVEL_H : a.h < 2 * MOST_H ? MOST_H : TALL_H;
    a.h = a.h < most ? a.h : most;
    draw_figures(s, t, c, (struct rect){ a.y, a.x, 1, a.w });
    draw_curve(s, t, c, (struct rect){ a.y + 1, a.x, a.h - 1, a.w });
    return a.h + 1;
}
