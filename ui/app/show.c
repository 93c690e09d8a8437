/* SPDX-License-Identifier: Apache-2.0 */
/* Going from one pane to another. */
#include "config.h"

#include "base/clock.h"
#include "base/lang/tr.h"
#include "base/log.h"
#include "base/path.h"
#include "base/read/infile.h"
#include "base/sig.h"
#include "ui/app/app_int.h"
#include "ui/app/bench.h"
#include "ui/widget/term.h"
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void app_show_pane(struct app *a, enum pane_id id, bool jump)
{
    if (!jump)
        a->n_jumps = 0;
    else if (a->current != id && a->n_jumps < ARRAY_LEN(a->jumps))
        a->jumps[a->n_jumps++] = (struct jump){ .pane = a->current };
    a->current = id;
    if (a->was_stopped) /* read again what was not read then */
        app_detach(a);
    a->was_stopped = false;
    pane_show(app_pane(a));
}

bool app_show_view(struct app *a, const char *view_id, struct str filter)
{
    const struct view_def *d = view_def_find(view_id);
    if (!d)
        return false;
    app_show_pane(a, d->pane, true);
    return pane_open_view(app_pane(a), d, filter, tr_view(d->title));
}

void app_show_time(struct app *a, int64_t ts_ns, int64_t dur_ns)
{
    app_show_pane(a, PANE_TIME, true);
    pane_time_show(app_pane(a), ts_ns, dur_ns);
}

void app_show_text(struct app *a, const char *title, const struct buf *b)
{
    struct overlay *o;
    struct err e = ERR_INIT;

    if (buf_failed(b))
        app_say(a, ROLE_WARN, "the text is too long to be shown");
    else if (overlay_text(&o, tr(title), buf_str(b), &e))
        app_say_err(a, &e);
    else
        app_overlay(a, o);
}

void app_show_sql(struct app *a, struct str sql)
{
    app_show_pane(a, PANE_SQL, true);
    if (sql.n)
        pane_sql_set(app_pane(a), sql);
}

void app_offer_sql(struct app *a, struct str sql)
{
    app_show_pane(a, PANE_SQL, true);
    pane_sql_offer(app_pane(a), sql);
}

void app_set_steps(struct app *a, int64_t step0, int64_t step1)
{
    struct view_scope *s = session_scope(a->s);
    app_detach(a);
    s->step0 = step0;
    s->step1 = step1;
    if (step0 == INT64_MIN && step1 == INT64_MAX)
        app_say(a, ROLE_TEXT, "all steps");
}

void app_show_step(struct app *a, int64_t step)
{
    const struct view_scope *s = session_scope(a->s);
    const struct view_scope was = *s;
    size_t depth = a->n_jumps;
    app_set_steps(a, step, step);
    app_show_pane(a, PANE_OPS, true);
    pane_set_view(app_pane(a), app_pane(a)->view); /* q there comes back here, not to an op left open */
    if (a->n_jumps == depth)
        return; /* too many jumps: q goes to Triage */
    a->jumps[depth].steps = true;
    a->jumps[depth].step0 = was.step0;
    a->jumps[depth].step1 = was.step1;
}
