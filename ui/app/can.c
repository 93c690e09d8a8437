/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an action needs of the pane and the row in front: one table, which the dispatcher, the key bar and the
 * help ask. A pane has a table of its own for what it does itself (pane_ops.needs); it is asked first.
 */
#include "config.h"

#include "base/lang/tr.h"
#include "ui/app/app_int.h"

#include "model/windows.h"

/* ---- what is in front ---- */

static struct table *front(struct pane *p)
{
    struct table *t = pane_is_empty(p) ? NULL : pane_table(p); /* its reason stands in place of the table */
    return t && table_view(t) ? t : NULL;
}

static bool has_table(struct pane *p)
{
    return front(p);
}

static bool has_row(struct pane *p)
{
    struct table *t = front(p);
    return t && table_rows(t);
}

static bool has_card(struct pane *p)
{
    return p->depth && p->stack[p->depth - 1].is_card;
}

static bool has_row_or_card(struct pane *p)
{
    return has_row(p) || has_card(p);
}

static bool has_mark(struct pane *p)
{
    struct table *t = front(p);
    return t && table_n_marks(t);
}

static bool has_search(struct pane *p)
{
    return front(p) && p->app->search[0];
}

/* Of the table's own; inside, the first is what it was opened with. */
static bool has_filter_set(struct pane *p)
{
    struct table *t = front(p);
    return t && !p->depth && table_n_filters(t);
}

static bool has_filters(struct pane *p)
{
    struct table *t = pane_filters(p);
    return t && (t != pane_table(p) || table_view(t));
}

static bool has_time(struct pane *p)
{
    int64_t ts, dur;
    return pane_time(p, &ts, &dur);
}

/* ---- steps, ranks, windows ---- */

static bool has_step(struct pane *p)
{
    const struct view_scope *s = session_scope(app_session(p->app));
    struct table *t = front(p);
    return (s->step0 != INT64_MIN && s->step0 == s->step1) || (t && table_value(t, "step").t == VAL_INT);
}

static bool has_other_rank(struct pane *p)
{
    const struct session *s = app_session(p->app);
    for (size_t i = 0; i < session_n_ranks(s); i++)
        if (i != session_current(s) && session_is_same_run(s, i))
            return true;
    return false;
}

static bool has_windows(struct pane *p)
{
    const struct session *s = app_session(p->app);
    struct window w;
    return session_n_ranks(s) &&
           (runs_are_several(p->app) ||
            windows_unit(session_job(s)->units[session_rank(s, session_current(s))->unit], &w));
}

static bool is_running(struct pane *p)
{
    return p->app->worker;
}

bool pane_cannot(struct pane *p)
{
    (void)p;
    return false;
}

/* ---- the table ---- */

bool app_has_search(const struct app *a)
{
    return a->search[0] != '\0';
}

#define NO_ROWS  N_("there are no rows here")
#define NO_TABLE N_("there is no table here")

/* clang-format off */
static const struct pane_need needs[] = {
    { ACT_DOWN,       has_row_or_card,     NO_ROWS },
    { ACT_UP,         has_row_or_card,     NO_ROWS },
    { ACT_FIRST,      has_row_or_card,     NO_ROWS },
    { ACT_LAST,       has_row_or_card,     NO_ROWS },
    { ACT_HALF_DOWN,  has_row_or_card,     NO_ROWS },
    { ACT_HALF_UP,    has_row_or_card,     NO_ROWS },
    { ACT_PAGE_DOWN,  has_row_or_card,     NO_ROWS },
    { ACT_PAGE_UP,    has_row_or_card,     NO_ROWS },
    { ACT_LEFT,       has_table,           NO_TABLE },
    { ACT_RIGHT,      has_table,           NO_TABLE },
    { ACT_OPEN,       has_row,             "there is nothing to open here" },
    { ACT_VIEW_NEXT,  pane_has_other_view, "this pane has one view only" },
    { ACT_VIEW_PREV,  pane_has_other_view, "this pane has one view only" },
    { ACT_SEARCH,     has_table,           "there are no rows to search here" },
    { ACT_FIND_NEXT,  has_search,          "nothing was searched for yet; / asks" },
    { ACT_FIND_PREV,  has_search,          "nothing was searched for yet; / asks" },
    { ACT_FILTER,     has_filters,         "nothing is filtered here" },
    { ACT_FILTERS,    has_filters,         "nothing is filtered here" },
    { ACT_UNFILTER,   has_filter_set,      NULL }, /* it goes back then */
    { ACT_SORT_LEFT,  has_table,           NO_TABLE },
    { ACT_SORT_RIGHT, has_table,           NO_TABLE },
    { ACT_SORT_MENU,  has_table,           NO_TABLE },
    { ACT_REVERSE,    has_table,           NO_TABLE },
    { ACT_COLUMNS,    has_table,           NO_TABLE },
    { ACT_UNIT,       has_table,           NO_TABLE },
    { ACT_WRAP,       has_table,           NO_TABLE },
    { ACT_DETAIL,     has_table,           NO_TABLE },
    { ACT_STEP_PREV,  has_step,            "choose one step first: s, or :steps 17" },
    { ACT_STEP_NEXT,  has_step,            "choose one step first: s, or :steps 17" },
    { ACT_RANK_PREV,  has_other_rank,      NULL },
    { ACT_RANK_NEXT,  has_other_rank,      NULL },
    { ACT_WINDOWS,    has_windows,         NULL },
    { ACT_MARK,       has_row,             NO_ROWS },
    { ACT_MARK_GO,    has_mark,            "no mark is set; m sets one" },
    { ACT_TIMELINE,   has_time,            "this row has no time of its own; 5 opens the timeline" },
    { ACT_COPY,       has_row_or_card,     NO_ROWS },
    { ACT_YANK,       has_row_or_card,     NO_ROWS },
    { ACT_EXPORT,     has_table,           "there is no table here to write" },
    { ACT_INTERRUPT,  is_running,          NULL },
    { ACT_PROBLEMS,   has_row,             NO_ROWS },
    { ACT_SAME_TYPE,  pane_cannot,         "this is no card of an op" },
    { ACT_OP_BEFORE,  has_card,            NO_ROWS },
    { ACT_OP_AFTER,   has_card,            NO_ROWS },
};
/* clang-format on */

static const struct pane_need *find(const struct pane_need *list, size_t n, enum action act)
{
    for (size_t i = 0; i < n && list[i].act != ACT_NONE; i++)
        if (list[i].act == act)
            return &list[i];
    return NULL;
}

bool app_can(struct app *a, enum action act, const char **why)
{
    struct pane *p = app_pane(a);
    const struct pane_ops *o = p->def->ops;
    if (act >= ACT_VIEW_1 && act <= ACT_VIEW_9) {
        size_t order[MAX_PANE_TABS];
        *why = "this pane has no view of that number";
        return act - ACT_VIEW_1 < pane_order(p, true, order);
    }
    const struct pane_need *own = o && o->needs ? o->needs(p) : NULL;
    const struct pane_need *n = own ? find(own, SIZE_MAX, act) : NULL;
    if (!n)
        n = find(needs, ARRAY_LEN(needs), act);
    *why = n ? n->why : NULL;
    return !n || !n->can || n->can(p);
}

/* For keymap_key() and keymap_help(): the key reaches its action, and the action can be done. */
static bool works(void *arg, enum action act, uint32_t code)
{
    const char *ignored;
    return !pane_takes(app_pane(arg), code) && app_can(arg, act, &ignored);
}

/* The same over an overlay, which takes every other key. */
static bool works_over(void *arg, enum action act, uint32_t code)
{
    const struct app *a = arg;
    (void)code;
    return act == ACT_INTERRUPT                           ? a->worker != NULL
           : act == ACT_FIND_NEXT || act == ACT_FIND_PREV ? a->search[0] != '\0'
                                                          : true;
}

struct key_where app_where(struct app *a)
{
    if (a->overlay)
        return (struct key_where){ .scopes = overlay_scopes(a->overlay), .works = works_over, .arg = a };
    return (struct key_where){ .scopes = pane_scopes(app_pane(a)), .works = works, .arg = a };
}
