/* SPDX-License-Identifier: Apache-2.0 */
/* A GPT-like transformer: data parallel, and tensor parallel in pairs where the ranks allow it. */
#include "config.h"

#include <stdlib.h>

#include "demo/demo_build.h"

#define SEQ     1024
#define BATCH_T 4
#define HIDDEN  2048
#define HEADS   16
#define VOCAB   32000
#define TOKENS  (SEQ * BATCH_T)

#define GPT_LAYER                                                                                            \
    "transformer-Transformer/encoder-TransformerEncoder/blocks-CellList/"                                    \
    "%u-TransformerEncoderLayer/%s"

static void gpt_scope(struct build *b, char *buf, uint32_t layer, const char *part)
{
    const char *s = arena_printf(b->net->mem, GPT_LAYER, layer, part);
    if (!s)
        b->failed = true;
    str_copy(str_of(s ? s : ""), buf, 160);
}

/*
 * Forward ops of a layer: type, scope, and the shape of the work (columns in hidden units; split: divided by
 * tp).
 */
struct gpt_part {
    int type;
    const char *scope;
    uint32_t k, n; /* MatMul: inner and outer size / HIDDEN */
    bool split_k, split_n;
    int grad;    /* type of the backward op; T_MATMULV2: two of them */
    bool reduce; /* tensor parallel sum of the result */
};

/* clang-format off */
static const struct gpt_part GPT[] = {
    { T_LN,        "layernorm1-LayerNorm",                      0, 1, false, false, T_LN_G,      false },
    { T_MATMULV2,  "attention-MultiHeadAttention/dense1-Linear", 1, 1, false, true,  T_MATMULV2,  false },
    { T_MATMULV2,  "attention-MultiHeadAttention/dense2-Linear", 1, 1, false, true,  T_MATMULV2,  false },
    { T_MATMULV2,  "attention-MultiHeadAttention/dense3-Linear", 1, 1, false, true,  T_MATMULV2,  false },
    { T_TRANSPOSE, "attention-MultiHeadAttention",              0, 1, false, true,  T_TRANSPOSE, false },
    { T_FA,        "attention-MultiHeadAttention",              0, 1, false, true,  T_FA_G,      false },
    { T_MATMULV2,  "attention-MultiHeadAttention/projection-Linear", 1, 1, true, false, T_MATMULV2, true },
    { T_DROP,      "attention-MultiHeadAttention/dropout-Dropout", 0, 1, false, false, T_DROP,    false },
    { T_ADD,       "attention-MultiHeadAttention",              0, 1, false, false, -1,          false },
    { T_LN,        "layernorm2-LayerNorm",                      0, 1, false, false, T_LN_G,      false },
    { T_MATMULV2,  "output-FeedForward/mapping-Linear",         1, 4, false, true,  T_MATMULV2,  false },
    { T_GELU,      "output-FeedForward/mapping-Linear",         0, 4, false, true,  T_GELU_G,    false },
    { T_MATMULV2,  "output-FeedForward/projection-Linear",      4, 1, true,  false, T_MATMULV2,  true },
    { T_DROP,      "output-FeedForward/dropout-Dropout",        0, 1, false, false, T_DROP,      false },
    { T_ADD,       "output-FeedForward",                        0, 1, false, false, T_ADDN,      false },
};
/* clang-format on */
#define GPT_N ARRAY_LEN(GPT)

static uint32_t part_k(const struct build *b, const struct gpt_part *p)
{
    return p->k * HIDDEN / (p->split_k ? (uint32_t)b->tp : 1);
}
static uint32_t part_n(const struct build *b, const struct gpt_part *p)
{
    return p->n * HIDDEN / (p->split_n ? (uint32_t)b->tp : 1);
}

/* 4 * tokens * sequence * width: scores and their product with the values */
static uint64_t attention_flops(const struct build *b, const struct gpt_part *p)
{
    return (uint64_t)4 * TOKENS * SEQ * part_n(b, p);
}

/* Sum of a partial product over the tensor parallel ranks, directly after the op that made it. */
static void tp_sum(struct build *b, uint32_t i)
{
    struct str scope = { build_at(b, i)->name, build_at(b, i)->scope_n };
    if (b->tp > 1 && !b->failed)
        build_comm(b, DEMO_ALLREDUCE, DEMO_GROUP_TENSOR, scope, (uint64_t)TOKENS * HIDDEN * 2,
                   build_count(b));
}

static void gpt_forward(struct build *b, uint32_t layer, uint32_t *index)
{
    char s[160];
    for (size_t i = 0; i < GPT_N; i++) {
        const struct gpt_part *p = &GPT[i];
        gpt_scope(b, s, layer, p->scope);
        index[i] = build_count(b);
        struct demo_op *o = build_fwd(b, p->type, s);
        struct demo_tensor x = mat(TOKENS, part_n(b, p));
        if (p->type == T_MATMULV2) {
            build_matmul(o, TOKENS, part_k(b, p), part_n(b, p));
        } else if (p->type == T_FA) {
            struct demo_tensor h =
                tensor(DEMO_F16, DEMO_ND, 4, BATCH_T, HEADS / (uint32_t)b->tp, SEQ, HIDDEN / HEADS);
            build_in(o, h);
            build_in(o, h);
            build_in(o, h);
            build_out(o, h);
            o->cube = attention_flops(b, p);
            build_time(o);
        } else {
            build_in(o, x);
            if (p->type == T_ADD)
                build_in(o, x);
            build_out(o, x);
            build_time(o);
        }
        if (p->reduce)
            tp_sum(b, index[i]);
    }
}

static void gpt_backward_matmul(struct build *b, const struct gpt_part *p, const char *s)
{
    build_matmul(build_bwd(b, T_MATMULV2, s, "MatMul"), TOKENS, part_n(b, p), part_k(b, p));
    if (p->split_n && p->k == 1 &&
        p->n != 1) /* input gradient of the first feed-forward product is partial */
        tp_sum(b, build_count(b) - 1);
    build_matmul(build_bwd(b, T_MATMULV2, s, "MatMul"), part_k(b, p), TOKENS, part_n(b, p));
}

static void gpt_backward(struct build *b, uint32_t layer, const uint32_t *index)
{
    char s[160];
    for (size_t i = GPT_N; i-- > 0;) {
        const struct gpt_part *p = &GPT[i];
        if (p->grad < 0)
            continue;
        gpt_scope(b, s, layer, p->scope);
        build_at(b, index[i])->freed_by = build_count(b);
        if (p->grad == T_MATMULV2) {
            gpt_backward_matmul(b, p, s);
            continue;
        }
        struct demo_op *o = build_bwd(b, p->grad, s, demo_type_at((uint32_t)p->type)->name);
        struct demo_tensor x = mat(TOKENS, part_n(b, p));
        build_in(o, x);
        build_in(o, x);
        build_out(o, x);
        if (p->type == T_FA)
            o->cube = attention_flops(b, p) * 5 / 2;
        build_time(o);
    }
}

static void adam(struct build *b, uint32_t m, uint32_t n)
{
    struct demo_tensor t = n ? tensor(DEMO_F32, DEMO_ND, 2, m, n, 0, 0) : vec(DEMO_F32, m);
    struct demo_op *o = build_op(b, T_ADAM, DEMO_OPT, TRAIN, "optimizer-AdamWeightDecay");
    build_in(o, t);
    build_in(o, t);
    build_in(o, t);
    build_out(o, vec(DEMO_F32, 1));
    build_time(o);
    b->net->param_b += demo_tensor_bytes(&t) * 4;
}

static uint64_t layer_param_b(const struct build *b)
{
    return (uint64_t)12 * HIDDEN * HIDDEN * 2 / (uint64_t)b->tp;
}

static void gpt_ends(struct build *b, bool forward)
{
    uint32_t v = VOCAB / (uint32_t)b->tp;
    if (forward) {
        build_unary(build_fwd(b, T_LN, "transformer-Transformer/layernorm-LayerNorm"), mat(TOKENS, HIDDEN),
                    mat(TOKENS, HIDDEN));
        build_matmul(build_fwd(b, T_MATMULV2, "head-GPTHead"), TOKENS, HIDDEN, v);
        build_unary(build_op(b, T_XENT, DEMO_FP, TRAIN "network-WithLossCell/", "_loss_fn-CrossEntropyLoss"),
                    mat(TOKENS, v), mat(TOKENS, v));
        return;
    }
    build_matmul(build_bwd(b, T_MATMULV2, "head-GPTHead", "MatMul"), TOKENS, v, HIDDEN);
    build_matmul(build_bwd(b, T_MATMULV2, "head-GPTHead", "MatMul"), HIDDEN, TOKENS, v);
    build_unary(build_bwd(b, T_LN_G, "transformer-Transformer/layernorm-LayerNorm", "LayerNorm"),
                mat(TOKENS, HIDDEN), mat(TOKENS, HIDDEN));
}

static void gpt_optimizer(struct build *b, bool comm)
{
    build_optimizer(b);
    for (uint32_t l = 0; l < b->depth; l++) {
        for (size_t i = 0; i < GPT_N; i++)
            if (GPT[i].type == T_MATMULV2)
                adam(b, part_k(b, &GPT[i]), part_n(b, &GPT[i]));
            else if (GPT[i].type == T_LN)
                adam(b, HIDDEN, 0);
        if (comm && (l % 6 == 5 || l + 1 == b->depth)) /* sharded states: the new weights are gathered */
            build_comm(b, DEMO_ALLGATHER, DEMO_GROUP_DATA, STR(TRAIN "optimizer-AdamWeightDecay"),
                       layer_param_b(b) * (l % 6 + 1), UINT32_MAX - 1);
    }
    adam(b, VOCAB / (uint32_t)b->tp, HIDDEN);
}

void build_gpt(struct build *b, bool comm)
{
    uint32_t *index = calloc((size_t)b->depth * GPT_N, sizeof *index);
    if (!index) {
        b->failed = true;
        return;
    }
    b->net->model = "GPT";
    b->root = TRAIN "network-WithLossCell/_backbone-GPTModel/";
    build_getnext(b, tensor(DEMO_I32, DEMO_ND, 2, BATCH_T, SEQ, 0, 0),
                  tensor(DEMO_I32, DEMO_ND, 2, BATCH_T, SEQ, 0, 0));
    b->net->fp_first = build_count(b);
    build_unary(build_fwd(b, T_GATHER, "word_embedding-VocabEmbedding"),
                tensor(DEMO_I32, DEMO_ND, 2, BATCH_T, SEQ, 0, 0), mat(TOKENS, HIDDEN));
    build_unary(build_fwd(b, T_MASK, "word_embedding-VocabEmbedding"), vec(DEMO_I32, 2),
                vec(DEMO_I32, TOKENS * (HIDDEN / 32)));
    for (uint32_t l = 0; l < b->depth && !b->failed; l++)
        gpt_forward(b, l, index + (size_t)l * GPT_N);
    gpt_ends(b, true);
    gpt_ends(b, false);
    for (uint32_t l = b->depth; l-- > 0 && !b->failed;) {
        gpt_backward(b, l, index + (size_t)l * GPT_N);
        if (comm && l % 3 == 0)
            build_comm(b, DEMO_REDUCESCATTER, DEMO_GROUP_DATA,
                       STR(TRAIN "grad_reducer-DistributedGradReducer"),
                       layer_param_b(b) * (b->depth - l < 3 ? b->depth - l : 3), NEXT_OPT);
    }
    build_unary(build_bwd(b, T_SEGSUM, "word_embedding-VocabEmbedding", "Gather"), mat(TOKENS, HIDDEN),
                mat(VOCAB, HIDDEN));
    gpt_optimizer(b, comm);
    free(index);
}
