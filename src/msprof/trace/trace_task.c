/* SPDX-License-Identifier: Apache-2.0 */
/* Layer Ascend Hardware: tasks on their streams; a flow joins a host's call with its task. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "msprof/tables/ops.h"
#include "msprof/trace/trace.h"
#include "parsers/prof/comm/kfc.h"
#include "parsers/prof/device/streams.h"
#include "parsers/prof/words.h"

struct tasks {
    struct msprof_trace *t;
    struct trace_links links;
    struct trace_ids streams; /* threads */
    struct prof_streams map;
    struct msprof_calls part; /* of a partial export */
};

/* ---- names of tasks ---- */

static struct str device_type(const struct msprof_run *r, const struct prof_task *x)
{
    const char *word = x->source == PROF_BY_HWTS ? "Other" : prof_device_word(r->m.p, x);

    return word ? str_of(word) : STR("UNKNOWN");
}

/* The type that the host gives; for tasks of several kernels, and where the host gives none, the device's. */
static struct str type_of(const struct msprof_run *r, const struct prof_task *x)
{
    const struct prof_host_task *h = trace_host_task(r, x);
    struct str type = h ? prof_str(r->m.p, h->type) : STR("");

    return !h || str_eq(type, STR("FFTS_PLUS")) ? device_type(r, x) : type;
}

static const struct prof_op *op_of(const struct msprof_run *r, const struct prof_task *x)
{
    const struct prof_host_task *h = trace_host_task(r, x);

    return !h || h->op == PROF_NONE ? NULL : &r->m.host.op[h->op];
}

static bool is_copy(const struct msprof_run *r, const struct prof_task *x)
{
    const struct prof_host_task *h = trace_host_task(r, x);

    return h && h->is & PROF_IS_MEMCPY;
}

/* ---- events ---- */

static void put_task_args(const struct tasks *c, const struct prof_task *x, struct str type)
{
    struct msprof_trace *t = c->t;
    const struct prof_host_task *h = trace_host_task(t->r, x);

    trace_u(t, "Model Id", h ? h->model : PROF_NO_MODEL);
    trace_text(t, "Task Type", type);
    trace_u(t, "Physic Stream Id", x->stream);
    trace_u(t, "Task Id", x->task);
    trace_u(t, "Batch Id", x->batch);
    trace_u(t, "Subtask Id", x->context);
    trace_u(t, "connection_id", h && h->api != PROF_NONE ? h->api + (uint64_t)1 : TRACE_NO_LINK);
}

static void put_copy_args(const struct tasks *c, const struct prof_task *x, double span_ns)
{
    struct msprof_trace *t = c->t;
    const struct prof_host_task *h = trace_host_task(t->r, x);
    bool known = h->copy_kind != PROF_COPY_NONE;
    uint64_t size_b = known ? h->copy_b : 0;

    trace_u(t, "size(B)", size_b);
    trace_real(t, "bandwidth(GB/s)", span_ns > 0 ? (double)size_b / span_ns : 0);
    const char *word = prof_word(prof_copies, h->copy_kind);
    trace_word(t, "operation", word ? word : "other");
}

/* The other end of the flow that trace_cann() starts. */
static void put_flow(const struct tasks *c, const struct prof_task *x, uint32_t tid, int64_t ts)
{
    struct msprof_trace *t = c->t;
    const struct prof_host_task *h = trace_host_task(t->r, x);
    struct trace_flow f = { .tid = tid, .ts = ts };
    bool copy = is_copy(t->r, x), compute = h && h->op != PROF_NONE;

    if (!h || t->no_calls || !(copy || compute || h->api != PROF_NONE) ||
        (h->api == PROF_NONE && t->dialect == DIALECT_CPP))
        return;
    /* an arrow of an event begins at its call, if that is shown */
    if (!copy && !compute &&
        (!trace_is_event_call(t, &c->links, h->api) ||
         !trace_shows_call(t, &c->part, &t->r->m.host.api[h->api])))
        return;
    if (copy && h->api == PROF_NONE)
        return;
    if (t->dialect == DIALECT_CPP)
        f.id = trace_link(h->api);
    else
        f.id = copy ? trace_link(h->api) + UINT32_MAX : trace_task_id(t, t->device, x);
    trace_flow_end(t, &f);
}

static int put_task(struct tasks *c, const struct prof_task *x, struct err *e)
{
    struct msprof_trace *t = c->t;
    struct msprof_times when = msprof_times_of(t->r, t->device, x);
    const struct prof_op *op = op_of(t->r, x);
    bool copy = is_copy(t->r, x) && t->dialect == DIALECT_CPP;
    struct str type = type_of(t->r, x);
    struct trace_event v = { .word = "",
                             .text = op ? prof_str(t->r->m.p, op->name) : type,
                             .tid = prof_stream_logical(&c->map, x->stream),
                             .dur = TRACE_US };

    if (t->dialect == DIALECT_PYTHON) {
        v.ts = msprof_local_ns(&t->r->clock[t->device], when.start_ns);
        v.us = x->source == PROF_BY_AICPU ? when.span_ns / 1000 : emit_round(when.span_ns / 1000, 3);
    } else {
        v.ts = prof_device_ns(trace_folder(t), x->start);
        v.dur = (int64_t)when.span_ns;
    }
    trace_slice(t, &v);
    if (op && op->core != PROF_NONE)
        type = prof_str(t->r->m.p, op->core);
    put_task_args(c, x, copy ? device_type(t->r, x) : type);
    if (copy && t->r->m.host.has_memcpy)
        put_copy_args(c, x, when.span_ns);
    trace_end(t);
    put_flow(c, x, v.tid, v.ts);
    return trace_ids_add(&c->streams, v.tid, e);
}

/* Python names the threads of tasks that ran before the collection, too. */
static bool names_thread(const struct msprof_trace *t, const struct prof_task *x)
{
    return t->dialect == DIALECT_PYTHON && !t->r->o->partial && x->end >= x->start && !x->outer;
}

/* Copies come after all others in C++. */
static int put_tasks(struct tasks *c, bool copies, struct err *e)
{
    struct msprof_trace *t = c->t;
    const struct prof_device *d = &t->r->m.dev[t->device];

    for (size_t i = 0; i < d->n_tasks; i++) {
        if (i % 65536 == 0 && sink_cancelled(t->r->notes))
            return err_set(e, ERR_CANCELLED, "interrupted");
        const struct prof_task *x = &d->task[i];
        if ((t->dialect == DIALECT_PYTHON || is_copy(t->r, x) == copies) && trace_keeps(t, t->device, x) &&
            put_task(c, x, e))
            return e->code;
        if (names_thread(t, x) && trace_ids_add(&c->streams, prof_stream_logical(&c->map, x->stream), e))
            return e->code;
    }
    return OK;
}

/* ---- copies of 910A ---- */

/* What begins in the collection, or ends in it. */
static bool is_in_time(const struct msprof_trace *t, const struct prof_copy *x)
{
    const struct prof_folder *f = trace_folder(t);

    return t->r->o->partial || prof_device_ns(f, x->start) >= prof_begin_ns(f) ||
           prof_device_ns(f, x->end) > prof_begin_ns(f);
}

static int put_old_copies(struct tasks *c, struct err *e)
{
    struct msprof_trace *t = c->t;
    const struct prof_device *d = &t->r->m.dev[t->device];
    const struct msprof_clock *clock = &t->r->clock[t->device];

    for (size_t i = 0; i < d->n_copies && t->dialect == DIALECT_PYTHON; i++) {
        const struct prof_copy *x = &d->copy[i];
        if (!msprof_has_copy(t->r, t->device, i))
            continue;
        if (trace_ids_add(&c->streams, x->stream, e))
            return e->code;
        if (!is_in_time(t, x))
            continue;
        double start = msprof_dev(clock, x->start, 1e6), end = msprof_dev(clock, x->end, 1e6);
        struct trace_event v = { .word = "MemcopyAsync",
                                 .tid = x->stream,
                                 .ts = msprof_local_us(clock, start),
                                 .dur = TRACE_US,
                                 .us = end - start,
                                 .column = true };
        trace_slice(t, &v);
        trace_word(t, "Task Type", "other");
        trace_u(t, "Stream Id", x->stream);
        trace_u(t, "Task Id", x->task);
        trace_stamp(t, "Receive Time", msprof_local_us(clock, msprof_dev(clock, x->received, 1e6)));
        trace_stamp(t, "Start Time", v.ts);
        trace_stamp(t, "End Time", msprof_local_us(clock, end));
        trace_end(t);
    }
    return OK;
}

/* ---- turns of communication servers on AI CPUs ---- */

static void put_phase(struct msprof_trace *t, uint32_t tid, const struct prof_kfc_turn *x, unsigned i)
{
    const struct msprof_clock *clock = &t->r->clock[t->device];
    uint64_t span = x->at[i + 1] >= x->at[i] ? x->at[i + 1] - x->at[i] : 0;
    char name[48];
    struct trace_event v = { .word = name, .tid = tid };

    snprintf(name, sizeof name, "%s %u", prof_kfc_phase_word(x, i), (unsigned)x->turn);
    if (t->dialect == DIALECT_PYTHON) {
        v.ts = msprof_local_us(clock, msprof_dev(clock, x->at[i], 1e6));
        v.dur = TRACE_US;
        v.us = msprof_duration_us(clock, span);
    } else {
        v.ts = prof_device_ns(trace_folder(t), x->at[i]);
        v.dur = prof_device_ns(trace_folder(t), x->at[i] + span) - v.ts;
    }
    trace_slice(t, &v);
    trace_u(t, "Physic Stream Id", x->stream);
    trace_u(t, "Task Id", x->task);
    trace_end(t);
}

/* Turns of computing come first (kfc_task_processor.cpp). */
static int put_turns(struct tasks *c, struct err *e)
{
    struct msprof_trace *t = c->t;
    const struct prof_folder *f = trace_folder(t);
    struct prof_kfc k;

    (void)!prof_kfc_read(&k, t->r->m.p, f, t->r->m.host.expanded, e);
    for (int computes = 1; computes >= 0; computes--)
        for (size_t i = 0; i < k.n_turns && !e->code; i++) {
            const struct prof_kfc_turn *x = &k.turn[i];
            uint32_t tid = prof_stream_logical(&c->map, x->stream);
            for (unsigned n = 0; x->computes == computes && n < prof_kfc_phases(x); n++)
                if (t->dialect == DIALECT_PYTHON || prof_device_ns(f, x->at[n]) >= prof_begin_ns(f)) {
                    put_phase(t, tid, x, n);
                    (void)!trace_ids_add(&c->streams, tid, e);
                }
        }
    prof_kfc_done(&k);
    return e->code;
}

int trace_hardware(struct msprof_trace *t, struct err *e)
{
    struct tasks c = { .t = t, .links = trace_links_of(t), .part = msprof_calls_of(t->r, t->of) };

    if (prof_streams_read(&c.map, t->r->m.p, e) == OK && put_tasks(&c, false, e) == OK &&
        (t->dialect == DIALECT_PYTHON || put_tasks(&c, true, e) == OK) && put_old_copies(&c, e) == OK &&
        put_turns(&c, e) == OK && c.streams.n)
        (void)!trace_numbered(t, &c.streams, "Stream ", e);
    prof_streams_done(&c.map);
    free(c.streams.v);
    return e->code;
}
