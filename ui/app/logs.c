/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of the job, read in a thread while the screen is in use. */
#include "config.h"

#include <stdlib.h>
#include <time.h>

#include "analysis/log_rows.h"
#include "ui/app/app_int.h"

#define LOOK_MS 50 /* between two looks at whether they are read */

/*
 * Whether the logs are read and may be shown, begun now if they were not. Where keys are waited for they are
 * shown by app_logs_step() alone, which opens all panes anew: a pane that saw them come between two of its
 * frames would have its table from before. Elsewhere they are waited for.
 */
static bool is_read(struct app *a)
{
    const struct job_logs_opts o = { &a->o.logs, a->o.logs ? 1 : 0 };
    struct err e = ERR_INIT;

    if (a->o.no_logs || a->logs_failed)
        return false;
    if (!a->logs && job_logs_start(&a->logs, a->s, &o, &e)) {
        a->logs_failed = true;
        app_say_err(a, &e);
    }
    if (a->logs && !a->in_loop)
        a->logs_shown = job_logs_done(a->logs, true);
    return a->logs && a->logs_shown;
}

const struct job_logs *app_logs(struct app *a, const struct ending *x)
{
    struct err e = ERR_INIT;

    if (!is_read(a))
        return NULL;
    if (job_logs_judge(a->logs, a->s, x, &e)) {
        a->logs_failed = true;
        app_say_err(a, &e);
        return NULL;
    }
    return a->logs;
}

const struct job_logs *app_logs_known(const struct app *a)
{
    return a->logs_shown && !a->logs_failed ? a->logs : NULL;
}

bool app_logs_exist(const struct app *a)
{
    return a->logs_shown && !a->logs_failed && job_logs_all(a->logs);
}

/* With what all ranks that are loaded did last. */
static int make_rows(struct app *a, struct store **rows, struct err *e)
{
    size_t n = session_n_ranks(a->s), *ranks = calloc(n + 1, sizeof *ranks);
    struct ending *x = NULL;

    if (!ranks)
        return err_nomem(e);
    for (size_t i = 0; i < n; i++)
        ranks[i] = i;
    if ((!n || ending_make(&x, a->s, ranks, n, (int64_t)time(NULL) * 1000000000, e) == OK) &&
        (job_logs_verdict(a->logs) || job_logs_judge(a->logs, a->s, x, e) == OK))
        (void)!log_rows_make(rows, job_logs_all(a->logs), job_logs_verdict(a->logs), x, e);
    ending_free(x);
    free(ranks);
    return e->code;
}

bool app_logs_rows(struct app *a, bool *reading)
{
    struct store *rows = NULL;
    struct err e = ERR_INIT;
    bool read = is_read(a);

    if (reading)
        *reading = a->logs && !a->logs_failed && !read;
    if (!read || !job_logs_all(a->logs))
        return false;
    if (session_logs(a->s))
        return true;
    if (make_rows(a, &rows, &e)) {
        a->logs_failed = true;
        app_say_err(a, &e);
        return false;
    }
    session_attach_logs(a->s, rows);
    return true;
}

void app_logs_again(struct app *a)
{
    pane_detach(a->panes[PANE_LOG]);
    pane_detach(a->panes[PANE_FILES]);
    session_attach_logs(a->s, NULL);
}

void app_logs_step(struct app *a)
{
    if (a->logs && !a->logs_shown && !a->logs_failed && job_logs_done(a->logs, false)) {
        a->logs_shown = true;
        app_detach(a);
        a->dirty = true;
    }
}

int app_logs_ms(struct app *a)
{
    return a->logs && !a->logs_shown && !a->logs_failed ? LOOK_MS : -1;
}

void app_logs_drop(struct app *a)
{
    session_attach_logs(a->s, NULL);
    job_logs_free(a->logs);
    a->logs = NULL;
    a->logs_shown = a->logs_failed = false;
}
