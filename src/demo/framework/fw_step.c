/* SPDX-License-Identifier: Apache-2.0 */
/* The records of a step; those of MindSpore. */
#include "config.h"

#include <stdlib.h>

#include "demo/framework/fw.h"

#define FLOW_NS      20 /* a flow's start takes two readings of the counter */
#define ADDRESS      UINT64_C(0x12c0c0000000)
#define LEAK_OWNER   "Default/network-TrainOneStepCell/loss_history-ListCell/TensorMove"
#define BATCHES      4 /* prepared in the time of a step */
#define TICK_NS      10
#define LEAK_ALIGN_B ((uint64_t)1 << 20)

enum { SALT_CPU_OP = 190 };

static int addresses(struct fw *f, struct err *e)
{
    const struct demo_net *n = f->g->run->net;
    uint64_t at = ADDRESS;
    f->address = calloc((size_t)n->nop + 1, sizeof *f->address);
    if (!f->address)
        return err_nomem(e);
    for (uint32_t i = 0; i < n->nop; i++) {
        f->address[i] = at;
        at += n->op[i].out_b;
    }
    f->address[n->nop] = at;
    return OK;
}

int fw_init(struct fw *f, struct ascend *g, bool with_memory, struct err *e)
{
    const struct demo_net *n = g->run->net;
    uint32_t places[DEMO_OPT + 1] = { 0 };
    *f = (struct fw){ .g = g, .era = fw_era_of(g->run), .with_memory = with_memory };
    f->place = calloc(n->nop, sizeof *f->place);
    f->launch = calloc((size_t)n->nop + n->ncomm, sizeof *f->launch);
    f->task = calloc((size_t)n->nop + n->ncomm, sizeof *f->task);
    if (!f->place || !f->launch || !f->task)
        return err_nomem(e);
    for (uint32_t i = 0; i < n->nop; i++)
        f->place[i] = places[n->op[i].phase]++;
    f->n_forward = places[DEMO_FP];
    if (!with_memory)
        return OK;
    if (demo_mem_init(&f->mem, g->run, e))
        return e->code;
    f->mem.host = f->era->torch;
    f->used_b = f->active_b = f->peak_b = f->mem.static_b;
    return addresses(f, e);
}

void fw_done(struct fw *f)
{
    demo_mem_done(&f->mem);
    free(f->address);
    free(f->place);
    free(f->launch);
    free(f->task);
    free(f->v);
    *f = (struct fw){ .v = NULL };
}

static int record_cmp(const void *a, const void *b)
{
    const struct fw_record *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* ---- MindSpore ---- */

struct demo_span fw_cpu_op(const struct ascend *g)
{
    const struct demo_step *s = &g->walk.step;
    uint64_t h = demo_hash(g->run, SALT_CPU_OP, (uint64_t)g->rank, s->index, 0);
    return (struct demo_span){ s->host_ns + 150000, demo_pick(h, 4000, 9000) * TICK_NS };
}

/* The runtime's thread runs the graph that the main thread hands to it. */
static void frames(struct fw *f)
{
    const struct ascend *g = f->g;
    const struct demo_step *s = &g->walk.step;
    const struct demo_span model = demo_model_call(s);
    uint64_t flow = s->index + 1;
    fw_add_range(f, FW_STEP, g->tid_main, s->host_ns, s->host_end_ns, "ProfilerStep#");
    fw_add_range(f, FW_FRAME, g->tid_main, s->host_ns + 1000, s->host_end_ns - 1000,
                 "train.py(58):train_net");
    fw_add_range(f, FW_FRAME, g->tid_main, s->host_ns + 3000, s->host_end_ns - 3000,
                 "model.py(1088):Model._train_dataset_sink_process");
    fw_add_range(f, FW_STAGE, g->tid_main, s->host_ns + 30000, s->host_end_ns - 30000, "RunGraph");
    fw_add_range(f, FW_FLOW, g->tid_main, model.start_ns - 5000, model.start_ns - 5000 + FLOW_NS, "flow")
        ->flow = flow;
    fw_add_range(f, FW_GRAPH, g->tid_run, model.start_ns - 2000, model.start_ns + model.dur_ns + 1000,
                 "kernel_graph_1")
        ->flow = flow;
}

static void launches(struct fw *f)
{
    const struct ascend *g = f->g;
    const struct demo_step *s = &g->walk.step;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        const struct demo_kernel *k = &s->kernel[i];
        const struct demo_op *op = &g->run->net->op[k->op];
        fw_add_range(f, FW_LAUNCH, g->tid, k->launch_ns, k->launch_ns + k->launch_dur_ns, op->name);
        fw_add(f, FW_SHAPES, k->launch_ns)->shapes = op;
    }
    for (uint32_t i = 0; i < s->ncomm; i++) {
        const struct demo_comm *c = &s->comm[i];
        fw_add_range(f, FW_LAUNCH, g->tid, c->launch_ns, c->launch_ns + c->launch_dur_ns,
                     g->run->net->comm[c->op].name);
    }
}

/* Batches are prepared all the time. */
static void batches(struct fw *f)
{
    static const struct {
        const char *event, *name, *custom;
    } stage[] = { { "Pipeline", "Batch", "batch_size:32" },
                  { "Pipeline", "Map", NULL },
                  { "PushToAscend", "DeviceQueue", "channel_name:data;queue_capacity:16" } };
    const struct demo_step *s = &f->g->walk.step;
    int64_t half = (s->host_end_ns - s->host_ns - 10000) / (4 * BATCHES) / TICK_NS * TICK_NS;
    for (int i = 0; i < BATCHES; i++)
        for (size_t j = 0; j < ARRAY_LEN(stage); j++) {
            int64_t at = s->host_ns + 5000 + half * (4 * i + (int64_t)j);
            struct fw_range *r =
                fw_add_range(f, FW_DATASET, f->g->tid_data, at, at + half - 1000, stage[j].name);
            r->event = stage[j].event;
            r->custom = stage[j].custom;
        }
}

/* ---- allocations ---- */

static struct fw_memory *change(struct fw *f, const struct demo_alloc *a, enum fw_change c, int64_t at_ns)
{
    const struct demo_net *n = f->g->run->net;
    struct fw_memory *m = &fw_add(f, FW_MEMORY, at_ns)->memory;
    bool leak = a->op == UINT32_MAX;
    *m = (struct fw_memory){ .change = c,
                             .thread = f->g->tid,
                             .address = leak ? f->address[n->nop] + LEAK_ALIGN_B * f->g->walk.step.index
                                             : f->address[a->op],
                             .size_b = a->size_b,
                             .owner = f->era->torch ? fw_torch_owner(f, a->op)
                                      : leak        ? LEAK_OWNER
                                                    : n->op[a->op].name,
                             .alloc = (uint32_t)(a - f->mem.alloc) };
    if (f->era->torch && !leak && n->op[a->op].phase == DEMO_BP)
        m->thread = f->g->tid_back;
    else if (f->era->torch)
        m->thread = f->g->tid_main;
    return m;
}

/* Releases before allocations of the same time (demo_mem.c). */
static void memory(struct fw *f)
{
    for (uint32_t i = 0; i < f->mem.nalloc; i++) {
        const struct demo_alloc *a = &f->mem.alloc[i];
        if (a->free_ns)
            change(f, a, FW_FREE, a->free_ns);
        if (a->free_ns && f->era->torch)
            change(f, a, FW_BLOCK_FREE, a->block_free_ns);
    }
    for (uint32_t i = 0; i < f->mem.nalloc; i++)
        change(f, &f->mem.alloc[i], FW_MALLOC, f->mem.alloc[i].alloc_ns);
}

/* Totals of the pool after each change, which are in order of time. */
static void totals(struct fw *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        struct fw_memory *m = &f->v[i].memory;
        if (f->v[i].file != FW_MEMORY)
            continue;
        if (m->change != FW_BLOCK_FREE)
            f->used_b += m->change == FW_MALLOC ? m->size_b : -m->size_b;
        if (m->change != FW_FREE || !f->era->torch)
            f->active_b += m->change == FW_MALLOC ? m->size_b : -m->size_b;
        if (f->used_b > f->peak_b)
            f->peak_b = f->used_b;
        f->reserved_b = demo_mem_reserved(f->reserved_b, f->active_b);
        m->used_b = f->used_b;
        m->active_b = f->active_b;
        m->reserved_b = f->reserved_b;
        m->peak_b = f->peak_b;
    }
}

int fw_step(struct fw *f, struct err *e)
{
    f->n = 0;
    if (f->with_memory && demo_mem_step(&f->mem, &f->g->walk, e))
        return e->code;
    if (f->era->torch) {
        fw_torch(f);
    } else {
        frames(f);
        launches(f);
        batches(f);
    }
    if (f->with_memory)
        memory(f);
    if (f->failed)
        return err_nomem(e);
    qsort(f->v, f->n, sizeof *f->v, record_cmp);
    if (f->with_memory)
        totals(f);
    return OK;
}
