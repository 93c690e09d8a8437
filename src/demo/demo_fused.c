/* SPDX-License-Identifier: Apache-2.0 */
/* Fused ops of the synthetic networks. */
#include "config.h"

#include "demo/demo_fused.h"

#include <stdio.h>
#include <string.h>

static const struct fusion {
    const char *type;
    const char *of[DEMO_FUSED_MAX];
} fusions[] = {
    { "ApplyMomentum", { "Mul", "AddN", "ApplyMomentum" } },
    { "AdamApplyOneWithDecay", { "Mul", "Square", "Add", "Sqrt", "RealDiv", "Sub" } },
    { "Gelu", { "Pow", "Mul", "Add", "Tanh" } },
    { "LayerNorm", { "ReduceMean", "Sub", "Square", "Add", "Rsqrt", "Mul" } },
    { "SparseSoftmaxCrossEntropy", { "LogSoftmax", "OneHot", "Mul", "ReduceSum" } },
};

bool demo_fused(const struct demo_op *op, struct demo_fused *out)
{
    const char *type = demo_op_type(op)->name;
    size_t i = 0;
    while (i < ARRAY_LEN(fusions) && strcmp(fusions[i].type, type))
        i++;
    if (i == ARRAY_LEN(fusions))
        return false;
    *out = (struct demo_fused){ .type = fusions[i].of };
    while (out->n < DEMO_FUSED_MAX && out->type[out->n])
        out->n++;
    for (int k = 0; k < op->nin + op->nout; k++)
        *(k < op->nin ? &out->in_b : &out->out_b) += demo_tensor_bytes(&op->t[k]);
    return true;
}

char *demo_fused_name(const struct demo_op *op, const struct demo_fused *f, uint32_t i, char *buf, size_t n)
{
    const char *number = strrchr(op->leaf, '-');
    snprintf(buf, n, "%s%s", f->type[i], number ? number : "");
    return buf;
}
