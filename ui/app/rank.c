/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks, their stores, and the import that runs in the background. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/lang/tr.h"
#include "base/path.h"
#include "base/unit.h"
#include "run/state.h"
#include "ui/app/app_int.h"

static size_t current_unit(const struct app *a)
{
    return session_n_ranks(a->s) ? session_rank(a->s, session_current(a->s))->unit : SIZE_MAX;
}

const struct worker_status *app_reads(const struct app *a)
{
    const size_t unit = current_unit(a);

    if (unit != SIZE_MAX && a->here_unit == unit)
        return &a->here;
    return a->worker && a->worker_unit == unit ? worker_status(a->worker) : NULL;
}

bool app_loading(const struct app *a, int *percent)
{
    *percent = 0;
    const struct worker_status *w = app_reads(a);
    if (!w)
        return false;
    if (w->total_b)
        *percent = (int)((double)w->done_b * 100.0 / (double)w->total_b);
    *percent = *percent > 99 ? 99 : *percent;
    return true;
}

/* Every view over a store is closed before the store is. */
void app_detach(struct app *a)
{
    for (int i = 0; i < N_PANES; i++)
        if (a->panes[i])
            pane_detach(a->panes[i]);
    a->facts_known = false;
    if (a->ask == ASK_FILTER) /* closing the views dropped the line that is being typed */
        a->filter_due_ms = app_now_ms();
}

static void worker_gone(struct app *a)
{
    worker_free(a->worker);
    a->worker = NULL;
    a->worker_quiet = false;
    a->worker_adds = false;
    a->progress_waits = a->commit_waits = a->small_shown = false;
}

/* What was read for an overview may be attached again. */
static void offer_again(struct app *a, size_t unit)
{
    a->tried[unit] &= (uint8_t)~TRIED_SMALL;
    a->others_wait = true;
}

/* Drop the half-read store of the other unit; it is read when its rank is chosen again. */
static void drop_worker(struct app *a)
{
    if (session_is_partial(a->s, a->worker_unit)) {
        app_detach(a);
        session_detach(a->s, a->worker_unit);
    }
    offer_again(a, a->worker_unit);
    worker_gone(a);
}

void app_load(struct app *a, bool again)
{
    struct err e = ERR_INIT;
    size_t unit = current_unit(a);
    if (unit == SIZE_MAX || !a->o.load)
        return;
    if (a->worker) {
        if (a->worker_unit == unit) {
            app_say(a, ROLE_TEXT, "this rank is being read already");
            return;
        }
        drop_worker(a);
    }
    app_detach(a);
    if (again && session_is_partial(a->s, unit))
        session_detach(a->s, unit); /* a whole store stays on the screen until the new one is whole */
    if (here_load(a, unit, again, &e)) {
        app_say_err(a, &e);
        return;
    }
    a->worker_unit = unit;
    a->last_progress_ms = app_now_ms();
    a->dirty = true;
}

/* A disk that damages what is written to it is not written to for ever. */
static bool may_repair(const struct app *a, size_t unit)
{
    return (a->tried[unit] & TRIED_REPAIRS) != TRIED_REPAIRS;
}

/* The unit whose store is damaged; SIZE_MAX: none that was not repaired often enough. */
static size_t find_damaged(const struct app *a)
{
    size_t front = current_unit(a), n = session_job(a->s)->n_units;
    if (front != SIZE_MAX && session_is_damaged(a->s, front) && may_repair(a, front))
        return front;
    for (size_t u = 0; u < n; u++)
        if (session_is_damaged(a->s, u) && may_repair(a, u))
            return u;
    return SIZE_MAX;
}

/* Number of the first rank of a unit. */
static int rank_of(const struct app *a, size_t unit)
{
    for (size_t i = 0; i < session_n_ranks(a->s); i++)
        if (session_rank(a->s, i)->unit == unit)
            return session_rank(a->s, i)->rank;
    return -1;
}

void app_repair(struct app *a)
{
    size_t front = current_unit(a), unit;
    bool unknown;
    if (a->worker || front == SIZE_MAX || !a->o.load)
        return;
    a->damaged |= session_met_damage() || app_pane(a)->err.code == ERR_STORE;
    if (!a->damaged)
        return;
    unit = find_damaged(a);
    unknown = unit == SIZE_MAX; /* a store that could not be opened, or the overview */
    a->damaged = !unknown;      /* there may be more */
    if (unknown && (!may_repair(a, front) || session_is_damaged(a->s, front)))
        return;
    unit = unknown ? front : unit;
    a->tried[unit] += TRIED_REPAIR;
    if (unit == front) {
        app_load(a, true);
        app_say(a, ROLE_WARN, "the store is damaged: reading the run again");
    } else {
        app_load_other(a, unit, true);
        app_say(a, ROLE_WARN, "the store of rank %d is damaged: reading it again", rank_of(a, unit));
    }
}

static bool second_of_reread(struct app *a, uint32_t code)
{
    if (code == K_ENTER || code == 'y' || code == 'Y')
        app_load(a, true);
    else
        app_say(a, ROLE_TEXT, "nothing was read");
    return true;
}

void app_reread(struct app *a)
{
    struct err e = ERR_INIT;
    size_t unit = current_unit(a);
    bool changed = true;
    uint64_t bytes = 0;
    char size[32];
    if (unit == SIZE_MAX || a->worker || !session_store(a->s, unit) || session_is_partial(a->s, unit) ||
        !a->o.changed) {
        app_load(a, true); /* no whole store is lost */
        return;
    }
    if (a->o.changed(a->o.arg, unit, &changed, &bytes, &e)) {
        app_say_err(a, &e);
        return;
    }
    if (changed && a->follow_state == (int)RUN_RUNNING) { /* with a run that grows, this is what R is for */
        app_load(a, true);
        return;
    }
    a->pending = second_of_reread;
    app_say(a, ROLE_TEXT, "%s; read %s again?   Enter yes  Esc no",
            changed ? tr("files have changed") : tr("no file has changed"),
            unit_size(size, sizeof size, (double)bytes, SIZE_AUTO));
}

/* Attached, with nothing left for later. */
static bool is_whole(const struct app *a, size_t unit)
{
    struct store *s = session_store(a->s, unit);
    return s && (session_is_partial(a->s, unit) || !store_left(s));
}

void app_select_rank(struct app *a, size_t index)
{
    app_detach(a);
    session_select(a->s, index);
    if (!is_whole(a, current_unit(a)))
        app_load(a, false);
    const struct session_rank *r = session_rank(a->s, index);
    app_say(a, ROLE_TEXT, "rank %d", r->rank);
}

/* One of the unit's ranks is of the window in front. */
static bool is_beside(const struct app *a, size_t unit)
{
    for (size_t i = 0; i < session_n_ranks(a->s); i++)
        if (session_rank(a->s, i)->unit == unit && session_is_beside(a->s, i))
            return true;
    return false;
}

static bool is_wanted(struct app *a, size_t unit)
{
    const struct pane_def *d = app_pane(a)->def;
    if (a->overlay)
        return windows_want(a, unit) || runs_want(a, unit);
    return (d->all_ranks && is_beside(a, unit)) ||
           (d->ops && d->ops->wants && d->ops->wants(app_pane(a), unit));
}

void app_load_other(struct app *a, size_t unit, bool again)
{
    struct err e = ERR_INIT;
    app_detach(a);
    if (here_load(a, unit, again, &e))
        app_say_err(a, &e);
    a->worker_unit = unit;
    a->worker_quiet = a->worker != NULL;
    a->dirty = true;
}

/*
 * For a pane over several ranks, units that are not loaded yet are read one after another in the background.
 */
void app_load_others(struct app *a)
{
    const struct job *j = session_job(a->s);
    if (a->worker || !a->o.load)
        return;
    bool has_job = !a->overlay && app_pane(a)->def->all_ranks && app_job_attach(a);
    for (size_t u = 0; u < j->n_units; u++) {
        bool lost = a->tried[u] & TRIED_LOST;
        if (has_job ? !lost : a->tried[u] & TRIED_WHOLE || !is_wanted(a, u) || is_whole(a, u))
            continue;
        a->tried[u] |= TRIED_WHOLE;
        a->tried[u] &= (uint8_t)~TRIED_LOST;
        app_load_other(a, u, false);
        return;
    }
}

static void attach(struct app *a, const char *path, bool partial)
{
    struct err e = ERR_INIT;
    app_detach(a);
    if (session_attach(a->s, a->worker_unit, path, partial, &e))
        app_say_err(a, &e);
    if (!partial)
        app_logs_again(a);
}

static void say_done(struct app *a, const struct worker_status *w)
{
    char size[32], t[40];
    if (w->no_room[0])
        app_say(a, ROLE_WARN, "%s", w->no_room);
    else if (w->partial)
        app_say(a, ROLE_WARN, "stopped: what was read whole is kept and marked PARTIAL; R reads everything");
    else if (w->seconds >= 0.5)
        app_say(a, ROLE_TEXT, "read %s in %s", unit_size(size, sizeof size, (double)w->total_b, SIZE_AUTO),
                unit_long_time(t, sizeof t, w->seconds * 1e9));
}

void app_open_file(struct app *a, const struct source_file *f, const char *part)
{
    struct err e = ERR_INIT;
    size_t unit = current_unit(a);
    const struct store *s = unit == SIZE_MAX ? NULL : session_store(a->s, unit);
    const bool partial = s && session_is_partial(a->s, unit); /* its file is a temporary one */
    if (a->worker || !s || partial) {
        app_say(a, ROLE_TEXT,
                a->worker ? "something is being read already; try again when it is done"
                : partial ? N_("this rank is read in part only; try again, or R reads all of it")
                          : N_("this rank is not read yet; R reads it"));
        return;
    }
    struct worker_opts o = { .unit_root = session_job(a->s)->units[unit]->root,
                             .store_path = store_path(s),
                             .add_path = f->rel,
                             .add_part = part };
    if (worker_start(&a->worker, &o, &e)) {
        app_say_err(a, &e);
        return;
    }
    a->worker_unit = unit;
    a->worker_adds = true;
    snprintf(a->added, sizeof a->added, "%s", part ? part : path_base(f->rel));
    app_say(a, ROLE_TEXT, "reading %s%s%s", f->rel, part ? tr(", table ") : "", part ? part : "");
}

/* Show the table that was made of a file, as a level above the files. */
static void show_generic(struct app *a, const char *table, const char *crumb)
{
    struct buf sql;
    buf_init(&sql, 4096);
    buf_puts(&sql, "SELECT * FROM \"");
    for (const char *c = table; *c; c++) {
        if (*c == '"')
            buf_addc(&sql, '"');
        buf_addc(&sql, *c);
    }
    buf_puts(&sql, "\";");
    app_show_pane(a, PANE_FILES, false);
    if (pane_open_sql(app_pane(a), buf_str(&sql), crumb))
        app_say(a, ROLE_TEXT, "the SQL console knows it as %s", table);
    buf_done(&sql);
}

/*
 * Progress is drawn at most four times a second (doc/screens.md#terminals). Only the frame with the small
 * tables does not wait: it is the first screen worth looking at.
 */
int app_progress(struct app *a)
{
    const struct worker_status *w = a->worker ? worker_status(a->worker) : NULL;
    if (!w || !(a->progress_waits || a->commit_waits))
        return -1;
    bool first = a->commit_waits && w->small_done && !a->small_shown;
    int64_t left = a->last_progress_ms + REDRAW_MS - app_now_ms();
    if (left > 0 && !first)
        return (int)left;
    if (a->commit_waits && w->temp_path[0])
        attach(a, w->temp_path, true);
    a->small_shown |= w->small_done;
    a->progress_waits = a->commit_waits = false;
    a->last_progress_ms = app_now_ms();
    a->dirty = true;
    return -1;
}

void app_worker(struct app *a)
{
    while (a->worker) {
        const struct worker_status *w = worker_status(a->worker);
        switch (worker_poll(a->worker)) {
        case WORKER_NOTHING:
            (void)app_progress(a);
            return;
        case WORKER_COMMIT:
            a->commit_waits = true;
            break;
        case WORKER_PROGRESS:
            a->progress_waits = true;
            break;
        case WORKER_CLOSE:
            app_detach(a);
            session_detach(a->s, a->worker_unit);
            a->commit_waits = false; /* or it would be opened again, which the worker waits for */
            worker_go_on(a->worker);
            break;
        case WORKER_DONE:
            attach(a, w->store_path, w->partial);
            app_follow_read(a, w->seconds);
            if (a->job)
                jobread_was_read(a->job, a->worker_unit);
            if (a->worker_adds && w->generic_table[0])
                show_generic(a, w->generic_table, a->added);
            else if (a->worker_unit == current_unit(a))
                say_done(a, w);
            worker_gone(a);
            a->dirty = true;
            return;
        case WORKER_FAILED:
            if (!a->worker_quiet || w->err.code != ERR_CANCELLED)
                app_say_err(a, &w->err);
            offer_again(a, a->worker_unit);
            worker_gone(a);
            a->dirty = true;
            return;
        }
    }
}
