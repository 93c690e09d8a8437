/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks and ranges that the program reports itself (doc/formats/msprof.md#timeline): threads of a layer that
 * has the program's name; marks that devices met are on their streams, with a flow from the host. Arguments
 * and ids: msprof_tx_assembler.cpp, device_tx_assembler.cpp and msproftx_viewer.py of Ascend/msprof.
 */
#include "config.h"

#include <stdlib.h>

#include "msprof/trace/trace.h"
#include "parsers/prof/words.h"

/* ---- on the host ---- */

static int64_t from_to(const struct msprof_trace *t, const struct prof_tx *x)
{
    return x->end > x->start ? trace_host_ns(t, x->end) - trace_host_ns(t, x->start) : 0;
}

static void put_args(struct msprof_trace *t, const struct prof_tx *x)
{
    const char *kind = prof_word(prof_tx_events, x->event);

    if (x->on_device) {
        trace_word(t, "event_type", kind ? kind : "");
        trace_text(t, "domain", x->domain == PROF_NONE ? STR("invalid") : prof_str(t->r->m.p, x->domain));
        return;
    }
    trace_number_text(t, "Category", x->category);
    if (t->dialect == DIALECT_PYTHON)
        trace_i(t, "Payload_type", x->payload_type);
    else
        trace_u(t, "Payload_type", (uint32_t)x->payload_type);
    trace_u(t, "Payload_value", x->payload);
    if (t->dialect == DIALECT_PYTHON)
        trace_i(t, "Message_type", x->message_type);
    else
        trace_u(t, "Message_type", (uint32_t)x->message_type);
    trace_word(t, "event_type", kind ? kind : "");
}

static void put_tx(struct msprof_trace *t, const struct prof_tx *x)
{
    struct trace_event v = { .word = "",
                             .text = prof_str(t->r->m.p, x->message),
                             .tid = x->thread,
                             .ts = trace_host_ns(t, x->start) };

    if (t->dialect == DIALECT_PYTHON) {
        v.dur = TRACE_US;
        v.us = msprof_host_duration_us(&t->r->host_clock, x->end > x->start ? x->end - x->start : 0);
    } else {
        v.dur = from_to(t, x);
    }
    trace_slice(t, &v);
    put_args(t, x);
    trace_end(t);
    if (x->on_device)
        trace_tx_start(t, &(struct trace_flow){ trace_tx_link(t, x->mark), x->thread, v.ts });
}

/* C++ leaves out marks that began before the collection. */
static bool is_shown(const struct msprof_trace *t, const struct prof_tx *x)
{
    const struct prof_folder *f = t->r->m.p->host;

    return t->dialect == DIALECT_PYTHON || prof_host_ns(f, x->start) >= prof_begin_ns(f);
}

int trace_tx(struct msprof_trace *t, struct err *e)
{
    const struct prof_txs *x = &t->r->tx;
    struct str name = t->r->m.p->host->meta.pid_name;
    struct trace_ids threads = { .n = 0 };

    if (t->tx_done)
        return OK;
    t->tx_done = true;
    t->name = name.n ? name : STR("PID Name");
    for (size_t i = 0; i < x->n && !e->code; i++)
        if (is_shown(t, &x->v[i])) {
            put_tx(t, &x->v[i]);
            (void)!trace_ids_add(&threads, x->v[i].thread, e);
        }
    if (!e->code && threads.n)
        (void)!trace_numbered(t, &threads, "Thread ", e);
    free(threads.v);
    return e->code;
}

/* ---- on a device ---- */

/*
 * compat: a mark that the host does not report gets the name of the one before it (device_tx_assembler.cpp
 * keeps the name).
 */
static struct str name_of(const struct msprof_trace *t, const struct prof_tx_met *m, struct str *before)
{
    const struct prof_tx *x = prof_txs_find(&t->r->tx, m->mark);
    struct str s = x ? prof_str(t->r->m.p, x->message) : STR("N/A");

    if (t->dialect == DIALECT_PYTHON)
        return s.n ? s : STR("N/A");
    if (!x && t->r->o->compat)
        return *before;
    return *before = s;
}

static void put_met(struct msprof_trace *t, const struct prof_tx_met *m, struct str name)
{
    const struct msprof_clock *c = &t->r->clock[t->device];
    const struct prof_folder *f = trace_folder(t);
    struct trace_event v = { .word = "", .text = name, .tid = m->stream };

    if (t->dialect == DIALECT_PYTHON) {
        v.ts = msprof_local_us(c, msprof_dev(c, m->start, 1e6));
        v.dur = TRACE_US;
        v.us = msprof_duration_us(c, m->end - m->start);
    } else {
        v.ts = prof_device_ns(f, m->start);
        v.dur = prof_device_ns(f, m->end) - v.ts;
    }
    trace_slice(t, &v);
    trace_u(t, "Physic Stream Id", m->stream);
    trace_u(t, "Task Id", m->task);
    trace_end(t);
    trace_tx_end(t, &(struct trace_flow){ trace_tx_link(t, m->mark), m->stream, v.ts });
}

int trace_tx_device(struct msprof_trace *t, struct err *e)
{
    const struct msprof_met *met = &t->r->met[t->device];
    const struct prof_folder *f = trace_folder(t);
    struct trace_ids streams = { .n = 0 };
    struct str before = STR("N/A");

    for (size_t i = 0; i < met->n && !e->code; i++) {
        const struct prof_tx_met *m = &met->v[i];
        if (m->open || (t->dialect == DIALECT_CPP && prof_device_ns(f, m->start) < prof_begin_ns(f)))
            continue;
        put_met(t, m, name_of(t, m, &before));
        (void)!trace_ids_add(&streams, m->stream, e);
    }
    if (!e->code && streams.n)
        (void)!trace_numbered(t, &streams, "Stream ", e);
    free(streams.v);
    return e->code;
}
