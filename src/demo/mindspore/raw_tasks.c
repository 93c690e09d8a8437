/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x: the device's records of the steps: HWTS, step marks, AI Core counters, AI CPU
 * tasks, fetches of data (doc/formats/mindspore1.md#hwts, #training_trace to #aicore). One walk writes them
 * all.
 *
 * HWTS has no records of AI CPU tasks and profiling ops. Transfers run on streams that the graph's tasks do
 * not use.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo/demo_data.h"
#include "demo/mindspore/raw.h"
#include "parsers/mindspore/records/record_layout.h"

enum { HWTS_RECORD(FIELD_AT) HWTS_B = 64 };
enum { TS_TRACK_RECORD(FIELD_AT) TRACK_B = 40 };
enum { TRAINING_TRACE_RECORD(FIELD_AT) TRACE_B = 20 };
enum { AICORE_RECORD(FIELD_AT) AICORE_B = 128 };
enum { AICPU_RECORD(FIELD_AT) AICPU_B = 128 };
enum hwts_type { TASK_START, TASK_END, BLOCK_START, BLOCK_END, BLOCK_PMU };
#define HWTS_CONSTANT 0x6bd3
#define AICPU_MAGIC   (0x5a5a | 0x3cu << 16)
#define TRACK_HEAD    (1u | 10u << 8) /* mode, type of step marks */
#define TRACE_END     65535u
#define TRACE_JOB     0x10001u /* any number above that of the end */

enum { SALT_BLOCK = 140 };

/* An event of the task scheduler or a mark; seq keeps the order of equal ticks. */
struct event {
    int64_t ticks;
    uint32_t seq, stream;
    uint16_t task, block, tag;
    uint8_t type, core;
};

struct events {
    struct event *v, spare; /* spare: used when out of memory */
    uint32_t n, cap;
    bool failed;
};

struct tasks {
    struct raw *r;
    struct demo_slices hwts, marks, aicore, aicpu, fetch;
    struct events work, mark; /* of the step */
    uint8_t count;            /* of HWTS records, modulo 16 */
};

static struct event *add(struct events *x, int64_t ticks)
{
    if (x->n == x->cap) {
        uint32_t cap = x->cap ? x->cap * 2 : 4096;
        struct event *v = realloc(x->v, cap * sizeof *v);
        if (!v) {
            x->failed = true;
            return &x->spare;
        }
        x->v = v;
        x->cap = cap;
    }
    x->v[x->n] = (struct event){ .ticks = ticks, .seq = x->n };
    return &x->v[x->n++];
}

static int event_cmp(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void sort(struct events *x)
{
    if (x->n > 1)
        qsort(x->v, x->n, sizeof *x->v, event_cmp);
}

/* ---- a crash ---- */

static bool is_last(const struct tasks *t)
{
    return demo_cut_is_last(&t->r->cut, &t->r->g->walk.step);
}
static bool happened(const struct tasks *t, int64_t ns)
{
    return demo_cut_happened(&t->r->cut, &t->r->g->walk.step, ns);
}
static bool is_stuck(const struct tasks *t, const struct demo_kernel *k)
{
    return demo_cut_is_stuck(&t->r->cut, &t->r->g->walk.step, k);
}
static bool comm_ended(const struct tasks *t, const struct demo_comm *c)
{
    return demo_cut_comm_ended(&t->r->cut, &t->r->g->walk.step, c);
}

/* ---- the task scheduler ---- */

static void work(struct tasks *t, int64_t ns, enum hwts_type type, uint32_t stream, uint32_t task,
                 uint64_t hash)
{
    if (!happened(t, ns))
        return;
    struct event *e = add(&t->work, analysed_ticks(t->r->g, ns));
    e->type = (uint8_t)type;
    e->stream = stream;
    e->task = (uint16_t)task;
    e->core = (uint8_t)(hash % 32);
    e->block = (uint16_t)(type == TASK_START || type == TASK_END ? 0 : hash >> 8 & 7);
}

/* Start and end; for some tasks also a block with its counters. */
static void kernel_events(struct tasks *t, const struct demo_kernel *k)
{
    const struct analysed *g = t->r->g;
    const struct analysed_task *task = &g->graph.task[g->graph.of_op[k->op]];
    uint64_t h = demo_hash(g->run, SALT_BLOCK, (uint64_t)g->rank, g->walk.step.index, k->op) >> 16;
    int64_t end = k->start_ns + k->dur_ns;
    work(t, k->start_ns, TASK_START, task->stream, task->task, h);
    if (is_stuck(t, k))
        return;
    if (h % 8 == 0 && k->dur_ns >= 40) {
        work(t, k->start_ns + 10, BLOCK_START, task->stream, task->task, h);
        work(t, end - 10, BLOCK_END, task->stream, task->task, h);
        if (h % 16 == 0)
            work(t, end - 10, BLOCK_PMU, task->stream, task->task, h);
    }
    work(t, end, TASK_END, task->stream, task->task, h);
}

/*
 * The transfers of each plane. In an op that never ends, either the transfers do not end, or they have not
 * begun: its planes wait.
 */
static void comm_events(struct tasks *t, const struct demo_comm *c)
{
    bool ended = comm_ended(t, c);
    bool waits = !ended && !t->r->cut.hangs;
    for (uint32_t j = 0; j < c->nlink; j++) {
        const struct demo_link *l = &c->link[j];
        uint32_t stream = DEMO_STREAM_PLANE + j, task = raw_wait_task(c->op);
        int64_t at = c->start_ns + c->wait_ns;
        work(t, c->start_ns, TASK_START, stream, task, 0);
        if (waits)
            continue;
        work(t, at - 20, TASK_END, stream, task, 0);
        for (uint32_t p = 0; p < 2 && l->t_ns[p]; p++) {
            work(t, at, TASK_START, stream, task + 1 + p, 0);
            if (!ended)
                break;
            work(t, at + l->t_ns[p], TASK_END, stream, task + 1 + p, 0);
            at += l->t_ns[p] + l->mid_ns;
        }
    }
}

static void put_work(struct tasks *t, struct err *e)
{
    sort(&t->work);
    for (uint32_t i = 0; i < t->work.n; i++) {
        const struct event *x = &t->work.v[i];
        unsigned char p[HWTS_B] = { 0 };
        p[0] = (unsigned char)(x->type | (t->count++ & 15) << 4);
        p[HWTS_CORE] = x->core;
        demo_u16(p + HWTS_MARK_AT, HWTS_CONSTANT);
        demo_u16(p + HWTS_BLOCK, x->block);
        demo_u16(p + HWTS_TASK, x->task);
        demo_u64(p + (x->type == BLOCK_PMU ? HWTS_PMU_TICKS : HWTS_TICKS), (uint64_t)x->ticks);
        demo_u32(p + HWTS_STREAM, x->stream);
        demo_slices_put(&t->hwts, p, sizeof p, e);
    }
}

/* ---- step marks ---- */

/* at: index of the profiling op in the graph */
static void mark(struct tasks *t, int64_t ticks, uint32_t at)
{
    const struct analysed_task *k = &t->r->g->graph.task[at];
    struct event *e = add(&t->mark, ticks);
    e->stream = k->stream;
    e->task = (uint16_t)k->task;
    e->tag = k->tag;
}

static void collect_marks(struct tasks *t)
{
    const struct analysed *g = t->r->g;
    const struct demo_step *s = &g->walk.step;
    int64_t fp = analysed_ticks(g, s->fp_ns), end = analysed_ticks(g, s->end_ns);
    bool whole = !is_last(t);
    const bool begins = whole || t->r->cut.op > g->run->net->fp_first;
    if (begins && happened(t, s->fp_ns)) {
        mark(t, fp - 20, g->graph.fp - 1);
        mark(t, fp, g->graph.fp);
    }
    if (happened(t, s->bp_ns) && (whole || t->r->cut.op > g->run->net->bp_last))
        mark(t, analysed_ticks(g, s->bp_ns), g->graph.bp);
    for (uint32_t i = 0; i < s->ncomm; i++) {
        const struct demo_comm *c = &s->comm[i];
        uint32_t at = g->graph.of_comm[c->op];
        if (demo_cut_comm_started(&t->r->cut, s, c))
            mark(t, analysed_ticks(g, c->start_ns), at - 1);
        if (comm_ended(t, c))
            mark(t, analysed_ticks(g, c->start_ns + c->dur_ns), at + 1);
    }
    if (!whole)
        return;
    mark(t, end, g->graph.n - 2);
    mark(t, end + 2, g->graph.n - 1);
}

static void put_track(struct tasks *t, const struct event *x, struct err *e)
{
    unsigned char p[TRACK_B] = { 0 };
    demo_u16(p, TRACK_HEAD);
    demo_u16(p + TS_LENGTH, TRACK_B);
    demo_u64(p + TS_TICKS, (uint64_t)x->ticks);
    demo_u64(p + TS_INDEX, t->r->g->walk.step.number);
    demo_u64(p + TS_MODEL, ANALYSED_GRAPH_ID);
    demo_u16(p + TS_STREAM, x->stream);
    demo_u16(p + TS_TASK, x->task);
    demo_u16(p + TS_TAG, x->tag);
    demo_slices_put(&t->marks, p, sizeof p, e);
}

static uint32_t trace_tag(uint32_t tag)
{
    switch (tag) {
    case ANALYSED_TAG_START:
        return TRACE_JOB;
    case ANALYSED_TAG_FP:
        return 1;
    case ANALYSED_TAG_BP:
        return 2;
    case ANALYSED_TAG_END:
        return TRACE_END;
    default:
        return tag - ANALYSED_TAG_COMM + 3;
    }
}

static void put_trace(struct tasks *t, const struct event *x, struct err *e)
{
    unsigned char p[TRACE_B] = { 0 };
    if (x->tag == ANALYSED_TAG_MODEL_END) /* this era has no such mark */
        return;
    demo_u64(p, trace_tag(x->tag));
    demo_u16(p + TRACE_TASK, x->task);
    demo_u16(p + TRACE_STREAM, x->stream);
    demo_u64(p + TRACE_TICKS, (uint64_t)x->ticks);
    demo_slices_put(&t->marks, p, sizeof p, e);
}

static void put_marks(struct tasks *t, struct err *e)
{
    collect_marks(t);
    sort(&t->mark);
    for (uint32_t i = 0; i < t->mark.n; i++)
        if (t->r->era->training_trace)
            put_trace(t, &t->mark.v[i], e);
        else
            put_track(t, &t->mark.v[i], e);
}

/* ---- counters ---- */

static void put_aicore(struct tasks *t, const struct demo_kernel *k, struct err *e)
{
    const struct analysed *g = t->r->g;
    const struct analysed_task *task = &g->graph.task[g->graph.of_op[k->op]];
    unsigned char p[AICORE_B] = { 0 };
    uint64_t counter[AICORE_COUNTERS];
    analysed_counters(&g->run->net->op[k->op], counter);
    p[0] = 1;
    demo_u16(p + AICORE_TASK, task->task);
    demo_u64(p + AICORE_CYCLES, (uint64_t)k->dur_ns); /* at 1000 MHz */
    for (int i = 0; i < AICORE_COUNTERS; i++)
        demo_u64(p + AICORE_COUNTER + 8 * i, counter[i]);
    demo_u32(p + AICORE_STREAM, task->stream);
    demo_slices_put(&t->aicore, p, sizeof p, e);
}

/* ---- AI CPU ---- */

static void put_node(struct tasks *t, const struct analysed_aicpu *a, const char *type, struct err *e)
{
    char buf[512];
    int n = snprintf(buf, sizeof buf,
                     "[%" PRId64 "] Node:%s, Run start:%" PRId64 " %" PRId64 ", Run end:%" PRId64 " %" PRId64
                     "\n",
                     a->start_us, type, a->start_us, a->start, a->end_us, a->end);
    demo_slices_puts(&t->aicpu, buf, (size_t)n + 1, e);
    n = snprintf(buf, sizeof buf,
                 "Thread[ 1] process device[%d]:aicpu[ 0] task end, tickDrvTopHalf=%" PRId64
                 ",tickDrvBottomHalf=%" PRId64 ", tickBeforeRun=%" PRId64 ",tickAfterRun=%" PRId64
                 ", dispatchTime=%" PRId64 " us, totalTime=%" PRId64 " us.\n",
                 t->r->g->device, a->start - 90, a->start - 60, a->start, a->end, a->dispatch_us,
                 a->total_us);
    demo_slices_puts(&t->aicpu, buf, (size_t)n + 1, e);
}

static void put_aicpu(struct tasks *t, const struct demo_kernel *k, struct err *e)
{
    const struct analysed *g = t->r->g;
    const struct analysed_task *task = &g->graph.task[g->graph.of_op[k->op]];
    struct analysed_aicpu a = analysed_aicpu_of(g, k);
    unsigned char p[AICPU_B] = { 0 };
    if (t->r->era->text) {
        put_node(t, &a, demo_op_type(&g->run->net->op[k->op])->name, e);
        return;
    }
    demo_u32(p, AICPU_MAGIC);
    demo_u16(p + AT_STREAM, task->stream);
    demo_u16(p + AT_TASK, task->task);
    demo_u64(p + AT_START_US, (uint64_t)a.start_us);
    demo_u64(p + AT_START_TICKS, (uint64_t)a.start);
    demo_u64(p + AT_COMPUTE, (uint64_t)a.start + 10);
    demo_u64(p + AT_COPY, (uint64_t)a.start + 20);
    demo_u64(p + AT_COPY_END, (uint64_t)a.start + 30);
    demo_u64(p + AT_END_US, (uint64_t)a.end_us);
    demo_u64(p + AT_END_TICKS, (uint64_t)a.end);
    demo_u32(p + AT_THREAD, 1);
    demo_u32(p + AT_DEVICE, (uint32_t)g->device);
    demo_u64(p + AT_SUBMIT, (uint64_t)a.start - 90);
    demo_u64(p + AT_SCHEDULE, (uint64_t)a.start - 60);
    demo_u64(p + AT_BEFORE, (uint64_t)a.start);
    demo_u64(p + AT_AFTER, (uint64_t)a.end);
    demo_u32(p + AT_KERNEL, 2);
    demo_u32(p + AT_DISPATCH_US, (uint32_t)a.dispatch_us);
    demo_u32(p + AT_TOTAL_US, (uint32_t)a.total_us);
    p[AT_VERSION] = 1;
    demo_slices_put(&t->aicpu, p, sizeof p, e);
}

/* The device's side of the data queue. */
static void put_fetch(struct tasks *t, const struct demo_kernel *k, struct err *e)
{
    struct demo_pipe pipe = demo_pipe_of(t->r->g->run, t->r->g->rank, 0);
    int64_t at = analysed_ticks(t->r->g, k->start_ns) / 100;
    char buf[128];
    if (is_stuck(t, k) || !happened(t, k->start_ns + k->dur_ns))
        return;
    int n = snprintf(buf, sizeof buf,
                     "Node:GetNext_dequeue_wait, queue size:%d, Run start:%" PRId64 ", Run end:%" PRId64,
                     demo_batch_at(&pipe, t->r->g->walk.step.index + 1).fill, at, at + k->dur_ns / 1000);
    demo_slices_puts(&t->fetch, buf, (size_t)n + 1, e);
}

/* ---- the steps ---- */

static void put_kernel(struct tasks *t, const struct demo_kernel *k, struct err *e)
{
    struct analysed *g = t->r->g;
    bool ended = happened(t, k->start_ns + k->dur_ns) && !is_stuck(t, k);
    if (analysed_on_core(g, k->op)) {
        kernel_events(t, k);
        if (!ended)
            return;
        put_aicore(t, k, e);
        g->sum->kernels++;
        g->sum->kernel_ns += k->dur_ns;
    } else if (ended) {
        put_aicpu(t, k, e);
        g->sum->aicpu++;
    }
}

static void put_step(struct tasks *t, struct err *e)
{
    const struct demo_step *s = &t->r->g->walk.step;
    t->work.n = t->mark.n = 0;
    put_fetch(t, &s->kernel[0], e);
    if (t->r->fetches_only)
        return;
    for (uint32_t i = 0; i < s->nkernel; i++)
        if (demo_cut_kernel_started(&t->r->cut, s, &s->kernel[i]))
            put_kernel(t, &s->kernel[i], e);
    for (uint32_t i = 0; i < s->ncomm; i++) {
        if (demo_cut_comm_started(&t->r->cut, s, &s->comm[i]))
            comm_events(t, &s->comm[i]);
        t->r->g->sum->comms += comm_ended(t, &s->comm[i]);
    }
    put_work(t, e);
    put_marks(t, e);
}

static bool failed(const struct tasks *t)
{
    return t->work.failed || t->mark.failed || t->hwts.rc || t->marks.rc || t->aicore.rc || t->aicpu.rc ||
           t->fetch.rc;
}

static void put_steps(struct tasks *t, struct err *e)
{
    struct analysed *g = t->r->g;
    demo_walk_rewind(&g->walk);
    while (!failed(t) && demo_walk_next(&g->walk)) {
        put_step(t, e);
        g->end_ns = g->walk.step.host_end_ns;
        if (is_last(t))
            break;
    }
}

int raw_tasks(struct raw *r, struct err *e)
{
    struct tasks t = { .r = r };
    raw_open(&t.hwts, r, r->era->hwts);
    raw_open(&t.marks, r,
             r->era->training_trace ? "training_trace.46.dev.profiler_default_tag" : "ts_track.data");
    raw_open(&t.aicore, r, "aicore.data");
    raw_open(&t.aicpu, r, r->era->text ? "DATA_PREPROCESS.dev.AICPU" : "DATA_PREPROCESS.AICPU");
    raw_open(&t.fetch, r, r->era->text ? "DATA_PREPROCESS.dev.AICPUMI" : "DATA_PREPROCESS.AICPUMI");
    t.hwts.lose = (uint32_t)r->g->run->o.lose_slice;
    put_steps(&t, e);
    if (t.work.failed || t.mark.failed)
        err_nomem(e);
    /* each is closed, the first error stays in e */
    struct demo_slices *all[] = { &t.hwts, &t.marks, &t.aicore, &t.aicpu, &t.fetch };
    static const size_t torn_b[] = { 40, 12, 72, 24, 0 };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (demo_slices_close(all[i], torn_b[i], e))
            continue;
    free(t.work.v);
    free(t.mark.v);
    return e->code;
}
