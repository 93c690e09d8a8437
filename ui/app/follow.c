/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run that is still written: what was added is read every few seconds (doc/screens.md#commands, --follow;
 * doc/store.md#growing-runs).
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/lang/tr.h"
#include "model/live.h"
#include "run/state.h"
#include "ui/app/app_int.h"

#define UNITS_AT_A_TIME 4
#define IMPORTS_APART   5  /* least time between two imports, as a multiple of the time of one */
#define SEARCHES_APART  20 /* the same for two searches for ranks */

static size_t current_unit(const struct app *a)
{
    return session_n_ranks(a->s) ? session_rank(a->s, session_current(a->s))->unit : SIZE_MAX;
}

static void wait_more(struct app *a)
{
    int64_t apart = (int64_t)(a->follow_import_s * 1000 * IMPORTS_APART);
    a->follow_due_ms = app_now_ms() + (apart > a->o.follow_ms ? apart : a->o.follow_ms);
}

void app_follow_begin(struct app *a)
{
    if (a->o.follow_ms > 0)
        wait_more(a);
}

void app_follow_read(struct app *a, double seconds)
{
    a->follow_import_s = seconds;
    app_follow_begin(a);
}

int app_follow_ms(const struct app *a)
{
    if (a->o.follow_ms <= 0 || a->worker)
        return -1;
    int64_t left = a->follow_due_ms - app_now_ms();
    return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

/* When a run is not written any more its state changes, although none of its files has changed. */
static void renew_state(struct app *a, size_t unit)
{
    const struct session_rank *r = session_rank(a->s, session_current(a->s));
    struct run_verdict v;
    run_state_of(session_job(a->s)->units[unit], r->rank, clock_ns(CLOCK_REALTIME), &v);
    if ((int)v.state == a->follow_state)
        return;
    a->follow_state = (int)v.state;
    pane_detach(a->panes[PANE_TRIAGE]);
    a->facts_known = false;
    a->dirty = true;
}

/* A reader who types, reads a text or was asked something is not disturbed. */
static bool is_occupied(const struct app *a)
{
    return a->worker || (a->overlay && !windows_are_shown(a)) || a->prompt || a->pending;
}

/* true: the unit has changed, and reading it again has begun. */
static bool read_changed(struct app *a, size_t unit, bool front)
{
    struct err e = ERR_INIT;
    bool changed = false;
    uint64_t bytes;
    if (session_is_partial(a->s, unit))
        return false;
    if (a->o.changed(a->o.arg, unit, &changed, &bytes, &e)) {
        app_say_err(a, &e);
        return false;
    }
    if (changed && front)
        app_load(a, true);
    else if (changed)
        app_load_other(a, unit, true);
    return changed;
}

/* The table of ranks shows the other units, too; when there are many, only some are looked at each time. */
static void look_at_others(struct app *a, size_t front)
{
    size_t n = session_job(a->s)->n_units;
    for (size_t i = 0; i < UNITS_AT_A_TIME && i + 1 < n; i++) {
        size_t unit = a->follow_next = (a->follow_next + 1) % n;
        if (unit == front)
            unit = a->follow_next = (a->follow_next + 1) % n;
        if (read_changed(a, unit, false))
            return;
    }
}

/* Renew the session, its workers and what panes keep by rank, from a new scan. */
static int renew(struct app *a, struct job *scan, struct err *e)
{
    size_t *moved = calloc(session_n_ranks(a->s) + 1, sizeof *moved);
    uint8_t *tried = calloc(scan->n_units + 1, sizeof *tried);
    if (!moved || !tried) {
        free(moved);
        free(tried);
        job_free(scan);
        return err_nomem(e);
    }
    app_detach(a);
    app_logs_drop(a);
    jobread_free(a->job);
    a->job = NULL;
    if (session_renew(a->s, scan, moved, e) == OK) {
        free(a->tried);
        a->tried = tried;
        tried = NULL;
        for (int i = 0; i < N_PANES; i++)
            if (a->panes[i]->own && a->panes[i]->def->ops && a->panes[i]->def->ops->renumber)
                a->panes[i]->def->ops->renumber(a->panes[i], moved);
    }
    free(moved);
    free(tried);
    a->follow_next = 0;
    a->dirty = true;
    app_job_begin(a);
    return e->code;
}

/* Of a dynamic profile it is windows that come, and another one may be asked for. */
static bool say_windows(struct app *a)
{
    struct err ignored = ERR_INIT;
    struct live l;
    struct buf b;
    size_t last = 0;

    buf_init(&b, 400);
    bool is = live_look(&l, session_job(a->s)->path, clock_ns(CLOCK_REALTIME), &ignored) == OK && l.n;
    for (size_t i = 1; i < l.n; i++)
        if (l.v[i].changed_ns > l.v[last].changed_ns)
            last = i;
    live_next_text(&l, &b);
    if (is)
        app_say(a, ROLE_TEXT, "window %" PRId64 "-%" PRId64 " of rank %d: %s%s%s", l.v[last].start,
                l.v[last].stop, l.v[last].rank, tr(live_phase_word(l.v[last].phase)), b.n ? tr("; ") : "",
                b.n ? b.p : "");
    live_done(&l);
    buf_done(&b);
    return is;
}

static void say_found(struct app *a, size_t n, int first)
{
    if (say_windows(a))
        return;
    if (n == 1)
        app_say(a, ROLE_TEXT, "rank %d has come: there are %zu now", first, session_n_ranks(a->s));
    else
        app_say(a, ROLE_TEXT, "%zu ranks have come, from rank %d on: there are %zu now", n, first,
                session_n_ranks(a->s));
}

/* Not often: searching a large job takes a while, and new ranks are rare. */
static void find_ranks(struct app *a)
{
    struct err e = ERR_INIT;
    struct job *scan = NULL;
    int64_t began = app_now_ms();
    int first = 0;
    if (!a->o.found || began < a->find_due_ms)
        return;
    int rc = a->o.found(a->o.arg, &scan, &e);
    a->find_due_ms = app_now_ms() + (app_now_ms() - began) * SEARCHES_APART;
    if (rc == OK && scan) {
        size_t n = session_lacks(a->s, scan, &first);
        rc = renew(a, scan, &e);
        if (rc == OK)
            say_found(a, n, first);
    }
    if (rc != OK)
        app_say_err(a, &e);
}

void app_follow(struct app *a)
{
    if (a->o.follow_ms <= 0 || app_now_ms() < a->follow_due_ms)
        return;
    wait_more(a);
    if (is_occupied(a))
        return;
    find_ranks(a);
    if (windows_are_shown(a)) {
        windows_renew(a);
        return;
    }
    size_t unit = current_unit(a);
    if (unit == SIZE_MAX || !a->o.changed || read_changed(a, unit, true))
        return;
    renew_state(a, unit);
    if (a->job && jobread_done(a->job, &(size_t){ 0 }) == session_job(a->s)->n_units)
        look_at_others(a, unit);
}
