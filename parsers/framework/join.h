/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which range of the framework launched a kernel: ranges nested within each other, runs of the task queue,
 * and for a call that launches the range it was made in (doc/formats/framework.md#kernel-links,
 * #torch_npu-joins). Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_JOIN_H
#define NPUSCOPE_PARSERS_FRAMEWORK_JOIN_H

#include "parsers/framework/framework.h"

/* A task of the queue, put in or taken out. */
struct framework_queued {
    int64_t from, to;
    uint64_t correlation, thread;
    uint32_t name, line;
    uint32_t range; /* of one put in: the range that did it, FRAMEWORK_NONE: none */
    bool put;
};

/* Owned arrays of the pool of f; framework_joins_done() is allowed after a failure. */
struct framework_joins {
    const struct framework *f;
    uint32_t *order; /* ranges by thread and start, outer ones first */
    uint32_t *above; /* of each range: the one around it on its thread, FRAMEWORK_NONE: none */
    size_t n_deep;   /* ranges below LIM_FRAMEWORK_DEPTH others: beside the last of these, not in it */
    struct framework_queued *queued; /* those put in in order of their ends, then those taken out */
    size_t n_queued, n_put, cap_queued;
    uint32_t *by_start; /* of those taken out, counted from n_put */
    /* those put in, and those taken out, by correlation */
    struct framework_correlated {
        uint64_t id;
        uint32_t queued;
    } * put, *taken;
    uint32_t *launch; /* ranges that launch, by thread and start */
    size_t n_launch;
    /* of torch_npu: ops of all threads by start, and the one around each, whatever its thread */
    uint32_t *all, *around;
    size_t n_all;
};
/* Errors: ERR_NOMEM, ERR_LIMIT. */
NODISCARD int framework_join(struct framework_joins *j, const struct framework *f, struct err *e);
void framework_joins_done(struct framework_joins *j);
/* The innermost op (or step mark) of a thread around an instant, FRAMEWORK_NONE: none. Of torch_npu. */
uint32_t framework_op_around(const struct framework_joins *j, uint64_t thread, int64_t at);
/* Who put in the task that a thread was taking out at an instant; NULL: it was taking out none. */
const struct framework_queued *framework_put_for(const struct framework_joins *j, uint64_t thread,
                                                 int64_t at);
/* The same whatever the thread: threads take out in turn. */
const struct framework_queued *framework_put_at(const struct framework_joins *j, int64_t at);
/* What was put in under a correlation id, the last one; NULL: nothing. */
const struct framework_queued *framework_put_of(const struct framework_joins *j, uint64_t correlation);
/* Text: the name of what was taken out of the queue for one put in, FRAMEWORK_NONE: it never was. */
uint32_t framework_taken_name(const struct framework_joins *j, const struct framework_queued *put);
/*
 * The range that launched by a call of a thread at this time, FRAMEWORK_NONE: none is known. Of MindSpore the
 * outermost launching range of the thread around it; of torch_npu the one that put the task into the queue
 * which was being taken out then; without a queue the innermost one around it, of the thread or (where the
 * framework recorded nothing on it) of any.
 */
uint32_t framework_launcher(const struct framework_joins *j, uint64_t thread, int64_t at);

#endif
