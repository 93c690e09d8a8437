/* SPDX-License-Identifier: Apache-2.0 */
/* Ops: the card of one op (doc/screens.md#op-card): its executions as a curve, its figures, its shapes. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "ui/pane/panes.h"
#include "ui/widget/chart.h"

#define MAX_EXECS ((size_t)1 << 20)

struct execs { /* executions of the op on the card */
    int64_t op_id;
    bool known;
    double *dur, *step;
    size_t n;
    bool by_step;
    double min, p50, p95, max, mean;
    const struct view_def *asked; /* the view that no_steps is about, NULL: none */
    bool no_steps;                /* its op times are not recorded step by step */
};

static int open_pane(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct execs));
    return p->own ? OK : err_nomem(e);
}

static void forget(struct execs *x)
{
    free(x->dur);
    free(x->step);
    memset(x, 0, sizeof *x);
}

static void detach(struct pane *p)
{
    forget(p->own);
}

static void close_pane(struct pane *p)
{
    if (p->own)
        forget(p->own);
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
    x->p50 = v[x->n / 2];
    x->p95 = v[x->n * 95 / 100];
    x->max = v[x->n - 1];
    x->mean = sum / (double)x->n;
    free(v);
}

static void need_execs(struct pane *p, struct table *t)
{
    struct execs *x = p->own;
    struct err ignored = ERR_INIT;
    struct val id = table_value(t, "op_id");
    const struct view_def *d = view_def_find("ops.exec");
    struct table *ex = NULL;
    char filter[48];
    size_t n;
    if (id.t != VAL_INT || (x->known && x->op_id == id.i))
        return;
    forget(x);
    x->known = true;
    x->op_id = id.i;
    snprintf(filter, sizeof filter, "op_id=%" PRId64, id.i);
    struct session *s = app_session(p->app);
    const struct view_part *parts = session_parts(s, false, &n);
    if (d && n && table_new(&ex, d, NULL, &ignored) == OK &&
        table_filter_add(ex, str_of(filter), &ignored) == OK &&
        table_attach(ex, parts, n, session_scope(s), &ignored) == OK)
        read_rows(x, table_view(ex));
    table_free(ex);
    statistics(x);
}

static char *label(char *buf, size_t n, double ns)
{
    return unit_time(buf, n, ns, TIME_AUTO);
}

static void draw_stat(const struct execs *x, struct canvas *c, struct rect a)
{
    const struct pane_time times[] = {
        { "mean", x->mean }, { "max", x->max }, { "p50", x->p50 }, { "p95", x->p95 }, { "min", x->min }
    };
    int used = draw_printf(c, a.y, a.x, a.w, ROLE_TEXT, "%zu execution%s", x->n, x->n == 1 ? "" : "s") + 3;
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
                             .x_title = x->by_step ? "   step" : "   call",
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
    pane_draw_card(&p->stack[p->depth - 1], c, a);
    return true;
}

/* Enter on an op: its card; Enter there: its executions. */
static bool open_row(struct pane *p)
{
    struct table *t = pane_table(p);
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

/* The table has rows of a mean step and rows of the whole run: AI CPU kernels, which have executions only. */
static bool is_mixed(struct table *t)
{
    struct err ignored = ERR_INIT;
    struct str per[2];
    int col = t && table_view(t) ? view_find_col(table_view(t), "per") : -1;
    return col >= 0 && table_def(t)->group &&
           view_top_values(table_view(t), col, per, ARRAY_LEN(per), &ignored) > 1;
}

/* "view type   per step": the view, and the range of the sums. */
static void context(struct pane *p, struct buf *out)
{
    struct table *t = pane_table(p);
    struct val per = t ? table_value(t, "per") : val_null();
    buf_printf(out, "view %s", pane_view_title(p));
    const struct view_scope *s = session_scope(app_session(p->app));
    bool all = s->step0 == INT64_MIN && s->step1 == INT64_MAX;
    if (all && is_mixed(t)) /* with a step range in the row there is no room for it */
        buf_puts(out, "   per step, AI CPU over the whole run");
    else if (per.t == VAL_TEXT && (all || str_eq(per.s, STR("step"))))
        buf_puts(out, str_eq(per.s, STR("step")) ? "   per step" : "   whole run");
    if (!all && knows_no_steps(p, t ? table_def(t) : NULL, s))
        buf_puts(out, ", the same for every step");
}

const struct pane_ops pane_ops_ops = {
    .context = context,
    .open = open_pane,
    .close = close_pane,
    .detach = detach,
    .draw = draw,
    .open_row = open_row,
    .key = key,
    .bar = bar,
};
