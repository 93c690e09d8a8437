/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 2.x: memory tables (doc/formats/analysed.md#memory; doc/formats/framework.md#operator_memory,
 * #memory_record). "MB" there is KB / 1000.
 */
#include "config.h"

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_num.h"

enum { SALT_APP = 80, SALT_MODULE };

uint64_t ascend_app_kb(const struct ascend *g, uint64_t k)
{
    uint64_t base = (g->run->net->param_b >> 10) + (uint64_t)9 * 1024 * 1024;
    return base + (uint64_t)demo_pick(demo_hash(g->run, SALT_APP, (uint64_t)g->rank, k, 0), 0, 512) * 64 +
           k * 16;
}

uint64_t ascend_device_kb(const struct ascend *g, uint64_t k)
{
    return ascend_app_kb(g, k) + (uint64_t)1536 * 1024;
}

static int npu_mem(struct ascend *g, struct err *e)
{
    const struct msprof_clock c = ascend_clock(g);
    struct emit *o;
    char name[64];
    if (emit_open(&o, g->mso, ascend_name(g, "npu_mem", "csv", name, sizeof name), e))
        return e->code;
    emit_s(o, "Device_id,event,ddr(KB),hbm(KB),memory(KB),timestamp(us)\n");
    for (uint64_t k = 0; k < ascend_mem_samples(g); k++) {
        int64_t at = msprof_sample_ns(&c, k * (ASCEND_MEM_PERIOD_NS / 1000));
        uint64_t app = ascend_app_kb(g, k), device = ascend_device_kb(g, k);
        emit_fmt(o, "%d,APP,0,%U,%U,%t\t\n%d,Device,0,%U,%U,%t\t\n", g->device, app, app, at, g->device,
                 device, device, at);
    }
    return emit_close(o, &g->count, e);
}

/* In order of their ids. */
const struct ascend_module ascend_modules[ASCEND_MODULES] = {
    { 0, "SLOG", 1024, 0 },      { 3, "HCCL", 2097152, 0 },  { 7, "RUNTIME", 131072, 64 },
    { 33, "APP", 9437184, 512 }, { 38, "TDT", 262144, 128 }, { 39, "FE", 8192, 0 },
    { 45, "GE", 1048576, 0 },    { 76, "MBUFF", 16384, 0 },
};

struct ascend_sample ascend_module_sample(const struct ascend *g, uint32_t m, uint64_t k)
{
    const struct ascend_module *x = &ascend_modules[m];
    uint64_t h = demo_hash(g->run, SALT_MODULE, (uint64_t)g->rank * 16 + m, k, 0);
    uint64_t more = x->step_kb ? (uint64_t)demo_pick(h >> 8, 0, 16) * x->step_kb : 0;
    return (struct ascend_sample){ (int64_t)k * ASCEND_MEM_PERIOD_NS + demo_pick(h, 0, 900) * 10,
                                   x->kb + more };
}

/* That of the framework and that of msprof, which differ in their line ends; torch_npu counts in MB. */
static int module_mem(struct ascend *g, bool framework, const char *name, struct err *e)
{
    const char *end = framework ? "\r\n" : "\n";
    const bool in_mb = framework && demo_is_torch(g->run);
    struct emit *o;
    if (emit_open(&o, framework ? g->out : g->mso, name, e))
        return e->code;
    emit_fmt(o, "Device_id,Component,Timestamp(us),Total Reserved(%s),Device%s", in_mb ? "MB" : "KB", end);
    for (uint32_t m = 0; m < ASCEND_MODULES; m++)
        for (uint64_t k = 0; k < ascend_mem_samples(g); k++) {
            struct ascend_sample x = ascend_module_sample(g, m, k);
            emit_fmt(o, "%d,%s,%t\t,", g->device, ascend_modules[m].name, ascend_abs(g, x.ns));
            if (in_mb)
                emit_repr(o, (double)x.kb / 1024);
            else
                emit_u(o, x.kb);
            emit_fmt(o, ",NPU:%d%s", g->device, end);
        }
    return emit_close(o, &g->count, e);
}

/* msprof's memory_record and operator_memory: GE's workspace of each step. */
static int ge_memory(struct ascend *g, struct err *e)
{
    const struct demo_step *s = &g->walk.step;
    const struct demo_net *n = g->run->net;
    struct emit *record, *op = NULL;
    char name[64];
    if (emit_open(&record, g->mso, ascend_name(g, "memory_record", "csv", name, sizeof name), e) ||
        emit_open(&op, g->mso, ascend_name(g, "operator_memory", "csv", name, sizeof name), e)) {
        emit_drop(record);
        return e->code;
    }
    emit_s(record, "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),"
                   "Device\n");
    emit_s(op, "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total "
               "Allocated(KB),Allocation Total Reserved(KB),Release Total Allocated(KB),Release "
               "Total Reserved(KB),Device\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        const struct ascend_work x = ascend_ge_work(g, s);
        emit_fmt(record, "%d,GE,%t\t,%d.0,%d.0,NPU:%d\n", g->device, x.from_ns,
                 ASCEND_GE_BASE_KB + ASCEND_GE_WORK_KB, ASCEND_GE_RESERVED_KB, g->device);
        emit_fmt(record, "%d,GE,%t\t,%d.0,%d.0,NPU:%d\n", g->device, x.to_ns, ASCEND_GE_BASE_KB,
                 ASCEND_GE_RESERVED_KB, g->device);
        emit_fmt(op, "%d,%s,%d.0,%t\t,%r,%d.0,%d.0,", g->device, n->op[n->fp_first].leaf, ASCEND_GE_WORK_KB,
                 x.from_ns, x.us, ASCEND_GE_BASE_KB + ASCEND_GE_WORK_KB, ASCEND_GE_RESERVED_KB);
        emit_fmt(op, "%d.0,%d.0,NPU:%d\n", ASCEND_GE_BASE_KB, ASCEND_GE_RESERVED_KB, g->device);
    }
    int rc = emit_close(record, &g->count, e);
    return emit_close(op, &g->count, e) || rc ? e->code : OK;
}

static double mib(uint64_t b)
{
    return (double)b / 1048576;
}

static void alloc_row(struct ascend *g, struct emit *o, const struct demo_alloc *a)
{
    const char *name = a->op == UINT32_MAX
                           ? "Default/network-TrainOneStepCell/loss_history-ListCell/TensorMove"
                           : g->run->net->op[a->op].name;
    emit_fmt(o, "%s,%r,%r,", name, (double)a->size_b / 1024, demo_us(ascend_abs(g, a->alloc_ns)));
    if (a->free_ns)
        emit_fmt(o, "%r,N/A,%f,N/A,", demo_us(ascend_abs(g, a->free_ns)), a->free_ns - a->alloc_ns);
    else
        emit_s(o, "N/A,N/A,N/A,N/A,");
    emit_fmt(o, "%r,%r,%r,", mib(a->used_at_alloc_b), mib(a->reserved_at_alloc_b), mib(a->used_at_alloc_b));
    if (a->free_ns)
        emit_fmt(o, "%r,%r,%r,", mib(a->used_at_free_b), mib(a->reserved_at_free_b), mib(a->used_at_free_b));
    else
        emit_s(o, "N/A,N/A,N/A,");
    emit_fmt(o, "%U,NPU:%d\r\n", ASCEND_STREAM_PTR, g->device);
}

/* The record of the pools: each row is followed by its sum with the last row of the other pool. */
struct record {
    struct ascend *g;
    struct emit *o;
    double ms_used, ms_reserved, ge_used, ge_reserved; /* KB */
};

/*
 * The sum has the time text of its row, without the TAB. Rows that are MindSpore's name the rank as a device
 * (doc/formats/framework.md#memory_record).
 */
static void both_row(struct record *r, int64_t at, int least)
{
    emit_s(r->o, "MindSpore+GE,");
    emit_trim(r->o, at, 3, least);
    emit_fmt(r->o, ",%r,%r,%r,NPU:%d\r\n", (r->ms_used + r->ge_used) / 1000,
             (r->ms_reserved + r->ge_reserved) / 1000, r->ms_used / 1000, r->g->rank);
}

static void pool_row(struct record *r, const struct demo_pool *p)
{
    int64_t at = ascend_abs(r->g, p->ts_ns);
    r->ms_used = (double)p->used_b / 1024;
    r->ms_reserved = (double)p->reserved_b / 1024;
    emit_s(r->o, "MindSpore,");
    emit_trim(r->o, at, 3, 0);
    emit_fmt(r->o, ",%r,%r,%r,NPU:%d\r\n", r->ms_used / 1000, r->ms_reserved / 1000, r->ms_used / 1000,
             r->g->rank);
    both_row(r, at, 0);
}

/* Its time is that of msprof's own record. */
static void ge_row(struct record *r, int64_t at, uint64_t used_kb)
{
    r->ge_used = (double)used_kb;
    r->ge_reserved = (double)ASCEND_GE_RESERVED_KB;
    emit_fmt(r->o, "GE,%t\t,%r,%r,0.0,NPU:%d\r\n", at, r->ge_used / 1000, r->ge_reserved / 1000,
             r->g->device);
    both_row(r, at, 3);
}

/* GE takes its workspace shortly before the forward pass and gives it back with the last gradient.
 */
static void record_step(struct record *r, const struct demo_mem *m, const struct demo_step *s)
{
    const struct ascend_work x = ascend_ge_work(r->g, s);
    const struct {
        int64_t ts_ns, at_ns;
        uint64_t kb;
    } ge[] = { { ascend_ge_alloc_ns(s), x.from_ns, ASCEND_GE_BASE_KB + ASCEND_GE_WORK_KB },
               { ascend_ge_free_ns(s), x.to_ns, ASCEND_GE_BASE_KB } };
    size_t next = 0;
    for (uint32_t i = 0; i < m->npool; i++) {
        for (; next < ARRAY_LEN(ge) && ge[next].ts_ns <= m->pool[i].ts_ns; next++)
            ge_row(r, ge[next].at_ns, ge[next].kb);
        pool_row(r, &m->pool[i]);
    }
    for (; next < ARRAY_LEN(ge); next++)
        ge_row(r, ge[next].at_ns, ge[next].kb);
}

static int pools(struct ascend *g, struct demo_mem *mem, struct err *e)
{
    struct record r = { .g = g };
    struct emit *op = NULL;
    if (emit_open(&op, g->out, "operator_memory.csv", e) || emit_open(&r.o, g->out, "memory_record.csv", e))
        goto out;
    emit_s(op, "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release "
               "Time(us),Duration(us),Active Duration(us),"
               "Allocation Total Allocated(MB),Allocation Total Reserved(MB),Allocation Total Active(MB),"
               "Release Total Allocated(MB),Release Total Reserved(MB),Release Total Active(MB),Stream "
               "Ptr,Device Type\r\n");
    emit_s(r.o, "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total "
                "Active(MB),Device Type\r\n");
    demo_walk_rewind(&g->walk);
    while (demo_walk_next(&g->walk)) {
        if (demo_mem_step(mem, &g->walk, e))
            goto out;
        for (uint32_t i = 0; i < mem->nalloc; i++)
            alloc_row(g, op, &mem->alloc[i]);
        record_step(&r, mem, &g->walk.step);
    }
    for (uint64_t k = 0; k < ascend_mem_samples(g); k++)
        emit_fmt(r.o, "APP,%t,0.0,%r,0.0,NPU:%d\r\n", ascend_abs(g, (int64_t)k * ASCEND_MEM_PERIOD_NS),
                 (double)ascend_app_kb(g, k) / 1000, g->rank);
    struct emit *done = op;
    op = NULL;
    if (emit_close(done, &g->count, e))
        goto out;
    done = r.o;
    r.o = NULL;
    if (emit_close(done, &g->count, e))
        goto out;
out:
    emit_drop(op);
    emit_drop(r.o);
    return e->code;
}

int ascend_memory(struct ascend *g, struct err *e)
{
    char name[64];
    if (npu_mem(g, e) || module_mem(g, true, "npu_module_mem.csv", e) ||
        module_mem(g, false, ascend_name(g, "npu_module_mem", "csv", name, sizeof name), e))
        return e->code;
    return ge_memory(g, e);
}

int ascend_pools(struct ascend *g, struct err *e)
{
    struct demo_mem mem;
    if (demo_mem_init(&mem, g->run, e))
        return e->code;
    int rc = pools(g, &mem, e);
    demo_mem_done(&mem);
    return rc;
}
