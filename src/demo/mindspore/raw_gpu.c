/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x on GPUs, and in PyNative mode on Ascend (doc/formats/mindspore1.md#gpu,
 * #start_time, #minddata_getnext_profiling, #pynative).
 */
#include "config.h"

#include <stdio.h>

#include "demo/demo_data.h"
#include "demo/mindspore/raw_stamps.h"

#define LAUNCH_NS 3000 /* from the beginning of a GPU's op to that of its kernel */

static bool on_host(const struct raw *r, uint32_t op)
{
    return op < r->g->run->net->nop && !analysed_on_core(r->g, op);
}
static bool on_gpu(const struct raw *r, uint32_t op)
{
    return !on_host(r, op);
}
static bool any(const struct raw *r, uint32_t op)
{
    (void)r;
    (void)op;
    return true;
}

/* The clock of the GPU's tools: ns since 1970. */
static int64_t gpu_ns(const struct raw *r, int64_t ns)
{
    return r->g->run->origin_ns + ns;
}

static void put_us(struct emit *o, int64_t ns)
{
    raw_put_float(o, (double)ns / 1e3);
}

static int start_times(struct raw *r, const char *device, int64_t value, struct err *e)
{
    struct emit *o;
    if (analysed_open(r->g, &o, "start_time_", ".txt", e))
        return e->code;
    emit_fmt(o, "host_monotonic_raw_time(ns): %i\n%s_start_time(ns): %i\n", RAW_MONOTONIC_NS, device, value);
    return emit_close(o, &r->g->count, e);
}

/* ---- GPU ---- */

static int64_t op_ns(const struct raw_stamps *s, uint32_t op)
{
    return s->sum_ns[op] + (int64_t)s->nsteps * LAUNCH_NS;
}

static int64_t all_ns(const struct raw *r, const struct raw_stamps *s)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < s->nop; i++)
        sum += on_gpu(r, i) ? op_ns(s, i) : 0;
    return sum;
}

static int gpu_detail(struct raw *r, const struct raw_stamps *s, struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    int64_t all = all_ns(r, s);
    struct emit *o;
    char type[40];
    if (analysed_open(r->g, &o, "gpu_op_detail_info_", ".csv", e))
        return e->code;
    emit_s(o, "op_side,op_type,op_name,op_full_name,op_occurrences,op_total_time(us),"
              "op_avg_time(us),total_proportion,cuda_activity_cost_time(us),"
              "cuda_activity_call_count\n");
    for (uint32_t i = 0; i < s->nop; i++) {
        if (!on_gpu(r, i))
            continue;
        emit_fmt(o, "Device,%s,%s,%s,%u,", raw_op_type(n, i, type), raw_op_leaf(n, i), raw_op_name(n, i),
                 s->nsteps);
        put_us(o, op_ns(s, i));
        emit_c(o, ',');
        put_us(o, op_ns(s, i) / s->nsteps);
        emit_c(o, ',');
        raw_put_float(o, (double)op_ns(s, i) / (double)all);
        emit_c(o, ',');
        put_us(o, s->sum_ns[i]);
        emit_fmt(o, ",%u\n", s->nsteps);
    }
    return emit_close(o, &r->g->count, e);
}

static int gpu_types(struct raw *r, const struct raw_stamps *s, struct err *e)
{
    int64_t all = all_ns(r, s);
    struct emit *o;
    if (analysed_open(r->g, &o, "gpu_op_type_info_", ".csv", e))
        return e->code;
    emit_s(o, "op_type,type_occurrences,total_time(us),total_proportion,avg_time(us)\n");
    for (struct raw_type t = { 0 }; raw_next_type(&t, r, s, on_gpu);) {
        int64_t calls = (int64_t)t.nop * s->nsteps, sum = t.sum_ns + calls * LAUNCH_NS;
        emit_fmt(o, "%s,%i,", t.name, calls);
        put_us(o, sum);
        emit_c(o, ',');
        raw_put_float(o, (double)sum / (double)all);
        emit_c(o, ',');
        put_us(o, sum / calls);
        emit_c(o, '\n');
    }
    return emit_close(o, &r->g->count, e);
}

/* "void Conv2D_kernel<4>(float const*, int)": one for each op. */
static void put_kernel(struct emit *o, const struct raw *r, uint32_t op)
{
    char type[40];
    emit_fmt(o, "void %s_kernel<%u>(float const*, int)", raw_op_type(r->g->run->net, op, type), op);
}

static uint32_t stream_of(const struct demo_net *n, uint32_t op)
{
    return op < n->nop ? n->op[op].stream : DEMO_STREAM_HCCL;
}

static int gpu_activities(struct raw *r, const struct raw_stamps *s, struct err *e)
{
    const struct demo_net *n = r->g->run->net;
    struct emit *o;
    if (analysed_open(r->g, &o, "gpu_activity_data_", ".csv", e))
        return e->code;
    emit_s(o, "name,type,op_full_name,stream_id,block_dim,grid_dim,occurrences,total_duration(us),"
              "avg_duration(us),max_duration(us),min_duration(us)\n");
    for (uint32_t i = 0; i < s->nop; i++) {
        int64_t min = INT64_MAX, max = 0;
        if (!on_gpu(r, i))
            continue;
        for (uint32_t k = 0; k < s->nsteps; k++) {
            int64_t d = raw_stamp_at(s, i, k)->dur_ns;
            min = d < min ? d : min;
            max = d > max ? d : max;
        }
        emit_c(o, '"');
        put_kernel(o, r, i);
        emit_fmt(o, "\",cuLaunchKernel,%s,%u,\"256,1,1\",\"%u,1,1\",%u", raw_op_name(n, i), stream_of(n, i),
                 i < n->nop ? n->op[i].blocks : 1, s->nsteps);
        const int64_t figure[] = { s->sum_ns[i], s->sum_ns[i] / s->nsteps, max, min };
        for (size_t k = 0; k < ARRAY_LEN(figure); k++) {
            emit_c(o, ',');
            put_us(o, figure[k]);
        }
        emit_c(o, '\n');
    }
    return emit_close(o, &r->g->count, e);
}

static int gpu_stamps(struct raw *r, const struct raw_stamps *s, struct err *e)
{
    struct emit *o;
    if (analysed_open(r->g, &o, "gpu_op_execute_timestamp_", ".txt", e))
        return e->code;
    for (uint32_t i = 0; i < s->nop; i++) {
        if (!on_gpu(r, i))
            continue;
        emit_fmt(o, "%s;GpuOps;", raw_op_name(r->g->run->net, i));
        for (uint32_t k = 0; k < s->nsteps; k++) {
            const struct raw_stamp *x = raw_stamp_at(s, i, k);
            emit_fmt(o, "%i,", gpu_ns(r, x->start_ns - LAUNCH_NS));
            put_us(o, x->dur_ns + LAUNCH_NS);
            emit_c(o, ' ');
        }
        emit_c(o, '\n');
    }
    return emit_close(o, &r->g->count, e);
}

static void put_activity(struct emit *o, const struct raw *r, uint32_t op, int64_t start_ns, int64_t dur_ns)
{
    put_kernel(o, r, op);
    emit_fmt(o, ";%u;%i;", stream_of(r->g->run->net, op), gpu_ns(r, start_ns));
    put_us(o, dur_ns);
    emit_c(o, '\n');
}

/* Times of each step, asynchronous layout: GetNext, forward, backward, the last op, communication. */
static void put_gpu_step(struct emit *o, const struct raw *r)
{
    const struct demo_net *n = r->g->run->net;
    const struct demo_step *s = &r->g->walk.step;
    emit_fmt(o, "%s,%i %s,%i %s,%i %s,%i", n->op[0].name, gpu_ns(r, s->kernel[0].start_ns),
             n->op[n->fp_first].name, gpu_ns(r, s->fp_ns), n->op[n->bp_last].name, gpu_ns(r, s->bp_ns),
             n->op[n->nop - 1].name, gpu_ns(r, s->end_ns));
    for (uint32_t i = 0; i < s->ncomm; i++)
        emit_fmt(o, " %s,%i,%i", n->comm[s->comm[i].op].name, gpu_ns(r, s->comm[i].start_ns),
                 gpu_ns(r, s->comm[i].start_ns + s->comm[i].dur_ns));
    emit_c(o, '\n');
}

static void put_gpu_steps(struct raw *r, struct emit *activity, struct emit *step, struct emit *fetch)
{
    const struct demo_step *s = &r->g->walk.step;
    struct demo_pipe pipe = demo_pipe_of(r->g->run, r->g->rank, 0);
    demo_walk_rewind(&r->g->walk);
    while (demo_walk_next(&r->g->walk)) {
        for (uint32_t i = 0; i < s->nrow; i++) {
            const struct demo_row *x = &s->row[i];
            uint32_t op = x->comm ? r->g->run->net->nop + s->comm[x->i].op : s->kernel[x->i].op;
            if (x->comm)
                put_activity(activity, r, op, s->comm[x->i].start_ns, s->comm[x->i].dur_ns);
            else if (on_gpu(r, op))
                put_activity(activity, r, op, s->kernel[x->i].start_ns, s->kernel[x->i].dur_ns);
        }
        put_gpu_step(step, r);
        emit_fmt(fetch, "GetNext %i %i %d\n", gpu_ns(r, s->kernel[0].start_ns),
                 gpu_ns(r, s->kernel[0].start_ns + s->kernel[0].dur_ns),
                 demo_batch_at(&pipe, s->index + 1).fill);
    }
}

static int gpu_trace(struct raw *r, struct err *e)
{
    static const char *const before[] = { "activity_execute_timestamp_", "step_trace_profiling_",
                                          "minddata_getnext_profiling_" };
    struct emit *o[ARRAY_LEN(before)] = { NULL };
    size_t n = 0;
    while (n < ARRAY_LEN(before) && !analysed_open(r->g, &o[n], before[n], ".txt", e))
        n++;
    if (n == ARRAY_LEN(before))
        put_gpu_steps(r, o[0], o[1], o[2]);
    for (size_t i = 0; i < n; i++) /* all are closed; the first error stays in e */
        if (emit_close(o[i], &r->g->count, e))
            continue;
    return e->code;
}

int raw_gpu(struct raw *r, struct err *e)
{
    struct raw_stamps s;
    if (raw_stamps_new(&s, r, on_gpu, e))
        return e->code;
    if (!gpu_detail(r, &s, e) && !gpu_types(r, &s, e) && !gpu_activities(r, &s, e) && !gpu_stamps(r, &s, e) &&
        !gpu_trace(r, e) && !raw_launches(r, "gpu_framework_", on_gpu, e) && !raw_host(r, on_host, e) &&
        start_times(r, "gpu", gpu_ns(r, 0), e))
        goto out;
out:
    raw_stamps_done(&s);
    return e->code ? e->code : analysed_data_raw(r->g, e);
}

/* ---- CPU ---- */

int raw_cpu(struct raw *r, struct err *e)
{
    return raw_host(r, any, e) ? e->code : analysed_data_raw(r->g, e);
}

/* ---- PyNative ---- */

/*
 * The device's executions, which the runtime itself writes in this mode: starts with six decimals, durations
 * as floats.
 */
static int pynative_data(struct raw *r, struct err *e)
{
    struct analysed *g = r->g;
    const struct demo_step *s = &g->walk.step;
    struct emit *o;
    if (analysed_open(g, &o, "output_timeline_data_", ".txt", e))
        return e->code;
    emit_s(o, "op_name, stream_id, start_time(ms), duration(ms)\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        for (uint32_t i = 0; i < s->nkernel; i++) {
            const struct demo_kernel *k = &s->kernel[i];
            emit_fmt(o, "%s,%d,", g->run->net->op[k->op].name,
                     g->run->net->op[k->op].stream == DEMO_STREAM_SIDE);
            emit_fixed(o, analysed_ticks(g, k->start_ns) * 10, 6);
            emit_c(o, ',');
            raw_put_float(o, (double)k->dur_ns / 1e6);
            emit_c(o, '\n');
        }
        g->end_ns = s->host_end_ns;
    }
    return emit_close(o, &g->count, e);
}

int raw_pynative(struct raw *r, struct err *e)
{
    if (raw_tasks(r, e) || pynative_data(r, e) ||
        start_times(r, "device", analysed_ticks(r->g, 0) / 100, e) || raw_host(r, on_host, e))
        return e->code;
    return analysed_data_raw(r->g, e);
}
