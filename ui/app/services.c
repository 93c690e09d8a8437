/* SPDX-License-Identifier: Apache-2.0 */
/* Services for panes and the rest of the screen: the session, the message line, overlays, the time. */
#include "config.h"

#include "base/clock.h"
#include "base/lang/said.h"
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

struct session *app_session(struct app *a)
{
    return a->s;
}

const struct keymap *app_keys(const struct app *a)
{
    return a->keys;
}

bool app_slow(const struct app *a)
{
    return a->o.slow;
}

struct cell_units app_units(const struct app *a)
{
    return a->units;
}

bool app_ascii(const struct app *a)
{
    return (a->flags & TEXT_ASCII) != 0;
}

struct pane *app_pane(struct app *a)
{
    return a->panes[a->current];
}

int64_t app_now_ms(void)
{
    return clock_ns(CLOCK_MONOTONIC) / 1000000;
}

void app_say(struct app *a, enum role r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(a->message, sizeof a->message, tr(fmt), ap);
    va_end(ap);
    a->message_role = r;
    a->message_path = 0;
    a->dirty = true;
}

void app_say_err(struct app *a, const struct err *e)
{
    char text[512];
    app_say(a, ROLE_WARN, "%s", tr_said_error(e, text, sizeof text));
    a->message_path = strlen(e->file);
    a->damaged |= e->code == ERR_STORE;
}

void app_overlay(struct app *a, struct overlay *o)
{
    overlay_free(a->overlay);
    a->overlay = o;
}

struct str app_pasted(void)
{
    return term_pasted();
}
