/* SPDX-License-Identifier: Apache-2.0 */
/* Steps from step marks. */
#include "config.h"

#include "parsers/mindspore/mark_steps.h"

#include <stdlib.h>

#include "base/grow.h"

/* The step that was given is over: the next one begins with its end. */
static void next_step(struct steps *s)
{
    s->start_ticks = s->end_ticks;
    s->has_start = s->has_end;
    s->has_fp = s->has_bp = s->has_end = s->begun = s->given = false;
    s->n_comms = 0;
}

static bool add_comm(struct steps *s, const struct step_mark *m, struct err *e)
{
    if (s->n_comms == STEP_COMMS)
        return true;
    struct step_comm *v = grow_array(s->comms, s->n_comms, &s->cap, sizeof *v, 64);
    if (!v) {
        err_nomem(e);
        return false;
    }
    s->comms = v;
    v[s->n_comms] = (struct step_comm){ .stream = m->stream,
                                        .task = m->task,
                                        .tag = m->tag,
                                        .ticks = m->ticks,
                                        .order = (uint32_t)s->n_comms,
                                        .first = m->first,
                                        .where = m->where };
    s->n_comms++;
    return true;
}

bool steps_add(struct steps *s, const struct step_mark *m, struct err *e)
{
    if (m->after_gap) {
        next_step(s);
        s->has_start = false;
    }
    if (m->kind == MARK_OTHER)
        return false;
    if (s->given)
        next_step(s);
    if (!s->begun)
        s->where = m->where;
    s->begun = true;
    switch (m->kind) {
    case MARK_FP:
        s->fp_ticks = m->ticks;
        s->has_fp = m->ticks != 0;
        return false;
    case MARK_BP:
        s->bp_ticks = m->ticks;
        s->has_bp = m->ticks != 0;
        return false;
    case MARK_COMM:
        (void)add_comm(s, m, e);
        return false;
    default:
        break;
    }
    s->end_ticks = m->ticks;
    s->has_end = m->ticks != 0;
    s->given = true;
    if (s->skip_first) {
        s->skip_first = false;
        return false;
    }
    s->number++;
    return true;
}

bool steps_whole(const struct steps *s)
{
    return s->has_fp && s->has_bp && s->has_end;
}

bool steps_cut(struct steps *s)
{
    if (s->given)
        next_step(s);
    s->number += s->begun;
    return s->begun;
}

void steps_done(struct steps *s)
{
    free(s->comms);
    *s = (struct steps){ .number = 0 };
}
