/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements that take long: after a moment the message row says so, and Esc or ^C stops them
 * (doc/screens.md#keys, #response-times, doc/style.md#screen). The stores call busy_tick() while they run a
 * statement; keys that come meanwhile wait.
 */
#include "config.h"

#include <string.h>

#include "base/lang/tr.h"
#include "base/sig.h"
#include "base/unit.h"
#include "ui/app/app_int.h"
#include "ui/widget/term.h"

#define SAY_AFTER_MS 300
#define LOOK_MS      50  /* between two looks at the keyboard */
#define SAY_EVERY_MS 250 /* at most four redraws a second */

void busy_begin(struct app *a)
{
    a->busy_since_ms = app_now_ms();
    a->busy_looked_ms = a->busy_since_ms;
    a->busy_shown_ms = 0;
    a->stopped = false;
}

/* Reading in this process has the screen, other work its message row. */
static void say_working(struct app *a, int64_t ms)
{
    struct screen_layout l;
    struct canvas *c;
    struct err ignored = ERR_INIT;
    char t[40];
    screen_layout(a->rows, a->cols, &l);
    if (l.message < 0 || canvas_new(&c, 1, a->cols, a->flags, &ignored))
        return;
    unit_rough_time(t, sizeof t, (double)ms * 1e6);
    draw_printf(c, 0, 0, a->cols, ROLE_TEXT, tr("working, %s   Esc stops"), t);
    term_show_line(c, l.message);
    canvas_free(c);
}

bool busy_tick(void *app)
{
    struct app *a = app;
    if (a->stopped || sig_stop())
        return true;
    if (!term_is_open())
        return false;
    int64_t now = app_now_ms(), ms = now - a->busy_since_ms;
    if (ms < SAY_AFTER_MS || now - a->busy_looked_ms < LOOK_MS)
        return false;
    a->busy_looked_ms = now;
    if (now - a->busy_shown_ms >= SAY_EVERY_MS) {
        a->busy_shown_ms = now;
        if (!here_show(a))
            say_working(a, ms);
    }
    if (!term_stop_asked())
        return false;
    a->stopped = a->was_stopped = true;
    app_say(a, ROLE_WARN, "stopped; what is shown may not be complete, a pane key asks again");
    return true;
}
