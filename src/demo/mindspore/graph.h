/*
 * Generation 1: the tasks of the graph in launch order, with the profiling ops that MindSpore puts
 * beside the ops it wants the time of (gen1-raw.md 5.5, 7.7).
 *
 * The name of the op that a mark is about follows from its place: the task behind it for "before"
 * marks, the task in front of it for "after" marks. One graph for all ranks; the caller owns it.
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_GRAPH_H
#define NPUSCOPE_DEMO_MINDSPORE_GRAPH_H

#include "base/str.h"
#include "demo/demo_net.h"

#define GEN1_GRAPH_ID 1

enum gen1_task_kind { GEN1_TASK_OP, GEN1_TASK_COMM, GEN1_TASK_MARK };
/* Tags of the marks; communication op c has GEN1_TAG_COMM + 2 c before and one more behind it. */
enum gen1_tag {
    GEN1_TAG_START,
    GEN1_TAG_MODEL_END,
    GEN1_TAG_FP,
    GEN1_TAG_BP,
    GEN1_TAG_END,
    GEN1_TAG_COMM = 10000
};

struct gen1_task {
    uint8_t kind;
    uint16_t tag; /* of a mark */
    uint32_t i;   /* index of the op or the communication op; of a mark: the number in its name */
    uint32_t stream, task;
};

struct gen1_graph {
    struct gen1_task *task; /* task[i].task is i + 2 */
    uint32_t n;
    uint32_t *of_op, *of_comm; /* place of an op; marks lie beside it */
    uint32_t fp, bp;           /* places of marks; start: fp - 1, end: n - 2, end of model: n - 1 */
};

NODISCARD int gen1_graph_new(struct gen1_graph *g, const struct demo_net *n, struct err *e);
void gen1_graph_done(struct gen1_graph *g);

struct gen1_task_text {
    struct str name, leaf, type;
    char buf[40];
};
/* Texts of a task, valid as long as t and the network. */
void gen1_task_text(const struct demo_net *n, const struct gen1_task *k, struct gen1_task_text *t);

#endif
