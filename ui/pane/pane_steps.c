/* SPDX-License-Identifier: Apache-2.0 */
/* Steps: bars of the parts of a step, and the current column as a chart over the steps or as a histogram. */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/triage.h"
#include "base/lang/tr.h"
#include "base/percentile.h"
#include "base/unit.h"
#include "model/timeline/steps.h"
#include "ui/app/app_int.h"
#include "ui/pane/panes.h"
#include "ui/pane/steps_heat.h"
#include "ui/pane/triage/dash.h"
#include "ui/widget/chart.h"

#define MAX_STEPS   ((size_t)4 << 20)
#define MAX_BINS    40
#define HEAT_FROM_H 22 /* rows of a body with room for the strip of ranks */
#define HEAT_MOST   14 /* of its lines where the table needs them, too */

/* Parts of a step, in the order they are drawn: fills as in doc/screens.md#steps. */
static const struct part {
    const char *view, *col, *word;
    enum role role;
    int fill;
} parts[] = {
    { "steps.fpbp", "interval_ns", "interval", ROLE_IDLE, 3 },
    { "steps.fpbp", "fp_bp_ns", "fwd+bwd", ROLE_CUBE, 0 },
    { "steps.fpbp", "tail_ns", "tail", ROLE_COMM, 1 },
    { "steps.split", "computing_ns", N_("computing"), ROLE_CUBE, 0 },
    { "steps.split", "comm_not_overlapped_ns", "comm only", ROLE_COMM, 1 },
    { "steps.split", "preparing_ns", "prep", ROLE_HOST, 3 },
    { "steps.split", "idle_ns", "idle", ROLE_IDLE, 2 },
};

#define N_STAT 6
#define N_SUMS 4 /* of them come before what they leave out */

/* A column of the table in front, in the order of steps. */
struct series {
    double *step, *value;
    size_t n;
    size_t col;
    const struct view *of; /* what it was made from, and of which rows */
    unsigned version;
    size_t rows; /* while filters are at work */
    bool whole;  /* it begins with the first recorded step, which means leave out */
    struct pane_time stat[N_STAT];
    size_t n_stat, stat_skip; /* 0: not made yet; steps they are without */
};

struct steps {
    struct series s;
    /* Longest bar: the largest sum of a row's parts, without the first step where means are without it. */
    double bar_max;
    const struct view *bar_of; /* what it was made from, and how */
    unsigned bar_version;
    bool bar_all, bar_rough; /* rough: while filters were at work */
    struct step_list times;  /* of a rank whose table of steps has none */
    size_t times_rank;       /* index in the session; SIZE_MAX: not asked for yet */
};

static struct steps *own(struct pane *p)
{
    return p->own;
}

static void drop_series(struct series *s)
{
    free(s->step);
    free(s->value);
    memset(s, 0, sizeof *s);
}

static int open_pane(struct pane *p, struct err *e)
{
    struct steps *o = p->own = calloc(1, sizeof *o);
    if (!o)
        return err_nomem(e);
    o->times_rank = SIZE_MAX;
    return OK;
}

static void forget_times(struct steps *o)
{
    steps_free(&o->times);
    o->times_rank = SIZE_MAX;
}

static void detach(struct pane *p)
{
    drop_series(&own(p)->s);
    forget_times(own(p));
    own(p)->bar_of = NULL;
}

static void close_pane(struct pane *p)
{
    drop_series(&own(p)->s);
    forget_times(own(p));
    free(p->own);
}

/* ---- bars of the table ---- */

static int column_of(const struct view *v, const char *id)
{
    for (size_t i = 0; i < view_n_cols(v); i++)
        if (!strcmp(view_col(v, i)->id, id))
            return (int)i;
    return -1;
}

static bool leaves_first(struct pane *p)
{
    return !session_scope(app_session(p->app))->first_step;
}

/* INT64_MIN: none. */
static int64_t first_recorded(struct pane *p, size_t rank)
{
    const struct session *s = app_session(p->app);
    const struct session_rank *r = session_rank(s, rank);
    struct store *st = session_store(s, r->unit);
    return st ? triage_first_step(st, r->rank, INT64_MIN) : INT64_MIN;
}

struct pair {
    double step, value;
};

static int by_step(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return x->step < y->step ? -1 : x->step > y->step;
}

static struct pair *read_pairs(struct view *v, int step, int col, size_t *n)
{
    size_t rows = view_rows(v) < MAX_STEPS ? view_rows(v) : MAX_STEPS;
    struct pair *q = calloc(rows ? rows : 1, sizeof *q);
    struct err ignored = ERR_INIT;
    *n = 0;
    for (size_t at = 0; q && at < rows; at += 512) {
        struct page pg;
        if (view_page(v, at, rows - at < 512 ? rows - at : 512, VIEW_RELATIVE, &pg, &ignored))
            break;
        for (size_t r = 0; r < pg.n; r++) {
            const struct val *s = step >= 0 ? page_val(&pg, r, (size_t)step) : NULL,
                             *x = page_val(&pg, r, (size_t)col);
            if (x->t != VAL_NULL)
                q[(*n)++] =
                    (struct pair){ s && s->t != VAL_NULL ? val_num(s) : (double)(at + r), val_num(x) };
        }
    }
    if (q)
        qsort(q, *n, sizeof *q, by_step);
    return q;
}

/* First step of each rank of the job, as first_recorded() gives it when it is asked for. */
struct firsts {
    int64_t *step;
    bool *known;
    size_t last; /* index of the rank asked for last */
    int last_rank;
};

static bool firsts_make(struct firsts *f, struct pane *p)
{
    const struct session *s = app_session(p->app);
    const size_t n = session_n_ranks(s);

    f->step = calloc(n, sizeof *f->step);
    f->known = calloc(n, sizeof *f->known);
    f->last = session_current(s);
    f->last_rank = session_rank(s, f->last)->rank;
    return f->step && f->known;
}

static int64_t firsts_of(struct firsts *f, struct pane *p, int rank)
{
    if (rank != f->last_rank) {
        f->last_rank = rank;
        f->last = session_find_rank(app_session(p->app), rank);
    }
    if (f->last == SIZE_MAX)
        return INT64_MIN;
    if (!f->known[f->last]) {
        f->step[f->last] = first_recorded(p, f->last);
        f->known[f->last] = true;
    }
    return f->step[f->last];
}

/*
 * The longest step without the one of each rank that means leave out, which may be many times longer; NAN:
 * none.
 */
static double longest_other(struct pane *p, struct view *v, int total)
{
    const int step = column_of(v, "step"), rank = column_of(v, "rank");
    const size_t rows = step < 0 ? 0 : view_rows(v) < MAX_STEPS ? view_rows(v) : MAX_STEPS;
    struct err ignored = ERR_INIT;
    struct firsts f;
    double most = NAN;
    struct page pg;

    const bool made = firsts_make(&f, p);
    for (size_t at = 0; made && at < rows; at += pg.n) {
        if (view_page(v, at, rows - at < 512 ? rows - at : 512, VIEW_RELATIVE, &pg, &ignored) || !pg.n)
            break;
        for (size_t r = 0; r < pg.n; r++) {
            const struct val *s = page_val(&pg, r, (size_t)step), *x = page_val(&pg, r, (size_t)total);
            const struct val *of = rank < 0 ? NULL : page_val(&pg, r, (size_t)rank);
            if (s->t == VAL_NULL || x->t == VAL_NULL)
                continue;
            if ((int64_t)val_num(s) !=
                firsts_of(&f, p, of && of->t != VAL_NULL ? (int)val_num(of) : f.last_rank))
                most = fmax(val_num(x), most); /* the other one where one is NAN */
        }
    }
    free(f.step);
    free(f.known);
    return most;
}

static double part_sum_max(struct pane *p, struct table *t)
{
    struct view *v = table_view(t);
    struct steps *o = own(p);
    struct err ignored = ERR_INIT;
    const bool counting = table_is_counting(t), all = !leaves_first(p);
    double sum = 0, min, max, s;
    /* Rows are read when filters are done: until then the scale stays as it was. */
    if (o->bar_of == v && o->bar_all == all &&
        (counting || (!o->bar_rough && o->bar_version == table_version(t))))
        return o->bar_max;
    int total = column_of(v, "total_ns");
    if (total >= 0 && view_range(v, total, &min, &max, &s, &ignored)) {
        const double other = counting || all ? NAN : longest_other(p, v, total);
        sum = other > 0 ? other : max;
    } else {
        for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
            int c = !strcmp(parts[i].view, table_def(t)->id) ? column_of(v, parts[i].col) : -1;
            if (c >= 0 && view_range(v, c, &min, &max, &s, &ignored))
                sum += max;
        }
    }
    o->bar_of = v;
    o->bar_version = table_version(t);
    o->bar_all = all;
    o->bar_rough = counting;
    o->bar_max = sum;
    return sum;
}

/* t: also a table beside or below the pane's own. */
static void draw_bar_cells(void *arg, struct table *t, struct canvas *c, struct rect at,
                           const struct page *pg, size_t row)
{
    struct pane *p = arg;
    struct chart_part cp[ARRAY_LEN(parts)];
    size_t n = 0;
    if (!table_view(t))
        return;
    struct view *v = table_view(t);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        int k = !strcmp(parts[i].view, table_def(t)->id) ? column_of(v, parts[i].col) : -1;
        if (k < 0)
            continue;
        const struct val *x0 = page_val(pg, row, (size_t)k);
        cp[n++] = (struct chart_part){ val_num(x0), parts[i].role, parts[i].fill };
    }
    chart_stacked(c, at.y, at.x, at.w, cp, n, part_sum_max(p, t));
}

static void draw_bar_head(void *arg, struct table *t, struct canvas *c, struct rect at)
{
    struct pane *p = arg;
    char right[32];
    if (!table_view(t))
        return;
    unit_time(right, sizeof right, part_sum_max(p, t), TIME_AUTO);
    chart_scale(c, at.y, at.x, at.w, ROLE_HEAD, "0", right);
}

/* Legend of the fills: the context row. */
static void context(struct pane *p, struct buf *out)
{
    bool ascii = app_ascii(p->app);
    const char *id = p->view < p->n_views ? p->views[p->view].def->id : "";
    if (!*id)
        return;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (!strcmp(parts[i].view, id)) {
            char t[4];
            buf_add(out, (struct str){ t, text_encode(glyph_series(parts[i].fill, ascii), t) });
            buf_printf(out, " %s  ", tr(parts[i].word));
        }
}

/* ---- chart and histogram ---- */

/* The table that chart and histogram show: the first step view with data. */
static struct table *source_table(struct pane *p)
{
    for (size_t i = 0; i < p->n_views; i++)
        if (p->views[i].t && table_view(p->views[i].t) && table_rows(p->views[i].t))
            return p->views[i].t;
    return NULL;
}

static int value_column(struct table *t)
{
    struct view *v = table_view(t);
    size_t col = table_column(t);
    if (view_col(v, col)->type != VT_TEXT && view_col(v, col)->unit == VU_NS)
        return (int)col;
    for (size_t i = 0; i < view_n_cols(v); i++)
        if (view_col(v, i)->unit == VU_NS && !(view_col(v, i)->flags & VC_HIDDEN))
            return (int)i;
    return -1;
}

static bool load_series(struct pane *p, struct table *t)
{
    struct series *s = &own(p)->s;
    struct view *v = table_view(t);
    int col = value_column(t);
    if (col < 0)
        return false;
    if (s->of == v && s->col == (size_t)col && s->version == table_version(t) && s->rows == view_rows(v))
        return s->n > 0;
    drop_series(s);
    size_t n;
    struct pair *q = read_pairs(v, column_of(v, "step"), col, &n);
    s->step = calloc(n ? n : 1, sizeof *s->step);
    s->value = calloc(n ? n : 1, sizeof *s->value);
    for (size_t i = 0; q && s->step && s->value && i < n; i++) {
        s->step[i] = q[i].step;
        s->value[i] = q[i].value;
        s->n = i + 1;
    }
    free(q);
    s->of = v;
    s->col = (size_t)col;
    s->version = table_version(t);
    s->rows = view_rows(v);
    s->whole = s->n && (int64_t)s->step[0] == first_recorded(p, session_current(app_session(p->app)));
    return s->n > 0;
}

static char *time_label(char *buf, size_t n, double ns)
{
    return unit_time(buf, n, ns, TIME_AUTO);
}

struct buckets {
    double *mean, *lo, *hi;
    size_t n;
};

/* Mean and range of equal stretches of steps, one per cell of the plot. */
static bool fill_buckets(const struct series *s, size_t want, struct buckets *b)
{
    b->n = s->n < want ? s->n : want;
    b->mean = calloc(3 * b->n + 1, sizeof *b->mean);
    if (!b->mean)
        return false;
    b->lo = b->mean + b->n;
    b->hi = b->lo + b->n;
    for (size_t i = 0; i < b->n; i++) {
        size_t from = i * s->n / b->n, to = (i + 1) * s->n / b->n;
        double sum = 0;
        b->lo[i] = b->hi[i] = s->value[from];
        for (size_t k = from; k < to; k++) {
            sum += s->value[k];
            b->lo[i] = fmin(b->lo[i], s->value[k]);
            b->hi[i] = fmax(b->hi[i], s->value[k]);
        }
        b->mean[i] = sum / (double)(to - from);
    }
    return true;
}

/* How many steps means leave out. */
static size_t skipped(struct pane *p)
{
    const struct series *s = &own(p)->s;
    return s->n > 1 && s->whole && leaves_first(p);
}

/* The step that means leave out stands in brackets. */
static bool aside(void *arg, int64_t *step)
{
    struct pane *p = arg;
    struct table *t = source_table(p);

    if (!t || !load_series(p, t) || !skipped(p))
        return false;
    *step = (int64_t)own(p)->s.step[0];
    return true;
}

static void bar_cells(struct pane *p, const struct view_def *d, struct table_opts *o)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (!strcmp(parts[i].view, d->id)) {
            o->bar = draw_bar_cells;
            o->bar_head = draw_bar_head;
            o->aside = aside;
            o->arg = p;
        }
}

/* Mean, deviation and percentiles of a series; without the first step when the scope leaves it out. */
static void make_stat(struct series *s, size_t skip)
{
    const size_t m = s->n - skip;
    double sum = 0, sq = 0, *v = malloc(m * sizeof *v);

    s->n_stat = 0;
    if (!v)
        return;
    memcpy(v, s->value + skip, m * sizeof *v);
    for (size_t i = 0; i < m; i++)
        sum += v[i];
    const double mean = sum / (double)m;
    for (size_t i = 0; i < m; i++)
        sq += (v[i] - mean) * (v[i] - mean);
    qsort(v, m, sizeof *v, pane_cmp_double);
    const struct pane_time times[N_STAT] = {
        { N_("mean"), mean },
        { "p50", v[percentile_at(m, 50)] },
        { "p95", v[percentile_at(m, 95)] },
        { N_("max"), v[m - 1] },
        { N_("stdev"), m > 1 ? sqrt(sq / (double)(m - 1)) : 0 },
        { N_("min"), v[0] },
    };
    free(v);
    memcpy(s->stat, times, sizeof times);
    s->n_stat = N_STAT;
    s->stat_skip = skip;
}

/*
 * The column and its sums, then which step they are without: below them where the line has no room for it.
 * Returns the lines; c NULL: only counts.
 */
static int draw_title(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    struct series *s = &own(p)->s;
    const char *title = view_col_title(view_col(table_view(t), s->col));
    const int x = text_cells_of(title) + 2;
    char without[120] = "";
    int64_t step;

    if (aside(p, &step))
        snprintf(without, sizeof without, tr("without the first step (%" PRId64 ")"), step);
    if (!s->n_stat || s->stat_skip != skipped(p))
        make_stat(s, skipped(p));
    const int note = without[0] ? text_cells_of(without) + 3 : 0;
    const int need = pane_draw_times(s->stat, s->n_stat < N_SUMS ? s->n_stat : N_SUMS, NULL,
                                     (struct rect){ 0, 0, 1, INT_MAX });
    const bool beside = x + need + note <= a.w;
    if (!c)
        return beside ? 1 : 2;
    draw_puts(c, a.y, a.x, a.w, ROLE_BOLD, title);
    const int w = a.w - x - (beside ? note : 0);
    int used = x + pane_draw_times(s->stat, s->n_stat, c, (struct rect){ a.y, a.x + x, 1, w });
    if (beside)
        draw_puts(c, a.y, a.x + used + 3, a.w - used - 3, ROLE_DIM, without);
    else if (a.h > 1)
        draw_puts(c, a.y + 1, a.x, a.w, ROLE_DIM, without);
    return beside ? 1 : 2;
}

/* The first step is often far above the others: when means leave it out the scale does, too. */
static void scale_of(struct pane *p, const struct series *s, double *lo, double *hi)
{
    size_t from = s->n > 2 ? skipped(p) : 0;
    *lo = *hi = s->value[from];
    for (size_t i = from; i < s->n; i++) {
        *lo = fmin(*lo, s->value[i]);
        *hi = fmax(*hi, s->value[i]);
    }
    double pad = (*hi - *lo) * 0.05;
    *lo -= pad;
    *hi += pad;
}

/* It begins at 0; of values that differ by less than half that shows nothing: the axis says where from. */
static bool is_zoomed(double *lo, double hi)
{
    if (*lo > hi / 2)
        return true;
    *lo = *lo < 0 ? *lo : 0;
    return false;
}

static int draw_chart(struct pane *p, struct canvas *c, struct rect a)
{
    struct table *t = source_table(p);
    struct buckets b;
    if (!t || !load_series(p, t)) {
        draw_puts(c, a.y + 1, a.x + 3, a.w - 4, ROLE_TEXT, tr("There is no column of times to draw."));
        return a.h;
    }
    const int top = draw_title(p, t, NULL, (struct rect){ 0, 0, 1, a.w - 2 });
    struct rect plot = { a.y + top, a.x, a.h - top, a.w - 1 };
    const struct series *s = &own(p)->s;
    size_t want = chart_buckets(c, plot);
    if (want && !fill_buckets(s, want, &b))
        return a.h;
    draw_title(p, t, c, (struct rect){ a.y, a.x + 1, top, a.w - 2 });
    if (!want)
        return a.h;
    double lo, hi;
    scale_of(p, s, &lo, &hi);
    const bool zoomed = is_zoomed(&lo, hi);
    const struct chart_series cs = { .v = b.mean,
                                     .lo = s->n > want ? b.lo : NULL,
                                     .hi = s->n > want ? b.hi : NULL,
                                     .role = ROLE_INFO,
                                     .fill = s->n > want ? -1 : 0 };
    const struct chart k = { .series = &cs,
                             .n_series = 1,
                             .n = b.n,
                             .y_min = lo,
                             .y_max = hi,
                             .y_start = zoomed,
                             .y_format = time_label,
                             .x_first = s->step[0],
                             .x_last = s->step[s->n - 1],
                             .x_title = tr("   step"),
                             .cursor = SIZE_MAX };
    chart_draw(c, plot, &k, NULL);
    free(b.mean);
    return a.h;
}

/* Rice's rule, because few values in many bins show nothing but gaps. */
static size_t bins_for(size_t values)
{
    size_t n = (size_t)ceil(2 * cbrt((double)values));
    return n < 5 ? 5 : n < MAX_BINS ? n : MAX_BINS;
}

static int draw_histogram(struct pane *p, struct canvas *c, struct rect a)
{
    struct table *t = source_table(p);
    struct chart_bin bins[MAX_BINS];
    if (!t || !load_series(p, t)) {
        draw_puts(c, a.y + 1, a.x + 3, a.w - 4, ROLE_TEXT, tr("There is no column of times to draw."));
        return a.h;
    }
    const struct series *s = &own(p)->s;
    size_t skip = skipped(p), m = s->n - skip, rows = a.h > 3 ? (size_t)a.h - 3 : 1, most = bins_for(m);
    double *v = malloc(m * sizeof *v);
    if (!v)
        return a.h;
    memcpy(v, s->value + skip, m * sizeof *v);
    qsort(v, m, sizeof *v, pane_cmp_double);
    /* Far outliers share the last bin, or everything else would fall into the first one. */
    double p50 = v[percentile_at(m, 50)], p95 = v[percentile_at(m, 95)], cap = p95 + 3 * (p95 - p50);
    size_t n = chart_bins(v, m, v[m - 1] > cap ? cap : NAN, bins, rows < most ? rows : most);
    draw_title(p, t, c, (struct rect){ a.y, a.x + 1, 2, a.w - 2 });
    int used = chart_histogram(c, (struct rect){ a.y + 2, a.x, a.h - 2, a.w }, bins, n, time_label);
    free(v);
    return used + 2;
}

const struct pane_mode pane_steps_modes[] = { { "chart", draw_chart, 2, NULL },
                                              { "histogram", draw_histogram, 10, NULL } };
const size_t pane_steps_n_modes = ARRAY_LEN(pane_steps_modes);

/* In chart and histogram h and l choose the column. */
static bool key(struct pane *p, enum action act)
{
    struct table *t = source_table(p);
    if (p->view < p->n_views || p->depth || !t)
        return false;
    if (act != ACT_LEFT && act != ACT_RIGHT)
        return false;
    int step = act == ACT_LEFT ? -1 : 1;
    size_t n = view_n_cols(table_view(t)), at = own(p)->s.col;
    for (size_t i = 0; i < n; i++) {
        at = (at + n + (size_t)step) % n;
        if (view_col(table_view(t), at)->unit == VU_NS)
            return table_set_column(t, at);
    }
    return true;
}

static bool has_source(struct pane *p)
{
    return source_table(p);
}

static const struct pane_need *needs(const struct pane *p)
{
    static const struct pane_need chart[] = {
        { ACT_LEFT, has_source, "there is no column to choose" },
        { ACT_RIGHT, has_source, "there is no column to choose" },
        { ACT_NONE, NULL, NULL },
    };
    return p->view >= p->n_views && !p->depth ? chart : NULL;
}

static bool bar(const struct pane *p, const struct key_bar **out, size_t *n)
{
    static const struct key_bar drawn[] = {
        { ACT_VIEW_NEXT, ACT_NONE, "view" },
        { ACT_LEFT, ACT_RIGHT, "column" },
        { ACT_STEP_RANGE, ACT_NONE, "set range" },
    };
    if (p->depth || p->view < p->n_views)
        return false;
    *out = drawn;
    *n = ARRAY_LEN(drawn);
    return true;
}

/* Enter on a step: its ops, when the run has them step by step; else the card of the step. */
static bool open_row(struct pane *p)
{
    struct table *t = pane_table(p);
    struct session *s = app_session(p->app);
    size_t n;
    const struct view_part *part = session_parts(s, false, &n);
    struct val step = table_value(t, "step");
    if (step.t != VAL_INT || !n)
        return false;
    struct view_scope scope = *session_scope(s);
    scope.step0 = scope.step1 = step.i;
    if (!facts_ops_in_steps(part, &scope)) {
        pane_open_card(p);
        app_say(p->app, ROLE_TEXT, "op times of this run know no steps; t shows the step in the timeline");
        return true;
    }
    app_show_step(p->app, step.i);
    app_say(p->app, ROLE_TEXT, "step %" PRId64 " only; q goes back to the steps", step.i);
    return true;
}

/* ---- steps in time ---- */

/* Steps of the rank, by the events around them; none: nothing says when they were. */
static const struct step_list *times_of(struct pane *p, size_t rank)
{
    struct session *s = app_session(p->app);
    struct steps *o = own(p);
    struct err ignored = ERR_INIT;

    if (o->times_rank == rank)
        return &o->times;
    forget_times(o);
    o->times_rank = rank;
    const struct session_rank *r = session_rank(s, rank);
    struct store *store = session_store(s, r->unit);
    struct timeline *t = store ? session_timeline(s, rank, &ignored) : NULL;
    if (t)
        (void)!steps_load(&o->times, store, r->rank, t, &ignored);
    if (ignored.code == ERR_CANCELLED) /* Esc: asked again */
        o->times_rank = SIZE_MAX;
    return &o->times;
}

/* Rows of MindSpore 2.x have no times of their own: t goes to where the timeline has their step. */
static bool step_time(struct pane *p, int64_t *ts, int64_t *dur)
{
    struct session *s = app_session(p->app);
    struct table *t = pane_row_table(p);

    if (!t || !table_view(t) || !table_rows(t) || strcmp(table_def(t)->id, "steps.split") != 0)
        return false;
    const struct val step = table_value(t, "step"), rank = table_value(t, "rank");
    const size_t of = rank.t == VAL_INT ? session_find_rank(s, (int)rank.i) : session_current(s);
    const struct step_span *x =
        step.t == VAL_INT && of != SIZE_MAX ? steps_numbered(times_of(p, of), step.i) : NULL;
    if (!x)
        return false;
    *ts = x->from_ns;
    *dur = x->to_ns == INT64_MAX ? 0 : x->to_ns - x->from_ns;
    return true;
}

static int below(struct pane *p, struct canvas *c, struct rect a)
{
    struct table *t = pane_table(p);
    if (!t || t != source_table(p) || p->view >= p->n_views || !load_series(p, t))
        return 0;
    return draw_title(p, t, c, a);
}

/* A third of the body, or what a short table leaves; on a wide screen other views have that. */
static int heat_lines(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    const int third = a.h / 3 < HEAT_MOST ? a.h / 3 : HEAT_MOST;

    if (a.w >= PANE_WIDE || table_rows(t) >= (size_t)a.h)
        return third;
    table_fit(t, c, a);
    const int low = below(p, NULL, (struct rect){ 0, 0, 0, a.w - 2 });
    const int detail = table_detail_on(t) ? table_detail_lines(t, a.w - 2) + 1 : 0;
    const int left = a.h - (int)table_rows(t) - 1 - (low ? low + 1 : 0) - detail - 1;
    return left > third ? left : third;
}

/* The ranks beside each other, above the steps of one of them; the dashboard has read them. */
static int above(struct pane *p, struct canvas *c, struct rect a)
{
    const struct dash *d = pane_triage_dash(p->app->panes[PANE_TRIAGE]);
    struct table *t = pane_table(p);
    if (!d || !t || !table_view(t) || !table_rows(t) || a.h < HEAT_FROM_H)
        return 0;
    const struct session *ses = app_session(p->app);
    struct val step = table_value(t, "step");
    struct steps_heat s = { .rank = session_rank(ses, session_current(ses))->rank,
                            .has_step = step.t == VAL_INT,
                            .step = step.i };
    s.p = dash_peers(d, &s.lo, &s.hi);
    int y = steps_heat_draw(&s, c, (struct rect){ a.y, a.x + 1, heat_lines(p, t, c, a), a.w - 2 });
    return y ? y + 1 : 0;
}

static void status(struct pane *p, struct buf *left, struct buf *right)
{
    const struct series *s = &own(p)->s;
    if (p->view < p->n_views || !s->n)
        return;
    buf_printf(left, tr("%zu step%s   h l choose the column"), s->n, s->n == 1 ? "" : "s");
    buf_puts(right, pane_view_title(p));
}

/* A step that the end of the run cut is no step of the title. */
static bool count(struct pane *p, struct table *t, struct buf *out)
{
    const struct app *a = p->app;
    const size_t n = table_rows(t), all = view_total(table_view(t)), whole = (size_t)a->whole_steps;

    if (strcmp(table_def(t)->id, "steps.fpbp") != 0 || table_is_counting(t) || n != all || !whole ||
        whole >= all || !view_scope_all(session_scope(a->s)))
        return false;
    buf_printf(out, "%zu ", whole);
    buf_add(out, pane_unit(table_view(t), whole));
    buf_printf(out, tr(", %zu cut"), all - whole);
    return true;
}

const struct pane_ops pane_steps_ops = {
    .modes_inside = true,
    .count = count,
    .status = status,
    .open = open_pane,
    .close = close_pane,
    .detach = detach,
    .bar_cells = bar_cells,
    .context = context,
    .key = key,
    .needs = needs,
    .bar = bar,
    .open_row = open_row,
    .time = step_time,
    .above = above,
    .below = below,
};
