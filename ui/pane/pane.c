/* SPDX-License-Identifier: Apache-2.0 */
/* What all panes share. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lang/tr.h"
#include "model/views/empty.h"
#include "ui/app/app_int.h"
#include "ui/pane/panes.h"

#define NAME_B ((size_t)1 << 16)

/* ---- life ---- */

static void find_views(struct pane *p)
{
    struct str prefix = str_of(p->def->prefix ? p->def->prefix : "?");
    for (size_t i = 0; i < view_n_defs && p->n_views < MAX_PANE_VIEWS; i++)
        if (str_starts(str_of(view_defs[i]->id), prefix))
            p->views[p->n_views++].def = view_defs[i];
}

static void forget_data(struct pane *p)
{
    pane_beside_forget(p);
    pane_shape_forget(p);
    p->room.wanted = NULL;
    p->room.took_ms = 0;
    for (size_t i = 0; i < p->n_views; i++) {
        p->views[i].has = -1;
        p->views[i].asked = false;
    }
    facts_done(&p->summary);
    p->summary_of = NULL;
}

int pane_new(struct pane **out, const struct pane_def *d, struct app *a, struct err *e)
{
    struct pane *p = *out = calloc(1, sizeof *p);
    if (!p)
        return err_nomem(e);
    p->def = d;
    p->app = a;
    err_clear(&p->err);
    buf_init(&p->kept, PANE_KEPT_B);
    find_views(p);
    forget_data(p);
    return OK;
}

static void drop_level(struct pane *p)
{
    struct level *l = &p->stack[--p->depth];
    if (!l->is_card)
        table_free(l->t);
    free(l->crumb);
}

static void drop_levels(struct pane *p)
{
    while (p->depth)
        drop_level(p);
}

void pane_detach(struct pane *p)
{
    if (!p->attached)
        return;
    if (p->def->ops && p->def->ops->detach)
        p->def->ops->detach(p);
    for (size_t i = 0; i < p->n_views; i++)
        if (p->views[i].t)
            table_detach(p->views[i].t);
    for (size_t i = 0; i < p->depth; i++)
        if (!p->stack[i].is_card)
            table_detach(p->stack[i].t);
    p->attached = false;
    forget_data(p);
}

static void reset(struct pane *p)
{
    pane_detach(p);
    drop_levels(p);
    for (size_t i = 0; i < p->n_views; i++) {
        table_free(p->views[i].t);
        p->views[i].t = NULL;
    }
}

void pane_free(struct pane *p)
{
    if (!p)
        return;
    reset(p);
    if (p->opened && p->def->ops && p->def->ops->close)
        p->def->ops->close(p);
    pane_shape_forget(p);
    facts_done(&p->summary);
    buf_done(&p->kept);
    free(p);
}

/* ---- tables ---- */

static const struct view_part *parts_of(const struct pane *p, const struct view_def *d, size_t *n)
{
    if (d->over == VIEW_OVER_LOGS)
        (void)app_logs_rows(p->app, NULL);
    return session_parts_for(app_session(p->app), d, p->def->all_ranks, n);
}

static int attach_table(struct pane *p, struct table *t, struct err *e)
{
    size_t n;
    const struct view_part *parts = parts_of(p, table_def(t), &n);
    return n ? table_attach(t, parts, n, session_scope(app_session(p->app)), e) : OK;
}

static void options_for(struct pane *p, const struct view_def *d, struct table_opts *o)
{
    *o = (struct table_opts){ .slow = app_slow(p->app), .arg = p };
    if (p->def->ops && p->def->ops->bar_cells)
        p->def->ops->bar_cells(p, d, o);
}

static int make_table(struct pane *p, size_t i, struct err *e)
{
    struct table_opts o;
    options_for(p, p->views[i].def, &o);
    if (p->views[i].t || table_new(&p->views[i].t, p->views[i].def, &o, e))
        return e->code;
    table_set_units(p->views[i].t, app_units(p->app));
    return OK;
}

struct table *pane_base_table(struct pane *p, size_t i)
{
    struct err ignored = ERR_INIT;
    return make_table(p, i, &ignored) ? NULL : p->views[i].t;
}

/* The base table of view i, opened when first needed. */
int pane_need_table(struct pane *p, size_t i, struct err *e)
{
    if (i >= p->n_views)
        return OK;
    if (make_table(p, i, e))
        return e->code;
    return table_view(p->views[i].t) ? OK : attach_table(p, p->views[i].t, e);
}

int pane_renew_moment(struct pane *p, struct err *e)
{
    for (size_t i = 0; i < p->n_views; i++) {
        struct table *t = p->views[i].t;
        if (!t || !table_view(t) || !view_def_reads(p->views[i].def, ":moment"))
            continue;
        size_t row = table_cursor(t);
        table_detach(t);
        if (i == p->view && attach_table(p, t, e))
            return e->code;
        table_goto(t, row);
    }
    return OK;
}

bool pane_view_has(struct pane *p, size_t i)
{
    struct err e = ERR_INIT;
    size_t n;
    if (p->views[i].has < 0) {
        const struct view_part *parts = parts_of(p, p->views[i].def, &n);
        p->views[i].has = /* stays unknown when the statement was stopped */
            view_has_data(p->views[i].def, parts, n, session_scope(app_session(p->app)), &e);
        p->found_view |= p->views[i].has > 0;
    }
    return p->views[i].has > 0;
}

bool pane_has_data(const struct pane *p)
{
    if (p->def->ops && p->def->ops->has_data)
        return p->def->ops->has_data((struct pane *)p);
    for (size_t i = 0; i < p->n_views; i++)
        if (pane_view_has((struct pane *)p, i))
            return true;
    return false;
}

bool pane_mode_has(const struct pane *p, size_t m)
{
    return !p->def->modes[m].has || p->def->modes[m].has(p);
}

bool pane_is_empty(const struct pane *p)
{
    return !p->depth && p->def->empty && !pane_has_data(p);
}

bool pane_takes(const struct pane *p, uint32_t code)
{
    return p->def->ops && p->def->ops->takes && p->def->ops->takes(p, code);
}

bool pane_has_other_view(struct pane *p)
{
    size_t n = 0;
    for (size_t m = 0; m < p->def->n_modes && pane_has_data(p); m++)
        n += pane_mode_has(p, m);
    for (size_t i = 0; i < p->n_views && n < 2; i++)
        n += pane_view_has(p, i);
    return n > 1;
}

/* Choose the first view with data when the one in front has none. */
static void choose_view(struct pane *p)
{
    if (p->view < p->n_views && pane_view_has(p, p->view))
        return;
    for (size_t i = 0; i < p->n_views; i++)
        if (pane_view_has(p, i)) {
            p->view = i;
            return;
        }
}

static int attach_all(struct pane *p, struct err *e)
{
    size_t n;
    (void)session_parts(app_session(p->app), p->def->all_ranks, &n);
    if (n || session_overview(app_session(p->app)) ||
        (p->n_views && p->views[0].def->over == VIEW_OVER_LOGS)) {
        if (p->view < p->n_views || !p->def->n_modes)
            choose_view(p);
        if (p->view < p->n_views && pane_need_table(p, p->view, e))
            return e->code;
        for (size_t i = 0; i < p->depth; i++)
            if (!p->stack[i].is_card && attach_table(p, p->stack[i].t, e))
                return e->code;
    }
    if (p->def->ops && p->def->ops->attach && p->def->ops->attach(p, e))
        return e->code;
    return OK;
}

void pane_show(struct pane *p)
{
    if (!p->opened) {
        p->opened = true;
        err_clear(&p->err);
        if (p->def->ops && p->def->ops->open && p->def->ops->open(p, &p->err))
            return;
        pane_take_kept(p);
    }
    if (p->attached)
        return;
    err_clear(&p->err);
    p->attached = true;
    if (attach_all(p, &p->err) && p->err.code == OK)
        err_set(&p->err, ERR_BUG, "the pane could not be opened");
}

struct table *pane_table(const struct pane *p)
{
    if (p->depth)
        return p->stack[p->depth - 1].is_card ? NULL : p->stack[p->depth - 1].t;
    if (p->def->ops && p->def->ops->table)
        return p->def->ops->table(p);
    if (p->view < p->n_views && p->views[p->view].t && table_view(p->views[p->view].t))
        return p->views[p->view].t;
    return NULL;
}

/* The operations of the pane when what is in front has filters and is no table, else NULL. */
static const struct pane_ops *own_filters(struct pane *p)
{
    const struct pane_ops *o = p->def->ops;
    return !pane_table(p) && o && o->filters && o->filters(p) ? o : NULL;
}

struct table *pane_filters(struct pane *p)
{
    const struct pane_ops *o = own_filters(p);
    return o ? o->filters(p) : pane_table(p);
}

bool pane_export(struct pane *p, struct str path, bool replace)
{
    const struct pane_ops *o = p->def->ops;
    return o && o->export && o->export(p, path, replace);
}

int pane_filter_live(struct pane *p, struct str line, struct err *e)
{
    const struct pane_ops *o = own_filters(p);
    struct table *t = pane_table(p);
    return o ? o->filter_live(p, line, e) : t ? table_filter_live(t, line, e) : OK;
}

/* "4 of 23   Time 6.01 ms   20.9% of AI Core", the sum only where all of it has room. */
static void count_rows(const struct pane *p, struct table *t, char *buf, size_t n)
{
    struct buf sum;

    buf_init(&sum, 200);
    pane_filtered_sum(p, t, true, &sum);
    size_t used = (size_t)snprintf(buf, n, tr("%s%zu of %zu"), table_is_counting(t) ? ">= " : "",
                                   table_rows(t), view_total(table_view(t)));
    if (used + sum.n < n)
        str_copy(buf_str(&sum), buf + used, n - used);
    buf_done(&sum);
}

void pane_filter_count(struct pane *p, char *buf, size_t n)
{
    const struct pane_ops *o = own_filters(p);
    struct table *t = pane_table(p);
    buf[0] = '\0';
    if (o)
        o->filter_count(p, buf, n);
    else if (t && table_view(t))
        count_rows(p, t, buf, n);
}

/* The table that acts are about; with a card in front, the table it was opened from. */
struct table *pane_row_table(const struct pane *p)
{
    if (p->depth && p->stack[p->depth - 1].is_card)
        return p->stack[p->depth - 1].t;
    return pane_table(p);
}

const char *pane_view_title(const struct pane *p)
{
    if (p->depth)
        return tr_view(table_def(p->stack[p->depth - 1].t)->title);
    if (p->view < p->n_views)
        return tr_view(p->views[p->view].def->title);
    const size_t mode = p->view - p->n_views;
    return p->def->n_modes > mode ? tr_view(p->def->modes[mode].title) : "";
}

bool pane_set_view(struct pane *p, size_t i)
{
    struct err e = ERR_INIT;
    if (i >= p->n_views + p->def->n_modes)
        return false;
    drop_levels(p);
    p->view = i;
    p->summary_of = NULL;
    if (pane_need_table(p, i, &e))
        app_say_err(p->app, &e);
    return true;
}

/* `v`: the next view that has data. */
static bool cycle_view(struct pane *p, int dir)
{
    size_t order[MAX_PANE_TABS], n = pane_order(p, true, order), at = 0;
    while (at < n && order[at] != p->view)
        at++;
    if (n < 2 && !p->depth) {
        app_say(p->app, ROLE_TEXT, "this pane has one view only");
        return true;
    }
    return n && pane_set_view(p, order[(at + n + (size_t)dir) % n]);
}

/* The view whose tab is the nth, from 0 on. */
static bool nth_view(struct pane *p, size_t nth)
{
    size_t order[MAX_PANE_TABS];
    return nth < pane_order(p, true, order) && pane_set_view(p, order[nth]);
}

/* ---- levels ---- */

static struct level *push_level(struct pane *p, const char *crumb)
{
    if (p->depth == MAX_DEPTH) {
        app_say(p->app, ROLE_WARN, "deeper levels are not opened; q goes back");
        return NULL;
    }
    struct level *l = &p->stack[p->depth++];
    *l = (struct level){ .crumb = strdup(crumb) };
    if (!l->crumb) {
        p->depth--;
        app_say(p->app, ROLE_WARN, "out of memory");
        return NULL;
    }
    return l;
}

/* Attach the table as a new level, which owns it; frees the table when that fails. */
static bool push_table(struct pane *p, struct table *t, const char *crumb)
{
    struct err e = ERR_INIT;
    struct level *l = attach_table(p, t, &e) ? NULL : push_level(p, crumb);
    if (!l) {
        if (e.code)
            app_say_err(p->app, &e);
        table_free(t);
        return false;
    }
    l->t = t;
    return true;
}

bool pane_open_view(struct pane *p, const struct view_def *d, struct str filter, const char *crumb)
{
    struct err e = ERR_INIT;
    struct table *t = NULL;
    struct table_opts o;
    options_for(p, d, &o);
    if (table_new(&t, d, &o, &e) || (filter.n && table_filter_add(t, filter, &e))) {
        app_say_err(p->app, &e);
        table_free(t);
        return false;
    }
    return push_table(p, t, crumb);
}

bool pane_open_sql(struct pane *p, struct str sql, const char *crumb)
{
    struct err e = ERR_INIT;
    struct table *t = NULL;
    struct table_opts o = { .slow = app_slow(p->app), .arg = p };
    if (table_new_sql(&t, sql, &o, &e)) {
        app_say_err(p->app, &e);
        return false;
    }
    return push_table(p, t, crumb);
}

/* The whole text of the cursor row's main column; names of ops may have hundreds of bytes. */
static void row_name(struct table *t, struct buf *out)
{
    struct view *v = table_view(t);
    char number[64];
    for (size_t i = 0; v && i < view_n_cols(v); i++)
        if (view_col(v, i)->flags & VC_MAIN) {
            struct val x = table_value_at(t, table_cursor(t), i);
            if (x.t == VAL_TEXT && view_col(v, i)->flags & VC_SAID) {
                char said[600];
                buf_puts(out, cell_string(said, sizeof said, view_col(v, i), &x, &(struct cell_units){ 0 }));
                return;
            }
            if (x.t == VAL_TEXT) {
                buf_add(out, x.s);
                return;
            }
            struct str unit = str_of(table_def(t)->unit_of ? table_def(t)->unit_of : "row");
            unit.n -= unit.n && unit.p[unit.n - 1] == 's'; /* "step 11" */
            buf_printf(out, "%.*s %s", (int)unit.n, unit.p,
                       cell_string(number, sizeof number, view_col(v, i), &x, &(struct cell_units){ 0 }));
            return;
        }
}

void pane_open_card(struct pane *p)
{
    struct table *t = pane_table(p);
    struct buf name;
    if (!t || !table_rows(t))
        return;
    buf_init(&name, NAME_B);
    row_name(t, &name);
    struct level *l = push_level(p, name.p ? name.p : "");
    buf_done(&name);
    if (!l)
        return;
    l->is_card = true;
    l->t = t;
}

static bool needs_quotes(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= 'A' && s.p[i] <= 'Z') ||
              (s.p[i] >= '0' && s.p[i] <= '9') || strchr("_-./", s.p[i])))
            return true;
    return s.n == 0;
}

static void add_quoted(struct buf *out, struct str s)
{
    if (!needs_quotes(s)) {
        buf_add(out, s);
        return;
    }
    /* The language has no escapes inside quotes: a text with both kinds of quotes cannot be written. */
    char quote = str_chr(s, '"') == SIZE_MAX ? '"' : '\'';
    buf_addc(out, quote);
    buf_add(out, s);
    buf_addc(out, quote);
}

void pane_expand_filter(struct table *t, const char *template, struct buf *out)
{
    struct str s = str_of(template);
    for (size_t i = 0; i < s.n; i++) {
        size_t end = s.p[i] == '{' ? str_chr(str_sub(s, i, s.n), '}') : SIZE_MAX;
        if (end == SIZE_MAX) {
            buf_addc(out, s.p[i]);
            continue;
        }
        char id[64], text[64];
        str_copy(str_sub(s, i + 1, end - 1), id, sizeof id);
        struct val v = table_value(t, id);
        if (v.t == VAL_TEXT)
            add_quoted(out, v.s);
        else
            add_quoted(out, str_of(cell_exact(text, sizeof text,
                                              &(struct view_col){ .unit = VU_NONE, .title = "" }, &v)));
        i += end;
    }
}

static bool open_row(struct pane *p)
{
    struct table *t = pane_table(p);
    if (!t || !table_rows(t))
        return true;
    if (p->def->ops && p->def->ops->open_row && p->def->ops->open_row(p))
        return true;
    const struct view_def *d = table_def(t), *to = d->open ? view_def_find(d->open) : NULL;
    if (!to) {
        pane_open_card(p);
        return true;
    }
    struct buf filter, name;
    buf_init(&filter, 65536);
    buf_init(&name, NAME_B);
    pane_expand_filter(t, d->open_filter ? d->open_filter : "", &filter);
    row_name(t, &name);
    if (to->pane != p->def->id)
        app_show_view(p->app, to->id, buf_str(&filter));
    else
        pane_open_view(p, to, buf_str(&filter), name.p ? name.p : "");
    buf_done(&filter);
    buf_done(&name);
    return true;
}

/* The table goes on with its work. Rows that filters found are drawn now and then, and at the end. */
static bool table_goes_on(struct pane *p, struct table *t)
{
    struct err e = ERR_INIT;
    struct app *a = p->app;
    bool more, changed;
    if (table_work(t, WORK_NS, &more, &changed, &e)) {
        more = false;
        app_say_err(a, &e);
    }
    int64_t now = app_now_ms();
    a->work_changed |= changed;
    if (a->work_changed && (!table_is_counting(t) || now - a->work_shown_ms >= REDRAW_MS)) {
        a->work_shown_ms = now;
        a->dirty = true;
    }
    return more;
}

bool pane_work(struct pane *p)
{
    struct table *t = pane_table(p);
    if (!p->attached)
        return false;
    if (p->def->ops && p->def->ops->work && p->def->ops->work(p))
        return true;
    if (t && table_goes_on(p, t))
        return true;
    return !p->depth && pane_ask_view(p);
}

bool pane_back(struct pane *p)
{
    if (p->def->ops && p->def->ops->back && p->def->ops->back(p))
        return true;
    if (!p->depth)
        return false;
    drop_level(p);
    return true;
}

/* ---- keys ---- */

unsigned pane_scopes(const struct pane *p)
{
    unsigned own = p->def->ops && p->def->ops->scopes ? p->def->ops->scopes(p) : 0;
    if (own)
        return own | SC_GLOBAL;
    if (p->depth && p->stack[p->depth - 1].is_card)
        return SC_GLOBAL | SC_CARD;
    if (!p->depth && p->view >= p->n_views && p->def->n_modes)
        return SC_GLOBAL | SC_CHART | p->def->scopes;
    return SC_GLOBAL | SC_LIST | SC_TABLE | p->def->scopes;
}

bool pane_time(struct pane *p, int64_t *ts, int64_t *dur)
{
    if (p->def->ops && p->def->ops->time && p->def->ops->time(p, ts, dur))
        return true;
    struct table *t = pane_row_table(p);
    struct page pg;
    struct err ignored = ERR_INIT;
    if (!t || !table_view(t) || !table_def(t)->ts_col || !table_rows(t))
        return false;
    struct view *v = table_view(t);
    int tc = view_find_col(v, table_def(t)->ts_col),
        dc = table_def(t)->dur_col ? view_find_col(v, table_def(t)->dur_col) : -1;
    if (tc < 0 || view_page(v, table_cursor(t), 1, VIEW_STORED, &pg, &ignored) || !pg.n)
        return false;
    const struct val *a = page_val(&pg, 0, (size_t)tc), *d = dc >= 0 ? page_val(&pg, 0, (size_t)dc) : NULL;
    if (a->t != VAL_INT)
        return false;
    *ts = a->i;
    *dur = d && d->t == VAL_INT ? d->i : 0;
    return true;
}

/* The rank of the row comes to the front: its times are on its own clock. */
static void select_rank_of_row(struct pane *p)
{
    struct session *s = app_session(p->app);
    struct table *t = pane_row_table(p);
    struct val v = t ? table_value(t, "rank") : val_null();
    if (v.t != VAL_INT || session_rank(s, session_current(s))->rank == v.i)
        return;
    size_t at = session_find_rank(s, (int)v.i);
    if (at != SIZE_MAX)
        app_select_rank(p->app, at);
}

static void go_to_time(struct pane *p)
{
    int64_t ts, dur;
    if (pane_time(p, &ts, &dur)) {
        select_rank_of_row(p);
        app_show_time(p->app, ts, dur);
    } else {
        app_say(p->app, ROLE_TEXT, "this row has no time of its own; 5 opens the timeline");
    }
}

#define CARD_END 1000000 /* rows: beyond every card; drawing stops at the end */

static bool card_key(struct pane *p, enum action act)
{
    struct level *l = &p->stack[p->depth - 1];
    switch (act) {
    case ACT_DOWN:
        l->scroll++;
        return true;
    case ACT_UP:
        l->scroll -= l->scroll > 0;
        return true;
    case ACT_PAGE_DOWN:
    case ACT_HALF_DOWN:
        l->scroll += 10;
        return true;
    case ACT_PAGE_UP:
    case ACT_HALF_UP:
        l->scroll = l->scroll > 10 ? l->scroll - 10 : 0;
        return true;
    case ACT_FIRST:
        l->scroll = 0;
        return true;
    case ACT_LAST:
        l->scroll = CARD_END;
        return true;
    case ACT_OP_BEFORE:
        l->scroll = 0;
        return table_key(l->t, ACT_UP);
    case ACT_OP_AFTER:
        l->scroll = 0;
        return table_key(l->t, ACT_DOWN);
    default:
        return false;
    }
}

bool pane_key(struct pane *p, enum action act)
{
    if (p->def->ops && p->def->ops->key && p->def->ops->key(p, act))
        return true;
    if (act >= ACT_VIEW_1 && act <= ACT_VIEW_9)
        return nth_view(p, act - ACT_VIEW_1);
    switch (act) {
    case ACT_VIEW_NEXT:
        return cycle_view(p, 1);
    case ACT_VIEW_PREV:
        return cycle_view(p, -1);
    case ACT_TIMELINE:
        go_to_time(p);
        return true;
    default:
        break;
    }
    if (p->depth && p->stack[p->depth - 1].is_card)
        return card_key(p, act);
    struct table *t = pane_table(p);
    if (t && act == ACT_OPEN)
        return open_row(p);
    return t && table_key(t, act);
}

bool pane_mouse(struct pane *p, const struct key_event *k)
{
    if (p->def->ops && p->def->ops->mouse && p->def->ops->mouse(p, k))
        return true;
    struct table *t = pane_table(p);
    if (!t)
        return false;
    enum action a = table_click(t, k);
    if (a == ACT_OPEN)
        open_row(p);
    return a != ACT_NONE;
}

const struct key_bar *pane_bar(const struct pane *p, size_t *n)
{
    static const struct key_bar card[] = {
        { ACT_TIMELINE, ACT_NONE, NULL },
        { ACT_OP_BEFORE, ACT_NONE, NULL },
        { ACT_OP_AFTER, ACT_NONE, NULL },
        { ACT_COPY, ACT_NONE, NULL },
    };
    static const struct key_bar empty[] = { { ACT_PANE_2, ACT_NONE, NULL }, { ACT_PANE_1, ACT_NONE, NULL } };
    const struct key_bar *bar;
    if (pane_is_empty(p)) {
        *n = ARRAY_LEN(empty);
        return empty;
    }
    if (p->def->ops && p->def->ops->bar && p->def->ops->bar(p, &bar, n))
        return bar;
    if (p->depth && p->stack[p->depth - 1].is_card) {
        *n = ARRAY_LEN(card);
        return card;
    }
    *n = p->def->n_bar;
    return p->def->bar;
}
