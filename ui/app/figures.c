/* SPDX-License-Identifier: Apache-2.0 */
/* Steps and step time of a rank in the lists of runs and windows, from its store once that is read. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/triage.h"
#include "base/lang/tr.h"
#include "base/unit.h"
#include "ui/app/app_int.h"

#define SMALL_B ((uint64_t)64 << 20) /* units up to here are read while they are listed */

static size_t unit_of(const struct app *a, size_t rank)
{
    return session_rank(a->s, rank)->unit;
}

void figures_learn(struct app *a, size_t rank, struct rank_figures *f)
{
    struct err ignored = ERR_INIT;
    struct store *s = session_store(a->s, unit_of(a, rank));

    if (f->known || !s || session_is_partial(a->s, unit_of(a, rank)))
        return;
    f->known = triage_steps(s, session_scope(a->s), session_rank(a->s, rank)->rank, &f->steps, &f->step_ns,
                            &ignored) == OK;
}

void figures_text(const struct app *a, const struct rank_figures *f, char *buf, size_t room)
{
    const char *plural = f->steps == 1 ? "" : "s";
    char t[32];

    if (!f->known)
        snprintf(buf, room, tr("not read yet"));
    else if (isnan(f->step_ns) || a->cols < LIST_NARROW)
        snprintf(buf, room, tr("%" PRIu64 " step%s"), f->steps, plural);
    else
        snprintf(buf, room, tr("%" PRIu64 " step%s  %s/step"), f->steps, plural,
                 unit_time(t, sizeof t, f->step_ns, TIME_AUTO));
}

bool figures_want(const struct app *a, size_t rank, size_t unit)
{
    return unit_of(a, rank) == unit && session_job(a->s)->units[unit]->bytes <= SMALL_B;
}
