/* Generation 1: the step trace, its points, and the split into computation and communication
 * (gen1-raw.md 7.7, 8.6). */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "demo/demo_num.h"
#include "demo/gen1.h"

void gen1_put_reduce(struct vout *o, const struct demo_net *n, uint32_t comm)
{
    vout_fmt(o, "stream_%d_%u_%s", (int)DEMO_STREAM_HCCL, comm, n->comm[comm].name);
}

#define FIXED 8 /* start, end, total, fp, bp, interval, fp_and_bp, tail */

/* A step begins where the one before it ended, the first one with its forward pass. */
static int64_t begin_ns(const struct demo_step *s)
{
    return s->index ? s->start_ns : s->fp_ns;
}

static void step_values(const struct gen1 *g, const struct demo_step *s, int64_t *v)
{
    v[0] = gen1_ticks(g, begin_ns(s));
    v[1] = gen1_ticks(g, s->end_ns);
    v[2] = v[1] - v[0];
    v[3] = gen1_ticks(g, s->fp_ns);
    v[4] = gen1_ticks(g, s->bp_ns);
    v[5] = v[3] - v[0];
    v[6] = v[4] - v[3];
    v[7] = v[1] - v[4];
    for (uint32_t i = 0; i < s->ncomm; i++) {
        int64_t *c = v + FIXED + (size_t)i * 3;
        c[1] = gen1_ticks(g, s->comm[i].start_ns);
        c[2] = gen1_ticks(g, s->comm[i].start_ns + s->comm[i].dur_ns);
        c[0] = c[2] - c[1];
    }
}

/* Sum of values that all lie near base, so that no sum of counters overflows: mean rounded half to
 * even. */
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

static int step_trace(struct gen1 *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    size_t columns = FIXED + (size_t)n->ncomm * 3;
    struct vout *o;
    int64_t *v = calloc(columns * 3, sizeof *v), *base = v + columns, *sum = base + columns;
    if (!v)
        return err_nomem(e);
    if (gen1_open(g, &o, "step_trace_raw_", "_detail_time.csv", e)) {
        free(v);
        return (int)e->code;
    }
    vout_s(
        o,
        "step_num,start_point,end_point,total,fp_point,bp_point,iteration_interval,fp_and_bp,tail");
    for (uint32_t i = 0; i < n->ncomm; i++)
        for (int part = 0; part < 3; part++) {
            vout_c(o, ',');
            gen1_put_reduce(o, n, i);
            vout_s(o, part == 0 ? "" : part == 1 ? "_start_point" : "_end_point");
        }
    vout_s(o, "\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        const struct demo_step *s = &g->walk.step;
        step_values(g, s, v);
        vout_u(o, s->number);
        for (size_t i = 0; i < columns; i++) {
            if (!s->index)
                base[i] = v[i];
            sum[i] += v[i] - base[i];
            vout_fmt(o, ",%i", v[i]);
        }
        vout_s(o, "\r\n");
        g->sum->comms += s->ncomm;
        g->sum->steps_ns += s->end_ns - begin_ns(s);
        for (uint32_t i = 0; i < s->ncomm; i++)
            g->sum->comm_ns += s->comm[i].dur_ns;
        for (uint32_t i = 0; i < s->ncomputing; i++)
            g->sum->computing_ns += s->computing[i].dur_ns;
        for (uint32_t i = 0; i < s->nalone; i++)
            g->sum->comm_alone_ns += s->alone[i].dur_ns;
    }
    vout_c(o, '-');
    for (size_t i = 0; i < columns; i++)
        vout_fmt(o, ",%i", mean(base[i], sum[i], g->run->o.steps));
    vout_s(o, "\r\n");
    free(v);
    return vout_close(o, &g->count, e);
}

static int points(struct gen1 *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    struct vout *o;
    if (gen1_open(g, &o, "step_trace_point_info_", ".json", e))
        return (int)e->code;
    vout_fmt(o, "{\"fp_start\": \"%s\", \"bp_end\": \"%s\"}", n->op[n->fp_first].name,
             n->op[n->bp_last].name);
    return vout_close(o, &g->count, e);
}

/* End of a step as the timeline's "Steps" row has it: of the last op. */
static int64_t row_end(const struct demo_step *s)
{
    int64_t end = s->fp_ns;
    for (uint32_t i = 0; i < s->nkernel; i++)
        if (s->kernel[i].start_ns + s->kernel[i].dur_ns > end)
            end = s->kernel[i].start_ns + s->kernel[i].dur_ns;
    return end;
}

/* Communication alone counts for the step it starts in; what starts after the step's row goes to the next one. */
struct alone {
    int64_t here_ns, next_ns;
};

static void sum_alone(const struct demo_step *s, struct alone *a)
{
    int64_t end = row_end(s);
    a->here_ns = a->next_ns;
    a->next_ns = 0;
    for (uint32_t i = 0; i < s->nalone; i++)
        *(s->alone[i].start_ns < end ? &a->here_ns : &a->next_ns) += s->alone[i].dur_ns;
}

static void put_ms4(struct vout *o, int64_t v, const char *after)
{
    vout_dec(o, v, 4);
    vout_s(o, after);
}

static int cluster_analyse(struct gen1 *g, struct err *e)
{
    struct vout *o;
    char before[64];
    double mean_ms[2] = { 0, 0 };
    struct alone alone = { 0, 0 };
    int steps = g->run->o.steps;
    if (!g->run->net->ncomm)
        return OK;
    snprintf(before, sizeof before, "ascend_cluster_analyse_data-parallel_1_%d_", g->run->o.ranks);
    if (gen1_open(g, &o, before, ".csv", e))
        return (int)e->code;
    vout_s(o, "computation_time,communication_alone_time\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        const struct demo_step *s = &g->walk.step;
        sum_alone(s, &alone);
        int64_t v[2] = { (row_end(s) - s->fp_ns - alone.here_ns + 50) / 100,
                         (alone.here_ns + 50) / 100 };
        put_ms4(o, v[0], ",");
        put_ms4(o, v[1], "\r\n");
        for (int i = 0; i < 2; i++)
            mean_ms[i] += s->index ? (double)v[i] / 1e4 / (steps - 1) : 0;
    }
    if (steps > 1) {
        put_ms4(o, demo_round(mean_ms[0], 4), ",");
        put_ms4(o, demo_round(mean_ms[1], 4), "\r\n");
    }
    return vout_close(o, &g->count, e);
}

int gen1_steps(struct gen1 *g, struct err *e)
{
    return step_trace(g, e) || points(g, e) || cluster_analyse(g, e) ? (int)e->code : OK;
}
