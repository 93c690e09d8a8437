/* SPDX-License-Identifier: Apache-2.0 */
/* The views of a pane as tabs in its context row: all that have data, the one in front in brackets. */
#include "config.h"

#include "base/lang/tr.h"
#include "ui/app/app_int.h"

#define GAP 2 /* cells between two tabs */

/* What is drawn below the tabs, such as the key bar, may ask for views, too. */
bool pane_ask_view(struct pane *p)
{
    p->app->dirty |= p->found_view;
    p->found_view = false;
    for (size_t i = 0; i < p->n_views; i++) {
        if (p->views[i].has >= 0 || p->views[i].asked)
            continue;
        p->views[i].asked = true;
        (void)pane_view_has(p, i);
        return true;
    }
    return false;
}

static size_t add_modes(const struct pane *p, size_t modes, size_t *order)
{
    size_t n = 0;

    for (size_t m = 0; m < modes; m++)
        if (pane_mode_has(p, m))
            order[n++] = p->n_views + m;
    return n;
}

size_t pane_order(struct pane *p, bool ask, size_t order[MAX_PANE_TABS])
{
    const bool inside = p->def->ops && p->def->ops->modes_inside;
    const size_t modes = pane_has_data(p) ? p->def->n_modes : 0;
    size_t n = 0;

    for (size_t i = 0; i < p->n_views; i++) {
        if (ask ? !pane_view_has(p, i) : p->views[i].has <= 0)
            continue;
        order[n++] = i;
        if (inside && n == 1)
            n += add_modes(p, modes, order + n);
    }
    if (!inside || !n)
        n += add_modes(p, modes, order + n);
    return n;
}

static struct str title_of(const struct pane *p, size_t view)
{
    return str_of(
        tr_view(view < p->n_views ? p->views[view].def->title : p->def->modes[view - p->n_views].title));
}

static int width_of(const struct pane *p, size_t view)
{
    return (int)text_width(title_of(p, view), 0) + (view == p->view ? 2 : 0);
}

/* Of those that do not all fit in w cells: [*from, *to) around the one in front. false: not even that one. */
static bool choose(const struct pane *p, const size_t *order, size_t n, int w, size_t *from, size_t *to)
{
    size_t at = 0;

    while (at < n && order[at] != p->view)
        at++;
    if (at == n)
        return false;
    int used = width_of(p, order[at]);
    if (used + (at ? 2 : 0) + (at + 1 < n ? 2 : 0) > w)
        return false;
    *from = at;
    *to = at + 1;
    for (bool more = true; more;) {
        more = false;
        if (*to < n && used + GAP + width_of(p, order[*to]) + (*to + 1 < n || *from ? 4 : 0) <= w) {
            used += GAP + width_of(p, order[(*to)++]);
            more = true;
        }
        if (*from && used + GAP + width_of(p, order[*from - 1]) + (*from > 1 || *to < n ? 4 : 0) <= w) {
            used += GAP + width_of(p, order[--*from]);
            more = true;
        }
    }
    return true;
}

static int draw_tab(struct pane *p, struct canvas *c, int y, int x, int w, size_t view)
{
    const bool front = view == p->view;
    int used = 0;

    if (front)
        used += draw_puts(c, y, x, w, ROLE_DIM, "[");
    used += draw_text(c, y, x + used, w - used, front ? ROLE_BOLD : ROLE_DIM, title_of(p, view), CUT_END);
    if (front)
        used += draw_puts(c, y, x + used, w - used, ROLE_DIM, "]");
    p->tabs[p->n_tabs].view = view;
    p->tabs[p->n_tabs].x0 = x;
    p->tabs[p->n_tabs++].x1 = x + used;
    return used;
}

int pane_draw_tabs(struct pane *p, struct canvas *c, struct rect a, int least)
{
    size_t order[MAX_PANE_TABS], from = 0, to = 0;
    if (!p->depth)
        (void)pane_has_other_view(p); /* the key bar will ask */
    p->found_view = false;
    const size_t n = pane_order(p, false, order);
    int x = 0, all = -GAP;

    p->n_tabs = 0;
    for (size_t i = 0; i < n; i++)
        all += width_of(p, order[i]) + GAP;
    if (all <= least && a.w < all)
        a.w = all;
    const bool alone = n == 1 && p->n_views == 1 && p->def->ops && p->def->ops->context; /* which says it */
    if (p->depth || !n || alone || !choose(p, order, n, a.w, &from, &to))
        return 0;
    if (from)
        x += draw_puts(c, a.y, a.x, a.w, ROLE_DIM, "< ");
    for (size_t i = from; i < to; i++)
        x += draw_tab(p, c, a.y, a.x + x, a.w - x, order[i]) + GAP;
    x -= GAP;
    if (to < n)
        x += draw_puts(c, a.y, a.x + x, a.w - x, ROLE_DIM, " >");
    return x;
}

bool pane_click_tab(struct pane *p, int x)
{
    for (size_t i = 0; i < p->n_tabs; i++)
        if (x >= p->tabs[i].x0 && x < p->tabs[i].x1)
            return pane_set_view(p, p->tabs[i].view);
    return false;
}
