/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job of many units: its overview, and the units that are read for it in the background (import/worker.h).
 */
#include "config.h"

#include <string.h>

#include "analysis/checks.h"
#include "base/clock.h"
#include "ui/app/app_int.h"

/* Views over the older overview are in Triage only. */
static void attach_overview(struct app *a)
{
    struct err e = ERR_INIT;
    struct store *s = NULL;
    pane_detach(a->panes[PANE_TRIAGE]);
    a->facts_known = false;
    if (store_open(&s, jobread_path(a->job), false, &e))
        app_say_err(a, &e);
    else
        session_attach_overview(a->s, s);
    app_logs_again(a);
    a->dirty = true;
}

void app_job_begin(struct app *a)
{
    struct err e = ERR_INIT;
    if (!a->o.job_workers)
        return;
    if (jobread_new(&a->job, session_job(a->s), a->o.job_workers, &e)) {
        app_say_err(a, &e);
        return;
    }
    if (!a->job)
        return;
    jobread_after(a->job, checks_keep_job);
    a->others_wait = true;
    if (jobread_path(a->job)[0])
        attach_overview(a);
    app_job_step(a);
}

void app_job_step(struct app *a)
{
    char why[300];
    if (!a->job)
        return;
    if (jobread_step(a->job, a->worker ? a->worker_unit : SIZE_MAX, app_now_ms(), clock_ns(CLOCK_REALTIME))) {
        attach_overview(a);
        a->others_wait = true;
    }
    if (jobread_problem(a->job, why, sizeof why))
        app_say(a, ROLE_WARN, "%s", why);
}

nfds_t app_job_waits(struct app *a, struct pollfd *p, nfds_t max, int *timeout_ms)
{
    *timeout_ms = -1;
    return a->job ? jobread_waits(a->job, p, max, app_now_ms(), timeout_ms) : 0;
}

/* Attach, all at once, the stores that hold what a pane over all ranks shows. */
static void attach_ready(struct app *a)
{
    const struct job *j = session_job(a->s);
    bool first = true;
    for (size_t u = 0; u < j->n_units; u++) {
        struct err e = ERR_INIT;
        char path[1024];
        if (session_store(a->s, u) || a->tried[u] & TRIED_SMALL || !jobread_has(a->job, u) ||
            (a->worker && a->worker_unit == u))
            continue;
        a->tried[u] |= TRIED_SMALL;
        if (first)
            app_detach(a);
        first = false;
        if (store_cache_path(j->units[u]->root, path, sizeof path, &e) ||
            session_attach(a->s, u, path, false, &e))
            a->tried[u] |= TRIED_LOST; /* damaged, or somebody removed it: app_load_others() reads it again */
        a->dirty = true;
    }
}

bool app_job_attach(struct app *a)
{
    if (!a->job)
        return false;
    if (a->others_wait)
        attach_ready(a);
    a->others_wait = false;
    return true;
}
