/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The room that a short table leaves on a wide screen: the other views of the pane in the order of `v`, or
 * those of the panes that it names (doc/screens.md#room).
 */
#include "config.h"

#include <stdio.h>

#include "base/lang/tr.h"
#include "ui/app/app_int.h"
#include "ui/pane/panes.h"

#define LEAST_H    5 /* an empty line, the title, head and rows */
#define HALF_H     10
#define BLOCK_GAP  4 /* cells beside the columns of one */
#define BLOCKS_MAX 3
#define MODE_H     12                  /* a picture of the pane's own */
#define LARGE_B    ((uint64_t)1 << 30) /* of a unit's files */
#define PATIENT_MS 200                 /* longer reading is not done for what nobody asked for */

struct other { /* a view that may be drawn */
    struct pane *p;
    size_t view;
    size_t lines;  /* that all of it takes; 0: it has nothing to draw */
    int area, h;   /* where it is drawn; 0 lines: nowhere */
    size_t hidden; /* rows of it that are not shown there */
    size_t drawn;  /* rows of it that are drawn at all, there and where it goes on */
    struct rect in;
};

struct grid { /* n blocks of h rows each side by side */
    size_t n, h;
};

struct span { /* rows */
    size_t first, n;
};

#define OTHERS_MAX (MAX_PANE_TABS > N_PANES ? MAX_PANE_TABS : N_PANES)

/* ---- what there is ---- */

/* A picture has a meaning from some rows on. */
static size_t lines_of_mode(const struct pane *p, const struct pane_mode *m)
{
    const struct table *t = pane_table(p);
    size_t rows = t ? table_rows(t) : SIZE_MAX;

    return m->below && rows >= m->below ? 3 * MODE_H : 0;
}

/* Rows as they are recorded may be many millions; sums of them are few. */
static bool is_too_large(struct pane *p, const struct view_def *d)
{
    struct session *s = app_session(p->app);

    return !d->group && session_n_ranks(s) &&
           session_job(s)->units[session_rank(s, session_current(s))->unit]->bytes > LARGE_B;
}

/* Lines of a view; one that is not open yet is asked for. */
static size_t lines_of(struct pane *p, const struct other *o)
{
    if (o->view >= o->p->n_views)
        return lines_of_mode(p, &o->p->def->modes[o->view - o->p->n_views]);
    struct table *t = o->p->views[o->view].t;
    if (o->p->attached && t && table_view(t))
        return table_rows(t) ? table_rows(t) + 3 : 0;
    if (!p->room.wanted && p->room.took_ms <= PATIENT_MS && !is_too_large(p, o->p->views[o->view].def)) {
        p->room.wanted = o->p;
        p->room.view = o->view;
        app_wait_rest(p->app, p->room.took_ms);
    }
    return 0;
}

/*
 * The first view of another pane: the one in front of it, where the reader has been there. A pane over all
 * ranks is not opened here: its table would change under its cursor while ranks are still being read.
 */
static bool first_of(struct pane *q, size_t *view)
{
    *view = q->opened && q->view < q->n_views ? q->view : 0;
    return q->n_views && (q->opened || !q->def->all_ranks) &&
           !(q->attached && (q->err.code || !pane_view_has(q, *view)));
}

static size_t list_others(struct pane *p, struct other others[OTHERS_MAX])
{
    size_t order[MAX_PANE_TABS], n = 0, views = p->depth ? 0 : pane_order(p, false, order);

    for (size_t i = 0; i < views; i++)
        if (order[i] != p->view)
            others[n++] = (struct other){ .p = p, .view = order[i] };
    for (size_t i = 0; i < p->def->n_also && !p->depth && n < OTHERS_MAX; i++) {
        struct pane *q = p->app->panes[p->def->also[i]];
        size_t view;
        if (first_of(q, &view))
            others[n++] = (struct other){ .p = q, .view = view };
    }
    for (size_t i = 0; i < n; i++)
        others[i].lines = lines_of(p, &others[i]);
    return n;
}

/* ---- drawing ---- */

/* " of rank 0" where the job has others: the table that it stands below may be of all. */
static const char *of_rank(const struct pane *o, char *buf, size_t n)
{
    const struct session *s = app_session(o->app);

    buf[0] = '\0';
    if (!o->def->all_ranks && session_n_beside(s) > 1)
        snprintf(buf, n, tr(" of rank %d"), session_rank(s, session_current(s))->rank);
    return buf;
}

/* "   per step": two tables of a screen may be of different ones. */
static void draw_base(struct pane *p, struct table *t, struct canvas *c, struct rect a)
{
    struct buf b;

    buf_init(&b, 256);
    if (p->def->ops && p->def->ops->base)
        p->def->ops->base(p, t, &b);
    if (b.n)
        draw_printf(c, a.y, a.x, a.w, ROLE_DIM, "   %.*s", (int)b.n, b.p);
    buf_done(&b);
}

/*
 * "stream   2 streams by Time   whole run", or "8 of 23 types", where it goes on "9-16 of 23 types"; of
 * another pane with its name.
 */
static void draw_title(const struct pane *p, const struct other *o, struct canvas *c, struct rect a,
                       struct span rows)
{
    struct table *t = o->p->views[o->view].t;
    const struct str unit = pane_unit(table_view(t), table_rows(t));
    char rank[30];
    bool desc;
    int sorted = view_sorted_by(table_view(t), &desc), x = 0;

    if (o->p != p)
        x += draw_printf(c, a.y, a.x, a.w, ROLE_BOLD, "%s%s%s", tr_pane(o->p->def->title),
                         of_rank(o->p, rank, sizeof rank), tr(": "));
    x += draw_puts(c, a.y, a.x + x, a.w - x, ROLE_BOLD, tr_view(table_def(t)->title)) + 3;
    if (rows.first)
        x += draw_printf(c, a.y, a.x + x, a.w - x, ROLE_DIM, tr("%zu-%zu of "), rows.first + 1,
                         rows.first + rows.n);
    else if (rows.n < table_rows(t))
        x += draw_printf(c, a.y, a.x + x, a.w - x, ROLE_DIM, tr("%zu of "), rows.n);
    x += draw_printf(c, a.y, a.x + x, a.w - x, ROLE_DIM, "%zu %.*s", table_rows(t), (int)unit.n, unit.p);
    if (sorted >= 0 && !table_column_is_blank(t, (size_t)sorted))
        x += draw_printf(c, a.y, a.x + x, a.w - x, ROLE_DIM, tr(" by %s"), table_title(t, (size_t)sorted));
    draw_base(o->p, t, c, (struct rect){ a.y, a.x + x, 1, a.w - x });
}

/* How many blocks of rows have room side by side. */
static size_t blocks_of(struct table *t, const struct canvas *c, struct rect a)
{
    table_fit(t, c, a);
    int n = a.w / (table_width_wanted(t) * 3 / 4 + BLOCK_GAP); /* names may be cut */
    return n < 1 ? 1 : n > BLOCKS_MAX ? BLOCKS_MAX : (size_t)n;
}

/* Of the rows from `first` on, below an empty line; a narrow table goes on beside its first rows. */
static struct grid grid_of(const struct other *o, const struct canvas *c, struct rect a, size_t first)
{
    struct table *t = o->p->views[o->view].t;
    const size_t room = (size_t)(a.h - 3), rows = table_rows(t) - first;
    const size_t h = rows < room ? rows : room, need = (rows + h - 1) / h;
    const size_t most = rows > room ? blocks_of(t, c, a) : 1;

    return (struct grid){ most < need ? most : need, h };
}

/* The rows from `first` on that have room there. */
static size_t rows_in(const struct other *o, const struct canvas *c, struct rect a, size_t first)
{
    const size_t rows = table_rows(o->p->views[o->view].t) - first;
    const struct grid g = grid_of(o, c, a, first);

    return rows < g.n * g.h ? rows : g.n * g.h;
}

/* All that is drawn of a table has the same units. */
static void draw_view(const struct pane *p, const struct other *o, struct canvas *c, struct rect a,
                      size_t first)
{
    struct table *t = o->p->views[o->view].t;
    const struct grid g = grid_of(o, c, a, first);
    const struct span shown = { first, rows_in(o, c, a, first) };
    const int w = a.w / (int)g.n;

    draw_title(p, o, c, (struct rect){ a.y + 1, a.x + 1, 1, a.w - 1 }, shown);
    for (size_t i = 0; i < g.n && i * g.h < shown.n; i++)
        table_draw_from(t, c, (struct rect){ a.y + 2, a.x + (int)i * w, (int)g.h + 1, w }, first + i * g.h,
                        o->drawn);
}

static void draw_mode(const struct other *o, struct canvas *c, struct rect a)
{
    const struct pane_mode *m = &o->p->def->modes[o->view - o->p->n_views];

    draw_puts(c, a.y + 1, a.x + 1, a.w - 1, ROLE_BOLD, tr_view(m->title));
    (void)m->draw(o->p, c, (struct rect){ a.y + 2, a.x, a.h - 2, a.w });
}

/* ---- where ---- */

/* At least half of the area; more as far as those after it, and the other area, leave it. */
static int height_of(size_t lines, int area, size_t after, int elsewhere)
{
    size_t h = (size_t)area, there = elsewhere > 0 ? (size_t)elsewhere : 0;
    size_t keep = after > there ? after - there : 0;

    keep = h < 2 * HALF_H ? 0 : keep < h / 2 ? keep : h / 2;
    return (int)(lines < h - keep ? lines : h - keep);
}

/* Each into the area with more room left; what is left at last goes to those that would have more to show. */
static void plan(struct other *others, size_t n, const struct rect areas[2])
{
    int left[2] = { areas[0].h, areas[1].h };
    size_t after = 0;

    for (size_t i = 0; i < n; i++)
        after += others[i].lines;
    for (size_t i = 0; i < n; i++) {
        struct other *o = &others[i];
        const size_t least = o->view < o->p->n_views ? LEAST_H : MODE_H;
        after -= o->lines;
        o->area = left[1] > left[0];
        if (left[o->area] < LEAST_H)
            continue;
        o->h = height_of(o->lines, left[o->area], after, left[!o->area]);
        if ((size_t)o->h < least && (size_t)o->h < o->lines)
            o->h = 0;
        left[o->area] -= o->h;
    }
    for (size_t i = 0; i < n; i++) {
        struct other *o = &others[i];
        const bool is_view = o->view < o->p->n_views; /* a picture has no end */
        int more = is_view && (int)o->lines - o->h < left[o->area] ? (int)o->lines - o->h : left[o->area];
        if (!o->h || more <= 0)
            continue;
        o->h += more;
        left[o->area] -= more;
    }
}

/* The first view that was cut goes on in the rest of the other area; NULL: none does. */
static struct other *that_goes_on(struct other *o, size_t n, struct rect rest)
{
    while (n && (!o->h || !o->hidden || o->view >= o->p->n_views)) {
        o++;
        n--;
    }
    return n && rest.h >= LEAST_H ? o : NULL;
}

/* Where each is drawn; what they leave is left. */
static void place(struct pane *p, struct other *others, size_t n, const struct canvas *c, struct rect left[2])
{
    for (size_t i = 0; i < n; i++) {
        struct other *o = &others[i];
        struct rect *a = &left[o->area];
        const bool is_view = o->view < o->p->n_views;
        o->in = (struct rect){ a->y, a->x, o->h, a->w };
        o->drawn = o->h && is_view ? rows_in(o, c, o->in, 0) : 0;
        o->hidden = !o->lines || (o->h && !is_view) || o->drawn + 3 >= o->lines ? 0 : o->lines - 3 - o->drawn;
        p->room.hidden += o->hidden;
        a->y += o->h;
        a->h -= o->h;
    }
}

void pane_draw_room(struct pane *p, struct canvas *c, const struct rect areas[2])
{
    struct other others[OTHERS_MAX];
    struct rect left[2] = { areas[0], areas[1] };

    p->room.wanted = NULL;
    if (areas[0].h < LEAST_H && areas[1].h < LEAST_H)
        return;
    size_t n = list_others(p, others);
    plan(others, n, areas);
    place(p, others, n, c, left);
    const struct rect rest = left[0].h > left[1].h ? left[0] : left[1];
    struct other *next = that_goes_on(others, n, rest);
    const size_t first = next ? next->drawn : 0;
    if (next) {
        const size_t more = rows_in(next, c, rest, first);
        next->drawn += more;
        p->room.hidden -= more;
    }
    for (size_t i = 0; i < n; i++)
        if (others[i].h && others[i].view < others[i].p->n_views)
            draw_view(p, &others[i], c, others[i].in, 0);
        else if (others[i].h)
            draw_mode(&others[i], c, others[i].in);
    if (next)
        draw_view(p, next, c, rest, first);
}

bool pane_room_read(struct pane *p)
{
    struct err e = ERR_INIT;
    struct pane *q = p->room.wanted;
    int64_t began = app_now_ms();

    if (!q)
        return false;
    p->room.wanted = NULL;
    pane_show(q);
    if (q->err.code) {
        p->room.took_ms = INT64_MAX; /* not again and again; the pane says why when it is in front */
        return false;
    }
    if (pane_view_has(q, p->room.view) && pane_need_table(q, p->room.view, &e)) {
        app_say_err(p->app, &e);
        p->room.took_ms = INT64_MAX;
    } else {
        p->room.took_ms = app_now_ms() - began;
    }
    return true;
}
