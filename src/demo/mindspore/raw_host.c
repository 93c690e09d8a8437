/* Raw generation 1: ops that run on the host (gen1-raw.md 6.2). Their clock is the host's monotonic one. */
#include "config.h"

#include "demo/mindspore/raw_stamps.h"

static void put_ms(struct vout *o, int64_t ns)
{
    raw1_put_float(o, (double)ns / 1e6);
}

/* Threads: one for each stream of the model. */
static int thread_of(const struct raw1 *r, uint32_t op)
{
    const struct demo_net *n = r->g->run->net;
    if (op >= n->nop)
        return 3;
    return n->op[op].stream == DEMO_STREAM_MAIN ? 0 : n->op[op].stream == DEMO_STREAM_SIDE ? 1 : 2;
}

static int stamps(struct raw1 *r, const struct raw1_stamps *s, raw1_choose_fn *choose,
                  struct err *e)
{
    struct vout *o;
    if (gen1_open(r->g, &o, "cpu_op_execute_timestamp_", ".txt", e))
        return (int)e->code;
    for (uint32_t i = 0; i < s->nop; i++) {
        if (!choose(r, i))
            continue;
        vout_fmt(o, "%s;HostCpuOps;", raw1_op_name(r->g->run->net, i));
        for (uint32_t k = 0; k < s->nsteps; k++) {
            const struct raw1_stamp *x = raw1_stamp_at(s, i, k);
            vout_fmt(o, "%i,", RAW1_MONOTONIC_NS + x->start_ns);
            put_ms(o, x->dur_ns);
            vout_fmt(o, ",%d ", thread_of(r, i));
        }
        vout_c(o, '\n');
    }
    return vout_close(o, &r->g->count, e);
}

static int detail(struct raw1 *r, const struct raw1_stamps *s, raw1_choose_fn *choose,
                  struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    struct vout *o;
    char type[40];
    if (gen1_open(r->g, &o, "cpu_op_detail_info_", ".csv", e))
        return (int)e->code;
    vout_s(o, "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),"
              "op_avg_time(ms),total_proportion,subgraph,pid\n");
    for (uint32_t i = 0; i < s->nop; i++) {
        if (!choose(r, i))
            continue;
        vout_fmt(o, "Host,%s,%s,%s,%u,", raw1_op_type(n, i, type), raw1_op_leaf(n, i),
                 raw1_op_name(n, i), s->nsteps);
        put_ms(o, s->sum_ns[i]);
        vout_c(o, ',');
        put_ms(o, s->sum_ns[i] / s->nsteps);
        vout_c(o, ',');
        raw1_put_float(o, (double)s->sum_ns[i] / (double)s->all_ns);
        vout_fmt(o, ",Default,%d\n", RAW1_PID + r->g->device);
    }
    return vout_close(o, &r->g->count, e);
}

/* Sums of the ops of one type, in order of the first of each. */
static int types(struct raw1 *r, const struct raw1_stamps *s, raw1_choose_fn *choose, struct err *e)
{
    struct vout *o;
    if (gen1_open(r->g, &o, "cpu_op_type_info_", ".csv", e))
        return (int)e->code;
    vout_s(o, "op_type,type_occurrences,execution_frequency(per-step),total_compute_time,"
              "avg_time(ms),percent\n");
    for (struct raw1_type t = { 0 }; raw1_next_type(&t, r, s, choose);) {
        vout_fmt(o, "%s,%U,%u,", t.name, (uint64_t)t.nop * s->nsteps, t.nop);
        put_ms(o, t.sum_ns);
        vout_c(o, ',');
        put_ms(o, t.sum_ns / ((int64_t)t.nop * s->nsteps));
        vout_c(o, ',');
        raw1_put_float(o, (double)t.sum_ns / (double)s->all_ns);
        vout_c(o, '\n');
    }
    return vout_close(o, &r->g->count, e);
}

int raw1_launches(struct raw1 *r, const char *before, raw1_choose_fn *choose, struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    struct vout *o;
    char type[40];
    if (gen1_open(r->g, &o, before, ".txt", e))
        return (int)e->code;
    for (int step = 0; step < r->g->run->o.steps; step++)
        for (uint32_t i = 0; i < n->nop; i++) {
            const struct demo_op *op = &n->op[i];
            if (!choose(r, i))
                continue;
            vout_fmt(o, "%s;%s;%d;", raw1_op_type(n, i, type), op->leaf, GEN1_GRAPH_ID);
            for (int k = 0; k < op->nin; k++) {
                vout_fmt(o, "input_%d:", k);
                for (int d = 0; d < op->t[k].nd; d++)
                    vout_fmt(o, d ? ",%u" : "%u", op->t[k].dim[d]);
                vout_c(o, ';');
            }
            vout_c(o, '\n');
        }
    return vout_close(o, &r->g->count, e);
}

int raw1_host(struct raw1 *r, raw1_choose_fn *choose, struct err *e)
{
    struct raw1_stamps s;
    if (raw1_stamps_new(&s, r, choose, e))
        return (int)e->code;
    if (!stamps(r, &s, choose, e) && !detail(r, &s, choose, e) && !types(r, &s, choose, e) &&
        raw1_launches(r, "cpu_framework_", choose, e))
        goto out;
out:
    raw1_stamps_done(&s);
    return (int)e->code;
}
