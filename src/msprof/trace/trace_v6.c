/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layers of V6 chips (doc/formats/msprof.md#timeline): Fusion Task, and Block Detail, which shows the first
 * and the last block of each task on either kind of core. Members and names as in msprof's
 * csrc/application/timeline/fusion_task_assembler.cpp and block_detail_assembler.cpp.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "msprof/trace/trace.h"
#include "parsers/prof/device/blocks.h"

#define NO_CONTEXT UINT32_MAX

/* ---- fusion tasks ---- */

static void put_fusion(struct msprof_trace *t, const struct prof_fusion_run *x)
{
    int64_t from = trace_device_ns(t, x->start);
    bool ccu = x->kinds & 0x18;

    trace_slice(t, &(struct trace_event){ .word = "Fusion ",
                                          .text = str_of(prof_fusion_word(x)),
                                          .ts = from,
                                          .dur = trace_device_ns(t, x->end) - from });
    trace_u(t, "Task Id", x->task);
    trace_u(t, "Acc Id", x->acc);
    const struct prof_task as = { .source = PROF_BY_ACSQ, .kind = x->sqe };
    const char *word = prof_device_word(t->r->m.p, &as);
    trace_word(t, "Task Type", word ? word : "UNKNOWN");
    trace_word(t, "Fusion Task Type", prof_fusion_word(x));
    if (ccu) {
        trace_u(t, "Mission Id", x->mission);
        trace_u(t, "Ccu Die Id", x->kinds >> 4);
    }
    trace_end(t);
}

int trace_fusion(struct msprof_trace *t, struct err *e)
{
    const struct prof_device *d = &t->r->m.dev[t->device];

    (void)e;
    for (size_t i = 0; i < d->n_fusion; i++)
        put_fusion(t, &d->fusion[i]);
    if (d->n_fusion)
        trace_metadata(t, &(struct trace_thread){ .before = "Fusion Task", .text = STR("") }, 1);
    return OK;
}

/* ---- blocks ---- */

/* By the number of a place: the first or last block on either kind of core. */
static const char *const places[] = { "AIC Earliest", "AIC Latest", "AIV Earliest", "AIV Latest" };
enum { N_PLACES = 4 };

struct shown { /* of a task */
    struct prof_block_run at[N_PLACES];
    bool has[2]; /* cube, vector */
};
struct blocks {
    const struct prof_device *d;
    struct prof_task_index *tasks; /* NULL, like of: there was no block yet */
    uint32_t *of;                  /* by task: its index in shown, from 1; 0: no blocks */
    struct shown *shown;
    size_t n, cap;
};

static int begin(struct blocks *g, struct err *e)
{
    g->of = calloc(g->d->n_tasks + 1, sizeof *g->of);
    return g->of ? prof_task_index_new(&g->tasks, g->d, e) : err_nomem(e);
}

static int on_block(void *arg, const struct prof_block_run *b, struct err *e)
{
    struct blocks *g = arg;

    if (!g->tasks && begin(g, e))
        return e->code;
    const struct prof_task *t = prof_task_index_at(g->tasks, b->task, b->end);

    if (!t || t->end < b->start)
        return OK;
    uint32_t *place = &g->of[t - g->d->task];
    if (!*place) {
        struct shown *v = grow_array(g->shown, g->n, &g->cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        g->shown = v;
        v[g->n++] = (struct shown){ .has = { false } };
        *place = (uint32_t)g->n;
    }
    struct shown *s = &g->shown[*place - 1];
    struct prof_block_run *first = &s->at[2 * b->vector], *last = first + 1;
    if (!s->has[b->vector] || b->start < first->start)
        *first = *b;
    if (!s->has[b->vector] || b->start >= last->start)
        *last = *b;
    s->has[b->vector] = true;
    return OK;
}

static void put_block(struct msprof_trace *t, const struct prof_task *x, unsigned place,
                      const struct prof_block_run *b)
{
    const struct prof_host_task *h = trace_host_task(t->r, x);
    int64_t from = trace_device_ns(t, b->start);
    struct str op = h && h->op != PROF_NONE ? prof_str(t->r->m.p, t->r->m.host.op[h->op].name) : STR("");
    char name[200];
    int n = snprintf(name, sizeof name, "%u %.*s", (unsigned)x->stream, (int)(op.n < 160 ? op.n : 160), op.p);

    trace_slice(t, &(struct trace_event){ .word = "Stream ",
                                          .text = { name, (size_t)n },
                                          .tid = place + 1,
                                          .ts = from,
                                          .dur = trace_device_ns(t, b->end) - from });
    trace_u(t, "Physic Stream Id", x->stream);
    trace_u(t, "Task Id", x->task);
    trace_u(t, "Batch Id", x->batch);
    trace_u(t, "Subtask Id", NO_CONTEXT);
    trace_u(t, "Core Id", b->core);
    trace_end(t);
}

static void put_blocks(struct msprof_trace *t, const struct blocks *g)
{
    struct trace_thread v[N_PLACES];
    bool used[N_PLACES] = { false };
    size_t n = 0;

    for (size_t i = 0; i < g->d->n_tasks; i++)
        for (unsigned k = 0; g->of[i] && k < N_PLACES; k++)
            if (g->shown[g->of[i] - 1].has[k / 2]) {
                put_block(t, &g->d->task[i], k, &g->shown[g->of[i] - 1].at[k]);
                used[k] = true;
            }
    for (uint32_t k = 0; k < N_PLACES; k++)
        if (used[k])
            v[n++] =
                (struct trace_thread){ .tid = k + 1, .before = places[k], .text = STR(""), .sort = k + 1 };
    if (n)
        trace_metadata(t, v, n);
}

int trace_blocks(struct msprof_trace *t, struct err *e)
{
    const struct prof_folder *f = trace_folder(t);
    struct blocks g = { .d = &t->r->m.dev[t->device] };

    if (!t->r->m.p->chip->v6 || !prof_has(f, PROF_FFTS))
        return OK;
    if (prof_blocks_counted(t->r->m.p, f, on_block, &g, e) == OK && g.of)
        put_blocks(t, &g);
    prof_task_index_free(g.tasks);
    free(g.of);
    free(g.shown);
    return e->code;
}
