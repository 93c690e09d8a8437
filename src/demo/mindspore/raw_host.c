/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x: ops that run on the host (doc/formats/mindspore1.md#cpu). Their clock is the
 * host's monotonic one.
 */
#include "config.h"

#include "demo/mindspore/raw_stamps.h"

static void put_ms(struct emit *o, int64_t ns)
{
    raw_put_float(o, (double)ns / 1e6);
}

/* Threads: one for each stream of the model. */
static int thread_of(const struct raw *r, uint32_t op)
{
    const struct demo_net *n = r->g->run->net;
    if (op >= n->nop)
        return 3;
    return n->op[op].stream == DEMO_STREAM_MAIN ? 0 : n->op[op].stream == DEMO_STREAM_SIDE ? 1 : 2;
}

static int stamps(struct raw *r, const struct raw_stamps *s, raw_choose_fn *choose, struct err *e)
{
    struct emit *o;
    if (analysed_open(r->g, &o, "cpu_op_execute_timestamp_", ".txt", e))
        return e->code;
    for (uint32_t i = 0; i < s->nop; i++) {
        if (!choose(r, i))
            continue;
        emit_fmt(o, "%s;HostCpuOps;", raw_op_name(r->g->run->net, i));
        for (uint32_t k = 0; k < s->nsteps; k++) {
            const struct raw_stamp *x = raw_stamp_at(s, i, k);
            emit_fmt(o, "%i,", RAW_MONOTONIC_NS + x->start_ns);
            put_ms(o, x->dur_ns);
            emit_fmt(o, ",%d ", thread_of(r, i));
        }
        emit_c(o, '\n');
    }
    return emit_close(o, &r->g->count, e);
}

static int detail(struct raw *r, const struct raw_stamps *s, raw_choose_fn *choose, struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    struct emit *o;
    char type[40];
    if (analysed_open(r->g, &o, "cpu_op_detail_info_", ".csv", e))
        return e->code;
    emit_s(o, "op_side,op_type,op_name,full_op_name,op_occurrences,op_total_time(ms),"
              "op_avg_time(ms),total_proportion,subgraph,pid\n");
    for (uint32_t i = 0; i < s->nop; i++) {
        if (!choose(r, i))
            continue;
        emit_fmt(o, "Host,%s,%s,%s,%u,", raw_op_type(n, i, type), raw_op_leaf(n, i), raw_op_name(n, i),
                 s->nsteps);
        put_ms(o, s->sum_ns[i]);
        emit_c(o, ',');
        put_ms(o, s->sum_ns[i] / s->nsteps);
        emit_c(o, ',');
        raw_put_float(o, (double)s->sum_ns[i] / (double)s->all_ns);
        emit_fmt(o, ",Default,%d\n", RAW_PID + r->g->device);
    }
    return emit_close(o, &r->g->count, e);
}

/* Sums of the ops of one type, in order of their first ops. */
static int types(struct raw *r, const struct raw_stamps *s, raw_choose_fn *choose, struct err *e)
{
    struct emit *o;
    if (analysed_open(r->g, &o, "cpu_op_type_info_", ".csv", e))
        return e->code;
    emit_s(o, "op_type,type_occurrences,execution_frequency(per-step),total_compute_time,"
              "avg_time(ms),percent\n");
    for (struct raw_type t = { 0 }; raw_next_type(&t, r, s, choose);) {
        emit_fmt(o, "%s,%U,%u,", t.name, (uint64_t)t.nop * s->nsteps, t.nop);
        put_ms(o, t.sum_ns);
        emit_c(o, ',');
        put_ms(o, t.sum_ns / ((int64_t)t.nop * s->nsteps));
        emit_c(o, ',');
        raw_put_float(o, (double)t.sum_ns / (double)s->all_ns);
        emit_c(o, '\n');
    }
    return emit_close(o, &r->g->count, e);
}

int raw_launches(struct raw *r, const char *before, raw_choose_fn *choose, struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    struct emit *o;
    char type[40];
    if (analysed_open(r->g, &o, before, ".txt", e))
        return e->code;
    for (int step = 0; step < r->g->run->o.steps; step++)
        for (uint32_t i = 0; i < n->nop; i++) {
            const struct demo_op *op = &n->op[i];
            if (!choose(r, i))
                continue;
            emit_fmt(o, "%s;%s;%d;", raw_op_type(n, i, type), op->leaf, ANALYSED_GRAPH_ID);
            for (int k = 0; k < op->nin; k++) {
                emit_fmt(o, "input_%d:", k);
                for (int d = 0; d < op->t[k].nd; d++)
                    emit_fmt(o, d ? ",%u" : "%u", op->t[k].dim[d]);
                emit_c(o, ';');
            }
            emit_c(o, '\n');
        }
    return emit_close(o, &r->g->count, e);
}

int raw_host(struct raw *r, raw_choose_fn *choose, struct err *e)
{
    struct raw_stamps s;
    if (raw_stamps_new(&s, r, choose, e))
        return e->code;
    if (!stamps(r, &s, choose, e) && !detail(r, &s, choose, e) && !types(r, &s, choose, e) &&
        raw_launches(r, "cpu_framework_", choose, e))
        goto out;
out:
    raw_stamps_done(&s);
    return e->code;
}
