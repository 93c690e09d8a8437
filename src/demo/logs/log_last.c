/* SPDX-License-Identifier: Apache-2.0 */
/* What a rank did last: the same walk that its records are written from, to where it was cut. */
#include "config.h"

#include "demo/logs/log_last.h"

#include <stdio.h>

#define TRACKS_MAX 8

struct last {
    char track[24];
    const char *done, *running; /* names of ops, NULL: none */
    bool done_cpu, running_cpu;
    int64_t done_ns, running_ns;
};

struct lasts {
    struct last v[TRACKS_MAX];
    size_t n;
    char comm[2][64];
};

static struct last *track_of(struct lasts *x, const char *track)
{
    for (size_t i = 0; i < x->n; i++)
        if (!strcmp(x->v[i].track, track))
            return &x->v[i];
    struct last *t = &x->v[x->n < TRACKS_MAX ? x->n++ : TRACKS_MAX - 1];
    *t = (struct last){ .done = NULL };
    str_copy(str_of(track), t->track, sizeof t->track);
    return t;
}

static void take_kernel(struct lasts *x, const struct demo_walk *w, const struct demo_cut *c,
                        const struct demo_kernel *k)
{
    const struct demo_op *op = &w->run->net->op[k->op];
    const int64_t end = k->start_ns + k->dur_ns;
    const bool cpu = demo_op_type(op)->core == DEMO_AICPU;
    char track[24];

    if (!demo_cut_kernel_started(c, &w->step, k))
        return;
    snprintf(track, sizeof track, "Stream %u", cpu ? (unsigned)DEMO_STREAM_AICPU : op->stream);
    struct last *t = track_of(x, track);
    if (demo_cut_is_stuck(c, &w->step, k) || !demo_cut_happened(c, &w->step, end)) {
        t->running = op->leaf;
        t->running_cpu = cpu;
        t->running_ns = k->start_ns;
    } else if (!t->done || end > t->done_ns) {
        t->done = op->leaf;
        t->done_cpu = cpu;
        t->done_ns = end;
    }
}

/* Names of communication ops are of the group, not of the network: those of generation 2. */
static void take_comm(struct lasts *x, const struct demo_walk *w, const struct demo_cut *c,
                      const struct demo_comm *k)
{
    const bool gen1 = w->run->o.gen == 1;

    if (!demo_cut_comm_started(c, &w->step, k))
        return;
    struct last *t = track_of(x, "Communication");
    const bool ended = demo_cut_comm_ended(c, &w->step, k);
    if (!gen1)
        demo_comm_name(w->run, w->rank, k, x->comm[ended], sizeof x->comm[ended]);
    const char *name = gen1 ? w->run->net->comm[k->op].leaf : x->comm[ended];
    if (!ended) {
        t->running = name;
        t->running_ns = k->start_ns;
    } else {
        t->done = name;
        t->done_ns = k->start_ns + k->dur_ns;
    }
}

static void put(struct emit *o, bool *first, const struct last *t, bool running, int64_t origin_ns)
{
    const char *name = running ? t->running : t->done;

    if (!name)
        return;
    emit_fmt(o, "%s\n    {\"track\": \"%s\", \"op\": \"%s\", \"cpu\": %s, \"state\": \"%s\", \"ts_ns\": %i}",
             *first ? "" : ",", t->track, name, (running ? t->running_cpu : t->done_cpu) ? "true" : "false",
             running ? "running" : "done", origin_ns + (running ? t->running_ns : t->done_ns));
    *first = false;
}

static void put_steps(struct emit *o, const struct demo_cut *c, const struct demo_run *r, bool cut)
{
    if (c->step)
        emit_fmt(o, ",\n   \"last_complete_step\": %u", r->first_step + c->step - 1);
    else
        emit_s(o, ",\n   \"last_complete_step\": null");
    if (cut)
        emit_fmt(o, ", \"cut_step\": %u", r->first_step + c->step);
    else
        emit_s(o, ", \"cut_step\": null");
}

int log_last_put(struct emit *o, const struct logs *l, int rank, struct err *e)
{
    const struct demo_cut *c = &l->rank[rank].cut;
    struct lasts x = { .n = 0 };
    struct demo_walk w;
    bool more = true, first = true, cut = false;

    if (!c->on)
        return OK;
    if (demo_walk_init(&w, l->run, rank, e))
        return e->code;
    while (more && demo_walk_next(&w)) {
        for (uint32_t i = 0; i < w.step.nkernel; i++)
            take_kernel(&x, &w, c, &w.step.kernel[i]);
        for (uint32_t i = 0; i < w.step.ncomm; i++)
            take_comm(&x, &w, c, &w.step.comm[i]);
        more = !demo_cut_is_last(c, &w.step);
        cut = !more && c->op > 0;
    }
    demo_walk_done(&w);
    put_steps(o, c, l->run, cut);
    emit_s(o, ", \"last\": [");
    for (size_t i = 0; i < x.n; i++) {
        put(o, &first, &x.v[i], true, l->run->origin_ns);
        put(o, &first, &x.v[i], false, l->run->origin_ns);
    }
    emit_s(o, "]");
    return OK;
}
