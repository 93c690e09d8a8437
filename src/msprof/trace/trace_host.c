/* SPDX-License-Identifier: Apache-2.0 */
/* Layer CANN: calls of the host, and where their flows to the devices begin. */
#include "config.h"

#include <stdlib.h>

#include "msprof/calls.h"
#include "msprof/tables/ops.h"
#include "msprof/trace/trace.h"

static const struct {
    unsigned level;
    const char *before;
} levels[] = {
    { PROF_L_ACL, "AscendCL@" },    { PROF_L_MODEL, "Model@" },
    { PROF_L_NODE, "Node@" },       { PROF_L_COMMUNICATION, "Communication@" },
    { PROF_L_RUNTIME, "Runtime@" },
};
/* Kinds of acl calls, by the high half of their type (doc/formats/prof.md#api_event). */
static const char *const acl_kinds[] = {
    [1] = "ACL_OP",     [2] = "ACL_MODEL",   [3] = "ACL_RTS",   [4] = "ACL_OTHERS",
    [5] = "ACL_NN",     [6] = "ACL_ASCENDC", [7] = "HOST_HCCL", [9] = "ACL_DVPP",
    [10] = "ACL_GRAPH", [11] = "ACL_ATB",    [12] = "HIXL",
};

struct calls {
    struct msprof_trace *t;
    struct trace_links links;
    struct msprof_calls part; /* of a partial export */
    uint8_t *copies;          /* a bit for each call: it made a copy */
};

static bool is_shown(const struct calls *c, const struct prof_api *a)
{
    return trace_shows_call(c->t, &c->part, a);
}

static const char *before_of(const struct prof_api *a)
{
    for (size_t i = 0; i < ARRAY_LEN(levels); i++)
        if (levels[i].level == a->level)
            return levels[i].before;
    return "Api@";
}

static void put_args(struct msprof_trace *t, const struct prof_api *a, uint32_t connection)
{
    struct prof *p = t->r->m.p;
    const char *level = prof_level_word(a->level);
    size_t kind = a->type >> 16;
    struct str type = prof_str(p, prof_type_text(p, a->level, a->type));

    trace_u(t, "Thread Id", a->thread);
    if (a->level != PROF_L_ACL)
        trace_text(t, "Mode", type);
    else if (kind < ARRAY_LEN(acl_kinds) && acl_kinds[kind])
        trace_word(t, "Mode", acl_kinds[kind]);
    else
        trace_number_text(t, "Mode", kind);
    if (level)
        trace_word(t, "level", level);
    else
        trace_number_text(t, "level", a->level);
    trace_text(t, "id", a->level == PROF_L_ACL ? type : STR("0"));
    if (a->level == PROF_L_MODEL || !a->item)
        trace_number_text(t, "item_id", a->item);
    else
        trace_text(t, "item_id", prof_str(p, prof_hash_text(p, a->item)));
    trace_u(t, "connection_id", connection);
}

static void put_call(const struct calls *c, uint32_t i)
{
    struct msprof_trace *t = c->t;
    const struct prof_api *a = &t->r->m.host.api[i];
    struct trace_event v = { .word = before_of(a),
                             .text = prof_str(t->r->m.p, prof_api_name(t->r->m.p, a)),
                             .tid = a->thread,
                             .ts = trace_host_ns(t, a->begin) };
    uint64_t counts = a->end >= a->begin ? a->end - a->begin : 0;

    if (t->dialect == DIALECT_PYTHON) {
        v.dur = TRACE_US;
        v.us = msprof_host_duration_us(&t->r->host_clock, counts);
    } else {
        v.dur = trace_host_ns(t, a->begin + counts) - v.ts;
    }
    trace_slice(t, &v);
    put_args(t, a, i + 1);
    trace_end(t);
    if (t->dialect == DIALECT_CPP &&
        (a->level == PROF_L_NODE || c->copies[i / 8] >> i % 8 & 1 || trace_is_event_call(t, &c->links, i)))
        trace_flow_start(t, &(struct trace_flow){ trace_link(i), a->thread, v.ts });
}

/* ---- where Python's flows begin ---- */

static void start_of_task(const struct calls *c, size_t device, const struct prof_task *x)
{
    struct msprof_trace *t = c->t;
    const struct prof_host *h = &t->r->m.host;
    const struct prof_host_task *y = trace_host_task(t->r, x);
    struct trace_flow f = { .id = trace_task_id(t, device, x) };

    if (!y || y->is & PROF_IS_MEMCPY)
        return;
    if (y->op != PROF_NONE) {
        f.tid = y->thread;
        f.ts = trace_host_ns(t, y->stamp);
    } else if (y->api != PROF_NONE && trace_is_event_call(t, &c->links, y->api) &&
               is_shown(c, &h->api[y->api])) {
        f.tid = h->api[y->api].thread;
        f.ts = trace_host_ns(t, h->api[y->api].begin);
    } else {
        return;
    }
    trace_flow_start(t, &f);
}

/* Starts are kept also of tasks that ran before the collection, or in other steps than those exported. */
static bool has_start(const struct msprof_trace *t, size_t device, const struct prof_task *x)
{
    bool cut = t->r->o->partial && (!msprof_is_uncut(t->r) || x->source == PROF_BY_AICPU);

    return cut ? trace_keeps(t, device, x) : x->end >= x->start && !x->outer;
}

/* At a call, if that is shown. */
static void start_at_call(const struct calls *c, uint32_t api, trace_id id)
{
    const struct prof_api *a = &c->t->r->m.host.api[api];

    if (is_shown(c, a))
        trace_flow_start(c->t, &(struct trace_flow){ id, a->thread, trace_host_ns(c->t, a->begin) });
}

static void starts_of_device(const struct calls *c, size_t device)
{
    struct msprof_trace *t = c->t;
    const struct prof_device *d = &t->r->m.dev[device];
    const struct prof_host *h = &t->r->m.host;
    const struct prof_comm *comm = &t->r->m.comm[device];

    for (size_t i = 0; i < d->n_tasks; i++)
        if (has_start(t, device, &d->task[i]))
            start_of_task(c, device, &d->task[i]);
    for (size_t i = 0; i < h->n_tasks; i++) {
        const struct prof_host_task *y = &h->task[i];
        if (y->device == d->f->device && y->is & PROF_IS_MEMCPY && y->api != PROF_NONE)
            start_at_call(c, y->api, trace_link(y->api) + UINT32_MAX);
    }
    for (size_t i = 0; i < comm->n_runs; i++) {
        uint32_t api = h->comm_op[comm->run[i].op].api;
        start_at_call(c, api, trace_link(api) - 1);
    }
}

/* ---- the layer ---- */

static int put_threads(const struct calls *c, struct err *e)
{
    const struct prof_host *h = &c->t->r->m.host;
    struct trace_ids threads = { .n = 0 };

    for (size_t i = 0; i < h->n_apis && !e->code; i++)
        if (is_shown(c, &h->api[i]))
            (void)!trace_ids_add(&threads, h->api[i].thread, e);
    if (!e->code && threads.n)
        (void)!trace_numbered(c->t, &threads, "Thread ", e);
    free(threads.v);
    return e->code;
}

/* Marks the calls whose copies the device ran. */
static void mark_copies(const struct calls *c, size_t device)
{
    const struct prof_device *d = &c->t->r->m.dev[device];

    for (size_t i = 0; i < d->n_tasks; i++) {
        const struct prof_host_task *y = trace_host_task(c->t->r, &d->task[i]);
        if (y && y->is & PROF_IS_MEMCPY && y->api < c->t->r->m.host.n_apis &&
            trace_keeps(c->t, device, &d->task[i]))
            c->copies[y->api / 8] |= (uint8_t)(1 << y->api % 8);
    }
}

static int put_calls(const struct calls *c, struct err *e)
{
    struct msprof_trace *t = c->t;
    const struct prof_host *h = &t->r->m.host;

    for (size_t i = 0; i < t->r->m.n_dev && t->dialect == DIALECT_CPP; i++)
        mark_copies(c, i);
    for (size_t i = 0; i < h->n_apis; i++) {
        if (i % 65536 == 0 && sink_cancelled(t->r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        if (is_shown(c, &h->api[i]))
            put_call(c, (uint32_t)i);
    }
    for (size_t i = 0; t->dialect == DIALECT_PYTHON && !t->no_calls && i < t->r->m.n_dev; i++)
        starts_of_device(c, i);
    return OK;
}

int trace_cann(struct msprof_trace *t, struct err *e)
{
    struct calls c = { .t = t, .links = trace_links_of(t), .part = msprof_calls_of(t->r, t->of) };

    if (put_threads(&c, e) || t->host_done)
        return e->code;
    t->host_done = true;
    if (!(c.copies = calloc(t->r->m.host.n_apis / 8 + 1, 1)))
        return err_nomem(e);
    (void)!put_calls(&c, e);
    free(c.copies);
    return e->code;
}
