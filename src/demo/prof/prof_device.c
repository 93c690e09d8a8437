/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 2.x: a device's records: the log of its task scheduler ("stars", or HWTS of 910A and
 * 310P), counters of the AI cores, step marks, the AI CPU, frequency and memory
 * (doc/formats/prof.md#device-records). One walk writes them all; no record of a step is later than those of
 * the next.
 */
#include "config.h"

#include <stdlib.h>

#include "demo/prof/prof.h"
#include "parsers/prof/prof_layout.h"

enum { PROF_AICPU_RECORD(FIELD_AT) };
enum { STARS_RECORD(FIELD_AT) STARS6_RECORD(FIELD_AT) HWTS_RECORD2(FIELD_AT) TS_TRACK_RECORD2(FIELD_AT) };
enum { TS_LINE_RECORD(FIELD_AT) FFTS_RECORD(FIELD_AT) AICORE_RECORD2(FIELD_AT) };
enum { FREQ_RECORD(FIELD_AT) FREQ_B = 888 };
enum { NPU_MEM_RECORD(FIELD_AT) NPU_MODULE_MEM_RECORD(FIELD_AT) L2_CACHE_RECORD(FIELD_AT) };

enum {
    STARS,
    STARS32,
    STARS_BLOCK,
    FFTS,
    HWTS,
    AICORE,
    TS_TRACK,
    AICPU,
    FREQUENCY,
    NPU_MEM,
    MODULE_MEM,
    L2_CACHE,
    FILES
};
/* clang-format off */
static const struct demo_prof_file FILE_OF[FILES] = {
    [STARS] =      { "stars_soc.data",      64,  40 },
    [STARS32] =    { "stars_soc.data",      32,  20 },
    [STARS_BLOCK] = { "stars_block.data",   32,  0 },
    [FFTS] =       { "ffts_profile.data",   128, 72 },
    [HWTS] =       { "hwts.data",           64,  40 },
    [AICORE] =     { "aicore.data",         128, 72 },
    [TS_TRACK] =   { "ts_track.data",       40,  12 },
    [AICPU] =      { "aicpu.data",          256, 0 },
    [FREQUENCY] =  { "lpmFreqConv.data",    888, 0 },
    [NPU_MEM] =    { "npu_mem.data",        32,  20 },
    [MODULE_MEM] = { "npu_module_mem.data", 24,  0 },
    [L2_CACHE] =   { "l2_cache.data",       72,  48 },
};
/* clang-format on */
enum function {
    TASK_START = 0,
    TASK_END = 1,
    SUB_START = 0x22,
    SUB_END = 0x23,
    BLOCK_START = 0x24,
    BLOCK_END = 0x25,
    FUSION_START = 0x16,
    FUSION_END = 0x17
};
enum sqe {
    SQE_AIC = 0,
    HWTS_SDMA = 9,
    SQE_AICPU = 1,
    SQE_AIV = 2,
    SQE_RECORD = 6,
    SQE_WAIT = 7,
    SQE_SDMA = 11,
    SQE_ROCE = 16
};
enum track_type { STEP_MARK = 10, RUN = 12, FLIP = 14 };
enum run { RUN_AICPU = 1, RUN_STARTS = 1, RUN_ENDS = 2 };
enum tag { MODEL_START = 0, MODEL_END = 1, FP = 2, BP = 3, ITERATION_END = 4, REDUCE = 10000 };
/* By enum demo_core: task type in the log; sub-task type and FFTS type of the counters. */
static const struct {
    uint8_t sqe, sub, ffts;
} CORE[] = {
    [DEMO_AIC] = { SQE_AIC, 0, 0 },
    [DEMO_AIV] = { SQE_AIV, 1, 1 },
    [DEMO_MIX] = { SQE_AIC, 6, 4 },
    [DEMO_AICPU] = { SQE_AICPU, 0, 0 },
};
/* By enum sqe, of chips with ids of 32 bits. */
static const uint8_t SQE32[] = {
    [SQE_AIC] = 0, [SQE_AICPU] = 5, [SQE_AIV] = 1, [SQE_RECORD] = 6, [SQE_WAIT] = 7
};
#define SQE32_FUSION  2
#define FUSION_AICORE 4
#define LEVEL_AICPU   6000
#define REDUCES_MAX   5000 /* marks of one iteration */

/* A record of the log or of the marks; seq keeps the order of equal ticks. */
struct event {
    uint64_t ticks;
    uint32_t seq;
    uint16_t stream, tag;
    uint32_t task; /* 16 bits, except on chips with ids32 */
    uint8_t function, sqe;
    bool sub; /* of the context of a mix kernel */
};
struct events {
    struct event *v, spare; /* spare: used when out of memory */
    uint32_t n, cap;
    bool failed;
};

struct device {
    struct demo_prof *r;
    struct demo_slices s[FILES];
    struct events log, mark; /* of the step */
    struct demo_prof_batches batches;
    uint32_t log_count, pmu_count; /* of records, modulo 16 */
    unsigned char freq[FREQ_B];    /* the next record */
    uint32_t freq_points;
    uint64_t sample; /* of memory, the next one */
    bool any;        /* a kernel ran */
};

static struct event *add(struct device *d, struct events *x, int64_t ns)
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
    x->v[x->n] = (struct event){ .ticks = ascend_device_count(d->r->g, ns), .seq = x->n };
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

static bool happened(const struct device *d, int64_t ns)
{
    return demo_cut_happened(&d->r->cut, &d->r->g->walk.step, ns);
}

static bool is_stuck(const struct device *d, const struct demo_kernel *k)
{
    return demo_cut_is_stuck(&d->r->cut, &d->r->g->walk.step, k);
}

static void put(struct device *d, int file, const unsigned char *p, struct err *e)
{
    demo_slices_put(&d->s[file], p, FILE_OF[file].record_b, e);
}

/* ---- the task scheduler ---- */

struct task {
    uint32_t stream, task;
    enum sqe sqe;
    bool sub;
};

static void put_event(struct device *d, const struct task *t, enum function f, int64_t ns)
{
    if (!happened(d, ns))
        return;
    struct event *x = add(d, &d->log, ns);
    x->stream = (uint16_t)t->stream;
    x->task = t->task;
    x->function = (uint8_t)f;
    x->sqe = (uint8_t)t->sqe;
    x->sub = t->sub;
}

/*
 * Task numbers begin anew: writes a record for each time since the last task of the stream, shortly before
 * this task.
 */
static void put_flips(struct device *d, uint32_t stream, uint32_t task, int64_t ns)
{
    uint32_t batch = d->batches.of[stream % 64], n = demo_prof_flips(&d->batches, stream, task);
    if (d->r->chip->ids32)
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct event *x = add(d, &d->mark, ns - (int64_t)(n - i) * ASCEND_TICK_NS);
        x->function = FLIP;
        x->stream = (uint16_t)stream;
        x->tag = (uint16_t)((batch + i + 1) % 65535);
    }
}

/* 910A: the task scheduler's processor records when the AI CPU runs a task. */
static void put_run(struct device *d, const struct demo_kernel *k, enum run state, int64_t ns)
{
    if (!happened(d, ns))
        return;
    struct event *x = add(d, &d->mark, ns);
    x->function = RUN;
    x->stream = d->r->g->run->net->op[k->op].stream;
    x->task = k->task;
    x->tag = (uint16_t)state;
}

static void events_hwts(struct device *d, const struct demo_kernel *k)
{
    const struct demo_op *op = &d->r->g->run->net->op[k->op];
    bool cpu = demo_op_type(op)->core == DEMO_AICPU;
    const struct task t = { op->stream, k->task, cpu ? SQE_AICPU : SQE_AIC, false };
    int64_t end = k->start_ns + k->dur_ns;
    put_flips(d, op->stream, k->task, k->start_ns - 100);
    if (cpu && d->r->chip->ts_aicpu) {
        put_run(d, k, RUN_STARTS, k->start_ns);
        if (!is_stuck(d, k))
            put_run(d, k, RUN_ENDS, end);
        return;
    }
    put_event(d, &t, TASK_START, k->start_ns);
    if (!is_stuck(d, k))
        put_event(d, &t, TASK_END, end);
}

static enum demo_core core_of(const struct device *d, const struct demo_op *op)
{
    enum demo_core core = demo_op_type(op)->core;
    return d->r->chip->one_core && core != DEMO_AICPU ? DEMO_AIC : core;
}

/* A mix kernel is a task with one context; the task itself is a tick longer at both ends. */
static void kernel_events(struct device *d, const struct demo_kernel *k)
{
    const struct demo_op *op = &d->r->g->run->net->op[k->op];
    const enum demo_core core = core_of(d, op);
    bool context = core == DEMO_MIX && !d->r->chip->ids32;
    int64_t end = k->start_ns + k->dur_ns, more = context ? ASCEND_TICK_NS : 0;
    struct task t = { op->stream, k->task, CORE[core].sqe, false };
    put_flips(d, op->stream, k->task, k->start_ns - 100);
    put_event(d, &t, TASK_START, k->start_ns - more);
    t.sub = context;
    if (t.sub)
        put_event(d, &t, SUB_START, k->start_ns);
    if (t.sub && !is_stuck(d, k))
        put_event(d, &t, SUB_END, end);
    t.sub = false;
    if (core == DEMO_MIX && !context)
        put_event(d, &t, FUSION_START, k->start_ns);
    if (is_stuck(d, k))
        return;
    if (core == DEMO_MIX && !context)
        put_event(d, &t, FUSION_END, end);
    put_event(d, &t, TASK_END, end + more);
}

static enum sqe sqe_of(const struct device *d, const struct demo_link *l, const struct demo_comm_task *t)
{
    if (t->is >= DEMO_FLAG && d->r->chip->hwts)
        return HWTS_SDMA;
    if (t->is >= DEMO_FLAG)
        return l->rdma ? SQE_ROCE : SQE_SDMA;
    return t->is == DEMO_AWAIT ? SQE_WAIT : SQE_RECORD;
}

/* In an op that never ends, either the transfers do not end, or they have not begun: its planes wait. */
static void comm_events(struct device *d, const struct demo_comm *c)
{
    const struct demo_walk *w = &d->r->g->walk;
    bool ended = demo_cut_comm_ended(&d->r->cut, &w->step, c), hangs = d->r->cut.hangs;
    struct demo_comm_task v[DEMO_COMM_TASKS];
    for (uint32_t plane = 0; plane < c->nlink; plane++) {
        uint32_t stream = DEMO_STREAM_PLANE + plane;
        put_flips(d, stream, c->task, c->start_ns - 100);
        for (uint32_t i = 0, n = demo_comm_tasks(c, plane, v); i < n; i++) {
            const struct task t = { stream, v[i].task, sqe_of(d, &c->link[plane], &v[i]), false };
            bool last = !ended && (hangs ? demo_is_data(&v[i]) : v[i].is == DEMO_AWAIT);
            put_event(d, &t, TASK_START, v[i].start_ns);
            if (last)
                break;
            put_event(d, &t, TASK_END, v[i].start_ns + v[i].dur_ns);
        }
    }
}

static void put_hwts(struct device *d, const struct event *x, struct err *e)
{
    unsigned char p[64] = { 0 };
    p[0] = (unsigned char)(x->function | (d->log_count++ & 15) << 4);
    p[HW_KIND] = x->sqe;
    demo_u16(p + HW_MARK, PROF_STARS_MARK);
    demo_u16(p + HW_TASK, x->task);
    demo_u64(p + HW_TICKS, x->ticks);
    demo_u32(p + HW_STREAM, x->stream);
    put(d, HWTS, p, e);
}

static void put_stars32(struct device *d, const struct event *x, struct err *e)
{
    unsigned char p[32] = { 0 };
    bool fusion = x->function == FUSION_START || x->function == FUSION_END;
    uint32_t sqe = fusion ? SQE32_FUSION : x->sqe < ARRAY_LEN(SQE32) ? SQE32[x->sqe] : x->sqe;
    if (fusion) {
        demo_u16(p + S6_FUSION, FUSION_AICORE);
        demo_u16(p + S6_ACC, x->stream);
    }
    demo_u16(p, x->function | (d->log_count++ & 15) << 6 | sqe << 10);
    demo_u16(p + S6_MARK, PROF_STARS_MARK);
    demo_u32(p + S6_TASK, demo_prof_id32(x->stream, x->task));
    demo_u64(p + S6_TICKS, x->ticks);
    put(d, STARS32, p, e);
}

static void put_log(struct device *d, struct err *e)
{
    sort(&d->log);
    for (uint32_t i = 0; i < d->log.n; i++) {
        const struct event *x = &d->log.v[i];
        unsigned char p[64] = { 0 };
        if (d->r->chip->hwts || d->r->chip->ids32) {
            (d->r->chip->hwts ? put_hwts : put_stars32)(d, x, e);
            continue;
        }
        demo_u16(p, x->function | (d->log_count++ & 15) << 6 | (uint32_t)x->sqe << 10);
        demo_u16(p + ST_MARK, PROF_STARS_MARK);
        demo_u16(p + ST_STREAM, x->stream);
        demo_u16(p + ST_TASK, x->task);
        demo_u64(p + ST_TICKS, x->ticks);
        if (x->sub) {
            demo_u16(p + ST_SUB_KIND, CORE[DEMO_MIX].sub);
            demo_u16(p + ST_FFTS, (uint32_t)CORE[DEMO_MIX].ffts << 13);
        }
        put(d, STARS, p, e);
    }
}

/* ---- counters ---- */

static void put_pmu(struct device *d, const struct demo_kernel *k, const struct demo_pmu_core *c, int block,
                    struct err *e)
{
    const struct ascend *g = d->r->g;
    const struct demo_op *op = &g->run->net->op[k->op];
    enum demo_core core = core_of(d, op);
    unsigned char p[128] = { 0 };
    demo_u16(p, (block < 0 ? PROF_FFTS_TASK : PROF_FFTS_BLOCK) | (d->pmu_count++ & 15) << 6);
    demo_u16(p + FF_MARK, PROF_STARS_MARK);
    demo_u16(p + FF_STREAM, op->stream);
    demo_u16(p + FF_TASK, k->task);
    demo_u16(p + FF_SUB_KIND, CORE[core].sub);
    if (block < 0)
        demo_u16(p + FF_FFTS, (uint32_t)CORE[core].ffts << 13);
    else {
        p[FF_CORE] = (unsigned char)(1 | (block % DEMO_AIV_CORES) << 1);
        p[FF_FFTS + 1] = (unsigned char)(CORE[core].ffts << 5);
        demo_u16(p + FF_SUB_BLOCK, (uint32_t)block % 2);
        demo_u16(p + FF_BLOCK, (uint32_t)block / 2);
    }
    demo_u64(p + FF_CYCLES, c->cycles);
    for (int i = 0; i < DEMO_PMU_EVENTS; i++)
        demo_u64(p + FF_COUNTER + 8 * i, c->event[i]);
    demo_u64(p + FF_START, ascend_device_count(g, k->start_ns));
    demo_u64(p + FF_END, ascend_device_count(g, k->start_ns + k->dur_ns));
    put(d, FFTS, p, e);
}

static void put_aicore(struct device *d, const struct demo_kernel *k, const struct demo_pmu_core *c,
                       struct err *e)
{
    unsigned char p[128] = { 0 };
    p[0] = (unsigned char)((d->pmu_count++ & 15) << 4);
    demo_u16(p + AC_TASK, k->task);
    demo_u64(p + AC_CYCLES, c->cycles);
    for (int i = 0; i < DEMO_PMU_EVENTS; i++)
        demo_u64(p + AC_COUNTER + 8 * i, c->event[i]);
    demo_u32(p + AC_STREAM, d->r->g->run->net->op[k->op].stream);
    put(d, AICORE, p, e);
}

/* A block in the log of blocks: as long as the kernel, except for some ticks at both ends. */
static void put_block32(struct device *d, const struct demo_kernel *k, uint32_t block, struct err *e)
{
    const struct ascend *g = d->r->g;
    int64_t late = (int64_t)(block % 4) * ASCEND_TICK_NS, from = k->start_ns + late,
            to = k->start_ns + k->dur_ns - late;
    for (int end = 0; end < 2; end++) {
        unsigned char p[32] = { 0 };
        demo_u16(p, end ? BLOCK_END : BLOCK_START);
        demo_u16(p + S6_MARK, PROF_STARS_MARK);
        demo_u32(p + S6_TASK, demo_prof_id32(g->run->net->op[k->op].stream, k->task));
        demo_u64(p + S6_TICKS, ascend_device_count(g, end ? to : from));
        p[S6_MIX] = F6_MIX;
        p[S6_CORE_KIND] = 1;
        p[S6_CORE] = (unsigned char)(block % DEMO_AIV_CORES);
        demo_u16(p + S6_BLOCK, block);
        put(d, STARS_BLOCK, p, e);
    }
}

static void put_pmu32(struct device *d, const struct demo_kernel *k, const struct demo_pmu_core *c,
                      unsigned flags, bool vector, int block, struct err *e)
{
    const struct ascend *g = d->r->g;
    unsigned char p[128] = { 0 };
    demo_u16(p, (block < 0 ? PROF_FFTS_TASK6 : PROF_FFTS_BLOCK) | (d->pmu_count++ & 15) << 6);
    demo_u16(p + FF_MARK, PROF_STARS_MARK);
    demo_u32(p + F6_TASK, demo_prof_id32(g->run->net->op[k->op].stream, k->task));
    demo_u64(p + F6_CYCLES, c->cycles);
    p[F6_FLAGS] = (unsigned char)flags;
    p[F6_CORE_KIND] = vector;
    p[F6_CORE] = (unsigned char)(block < 0 ? 0 : block % DEMO_AIV_CORES);
    demo_u16(p + F6_BLOCK, block < 0 ? 0 : (uint32_t)block);
    for (int i = 0; i < DEMO_PMU_EVENTS; i++)
        demo_u64(p + F6_COUNTER + 8 * i, c->event[i]);
    demo_u64(p + FF_START, ascend_device_count(g, k->start_ns));
    demo_u64(p + FF_END, ascend_device_count(g, k->start_ns + k->dur_ns));
    put(d, FFTS, p, e);
}

/* The record of the task, for a mix kernel one of each core, and those of its vector blocks. */
static void put_counters32(struct device *d, const struct demo_kernel *k, const struct demo_pmu *pmu,
                           struct err *e)
{
    bool vector = !pmu->aic.cycles;
    put_pmu32(d, k, vector ? &pmu->aiv : &pmu->aic, F6_MASTER | (pmu->block.cycles ? F6_MIX : 0), vector, -1,
              e);
    if (!pmu->block.cycles)
        return;
    put_pmu32(d, k, &pmu->aiv, F6_MIX, true, -1, e);
    for (uint32_t b = 0; b < pmu->aiv.blocks; b++) {
        struct demo_pmu_core c = demo_pmu_block(pmu, b);
        put_pmu32(d, k, &c, F6_MIX, true, (int)b, e);
        put_block32(d, k, b, e);
    }
}

/* The record of the task, and for a mix kernel those of its vector blocks. */
static void put_counters(struct device *d, const struct demo_kernel *k, struct err *e)
{
    struct demo_pmu pmu;
    demo_pmu_of(&pmu, &d->r->g->walk, k);
    if (d->r->chip->hwts) {
        put_aicore(d, k, &pmu.aic, e);
        return;
    }
    if (d->r->chip->ids32) {
        put_counters32(d, k, &pmu, e);
        return;
    }
    put_pmu(d, k, pmu.aic.cycles ? &pmu.aic : &pmu.aiv, -1, e);
    if (!pmu.block.cycles)
        return;
    for (uint32_t b = 0; b < pmu.aiv.blocks; b++) {
        struct demo_pmu_core c = demo_pmu_block(&pmu, b);
        put_pmu(d, k, &c, (int)b, e);
    }
}

/* Of a million requests, in the order of the chip's events. */
static void put_l2(struct device *d, const struct demo_kernel *k, struct err *e)
{
    const struct demo_op *op = &d->r->g->run->net->op[k->op];
    const uint32_t victims = ascend_l2_victims(d->r->g, k), hits = 1000000 - victims;
    const uint32_t events[] = { 700000, 300000, hits / 4 * 3, hits / 4, victims };
    unsigned char p[72] = { 0 };
    demo_u16(p + LC_STREAM, op->stream);
    demo_u16(p + LC_TASK, k->task);
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        demo_u64(p + LC_EVENT + 8 * i, events[i]);
    put(d, L2_CACHE, p, e);
}

static void put_aicpu(struct device *d, const struct demo_kernel *k, struct err *e)
{
    const struct ascend *g = d->r->g;
    const struct demo_op *op = &g->run->net->op[k->op];
    const struct ascend_aicpu a = ascend_aicpu_of(g, k);
    unsigned char p[256] = { 0 };
    demo_u16(p, PROF_HOST_MARK);
    demo_u16(p + PH_LEVEL, LEVEL_AICPU);
    demo_u32(p + PH_THREAD, 1);
    demo_u32(p + PH_LENGTH, 232);
    demo_u64(p + PH_TIME, a.end);
    demo_u16(p + PA_STREAM, op->stream);
    demo_u16(p + PA_TASK, k->task);
    if (d->r->chip->ids32)
        demo_u32(p + PA_STREAM, demo_prof_id32(op->stream, k->task));
    demo_u64(p + PA_START_US, a.start_us);
    demo_u64(p + PA_START, a.start);
    demo_u64(p + PA_COMPUTE, a.start_us);
    demo_u64(p + PA_COPY, a.start_us + a.compute_us);
    demo_u64(p + PA_COPY_END, a.start_us + a.compute_us + a.copy_us);
    demo_u64(p + PA_END_US, a.start_us + a.compute_us + a.copy_us);
    demo_u64(p + PA_END, a.end);
    demo_u32(p + PA_THREAD, 1);
    demo_u32(p + PA_DEVICE, (uint32_t)g->device);
    demo_u64(p + PA_SUBMIT, a.submit);
    demo_u64(p + PA_SCHEDULE, a.submit + 2);
    demo_u64(p + PA_BEFORE, a.start);
    demo_u64(p + PA_AFTER, a.after);
    demo_u32(p + PA_KERNEL, 1);
    demo_u32(p + PA_DISPATCH_US, a.dispatch_us);
    demo_u32(p + PA_TOTAL_US, (uint32_t)((a.after - a.submit) / ASCEND_MHZ));
    p[PA_FFTS + 2] = 1; /* version */
    put(d, AICPU, p, e);
}

/* ---- step marks ---- */

static void mark(struct device *d, enum tag tag, int64_t ns)
{
    if (!happened(d, ns))
        return;
    struct event *x = add(d, &d->mark, ns);
    x->function = STEP_MARK;
    x->stream = tag >= REDUCE ? DEMO_STREAM_HCCL : DEMO_STREAM_MAIN;
    x->tag = (uint16_t)tag;
}

/* The model starts once and then iterates; an iteration begins where the one before it ended. */
static void collect_marks(struct device *d)
{
    const struct ascend *g = d->r->g;
    const struct demo_step *s = &g->walk.step;
    const struct demo_cut *cut = &d->r->cut;
    bool whole = !demo_cut_is_last(cut, s);
    if (!s->index)
        mark(d, MODEL_START, s->start_ns);
    if (whole || cut->op > g->run->net->fp_first)
        mark(d, FP, s->fp_ns);
    if (whole || cut->op > g->run->net->bp_last)
        mark(d, BP, s->bp_ns);
    for (uint32_t i = 0; i < s->ncomm; i++) {
        const struct demo_comm *c = &s->comm[i];
        enum tag tag = (enum tag)(REDUCE + 2 * (i % REDUCES_MAX));
        if (demo_cut_comm_started(cut, s, c))
            mark(d, tag, c->start_ns);
        if (demo_cut_comm_ended(cut, s, c))
            mark(d, tag + 1, c->start_ns + c->dur_ns);
    }
    if (!whole)
        return;
    mark(d, ITERATION_END, s->end_ns);
    if (s->index + 1 == (uint32_t)g->run->o.steps)
        mark(d, MODEL_END, s->end_ns + 1000);
}

static void put_marks(struct device *d, struct err *e)
{
    sort(&d->mark);
    for (uint32_t i = 0; i < d->mark.n; i++) {
        const struct event *x = &d->mark.v[i];
        unsigned char p[40] = { 0 };
        p[TT_TYPE] = x->function;
        demo_u16(p + TL_LENGTH, sizeof p);
        demo_u64(p + TT_TICKS, x->ticks);
        if (x->function == RUN) {
            demo_u16(p + TT_STREAM, x->stream);
            demo_u16(p + TT_TASK, x->task);
            demo_u16(p + TT_TASK_TYPE, RUN_AICPU);
            p[TT_STATE] = (unsigned char)x->tag;
        } else if (x->function == FLIP) {
            demo_u16(p + TT_STREAM, x->stream);
            demo_u16(p + TT_TASK, x->tag);
            demo_u16(p + TT_FLIP_TASK, 0);
        } else {
            demo_u64(p + TT_INDEX, d->r->g->walk.step.index + 1);
            demo_u64(p + TT_MODEL, ASCEND_MODEL_ID);
            demo_u16(p + (d->r->chip->ids32 ? TT6_STREAM : TT_MARK_STREAM), x->stream);
            demo_u16(p + (d->r->chip->ids32 ? TT6_TAG : TT_TAG), x->tag);
        }
        put(d, TS_TRACK, p, e);
    }
}

/* ---- frequency, memory ---- */

static void end_freq(struct device *d, struct err *e)
{
    if (!d->freq_points)
        return;
    demo_u32(d->freq, d->freq_points);
    put(d, FREQUENCY, d->freq, e);
    memset(d->freq, 0, sizeof d->freq);
    d->freq_points = 0;
}

static void put_freq(struct device *d, int64_t ns, uint32_t mhz, struct err *e)
{
    if (!happened(d, ns))
        return;
    unsigned char *p = d->freq + FR_TICKS + d->freq_points * FREQ_POINT_B;
    demo_u64(p, ascend_device_count(d->r->g, ns));
    demo_u32(p + 8, mhz);
    if (++d->freq_points == FREQ_POINTS)
        end_freq(d, e);
}

static void put_freqs(struct device *d, struct err *e)
{
    const struct demo_walk *w = &d->r->g->walk;
    struct demo_span dip = demo_pmu_dip(w);
    put_freq(d, w->step.host_ns, DEMO_AIC_MHZ, e);
    if (!dip.start_ns)
        return;
    put_freq(d, dip.start_ns, DEMO_SLOW_MHZ, e);
    put_freq(d, dip.start_ns + dip.dur_ns, DEMO_AIC_MHZ, e);
}

static void put_npu_mem(struct device *d, uint64_t k, struct err *e)
{
    const struct ascend *g = d->r->g;
    uint64_t us = k * (ASCEND_MEM_PERIOD_NS / 1000);
    if (us > UINT32_MAX) /* later samples do not fit into the field */
        return;
    for (uint32_t i = 0; i < 2; i++) {
        unsigned char p[32] = { 0 };
        demo_u32(p, (uint32_t)us);
        demo_u32(p + NM_EVENT, i);
        demo_u64(p + NM_HBM, (i ? ascend_device_kb(g, k) : ascend_app_kb(g, k)) * 1024);
        put(d, NPU_MEM, p, e);
    }
}

/* Samples up to the end of the step; g->end_ns is that of the run. */
static void put_memory(struct device *d, struct err *e)
{
    const struct ascend *g = d->r->g;
    int64_t end = g->walk.step.host_end_ns < g->end_ns ? g->walk.step.host_end_ns : g->end_ns;
    for (; (int64_t)d->sample * ASCEND_MEM_PERIOD_NS <= end; d->sample++) {
        put_npu_mem(d, d->sample, e);
        for (uint32_t m = 0; m < ASCEND_MODULES; m++) {
            struct ascend_sample x = ascend_module_sample(g, m, d->sample);
            unsigned char p[24] = { 0 };
            demo_u32(p, ascend_modules[m].id);
            demo_u64(p + MM_TIME, ascend_host_count(x.ns));
            demo_u64(p + MM_SIZE, x.kb * 1024);
            if (!d->r->cut.on || x.ns <= g->end_ns)
                put(d, MODULE_MEM, p, e);
        }
    }
}

/* ---- the steps ---- */

static void put_kernel(struct device *d, const struct demo_kernel *k, struct err *e)
{
    struct ascend *g = d->r->g;
    bool aicpu = demo_op_type(&g->run->net->op[k->op])->core == DEMO_AICPU;
    if (d->r->chip->hwts)
        events_hwts(d, k);
    else
        kernel_events(d, k);
    if (is_stuck(d, k) || !happened(d, k->start_ns + k->dur_ns))
        return;
    if (aicpu)
        put_aicpu(d, k, e);
    else
        put_counters(d, k, e);
    if (d->any && demo_prof_has_l2(d->r))
        put_l2(d, k, e);
    d->any = true;
    g->sum->aicpu += aicpu;
    g->sum->kernels++;
    g->sum->kernel_ns += k->dur_ns;
}

static void put_step(struct device *d, struct err *e)
{
    struct ascend *g = d->r->g;
    const struct demo_step *s = &g->walk.step;
    const struct demo_cut *cut = &d->r->cut;
    d->log.n = d->mark.n = 0;
    collect_marks(d);
    for (uint32_t i = 0; i < s->nkernel; i++)
        if (demo_cut_kernel_started(cut, s, &s->kernel[i]))
            put_kernel(d, &s->kernel[i], e);
    for (uint32_t i = 0; i < s->ncomm; i++) {
        if (demo_cut_comm_started(cut, s, &s->comm[i]))
            comm_events(d, &s->comm[i]);
        if (!demo_cut_comm_ended(cut, s, &s->comm[i]))
            continue;
        g->sum->comms++;
        g->sum->comm_ns += s->comm[i].dur_ns;
    }
    put_log(d, e);
    put_marks(d, e);
    if (!d->r->chip->one_core)
        put_freqs(d, e);
    put_memory(d, e);
}

int demo_prof_device(struct demo_prof *r, struct err *e)
{
    struct ascend *g = r->g;
    struct device *d = calloc(1, sizeof *d);
    if (!d)
        return err_nomem(e);
    d->r = r;
    demo_prof_open(d->s, FILE_OF, FILES, r, r->device, g->device);
    demo_walk_rewind(&g->walk);
    while (!d->log.failed && !d->mark.failed && !demo_prof_failed(d->s, FILES) && demo_walk_next(&g->walk)) {
        put_step(d, e);
        if (demo_cut_is_last(&r->cut, &g->walk.step))
            break;
    }
    end_freq(d, e);
    if (d->log.failed || d->mark.failed)
        err_nomem(e);
    if (demo_prof_close(d->s, FILE_OF, FILES, e))
        goto out;
out:
    free(d->log.v);
    free(d->mark.v);
    free(d);
    return e->code;
}
