/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of partial exports. */
#include "config.h"

#include "msprof/window.h"

bool msprof_window_has_step(const struct msprof_options *o, const struct prof_step *s)
{
    return !o->partial ||
           (s->model == o->model && s->index >= o->iteration && s->index - o->iteration < o->count);
}

struct msprof_window msprof_window_of(const struct msprof_options *o, const struct prof_steps *s)
{
    struct msprof_window w = { .from = UINT64_MAX, .to = 0 };

    if (!o->partial)
        return (struct msprof_window){ .from = 0, .to = UINT64_MAX };
    for (size_t i = 0; i < s->n_steps; i++) {
        const struct prof_step *x = &s->step[i];
        if (!msprof_window_has_step(o, x))
            continue;
        w.from = x->start < w.from ? x->start : w.from;
        w.to = x->end > w.to ? x->end : w.to;
    }
    /* the first iteration has all that was before it (ts_track_model.py) */
    if (o->iteration == 1 && w.from <= w.to)
        w.from = 0;
    return w;
}
