/* SPDX-License-Identifier: Apache-2.0 */
/* Layer Overlap Analysis: when the device computed, communicated, did only one of both, and nothing. */
#include "config.h"

#include "msprof/trace/trace.h"
#include "parsers/prof/device/overlap.h"

static void put_pieces(struct msprof_trace *t, const struct prof_overlap *o)
{
    for (unsigned k = 0; k < N_OVERLAP_KINDS; k++)
        for (size_t i = 0; i < o->of[k].n; i++) {
            const struct span *s = &o->of[k].v[i];
            if (o->whole && !trace_reaches(t, (uint64_t)s->from, (uint64_t)s->to))
                continue;
            struct trace_event v = { .word = prof_overlap_words[k],
                                     .tid = k,
                                     .ts = trace_device_ns(t, (uint64_t)s->from) };
            v.dur = trace_device_ns(t, (uint64_t)s->to) - v.ts;
            if (t->dialect == DIALECT_PYTHON) {
                trace_bare_slice(t, &v);
            } else {
                trace_slice(t, &v);
                trace_end(t);
            }
        }
}

/* Python's metadata stays when all pieces lie before the collection. */
static bool has_pieces_before(const struct msprof_trace *t)
{
    const struct prof_device *d = &t->r->m.dev[t->device];

    for (size_t i = 0; t->dialect == DIALECT_PYTHON && !t->r->o->partial && i < d->n_tasks; i++) {
        const struct prof_host_task *y = trace_host_task(t->r, &d->task[i]);
        if (y && (y->op != PROF_NONE || (y->is & PROF_IS_COMM && y->comm_op != PROF_NONE)))
            return true;
    }
    return false;
}

int trace_overlap(struct msprof_trace *t, struct err *e)
{
    struct trace_thread threads[N_OVERLAP_KINDS];
    struct prof_overlap o = { .like_cpp = t->r->o->compat && t->dialect == DIALECT_CPP,
                              .like_python = t->r->o->compat && t->dialect == DIALECT_PYTHON,
                              .whole = trace_is_cut_late(t),
                              .cut_aicpu = t->r->o->partial };
    const struct msprof_run *r = t->r;
    size_t n = 0;

    for (unsigned k = 0; k < N_OVERLAP_KINDS; k++)
        threads[k] =
            (struct trace_thread){ .tid = k, .before = prof_overlap_words[k], .sort = k, .no_sort = true };
    if (prof_overlap_make(&o, r->m.p, &r->m.dev[t->device], &r->m.host, &r->m.comm[t->device],
                          &r->how[t->device], e) == OK) {
        bool before = has_pieces_before(t);
        /* a device that ran no op has no free time in Python's half (pipeline_overlap_viewer.py) */
        bool idle =
            t->dialect == DIALECT_PYTHON && !o.of[OVERLAP_COMPUTING].n && !o.of[OVERLAP_COMM].n && !before;
        for (unsigned k = 0; k < N_OVERLAP_KINDS && !idle; k++)
            n += o.of[k].n;
        if (n || before)
            trace_metadata(t, threads, N_OVERLAP_KINDS);
        if (!idle)
            put_pieces(t, &o);
    }
    prof_overlap_done(&o);
    return e->code;
}
