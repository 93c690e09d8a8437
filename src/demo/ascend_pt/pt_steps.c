/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_trace_time.csv of torch_npu (doc/formats/framework.md#torch_npu-step_trace_time): a step's window
 * begins with the first kernel that it launched and ends with its mark, or with the last kernel where that is
 * later. Sums are those of doubles of us, as Python adds them.
 */
#include "config.h"

#include "demo/ascend_pt/pt.h"
#include "demo/demo_num.h"

enum part { COMPUTING, COMMUNICATION, ALONE, FREE, PARTS };
struct row {
    uint32_t number;
    int64_t host_ns, from_ns, to_ns; /* the mark's begin; the window */
    double sum[PARTS];
    double first, last, work; /* of all that counts; of what works; us */
    bool any, worked;
    bool has[PARTS];
};

static void add(const struct ascend *g, struct row *x, enum part part, const struct demo_span *s)
{
    const double from = demo_us(ascend_abs(g, s->start_ns)), dur = (double)s->dur_ns / 1000;
    x->sum[part] += dur;
    x->has[part] = true;
    x->first = !x->any || from < x->first ? from : x->first;
    x->last = !x->any || from + dur > x->last ? from + dur : x->last;
    x->any = true;
    if (part == ALONE || part == FREE)
        return;
    x->work = !x->worked || from < x->work ? from : x->work;
    x->worked = true;
}

/* To the step in whose window it begins. */
static void add_spans(const struct ascend *g, struct row *before, struct row *now, enum part part,
                      const struct demo_span *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (s[i].start_ns >= now->from_ns && s[i].start_ns < now->to_ns)
            add(g, now, part, &s[i]);
        else if (s[i].start_ns >= before->from_ns && s[i].start_ns < before->to_ns)
            add(g, before, part, &s[i]);
}

static struct row row_of(struct fw *f)
{
    const struct demo_step *s = &f->g->walk.step;
    const uint32_t n = fw_launches(s, f->launch);
    const struct demo_span first = fw_linked_of(f->g->run, &f->launch[0]).at,
                           last = fw_linked_of(f->g->run, &f->launch[n - 1]).at;
    const int64_t end = last.start_ns + last.dur_ns;
    return (struct row){ .number = s->number,
                         .host_ns = s->host_ns,
                         .from_ns = first.start_ns,
                         .to_ns = end > s->host_end_ns ? end : s->host_end_ns };
}

/* A sum of nothing is an integer. */
static void put_sum(struct emit *o, double v, bool any)
{
    if (any)
        emit_fmt(o, ",%r", v);
    else
        emit_s(o, ",0");
}

static void put_row(struct ascend *g, struct emit *o, const struct row *x)
{
    const bool communicates = x->has[COMMUNICATION] || x->has[ALONE];
    emit_fmt(o, "%d,%u", g->device, x->number);
    put_sum(o, x->sum[COMPUTING], x->has[COMPUTING]);
    put_sum(o, x->sum[ALONE], x->has[ALONE]);
    put_sum(o, x->sum[COMMUNICATION] - x->sum[ALONE], communicates);
    put_sum(o, x->sum[COMMUNICATION], x->has[COMMUNICATION]);
    put_sum(o, x->sum[FREE], x->has[FREE]);
    emit_fmt(o, ",%r,0", x->last - x->first); /* no op receives: no bubble */
    put_sum(o, x->sum[ALONE], x->has[ALONE]);
    emit_fmt(o, ",%r\r\n", x->work - demo_us(ascend_abs(g, x->host_ns)));
}

static void summarise(struct ascend *g)
{
    const struct demo_step *s = &g->walk.step;
    for (uint32_t i = 0; i < s->ncomputing; i++)
        g->sum->computing_ns += s->computing[i].dur_ns;
    for (uint32_t i = 0; i < s->nalone; i++)
        g->sum->comm_alone_ns += s->alone[i].dur_ns;
    g->sum->steps_ns += s->end_ns - s->start_ns;
}

static void put_steps(struct fw *f, struct emit *o)
{
    struct ascend *g = f->g;
    const struct demo_step *s = &g->walk.step;
    struct row before = { .number = 0 };
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        struct row now = row_of(f);
        add_spans(g, &before, &now, COMPUTING, s->computing, s->ncomputing);
        add_spans(g, &before, &now, COMMUNICATION, s->communication, s->ncommunication);
        add_spans(g, &before, &now, ALONE, s->alone, s->nalone);
        add_spans(g, &before, &now, FREE, s->free, s->nfree);
        summarise(g);
        if (s->index)
            put_row(g, o, &before);
        before = now;
    }
    put_row(g, o, &before);
}

int pt_steps(struct ascend *g, struct err *e)
{
    struct fw f;
    struct emit *o = NULL;
    if (!fw_init(&f, g, false, e) && !emit_open(&o, g->out, "step_trace_time.csv", e)) {
        emit_s(o, "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,"
                  "Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\r\n");
        put_steps(&f, o);
        (void)!emit_close(o, &g->count, e);
    }
    fw_done(&f);
    return e->code;
}
