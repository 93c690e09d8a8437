/* SPDX-License-Identifier: Apache-2.0 */
/* MindSpore 2.x: ops that the graph compiler made of several (doc/formats/msprof.md#fusion_op). */
#include "config.h"

#include "demo/ascend_ms/ascend_ms.h"
#include "demo/demo_fused.h"

static void put_op(struct emit *o, const struct demo_op *op, const struct demo_fused *f)
{
    /* There are no weights, and there is no workspace. */
    const uint64_t memory_b[] = { f->in_b, f->out_b, 0, 0, f->in_b + f->out_b };
    char name[96];
    emit_fmt(o, "host,%s,%d,%s,", ASCEND_MODEL_NAME, ASCEND_MODEL_ID, op->leaf);
    for (uint32_t i = 0; i < f->n; i++) {
        emit_s(o, i ? ";" : "");
        emit_s(o, demo_fused_name(op, f, i, name, sizeof name));
    }
    for (size_t i = 0; i < ARRAY_LEN(memory_b); i++) {
        emit_c(o, ',');
        emit_repr(o, (double)memory_b[i] / 1024);
    }
    emit_c(o, '\n');
}

int ascend_fusion(struct ascend *g, struct err *e)
{
    const struct demo_net *n = g->run->net;
    struct demo_fused f;
    struct emit *o;
    char name[64];
    if (emit_open(&o, g->mso, ascend_name(g, "fusion_op", "csv", name, sizeof name), e))
        return e->code;
    emit_s(o, "Device_id,Model Name,Model ID,Fusion Op,Original Ops,Memory Input(KB),Memory Output(KB),"
              "Memory Weight(KB),Memory Workspace(KB),Memory Total(KB)\n");
    for (uint32_t i = 0; i < n->nop; i++)
        if (demo_fused(&n->op[i], &f))
            put_op(o, &n->op[i], &f);
    return emit_close(o, &g->count, e);
}
