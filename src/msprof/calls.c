/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of partial exports. */
#include "config.h"

#include "msprof/calls.h"

/* End of an iteration of the model; other when there is no such iteration. */
static int64_t end_of(const struct msprof_run *r, size_t device, uint64_t iteration, int64_t other)
{
    const struct prof_steps *s = &r->steps[device];

    for (size_t i = s->n_steps; i-- > 0;)
        if (s->step[i].model == r->o->model && s->step[i].index == iteration)
            return prof_device_ns(r->m.dev[device].f, s->step[i].end);
    return other;
}

struct msprof_calls msprof_calls_of(const struct msprof_run *r, size_t device)
{
    struct msprof_calls all = { INT64_MIN, INT64_MAX };

    if (!r->o->partial || r->o->model == PROF_NO_MODEL || device >= r->m.n_dev)
        return all;
    return (struct msprof_calls){ end_of(r, device, r->o->iteration - 1, all.from),
                                  end_of(r, device, r->o->iteration + r->o->count - 1, all.to) };
}

bool msprof_calls_has(const struct msprof_run *r, const struct msprof_calls *w, const struct prof_api *a)
{
    if (w->from == INT64_MIN && w->to == INT64_MAX)
        return true;
    int64_t begin = prof_host_ns(r->m.p->host, a->begin);
    return (begin >= w->from && begin <= w->to) ||
           (begin <= w->from && prof_host_ns(r->m.p->host, a->end) >= w->from);
}
