/* SPDX-License-Identifier: Apache-2.0 */
/* MindSpore 1.x: the step trace and its points (doc/formats/mindspore1.md#step_trace_raw). */
#include "config.h"

#include <stdlib.h>

#include "demo/mindspore/analysed.h"

void analysed_put_reduce(struct emit *o, const struct demo_net *n, uint32_t comm)
{
    emit_fmt(o, "stream_%d_%u_%s", (int)DEMO_STREAM_HCCL, comm, n->comm[comm].name);
}

#define FIXED 8 /* start, end, total, fp, bp, interval, fp_and_bp, tail */

/* A step begins where the one before it ended, the first one with its forward pass. */
static int64_t begin_ns(const struct demo_step *s)
{
    return s->index ? s->start_ns : s->fp_ns;
}

static void step_values(const struct analysed *g, const struct demo_step *s, int64_t *v)
{
    v[0] = analysed_ticks(g, begin_ns(s));
    v[1] = analysed_ticks(g, s->end_ns);
    v[2] = v[1] - v[0];
    v[3] = analysed_ticks(g, s->fp_ns);
    v[4] = analysed_ticks(g, s->bp_ns);
    v[5] = v[3] - v[0];
    v[6] = v[4] - v[3];
    v[7] = v[1] - v[4];
    for (uint32_t i = 0; i < s->ncomm; i++) {
        int64_t *c = v + FIXED + (size_t)i * 3;
        c[1] = analysed_ticks(g, s->comm[i].start_ns);
        c[2] = analysed_ticks(g, s->comm[i].start_ns + s->comm[i].dur_ns);
        c[0] = c[2] - c[1];
    }
}

/*
 * Mean of values near base, whose differences are added so that no sum of counters overflows: rounded half to
 * even.
 */
static int64_t mean(int64_t base, int64_t sum, int64_t n)
{
    int64_t q = sum / n, r = sum % n;
    if (r < 0) {
        q--;
        r += n;
    }
    if (r * 2 > n || (r * 2 == n && ((base + q) & 1)))
        q++;
    return base + q;
}

static int step_trace(struct analysed *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    size_t columns = FIXED + (size_t)n->ncomm * 3;
    struct emit *o;
    int64_t *v = calloc(columns * 3, sizeof *v), *base = v + columns, *sum = base + columns;
    if (!v)
        return err_nomem(e);
    if (analysed_open(g, &o, "step_trace_raw_", "_detail_time.csv", e)) {
        free(v);
        return e->code;
    }
    emit_s(o, "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail");
    for (uint32_t i = 0; i < n->ncomm; i++)
        for (int part = 0; part < 3; part++) {
            emit_c(o, ',');
            analysed_put_reduce(o, n, i);
            emit_s(o, part == 0 ? "" : part == 1 ? "_start_point" : "_end_point");
        }
    emit_s(o, "\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        const struct demo_step *s = &g->walk.step;
        step_values(g, s, v);
        emit_u(o, s->number);
        for (size_t i = 0; i < columns; i++) {
            if (!s->index)
                base[i] = v[i];
            sum[i] += v[i] - base[i];
            emit_fmt(o, ",%i", v[i]);
        }
        emit_s(o, "\r\n");
        g->sum->comms += s->ncomm;
        g->sum->steps_ns += s->end_ns - begin_ns(s);
        for (uint32_t i = 0; i < s->ncomm; i++)
            g->sum->comm_ns += s->comm[i].dur_ns;
        for (uint32_t i = 0; i < s->ncomputing; i++)
            g->sum->computing_ns += s->computing[i].dur_ns;
        for (uint32_t i = 0; i < s->nalone; i++)
            g->sum->comm_alone_ns += s->alone[i].dur_ns;
    }
    emit_c(o, '-');
    for (size_t i = 0; i < columns; i++)
        emit_fmt(o, ",%i", mean(base[i], sum[i], g->run->o.steps));
    emit_s(o, "\r\n");
    free(v);
    return emit_close(o, &g->count, e);
}

static int points(struct analysed *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    struct emit *o;
    if (analysed_open(g, &o, "step_trace_point_info_", ".json", e))
        return e->code;
    emit_fmt(o, "{\"fp_start\": \"%s\", \"bp_end\": \"%s\"}", n->op[n->fp_first].name,
             n->op[n->bp_last].name);
    return emit_close(o, &g->count, e);
}

int analysed_steps(struct analysed *g, struct err *e)
{
    return step_trace(g, e) || points(g, e) ? e->code : OK;
}
