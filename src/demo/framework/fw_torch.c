/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of torch_npu: ops of the main thread and of the backward pass' thread, which put tasks into a
 * queue; the thread that takes them out and launches; Python's calls; allocations are made in ops.
 */
#include "config.h"

#include <stdlib.h>

#include "demo/demo_build.h"
#include "demo/framework/fw.h"

/* Around the launch of a kernel, which is the dequeue's; launches follow each other every 8 us. */
#define OP_BEFORE_NS    7500
#define OP_END_NS       700
#define INNER_NS        200 /* inside of what holds it, at either end */
#define ALLOC_AROUND_NS 100
#define ALLOC_BEFORE_NS 5000
#define ENQUEUE_NS      3000
#define ENQUEUED_NS     1000
#define DEQUEUE_NS      300
#define DEQUEUED_NS     100

/* Names of ops by type: outer one, and the one inside it (NULL: none). */
/* clang-format off */
static const struct {
    const char *outer, *inner;
} NAMES[] = {
    [T_GETNEXT] =    { "aten::to", "aten::_to_copy" },
    [T_CONV] =       { "aten::conv2d", "aten::convolution" },
    [T_CONV_DX] =    { "ConvolutionBackward0", "aten::convolution_backward" },
    [T_CONV_DW] =    { "ConvolutionBackward0", "aten::convolution_backward" },
    [T_MATMUL] =     { "aten::linear", "aten::addmm" },
    [T_MATMULV2] =   { "aten::linear", "aten::matmul" },
    [T_BN_RED] =     { "aten::batch_norm", "aten::native_batch_norm" },
    [T_BN_UPD] =     { "aten::batch_norm", "aten::native_batch_norm" },
    [T_BN_RED_G] =   { "NativeBatchNormBackward0", "aten::native_batch_norm_backward" },
    [T_BN_UPD_G] =   { "NativeBatchNormBackward0", "aten::native_batch_norm_backward" },
    [T_RELU] =       { "aten::relu_", NULL },
    [T_RELU_G] =     { "ReluBackward0", "aten::threshold_backward" },
    [T_ADD] =        { "aten::add", NULL },
    [T_ADDN] =       { "aten::add_", NULL },
    [T_POOL] =       { "aten::max_pool2d", "aten::max_pool2d_with_indices" },
    [T_POOL_G] =     { "MaxPool2DWithIndicesBackward0", "aten::max_pool2d_with_indices_backward" },
    [T_MEAN] =       { "aten::adaptive_avg_pool2d", "aten::mean" },
    [T_TILE] =       { "MeanBackward1", "aten::div" },
    [T_BIAS] =       { "aten::add_", NULL },
    [T_BIAS_G] =     { "AddmmBackward0", "aten::sum" },
    [T_XENT] =       { "aten::cross_entropy_loss", "aten::nll_loss_nd" },
    [T_TRANSDATA] =  { "npu::npu_format_cast", NULL },
    [T_CAST] =       { "aten::to", "aten::_to_copy" },
    [T_MOMENTUM] =   { "aten::_foreach_add_", NULL },
    [T_LN] =         { "aten::layer_norm", "aten::native_layer_norm" },
    [T_LN_G] =       { "NativeLayerNormBackward0", "aten::native_layer_norm_backward" },
    [T_FA] =         { "npu::npu_fusion_attention", NULL },
    [T_FA_G] =       { "NpuFusionAttentionBackward0", "npu::npu_fusion_attention_grad" },
    [T_DROP] =       { "aten::dropout", "npu::_npu_dropout" },
    [T_MASK] =       { "aten::dropout", "npu::npu_dropout_gen_mask" },
    [T_GELU] =       { "aten::gelu", NULL },
    [T_GELU_G] =     { "GeluBackward0", "aten::gelu_backward" },
    [T_TRANSPOSE] =  { "aten::transpose", "aten::contiguous" },
    [T_GATHER] =     { "aten::embedding", "aten::index_select" },
    [T_SEGSUM] =     { "EmbeddingBackward0", "aten::embedding_dense_backward" },
    [T_ADAM] =       { "npu::npu_apply_adam_w", NULL },
};
static const struct {
    const char *outer, *task;
} COMM_NAMES[] = {
    [DEMO_ALLREDUCE] =     { "c10d::allreduce_", "HcclAllreduce" },
    [DEMO_ALLGATHER] =     { "c10d::_allgather_base_", "HcclAllGather" },
    [DEMO_REDUCESCATTER] = { "c10d::_reduce_scatter_base_", "HcclReduceScatter" },
};
/* Frames of a step, each within the one before. */
static const struct frame {
    bool is_c, forward; /* forward: as long as that pass, else the backward pass or all */
    const char *text;
} FRAMES[] = {
    { false, false, "train.py(58): train_one_step" },
    { false, true,  "Net" FW_MODULE_MARK "1" },
    { true,  false, "<built-in method run_backward of torch._C._EngineBase object>" },
};
/* clang-format on */
#define KEY     UINT64_C(0x55d0c0de0000)
#define GC_EACH 3 /* steps */

/* Where a step's last allocation is made, which stays. */
#define LAST_OP "aten::clone"

static void mark(struct fw *f, enum fw_mark_kind kind, uint32_t thread, uint64_t id, int64_t at,
                 const char *name)
{
    fw_add(f, FW_MARKS, at)->mark = (struct fw_mark){ kind, thread, id, name };
}

/* A task on its way through the queue: that of the next launch. */
static void queue(struct fw *f, uint32_t thread, const struct fw_launch *l, const char *name)
{
    int64_t at = l->start_ns;
    const struct fw_task t = { .correlation = ++f->queued,
                               .thread = thread,
                               .name = name,
                               .put = { at - ENQUEUE_NS, ENQUEUE_NS - ENQUEUED_NS },
                               .taken = { at - DEQUEUE_NS, DEQUEUE_NS + l->dur_ns + DEQUEUED_NS } };
    f->task[f->n_tasks++] = t;
    mark(f, FW_ENQUEUE, thread, t.correlation, t.put.start_ns, name);
    mark(f, FW_ENQUEUED, thread, t.correlation, t.put.start_ns + t.put.dur_ns, name);
    mark(f, FW_DEQUEUE, f->g->tid, t.correlation, t.taken.start_ns, name);
    mark(f, FW_DEQUEUED, f->g->tid, t.correlation, t.taken.start_ns + t.taken.dur_ns, name);
}

/* Ops of the forward pass have numbers; the backward pass goes through them from the last one. */
static int64_t sequence_of(const struct fw *f, uint32_t op)
{
    const enum demo_phase phase = f->g->run->net->op[op].phase;
    int64_t n = f->n_forward, base = (int64_t)f->g->walk.step.index * n, i = f->place[op];
    if (phase == DEMO_FP)
        return base + i;
    return phase == DEMO_BP && i < n ? base + n - 1 - i : -1;
}

static void kernel_op(struct fw *f, const struct fw_launch *l)
{
    const struct ascend *g = f->g;
    const struct demo_op *op = &g->run->net->op[l->kernel->op];
    bool backward = op->phase == DEMO_BP;
    uint32_t thread = backward ? g->tid_back : g->tid_main;
    int64_t from = l->start_ns - OP_BEFORE_NS, to = l->start_ns - OP_END_NS;
    struct fw_range *r = fw_add_range(f, FW_OP, thread, from, to, NAMES[op->type].outer);
    r->sequence = sequence_of(f, l->kernel->op);
    r->forward = backward ? g->tid_main : 0;
    r->op = op;
    if (NAMES[op->type].inner) {
        r = fw_add_range(f, FW_OP, thread, from + INNER_NS, to - INNER_NS, NAMES[op->type].inner);
        r->op = op;
    }
    r->launched = f->n_tasks + 1;
    if (op->phase != DEMO_OPT && op->out_b)
        fw_add_range(f, FW_OP, thread, l->start_ns - ALLOC_BEFORE_NS - ALLOC_AROUND_NS,
                     l->start_ns - ALLOC_BEFORE_NS + ALLOC_AROUND_NS, "empty_tensor");
    queue(f, thread, l, demo_op_type(op)->name);
}

static void comm_op(struct fw *f, const struct fw_launch *l)
{
    const struct demo_net *n = f->g->run->net;
    const struct demo_comm_op *op = &n->comm[l->comm->op];
    uint32_t thread = n->op[op->after].phase == DEMO_BP ? f->g->tid_back : f->g->tid_main;
    fw_add_range(f, FW_OP, thread, l->start_ns - OP_BEFORE_NS, l->start_ns - OP_END_NS,
                 COMM_NAMES[l->comm->kind].outer)
        ->launched = f->n_tasks + 1;
    queue(f, thread, l, COMM_NAMES[l->comm->kind].task);
}

/* From the first to the last op of a phase. */
static struct demo_span phase_of(const struct fw *f, enum demo_phase phase)
{
    const struct demo_step *s = &f->g->walk.step;
    int64_t from = 0, to = 0;
    for (uint32_t i = 0; i < s->nkernel; i++) {
        int64_t at = s->kernel[i].launch_ns;
        if (f->g->run->net->op[s->kernel[i].op].phase != phase)
            continue;
        if (!from || at < from)
            from = at;
        if (at > to)
            to = at;
    }
    return (struct demo_span){ from - OP_BEFORE_NS - INNER_NS,
                               to - from + OP_BEFORE_NS - OP_END_NS + 2 * INNER_NS };
}

static void calls(struct fw *f)
{
    const struct ascend *g = f->g;
    const struct demo_step *s = &g->walk.step;
    for (size_t i = 0; i < ARRAY_LEN(FRAMES); i++) {
        const struct frame *x = &FRAMES[i];
        struct demo_span at = { s->host_ns + 1000, s->host_end_ns - s->host_ns - 2000 };
        if (x->forward || x->is_c)
            at = phase_of(f, x->forward ? DEMO_FP : DEMO_BP);
        struct fw_call c = { .thread = g->tid_main, .key = KEY + i, .is_c = x->is_c, .text = x->text };
        if (!s->index)
            fw_add(f, FW_TEXTS, at.start_ns)->call = c;
        fw_add(f, FW_CALLS, at.start_ns)->call = c;
        c.returns = true;
        fw_add(f, FW_CALLS, at.start_ns + at.dur_ns)->call = c;
    }
    if (s->index % GC_EACH == 0)
        fw_add(f, FW_GC, s->host_ns + 140000)->gc = (struct demo_span){ s->host_ns + 100000, 40000 };
}

/* The loss is read: the host waits for the device. */
static void last_ops(struct fw *f)
{
    const struct ascend *g = f->g;
    const struct demo_step *s = &g->walk.step;
    const struct demo_span model = demo_model_call(s);
    int64_t from = model.start_ns + model.dur_ns, to = s->host_end_ns - 8000;
    fw_add_range(f, FW_OP, g->tid_main, from, to, "aten::item");
    fw_add_range(f, FW_OP, g->tid_main, from + INNER_NS, to - INNER_NS, "aten::_local_scalar_dense");
    fw_add_range(f, FW_OP, g->tid_main, s->host_end_ns - 6000, s->host_end_ns - 4000, LAST_OP);
    fw_add_range(f, FW_TORCH_STEP, g->tid_main, s->host_ns, s->host_end_ns, "ProfilerStep#");
}

const char *fw_torch_owner(const struct fw *f, uint32_t op)
{
    if (op == UINT32_MAX)
        return LAST_OP;
    const uint16_t type = f->g->run->net->op[op].type;
    return NAMES[type].inner ? NAMES[type].inner : NAMES[type].outer;
}

void fw_torch(struct fw *f)
{
    uint32_t n = fw_launches(&f->g->walk.step, f->launch);
    f->n_tasks = 0;
    struct demo_span opt = phase_of(f, DEMO_OPT);
    fw_add_range(f, FW_OP, f->g->tid_main, opt.start_ns, opt.start_ns + opt.dur_ns,
                 "Optimizer.step#SGD.step");
    for (uint32_t i = 0; i < n; i++)
        if (f->launch[i].kernel)
            kernel_op(f, &f->launch[i]);
        else
            comm_op(f, &f->launch[i]);
    calls(f);
    last_ops(f);
}
