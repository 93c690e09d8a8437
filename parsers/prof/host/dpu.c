/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of DPUs. */
#include "config.h"

#include "parsers/prof/host/dpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/host/host_at.h"

#define DEVICE_BITS 12 /* of a device id; above it the kind of the device */
#define DEVICE_MASK 0xfff

/* A kernel's name, which only task_track has. */
struct kernel {
    uint32_t task, name;
    uint16_t device; /* with its kind */
};

struct reading {
    struct prof_dpu *d;
    struct prof *p;
    struct kernel *kernel; /* by (device, task), then as read */
    size_t n_kernels, kernels_cap;
    bool track2;
};

/* ---- names ---- */

static int on_task(void *arg, struct prof_record *rec, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &rec->rec;
    uint16_t device = rec_u16(r, HT_DEVICE);

    if (!(device >> DEVICE_BITS)) /* of an NPU */
        return OK;
    struct kernel *v = grow_array(g->kernel, g->n_kernels, &g->kernels_cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    g->kernel = v;
    v += g->n_kernels++;
    *v = (struct kernel){ .task = rec_u32(r, g->track2 ? HT2_TASK : HT_TASK),
                          .name = prof_hash_text(g->p, rec_u64(r, HT_KERNEL)),
                          .device = device };
    return v->name == PROF_NONE ? err_nomem(e) : OK;
}

static bool kernel_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct kernel *x = (const struct kernel *)arg + a, *y = (const struct kernel *)arg + b;

    return x->device != y->device ? x->device < y->device : x->task < y->task;
}

struct asked {
    const struct kernel *kernel;
    uint32_t task;
    uint16_t device;
};

/* True up to the last kernel of the task. */
static bool is_before(const void *arg, size_t i)
{
    const struct asked *q = arg;
    const struct kernel *k = &q->kernel[i];

    return k->device != q->device ? k->device < q->device : k->task <= q->task;
}

static uint32_t name_of(const struct reading *g, uint16_t device, uint32_t task)
{
    const struct asked q = { g->kernel, task, device };
    size_t i = g->n_kernels ? prof_gallop(g->n_kernels, 0, is_before, &q) : 0;
    const struct kernel *k = i ? &g->kernel[i - 1] : NULL;

    return k && k->device == device && k->task == task ? k->name : PROF_NONE;
}

/* ---- tasks ---- */

static struct prof_dpu_task *new_task(struct reading *g, struct err *e)
{
    struct prof_dpu *d = g->d;
    struct prof_dpu_task *v = grow_array(d->v, d->n, &d->cap, sizeof *v, 64);

    if (!v) {
        (void)err_nomem(e);
        return NULL;
    }
    d->v = v;
    return &v[d->n++];
}

static int on_track(void *arg, struct prof_record *rec, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &rec->rec;
    struct prof_dpu_task *t = new_task(g, e);

    if (!t)
        return e->code;
    *t = (struct prof_dpu_task){ .start = rec_u64(r, DT_START),
                                 .end = rec_u64(r, PH_TIME),
                                 .thread = rec_u32(r, PH_THREAD),
                                 .stream = rec_u16(r, DT_STREAM),
                                 .task = rec_u32(r, DT_TASK),
                                 .device = rec_u16(r, DT_DEVICE) & DEVICE_MASK,
                                 .group = PROF_NONE,
                                 .group_text = PROF_NONE };
    t->name = name_of(g, rec_u16(r, DT_DEVICE), t->task);
    return OK;
}

static double real_at(struct rec *r, size_t at)
{
    uint64_t bits = rec_u64(r, at);
    double v;

    memcpy(&v, &bits, sizeof v);
    return v;
}

static int on_comm(void *arg, struct prof_record *rec, struct err *e)
{
    struct reading *g = arg;
    struct rec *r = &rec->rec;
    struct prof_dpu_task *t = new_task(g, e);
    uint64_t group = rec_u64(r, DC_GROUP);
    char digits[24];

    if (!t)
        return e->code;
    *t = (struct prof_dpu_task){ .start = rec_u64(r, DC_START),
                                 .end = rec_u64(r, PH_TIME),
                                 .thread = rec_u32(r, PH_THREAD),
                                 .stream = rec_u16(r, DC_STREAM),
                                 .task = rec_u32(r, DC_TASK),
                                 .device = rec_u16(r, DC_DPU) & DEVICE_MASK,
                                 .is_comm = true,
                                 .npu = rec_u16(r, DC_NPU),
                                 .plane = rec_u16(r, DC_PLANE),
                                 .aicpu_task = rec_u32(r, DC_AICPU_TASK),
                                 .notify = rec_u64(r, DC_NOTIFY),
                                 .size_b = rec_u64(r, DC_SIZE),
                                 .tag = rec_u64(r, DC_TAG),
                                 .estimated = real_at(r, DC_ESTIMATED),
                                 .local_rank = rec_u32(r, DC_LOCAL),
                                 .remote_rank = rec_u32(r, DC_REMOTE),
                                 .ranks = rec_u32(r, DC_RANKS),
                                 .stage = rec_u32(r, DC_STAGE),
                                 .op_type = rec_u8(r, DC_OP_TYPE),
                                 .data_type = rec_u8(r, DC_DATA_TYPE),
                                 .link = rec_u8(r, DC_LINK),
                                 .transport = rec_u8(r, DC_TRANSPORT),
                                 .rdma = rec_u8(r, DC_RDMA),
                                 .role = rec_u8(r, DC_ROLE),
                                 .mode = rec_u8(r, DC_MODE) };
    snprintf(digits, sizeof digits, "%" PRIu64, group);
    t->name = prof_hash_text(g->p, rec_u64(r, DC_ITEM));
    t->group = prof_hash_known(g->p, group) ? prof_hash_text(g->p, group) : PROF_NONE;
    t->group_text = prof_text(g->p, str_of(digits));
    return t->name == PROF_NONE || t->group_text == PROF_NONE ? err_nomem(e) : OK;
}

int prof_dpu_read(struct prof_dpu *d, struct prof *p, struct err *e)
{
    struct reading g = { .d = d, .p = p, .track2 = !prof_has(p->host, PROF_TASK_TRACK) };

    *d = (struct prof_dpu){ .n = 0 };
    if (prof_read(p, p->host, PROF_DPU_COMM, on_comm, &g, e) == OK &&
        (!prof_has(p->host, PROF_DPU_TRACK) ||
         (prof_read(p, p->host, g.track2 ? PROF_TASK_TRACK2 : PROF_TASK_TRACK, on_task, &g, e) == OK &&
          prof_sort(NULL, g.kernel, g.n_kernels, sizeof *g.kernel, kernel_before, g.kernel, e) == OK)))
        (void)!prof_read(p, p->host, PROF_DPU_TRACK, on_track, &g, e);
    free(g.kernel);
    return e->code;
}

void prof_dpu_done(struct prof_dpu *d)
{
    free(d->v);
    *d = (struct prof_dpu){ .n = 0 };
}
