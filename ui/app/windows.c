/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the windows of a dynamic profile (doc/screens.md#windows). */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/triage.h"
#include "base/clock.h"
#include "base/unit.h"
#include "model/windows.h"
#include "ui/app/app_int.h"

#define NARROW  60                   /* columns of a screen with room for steps and state alone */
#define SMALL_B ((uint64_t)64 << 20) /* windows up to here are read while they are listed */

struct window_row {
    struct window w;
    size_t rank; /* index of the profile that is gone to */
    enum run_state state;
    bool known; /* the figures below, from its store */
    uint64_t steps;
    double step_ns; /* NAN: none */
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

static int make_rows(struct app *a, struct err *e)
{
    int64_t now_ns = clock_ns(CLOCK_REALTIME);
    struct window *w;
    size_t n;
    windows_rows_free(a->windows);
    a->windows = NULL;
    if (windows_list(a->s, -1, &w, &n, e) || !n)
        return e->code;
    a->windows = calloc(1, sizeof *a->windows + n * sizeof a->windows->v[0]);
    for (size_t i = 0; a->windows && i < n; i++) {
        struct window_row *r = &a->windows->v[a->windows->n++];
        r->w = w[i];
        r->rank = windows_find(a->s, &w[i], session_rank(a->s, session_current(a->s))->rank);
        r->state = windows_state(a->s, &w[i], now_ns);
        windows_ranks(a->s, &w[i], r->ranks, sizeof r->ranks);
    }
    free(w);
    return a->windows ? OK : err_nomem(e);
}

static size_t unit_of(const struct app *a, const struct window_row *r)
{
    return session_rank(a->s, r->rank)->unit;
}

/* The figures of a window's own store, once that is read. */
static void learn(struct app *a, struct window_row *r)
{
    struct err ignored = ERR_INIT;
    struct store *s = session_store(a->s, unit_of(a, r));
    if (r->known || !s || session_is_partial(a->s, unit_of(a, r)))
        return;
    r->known = triage_steps(s, session_scope(a->s), session_rank(a->s, r->rank)->rank, &r->steps, &r->step_ns,
                            &ignored) == OK;
}

static size_t rows_count(void *arg)
{
    const struct app *a = arg;
    return a->windows ? a->windows->n : 0;
}

/* "steps 20 to 23   rank 0   CRASHED": what is known of a window before it is read. */
static void rows_item(void *arg, size_t i, struct menu_item *out)
{
    struct app *a = arg;
    struct window_row *r = &a->windows->v[i];
    char t[32], steps[60];
    struct window now;
    learn(a, r);
    if (a->cols < NARROW) {
        snprintf(steps, sizeof steps, "%" PRId64 "-%" PRId64, r->w.start, r->w.stop);
        snprintf(out->text, sizeof out->text, "%-9s %s", steps, run_state_word(r->state));
    } else {
        snprintf(steps, sizeof steps, "steps %" PRId64 " to %" PRId64, r->w.start, r->w.stop);
        snprintf(out->text, sizeof out->text, "%-20s %-5s %-8s  %s", steps,
                 strpbrk(r->ranks, ",-") ? "ranks" : "rank", r->ranks, run_state_word(r->state));
    }
    out->strong =
        windows_unit(session_job(a->s)->units[session_rank(a->s, session_current(a->s))->unit], &now) &&
        now.start == r->w.start && now.stop == r->w.stop;
    if (!r->known)
        snprintf(out->right, sizeof out->right, "not read yet");
    else if (isnan(r->step_ns) || a->cols < NARROW)
        snprintf(out->right, sizeof out->right, "%" PRIu64 " step%s", r->steps, r->steps == 1 ? "" : "s");
    else
        snprintf(out->right, sizeof out->right, "%" PRIu64 " step%s  %s/step", r->steps,
                 r->steps == 1 ? "" : "s", unit_time(t, sizeof t, r->step_ns, TIME_AUTO));
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
    go_to(a, &a->windows->v[i].w, a->windows->v[i].rank);
    return true;
}

static const struct key_bar windows_bar[] = { { ACT_OPEN, ACT_NONE, "show this window" },
                                              { ACT_BACK, ACT_NONE, "close" } };
static const struct menu_ops windows_ops = { "Windows of this dynamic profile",
                                             "no windows",
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
        if (session_is_same_window(a->s, a->windows->v[i].rank))
            at = i;
    if (overlay_menu(&o, &windows_ops, a, at, &e))
        app_say_err(a, &e);
    else
        app_overlay(a, o);
}

void menu_windows(struct app *a)
{
    struct err e = ERR_INIT;
    if (make_rows(a, &e))
        app_say_err(a, &e);
    else if (!a->windows)
        app_say(a, ROLE_TEXT, "this is no dynamic profile: there are no windows to choose from");
    else
        show(a);
}

void windows_offer(struct app *a)
{
    struct err ignored = ERR_INIT;
    if (a->o.window_given || !session_n_ranks(a->s))
        return;
    if (make_rows(a, &ignored) == OK && a->windows && a->windows->n > 1)
        show(a);
}

bool windows_want(const struct app *a, size_t unit)
{
    if (!a->windows || !a->overlay || !overlay_is(a->overlay, &windows_ops))
        return false;
    for (size_t i = 0; i < a->windows->n; i++)
        if (unit_of(a, &a->windows->v[i]) == unit)
            return session_job(a->s)->units[unit]->bytes <= SMALL_B;
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
