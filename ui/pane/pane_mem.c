/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: the curve above the table (doc/screens.md#memory). */
#include "config.h"

#include "ui/pane/panes.h"

#include <math.h>
#include <stdlib.h>

#include "base/unit.h"
#include "model/timeline/curves.h"
#include "ui/widget/chart.h"

#define CHART_ROWS 8

struct mem {
    struct curves c;
    size_t buckets; /* of c; 0: not read */
    bool failed;
};

static int mem_open(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct mem));
    return p->own ? OK : err_nomem(e);
}

static void mem_detach(struct pane *p)
{
    struct mem *m = p->own;

    curves_done(&m->c);
    m->buckets = 0;
    m->failed = false;
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

static void mem_title(const struct mem *m, struct buf *out)
{
    char a[40], b[40];

    if (!isnan(m->c.capacity))
        buf_printf(out, "capacity %s   ", unit_size(a, sizeof a, m->c.capacity, SIZE_AUTO));
    if (!isnan(m->c.fixed))
        buf_printf(out, "static %s   ", unit_size(a, sizeof a, m->c.fixed, SIZE_AUTO));
    if (m->c.pool[0])
        buf_printf(out, "%s   ", m->c.pool);
    if (isnan(m->c.peak))
        return;
    buf_printf(out, "peak %s %s", unit_size(a, sizeof a, m->c.peak, SIZE_AUTO), m->c.c[0].name);
    if (!isnan(m->c.capacity) && m->c.capacity > 0)
        buf_printf(out, " (%s)", unit_percent(b, sizeof b, m->c.peak / m->c.capacity));
    if (m->c.by_node)
        buf_printf(out, " at node %.0f", m->c.peak_x);
    else if (m->c.by_entry)
        buf_printf(out, " at entry %.0f", m->c.peak_x);
    else
        buf_printf(out, " at %s", unit_time(b, sizeof b, m->c.peak_x, TIME_AUTO));
}

static int mem_above(struct pane *p, struct canvas *c, struct rect a)
{
    struct mem *m = p->own;
    struct chart_series s[CURVES_MAX];
    struct buf title;
    int rows = a.h >= 30 ? CHART_ROWS + 6 : CHART_ROWS;

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
                                                                 : -1 };
    const struct chart k = {
        .series = s,
        .n_series = m->c.n_curves,
        .n = m->c.n,
        .y_format = format_bytes,
        .x_first = m->c.x0,
        .x_last = m->c.x1,
        .x_time = !m->c.by_node && !m->c.by_entry,
        .x_title = m->c.by_node    ? "node"
                   : m->c.by_entry ? "entry"
                                   : NULL,
        .cursor = SIZE_MAX,
    };
    buf_init(&title, 400);
    buf_addc(&title, ' ');
    mem_title(m, &title);
    for (size_t i = 0; m->c.n_curves > 1 && i < m->c.n_curves; i++)
        buf_printf(&title, "   %s %s", i ? (app_ascii(p->app) ? "#" : "█") : (app_ascii(p->app) ? "*" : "─"),
                   m->c.c[i].name);
    draw_text(c, a.y, a.x, a.w, ROLE_DIM, buf_str(&title), CUT_END);
    buf_done(&title);
    int x0;
    chart_draw(c, area, &k, &x0);
    return rows + 1;
}

/* ---- the peak ---- */

static bool has_peak(struct pane *p)
{
    const struct mem *m = p->own;

    return m && m->c.n_curves && m->c.peak_known;
}

static const struct pane_need *mem_needs(const struct pane *p)
{
    static const struct pane_need list[] = {
        { ACT_PEAK, has_peak, "the peak has no time here" },
        { ACT_NONE, NULL, NULL },
    };
    (void)p;
    return list;
}

static bool mem_key(struct pane *p, enum action act)
{
    const struct mem *m = p->own;

    if (act != ACT_PEAK || !has_peak(p))
        return false;
    app_show_time(p->app, m->c.peak_ns, 0);
    return true;
}

const struct pane_ops pane_mem_ops = {
    .open = mem_open,
    .close = mem_close,
    .detach = mem_detach,
    .above = mem_above,
    .key = mem_key,
    .needs = mem_needs,
};
