/* SPDX-License-Identifier: Apache-2.0 */
/* MindSpore 1.x: FLOPs by op, scope, step and in total (doc/formats/mindspore1.md#flops). */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/limits.h"
#include "demo/mindspore/analysed.h"

enum { P_CUBE = 0, P_VEC_128 = 3, P_VEC_OTHER = 6 };

static uint64_t times(uint64_t flops, size_t counter)
{
    return (flops + aicore_flops_per_count(counter) - 1) / aicore_flops_per_count(counter);
}

void analysed_counters(const struct demo_op *op, uint64_t p[AICORE_COUNTERS])
{
    for (size_t i = 0; i < AICORE_COUNTERS; i++)
        p[i] = 0;
    p[P_CUBE] = times(op->cube, P_CUBE);
    p[P_VEC_128] = op->vec / aicore_flops_per_count(P_VEC_128);
    p[P_VEC_OTHER] = times(op->vec % aicore_flops_per_count(P_VEC_128), P_VEC_OTHER);
}

uint64_t analysed_flop_count(const struct demo_op *op)
{
    uint64_t p[AICORE_COUNTERS], sum = 0;
    analysed_counters(op, p);
    for (size_t i = 0; i < AICORE_COUNTERS; i++)
        sum += p[i] * aicore_flops_per_count(i);
    return sum;
}

static double mflops(const struct demo_op *op)
{
    return (double)analysed_flop_count(op) * 1e-6;
}

/* flops_N.txt; also the sums for the summary. */
static int by_op(struct analysed *g, double *sum_m, double *sum_g, struct err *e)
{
    struct emit *o;
    if (analysed_open(g, &o, "flops_", ".txt", e))
        return e->code;
    emit_s(o, "op_full_name, MFLOPs(10^6), GFLOPS(10^9), FLOPS utilization(%) \n");
    for (uint32_t i = 0; i < g->norder; i++) {
        const struct demo_op *op = &g->run->net->op[g->order[i]];
        double m = mflops(op), gf = m / analysed_avg_ms(g, g->order[i]);
        *sum_m += m;
        *sum_g += gf;
        emit_fmt(o, "%s, %r, %r, %r\n", op->name, m, gf, gf * 1e9 / ANALYSED_PEAK * 100);
    }
    return emit_close(o, &g->count, e);
}

/* Utilization of each step between its first forward op and its last gradient. */
static int by_step(struct analysed *g, double *mean, struct err *e)
{
    struct emit *o;
    const struct demo_step *s = &g->walk.step;
    if (analysed_open(g, &o, "flops_utilization_step_", ".json", e))
        return e->code;
    emit_s(o, "steps, FLOPS_Utilization %\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        double m = 0, ms = analysed_ms(g, s->bp_ns) - analysed_ms(g, s->fp_ns);
        for (uint32_t i = 0; i < s->nkernel; i++)
            if (analysed_on_core(g, s->kernel[i].op) && s->kernel[i].start_ns >= s->fp_ns &&
                s->kernel[i].start_ns <= s->bp_ns)
                m += mflops(&g->run->net->op[s->kernel[i].op]);
        double u = m / ms * 1e9 / ANALYSED_PEAK * 100;
        emit_fmt(o, "%u,%r\n", s->number, u);
        *mean += u;
    }
    *mean /= g->run->o.steps;
    return emit_close(o, &g->count, e);
}

static void put_rounded(struct emit *o, const char *key, double v)
{
    emit_s(o, key);
    emit_repr(o, emit_round(v, 3));
}

static int summary(struct analysed *g, double sum_m, double sum_g, double util, struct err *e)
{
    struct emit *o;
    if (analysed_open(g, &o, "flops_summary_", ".json", e))
        return e->code;
    put_rounded(o, "{\"FLOPs\": ", sum_m);
    put_rounded(o, ", \"FLOPS\": ", sum_g / g->norder);
    put_rounded(o, ", \"FLOPS_Utilization\": ", util);
    emit_c(o, '}');
    return emit_close(o, &g->count, e);
}

/* ---- the tree of scopes ---- */

struct scopes {
    struct intern *node, *link; /* "conv1-Conv2d(4_Default)"; "source\ntarget" */
    double *value;              /* by link id */
    uint32_t cap;
    int max;
    bool failed;
};

static void add_link(struct scopes *s, struct str from, struct str to, double m)
{
    struct buf b;
    buf_init(&b, LIM_NAME_B);
    buf_add(&b, from);
    buf_addc(&b, '\n');
    buf_add(&b, to);
    uint32_t id = buf_failed(&b) ? INTERN_NONE : intern_put(s->link, buf_str(&b));
    buf_done(&b);
    if (id == INTERN_NONE || intern_put(s->node, from) == INTERN_NONE ||
        intern_put(s->node, to) == INTERN_NONE) {
        s->failed = true;
        return;
    }
    if (id >= s->cap) {
        uint32_t cap = s->cap ? s->cap * 2 : 256;
        double *v = realloc(s->value, cap * sizeof *v);
        if (!v) {
            s->failed = true;
            return;
        }
        for (uint32_t i = s->cap; i < cap; i++)
            v[i] = 0;
        s->value = v;
        s->cap = cap;
    }
    s->value[id] += m;
}

/* Scope i is called "<scope>(<i>_<first scope>)", the first just by its name; "Total" is above it. */
static void add_op(struct scopes *s, const struct demo_op *op)
{
    struct str rest = { op->name, op->scope_n }, part, first = STR_NULL;
    struct buf from, to;
    int depth = 0;
    buf_init(&from, LIM_NAME_B);
    buf_init(&to, LIM_NAME_B);
    buf_puts(&from, "Total");
    for (; str_next(&rest, '/', &part); depth++) {
        buf_clear(&to);
        buf_add(&to, part);
        if (!depth)
            first = part;
        else
            buf_printf(&to, "(%d_%.*s)", depth, (int)first.n, first.p);
        add_link(s, buf_str(&from), buf_str(&to), mflops(op));
        buf_clear(&from);
        buf_add(&from, buf_str(&to));
    }
    s->failed |= buf_failed(&from) || buf_failed(&to);
    s->max = depth > s->max ? depth : s->max;
    buf_done(&from);
    buf_done(&to);
}

static void put_scopes(struct emit *o, const struct scopes *s)
{
    emit_s(o, "{\"data\": {\"nodes\": [");
    for (uint32_t i = 0; i < intern_count(s->node); i++) {
        struct str name = intern_get(s->node, i);
        emit_s(o, i ? ", {\"name\": \"" : "{\"name\": \"");
        emit_n(o, name.p, name.n);
        emit_s(o, "\"}");
    }
    emit_s(o, "], \"links\": [");
    for (uint32_t i = 0; i < intern_count(s->link); i++) {
        struct str to = intern_get(s->link, i), from = { 0 };
        str_next(&to, '\n', &from);
        emit_s(o, i ? ", {\"source\": \"" : "{\"source\": \"");
        emit_n(o, from.p, from.n);
        emit_s(o, "\", \"target\": \"");
        emit_n(o, to.p, to.n);
        put_rounded(o, "\", \"value\": ", s->value[i]);
        emit_c(o, '}');
    }
    emit_fmt(o, "]}, \"max_scope_num\": %d}", s->max);
}

static int by_scope(struct analysed *g, struct err *e)
{
    struct scopes s = { .max = 0 };
    struct emit *o;
    if (intern_new(&s.node, e) || intern_new(&s.link, e))
        goto out;
    for (uint32_t i = 0; i < g->norder && !s.failed; i++)
        add_op(&s, &g->run->net->op[g->order[i]]);
    if (s.failed) {
        err_nomem(e);
        goto out;
    }
    if (analysed_open(g, &o, "flops_scope_", ".json", e))
        goto out;
    put_scopes(o, &s);
    if (emit_close(o, &g->count, e))
        goto out;
out:
    intern_free(s.node);
    intern_free(s.link);
    free(s.value);
    return e->code;
}

int analysed_flops(struct analysed *g, struct err *e)
{
    double sum_m = 0, sum_g = 0, util = 0;
    if (by_op(g, &sum_m, &sum_g, e) || by_step(g, &util, e) || summary(g, sum_m, sum_g, util, e))
        return e->code;
    return by_scope(g, e);
}
