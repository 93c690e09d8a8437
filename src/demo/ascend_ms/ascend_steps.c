/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x: tables of steps (doc/formats/analysed.md#step_trace_time, #step_trace;
 * doc/formats/framework.md#step_trace_time).
 */
#include "config.h"

#include "demo/ascend_ms/ascend_ms.h"

static int64_t span_sum(const struct demo_span *s, uint32_t n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += s[i].dur_ns;
    return sum;
}

/* Free intervals count as far as they lie in the step (doc/formats/framework.md#step_trace_time). */
static int64_t free_in_step(const struct demo_step *s, int64_t next_gap_start)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < s->nfree; i++) {
        int64_t from = s->free[i].start_ns, to = from + s->free[i].dur_ns;
        if (to > s->host_ns)
            sum += to - (from > s->host_ns ? from : s->host_ns);
    }
    return sum + (next_gap_start < s->host_end_ns ? s->host_end_ns - next_gap_start : 0);
}

int ascend_steps(struct ascend *g, struct err *e)
{
    struct emit *o;
    if (emit_open(&o, g->out, "step_trace_time.csv", e))
        return e->code;
    emit_s(o, "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
              "Communication(Not Overlapped and Exclude Receive),Preparing\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        const struct demo_step *s = &g->walk.step;
        int64_t computing = span_sum(s->computing, s->ncomputing),
                comm = span_sum(s->communication, s->ncommunication);
        int64_t alone = span_sum(s->alone, s->nalone), first = s->computing[0].start_ns, rest;
        /*
         * the gap after the step's last work starts in this step; the last step has none, because no work
         * follows
         */
        rest = s->index + 1 < (uint32_t)g->run->o.steps ? g->walk.busy_end_ns : s->host_end_ns;
        emit_fmt(o, "%u,%t,%t,%t,%t,%t,0,0,%t,%t\r\n", s->number, computing, alone, comm - alone, comm,
                 free_in_step(s, rest), alone, first - s->host_ns);
        g->sum->computing_ns += computing;
        g->sum->comm_alone_ns += alone;
        g->sum->steps_ns += s->end_ns - s->start_ns;
    }
    return emit_close(o, &g->count, e);
}

int ascend_iterations(struct ascend *g, struct err *e)
{
    struct emit *o;
    char name[64];
    if (emit_open(&o, g->mso, ascend_name(g, "step_trace", "csv", name, sizeof name), e))
        return e->code;
    emit_s(o, "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration "
              "Time(us),FP to BP Time(us),"
              "Iteration Refresh(us),Data Aug Bound(us),Model ID");
    for (uint32_t i = 0; i < g->run->net->ncomm; i++)
        emit_s(o, ",Reduce Start(us),Reduce Duration(us)");
    emit_c(o, '\n');
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        const struct demo_step *s = &g->walk.step;
        emit_fmt(o, "%d,%u,%t\t,%t\t,%t\t,%t,%t,%t,%t,%d", g->device, s->index + 1, ascend_abs(g, s->fp_ns),
                 ascend_abs(g, s->bp_ns), ascend_abs(g, s->end_ns), s->end_ns - s->start_ns,
                 s->bp_ns - s->fp_ns, s->end_ns - s->bp_ns, s->index ? s->fp_ns - s->start_ns : (int64_t)0,
                 ASCEND_MODEL_ID);
        for (uint32_t i = 0; i < s->ncomm; i++)
            emit_fmt(o, ",%t\t,%t", ascend_abs(g, s->comm[i].start_ns), s->comm[i].dur_ns);
        emit_c(o, '\n');
    }
    return emit_close(o, &g->count, e);
}
