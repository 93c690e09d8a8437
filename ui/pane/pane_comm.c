/* SPDX-License-Identifier: Apache-2.0 */
/* Communication: bandwidth between ranks below the table (doc/screens.md#communication). */
#include "config.h"

#include "ui/pane/panes.h"

#include <math.h>
#include <stdlib.h>

#include "model/timeline/curves.h"

#define SLOW     0.8 /* share of the mean: a link below it is marked */
#define CELL     7
#define MAX_ROWS 8

struct comm {
    struct matrix m;
    bool loaded;
};

static int comm_open(struct pane *p, struct err *e)
{
    p->own = calloc(1, sizeof(struct comm));
    return p->own ? OK : err_nomem(e);
}

static void comm_close(struct pane *p)
{
    free(p->own);
}

static void comm_detach(struct pane *p)
{
    ((struct comm *)p->own)->loaded = false;
}

static void comm_load(struct pane *p)
{
    struct comm *k = p->own;
    struct err e = ERR_INIT;
    size_t n;
    struct session *s = app_session(p->app);
    const struct view_part *parts = session_parts(s, true, &n);

    if (k->loaded || !n)
        return;
    k->loaded = true;
    if (matrix_links(&k->m, parts, n, session_scope(s), &e)) {
        app_say_err(p->app, &e);
        k->m.n = 0;
    }
}

static void draw_row(struct canvas *c, struct rect a, int y, const struct matrix *m, size_t from, size_t cols)
{
    draw_printf(c, y, a.x, 6, ROLE_TEXT, " %4d", m->rank[from]);
    for (size_t i = 0; i < cols; i++) {
        int x = a.x + 6 + (int)i * CELL;
        double v = m->v[from][i];
        if (isnan(v)) {
            draw_puts(c, y, x + CELL - 2, 1, ROLE_DIM, "-");
            continue;
        }
        bool slow = v < SLOW * m->mean;
        draw_printf(c, y, x, CELL, slow ? ROLE_WARN : ROLE_TEXT, "%*.1f%c", CELL - 1, v / 1e9,
                    slow ? '!' : ' ');
    }
}

/* What the figures mean, in full where there is room; says when ranks are left out. */
static void draw_head(struct canvas *c, struct rect a, const struct matrix *m, size_t cols, bool some)
{
    static const char *const words[][2] = {
        { "Bandwidth GB/s, from (down) to (across)", "! 20% or more below the mean" },
        { "GB/s from down to across", "! 20% below" },
    };
    struct buf b;
    buf_init(&b, 4096);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        buf_clear(&b);
        buf_printf(&b, " %s   %s   mean %.1f   %s%s", words[i][0], m->transport, m->mean / 1e9, words[i][1],
                   some ? "   not all ranks" : "");
        if ((int)text_width(buf_str(&b), canvas_flags(c)) <= a.w)
            break;
    }
    draw_text(c, a.y, a.x, a.w, ROLE_DIM, buf_str(&b), CUT_END);
    buf_done(&b);
    for (size_t i = 0; i < cols; i++)
        draw_printf(c, a.y + 1, a.x + 6 + (int)i * CELL, CELL, ROLE_DIM, "%*d", CELL - 1, m->rank[i]);
}

/* The rank sends to another one. */
static bool is_sender(const struct matrix *m, size_t from)
{
    for (size_t i = 0; i < m->n; i++)
        if (!isnan(m->v[from][i]))
            return true;
    return false;
}

static int comm_below(struct pane *p, struct canvas *c, struct rect a)
{
    struct comm *k = p->own;

    comm_load(p);
    const struct matrix *m = &k->m;
    if (m->n < 2)
        return 0;
    size_t rows = 0, cols = (size_t)(a.w > 6 + CELL ? (a.w - 6) / CELL : 1);
    bool more = m->more || cols < m->n;
    if (cols > m->n)
        cols = m->n;
    for (size_t i = 0; i < m->n; i++) {
        if (!is_sender(m, i))
            continue;
        if (rows == MAX_ROWS || (c && (int)rows + 2 >= a.h)) {
            more = true;
            break;
        }
        if (c)
            draw_row(c, a, a.y + 2 + (int)rows, m, i, cols);
        rows++;
    }
    if (!rows)
        return 0;
    if (c)
        draw_head(c, a, m, cols, more);
    return (int)rows + 2;
}

const struct pane_ops pane_comm_ops = {
    .open = comm_open,
    .close = comm_close,
    .detach = comm_detach,
    .below = comm_below,
};
