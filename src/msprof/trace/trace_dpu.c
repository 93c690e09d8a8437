/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer of the DPUs (doc/formats/msprof.md#timeline): a process for each. Arguments: dpu_assembler.cpp and
 * dpu_viewer.py of Ascend/msprof.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "msprof/dpu.h"
#include "msprof/trace/trace.h"
#include "parsers/prof/host/dpu.h"

#define DEVICES 4096 /* ids have 12 bits */

/* C++ leaves out tasks that began before the collection. */
static bool is_shown(const struct msprof_trace *t, const struct prof_dpu_task *x)
{
    const struct prof_folder *f = t->r->m.p->host;

    return t->dialect == DIALECT_PYTHON || prof_host_ns(f, x->start) >= prof_begin_ns(f);
}

static void put_task(struct msprof_trace *t, const struct prof_dpu_task *x)
{
    const struct msprof_clock *c = &t->r->host_clock;
    uint64_t span = x->end > x->start ? x->end - x->start : 0;
    struct trace_event v = { .word = "",
                             .text = x->name == PROF_NONE ? STR("N/A") : prof_str(t->r->m.p, x->name),
                             .tid = x->stream,
                             .ts = trace_host_ns(t, x->start) };
    double us;

    if (t->dialect == DIALECT_PYTHON) {
        v.dur = TRACE_US;
        us = v.us = msprof_host_duration_us(c, span);
    } else {
        v.dur = trace_host_ns(t, x->start + span) - v.ts;
        us = (double)v.dur / 1000.0;
    }
    trace_slice(t, &v);
    msprof_dpu_args(t->r->m.p, x, us, t->dialect ? MSPROF_DPU_PYTHON : MSPROF_DPU_TRACE,
                    &(struct msprof_args){ trace_put_arg, t });
    trace_end(t);
}

/* One DPU: its process with its streams, then its tasks. */
static int put_device(struct msprof_trace *t, const struct prof_dpu *d, uint16_t device, struct err *e)
{
    struct trace_ids streams = { .n = 0 };
    char label[16];

    snprintf(label, sizeof label, "DPU %u", (unsigned)device);
    t->label = str_of(label);
    t->pid = trace_profiled_pid(t) << 10 | (uint64_t)t->sort << 5 | device;
    for (size_t i = 0; i < d->n && !e->code; i++)
        if (d->v[i].device == device && is_shown(t, &d->v[i]))
            (void)!trace_ids_add(&streams, d->v[i].stream, e);
    if (!e->code && streams.n)
        (void)!trace_numbered(t, &streams, "Stream ", e);
    free(streams.v);
    for (size_t i = 0; i < d->n && !e->code; i++)
        if (d->v[i].device == device && is_shown(t, &d->v[i]))
            put_task(t, &d->v[i]);
    t->label = STR_NULL;
    return e->code;
}

int trace_dpu(struct msprof_trace *t, struct err *e)
{
    struct prof_dpu d;

    if (t->dpu_done)
        return OK;
    t->dpu_done = true;
    (void)!prof_dpu_read(&d, t->r->m.p, e);
    bool *seen = d.n && !e->code ? calloc(DEVICES, sizeof *seen) : NULL;
    if (d.n && !e->code && !seen)
        (void)err_nomem(e);
    for (size_t i = 0; i < d.n && seen; i++)
        seen[d.v[i].device] = true;
    for (uint16_t i = 0; seen && i < DEVICES && !e->code; i++)
        if (seen[i])
            (void)!put_device(t, &d, i, e);
    free(seen);
    prof_dpu_done(&d);
    return e->code;
}
