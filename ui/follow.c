/* A run that is still written: what was added is read every few seconds (ux.md section 10, --follow; schema.md 1.13). */
#include "config.h"

#include "base/clock.h"
#include "run/state.h"
#include "ui/app_int.h"

#define IMPORTS_APART 5 /* at least so many times as long as one takes */

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

/* A run that is not written any more is told so, though none of its files has changed. */
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

/* Whoever types, reads a text or was asked something is not disturbed. */
static bool is_occupied(const struct app *a)
{
    return a->worker || a->overlay || a->prompt || a->pending;
}

void app_follow(struct app *a)
{
    struct err e = ERR_INIT;
    size_t unit = current_unit(a);
    bool changed = false;
    uint64_t bytes;
    if (a->o.follow_ms <= 0 || app_now_ms() < a->follow_due_ms)
        return;
    wait_more(a);
    if (is_occupied(a) || unit == SIZE_MAX || !a->o.changed || session_is_partial(a->s, unit))
        return;
    if (a->o.changed(a->o.arg, unit, &changed, &bytes, &e))
        app_say_err(a, &e);
    else if (changed)
        app_load(a, true);
    else
        renew_state(a, unit);
}
