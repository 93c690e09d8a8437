/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading in this process, where no cache can be kept: the screen shows how far it is as it does of a worker,
 * and Esc or ^C stop it (busy_tick()); other keys wait.
 */
#include "config.h"

#include "ui/app/app_int.h"
#include "ui/widget/term.h"

static void on_progress(void *app, const struct worker_status *s)
{
    struct app *a = app;

    a->here = *s;
    a->here.seconds = (double)(app_now_ms() - a->here_since_ms) / 1000;
    (void)busy_tick(a); /* a file that asks seldom is shown, too */
}

int here_load(struct app *a, size_t unit, bool again, struct err *e)
{
    const struct read_watch w = { on_progress, busy_tick, a };

    a->here = (struct worker_status){ 0 };
    a->here_since_ms = app_now_ms();
    a->here_unit = unit;
    busy_begin(a);
    int rc = a->o.load(a->o.arg, unit, again, &w, &a->worker, e);
    a->here_unit = SIZE_MAX;
    return rc;
}

bool here_show(struct app *a)
{
    struct err ignored = ERR_INIT;
    int cy, cx;

    if (a->here_unit == SIZE_MAX || !session_n_ranks(a->s) ||
        session_rank(a->s, session_current(a->s))->unit != a->here_unit || session_store(a->s, a->here_unit))
        return false;
    app_frame(a, &cy, &cx);
    (void)!term_flush(a->c, cy, cx, &ignored); /* the frame after it says what is wrong */
    app_detach(a);                             /* a store comes: views over all ranks are opened anew */
    return true;
}
