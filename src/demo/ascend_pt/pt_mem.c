/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory tables of torch_npu (doc/formats/framework.md#torch_npu-operator_memory, #torch_npu-memory_record).
 * "MB" there is KB / 1024.
 */
#include "config.h"

#include <stdlib.h>

#include "demo/ascend_pt/pt.h"
#include "demo/demo_num.h"

/* What becomes of an allocation of the step, NULL: it does not happen. */
struct life {
    const struct fw_record *is[FW_BLOCK_FREE + 1];
};
struct writing {
    struct ascend *g;
    struct fw fw;
    struct life *life; /* by allocation */
    struct emit *op, *record;
    const struct fw_memory *own; /* of the framework's pool, NULL: none so far */
    uint64_t ge_kb;              /* in use by GE, 0: it has taken nothing so far */
    struct fw_memory last;       /* what own points to */
};

static double mib(uint64_t b)
{
    return (double)b / 1048576;
}

/* ---- operator_memory ---- */

static void put_time(const struct writing *w, const struct fw_record *x)
{
    emit_c(w->op, ',');
    if (x)
        emit_fmt(w->op, "%t\t", ascend_abs(w->g, x->at_ns));
}

static void put_after(const struct writing *w, const struct fw_record *from, const struct fw_record *x)
{
    emit_c(w->op, ',');
    if (x)
        emit_fmt(w->op, "%t\t", x->at_ns - from->at_ns);
}

static void put_totals(const struct writing *w, const struct fw_record *x)
{
    if (x)
        emit_fmt(w->op, ",%r,%r,%r", mib(x->memory.used_b), mib(x->memory.reserved_b),
                 mib(x->memory.active_b));
    else
        emit_s(w->op, ",,,");
}

static void put_life(const struct writing *w, const struct life *x)
{
    const struct fw_record *from = x->is[FW_MALLOC];
    emit_fmt(w->op, "%s,%r", from->memory.owner, (double)from->memory.size_b / 1024);
    put_time(w, from);
    put_time(w, x->is[FW_FREE]);
    put_time(w, x->is[FW_BLOCK_FREE]);
    put_after(w, from, x->is[FW_FREE]);
    put_after(w, from, x->is[FW_BLOCK_FREE]);
    put_totals(w, from);
    put_totals(w, x->is[FW_FREE]);
    emit_fmt(w->op, ",%U,NPU:%d\r\n", ASCEND_STREAM_PTR, w->g->device);
}

/* By the time of the allocation. */
static void put_lives(struct writing *w)
{
    for (uint32_t i = 0; i < w->fw.mem.nalloc; i++)
        w->life[i] = (struct life){ { NULL } };
    for (uint32_t i = 0; i < w->fw.n; i++)
        if (w->fw.v[i].file == FW_MEMORY)
            w->life[w->fw.v[i].memory.alloc].is[w->fw.v[i].memory.change] = &w->fw.v[i];
    for (uint32_t i = 0; i < w->fw.n; i++)
        if (w->fw.v[i].file == FW_MEMORY && w->fw.v[i].memory.change == FW_MALLOC)
            put_life(w, &w->life[w->fw.v[i].memory.alloc]);
}

/* GE's workspace of each step, as msprof's table has it. */
static void put_ge_lives(struct writing *w)
{
    const struct ascend *g = w->g;
    const struct demo_step *s = &g->walk.step;
    const double most = (ASCEND_GE_BASE_KB + ASCEND_GE_WORK_KB) / 1024.0, least = ASCEND_GE_BASE_KB / 1024.0,
                 reserved = ASCEND_GE_RESERVED_KB / 1024.0;
    demo_walk_rewind(&w->g->walk);
    while (demo_walk_next(&w->g->walk)) {
        const struct ascend_work at = ascend_ge_work(g, s);
        emit_fmt(w->op, "cann::%s,%d.0,%t\t,%t\t,,%r,,%r,%r,,%r,%r,,,NPU:%d\r\n",
                 g->run->net->op[g->run->net->fp_first].leaf, ASCEND_GE_WORK_KB, at.from_ns,
                 at.from_ns + demo_round(at.us, 3), at.us, most, reserved, least, reserved, g->device);
    }
}

/* ---- memory_record ---- */

/* Both pools together: that of GE has no stream and no active memory. */
static void put_both(struct writing *w, int64_t at_ns)
{
    const struct fw_memory *own = w->own;
    const double ge = (double)w->ge_kb / 1024, ge_reserved = w->ge_kb ? ASCEND_GE_RESERVED_KB / 1024.0 : 0;
    emit_fmt(w->record, "PTA+GE,%t\t,%r,%r,", at_ns, (own ? mib(own->used_b) : 0) + ge,
             (own ? mib(own->reserved_b) : 0) + ge_reserved);
    if (own)
        emit_fmt(w->record, "%r,%U", mib(own->active_b), ASCEND_STREAM_PTR);
    else
        emit_s(w->record, "0,");
    emit_fmt(w->record, ",NPU:%d\r\n", w->g->device);
}

static void put_ge(struct writing *w, int64_t at_ns, uint64_t kb)
{
    w->ge_kb = kb;
    emit_fmt(w->record, "GE,%t\t,%r,%r,,,NPU:%d\r\n", at_ns, (double)kb / 1024,
             ASCEND_GE_RESERVED_KB / 1024.0, w->g->device);
    put_both(w, at_ns);
}

static void put_own(struct writing *w, const struct fw_record *x)
{
    const int64_t at = ascend_abs(w->g, x->at_ns);
    w->last = x->memory;
    w->own = &w->last;
    emit_fmt(w->record, "PTA,%t\t,%r,%r,%r,%U,NPU:%d\r\n", at, mib(x->memory.used_b),
             mib(x->memory.reserved_b), mib(x->memory.active_b), ASCEND_STREAM_PTR, w->g->device);
    put_both(w, at);
}

/* By time; of equal times the framework's first. */
static void put_changes(struct writing *w)
{
    const struct ascend_work work = ascend_ge_work(w->g, &w->g->walk.step);
    const struct {
        int64_t at_ns;
        uint64_t kb;
    } ge[] = { { work.from_ns, ASCEND_GE_BASE_KB + ASCEND_GE_WORK_KB }, { work.to_ns, ASCEND_GE_BASE_KB } };
    size_t next = 0;
    for (uint32_t i = 0; i < w->fw.n; i++) {
        const struct fw_record *x = &w->fw.v[i];
        if (x->file != FW_MEMORY)
            continue;
        for (; next < ARRAY_LEN(ge) && ge[next].at_ns < ascend_abs(w->g, x->at_ns); next++)
            put_ge(w, ge[next].at_ns, ge[next].kb);
        put_own(w, x);
    }
    for (; next < ARRAY_LEN(ge); next++)
        put_ge(w, ge[next].at_ns, ge[next].kb);
}

static void put_process(struct writing *w)
{
    for (uint64_t k = 0; k < ascend_mem_samples(w->g); k++)
        emit_fmt(w->record, "APP,%t\t,,%r,,,NPU:%d\r\n", ascend_abs(w->g, (int64_t)k * ASCEND_MEM_PERIOD_NS),
                 (double)ascend_app_kb(w->g, k) / 1024, w->g->device);
}

/* ---- both ---- */

static int put_all(struct writing *w, struct err *e)
{
    emit_s(w->op, "Name,Size(KB),Allocation Time(us),Release Time(us),Active Release Time(us),Duration(us),"
                  "Active Duration(us),Allocation Total Allocated(MB),Allocation Total Reserved(MB),"
                  "Allocation Total Active(MB),Release Total Allocated(MB),Release Total Reserved(MB),"
                  "Release Total Active(MB),Stream Ptr,Device Type\r\n");
    emit_s(w->record, "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Total Active(MB),"
                      "Stream Ptr,Device Type\r\n");
    put_process(w);
    demo_walk_rewind(&w->g->walk);
    while (demo_walk_next(&w->g->walk)) {
        if (fw_step(&w->fw, e))
            return e->code;
        put_lives(w);
        put_changes(w);
    }
    put_ge_lives(w);
    return OK;
}

int pt_memory(struct ascend *g, struct err *e)
{
    struct writing w = { .g = g };
    w.life = calloc((size_t)g->run->net->nop + 1, sizeof *w.life);
    if (!w.life)
        err_nomem(e);
    else if (!fw_init(&w.fw, g, true, e) && !emit_open(&w.op, g->out, "operator_memory.csv", e) &&
             !emit_open(&w.record, g->out, "memory_record.csv", e) && !put_all(&w, e)) {
        (void)!emit_close(w.op, &g->count, e);
        w.op = NULL;
        if (!e->code)
            (void)!emit_close(w.record, &g->count, e);
        else
            emit_drop(w.record);
        w.record = NULL;
    }
    emit_drop(w.op);
    emit_drop(w.record);
    fw_done(&w.fw);
    free(w.life);
    return e->code;
}
