/* SPDX-License-Identifier: Apache-2.0 */
/* Communication: bandwidth between the ranks of each group below the table (doc/screens.md#communication). */
#include "config.h"

#include "base/lang/tr.h"
#include "ui/pane/panes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/links.h"
#include "model/views/empty.h"

#define CELL     7
#define LEFT     6 /* cells of the sending rank */
#define GAP      2 /* between two matrices */
#define MAX_ROWS 8

struct comm {
    struct link_set links;
    struct buf lacks; /* why there are steps alone; "" where there is more */
    bool loaded;
};

static int comm_open(struct pane *p, struct err *e)
{
    struct comm *k = p->own = calloc(1, sizeof *k);

    if (!k)
        return err_nomem(e);
    buf_init(&k->lacks, 4096);
    return OK;
}

static void comm_detach(struct pane *p)
{
    struct comm *k = p->own;

    k->loaded = false;
    link_set_done(&k->links);
}

static void comm_close(struct pane *p)
{
    struct comm *k = p->own;

    if (!k)
        return;
    comm_detach(p);
    buf_done(&k->lacks);
    free(k);
}

/* Only steps say something of communication. */
static bool has_steps_alone(struct pane *p)
{
    for (size_t i = 0; i < p->n_views; i++)
        if (pane_view_has(p, i) && strcmp(p->views[i].def->id, "comm.rank") != 0)
            return false;
    return true;
}

/* Links are of all ranks; what is said where there are none is of the selected one. */
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
    link_set_done(&k->links);
    if (link_set_make(&k->links, parts, n, session_scope(s), &e))
        app_say_err(p->app, &e);
    buf_clear(&k->lacks);
    if (k->links.n || !has_steps_alone(p))
        return;
    parts = session_parts(s, false, &n);
    if (n)
        empty_comm_ops(parts->store, parts->rank, &k->lacks);
}

/* ---- one group ---- */

/* The rank sends to another one. */
static bool is_sender(const struct link_matrix *m, size_t from)
{
    for (size_t i = 0; i < m->n; i++)
        if (!isnan(m->v[from][i]))
            return true;
    return false;
}

static int senders(const struct link_matrix *m)
{
    int n = 0;

    for (size_t i = 0; i < m->n; i++)
        n += is_sender(m, i);
    return n;
}

static int rows_of(const struct link_matrix *m)
{
    int n = senders(m);

    return n < MAX_ROWS ? n : MAX_ROWS;
}

/* "tp 506   mean HCCS 16.5": names of ops carry the last three digits of the group's. rows: those shown. */
static void add_title(const struct link_matrix *m, size_t cols, int rows, struct buf *b)
{
    size_t n = strlen(m->group);

    buf_puts(b, m->name[0] ? m->name : m->group[0] ? tr("group") : tr("all ranks"));
    if (n)
        buf_printf(b, " %s", m->group + (n > 3 ? n - 3 : 0));
    for (size_t k = 0; k < m->n_kinds; k++)
        buf_printf(b, "%s%s %.1f", k ? ", " : tr("   mean "), m->kind[k].name, m->kind[k].mean / 1e9);
    if (m->numbered)
        buf_puts(b, tr("   numbers in the group"));
    if (m->more || cols < m->n)
        buf_puts(b, tr("   not all ranks"));
    else if (rows < senders(m))
        buf_printf(b, tr("   %d of %d rows"), rows, senders(m));
}

static size_t cols_of(const struct link_matrix *m, int w)
{
    size_t room = w > LEFT + CELL ? (size_t)((w - LEFT) / CELL) : 1;

    return room < m->n ? room : m->n;
}

static int width_of(const struct link_matrix *m, int w)
{
    const size_t cols = cols_of(m, w);
    struct buf b;

    buf_init(&b, 4096);
    add_title(m, cols, rows_of(m), &b);
    int title = (int)text_width(buf_str(&b), 0) + 1, cells = LEFT + (int)cols * CELL;
    buf_done(&b);
    return (title > cells ? title : cells) < w ? (title > cells ? title : cells) : w;
}

static void draw_row(struct canvas *c, struct rect a, int y, const struct link_matrix *m, size_t from)
{
    const size_t cols = cols_of(m, a.w);

    draw_printf(c, y, a.x, LEFT, ROLE_TEXT, " %4d", m->rank[from]);
    for (size_t i = 0; i < cols; i++) {
        int x = a.x + LEFT + (int)i * CELL;
        double v = m->v[from][i];
        if (isnan(v)) {
            draw_puts(c, y, x + CELL - 2, 1, ROLE_DIM, "-");
            continue;
        }
        bool slow = link_is_slow(m, from, i);
        draw_printf(c, y, x, CELL, slow ? ROLE_WARN : ROLE_TEXT, "%*.1f%c", CELL - 1, v / 1e9,
                    slow ? '!' : ' ');
    }
}

/* In a, which has two rows at least. */
static void draw_matrix(struct canvas *c, struct rect a, const struct link_matrix *m, bool chosen)
{
    const size_t cols = cols_of(m, a.w);
    const int room = a.h - 2, rows = rows_of(m) < room ? rows_of(m) : room;
    int y = 2;
    struct buf b;

    buf_init(&b, 4096);
    add_title(m, cols, rows, &b);
    draw_text(c, a.y, a.x + 1, a.w - 1, chosen ? ROLE_BOLD : ROLE_DIM, buf_str(&b), CUT_END);
    buf_done(&b);
    for (size_t i = 0; i < cols; i++)
        draw_printf(c, a.y + 1, a.x + LEFT + (int)i * CELL, CELL, ROLE_DIM, "%*d", CELL - 1, m->rank[i]);
    for (size_t i = 0; i < m->n && y < rows + 2; i++)
        if (is_sender(m, i))
            draw_row(c, a, a.y + y++, m, i);
}

/* ---- all groups ---- */

/* What the figures mean, in full where there is room. */
static void draw_legend(struct canvas *c, struct rect a, size_t shown, size_t n)
{
    static const char *const words[] = {
        N_("Bandwidth GB/s, from (down) to (across)   ! 20% or more below the mean"),
        N_("GB/s from down to across   ! 20% below the mean"),
        N_("GB/s down to across   ! slow"),
    };
    struct buf b;

    buf_init(&b, 4096);
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        buf_clear(&b);
        buf_printf(&b, " %s", tr(words[i]));
        if (shown < n)
            buf_printf(&b, tr("   %zu of %zu groups"), shown, n);
        if ((int)text_width(buf_str(&b), canvas_flags(c)) <= a.w)
            break;
    }
    draw_text(c, a.y, a.x, a.w, ROLE_DIM, buf_str(&b), CUT_END);
    buf_done(&b);
}

/* The group of the cursor's row; SIZE_MAX: it has none. */
static size_t chosen_group(struct pane *p)
{
    const struct comm *k = p->own;
    struct table *t = pane_table(p);
    struct val v = t ? table_value(t, "group_name") : val_null();

    for (size_t i = 0; i < k->links.n && v.t == VAL_TEXT && v.s.n; i++)
        if (str_eq(v.s, str_of(k->links.m[i].group)))
            return i;
    return SIZE_MAX;
}

/*
 * Matrices side by side in lines, that of the cursor's group first, then those with the slowest links. Draws
 * unless c is NULL, as many as have room; their number to *shown. Returns the rows used.
 */
static int flow(struct pane *p, struct canvas *c, struct rect a, size_t *shown)
{
    const struct link_set *s = &((struct comm *)p->own)->links;
    const size_t first = chosen_group(p);
    int x = 0, y = 0, high = 0;

    *shown = 0;
    for (size_t k = 0; k < s->n; k++) {
        size_t at = first == SIZE_MAX ? k : k == 0 ? first : k <= first ? k - 1 : k;
        const struct link_matrix *m = &s->m[at];
        int w = width_of(m, a.w), h = rows_of(m) + 2;
        if (x && x + w > a.w) {
            y += high + 1;
            x = high = 0;
        }
        if (c && y + 3 > a.h)
            break;
        if (c)
            draw_matrix(c, (struct rect){ a.y + y, a.x + x, h < a.h - y ? h : a.h - y, w }, m, at == first);
        high = h > high ? h : high;
        x += w + GAP;
        ++*shown;
    }
    return y + high;
}

/* Why no op is listed, and where to look. */
static int say_what_lacks(const struct comm *k, struct canvas *c, struct rect a)
{
    struct str rest = buf_str(&k->lacks), line;
    int y = 0;

    while (str_next(&rest, '\n', &line) && (rest.p || line.n))
        y += draw_wrap(c, (struct rect){ a.y + y, a.x + 1, c ? a.h - y : INT_MAX, a.w > 20 ? a.w - 2 : 18 },
                       ROLE_TEXT, line);
    return y;
}

static int comm_below(struct pane *p, struct canvas *c, struct rect a)
{
    const struct comm *k = p->own;
    size_t shown;

    comm_load(p);
    if (!k->links.n)
        return say_what_lacks(k, c, a);
    const struct rect rest = { a.y + 1, a.x, a.h - 1, a.w };
    int rows = 1 + flow(p, c, rest, &shown);
    if (c)
        draw_legend(c, a, shown, k->links.n);
    return rows;
}

/*
 * "2880 rows, 56 links": a link has rows of several ops, steps and statistics, or one in each of its groups;
 * "56 links" where it has one row.
 */
static bool comm_count(struct pane *p, struct table *t, struct buf *out)
{
    const struct comm *k = p->own;
    const char *id = table_def(t)->id;
    const size_t n = table_rows(t);

    if ((strcmp(id, "comm.link") != 0 && strcmp(id, "comm.link_sum") != 0) ||
        n != view_total(table_view(t)) || table_is_counting(t))
        return false;
    comm_load(p);
    if (!k->links.n_links)
        return false;
    if (n != k->links.n_links) {
        buf_printf(out, "%zu ", n);
        buf_add(out, pane_unit(table_view(t), n));
        buf_puts(out, tr(", "));
    }
    buf_printf(out, k->links.n_links == 1 ? tr("%zu link") : tr("%zu links"), k->links.n_links);
    return true;
}

const struct pane_ops pane_comm_ops = {
    .open = comm_open,
    .close = comm_close,
    .detach = comm_detach,
    .below = comm_below,
    .count = comm_count,
};
