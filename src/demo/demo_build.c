/* SPDX-License-Identifier: Apache-2.0 */
/* The two networks of the synthetic run, built op by op in launch order. */
#include "config.h"

#include "demo/demo_net.h"

#include <stdlib.h>
#include <string.h>

#include "demo/demo_build.h"

/* clang-format off */
static const struct demo_type TYPES[] = {
    /* name                       core    fixed   cube   byte vec   mac vec sca mt1 mt2 mt3 */
    { "GetNext",                  DEMO_AICPU, 9600,  0,     0,  0,    0,  0,  0,  0,  0,  0 },
    { "Conv2D",                   DEMO_AIC,   4200, 45000,  0,  0,  560,  0, 90,310,680, 60 },
    { "Conv2DBackpropInputD",     DEMO_AIC,   4600, 46000,  0,  0,  520,  0,110,290,700, 60 },
    { "Conv2DBackpropFilterD",    DEMO_AIC,   5000, 35000,  0,  0,  430,  0,140,260,780, 50 },
    { "MatMul",                   DEMO_AIC,   8000, 25000,  0,  0,  340,  0,120,210,740, 60 },
    { "MatMulV2",                 DEMO_AIC,   4000,150000,  0,  0,  780,  0, 60,420,610, 80 },
    { "BNTrainingReduce",         DEMO_AIV,   2600,  0, 1130000,  2,    0,420, 80,  0,860, 20 },
    { "BNTrainingUpdate",         DEMO_AIV,   3000,  0, 1160000,  4,    0,480, 80,  0,840,620 },
    { "BNTrainingReduceGrad",     DEMO_AIV,   3200,  0, 940000,  6,    0,520, 80,  0,880,500 },
    { "BNTrainingUpdateGrad",     DEMO_AIV,   3200,  0, 720000,  6,    0,560, 90,  0,900, 40 },
    { "ReluV2",                   DEMO_AIV,   1800,  0, 2000000,  1,    0,310, 60,  0,820,690 },
    { "ReluGrad",                 DEMO_AIV,   1900,  0,2500000,  1,    0,330, 60,  0,840,660 },
    { "Add",                      DEMO_AIV,   1800,  0,2800000,  1,    0,280, 60,  0,830,700 },
    { "AddN",                     DEMO_AIV,   1900,  0,4200000,  1,    0,290, 60,  0,850,690 },
    { "MaxPoolWithArgmaxV1",      DEMO_AIV,   6000,  0, 600000,  9,    0,610,120,  0,700,300 },
    { "MaxPoolGradWithArgmaxV1",  DEMO_AIV,   8000,  0, 450000,  9,    0,640,120,  0,660,480 },
    { "ReduceMean",               DEMO_AIV,   3500,  0, 400000,  1,    0,330,110,  0,610, 80 },
    { "Tile",                     DEMO_AIV,   3000,  0, 400000,  0,    0,120,140,  0,380,640 },
    { "BiasAdd",                  DEMO_AIV,   1600,  0, 500000,  1,    0,260, 90,  0,540,520 },
    { "BiasAddGrad",              DEMO_AIV,   2600,  0, 500000,  1,    0,340,110,  0,620, 60 },
    { "SparseSoftmaxCrossEntropy",DEMO_AIV,  14000,  0, 200000, 12,    0,520,210,  0,360, 90 },
    { "TransData",                DEMO_AIV,   4800,  0, 230000,  0,    0, 90,180,  0,560,640 },
    { "Cast",                     DEMO_AIV,   1500,  0, 600000,  1,    0,210, 90,  0,600,610 },
    { "ApplyMomentum",            DEMO_AIV,    740,  0,6000000,  4,    0,300,120,  0,680,640 },
    { "LayerNorm",                DEMO_AIV,   3000,  0,1000000,  8,    0,620, 90,  0,700,420 },
    { "LayerNormGrad",            DEMO_AIV,   4200,  0, 800000, 12,    0,640,100,  0,720,380 },
    { "FlashAttentionScore",      DEMO_MIX,   9000, 90000,  0, 24,  540,610,130,360,520,240 },
    { "FlashAttentionScoreGrad",  DEMO_MIX,  14000, 80000,  0, 48,  500,640,150,340,560,260 },
    { "DropoutDoMask",            DEMO_AIV,   1900,  0,1200000,  2,    0,300, 80,  0,810,640 },
    { "StatelessDropOutGenMask",  DEMO_AICPU,42000,  0,     0,  0,    0,  0,  0,  0,  0,  0 },
    { "Gelu",                     DEMO_AIV,   2200,  0,1100000, 14,    0,710, 80,  0,640,580 },
    { "GeluGrad",                 DEMO_AIV,   2600,  0,1000000, 22,    0,760, 80,  0,630,560 },
    { "Transpose",                DEMO_AIV,   3600,  0, 700000,  0,    0, 60,210,  0,680,700 },
    { "GatherV2",                 DEMO_AIV,   6500,  0, 600000,  0,    0, 40,260,  0,690,610 },
    { "UnsortedSegmentSum",       DEMO_AIV,  21000,  0, 200000,  1,    0,210,320,  0,640,320 },
    { "AdamApplyOneWithDecay",    DEMO_AIV,   2600,  0,1100000, 16,    0,540, 80,  0,860,760 },
};
/* clang-format on */

_Static_assert(ARRAY_LEN(TYPES) == T_ADAM + 1, "one enumerator per type");
_Static_assert(ARRAY_LEN(TYPES) + 3 <= DEMO_TYPES_MAX, "types and communication kinds fit in the summary");

const struct demo_type *demo_type_at(uint32_t i)
{
    return &TYPES[i];
}

uint32_t demo_type_count(void)
{
    return ARRAY_LEN(TYPES);
}

static const struct {
    const char *hcom, *lower, *leaf;
} COMM[] = {
    { "hcom_allReduce_", "allreduce", "AllReduce" },
    { "hcom_allGather_", "allgather", "AllGather" },
    { "hcom_reduceScatter_", "reduce",
      "ReduceScatter" }, /* the matrix calls reduceScatter "reduce": doc/formats/framework.md#communication */
};

const char *demo_comm_hcom(enum demo_comm_kind k)
{
    return COMM[k].hcom;
}

const char *demo_comm_lower(enum demo_comm_kind k)
{
    return COMM[k].lower;
}

uint64_t demo_tensor_bytes(const struct demo_tensor *t)
{
    uint64_t n = t->dtype == DEMO_F16 ? 2 : 4;
    for (int i = 0; i < t->nd; i++)
        n *= t->dim[i];
    return n;
}

/* ---- building blocks ---- */

uint32_t build_count(const struct build *b)
{
    return b->net->nop;
}

struct demo_op *build_at(struct build *b, uint32_t i)
{
    return i < b->net->nop ? &b->net->op[i] : &b->spare;
}

void *build_grow(void *p, uint32_t *cap, uint32_t n, size_t each, bool *failed)
{
    if (n < *cap)
        return p;
    uint32_t want = *cap ? *cap * 2 : 256;
    void *q = realloc(p, want * each);
    if (!q)
        *failed = true;
    else
        *cap = want;
    return q ? q : p;
}

/*
 * New op without tensors. scope: path between root and the op ("": none); root NULL for names outside the
 * backbone.
 */
struct demo_op *build_op(struct build *b, int type, enum demo_phase phase, const char *prefix,
                         const char *scope)
{
    struct demo_net *n = b->net;
    n->op = build_grow(n->op, &n->op_cap, n->nop, sizeof *n->op, &b->failed);
    if (b->failed)
        return &b->spare;
    struct demo_op *o = &n->op[n->nop];
    memset(o, 0, sizeof *o);
    const char *s = arena_printf(n->mem, "%s%s%s%s-op%u", prefix, scope, *scope ? "/" : "", TYPES[type].name,
                                 n->next_id++);
    if (!s) {
        b->failed = true;
        return &b->spare;
    }
    o->name = s;
    o->leaf = strrchr(s, '/') + 1;
    o->scope_n = (uint32_t)(o->leaf - 1 - s);
    o->type = (uint16_t)type;
    o->phase = (uint8_t)phase;
    o->stream = TYPES[type].core == DEMO_AICPU ? DEMO_STREAM_AICPU : DEMO_STREAM_MAIN;
    o->freed_by = n->nop + 2;
    n->nop++;
    return o;
}

struct demo_op *build_fwd(struct build *b, int type, const char *scope)
{
    return build_op(b, type, DEMO_FP, b->root, scope);
}

/* Backward op of a forward op of type fwd: ".../gradConv2D/Conv2DBackpropInputD-op7". */
struct demo_op *build_bwd(struct build *b, int type, const char *scope, const char *fwd)
{
    char prefix[160], sub[160];
    struct str parts[] = { STR("Gradients/"), str_of(b->root) };
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        memcpy(prefix + n, parts[i].p, parts[i].n);
        n += parts[i].n;
    }
    prefix[n] = '\0';
    const char *piece[] = { scope, *scope ? "/grad" : "grad", fwd };
    n = 0;
    for (size_t i = 0; i < ARRAY_LEN(piece); i++) {
        size_t len = strlen(piece[i]);
        if (len > sizeof sub - 1 - n)
            len = sizeof sub - 1 - n;
        memcpy(sub + n, piece[i], len);
        n += len;
    }
    sub[n] = '\0';
    return build_op(b, type, DEMO_BP, prefix, sub);
}

void build_in(struct demo_op *o, struct demo_tensor t)
{
    o->t[o->nin++] = t;
}

/* Outputs are added last: also sets the fields that follow from the tensors. */
void build_out(struct demo_op *o, struct demo_tensor t)
{
    o->t[o->nin + o->nout++] = t;
    o->out_b += (demo_tensor_bytes(&t) + 511) / 512 * 512;
}

/* Nominal duration and vector work, once tensors and cube FLOPs are known. */
void build_time(struct demo_op *o)
{
    const struct demo_type *t = demo_op_type(o);
    uint64_t bytes = 0, ns = (uint64_t)t->fixed_ns, elems = 0;
    for (int i = 0; i < o->nin + o->nout; i++)
        bytes += demo_tensor_bytes(&o->t[i]);
    if (o->nout)
        elems = demo_tensor_bytes(&o->t[o->nin]) / (o->t[o->nin].dtype == DEMO_F16 ? 2 : 4);
    o->vec = elems * (uint64_t)t->vec_per_elem;
    if (t->cube_rate)
        ns += o->cube / (uint64_t)t->cube_rate;
    if (t->byte_rate)
        ns += bytes * 1000 / (uint64_t)t->byte_rate;
    o->dur_ns = (int64_t)(ns / 20 * 20);
    uint64_t want = (o->cube / 40000000 + bytes / 65536) + 1;
    o->blocks = t->core == DEMO_AICPU ? 1 : want > 32 ? 32 : (uint32_t)want;
}

void build_comm(struct build *b, enum demo_comm_kind kind, enum demo_group_kind group, struct str scope,
                uint64_t bytes, uint32_t before)
{
    struct demo_net *n = b->net;
    n->comm = build_grow(n->comm, &n->comm_cap, n->ncomm, sizeof *n->comm, &b->failed);
    if (b->failed)
        return;
    struct demo_comm_op *c = &n->comm[n->ncomm];
    const char *s =
        arena_printf(n->mem, "%.*s/%s-op%u", (int)scope.n, scope.p, COMM[kind].leaf, n->next_id++);
    if (!s) {
        b->failed = true;
        return;
    }
    *c = (struct demo_comm_op){ .name = s,
                                .kind = (uint8_t)kind,
                                .group = (uint8_t)group,
                                .after = n->nop - 1,
                                .before = before,
                                .bytes = bytes,
                                .group_index = n->group_ops[group]++ };
    c->leaf = strrchr(s, '/') + 1;
    c->scope_n = (uint32_t)(c->leaf - 1 - s);
    n->ncomm++;
}

void build_optimizer(struct build *b)
{
    struct demo_net *n = b->net;
    n->bp_last = n->nop - 1;
    n->opt_first = n->nop;
    for (uint32_t i = 0; i < n->ncomm; i++)
        if (n->comm[i].before == NEXT_OPT)
            n->comm[i].before = n->opt_first;
}

void build_getnext(struct build *b, struct demo_tensor data, struct demo_tensor label)
{
    struct demo_op *o = build_op(b, T_GETNEXT, DEMO_DATA, "Default/", "");
    build_out(o, data);
    build_out(o, label);
    build_time(o);
    o->freed_by = 4;
}

void build_matmul(struct demo_op *o, uint32_t m, uint32_t k, uint32_t n)
{
    build_in(o, mat(m, k));
    build_in(o, mat(k, n));
    build_out(o, mat(m, n));
    o->cube = 2 * (uint64_t)m * k * n;
    build_time(o);
}

void build_unary(struct demo_op *o, struct demo_tensor in, struct demo_tensor out)
{
    build_in(o, in);
    build_out(o, out);
    build_time(o);
}
