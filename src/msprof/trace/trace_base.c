/* SPDX-License-Identifier: Apache-2.0 */
/* Process ids, clocks, and connections of calls and tasks for all layers; which calls are kept. */
#include "config.h"

#include "msprof/tables/ops.h"
#include "msprof/trace/trace.h"

struct prof_folder *trace_folder(const struct msprof_trace *t)
{
    return t->device == TRACE_HOST ? t->r->m.p->host : t->r->m.p->device[t->device];
}

/* The id of the profiled process; a folder without it takes that of the host, or of a device. */
static uint64_t profiled_pid(const struct msprof_run *r, const struct prof_folder *f)
{
    int64_t pid = f ? f->meta.pid : 0;

    if (!pid && r->m.p->host)
        pid = r->m.p->host->meta.pid;
    for (size_t i = 0; i < r->m.n_dev && !pid; i++)
        pid = r->m.p->device[i]->meta.pid;
    return pid > 0 ? (uint64_t)pid : 0;
}

uint64_t trace_profiled_pid(const struct msprof_trace *t)
{
    return profiled_pid(t->r, trace_folder(t));
}

uint64_t trace_pid(const struct msprof_trace *t, unsigned sort, size_t device)
{
    const struct msprof_run *r = t->r;
    const struct prof_folder *f = device == TRACE_HOST ? r->m.p->host : r->m.p->device[device];
    uint64_t number = device == TRACE_HOST ? TRACE_HOST_DEVICE : (uint64_t)f->device;

    return profiled_pid(r, f) << 10 | (uint64_t)sort << 5 | number;
}

int64_t trace_device_ns(const struct msprof_trace *t, uint64_t counter)
{
    const struct msprof_clock *c = &t->r->clock[t->device];

    return t->dialect == DIALECT_PYTHON ? msprof_local_ns(c, msprof_dev(c, counter, 1e9))
                                        : prof_device_ns(trace_folder(t), counter);
}

int64_t trace_host_ns(const struct msprof_trace *t, uint64_t counter)
{
    const struct msprof_clock *c = &t->r->host_clock;

    return t->dialect == DIALECT_PYTHON ? msprof_local_us(c, msprof_host_us(c, counter))
                                        : prof_host_ns(t->r->m.p->host, counter);
}

struct trace_links trace_links_of(struct msprof_trace *t)
{
    return (struct trace_links){ prof_text(t->r->m.p, STR("aclrtRecordEvent")),
                                 prof_text(t->r->m.p, STR("aclrtStreamWaitEvent")) };
}

bool trace_is_event_call(struct msprof_trace *t, const struct trace_links *l, uint32_t api)
{
    const struct prof_api *a = &t->r->m.host.api[api];

    if (a->level != PROF_L_ACL)
        return false;
    uint32_t name = prof_api_name(t->r->m.p, a);
    return name != PROF_NONE && (name == l->record || name == l->wait);
}

bool trace_shows_call(const struct msprof_trace *t, const struct msprof_calls *part, const struct prof_api *a)
{
    const struct msprof_run *r = t->r;
    bool kept = t->dialect == DIALECT_PYTHON ? prof_api_begins_kept(r->m.p, &r->m.host, a)
                                             : prof_api_is_kept(r->m.p, &r->m.host, a);

    return kept && msprof_calls_has(r, part, a);
}

trace_id trace_task_id(const struct msprof_trace *t, size_t device, const struct prof_task *x)
{
    return ((trace_id)(unsigned)t->r->m.p->device[device]->device << 80) + ((trace_id)x->stream << 64) +
           ((trace_id)x->task << 48) + ((trace_id)x->batch << 32) + x->context;
}

bool trace_keeps(const struct msprof_trace *t, size_t device, const struct prof_task *x)
{
    return x->end >= x->start && !x->outer &&
           (x->source != PROF_BY_HWTS || x->start >= t->r->how[device].log_from) &&
           prof_keeps_task(&t->r->how[device], t->r->m.p->device[device], x->start, x->end);
}

bool trace_is_cut_late(const struct msprof_trace *t)
{
    const struct msprof_run *r = t->r;

    return r->o->compat && t->dialect == DIALECT_PYTHON && r->m.p->chip->scheduler == CHIP_HWTS &&
           (!r->o->partial || msprof_is_uncut(r));
}

bool trace_reaches(const struct msprof_trace *t, uint64_t from, uint64_t to)
{
    const struct prof_folder *f = t->r->m.p->device[t->device];
    const struct prof_how *how = &t->r->how[t->device];
    int64_t begin = prof_begin_ns(f);

    if (t->r->o->partial)
        return (how->from <= from && from < how->to) || (from < how->from && how->from < to);
    return prof_device_ns(f, from) >= begin || prof_device_ns(f, to) > begin;
}
