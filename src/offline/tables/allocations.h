/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lifetimes and owners of allocations as the analyses of the framework find them
 * (doc/formats/framework.md#operator_memory, #torch_npu-operator_memory); parsers/framework/memory.h has them
 * as they are. Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_ALLOCATIONS_H
#define NPUSCOPE_OFFLINE_ALLOCATIONS_H

#include "offline/torch/torch_joins.h"
#include "parsers/framework/memory.h"
#include "parsers/read/u64map.h"

/*
 * MindSpore's pairs of allocation and release: of two allocations of an address one after the other the first
 * is lost, and a release without allocation ends the next one before it began. Errors: ERR_NOMEM.
 */
NODISCARD int offline_pair_mindspore(struct framework_memory *m, struct err *e);

/*
 * The ops of torch_npu by thread, and its queue, for owners: asked in order of the allocations. Owned arrays
 * of the pool; offline_owners_done() is allowed after a failure.
 */
struct offline_owners {
    const struct framework *f;
    const struct torch_joins *j;
    struct offline_owner_thread {
        uint64_t thread;
        size_t from, to;     /* of its ops in op, by start */
        size_t taken, after; /* of what it takes out of the queue in queue */
        int64_t last;        /* latest time at which a task that it put in was asked for */
    } * thread;
    size_t n_threads, cap_threads;
    struct u64map rows; /* by thread: 1 + its index */
    uint32_t *op, *queue;
    size_t n_ops;
};
NODISCARD int offline_owners_new(struct offline_owners *w, const struct framework *f,
                                 const struct torch_joins *j, struct err *e);
void offline_owners_done(struct offline_owners *w);
/* The range whose name torch_npu prints, FRAMEWORK_NONE: it prints none. */
uint32_t offline_owner(struct offline_owners *w, const struct framework_memory_event *x);

#endif
