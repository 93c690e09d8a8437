/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: the curve above the table, with a cursor that says which moment the table shows
 * (doc/screens.md#memory).
 */
#include "config.h"

#include "base/lang/tr.h"
#include "ui/pane/panes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "model/timeline/curves.h"
#include "ui/app/app_int.h"
#include "ui/widget/chart.h"

#define CHART_ROWS 8

struct mem {
    struct curves c;
    size_t buckets; /* of c; 0: not read */
    bool failed;
    double at;        /* where the cursor stands on the axis of c; NAN: where the most was held */
    bool waits;       /* the tables are of another moment */
    int64_t took_ms;  /* to read them last */
    struct rect plot; /* as drawn last */
};

static int mem_open(struct pane *p, struct err *e)
{
    struct mem *m = p->own = calloc(1, sizeof *m);
    if (!m)
        return err_nomem(e);
    m->at = NAN;
    return OK;
}

static void mem_detach(struct pane *p)
{
    struct mem *m = p->own;

    curves_done(&m->c);
    m->buckets = 0;
    m->failed = false;
    m->at = NAN; /* another rank has another axis */
    m->waits = false;
    session_scope(app_session(p->app))->has_moment = false;
}

static void mem_close(struct pane *p)
{
    mem_detach(p);
    free(p->own);
}

static char *format_bytes(char *buf, size_t n, double v)
{
    return unit_size(buf, n, v, SIZE_AUTO);
}

/* Read the curve in this many buckets; false: there is none. */
static bool mem_load(struct pane *p, size_t buckets)
{
    struct mem *m = p->own;
    struct err e = ERR_INIT;
    size_t n;
    const struct view_part *part = session_parts(app_session(p->app), false, &n);

    if (m->buckets == buckets || m->failed || !n)
        return m->c.n_curves > 0;
    curves_done(&m->c);
    m->buckets = buckets;
    if (curves_memory(&m->c, part, buckets, &e)) {
        app_say_err(p->app, &e);
        m->failed = true;
    }
    return m->c.n_curves > 0;
}

/* ---- the cursor ---- */

/* The curve whose largest value is where the most was held: what was handed out, where that is known. */
static const struct curve *held(const struct mem *m)
{
    return &m->c.c[m->c.n_curves - 1];
}

static size_t most_bucket(const struct mem *m)
{
    const double *v = held(m)->v;
    size_t at = 0;

    for (size_t i = 1; i < m->c.n; i++)
        if (isnan(v[at]) || v[i] > v[at])
            at = i;
    return at;
}

static size_t cursor_bucket(const struct mem *m)
{
    const double *x = held(m)->x;
    size_t at = 0;

    if (isnan(m->at))
        return most_bucket(m);
    for (size_t i = 1; i < m->c.n; i++)
        if (fabs(x[i] - m->at) < fabs(x[at] - m->at))
            at = i;
    return at;
}

/* The table in front is about the moment of the cursor. */
static bool follows(const struct pane *p)
{
    const struct table *t = p->depth ? NULL : pane_table(p);

    return t && view_def_reads(table_def(t), ":moment");
}

/* The first view that follows the cursor; n_views: none has data. */
static size_t moment_view(struct pane *p)
{
    for (size_t i = 0; i < p->n_views; i++)
        if (view_def_reads(p->views[i].def, ":moment") && pane_view_has(p, i))
            return i;
    return p->n_views;
}

/* As the columns Born and Dies have it. */
static char *place_text(const struct pane *p, double x, char *buf, size_t n)
{
    static const struct view_col instant = { .title = "", .type = VT_INT, .unit = VU_TS };
    const struct mem *m = p->own;
    const struct cell_units u = app_units(p->app);
    const struct val v = val_int((int64_t)llround(x));

    if (!m->c.by_node && !m->c.by_entry)
        return cell_string(buf, n, &instant, &v, &u);
    snprintf(buf, n, "%s %.0f", tr(m->c.by_node ? N_("node") : N_("entry")), x);
    return buf;
}

/* The moment at which the rows listed are alive, which may be rounded. */
static double listed_at(const struct mem *m, double x)
{
    if (m->c.by_node || m->c.by_entry || !m->c.coarse)
        return x;
    return (double)(curves_moment(&m->c, (int64_t)llround(x) + m->c.first_ns) - m->c.first_ns);
}

/* "at 155.361 ms  4.0 GiB reserved  2.4 GiB allocated (the most)  listed: 2.3 GiB" */
static void cursor_line(const struct pane *p, struct buf *out)
{
    const struct mem *m = p->own;
    struct table *t = pane_table(p);
    size_t at = cursor_bucket(m), most = most_bucket(m);
    struct err ignored = ERR_INIT;
    double min, max, sum;
    char a[48];

    buf_printf(out, tr(" at %s"), place_text(p, listed_at(m, held(m)->x[at]), a, sizeof a));
    for (size_t i = 0; i < m->c.n_curves; i++)
        if (!isnan(m->c.c[i].v[at]))
            buf_printf(out, "  %s %s%s", unit_size(a, sizeof a, m->c.c[i].v[at], SIZE_AUTO),
                       tr(m->c.c[i].name), &m->c.c[i] == held(m) && at == most ? tr(" (the most)") : "");
    int col = view_find_col(table_view(t), "size_b");
    if (!m->waits && col >= 0 && view_range(table_view(t), col, &min, &max, &sum, &ignored))
        buf_printf(out, tr("  listed: %s"), unit_size(a, sizeof a, sum, SIZE_AUTO));
}

/* One blank between the parts where there is no room for two. */
static void squeeze(struct buf *b, int w, unsigned flags)
{
    size_t k = 1;

    if ((int)text_width(buf_str(b), flags) <= w)
        return;
    for (size_t i = 1; i < b->n; i++)
        if (b->p[i] != ' ' || b->p[i - 1] != ' ')
            b->p[k++] = b->p[i];
    b->p[b->n = k] = '\0';
}

/* Read the tables of the moment when the reader rests. */
static void go_to_bucket(struct pane *p, size_t bucket)
{
    struct mem *m = p->own;
    struct view_scope *s = session_scope(app_session(p->app));

    m->at = held(m)->x[bucket];
    s->has_moment = true;
    s->moment = (int64_t)llround(m->at) + m->c.first_ns;
    m->waits = true;
    app_wait_rest(p->app, m->took_ms);
}

static void mem_rested(struct pane *p)
{
    struct mem *m = p->own;
    struct err e = ERR_INIT;
    int64_t began = app_now_ms();

    if (!m->waits)
        return;
    m->waits = false;
    if (pane_renew_moment(p, &e))
        app_say_err(p->app, &e);
    m->took_ms = app_now_ms() - began;
    p->app->dirty = true;
}

/* ---- drawing ---- */

static void mem_title(const struct pane *p, struct buf *out)
{
    const struct mem *m = p->own;
    char a[40], b[40];

    if (!isnan(m->c.capacity))
        buf_printf(out, tr("capacity %s   "), unit_size(a, sizeof a, m->c.capacity, SIZE_AUTO));
    if (!isnan(m->c.fixed))
        buf_printf(out, tr("static %s   "), unit_size(a, sizeof a, m->c.fixed, SIZE_AUTO));
    if (m->c.pool[0])
        buf_printf(out, "%s   ", m->c.pool);
    if (isnan(m->c.peak))
        return;
    buf_printf(out, tr("peak %s %s"), unit_size(a, sizeof a, m->c.peak, SIZE_AUTO), tr(m->c.c[0].name));
    if (!isnan(m->c.capacity) && m->c.capacity > 0)
        buf_printf(out, " (%s)", unit_percent(b, sizeof b, m->c.peak / m->c.capacity));
    buf_printf(out, tr(" at %s"), place_text(p, m->c.peak_x, b, sizeof b));
}

static int mem_above(struct pane *p, struct canvas *c, struct rect a)
{
    struct mem *m = p->own;
    struct chart_series s[CURVES_MAX];
    struct buf title;
    int rows = a.h >= 30 ? CHART_ROWS + 6 : CHART_ROWS;

    m->plot.h = 0;
    if (a.h < CHART_ROWS + 6)
        return 0;
    struct rect area = { a.y + 1, a.x, rows, a.w };
    if (!mem_load(p, chart_buckets(c, area)))
        return 0;
    for (size_t i = 0; i < m->c.n_curves; i++)
        s[i] = (struct chart_series){ .v = m->c.c[i].v,
                                      .role = i ? ROLE_CUBE : ROLE_DIM,
                                      .fill = m->c.n_curves == 1 ? 0
                                              : i                ? 0
                                                                 : -1,
                                      .ground = m->c.n_curves > 1 && !i };
    const struct chart k = {
        .series = s,
        .n_series = m->c.n_curves,
        .n = m->c.n,
        .y_format = format_bytes,
        .y_bytes = true,
        .x_first = m->c.x0,
        .x_last = m->c.x1,
        .x_time = !m->c.by_node && !m->c.by_entry,
        .x_title = m->c.by_node    ? tr("node")
                   : m->c.by_entry ? tr("entry")
                                   : NULL,
        .cursor = follows(p) ? cursor_bucket(m) : SIZE_MAX,
    };
    buf_init(&title, 400);
    buf_addc(&title, ' ');
    mem_title(p, &title);
    for (size_t i = 0; m->c.n_curves > 1 && i < m->c.n_curves; i++)
        buf_printf(&title, "   %s %s", i ? (app_ascii(p->app) ? "#" : "█") : (app_ascii(p->app) ? "*" : "─"),
                   tr(m->c.c[i].name));
    draw_text(c, a.y, a.x, a.w, ROLE_DIM, buf_str(&title), CUT_END);
    m->plot = (struct rect){ area.y, 0, rows - 2, 0 };
    m->plot.w = chart_draw(c, area, &k, &m->plot.x);
    if (follows(p)) {
        buf_clear(&title);
        cursor_line(p, &title);
        squeeze(&title, a.w, canvas_flags(c));
        draw_text(c, a.y + 1 + rows, a.x, a.w, ROLE_TEXT, buf_str(&title), CUT_END);
        rows++;
    } else if (m->c.by_node && moment_view(p) == p->n_views) {
        draw_puts(c, a.y + 1 + rows, a.x, a.w, ROLE_DIM,
                  tr(" which tensors are alive: only memory_usage_N.pb says it (here for node 0 alone)"));
        rows++;
    }
    buf_done(&title);
    return rows + 1;
}

/* ---- keys ---- */

/* The view of the nodes of the graph that the curve is over; n_views: there is none. */
static size_t node_view(struct pane *p)
{
    const struct mem *m = p->own;

    for (size_t i = 0; m->c.by_node && i < p->n_views; i++)
        if (!strcmp(p->views[i].def->id, "memory.node") && pane_view_has(p, i))
            return i;
    return p->n_views;
}

/* The cursor to the node that needs most. */
static void go_to_node(struct pane *p)
{
    const struct mem *m = p->own;
    struct table *t = pane_table(p);
    const int node = view_find_col(table_view(t), "node"), alive = view_find_col(table_view(t), "used_b");

    for (size_t i = 0; node >= 0 && alive >= 0 && i < table_rows(t); i++) {
        struct val v = table_value_at(t, i, (size_t)node);
        if (v.t == VAL_INT && v.i == (int64_t)m->c.peak_x &&
            (v = table_value_at(t, i, (size_t)alive), val_num(&v) >= m->c.peak)) {
            table_goto(t, i);
            return;
        }
    }
}

static bool has_curve(struct pane *p)
{
    const struct mem *m = p->own;

    return m && m->c.n_curves && m->plot.h && !p->depth;
}

static bool has_moment(struct pane *p)
{
    return has_curve(p) && follows(p);
}

static bool has_peak(struct pane *p)
{
    const struct mem *m = p->own;

    return has_curve(p) &&
           (follows(p) || m->c.peak_known || moment_view(p) < p->n_views || node_view(p) < p->n_views);
}

static bool mem_bar(const struct pane *p, const struct key_bar **bar, size_t *n)
{
    static const struct key_bar nodes[] = {
        { ACT_OPEN, ACT_NONE, NULL },   { ACT_VIEW_NEXT, ACT_NONE, "view" }, { ACT_PEAK, ACT_NONE, NULL },
        { ACT_FILTER, ACT_NONE, NULL }, { ACT_EXPORT, ACT_NONE, NULL },
    };
    static const struct key_bar moment[] = {
        { ACT_OPEN, ACT_NONE, NULL }, { ACT_VIEW_NEXT, ACT_NONE, "view" }, { ACT_LEFT, ACT_RIGHT, "moment" },
        { ACT_PEAK, ACT_NONE, NULL }, { ACT_TIMELINE, ACT_NONE, NULL },    { ACT_FILTER, ACT_NONE, NULL },
    };

    struct pane *own = (struct pane *)p;
    const bool moves = has_moment(own);

    *bar = moves ? moment : nodes;
    *n = moves ? ARRAY_LEN(moment) : ARRAY_LEN(nodes);
    return moves || (has_curve(own) && moment_view(own) == own->n_views && node_view(own) < own->n_views);
}

static bool can_move(struct pane *p)
{
    return has_moment(p) || pane_table(p);
}

static const struct pane_need *mem_needs(const struct pane *p)
{
    static const struct pane_need list[] = {
        { ACT_PEAK, has_peak, "there is no curve here, or its peak has no time" },
        { ACT_LEFT, can_move, "there is no table here" },
        { ACT_RIGHT, can_move, "there is no table here" },
        { ACT_NONE, NULL, NULL },
    };
    (void)p;
    return list;
}

/* The moment with the most in front; where no table follows the cursor, on the timeline. */
static void go_to_peak(struct pane *p)
{
    const struct mem *m = p->own;
    size_t i = follows(p) ? p->n_views : moment_view(p), nodes = node_view(p);

    if (!follows(p) && i == p->n_views && nodes < p->n_views) {
        (void)pane_set_view(p, nodes);
        if (pane_table(p))
            go_to_node(p);
        return;
    }
    if (i < p->n_views)
        (void)pane_set_view(p, i);
    if (follows(p))
        go_to_bucket(p, most_bucket(m));
    else
        app_show_time(p->app, m->c.peak_ns, 0);
}

static bool mem_key(struct pane *p, enum action act)
{
    const struct mem *m = p->own;

    if (act == ACT_PEAK && has_peak(p)) {
        go_to_peak(p);
        return true;
    }
    if ((act != ACT_LEFT && act != ACT_RIGHT) || !has_moment(p))
        return false;
    size_t at = cursor_bucket(m), cell = m->plot.w && m->c.n > (size_t)m->plot.w ? 2 : 1;
    if (act == ACT_LEFT)
        at = at > cell ? at - cell : 0;
    else
        at = at + cell < m->c.n ? at + cell : m->c.n - 1;
    go_to_bucket(p, at);
    return true;
}

static bool mem_mouse(struct pane *p, const struct key_event *k)
{
    const struct mem *m = p->own;

    if ((k->mouse != MOUSE_PRESS && k->mouse != MOUSE_DRAG) || !has_moment(p) || m->plot.w < 2 ||
        k->y < m->plot.y || k->y >= m->plot.y + m->plot.h || k->x < m->plot.x ||
        k->x >= m->plot.x + m->plot.w)
        return false;
    go_to_bucket(p, (size_t)((double)(k->x - m->plot.x) / (m->plot.w - 1) * (double)(m->c.n - 1) + 0.5));
    return true;
}

/* `t`: the moment of the cursor. */
static bool mem_time(struct pane *p, int64_t *ts, int64_t *dur)
{
    const struct mem *m = p->own;

    if (!has_moment(p) || !m->c.peak_known)
        return false;
    *ts = (int64_t)llround(held(m)->x[cursor_bucket(m)]) + m->c.first_ns;
    *dur = 0;
    return true;
}

/* Enter on what is alive: its allocations, or its tensors. */
static bool mem_open_row(struct pane *p)
{
    struct table *t = pane_table(p);
    const struct mem *m = p->own;
    struct buf filter;

    if (!t || strcmp(table_def(t)->id, "memory.alive") != 0)
        return false;
    struct val op = table_value(t, "op");
    if (op.t != VAL_TEXT || str_eq(op.s, STR("-")))
        return false; /* without a name: the card */
    buf_init(&filter, 65536);
    pane_expand_filter(t, "name={op}", &filter);
    bool opened = pane_open_view(p, view_def_find(m->c.by_node ? "memory.tensor" : "memory.alloc"),
                                 buf_str(&filter), "");
    buf_done(&filter);
    return opened;
}

const struct pane_ops pane_mem_ops = {
    .open = mem_open,
    .close = mem_close,
    .detach = mem_detach,
    .above = mem_above,
    .key = mem_key,
    .mouse = mem_mouse,
    .bar = mem_bar,
    .needs = mem_needs,
    .time = mem_time,
    .open_row = mem_open_row,
    .rested = mem_rested,
};
