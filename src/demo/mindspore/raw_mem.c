/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raw data of MindSpore 1.x: memory_usage_N.pb, the allocations of each node of the graph
 * (doc/formats/mindspore1.md#memory_usage). Tensors count from 1, nodes from 0.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "demo/mindspore/raw.h"

#define GRAPH_MAX ((size_t)1 << 28)

enum wire { VARINT = 0, BYTES = 2 };
/* Numbers of the fields. */
enum memory_field { MEMORY_GRAPH = 1, MEMORY_TOTAL };
enum graph_field { GRAPH_ID = 1, GRAPH_STATIC, GRAPH_NODE, GRAPH_TENSOR, GRAPH_FP_START, GRAPH_BP_END };
enum node_field { NODE_NAME = 1, NODE_ID, NODE_INPUTS, NODE_OUTPUTS, NODE_WORKSPACE };
enum tensor_field { TENSOR_ID = 1, TENSOR_SIZE, TENSOR_TYPE, TENSOR_START, TENSOR_END, TENSOR_LIFE };

static void add_varint(struct buf *b, uint64_t v)
{
    for (; v > 127; v >>= 7)
        buf_addc(b, (char)(v | 128));
    buf_addc(b, (char)v);
}

/* A number of 0 is left out, as the format demands. */
static void add_number(struct buf *b, int field, uint64_t v)
{
    if (!v)
        return;
    add_varint(b, (uint64_t)field << 3 | VARINT);
    add_varint(b, v);
}

static void add_bytes(struct buf *b, int field, struct str s)
{
    add_varint(b, (uint64_t)field << 3 | BYTES);
    add_varint(b, s.n);
    buf_add(b, s);
}

/* n numbers from first on */
static void add_ids(struct buf *b, struct buf *tmp, int field, uint64_t first, int n)
{
    if (!n)
        return;
    buf_clear(tmp);
    for (int i = 0; i < n; i++)
        add_varint(tmp, first + (uint64_t)i);
    add_bytes(b, field, buf_str(tmp));
}

struct writer {
    struct buf graph, part, ids;
    uint64_t next;   /* number of the next tensor */
    uint64_t before; /* outputs of the op before: first, how many */
    int n_before;
};

/*
 * An op reads the outputs of the op before it; its own outputs are also listed as workspace, as the runtime
 * does.
 */
static void add_node(struct writer *w, const struct demo_op *op, uint32_t i)
{
    int n = analysed_mem_outputs(op);
    buf_clear(&w->part);
    add_bytes(&w->part, NODE_NAME, str_of(op->leaf));
    add_number(&w->part, NODE_ID, i);
    add_ids(&w->part, &w->ids, NODE_INPUTS, w->before, w->n_before);
    add_ids(&w->part, &w->ids, NODE_OUTPUTS, w->next, n);
    add_ids(&w->part, &w->ids, NODE_WORKSPACE, w->next, n);
    add_bytes(&w->graph, GRAPH_NODE, buf_str(&w->part));
    w->before = w->next;
    w->n_before = n;
    w->next += (uint64_t)n;
}

static void add_tensor(struct writer *w, uint64_t id, uint64_t size_b, uint32_t from, uint32_t to)
{
    buf_clear(&w->part);
    add_number(&w->part, TENSOR_ID, id);
    add_number(&w->part, TENSOR_SIZE, size_b);
    add_bytes(&w->part, TENSOR_TYPE, STR("Common"));
    add_number(&w->part, TENSOR_START, from);
    add_number(&w->part, TENSOR_END, to);
    add_bytes(&w->part, TENSOR_LIFE, STR("LifeLongNone"));
    add_bytes(&w->graph, GRAPH_TENSOR, buf_str(&w->part));
}

static void add_graph(struct writer *w, const struct demo_net *n)
{
    uint64_t id = 1;
    add_number(&w->graph, GRAPH_ID, ANALYSED_GRAPH_ID);
    add_number(&w->graph, GRAPH_STATIC, n->param_b);
    for (uint32_t i = 0; i < n->nop; i++)
        add_node(w, &n->op[i], i);
    for (uint32_t i = 0; i < n->nop; i++) {
        const struct demo_op *op = &n->op[i];
        for (int j = 0; j < analysed_mem_outputs(op); j++)
            add_tensor(w, id++, analysed_mem_bytes(&op->t[op->nin + j]), i,
                       op->freed_by > i ? op->freed_by : i);
    }
    add_bytes(&w->graph, GRAPH_FP_START, str_of(n->op[n->fp_first].leaf));
    add_bytes(&w->graph, GRAPH_BP_END, str_of(n->op[n->bp_last].leaf));
}

int raw_memory(struct raw *r, struct err *e)
{
    struct writer w = { .next = 1 };
    struct buf all;
    struct emit *o;
    buf_init(&all, GRAPH_MAX);
    buf_init(&w.graph, GRAPH_MAX);
    buf_init(&w.part, 1 << 16);
    buf_init(&w.ids, 1 << 16);
    add_graph(&w, r->g->run->net);
    add_bytes(&all, MEMORY_GRAPH, buf_str(&w.graph));
    add_number(&all, MEMORY_TOTAL, (uint64_t)ANALYSED_CAPACITY_GB << 30);
    if (buf_failed(&all) || buf_failed(&w.graph) || buf_failed(&w.part) || buf_failed(&w.ids))
        err_nomem(e);
    else if (!analysed_open(r->g, &o, "memory_usage_", ".pb", e)) {
        emit_str(o, buf_str(&all));
        if (emit_close(o, &r->g->count, e))
            goto out;
    }
out:
    buf_done(&all);
    buf_done(&w.graph);
    buf_done(&w.part);
    buf_done(&w.ids);
    return e->code;
}
