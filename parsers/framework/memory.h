/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocations that the framework recorded (doc/formats/framework.md#memory_usage, #records-of-torch_npu,
 * #layouts-by-release): events, and the lifetimes they make. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_MEMORY_H
#define NPUSCOPE_PARSERS_FRAMEWORK_MEMORY_H

#include "parsers/framework/join.h"

/* The block is free when its streams are done with it: torch_npu records both. */
enum framework_memory_kind { MEMORY_ALLOC, MEMORY_FREE, MEMORY_BLOCK_FREE };
struct framework_memory_event {
    int64_t at;
    uint64_t address, stream, thread;
    int64_t size_b, allocated_b, reserved_b, active_b; /* the last three: of the pool after it, -1: unknown */
    uint32_t owner;                                    /* text, FRAMEWORK_NONE: none is recorded */
    uint32_t line;
    int32_t device;
    enum framework_memory_kind kind;
    bool workspace; /* of torch_npu: not the caching allocator's */
    bool outer;     /* of torch_npu: not of its own allocator: totals count, it has no lifetimes */
};
/* Events by their index, FRAMEWORK_NONE: it did not happen. */
struct framework_allocation {
    uint32_t alloc, release, block_release;
};
struct framework_memory {
    struct framework *f;
    struct framework_memory_event *event; /* in order of the file; array of the pool of f */
    size_t n_events, cap_events;
    struct framework_allocation *allocation; /* by time of the allocation */
    size_t n_allocations, cap_allocations;
};

/* f->clock is set, f is borrowed. framework_memory_done() is allowed after a failure. */
void framework_memory_init(struct framework_memory *m, struct framework *f);
void framework_memory_done(struct framework_memory *m);
/*
 * Read mindspore.memory_usage or torch.memory_usage; of the latter events on NPUs alone. Errors: ERR_FORMAT
 * not such a file; ERR_LIMIT, ERR_IO, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int framework_memory_read(struct framework_memory *m, struct parse_ctx *c, struct err *e);
/*
 * Pair allocations with releases at their address. A second allocation of an address ends nothing: the first
 * one's release was lost. A release without an allocation is passed over. Errors: ERR_NOMEM.
 */
NODISCARD int framework_memory_pair(struct framework_memory *m, struct err *e);
/*
 * The range that allocated, FRAMEWORK_NONE: unknown (doc/formats/framework.md#torch_npu-operator_memory): of
 * its thread the innermost one around it; of a thread that takes tasks out of the queue the op that put the
 * task in.
 */
uint32_t framework_memory_owner(const struct framework_joins *j, const struct framework_memory_event *x);

#endif
