/* SPDX-License-Identifier: Apache-2.0 */
/* Data pipeline: what limits it above the table, queues over the run below (doc/screens.md#data). */
#include "config.h"

#include "base/lang/tr.h"
#include "ui/app/app_int.h"
#include "ui/pane/panes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/timeline/curves.h"
#include "ui/pane/data_flow.h"
#include "ui/pane/triage/dash.h"
#include "ui/widget/chart.h"

#define NAME_CELLS 22
#define CAPACITY_W 5  /* cells of the capacity after it */
#define NAME_WIDE  30 /* has room for the two ops that a connector joins */
#define LEAST_W    (NAME_CELLS + 20)
#define MAX_ROWS   5 /* more queues are in their own view */
#define FEW_ROWS   4
#define LOW        30 /* rows of a screen */
#define HIGH       40 /* rows of a screen with room for levels */
#define LINES_EACH 6
/* Title, panes, tabs, verdict, heads of table and queues, blank lines, status and keys. */
#define OTHER_LINES 11
#define VERDICT_B   4096
#define LABEL_W     9 /* "VERDICT " as in Triage */
#define LINES_MAX   3
#define FLOW_ROWS   4 /* of the drawing, at most a quarter of the body */
#define STAGES      64

struct data {
    struct curves c;
    size_t buckets;
    bool failed;
    struct buf verdict;
    struct pipeline_stage stage[STAGES];
    size_t n_stages;
    bool judged;
    double prep; /* it was judged with */
};

static int data_open(struct pane *p, struct err *e)
{
    struct data *d = p->own = calloc(1, sizeof *d);
    if (!d)
        return err_nomem(e);
    buf_init(&d->verdict, VERDICT_B);
    return OK;
}

static void data_detach(struct pane *p)
{
    struct data *d = p->own;

    curves_done(&d->c);
    d->buckets = 0;
    d->failed = false;
    d->judged = false;
    d->n_stages = 0;
    buf_clear(&d->verdict);
}

static void data_close(struct pane *p)
{
    struct data *d = p->own;

    if (!d)
        return;
    data_detach(p);
    buf_done(&d->verdict);
    free(d);
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

/* A low queue has its name in one line; of a high one the two ops stand below each other. */
static int name_cells(const struct pane *p, int w)
{
    return w >= 2 * NAME_WIDE && p->app->rows < HIGH ? NAME_WIDE : NAME_CELLS;
}

static void load_queues(struct pane *p, int w)
{
    if (w >= LEAST_W)
        data_load(p, (size_t)(w - name_cells(p, w) - 4));
}

/* Anew when Triage has read what it did not know before. */
static void judge(struct pane *p)
{
    struct data *d = p->own;
    struct err e = ERR_INIT;
    size_t n;
    const struct view_part *part = session_parts(app_session(p->app), false, &n);
    const struct dash *dash = pane_triage_dash(p->app->panes[PANE_TRIAGE]);
    const double prep = dash && n ? dash_prep(dash, part->rank) : (double)NAN;

    if (d->judged && (isnan(prep) ? isnan(d->prep) : prep >= d->prep && prep <= d->prep))
        return;
    buf_clear(&d->verdict);
    if (n && (pipeline_verdict(&d->verdict, part, prep, &e) ||
              pipeline_stages(d->stage, STAGES, &d->n_stages, part, &e)))
        app_say_err(p->app, &e);
    d->judged = true;
    d->prep = prep;
}

/* The view in front is the one that the pane opens on. */
static bool is_first(struct pane *p)
{
    for (size_t i = 0; i < p->view; i++)
        if (pane_view_has(p, i))
            return false;
    return true;
}

/* Lines that the table in front leaves beside so many queues; below 0: it needs more than the screen has. */
static int free_lines(const struct pane *p, int queues)
{
    const struct table *t = p->view < p->n_views ? p->views[p->view].t : NULL;
    const size_t rows = t ? table_rows(t) : 0;

    return rows > (size_t)p->app->rows ? -1 : p->app->rows - OTHER_LINES - queues - (int)rows;
}

/* On a low screen a table of other things than queues has the lines that it needs for its rows. */
static bool leaves_room(struct pane *p, int rows)
{
    static const char *const ids[] = { "data.pipeline", "data.queue", "data.sample" };

    if (p->app->rows >= LOW || p->view >= p->n_views || is_first(p))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(ids); i++)
        if (!strcmp(p->views[p->view].def->id, ids[i]))
            return true;
    return free_lines(p, rows) >= 0;
}

/* Queues that have lines below the table: on a low screen fewer, but where rows are free. */
static int shown_queues(struct pane *p)
{
    const struct data *d = p->own;
    const int all = (int)d->c.n_curves < MAX_ROWS ? (int)d->c.n_curves : MAX_ROWS;
    const bool few = d->n_stages && p->app->rows < LOW && (is_first(p) || free_lines(p, all) < 0);
    const int rows = few && all > FEW_ROWS ? FEW_ROWS : all;

    return leaves_room(p, rows) ? rows : 0;
}

/* What of the verdict has room: its first parts, whole; the first one is cut where it has not. */
static struct str first_parts(const struct data *d, struct rect a)
{
    const struct str all = buf_str(&d->verdict), mark = str_of(tr("; "));
    struct str s = all;

    for (size_t at = 0, n = 0; at < SIZE_MAX; n++) {
        at = str_find(all, mark, n ? at + mark.n : 0);
        const struct str part = at < SIZE_MAX ? str_sub(all, 0, at) : all;
        if (n && draw_wrap(NULL, (struct rect){ 0, 0, INT_MAX, a.w }, ROLE_TEXT, part) > a.h)
            break;
        s = part;
    }
    return s;
}

/* Lines of the verdict: of a low screen those that are free, but in the first view. */
static int verdict_lines(struct pane *p)
{
    if (is_first(p) || p->app->rows >= HIGH)
        return LINES_MAX;
    const int lines = 1 + free_lines(p, shown_queues(p));
    return lines < 1 ? 1 : lines < LINES_MAX ? lines : LINES_MAX;
}

/* What limits the pipeline, and its drawing: both in the first view; the others have only the verdict. */
static int data_above(struct pane *p, struct canvas *c, struct rect a)
{
    struct data *d = p->own;

    judge(p);
    if (!d->verdict.n || a.h < 10)
        return 0;
    if (!d->buckets) /* how many queues there are */
        load_queues(p, a.w);
    const struct rect text = { a.y, a.x + 1 + LABEL_W, verdict_lines(p), a.w > 30 ? a.w - LABEL_W - 2 : 20 };
    draw_puts(c, a.y, a.x + 1, LABEL_W, ROLE_BOLD, tr("VERDICT"));
    const int y = draw_wrap(c, text, ROLE_TEXT, first_parts(d, text));
    if (!is_first(p))
        return y + 1;
    int room = a.h / 4 < FLOW_ROWS ? a.h / 4 : FLOW_ROWS; /* the table and the queues have the rest */
    int flow = data_draw_flow(d->stage, d->n_stages, c, (struct rect){ a.y + y + 1, a.x + 1, room, a.w - 2 });
    return y + 1 + (flow ? flow + 1 : 0);
}

/* Lines of each of n queues: more of a high screen tell more levels apart. */
static int queue_lines(const struct pane *p, int n)
{
    int lines = p->app->rows < HIGH ? 1 : p->app->rows * 2 / 5 / n;
    return lines < 1 ? 1 : lines > LINES_EACH ? LINES_EACH : lines;
}

static void draw_name(struct canvas *c, struct rect a, const struct curve *k)
{
    const struct str name = str_of(k->between[0] ? k->between : k->name);
    const size_t at = str_find(name, STR(" > "), 0);
    const bool two = a.h > 1 && at != SIZE_MAX && text_width(name, canvas_flags(c)) > (size_t)a.w;
    if (two)
        draw_text(c, a.y + a.h - 2, a.x, a.w + CAPACITY_W, ROLE_TEXT, str_sub(name, 0, at + 2), CUT_END);
    draw_text(c, a.y + a.h - 1, a.x, a.w, ROLE_TEXT, two ? str_sub(name, at + 3, SIZE_MAX) : name, CUT_END);
}

static void draw_queue(struct canvas *c, struct rect a, int name_w, const struct curve *k, size_t n)
{
    const int y = a.y + a.h - 1;
    double max = k->capacity;

    if (isnan(max)) /* then the most it held */
        for (size_t i = 0; i < n; i++)
            max = fmax(max, k->v[i]); /* a number, where one of the two is none */
    draw_name(c, (struct rect){ a.y, a.x + 1, a.h, name_w - (isnan(k->capacity) ? 9 : 6) }, k);
    if (!isnan(k->capacity))
        draw_printf(c, y, a.x + name_w - 4, 4, ROLE_DIM, "%4.0f", k->capacity);
    else
        draw_printf(c, y, a.x + name_w - 7, 7, ROLE_DIM, tr("max %3.0f"), max);
    const struct rect plot = { a.y, a.x + name_w + 2, a.h, a.w - name_w - 2 };
    chart_heights(c, plot, k->v, n, max, ROLE_VECTOR);
}

static int data_below(struct pane *p, struct canvas *c, struct rect a)
{
    struct data *d = p->own;

    load_queues(p, a.w);
    const int rows = a.w < LEAST_W ? 0 : shown_queues(p);
    if (!rows)
        return 0;
    int lines = queue_lines(p, rows);
    if (c) {
        while (lines > 1 && 1 + rows * lines > a.h) /* lower, rather than without the last queues */
            lines--;
        int x = draw_puts(c, a.y, a.x, a.w, ROLE_DIM, tr(" Queues over the run     low: empty, high: full"));
        bool known = true;
        for (int i = 0; i < rows; i++)
            known &= !isnan(d->c.c[i].capacity);
        if (!known)
            draw_puts(c, a.y, a.x + x, a.w - x, ROLE_DIM, tr(", or the most it held (max)"));
        for (int i = 0; i < rows && 1 + (i + 1) * lines <= a.h; i++)
            draw_queue(c, (struct rect){ a.y + 1 + i * lines, a.x, lines, a.w }, name_cells(p, a.w),
                       &d->c.c[i], d->c.n);
    }
    return rows * lines + 1;
}

const struct pane_ops pane_data_ops = {
    .open = data_open,
    .close = data_close,
    .detach = data_detach,
    .above = data_above,
    .below = data_below,
};
