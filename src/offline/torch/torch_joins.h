/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops of torch_npu and the kernels they launched, as its own analysis joins them
 * (doc/formats/framework.md#torch_npu-joins): one tree of ops over all threads, ids that lead to kernels, and
 * the windows of steps. Made once, by the first output that needs it. Not thread-safe.
 *
 * An id is the correlation of a task of the queue; without a queue the time of the call that launched, in ns.
 */
#ifndef NPUSCOPE_OFFLINE_TORCH_JOINS_H
#define NPUSCOPE_OFFLINE_TORCH_JOINS_H

#include "offline/trace/timeline.h"
#include "parsers/framework/join.h"

/* A launch of an op itself, not of one below it. */
struct torch_self {
    uint32_t op; /* range */
    uint32_t at; /* its place in time, or as the kernels are met */
    uint64_t id;
};
struct torch_kernel {
    uint64_t id;
    uint32_t link; /* of the timeline */
};
/* A step with kernels. */
struct torch_step {
    struct str id; /* what follows the '#' */
    uint32_t op;   /* range of the mark */
    int64_t from, to;
};

struct torch_joins {
    struct framework_joins queue; /* queue.queued: tasks, in order of their ends */
    uint32_t *op;                 /* ranges by start */
    uint32_t *above;              /* by range: the op around it, OFFLINE_NONE: none */
    size_t n_ops;
    /* of a queue by op in order of start, then in time; else as their kernels are met in msprof's timeline */
    struct torch_self *self;
    size_t n_self, cap_self;
    struct torch_kernel *kernel; /* by id, then by time of the call */
    size_t n_kernels;
    struct torch_step *step;
    size_t n_steps, cap_steps;
    bool ascend;    /* steps begin and end in order */
    bool has_queue; /* tasks were taken out of it */
};

/* *out is borrowed from the run. Errors: ERR_NOMEM, ERR_LIMIT, ERR_IO, ERR_CANCELLED. */
NODISCARD int torch_joins(struct offline_run *r, const struct torch_joins **out, struct err *e);
void torch_joins_done(struct offline_run *r);
/*
 * Steps of which one may cover an instant (ns, give or take 1000) are [*from, *to): a few, but all when steps
 * are not in order.
 */
void torch_steps_around(const struct torch_joins *j, int64_t ns, size_t *from, size_t *to);
/* The kernels of an id: *n of them from this one on. */
const struct torch_kernel *torch_kernels_of(const struct torch_joins *j, uint64_t id, size_t *n);

#endif
