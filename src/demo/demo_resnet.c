/* SPDX-License-Identifier: Apache-2.0 */
/* ResNet: residual bottleneck blocks; 16 of them make ResNet-50. */
#include "config.h"

#include <stdlib.h>

#include "demo/demo_build.h"

#define BATCH   32
#define SCOPE_N 80

struct conv {
    char scope[SCOPE_N];
    uint32_t cin, cout, k, stride, size; /* size: of the output */
    uint32_t conv, bn, relu;             /* forward ops; relu 0: none */
    bool join;                           /* block output: its relu follows the residual add */
    bool first;
};

static uint64_t weight_b(const struct conv *c)
{
    return (uint64_t)c->cin * c->cout * c->k * c->k * 4;
}

static void relu(struct build *b, const char *scope, struct demo_tensor x, uint32_t *index)
{
    *index = build_count(b);
    struct demo_op *o = build_fwd(b, T_RELU, scope);
    build_in(o, x);
    build_out(o, x);
    build_time(o);
}

static void conv_forward(struct build *b, struct conv *c)
{
    struct demo_tensor x = act(BATCH, c->cin, c->size * c->stride, c->size * c->stride),
                       y = act(BATCH, c->cout, c->size, c->size);
    struct demo_tensor w = tensor(DEMO_F16, DEMO_FRACTAL_Z, 4, c->cout, c->cin, c->k, c->k),
                       stat = vec(DEMO_F32, c->cout);
    if (build_count(b) %
        2) { /* weights change their layout on the side stream, for about half of the layers */
        struct demo_op *td = build_fwd(b, T_TRANSDATA, c->scope);
        build_in(td, tensor(DEMO_F32, DEMO_ND, 4, c->cout, c->cin, c->k, c->k));
        build_out(td, w);
        build_time(td);
        td->stream = DEMO_STREAM_SIDE;
    }
    c->conv = build_count(b);
    struct demo_op *o = build_fwd(b, T_CONV, c->scope);
    build_in(o, x);
    build_in(o, w);
    build_out(o, y);
    o->cube = 2 * (uint64_t)BATCH * c->size * c->size * c->cout * c->cin * c->k * c->k;
    build_time(o);
    o = build_fwd(b, T_BN_RED, c->scope);
    build_in(o, y);
    build_out(o, stat);
    build_out(o, stat);
    build_time(o);
    c->bn = build_count(b);
    o = build_fwd(b, T_BN_UPD, c->scope);
    build_in(o, y);
    build_in(o, stat);
    build_out(o, y);
    build_out(o, stat);
    build_time(o);
    c->relu = 0;
    if (!c->join)
        relu(b, c->scope, y, &c->relu);
}

static void relu_backward(struct build *b, const char *scope, struct demo_tensor y, uint32_t fwd)
{
    build_at(b, fwd)->freed_by = build_count(b);
    struct demo_op *o = build_bwd(b, T_RELU_G, scope, "ReluV2");
    build_in(o, y);
    build_in(o, y);
    build_out(o, y);
    build_time(o);
}

static void conv_backward(struct build *b, const struct conv *c)
{
    struct demo_tensor x = act(BATCH, c->cin, c->size * c->stride, c->size * c->stride),
                       y = act(BATCH, c->cout, c->size, c->size);
    struct demo_tensor w = tensor(DEMO_F16, DEMO_FRACTAL_Z, 4, c->cout, c->cin, c->k, c->k),
                       stat = vec(DEMO_F32, c->cout);
    struct demo_op *o;
    if (c->relu)
        relu_backward(b, c->scope, y, c->relu);
    build_at(b, c->bn)->freed_by = build_count(b);
    o = build_bwd(b, T_BN_UPD_G, c->scope, "BatchNorm");
    build_in(o, y);
    build_in(o, y);
    build_out(o, stat);
    build_out(o, stat);
    build_time(o);
    o = build_bwd(b, T_BN_RED_G, c->scope, "BatchNorm");
    build_in(o, y);
    build_in(o, stat);
    build_out(o, y);
    build_time(o);
    uint64_t flops = build_at(b, c->conv)->cube;
    if (!c->first) {
        o = build_bwd(b, T_CONV_DX, c->scope, "Conv2D");
        build_in(o, w);
        build_in(o, y);
        build_out(o, x);
        o->cube = flops;
        build_time(o);
    }
    build_at(b, c->conv)->freed_by = build_count(b);
    o = build_bwd(b, T_CONV_DW, c->scope, "Conv2D");
    build_in(o, x);
    build_in(o, y);
    build_out(o, tensor(DEMO_F32, DEMO_FRACTAL_Z, 4, c->cout, c->cin, c->k, c->k));
    o->cube = flops;
    build_time(o);
}

static void momentum(struct build *b, struct demo_tensor t)
{
    struct demo_op *o = build_op(b, T_MOMENTUM, DEMO_OPT, TRAIN, "optimizer-Momentum");
    build_in(o, t);
    build_in(o, t);
    build_in(o, t);
    build_out(o, vec(DEMO_F32, 1));
    build_time(o);
    b->net->param_b += demo_tensor_bytes(&t) * 2;
}

struct resnet {
    struct conv *conv; /* in forward order */
    uint32_t n, cap;
    uint32_t pool, fc;
    struct conv spare; /* written to when out of memory */
};

static struct conv *conv_add(struct build *b, struct resnet *r, const char *scope, uint32_t cin,
                             uint32_t cout, uint32_t k, uint32_t stride, uint32_t size)
{
    r->conv = build_grow(r->conv, &r->cap, r->n, sizeof *r->conv, &b->failed);
    if (b->failed)
        return &r->spare;
    struct conv *c = &r->conv[r->n++];
    *c = (struct conv){ .cin = cin, .cout = cout, .k = k, .stride = stride, .size = size };
    str_copy(str_of(scope), c->scope, sizeof c->scope);
    return c;
}

static void block_scope(struct build *b, char *buf, uint32_t layer, uint32_t i, const char *part)
{
    const char *s = arena_printf(b->net->mem, "layer%u-SequentialCell/%u-ResidualBlock%s", layer, i, part);
    if (!s)
        b->failed = true;
    str_copy(str_of(s ? s : ""), buf, SCOPE_N);
}

/* A bottleneck block: 1x1, 3x3 (with the stride), 1x1, and a projection where the shape changes. */
static void block_forward(struct build *b, struct resnet *r, uint32_t layer, uint32_t i, uint32_t mid,
                          uint32_t size)
{
    char s[SCOPE_N];
    uint32_t stride = i == 0 && layer > 1 ? 2 : 1, cout = mid * 4;
    uint32_t cin = i ? cout : layer == 1 ? 64 : mid * 2;
    block_scope(b, s, layer, i, "/conv1-Conv2d");
    conv_forward(b, conv_add(b, r, s, cin, mid, 1, 1, size * stride));
    block_scope(b, s, layer, i, "/conv2-Conv2d");
    conv_forward(b, conv_add(b, r, s, mid, mid, 3, stride, size));
    if (i == 0) {
        block_scope(b, s, layer, i, "/down_sample_layer-SequentialCell");
        struct conv *d = conv_add(b, r, s, cin, cout, 1, stride, size);
        d->join = true;
        conv_forward(b, d);
    }
    block_scope(b, s, layer, i, "/conv3-Conv2d");
    struct conv *c = conv_add(b, r, s, mid, cout, 1, 1, size);
    c->join = true;
    conv_forward(b, c);
    block_scope(b, s, layer, i, "");
    struct demo_tensor y = act(BATCH, cout, size, size);
    struct demo_op *o = build_fwd(b, T_ADD, s);
    build_in(o, y);
    build_in(o, y);
    build_out(o, y);
    build_time(o);
    relu(b, s, y, &r->conv[r->n - 1].relu);
}

static void resnet_forward(struct build *b, struct resnet *r)
{
    static const uint32_t share[] = { 3, 4, 6, 3 };
    build_getnext(b, tensor(DEMO_F32, DEMO_ND, 4, BATCH, 3, 224, 224), vec(DEMO_I32, BATCH));
    b->net->fp_first = build_count(b);
    build_unary(build_op(b, T_CAST, DEMO_FP, TRAIN "network-WithLossCell/", ""),
                tensor(DEMO_F32, DEMO_ND, 4, BATCH, 3, 224, 224),
                tensor(DEMO_F16, DEMO_ND, 4, BATCH, 3, 224, 224));
    struct conv *c = conv_add(b, r, "conv1-Conv2d", 3, 64, 7, 2, 112);
    c->first = true;
    conv_forward(b, c);
    r->pool = build_count(b);
    build_unary(build_fwd(b, T_POOL, "maxpool-MaxPool2d"), act(BATCH, 64, 112, 112), act(BATCH, 64, 56, 56));
    for (uint32_t layer = 1, size = 56, mid = 64; layer <= 4; layer++, size /= 2, mid *= 2) {
        uint32_t n = b->depth * share[layer - 1] / 16;
        for (uint32_t i = 0; i < (n ? n : 1); i++)
            block_forward(b, r, layer, i, mid, size);
    }
    build_unary(build_fwd(b, T_MEAN, "mean-ReduceMean"), act(BATCH, 2048, 7, 7), mat(BATCH, 2048));
    r->fc = build_count(b);
    build_matmul(build_fwd(b, T_MATMUL, "end_point-Dense"), BATCH, 2048, 1001);
    build_unary(build_fwd(b, T_BIAS, "end_point-Dense"), mat(BATCH, 1001), mat(BATCH, 1001));
    build_unary(build_op(b, T_XENT, DEMO_FP, TRAIN "network-WithLossCell/", "_loss_fn-CrossEntropySmooth"),
                mat(BATCH, 1001), mat(BATCH, 1001));
}

/* Gradients; their sums over the ranks start in eight buckets when these are ready. */
static void resnet_backward(struct build *b, struct resnet *r, bool comm)
{
    uint32_t per = (r->n + 7) / 8, in_bucket = 0;
    uint64_t bytes = (uint64_t)2048 * 1001 * 4;
    build_unary(build_bwd(b, T_BIAS_G, "end_point-Dense", "BiasAdd"), mat(BATCH, 1001), vec(DEMO_F32, 1001));
    build_at(b, r->fc)->freed_by = build_count(b);
    build_matmul(build_bwd(b, T_MATMUL, "end_point-Dense", "MatMul"), BATCH, 1001, 2048);
    build_matmul(build_bwd(b, T_MATMUL, "end_point-Dense", "MatMul"), 2048, BATCH, 1001);
    build_unary(build_bwd(b, T_TILE, "mean-ReduceMean", "ReduceMean"), mat(BATCH, 2048),
                act(BATCH, 2048, 7, 7));
    for (uint32_t i = r->n; i-- > 0;) {
        const struct conv *c = &r->conv[i];
        if (i == 0) {
            build_at(b, r->pool)->freed_by = build_count(b);
            build_unary(build_bwd(b, T_POOL_G, "maxpool-MaxPool2d", "MaxPoolWithArgmax"),
                        act(BATCH, 64, 56, 56), act(BATCH, 64, 112, 112));
        }
        conv_backward(b, c);
        bytes += weight_b(c) + (uint64_t)c->cout * 8;
        if (c->k == 1 && !c->join && i) { /* a block's input collects two gradients */
            struct demo_op *o = build_bwd(b, T_ADDN, c->scope, "Add");
            struct demo_tensor x = act(BATCH, c->cin, c->size, c->size);
            build_in(o, x);
            build_in(o, x);
            build_out(o, x);
            build_time(o);
        }
        if (comm && (++in_bucket == per || i == 0)) {
            build_comm(b, DEMO_ALLREDUCE, DEMO_GROUP_DATA, STR(TRAIN "grad_reducer-DistributedGradReducer"),
                       bytes, NEXT_OPT);
            bytes = in_bucket = 0;
        }
    }
}

void build_resnet(struct build *b, bool comm)
{
    struct resnet r = { 0 };
    b->net->model = "ResNet";
    b->root = TRAIN "network-WithLossCell/_backbone-ResNet/";
    resnet_forward(b, &r);
    if (!b->failed) {
        resnet_backward(b, &r, comm);
        build_optimizer(b);
        for (uint32_t i = 0; i < r.n; i++) {
            const struct conv *c = &r.conv[i];
            momentum(b, tensor(DEMO_F32, DEMO_FRACTAL_Z, 4, c->cout, c->cin, c->k, c->k));
            momentum(b, vec(DEMO_F32, c->cout));
            momentum(b, vec(DEMO_F32, c->cout));
        }
        momentum(b, tensor(DEMO_F32, DEMO_ND, 2, 2048, 1001, 0, 0));
        momentum(b, vec(DEMO_F32, 1001));
    }
    free(r.conv);
}
