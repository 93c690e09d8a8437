/* SPDX-License-Identifier: Apache-2.0 */
/* MindSpore 1.x: tasks of the graph. */
#include "config.h"

#include "demo/mindspore/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo/demo_run.h"

#define FIRST_TASK 2

struct adder {
    struct analysed_graph *g;
    uint32_t id; /* of the next profiling op */
};

static void add(struct analysed_graph *g, enum analysed_task_kind kind, uint16_t tag, uint32_t i,
                uint32_t stream)
{
    g->task[g->n] = (struct analysed_task){ (uint8_t)kind, tag, i, stream, g->n + FIRST_TASK };
    g->n++;
}

static void add_mark(struct adder *a, uint32_t tag, uint32_t stream)
{
    add(a->g, ANALYSED_TASK_MARK, (uint16_t)tag, a->id++, stream);
}

static void add_comm(struct adder *a, uint32_t c)
{
    add_mark(a, ANALYSED_TAG_COMM + 2 * c, DEMO_STREAM_HCCL);
    a->g->of_comm[c] = a->g->n;
    add(a->g, ANALYSED_TASK_COMM, 0, c, DEMO_STREAM_HCCL);
    add_mark(a, ANALYSED_TAG_COMM + 2 * c + 1, DEMO_STREAM_HCCL);
}

int analysed_graph_new(struct analysed_graph *g, const struct demo_net *n, struct err *e)
{
    struct adder a = { g, n->next_id };
    uint32_t c = 0;
    memset(g, 0, sizeof *g);
    g->task = calloc((size_t)n->nop + (size_t)n->ncomm * 3 + 5, sizeof *g->task);
    g->of_op = calloc(n->nop, sizeof *g->of_op);
    g->of_comm = calloc((size_t)n->ncomm + 1, sizeof *g->of_comm);
    if (!g->task || !g->of_op || !g->of_comm) {
        analysed_graph_done(g);
        return err_nomem(e);
    }
    for (uint32_t i = 0; i < n->nop; i++) {
        if (i == n->fp_first) {
            add_mark(&a, ANALYSED_TAG_START, DEMO_STREAM_MAIN);
            g->fp = g->n;
            add_mark(&a, ANALYSED_TAG_FP, DEMO_STREAM_MAIN);
        }
        g->of_op[i] = g->n;
        add(g, ANALYSED_TASK_OP, 0, i, n->op[i].stream);
        if (i == n->bp_last) {
            g->bp = g->n;
            add_mark(&a, ANALYSED_TAG_BP, DEMO_STREAM_MAIN);
        }
        for (; c < n->ncomm && n->comm[c].after == i; c++)
            add_comm(&a, c);
    }
    add_mark(&a, ANALYSED_TAG_END, DEMO_STREAM_MAIN);
    add_mark(&a, ANALYSED_TAG_MODEL_END, DEMO_STREAM_MAIN);
    return OK;
}

void analysed_graph_done(struct analysed_graph *g)
{
    free(g->task);
    free(g->of_op);
    free(g->of_comm);
    memset(g, 0, sizeof *g);
}

void analysed_task_text(const struct demo_net *n, const struct analysed_task *k, struct analysed_task_text *t)
{
    switch ((enum analysed_task_kind)k->kind) {
    case ANALYSED_TASK_OP:
        t->name = str_of(n->op[k->i].name);
        t->leaf = str_of(n->op[k->i].leaf);
        t->type = str_of(demo_op_type(&n->op[k->i])->name);
        return;
    case ANALYSED_TASK_COMM:
        t->name = str_of(n->comm[k->i].name);
        t->leaf = str_of(n->comm[k->i].leaf);
        break;
    case ANALYSED_TASK_MARK:
        snprintf(t->buf, sizeof t->buf, "Default/Profiling-op%u", (unsigned)k->i);
        t->name = str_of(t->buf);
        t->leaf = str_sub(t->name, sizeof "Default/" - 1, SIZE_MAX);
        break;
    }
    t->type = str_sub(t->leaf, 0, str_chr(t->leaf, '-'));
}
