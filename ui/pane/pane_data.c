/* SPDX-License-Identifier: Apache-2.0 */
/* Data pipeline: queues over the run below the table (doc/screens.md#data). */
#include "config.h"

#include "ui/pane/panes.h"

#include <math.h>
#include <stdlib.h>

#include "model/timeline/curves.h"
#include "ui/widget/chart.h"

#define NAME_CELLS 22
#define MAX_ROWS   5 /* more queues are in their own view */

struct data {
    struct curves c;
    size_t buckets;
    bool failed;
};

static int data_open(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct data));
    return p->own ? OK : err_nomem(e);
}

static void data_detach(struct pane *p)
{
    struct data *d = p->own;

    curves_done(&d->c);
    d->buckets = 0;
    d->failed = false;
}

static void data_close(struct pane *p)
{
    data_detach(p);
    free(p->own);
}

static void data_load(struct pane *p, size_t buckets)
{
    struct data *d = p->own;
    struct err e = ERR_INIT;
    size_t n;
    const struct view_part *part = session_parts(app_session(p->app), false, &n);

    if (d->buckets == buckets || d->failed || !n)
        return;
    curves_done(&d->c);
    d->buckets = buckets;
    if (curves_queues(&d->c, part, buckets, &e)) {
        app_say_err(p->app, &e);
        d->failed = true;
    }
}

static void draw_queue(struct canvas *c, struct rect a, int y, const struct curve *k, size_t n)
{
    double max = k->capacity;

    for (size_t i = 0; isnan(max) && i < n; i++)
        if (!isnan(k->v[i]))
            max = fmax(isnan(max) ? 0 : max, k->v[i]);
    draw_text(c, y, a.x + 1, NAME_CELLS - 6, ROLE_TEXT, str_of(k->name), CUT_END);
    if (!isnan(k->capacity))
        draw_printf(c, y, a.x + NAME_CELLS - 4, 4, ROLE_DIM, "%4.0f", k->capacity);
    chart_sparkline(c, y, a.x + NAME_CELLS + 2, k->v, n, max, ROLE_VECTOR);
}

static int data_below(struct pane *p, struct canvas *c, struct rect a)
{
    struct data *d = p->own;

    if (a.w < NAME_CELLS + 20)
        return 0;
    data_load(p, (size_t)(a.w - NAME_CELLS - 4));
    int rows = (int)d->c.n_curves;
    if (!rows)
        return 0;
    if (rows > MAX_ROWS)
        rows = MAX_ROWS;
    if (c) {
        draw_puts(c, a.y, a.x, a.w, ROLE_DIM, " Queues over the run     low: empty, high: full");
        for (int i = 0; i < rows; i++)
            draw_queue(c, a, a.y + 1 + i, &d->c.c[i], d->c.n);
    }
    return rows + 1;
}

const struct pane_ops pane_data_ops = {
    .open = data_open,
    .close = data_close,
    .detach = data_detach,
    .below = data_below,
};
