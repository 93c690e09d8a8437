/* SPDX-License-Identifier: Apache-2.0 */
/* MindSpore 1.x: overlap of computing and communication. */
#include "config.h"

#include "demo/mindspore/overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add(struct analysed_overlap *o, struct analysed_spans *s, double start, double end)
{
    if (s->n == s->cap) {
        uint32_t cap = s->cap ? s->cap * 2 : 256;
        struct analysed_span *v = realloc(s->v, cap * sizeof *v);
        if (!v) {
            o->failed = true;
            return;
        }
        s->v = v;
        s->cap = cap;
    }
    s->v[s->n++] = (struct analysed_span){ start, end };
}

void analysed_overlap_begin(struct analysed_overlap *o)
{
    o->computing.n = o->communication.n = o->all.n = o->alone.n = o->free.n = 0;
}

void analysed_overlap_add(struct analysed_overlap *o, struct analysed_spans *s, double start, double dur)
{
    double end = start + dur;
    struct analysed_span *last = s->n ? &s->v[s->n - 1] : NULL;
    if (!last || start > last->end)
        add(o, s, start, end);
    else if (end > last->end)
        last->end = end;
}

/* Communication in the gaps of computing; after the last task there is a gap when another step follows. */
static void find_alone(struct analysed_overlap *o, bool last)
{
    uint32_t gaps = o->computing.n - last;
    for (uint32_t i = 0, k = 0; i < gaps && k < o->communication.n;) {
        const struct analysed_span *comm = &o->communication.v[k], *busy = &o->computing.v[i];
        double gap_end = i + 1 < o->computing.n ? busy[1].start : INFINITY;
        double start = busy->end > comm->start ? busy->end : comm->start;
        double end = gap_end < comm->end ? gap_end : comm->end;
        if (start < end)
            add(o, &o->alone, start, end);
        if (gap_end >= comm->end)
            k++;
        else
            i++;
    }
}

static void find_free(struct analysed_overlap *o)
{
    if (o->busy_end > 0)
        add(o, &o->free, o->busy_end, o->all.v[0].start);
    for (uint32_t i = 0; i + 1 < o->all.n; i++)
        add(o, &o->free, o->all.v[i].end, o->all.v[i + 1].start);
    o->busy_end = o->all.v[o->all.n - 1].end;
}

static void add_step(struct analysed_overlap *o, double start, double dur)
{
    if (o->nstep == o->cap) {
        uint32_t cap = o->cap ? o->cap * 2 : 1024;
        double *d = realloc(o->step_dur, cap * sizeof *d);
        o->step_dur = d ? d : o->step_dur;
        double *t = realloc(o->step_end, cap * sizeof *t);
        o->step_end = t ? t : o->step_end;
        double *s = realloc(o->sum, (cap + 1) * sizeof *s);
        o->sum = s ? s : o->sum;
        if (!d || !t || !s) {
            o->failed = true;
            return;
        }
        o->cap = cap;
    }
    if (!o->nstep)
        o->sum[0] = 0;
    o->step_dur[o->nstep] = dur;
    o->step_end[o->nstep++] = start + dur;
    o->sum[o->nstep] = 0;
}

/* An interval after the end of a step counts for the next step, but never moves further. */
static void sum_alone(struct analysed_overlap *o)
{
    for (uint32_t i = 0; i < o->alone.n; i++) {
        const struct analysed_span *a = &o->alone.v[i];
        if (o->now < o->nstep && a->start > o->step_end[o->now])
            o->now++;
        o->sum[o->now] += a->end - a->start;
    }
}

void analysed_overlap_step(struct analysed_overlap *o, bool last, double start, double dur)
{
    add_step(o, start, dur);
    if (o->failed || !o->all.n || !o->computing.n)
        return;
    find_alone(o, last);
    find_free(o);
    sum_alone(o);
}

static void put_row(struct emit *o, double computing, double alone)
{
    emit_fmt(o, "%r,%r\r\n", emit_round(computing, 4), emit_round(alone, 4));
}

/* Means leave out the first step. */
int analysed_overlap_write(const struct analysed_overlap *o, struct analysed *g, struct err *e)
{
    char before[64];
    struct emit *f;
    double sum[2] = { 0, 0 };
    snprintf(before, sizeof before, "ascend_cluster_analyse_data-parallel_1_%d_", g->run->o.ranks);
    if (analysed_open(g, &f, before, ".csv", e))
        return e->code;
    emit_s(f, "computation_time,communication_alone_time\r\n");
    for (uint32_t i = 0; i < o->nstep; i++) {
        double computing = o->step_dur[i] - o->sum[i];
        put_row(f, computing, o->sum[i]);
        sum[0] += i ? computing : 0;
        sum[1] += i ? o->sum[i] : 0;
    }
    if (o->nstep > 1)
        put_row(f, sum[0] / (o->nstep - 1), sum[1] / (o->nstep - 1));
    return emit_close(f, &g->count, e);
}

void analysed_overlap_done(struct analysed_overlap *o)
{
    free(o->computing.v);
    free(o->communication.v);
    free(o->all.v);
    free(o->alone.v);
    free(o->free.v);
    free(o->step_dur);
    free(o->step_end);
    free(o->sum);
}
