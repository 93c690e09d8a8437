/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the windows of a dynamic profile (doc/screens.md#windows). */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lang/tr.h"
#include "model/live.h"
#include "model/windows.h"
#include "ui/app/app_int.h"

struct window_row {
    struct window w;
    size_t rank; /* index of the profile that is gone to; SIZE_MAX: none is there yet */
    enum run_state state;
    enum live_phase phase;
    bool asked; /* the one that the job's configuration asks for */
    struct rank_figures figures;
    char ranks[64];
};

struct window_rows {
    size_t n;
    struct window_row v[];
};

void windows_rows_free(struct window_rows *r)
{
    free(r);
}

static bool is_at(const struct window_row *r, int64_t start, int64_t stop)
{
    return r->w.start == start && r->w.stop == stop;
}

/* A window without a profile, which folders or the configuration speak of; each once. */
static void add_row(struct window_rows *rows, int64_t start, int64_t stop, int rank)
{
    for (size_t i = 0; i < rows->n; i++)
        if (is_at(&rows->v[i], start, stop)) {
            if (rank >= 0 && rows->v[i].rank == SIZE_MAX)
                str_copy(STR("several"), rows->v[i].ranks, sizeof rows->v[i].ranks);
            return;
        }
    struct window_row *r = &rows->v[rows->n++];
    *r = (struct window_row){ .w = { start, stop }, .rank = SIZE_MAX, .state = RUN_UNKNOWN };
    if (rank >= 0)
        snprintf(r->ranks, sizeof r->ranks, "%d", rank);
}

static int by_steps(const void *pa, const void *pb)
{
    const struct window *a = &((const struct window_row *)pa)->w, *b = &((const struct window_row *)pb)->w;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->stop < b->stop ? -1 : a->stop > b->stop;
}

/* What their job is doing with them, and the window that comes next. */
static void add_live(struct window_rows *rows, const struct live *l)
{
    for (size_t i = 0; i < l->n; i++)
        add_row(rows, l->v[i].start, l->v[i].stop, l->v[i].rank);
    if (l->asked)
        add_row(rows, l->start, l->stop, -1);
    for (size_t i = 0; i < rows->n; i++) {
        struct window_row *r = &rows->v[i];
        r->phase = live_phase_of(l, r->w.start, r->w.stop);
        r->asked = l->asked && is_at(r, l->start, l->stop);
    }
    qsort(rows->v, rows->n, sizeof rows->v[0], by_steps);
}

static void add_own(struct app *a, const struct window *w, int64_t now_ns)
{
    struct window_row *r = &a->windows->v[a->windows->n++];
    r->w = *w;
    r->rank = windows_find(a->s, w, session_rank(a->s, session_current(a->s))->rank);
    r->state = windows_state(a->s, w, now_ns);
    r->phase = LIVE_ANALYSED;
    windows_ranks(a->s, w, r->ranks, sizeof r->ranks);
}

/* *n: windows that have a profile. */
static int make_rows(struct app *a, size_t *n, struct err *e)
{
    int64_t now_ns = clock_ns(CLOCK_REALTIME);
    struct err ignored = ERR_INIT; /* an archive has no job that runs */
    struct live l = { 0 };
    struct window *w;
    windows_rows_free(a->windows);
    a->windows = NULL;
    if (windows_list(a->s, -1, &w, n, e) || !*n)
        return e->code;
    bool is_live = live_look(&l, session_job(a->s)->path, now_ns, &ignored) == OK;
    a->windows = calloc(1, sizeof *a->windows + (*n + l.n + 1) * sizeof a->windows->v[0]);
    for (size_t i = 0; a->windows && i < *n; i++)
        add_own(a, &w[i], now_ns);
    if (a->windows && is_live)
        add_live(a->windows, &l);
    live_done(&l);
    free(w);
    return a->windows ? OK : err_nomem(e);
}

static size_t rows_count(void *arg)
{
    const struct app *a = arg;
    return a->windows ? a->windows->n : 0;
}

/* What the job is doing with a window, once that is over the state of its profile. */
static const char *state_word(const struct window_row *r)
{
    bool at_work = r->phase == LIVE_COLLECTING || r->phase == LIVE_ANALYSING;
    bool over = r->state == RUN_CRASHED || (r->state == RUN_ANALYSED && !r->asked);
    if (r->rank == SIZE_MAX || (at_work && !over))
        return tr(live_phase_word(r->phase));
    return run_state_word(r->state);
}

/* The figures at the right edge. */
static void right_text(const struct app *a, const struct window_row *r, char *buf, size_t room)
{
    if (r->rank == SIZE_MAX)
        snprintf(buf, room, "%s", r->asked ? tr("next window") : tr("no profile yet"));
    else
        figures_text(a, &r->figures, buf, room);
}

/* "steps 20 to 23   rank 0   CRASHED": what is known of a window before it is read. */
static void rows_item(void *arg, size_t i, struct menu_item *out)
{
    struct app *a = arg;
    struct window_row *r = &a->windows->v[i];
    const char *many = strpbrk(r->ranks, ",-s") ? "ranks" : "rank";
    char steps[60];
    struct window now;
    if (r->rank != SIZE_MAX)
        figures_learn(a, r->rank, &r->figures);
    if (a->cols < LIST_NARROW) {
        snprintf(steps, sizeof steps, "%" PRId64 "-%" PRId64, r->w.start, r->w.stop);
        snprintf(out->text, sizeof out->text, "%-9s %s", steps, state_word(r));
    } else {
        snprintf(steps, sizeof steps, tr("steps %" PRId64 " to %" PRId64), r->w.start, r->w.stop);
        snprintf(out->text, sizeof out->text, "%s%*s %-5s %-8s  %s", steps, text_pad(steps, 20), "",
                 r->ranks[0] ? many : "", r->ranks, state_word(r));
    }
    out->strong =
        windows_unit(session_job(a->s)->units[session_rank(a->s, session_current(a->s))->unit], &now) &&
        now.start == r->w.start && now.stop == r->w.stop;
    right_text(a, r, out->right, sizeof out->right);
}

static void go_to(struct app *a, const struct window *w, size_t rank)
{
    const struct view_scope *s = session_scope(a->s);
    if (s->step0 != INT64_MIN || s->step1 != INT64_MAX) /* of the steps of another window */
        app_set_steps(a, INT64_MIN, INT64_MAX);
    app_select_rank(a, rank);
    app_say(a, ROLE_TEXT, "window of steps %" PRId64 " to %" PRId64 ", rank %d", w->start, w->stop,
            session_rank(a->s, rank)->rank);
}

static bool rows_act(struct app *a, void *arg, enum action act, size_t i, size_t *cursor)
{
    (void)arg;
    (void)cursor;
    if (act != ACT_OPEN || i == SIZE_MAX)
        return false;
    const struct window_row *r = &a->windows->v[i];
    if (r->rank == SIZE_MAX)
        app_say(a, ROLE_TEXT, "window %" PRId64 "-%" PRId64 " is %s: there is no profile of it yet",
                r->w.start, r->w.stop, tr(live_phase_word(r->phase)));
    else
        go_to(a, &r->w, r->rank);
    return r->rank != SIZE_MAX;
}

static const struct key_bar windows_bar[] = { { ACT_OPEN, ACT_NONE, "show this window" },
                                              { ACT_BACK, ACT_NONE, "close" } };
static const struct menu_ops windows_ops = { N_("Windows of this dynamic profile"),
                                             N_("no windows"),
                                             windows_bar,
                                             ARRAY_LEN(windows_bar),
                                             rows_count,
                                             rows_item,
                                             rows_act };

static void show(struct app *a)
{
    struct overlay *o;
    struct err e = ERR_INIT;
    size_t at = 0;
    for (size_t i = 0; i < a->windows->n; i++)
        if (a->windows->v[i].rank != SIZE_MAX && session_is_same_run(a->s, a->windows->v[i].rank))
            at = i;
    if (overlay_menu(&o, &windows_ops, a, at, &e))
        app_say_err(a, &e);
    else
        app_overlay(a, o);
}

void menu_windows(struct app *a)
{
    struct err e = ERR_INIT;
    size_t n;
    if (make_rows(a, &n, &e))
        app_say_err(a, &e);
    else if (!a->windows && runs_are_several(a))
        menu_runs(a);
    else if (!a->windows)
        app_say(a, ROLE_TEXT, "this is one run, and no dynamic profile: there is nothing to choose from");
    else
        show(a);
}

void windows_offer(struct app *a)
{
    struct err ignored = ERR_INIT;
    size_t n;
    if (a->o.window_given || !session_n_ranks(a->s))
        return;
    if (make_rows(a, &n, &ignored) == OK && n > 1)
        show(a);
}

bool windows_are_shown(const struct app *a)
{
    return a->windows && a->overlay && overlay_is(a->overlay, &windows_ops);
}

void windows_renew(struct app *a)
{
    struct err e = ERR_INIT;
    size_t n;
    if (make_rows(a, &n, &e))
        app_say_err(a, &e);
    a->dirty = true;
}

bool windows_want(const struct app *a, size_t unit)
{
    for (size_t i = 0; windows_are_shown(a) && i < a->windows->n; i++)
        if (a->windows->v[i].rank != SIZE_MAX && figures_want(a, a->windows->v[i].rank, unit))
            return true;
    return false;
}

void windows_command(struct app *a, struct str args)
{
    char want[60];
    if (!args.n) {
        menu_windows(a);
        return;
    }
    str_copy(args, want, sizeof want);
    for (size_t pass = 0; pass < 2; pass++) /* the same rank if the window has it */
        for (size_t i = 0; i < session_n_ranks(a->s); i++) {
            const struct session_rank *r = session_rank(a->s, i);
            struct window w;
            if ((!pass && r->rank != session_rank(a->s, session_current(a->s))->rank) ||
                !windows_fit(a->s, i, want) || !windows_unit(session_job(a->s)->units[r->unit], &w))
                continue;
            go_to(a, &w, i);
            return;
        }
    app_say(a, ROLE_WARN, "there is no window %s here; :window lists them", want);
}
