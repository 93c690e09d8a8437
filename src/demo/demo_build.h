/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the networks of demo: appending ops to a struct demo_net.
 *
 * Out of memory sets build.failed; later calls then work on a spare op, so that builders need not check each
 * step.
 */
#ifndef NPUSCOPE_DEMO_BUILD_H
#define NPUSCOPE_DEMO_BUILD_H

#include "base/str.h"
#include "demo/demo_net.h"
#include "demo/demo_run.h"

/* Rows of the table of op types, in its order. */
enum {
    T_GETNEXT,
    T_CONV,
    T_CONV_DX,
    T_CONV_DW,
    T_MATMUL,
    T_MATMULV2,
    T_BN_RED,
    T_BN_UPD,
    T_BN_RED_G,
    T_BN_UPD_G,
    T_RELU,
    T_RELU_G,
    T_ADD,
    T_ADDN,
    T_POOL,
    T_POOL_G,
    T_MEAN,
    T_TILE,
    T_BIAS,
    T_BIAS_G,
    T_XENT,
    T_TRANSDATA,
    T_CAST,
    T_MOMENTUM,
    T_LN,
    T_LN_G,
    T_FA,
    T_FA_G,
    T_DROP,
    T_MASK,
    T_GELU,
    T_GELU_G,
    T_TRANSPOSE,
    T_GATHER,
    T_SEGSUM,
    T_ADAM
};

struct build {
    struct demo_net *net;
    const char *root; /* "Default/.../_backbone-ResNet/" */
    uint32_t depth;
    int tp;
    bool failed; /* out of memory: later calls have no effect */
    struct demo_op spare;
};

static inline struct demo_tensor tensor(int dtype, int format, int nd, uint32_t a, uint32_t b, uint32_t c,
                                        uint32_t d)
{
    return (struct demo_tensor){ (uint8_t)nd, (uint8_t)dtype, (uint8_t)format, { a, b, c, d } };
}
static inline struct demo_tensor act(uint32_t n, uint32_t c, uint32_t h, uint32_t w)
{
    return tensor(DEMO_F16, DEMO_NC1HWC0, 4, n, c, h, w);
}
static inline struct demo_tensor mat(uint32_t m, uint32_t n)
{
    return tensor(DEMO_F16, DEMO_ND, 2, m, n, 0, 0);
}
static inline struct demo_tensor vec(int dtype, uint32_t n)
{
    return tensor(dtype, DEMO_ND, 1, n, 0, 0, 0);
}

#define TRAIN    "Default/network-TrainOneStepCell/"
#define NEXT_OPT UINT32_MAX /* comm_new before: the optimizer, filled in when it starts */

uint32_t build_count(const struct build *b);
/* Op i, or the spare one. The pointer is valid until the next op is added. */
struct demo_op *build_at(struct build *b, uint32_t i);
/* Room for element n of an array. */
void *build_grow(void *p, uint32_t *cap, uint32_t n, size_t each, bool *failed);
/* New op without tensors, named prefix + scope + "/Type-opN". */
struct demo_op *build_op(struct build *b, int type, enum demo_phase phase, const char *prefix,
                         const char *scope);
/* In the backbone: a forward op, and the backward op of a forward op called fwd. */
struct demo_op *build_fwd(struct build *b, int type, const char *scope);
struct demo_op *build_bwd(struct build *b, int type, const char *scope, const char *fwd);
/* Inputs first, then outputs, then build_time(). */
void build_in(struct demo_op *o, struct demo_tensor t);
void build_out(struct demo_op *o, struct demo_tensor t);
void build_time(struct demo_op *o);
/* One input, one output, timed; and a matrix product. */
void build_unary(struct demo_op *o, struct demo_tensor in, struct demo_tensor out);
void build_matmul(struct demo_op *o, uint32_t m, uint32_t k, uint32_t n);
/* A communication op that is ready after the newest op. before: first op that waits for it, or
 * NEXT_OPT. */
void build_comm(struct build *b, enum demo_comm_kind kind, enum demo_group_kind group, struct str scope,
                uint64_t bytes, uint32_t before);
void build_optimizer(struct build *b);
void build_getnext(struct build *b, struct demo_tensor data, struct demo_tensor label);

/* The networks. comm: with communication among data parallel ranks. */
void build_resnet(struct build *b, bool comm);
void build_gpt(struct build *b, bool comm);

#endif
