/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of the job, read in a thread while the screen is in use. */
#include "config.h"

#include "ui/app/app_int.h"

#define LOOK_MS 50 /* between two looks at whether they are read */

const struct job_logs *app_logs(struct app *a, const struct ending *x)
{
    const struct job_logs_opts o = { &a->o.logs, a->o.logs ? 1 : 0 };
    struct err e = { 0 };

    if (a->o.no_logs || a->logs_failed)
        return NULL;
    if (!a->logs && job_logs_start(&a->logs, a->s, &o, &e))
        a->logs_failed = true;
    if (!a->logs || !job_logs_done(a->logs, !a->in_loop))
        return NULL;
    a->logs_shown = true;
    if (job_logs_judge(a->logs, x, &e)) {
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
    job_logs_free(a->logs);
    a->logs = NULL;
    a->logs_shown = a->logs_failed = false;
}
