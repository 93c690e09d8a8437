/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 2.x: the host's records: calls, the tasks they issued, attributes of these, GE's
 * memory (doc/formats/prof.md#host-records).
 *
 * A stamp lies inside the call it belongs to: that is how msprof finds it.
 */
#include "config.h"

#include <stdlib.h>

#include "demo/demo_fused.h"
#include "demo/prof/prof.h"
#include "parsers/prof/host/host_at.h"

enum { API_EVENT_RECORD(FIELD_AT) API_B = 40 };
enum { TASK_MEMORY_OWN(FIELD_AT) };

/* clang-format off */
enum { API_EVENT, TASK_TRACK, NODE_BASIC, TENSORS, CONTEXTS, HCCL_OP, HCCL_INFO, TASK_MEMORY, FUSED, FILES };
static const struct demo_prof_file FILE_OF[FILES] = {
    [API_EVENT] =   { "aging.api_event.data",               API_B, 24 },
    [TASK_TRACK] =  { "aging.compact.task_track",           64,  32 },
    [NODE_BASIC] =  { "aging.compact.node_basic_info",      64,  20 },
    [TENSORS] =     { "aging.additional.tensor_info",       256, 72 },
    [CONTEXTS] =    { "aging.additional.context_id_info",   256, 0 },
    [HCCL_OP] =     { "aging.compact.hccl_op_info",         64,  0 },
    [HCCL_INFO] =   { "aging.additional.hccl_info",         256, 40 },
    [TASK_MEMORY] = { "aging.additional.task_memory_info",  256, 0 },
    [FUSED] =       { "aging.additional.fusion_op_info",    256, 0 },
};
enum level { ACL = 20000, MODEL = 15000, NODE = 10000, HCCL = 5500, RUNTIME = 5000 };
static const enum level LEVEL[] = {
    [DEMO_LEVEL_ACL] = ACL, [DEMO_LEVEL_MODEL] = MODEL, [DEMO_LEVEL_NODE] = NODE, [DEMO_LEVEL_HCCL] = HCCL,
        [DEMO_LEVEL_RUNTIME] = RUNTIME
};
/* Types of records, calls and tasks: numbers in type_info_dic. */
enum task_type { KERNEL_AICORE, KERNEL_AICPU, MEMCPY_ASYNC = 5, NOTIFY_WAIT = 14, NOTIFY_RECORD,
RDMA_SEND = 25, REDUCE_ASYNC = 45, KERNEL_AIVEC = 66, FFTS_PLUS = 69, FLIP = 98 };
enum record_type { TYPE_TRACK = 800, TYPE_MASTER = 0x10001, TYPE_SLAVE = 0x10002 };
static const struct type {
    enum level level;
    uint32_t id;
    const char *name;
} TYPES[] = {
    { RUNTIME, KERNEL_AICORE, "KERNEL_AICORE" }, { RUNTIME, KERNEL_AICPU, "KERNEL_AICPU" },
    { RUNTIME, MEMCPY_ASYNC, "MEMCPY_ASYNC" }, { RUNTIME, NOTIFY_WAIT, "NOTIFY_WAIT" },
    { RUNTIME, NOTIFY_RECORD, "NOTIFY_RECORD" }, { RUNTIME, REDUCE_ASYNC, "REDUCE_ASYNC_V2" },
    { RUNTIME, RDMA_SEND, "RDMA_DB_SEND" }, { RUNTIME, 1066, "RDMADBSend" },
    { RUNTIME, KERNEL_AIVEC, "KERNEL_AIVEC" }, { RUNTIME, FFTS_PLUS, "FFTS_PLUS" },
    { RUNTIME, FLIP, "TASK_FLIP" }, { RUNTIME, TYPE_TRACK, "task_track" },
    { RUNTIME, 1011, "KernelLaunchWithHandleV2" }, { RUNTIME, 1014, "AicpuKernelLaunchEx" },
    { RUNTIME, 1020, "MemcpyAsync" }, { RUNTIME, 1050, "StreamSynchronize" }, { RUNTIME, 1060, "NotifyWait" },
    { RUNTIME, 1061, "NotifyRecord" }, { RUNTIME, 1063, "ReduceAsyncV2" },
    { RUNTIME, 1076, "FftsPlusTaskLaunch" }, { HCCL, 0, "hccl_info" }, { HCCL, TYPE_MASTER, "master" },
    { HCCL, TYPE_SLAVE, "slave" }, { NODE, 0, "node_basic_info" }, { NODE, 1, "tensor_info" },
    { NODE, 4, "context_id_info" }, { NODE, 5, "launch" }, { NODE, 6, "task_memory_info" },
    { NODE, 10, "hccl_op_info" }, { MODEL, 0, "graph_id_map" }, { MODEL, 1, "ModelExecute" },
    { MODEL, 2, "fusion_op_info" },
    { ACL, 0x30001, "aclrtMemcpyAsync" }, { ACL, 0x30004, "aclrtSynchronizeStream" },
};
/* By enum demo_core, demo_transfer, demo_dtype and demo_format. */
static const uint32_t CORE_TASK[] = { KERNEL_AICORE, KERNEL_AIVEC, FFTS_PLUS, KERNEL_AICPU };
static const uint32_t CORE[] = { 0, 2, 4, 1 };
static const uint32_t TRANSFER_TASK[DEMO_TRANSFERS] = { NOTIFY_RECORD, NOTIFY_WAIT, RDMA_SEND, MEMCPY_ASYNC,
    REDUCE_ASYNC, RDMA_SEND };
static const uint32_t DTYPE[] = { 1, 0, 3 };
static const uint32_t FORMAT[] = { 3, 4, 2, 29 };
/* clang-format on */
enum { CORE_COMM = 9, HCCL_FP16 = 3, HCCL_FP32 = 4, RESERVED = 255, LINK_HCCS = 1, LINK_ROCE = 3 };
enum { SDMA, RDMA, LOCAL };
enum { NOTIFY, PAYLOAD }; /* rdmaType */
#define NO_CONTEXT UINT32_MAX
#define ALGORITHM  "MESH"
#define TAG        "hccl_tag"
#define GE_ADDRESS UINT64_C(0x12c041200000)

/* A call, or one of the two marks of the model, in order of time. */
struct entry {
    struct demo_call c;
    bool mark, end;
};
/* A launch of the step. */
struct launch {
    int64_t ns;
    bool comm;
    uint32_t i;
};

struct host {
    struct demo_prof *r;
    struct demo_slices s[FILES];
    struct entry *entry, spare; /* of the step; spare: used when out of memory */
    uint32_t n, cap;
    struct launch *launch;
    struct demo_prof_batches batches;
    bool failed; /* no memory */
};

static bool happened(const struct host *h, int64_t ns)
{
    return demo_cut_host_happened(&h->r->cut, &h->r->g->walk.step, ns);
}

static void head(const struct host *h, unsigned char *p, enum level level, uint32_t type, uint32_t length,
                 int64_t ns)
{
    demo_u16(p, PROF_HOST_MARK);
    demo_u16(p + PH_LEVEL, level);
    demo_u32(p + PH_TYPE, type);
    demo_u32(p + PH_THREAD, h->r->g->tid);
    demo_u32(p + PH_LENGTH, length);
    demo_u64(p + PH_TIME, ascend_host_count(ns));
}

/* Writes a record whose head is filled in; drops it when its stamp is after the end of the run. */
static void put(struct host *h, int file, const unsigned char *p, int64_t ns, struct err *e)
{
    if (happened(h, ns))
        demo_slices_put(&h->s[file], p, FILE_OF[file].record_b, e);
}

/* ---- calls ---- */

static struct entry *add(struct host *h)
{
    if (h->n == h->cap) {
        uint32_t cap = h->cap ? h->cap * 2 : 4096;
        struct entry *v = realloc(h->entry, cap * sizeof *v);
        if (!v) {
            h->failed = true;
            return &h->spare;
        }
        h->entry = v;
        h->cap = cap;
    }
    return &h->entry[h->n++];
}

static void add_call(void *ctx, const struct demo_call *c)
{
    struct host *h = ctx;
    bool model = c->level == DEMO_LEVEL_MODEL;
    *add(h) = (struct entry){ .c = *c, .mark = model };
    if (!model)
        return;
    struct entry *end = add(h);
    *end = (struct entry){ .c = *c, .mark = true, .end = true };
    end->c.start_ns += c->dur_ns;
}

static int entry_cmp(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->c.start_ns != y->c.start_ns)
        return x->c.start_ns < y->c.start_ns ? -1 : 1;
    return (int)x->c.level - (int)y->c.level;
}

static uint32_t type_of(const struct demo_call *c)
{
    if (c->level == DEMO_LEVEL_HCCL)
        return c->plane ? TYPE_SLAVE : TYPE_MASTER;
    for (size_t i = 0; i < ARRAY_LEN(TYPES); i++)
        if (TYPES[i].level == LEVEL[c->level] && !strcmp(TYPES[i].name, c->api))
            return TYPES[i].id;
    return 0;
}

static uint64_t item_of(const struct demo_call *c)
{
    if (c->level == DEMO_LEVEL_MODEL)
        return ASCEND_MODEL_ID;
    return c->item[0] == '0' && !c->item[1] ? 0 : demo_prof_hash(c->item);
}

static void put_calls(struct host *h, struct err *e)
{
    const struct demo_walk *w = &h->r->g->walk;
    h->n = 0;
    demo_calls(w, add_call, h);
    qsort(h->entry, h->n, sizeof *h->entry, entry_cmp);
    for (uint32_t i = 0; i < h->n; i++) {
        const struct entry *x = &h->entry[i];
        unsigned char p[API_B] = { 0 };
        int64_t end = x->c.start_ns + (x->mark ? 0 : x->c.dur_ns);
        head(h, p, LEVEL[x->c.level], type_of(&x->c), x->mark ? w->step.index + 1 : 0, x->c.start_ns);
        demo_u64(p + API_END, x->mark ? UINT64_MAX : ascend_host_count(end));
        demo_u64(p + API_ITEM, item_of(&x->c));
        put(h, API_EVENT, p, end, e);
    }
}

/* ---- tasks ---- */

static void put_flips(struct host *h, uint32_t stream, uint32_t task, int64_t ns, struct err *e)
{
    uint32_t batch = h->batches.of[stream % 64], n = demo_prof_flips(&h->batches, stream, task);
    if (h->r->chip->ids32)
        return;
    for (uint32_t i = 0; i < n; i++) {
        unsigned char p[64] = { 0 };
        head(h, p, RUNTIME, TYPE_TRACK, 40, ns + (int64_t)i * ASCEND_TICK_NS);
        demo_u16(p + HT_DEVICE, (uint32_t)h->r->g->device);
        demo_u16(p + HT_STREAM, stream);
        demo_u16(p + HT_FLIP, (batch + i + 1) % 65535);
        demo_u64(p + HT_TYPE, FLIP);
        put(h, TASK_TRACK, p, ns, e);
    }
}

struct track {
    uint32_t stream, task, type, blocks, ratio;
    uint64_t kernel;
    int64_t ns;
};

static void put_track(struct host *h, const struct track *t, struct err *e)
{
    unsigned char p[64] = { 0 };
    head(h, p, RUNTIME, TYPE_TRACK, 40, t->ns);
    demo_u16(p + HT_DEVICE, (uint32_t)h->r->g->device);
    demo_u16(p + HT_STREAM, t->stream);
    if (h->r->chip->ids32)
        demo_u32(p + HT_TASK, demo_prof_id32(t->stream, t->task));
    else
        demo_u16(p + HT_TASK, t->task);
    demo_u64(p + HT_TYPE, t->type);
    demo_u64(p + HT_KERNEL, t->kernel);
    demo_u16(p + HT_BLOCKS, t->blocks);
    p[HT_RATIO] = (unsigned char)t->ratio;
    put(h, TASK_TRACK, p, t->ns, e);
}

static void put_basic(struct host *h, const char *name, const char *type, uint32_t core, uint32_t blocks,
                      uint32_t ratio, int64_t ns, struct err *e)
{
    unsigned char p[64] = { 0 };
    head(h, p, NODE, 0, 29, ns);
    demo_u64(p + NB_NAME, demo_prof_hash(name));
    demo_u32(p + NB_CORE, core);
    demo_u64(p + NB_TYPE, demo_prof_hash(type));
    demo_u16(p + NB_BLOCKS, blocks);
    demo_u16(p + NB_RATIO, ratio);
    put(h, NODE_BASIC, p, ns, e);
}

static void put_tensors(struct host *h, const struct demo_op *op, int64_t ns, struct err *e)
{
    unsigned char p[256] = { 0 };
    int n = op->nin + op->nout;
    if (!n)
        return;
    head(h, p, NODE, 1, 232, ns);
    demo_u64(p + PT_NAME, demo_prof_hash(op->leaf));
    demo_u32(p + PT_COUNT, (uint32_t)n);
    for (int i = 0; i < n; i++) {
        unsigned char *q = p + PT_0_KIND + i * PROF_TENSOR_B;
        demo_u32(q, i >= op->nin);
        demo_u32(q + 4, FORMAT[op->t[i].format]);
        demo_u32(q + 8, DTYPE[op->t[i].dtype]);
        for (int d = 0; d < op->t[i].nd; d++)
            demo_u32(q + (PT_0_DIM - PT_0_KIND) + 4 * d, op->t[i].dim[d]);
    }
    put(h, TENSORS, p, ns, e);
}

/* The one context of a mix kernel, number 0. */
static void put_context(struct host *h, const struct demo_op *op, int64_t ns, struct err *e)
{
    unsigned char p[256] = { 0 };
    head(h, p, NODE, 4, 232, ns);
    demo_u64(p + CX_NAME, demo_prof_hash(op->leaf));
    demo_u32(p + CX_COUNT, 1);
    put(h, CONTEXTS, p, ns, e);
}

/* Ends of the node's and of the runtime's call (demo_calls()). */
static int64_t node_end_ns(int64_t launch_ns, int64_t dur_ns)
{
    return launch_ns + dur_ns - 300;
}

static enum demo_core core_of(const struct demo_prof *r, const struct demo_op *op)
{
    enum demo_core core = demo_op_type(op)->core;
    return r->chip->one_core && core != DEMO_AICPU ? DEMO_AIC : core;
}

static void put_kernel(struct host *h, const struct demo_kernel *k, struct err *e)
{
    const struct ascend *g = h->r->g;
    const struct demo_op *op = &g->run->net->op[k->op];
    enum demo_core core = core_of(h->r, op);
    int64_t end = node_end_ns(k->launch_ns, k->launch_dur_ns);
    char name[96];
    const struct track track = { .stream = op->stream,
                                 .task = k->task,
                                 .type = CORE_TASK[core],
                                 .blocks = op->blocks,
                                 .ratio = core == DEMO_MIX ? 2 : 0,
                                 .kernel = demo_prof_hash(ascend_kernel_name(g, op, name)),
                                 .ns = k->launch_ns + k->launch_dur_ns - 700 };
    put_flips(h, op->stream, k->task, k->launch_ns + 700, e);
    put_track(h, &track, e);
    put_basic(h, op->leaf, demo_op_type(op)->name, CORE[core], op->blocks, track.ratio, end, e);
    put_tensors(h, op, end, e);
    if (core == DEMO_MIX && !h->r->chip->ids32)
        put_context(h, op, end, e);
}

/* ---- communication ---- */

static void put_hccl_op(struct host *h, const struct demo_comm_op *op, const struct demo_group *g, int64_t ns,
                        struct err *e)
{
    unsigned char p[64] = { 0 };
    head(h, p, NODE, 10, 26, ns);
    p[HO_DATA_TYPE] = ascend_comm_is_float(op) ? HCCL_FP32 : HCCL_FP16;
    demo_u64(p + HO_ALG, demo_prof_hash(ALGORITHM));
    demo_u64(p + HO_COUNT, ascend_comm_elements(op));
    demo_u64(p + HO_GROUP, g->hash);
    put(h, HCCL_OP, p, ns, e);
}

static void put_hccl(struct host *h, const struct demo_comm *c, uint32_t plane,
                     const struct demo_comm_task *t, int64_t ns, struct err *e)
{
    const struct ascend *g = h->r->g;
    const struct demo_comm_op *op = &g->run->net->comm[c->op];
    const struct demo_link *l = &c->link[plane];
    struct demo_group group = demo_group_of(g->run, g->rank, op->group);
    uint64_t bytes = demo_is_data(t) ? l->chunk_b : 0, estimated;
    double us = (double)bytes / 20000;
    unsigned char p[256] = { 0 };
    head(h, p, HCCL, 0, 232, ns);
    demo_u64(p + HI_ITEM, demo_prof_hash(demo_transfer_name(t->is)));
    demo_u64(p + HI_TAG, demo_prof_hash(TAG));
    demo_u64(p + HI_GROUP, group.hash);
    demo_u32(p + HI_LOCAL, (uint32_t)group.me);
    demo_u32(p + HI_REMOTE, l->peer);
    demo_u32(p + HI_RANKS, (uint32_t)group.n);
    demo_u32(p + HI_PLANE, plane);
    demo_u32(p + HI_CONTEXT, NO_CONTEXT);
    demo_u64(p + HI_NOTIFY, ascend_notify(c, plane, t));
    demo_u32(p + HI_ROLE, 1);
    memcpy(&estimated, &us, sizeof estimated);
    demo_u64(p + HI_ESTIMATED, estimated);
    demo_u64(p + HI_SIZE, bytes);
    demo_u32(p + HI_OP_TYPE, t->is == DEMO_REDUCE ? 0 : RESERVED);
    demo_u32(p + HI_DATA_TYPE, ascend_comm_is_float(op) ? HCCL_FP32 : HCCL_FP16);
    demo_u32(p + HI_LINK, l->rdma ? LINK_ROCE : LINK_HCCS);
    demo_u32(p + HI_TRANSPORT, t->is < DEMO_FLAG ? LOCAL : l->rdma ? RDMA : SDMA);
    demo_u32(p + HI_RDMA, t->is == DEMO_SEND ? PAYLOAD : t->is == DEMO_FLAG ? NOTIFY : RESERVED);
    put(h, HCCL_INFO, p, ns, e);
}

static void put_comm(struct host *h, const struct demo_comm *c, struct err *e)
{
    const struct ascend *g = h->r->g;
    const struct demo_comm_op *op = &g->run->net->comm[c->op];
    struct demo_group group = demo_group_of(g->run, g->rank, op->group);
    struct demo_comm_task v[DEMO_COMM_TASKS];
    const char *name = demo_comm_hcom(c->kind);
    int64_t end = node_end_ns(c->launch_ns, c->launch_dur_ns);
    uint32_t n = demo_comm_task_count(c), k = 0;
    for (uint32_t plane = 0; plane < c->nlink; plane++) {
        uint32_t stream = DEMO_STREAM_PLANE + plane;
        put_flips(h, stream, c->task, c->launch_ns + 700, e);
        for (uint32_t i = 0, m = demo_comm_tasks(c, plane, v); i < m; i++, k++) {
            struct demo_span call = demo_comm_call(c, k, n), inner = demo_runtime_call(call);
            const struct track track = { .stream = stream,
                                         .task = v[i].task,
                                         .type = TRANSFER_TASK[v[i].is],
                                         .ns = inner.start_ns + inner.dur_ns };
            put_track(h, &track, e);
            put_hccl(h, c, plane, &v[i], call.start_ns + call.dur_ns, e);
        }
    }
    put_basic(h, name, name, CORE_COMM, 0, 0, end, e);
    put_hccl_op(h, op, &group, end, e);
}

/* ---- steps ---- */

static int launch_cmp(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static void put_launches(struct host *h, struct err *e)
{
    const struct demo_step *s = &h->r->g->walk.step;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->nkernel; i++)
        h->launch[n++] = (struct launch){ s->kernel[i].launch_ns, false, i };
    for (uint32_t i = 0; i < s->ncomm; i++)
        h->launch[n++] = (struct launch){ s->comm[i].launch_ns, true, i };
    qsort(h->launch, n, sizeof *h->launch, launch_cmp);
    for (uint32_t i = 0; i < n; i++)
        if (h->launch[i].comm)
            put_comm(h, &s->comm[h->launch[i].i], e);
        else
            put_kernel(h, &s->kernel[h->launch[i].i], e);
}

static void put_memory(struct host *h, int64_t ns, int64_t size_kb, uint64_t used_kb, struct err *e)
{
    const struct ascend *g = h->r->g;
    unsigned char p[256] = { 0 };
    head(h, p, NODE, 6, 232, ns);
    demo_u64(p + TM_ADDRESS, GE_ADDRESS);
    demo_u64(p + TM_SIZE, (uint64_t)(size_kb * 1024));
    demo_u64(p + TM_NODE, demo_prof_hash(g->run->net->op[g->run->net->fp_first].leaf));
    demo_u64(p + TM_ALLOCATED, used_kb * 1024);
    demo_u64(p + TM_RESERVED, (uint64_t)ASCEND_GE_RESERVED_KB * 1024);
    demo_u32(p + TM_DEVICE, (uint32_t)g->device);
    put(h, TASK_MEMORY, p, ns, e);
}

/* What the graph compiler fused, once: in the first call of the model. */
static void put_fused(struct host *h, struct err *e)
{
    const struct demo_net *n = h->r->g->run->net;
    int64_t ns = demo_model_call(&h->r->g->walk.step).start_ns;
    struct demo_fused f;
    char name[96];
    for (uint32_t i = 0; i < n->nop; i++) {
        const struct demo_op *op = &n->op[i];
        unsigned char p[256] = { 0 };
        if (!demo_fused(op, &f))
            continue;
        ns += ASCEND_TICK_NS;
        head(h, p, MODEL, 2, 232, ns);
        demo_u64(p + FU_NAME, demo_prof_hash(op->leaf));
        demo_u32(p + FU_COUNT, f.n);
        demo_u64(p + FU_MEMORY, f.in_b);
        demo_u64(p + FU_OUTPUT, f.out_b);
        demo_u64(p + FU_TOTAL, f.in_b + f.out_b);
        for (uint32_t k = 0; k < f.n; k++)
            demo_u64(p + FU_OP + 8 * k, demo_prof_hash(demo_fused_name(op, &f, k, name, sizeof name)));
        put(h, FUSED, p, ns, e);
    }
}

static void put_steps(struct host *h, struct err *e)
{
    struct ascend *g = h->r->g;
    const struct demo_step *s = &g->walk.step;
    demo_walk_rewind(&g->walk);
    while (!h->failed && !demo_prof_failed(h->s, FILES) && demo_walk_next(&g->walk)) {
        put_calls(h, e);
        if (!s->index && !demo_is_torch(g->run)) /* which runs op by op */
            put_fused(h, e);
        put_launches(h, e);
        put_memory(h, ascend_ge_alloc_ns(s), ASCEND_GE_WORK_KB, ASCEND_GE_BASE_KB + ASCEND_GE_WORK_KB, e);
        put_memory(h, ascend_ge_free_ns(s), -ASCEND_GE_WORK_KB, ASCEND_GE_BASE_KB, e);
        g->end_ns = s->host_end_ns;
        if (demo_cut_is_last(&h->r->cut, s)) {
            g->end_ns = h->r->cut.at_ns;
            break;
        }
    }
}

/* ---- dictionaries ---- */

static void put_text(struct demo_slices *s, uint64_t hash, const char *text, struct err *e)
{
    char number[24], *digits = emit_number(hash, number);
    demo_slices_puts(s, digits, strlen(digits), e);
    demo_slices_puts(s, ":", 1, e);
    demo_slices_puts(s, text, strlen(text), e);
    demo_slices_puts(s, "\n", 1, e);
}

static void put_originals(const struct host *h, struct demo_slices *s, struct err *e)
{
    const struct demo_net *n = h->r->g->run->net;
    struct demo_fused f;
    char name[96];
    for (uint32_t i = 0; i < n->nop && !demo_is_torch(h->r->g->run); i++) {
        if (!demo_fused(&n->op[i], &f))
            continue;
        for (uint32_t k = 0; k < f.n; k++) {
            demo_fused_name(&n->op[i], &f, k, name, sizeof name);
            if (strcmp(name, n->op[i].leaf)) /* that is there */
                put_text(s, demo_prof_hash(name), name, e);
        }
    }
}

static void put_texts(struct host *h, struct demo_slices *s, struct err *e)
{
    static const char *const more[] = { ASCEND_MODEL_NAME, ALGORITHM, TAG };
    const struct ascend *g = h->r->g;
    const struct demo_net *n = g->run->net;
    bool seen[DEMO_TYPES_MAX] = { false };
    char name[96];
    for (uint32_t i = 0; i < n->nop; i++) {
        put_text(s, demo_prof_hash(n->op[i].leaf), n->op[i].leaf, e);
        if (seen[n->op[i].type])
            continue;
        seen[n->op[i].type] = true;
        put_text(s, demo_prof_hash(demo_op_type(&n->op[i])->name), demo_op_type(&n->op[i])->name, e);
        ascend_kernel_name(g, &n->op[i], name);
        put_text(s, demo_prof_hash(name), name, e);
    }
    put_originals(h, s, e);
    for (enum demo_comm_kind k = DEMO_ALLREDUCE; k <= DEMO_REDUCESCATTER; k++)
        put_text(s, demo_prof_hash(demo_comm_hcom(k)), demo_comm_hcom(k), e);
    for (enum demo_transfer k = DEMO_NOTIFY; k < DEMO_SEND; k++) /* which is called as DEMO_FLAG is */
        put_text(s, demo_prof_hash(demo_transfer_name(k)), demo_transfer_name(k), e);
    for (enum demo_group_kind k = DEMO_GROUP_DATA; k <= DEMO_GROUP_TENSOR; k++)
        if (n->group_ops[k])
            put_text(s, demo_group_of(g->run, g->rank, k).hash, ascend_group_name(k), e);
    for (size_t i = 0; i < ARRAY_LEN(more); i++)
        put_text(s, demo_prof_hash(more[i]), more[i], e);
}

static void put_types(struct demo_slices *s, struct err *e)
{
    char number[24], *digits;
    for (size_t i = 0; i < ARRAY_LEN(TYPES); i++) {
        digits = emit_number(TYPES[i].level, number);
        demo_slices_puts(s, digits, strlen(digits), e);
        demo_slices_puts(s, "_", 1, e);
        put_text(s, TYPES[i].id, TYPES[i].name, e);
    }
}

/* Data that is never aged: the dictionaries, and which model is which graph. */
static int unaging(struct host *h, struct err *e)
{
    static const struct demo_prof_file file[] = { { "unaging.additional.hash_dic", 1, 0 },
                                                  { "unaging.additional.type_info_dic", 1, 0 },
                                                  { "unaging.additional.graph_id_map", 256, 0 } };
    struct demo_slices s[ARRAY_LEN(file)];
    unsigned char p[256] = { 0 };
    demo_prof_open(s, file, ARRAY_LEN(file), h->r, h->r->host, -1);
    put_texts(h, &s[0], e);
    put_types(&s[1], e);
    head(h, p, MODEL, 0, 232, 0);
    demo_u64(p + GI_NAME, demo_prof_hash(ASCEND_MODEL_NAME));
    demo_u32(p + GI_GRAPH, ASCEND_MODEL_ID);
    demo_u32(p + GI_MODEL, ASCEND_MODEL_ID);
    demo_slices_put(&s[2], p, sizeof p, e);
    return demo_prof_close(s, file, ARRAY_LEN(file), e);
}

int demo_prof_host(struct demo_prof *r, struct err *e)
{
    struct host *h = calloc(1, sizeof *h);
    const struct demo_net *n = r->g->run->net;
    if (!h)
        return err_nomem(e);
    h->r = r;
    h->launch = calloc((size_t)n->nop + n->ncomm, sizeof *h->launch);
    demo_prof_open(h->s, FILE_OF, FILES, r, r->host, -1);
    if (!h->launch)
        err_nomem(e);
    else
        put_steps(h, e);
    if (h->failed)
        err_nomem(e);
    if (!demo_prof_close(h->s, FILE_OF, FILES, e) && !e->code && unaging(h, e))
        goto out;
out:
    free(h->entry);
    free(h->launch);
    free(h);
    return e->code;
}
