/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: memory of the graph by node (doc/formats/mindspore1.md#memory_usage_summary). GB is 2^30
 * bytes; a node is an op in launch order.
 */
#include "config.h"

#include <stdlib.h>

#include "demo/mindspore/analysed.h"

#define GB        1073741824.0
#define NODES_MAX 2000 /* above: every (n / NODES_MAX)-th */

struct usage {
    double *line; /* GB alive at each node, static memory included */
    double static_gb, peak_gb;
    uint64_t tensors;
};

uint64_t analysed_mem_bytes(const struct demo_tensor *t)
{
    return (demo_tensor_bytes(t) + 511) / 512 * 512;
}

/* Outputs of the optimizer are updates in place. */
int analysed_mem_outputs(const struct demo_op *op)
{
    return op->phase == DEMO_OPT ? 0 : op->nout;
}

static int build_usage(struct usage *u, const struct demo_net *n, struct err *e)
{
    uint64_t alive = 0, *freed = calloc((size_t)n->nop + 1, sizeof *freed);
    u->line = calloc(n->nop, sizeof *u->line);
    if (!u->line || !freed) {
        free(freed);
        return err_nomem(e);
    }
    u->static_gb = (double)n->param_b / GB;
    for (uint32_t i = 0; i < n->nop; i++) {
        const struct demo_op *op = &n->op[i];
        alive -= freed[i];
        for (int j = 0; j < analysed_mem_outputs(op); j++) {
            uint64_t b = analysed_mem_bytes(&op->t[op->nin + j]);
            alive += b;
            freed[(op->freed_by > i ? op->freed_by : i) + 1] += b;
            u->tensors++;
        }
        u->line[i] = u->static_gb + (double)alive / GB;
        u->peak_gb = u->line[i] > u->peak_gb ? u->line[i] : u->peak_gb;
    }
    free(freed);
    return OK;
}

static void put_tensors(struct emit *o, const struct demo_tensor *t, int n)
{
    emit_c(o, '[');
    for (int i = 0; i < n; i++) {
        emit_s(o, i ? ", " : "");
        analysed_put_tensor(o, &t[i], "\"");
    }
    emit_c(o, ']');
}

static void put_node(const struct analysed *g, struct emit *o, const struct usage *u, uint32_t i)
{
    const struct demo_op *op = &g->run->net->op[i];
    bool known = analysed_on_core(g, i); /* names come from the list of AI Core ops; others are not in it */
    uint64_t size = 0;
    for (int j = 0; j < analysed_mem_outputs(op); j++)
        size += analysed_mem_bytes(&op->t[op->nin + j]);
    emit_fmt(o,
             "%s{\"name\": \"%s\", \"fullname\": \"%s\", \"node_id\": %u, \"allocations\": %d, "
             "\"size\": ",
             i ? ", " : "", op->leaf, known ? op->name : "", i, analysed_mem_outputs(op));
    if (size)
        emit_repr(o, (double)size / GB);
    else
        emit_c(o, '0'); /* an empty sum is the integer 0 */
    emit_fmt(o, ", \"allocated\": %r, \"inputs\": ", u->line[i] - (i ? u->line[i - 1] : u->static_gb));
    put_tensors(o, op->t, known ? op->nin : 0);
    emit_s(o, ", \"outputs\": ");
    put_tensors(o, op->t + op->nin, known ? op->nout : 0);
    emit_c(o, '}');
}

/* Tensors that are alive at node 0: the outputs of the data fetch. */
static void put_breakdown(const struct analysed *g, struct emit *o)
{
    const struct demo_op *op = &g->run->net->op[0];
    emit_s(o, "[[");
    for (int j = 0; j < op->nout; j++)
        emit_fmt(o,
                 "%s{\"tensor_name\": \"%s:%d\", \"tensor_id\": %d, \"size\": %r, \"type\": "
                 "\"output\", \"shape\": null, \"format\": null, "
                 "\"data_type\": null, \"life_long\": \"LifeLongNone\", \"life_start\": 0, "
                 "\"life_end\": %u}",
                 j ? ", " : "", op->leaf, j, j + 1, (double)analysed_mem_bytes(&op->t[op->nin + j]) / GB,
                 op->freed_by);
    emit_s(o, "]]");
}

static int details(struct analysed *g, const struct usage *u, struct err *e)
{
    const struct demo_net *n = g->run->net;
    struct emit *o;
    uint32_t stride = n->nop > NODES_MAX ? n->nop / NODES_MAX : 1;
    if (analysed_open(g, &o, "memory_usage_details_", ".json", e))
        return e->code;
    emit_fmt(o, "{\"%d\": {\"graph_id\": %d, \"static_mem\": %r, \"nodes\": [", ANALYSED_GRAPH_ID,
             ANALYSED_GRAPH_ID, u->static_gb);
    for (uint32_t i = 0; i < n->nop; i += stride)
        put_node(g, o, u, i);
    emit_fmt(o, "], \"fp_start\": %u, \"bp_end\": %u, \"lines\": [", n->fp_first, n->bp_last);
    for (uint32_t i = 0; i < n->nop; i += stride)
        emit_fmt(o, "%s%r", i ? ", " : "", u->line[i]);
    emit_s(o, "], \"breakdowns\": ");
    put_breakdown(g, o);
    emit_s(o, "}}");
    return emit_close(o, &g->count, e);
}

static int summary(struct analysed *g, const struct usage *u, struct err *e)
{
    struct emit *o;
    if (analysed_open(g, &o, "memory_usage_summary_", ".json", e))
        return e->code;
    emit_fmt(o,
             "{\"capacity\": %r, \"allocations\": %U, \"deallocations\": %U, \"peak_mem\": %r, "
             "\"static_mem\": %r}",
             (double)ANALYSED_CAPACITY_GB, u->tensors, u->tensors, u->peak_gb, u->static_gb);
    return emit_close(o, &g->count, e);
}

int analysed_memory(struct analysed *g, struct err *e)
{
    struct usage u = { .line = NULL };
    if (!build_usage(&u, g->run->net, e) && !details(g, &u, e) && summary(g, &u, e))
        goto out;
out:
    free(u.line);
    return e->code;
}
