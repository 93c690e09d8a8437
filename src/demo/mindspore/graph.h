/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: the tasks of the graph in launch order, with the profiling ops that MindSpore inserts before
 * and after the ops that it measures (doc/formats/mindspore1.md#ts_track, #step_trace_raw).
 *
 * The op of a mark follows from the mark's position: the next task for "before" marks, the previous task for
 * "after" marks. One graph for all ranks; the caller owns it.
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_GRAPH_H
#define NPUSCOPE_DEMO_MINDSPORE_GRAPH_H

#include "base/str.h"
#include "demo/demo_net.h"

#define ANALYSED_GRAPH_ID 1

enum analysed_task_kind { ANALYSED_TASK_OP, ANALYSED_TASK_COMM, ANALYSED_TASK_MARK };
/*
 * Tags of the marks; communication op c has ANALYSED_TAG_COMM + 2 c before it, and the next number after it.
 */
enum analysed_tag {
    ANALYSED_TAG_START,
    ANALYSED_TAG_MODEL_END,
    ANALYSED_TAG_FP,
    ANALYSED_TAG_BP,
    ANALYSED_TAG_END,
    ANALYSED_TAG_COMM = 10000
};

struct analysed_task {
    uint8_t kind;
    uint16_t tag; /* of a mark */
    uint32_t i;   /* index of the op or the communication op; of a mark: the number in its name */
    uint32_t stream, task;
};

struct analysed_graph {
    struct analysed_task *task; /* task[i].task is i + 2 */
    uint32_t n;
    uint32_t *of_op, *of_comm; /* index of an op in task; its marks are next to it */
    uint32_t fp, bp;           /* indexes of marks; start: fp - 1, end: n - 2, end of model: n - 1 */
};

NODISCARD int analysed_graph_new(struct analysed_graph *g, const struct demo_net *n, struct err *e);
void analysed_graph_done(struct analysed_graph *g);

struct analysed_task_text {
    struct str name, leaf, type;
    char buf[40];
};
/* Texts of a task, valid as long as t and the network. */
void analysed_task_text(const struct demo_net *n, const struct analysed_task *k,
                        struct analysed_task_text *t);

#endif
