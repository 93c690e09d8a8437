/* SPDX-License-Identifier: Apache-2.0 */
/* Ops: the card of one op (doc/screens.md#op-card): its executions as a curve, its figures, its shapes. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/percentile.h"
#include "base/unit.h"
#include "model/views/colset.h"
#include "model/views/op_names.h"
#include "ui/pane/ops_origin.h"
#include "ui/pane/panes.h"
#include "ui/widget/chart.h"

#define MAX_EXECS   ((size_t)1 << 20)
#define FIGURES_MAX ((size_t)1 << 20)
#define SHAPES_MAX  ((size_t)512) /* on a card */

struct execs {     /* executions of the op on the card */
    int64_t op_id; /* of an op without a number one of its name, negative */
    bool known;
    double *dur, *step;
    size_t n;
    bool by_step;
    double min, p50, p95, max, mean;
    const struct view_def *asked; /* the view that no_steps is about, NULL: none */
    bool no_steps;                /* its op times are not recorded step by step */
    struct buf figures;           /* lines of the card: what `op NAME` answers, by shape */
    struct op_origin origin;      /* of the op on the card, or of the type in the cursor's row */
};

static void forget(struct execs *x)
{
    free(x->dur);
    free(x->step);
    buf_done(&x->figures);
    memset(x, 0, sizeof *x);
    buf_init(&x->figures, FIGURES_MAX);
}

static int open_pane(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct execs));
    if (!p->own)
        return err_nomem(e);
    forget(p->own);
    return OK;
}

static void detach(struct pane *p)
{
    forget(p->own);
}

static void close_pane(struct pane *p)
{
    struct execs *x = p->own;
    if (x) {
        forget(x);
        buf_done(&x->figures);
    }
    free(p->own);
}

/* The table of ops below a card; NULL when the card in front is not that of an op. */
static struct table *card_of_op(struct pane *p)
{
    if (!p->depth || !p->stack[p->depth - 1].is_card)
        return NULL;
    struct table *t = p->stack[p->depth - 1].t;
    return table_view(t) && !strcmp(table_def(t)->id, "ops.op") ? t : NULL;
}

static void read_rows(struct execs *x, struct view *v)
{
    struct err ignored = ERR_INIT;
    int dur = view_find_col(v, "dur_ns"), step = view_find_col(v, "step");
    size_t rows = view_rows(v) < MAX_EXECS ? view_rows(v) : MAX_EXECS;
    x->dur = calloc(rows ? rows : 1, sizeof *x->dur);
    x->step = calloc(rows ? rows : 1, sizeof *x->step);
    x->by_step = true;
    for (size_t at = 0; x->dur && x->step && dur >= 0 && step >= 0 && at < rows; at += 512) {
        struct page pg;
        if (view_page(v, at, rows - at < 512 ? rows - at : 512, VIEW_RELATIVE, &pg, &ignored))
            return;
        for (size_t r = 0; r < pg.n; r++) {
            const struct val *d = page_val(&pg, r, (size_t)dur), *s = page_val(&pg, r, (size_t)step);
            if (d->t == VAL_NULL)
                continue;
            x->by_step &= s->t != VAL_NULL;
            x->step[x->n] = val_num(s);
            x->dur[x->n++] = val_num(d);
        }
    }
}

static void statistics(struct execs *x)
{
    double sum = 0, *v = malloc((x->n ? x->n : 1) * sizeof *v);
    if (!v || !x->n) {
        free(v);
        return;
    }
    memcpy(v, x->dur, x->n * sizeof *v);
    qsort(v, x->n, sizeof *v, pane_cmp_double);
    for (size_t i = 0; i < x->n; i++)
        sum += v[i];
    x->min = v[0];
    x->p50 = v[percentile_at(x->n, 50)];
    x->p95 = v[percentile_at(x->n, 95)];
    x->max = v[x->n - 1];
    x->mean = sum / (double)x->n;
    free(v);
}

/* ---- what `op NAME` answers ---- */

/* Columns of the view of that command; those of the table of ops with the same id give way to them. */
static const char *const figure_cols[] = { "calls",  "total_ns",  "avg_ns",       "min_ns",
                                           "max_ns", "share_pct", "delay_avg_ns", "delay_max_ns" };
#define IN_SHORT 6 /* of them in the line of another shape */

static bool same_text(const struct val *a, const struct val *b)
{
    return a->t == b->t && (a->t != VAL_TEXT || str_eq(a->s, b->s));
}

/* "Calls TAB 40", a line for each; the exact value after it as in the rest of the card. */
static void add_figures(struct buf *out, struct view *v, const struct page *p, size_t row,
                        const struct cell_units *u)
{
    char text[200], whole[64];
    for (size_t i = 0; i < ARRAY_LEN(figure_cols); i++) {
        int col = view_find_col(v, figure_cols[i]);
        const struct val *x = col < 0 ? NULL : page_val(p, row, (size_t)col);
        if (!x || x->t == VAL_NULL)
            continue;
        const struct view_col *c = view_col(v, (size_t)col);
        buf_printf(out, "%s\t%s", view_col_title(c), cell_string(text, sizeof text, c, x, u));
        if (cell_is_exact(c, x) && strcmp(cell_exact(whole, sizeof whole, c, x), text) != 0)
            buf_printf(out, " = %s", whole);
        buf_addc(out, '\n');
    }
}

/* Another shape of the same op in one line. */
static void add_other(struct buf *out, struct view *v, const struct page *p, size_t row,
                      const struct cell_units *u)
{
    const struct val *shape = page_val(p, row, (size_t)view_find_col(v, "in_shapes"));
    char text[200];
    buf_puts(out, tr("Other shape\t"));
    buf_add(out, shape->t == VAL_TEXT ? shape->s : STR("-"));
    for (size_t i = 0; i < IN_SHORT; i++) {
        int col = view_find_col(v, figure_cols[i]);
        const struct val *x = col < 0 ? NULL : page_val(p, row, (size_t)col);
        if (x && x->t != VAL_NULL)
            buf_printf(out, "%s %s %s", i ? "," : ":", view_col_title(view_col(v, (size_t)col)),
                       cell_string(text, sizeof text, view_col(v, (size_t)col), x, u));
    }
    buf_addc(out, '\n');
}

/* The row of the op's own shape first, then the others. */
static void read_figures(struct execs *x, struct table *t, struct view *v)
{
    const struct cell_units u = table_units(t);
    struct val shape = table_value(t, "in_shapes"), core = table_value(t, "core");
    int shape_col = view_find_col(v, "in_shapes"), core_col = view_find_col(v, "core");
    struct err ignored = ERR_INIT;
    struct page p;
    if (view_page(v, 0, view_rows(v) < SHAPES_MAX ? view_rows(v) : SHAPES_MAX, VIEW_STORED, &p, &ignored))
        return;
    for (int own = 1; own >= 0; own--)
        for (size_t r = 0; r < p.n; r++) {
            bool is_own = same_text(page_val(&p, r, (size_t)shape_col), &shape) &&
                          same_text(page_val(&p, r, (size_t)core_col), &core);
            if (own && (is_own || p.n == 1))
                add_figures(&x->figures, v, &p, r, &u);
            else if (!own && !is_own && p.n > 1)
                add_other(&x->figures, v, &p, r, &u);
        }
}

static void need_figures(struct execs *x, struct table *t, const struct view_part *parts, size_t n,
                         const struct view_scope *scope)
{
    struct view_def def = view_op_shape;
    struct val name = table_value(t, "op_name");
    struct err ignored = ERR_INIT;
    struct view *v = NULL;
    struct buf where;
    if (name.t != VAL_TEXT || !n)
        return;
    buf_init(&where, FIGURES_MAX);
    op_names_op(&where, name.s);
    buf_addc(&where, 0);
    def.where = where.p;
    if (!buf_failed(&where) && view_open(&v, &def, parts, n, scope, &ignored) == OK)
        read_figures(x, t, v);
    view_close(v);
    buf_done(&where);
}

/* Whether a line of the card is of one of these columns, which begins with its title. */
static bool is_of(struct table *t, struct str line, const char *const *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int col = view_find_col(table_view(t), ids[i]);
        struct str title = str_of(col < 0 ? "" : view_col_title(view_col(table_view(t), (size_t)col)));
        if (title.n && str_starts(line, title) && line.n > title.n && line.p[title.n] == '\t')
            return true;
    }
    return false;
}

/* What the op is, its times, what it worked on, and the rest. */
enum card_part { CARD_NAME, CARD_FIGURE, CARD_SHAPE, CARD_REST, N_CARD_PARTS };

static enum card_part part_of(struct table *t, struct str line)
{
    static const char *const names[] = { "op_name", "type", "core" };
    static const char *const shapes[] = { "in_shapes",  "in_types",  "in_formats",
                                          "out_shapes", "out_types", "out_formats" };
    return is_of(t, line, names, ARRAY_LEN(names))               ? CARD_NAME
           : is_of(t, line, figure_cols, ARRAY_LEN(figure_cols)) ? CARD_FIGURE
           : is_of(t, line, shapes, ARRAY_LEN(shapes))           ? CARD_SHAPE
                                                                 : CARD_REST;
}

/* The lines of the row by part, with the figures that were read in place of the row's own. */
static void card_lines(const struct execs *x, struct table *t, struct buf *out)
{
    struct buf row;
    buf_init(&row, (size_t)4 << 20);
    table_row_text(t, table_cursor(t), true, &row);
    for (int part = 0; part < N_CARD_PARTS; part++) {
        struct str rest = buf_str(&row), line;
        if (part == CARD_FIGURE && x->figures.n)
            buf_add(out, buf_str(&x->figures));
        while (str_next(&rest, '\n', &line)) {
            if (!line.n || part_of(t, line) != (enum card_part)part || (part == CARD_FIGURE && x->figures.n))
                continue;
            buf_add(out, line);
            buf_addc(out, '\n');
        }
    }
    ops_origin_lines(&x->origin, out);
    buf_done(&row);
}

static void need_execs(struct pane *p, struct table *t)
{
    struct execs *x = p->own;
    struct err ignored = ERR_INIT;
    struct val id = table_value(t, "op_id"), name = table_value(t, "op_name");
    int64_t key = id.t == VAL_INT ? id.i : -(int64_t)(str_hash(name.s, str_seed()) >> 1);
    const struct view_def *d = view_def_find("ops.exec");
    struct table *ex = NULL;
    char filter[48];
    size_t n;
    if (x->known && x->op_id == key)
        return;
    forget(x);
    x->known = true;
    x->op_id = key;
    snprintf(filter, sizeof filter, "op_id=%" PRId64, id.t == VAL_INT ? id.i : -1);
    struct session *s = app_session(p->app);
    const struct view_part *parts = session_parts(s, false, &n);
    if (d && n && id.t == VAL_INT && table_new(&ex, d, NULL, &ignored) == OK &&
        table_filter_add(ex, str_of(filter), &ignored) == OK &&
        table_attach(ex, parts, n, session_scope(s), &ignored) == OK)
        read_rows(x, table_view(ex));
    table_free(ex);
    statistics(x);
    if (n && id.t == VAL_INT && op_origin_read(&x->origin, parts, id.i, NULL, &ignored))
        app_say_err(p->app, &ignored);
    need_figures(x, t, parts, n, session_scope(s));
}

static char *label(char *buf, size_t n, double ns)
{
    return unit_time(buf, n, ns, TIME_AUTO);
}

static void draw_stat(const struct execs *x, struct canvas *c, struct rect a)
{
    const struct pane_time times[] = { { N_("mean"), x->mean },
                                       { N_("max"), x->max },
                                       { "p50", x->p50 },
                                       { "p95", x->p95 },
                                       { N_("min"), x->min } };
    int used =
        draw_printf(c, a.y, a.x, a.w, ROLE_TEXT, tr("%zu execution%s"), x->n, x->n == 1 ? "" : "s") + 3;
    pane_draw_times(times, ARRAY_LEN(times), c, (struct rect){ a.y, a.x + used, 1, a.w - used });
}

/*
 * Executions in order of time, at most one point per bucket: the mean, with the range when several share one.
 */
static void draw_curve(const struct execs *x, struct canvas *c, struct rect a)
{
    size_t want = chart_buckets(c, a), n = x->n < want ? x->n : want;
    double *m = n ? calloc(3 * n, sizeof *m) : NULL;
    if (!m)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t from = i * x->n / n, to = (i + 1) * x->n / n;
        double sum = 0, lo = x->dur[from], hi = lo;
        for (size_t k = from; k < to; k++) {
            sum += x->dur[k];
            lo = fmin(lo, x->dur[k]);
            hi = fmax(hi, x->dur[k]);
        }
        m[i] = sum / (double)(to - from);
        m[n + i] = lo;
        m[2 * n + i] = hi;
    }
    bool ranges = x->n > want;
    const struct chart_series s = {
        .v = m, .lo = ranges ? m + n : NULL, .hi = ranges ? m + 2 * n : NULL, .role = ROLE_INFO, .fill = -1
    };
    const struct chart k = { .series = &s,
                             .n_series = 1,
                             .n = n,
                             .y_format = label,
                             .x_first = x->by_step ? x->step[0] : 1,
                             .x_last = x->by_step ? x->step[x->n - 1] : (double)x->n,
                             .x_title = x->by_step ? tr("   step") : tr("   call"),
                             .cursor = SIZE_MAX };
    chart_draw(c, a, &k, NULL);
    free(m);
}

static bool draw(struct pane *p, struct canvas *c, struct rect a)
{
    struct table *t = card_of_op(p);
    struct execs *x = p->own;
    if (!t)
        return false;
    need_execs(p, t);
    if (x->n) {
        draw_stat(x, c, (struct rect){ a.y, a.x + 2, 1, a.w - 3 });
        a.y++;
        a.h--;
    }
    int h = x->n > 1 && a.h >= 16 ? (a.h >= 30 ? 12 : 8) : 0;
    if (h) {
        draw_curve(x, c, (struct rect){ a.y, a.x, h, a.w - 2 });
        a.y += h + 1;
        a.h -= h + 1;
    }
    struct buf lines;
    buf_init(&lines, (size_t)8 << 20);
    card_lines(x, t, &lines);
    pane_draw_lines(&p->stack[p->depth - 1], c, a, buf_str(&lines));
    buf_done(&lines);
    return true;
}

/* ---- beside the table ---- */

static bool is_op_table(struct table *t)
{
    return !strcmp(table_def(t)->id, "ops.op");
}

static bool is_type_table(struct table *t)
{
    return !strcmp(table_def(t)->id, "ops.type");
}

static void read_type(struct pane *p, struct table *t)
{
    struct execs *x = p->own;
    struct val type = table_value(t, "type");
    struct err e = ERR_INIT;
    size_t n;
    const struct view_part *parts = session_parts(app_session(p->app), false, &n);

    x->known = false; /* the origin is no longer that of an op */
    memset(&x->origin, 0, sizeof x->origin);
    if (n && type.t == VAL_TEXT && op_origin_read(&x->origin, parts, 0, &type.s, &e))
        app_say_err(p->app, &e);
}

static void read_beside(struct pane *p, struct table *t)
{
    if (is_op_table(t))
        need_execs(p, t);
    else if (is_type_table(t))
        read_type(p, t);
}

#define CURVE_H 9

/* Of an op its curve, who launches it and its counters come before its columns, which are many. */
static int draw_beside(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    const struct execs *x = p->own;
    const struct pane_time times[] = { { "p50", x->p50 }, { "p95", x->p95 }, { N_("max"), x->max } };
    int y = 0;

    if (!is_op_table(t))
        return 0;
    if (x->n >= 2 && a.h >= 3 * CURVE_H) {
        draw_curve(x, c, (struct rect){ a.y, a.x, CURVE_H, a.w });
        pane_draw_times(times, ARRAY_LEN(times), c, (struct rect){ a.y + CURVE_H, a.x, 1, a.w });
        y = CURVE_H + 1;
    }
    int n = ops_draw_origin(&x->origin, false, c, (struct rect){ a.y + y, a.x, a.h - y, a.w });
    return n ? y + n + 1 : y;
}

static int draw_type(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    const struct execs *x = p->own;

    return is_type_table(t) ? ops_draw_origin(&x->origin, true, c, a) : 0;
}

static const struct pane_card beside = { .read = read_beside, .draw = draw_beside, .draw_low = draw_type };

/*
 * Kernels of the AI CPU that are listed by name, where no ops of theirs are known: their executions. false:
 * the row is an ordinary type.
 */
static bool open_aicpu(struct pane *p, struct table *t)
{
    struct val core = table_value(t, "core"), type = table_value(t, "type");
    struct buf filter;
    if (core.t != VAL_TEXT || !str_eq(core.s, STR("AICPU")) || type.t != VAL_TEXT)
        return false;
    buf_init(&filter, 4096);
    pane_expand_filter(t, "type={type}", &filter);
    bool opened = pane_open_view(p, view_def_find("ops.op"), buf_str(&filter), "");
    pane_show(p);
    struct table *ops = opened ? pane_table(p) : NULL;
    bool none = ops && table_view(ops) && !table_is_counting(ops) && !table_rows(ops);
    if (opened)
        (void)pane_back(p);
    buf_clear(&filter);
    pane_expand_filter(t, "kernel={type}", &filter);
    bool shown = none && app_show_view(p->app, "host.aicpu_exec", buf_str(&filter));
    buf_done(&filter);
    return shown;
}

/* Enter on an op: its card; Enter there: its executions. */
static bool open_row(struct pane *p)
{
    struct table *t = pane_table(p);
    if (t && strcmp(table_def(t)->id, "ops.type") == 0)
        return open_aicpu(p, t);
    if (!t || strcmp(table_def(t)->id, "ops.op") != 0)
        return false;
    pane_open_card(p);
    return true;
}

static void open_executions(struct pane *p, struct table *t)
{
    struct buf filter;
    buf_init(&filter, 4096);
    pane_expand_filter(t, "op_id={op_id}", &filter);
    pane_open_view(p, view_def_find("ops.exec"), buf_str(&filter), "executions");
    buf_done(&filter);
}

static bool key(struct pane *p, enum action act)
{
    struct table *t = card_of_op(p);
    struct buf filter;
    if (!t)
        return false;
    switch (act) {
    case ACT_OPEN:
        open_executions(p, t);
        return true;
    case ACT_SAME_TYPE:
        buf_init(&filter, 4096);
        pane_expand_filter(t, "type={type}", &filter);
        pane_open_view(p, view_def_find("ops.op"), buf_str(&filter), "same type");
        buf_done(&filter);
        return true;
    default:
        return false;
    }
}

static const struct pane_need *needs(const struct pane *p)
{
    static const struct pane_need card[] = {
        { ACT_OPEN, NULL, NULL },
        { ACT_SAME_TYPE, NULL, NULL },
        { ACT_NONE, NULL, NULL },
    };
    return card_of_op((struct pane *)p) ? card : NULL;
}

static bool bar(const struct pane *p, const struct key_bar **out, size_t *n)
{
    static const struct key_bar card[] = {
        { ACT_OPEN, ACT_NONE, "executions" },
        { ACT_TIMELINE, ACT_NONE, NULL },
        { ACT_OP_BEFORE, ACT_OP_AFTER, "before, after" },
        { ACT_SAME_TYPE, ACT_NONE, NULL },
        { ACT_COPY, ACT_NONE, NULL },
    };
    if (!card_of_op((struct pane *)p))
        return false;
    *out = card;
    *n = ARRAY_LEN(card);
    return true;
}

static bool knows_no_steps(struct pane *p, const struct view_def *d, const struct view_scope *s)
{
    size_t n;
    struct execs *x = p->own;
    const struct view_part *parts = session_parts(app_session(p->app), false, &n);
    if (d && x->asked != d && n) {
        x->asked = d;
        x->no_steps = view_ignores_steps(d, parts, n, s);
    }
    return x->no_steps;
}

/* The values that a column has, up to so many. */
static size_t values_of(struct table *t, const char *id, struct str *v, size_t most)
{
    struct err ignored = ERR_INIT;
    int col = t && table_view(t) ? view_find_col(table_view(t), id) : -1;
    return col < 0 || table_column_is_blank(t, (size_t)col)
               ? 0
               : view_top_values(table_view(t), col, v, most, &ignored);
}

/* The table has rows of a mean step and rows of the whole run: AI CPU kernels, which have executions only. */
static bool is_mixed(struct table *t)
{
    struct str per[2];
    return values_of(t, "per", per, ARRAY_LEN(per)) > 1;
}

/* AI CPU kernels among types of a mean step: their sums by the number of steps. */
static bool has_aicpu(struct table *t)
{
    struct str core[8];
    bool any = false;
    if (!t || !table_view(t) ||
        strcmp(table_def(t)->id, "ops.type") != 0) /* executions are too many to look */
        return false;
    for (size_t i = 0, n = values_of(t, "core", core, ARRAY_LEN(core)); i < n; i++)
        any |= str_eq(core[i], STR("AICPU"));
    return any;
}

/* "per step": what the sums are of. With a range of steps those of the run are of it, as the row says. */
static void base(struct pane *p, struct table *t, struct buf *out)
{
    bool all = view_scope_all(session_scope(app_session(p->app)));
    /* read other rows: before the text of this one is borrowed */
    bool mixed = all && is_mixed(t), aicpu = all && !mixed && has_aicpu(t);
    struct val per = t ? table_value(t, "per") : val_null();
    if (mixed) /* with a step range in the row there is no room for it */
        buf_puts(out, strcmp(table_def(t)->id, "ops.type") == 0 ? tr("per step, AI CPU whole run")
                                                                : tr("per step or whole run, as Per says"));
    else if (per.t == VAL_TEXT && (all || str_eq(per.s, STR("step"))))
        buf_puts(out, !str_eq(per.s, STR("step")) ? tr("whole run")
                      : aicpu                     ? tr("per step, AI CPU run / steps")
                                                  : tr("per step"));
}

static void context(struct pane *p, struct buf *out)
{
    struct table *t = pane_table(p);
    const struct view_scope *s = session_scope(app_session(p->app));
    base(p, t, out);
    if (!view_scope_all(s) && knows_no_steps(p, t ? table_def(t) : NULL, s))
        buf_puts(out, tr(", the same for every step"));
}

const struct pane_ops pane_ops_ops = {
    .context = context,
    .base = base,
    .open = open_pane,
    .close = close_pane,
    .detach = detach,
    .draw = draw,
    .open_row = open_row,
    .key = key,
    .needs = needs,
    .bar = bar,
    .card = &beside,
};
