/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the timeline: flows of launches, kernels and the ranges of MindSpore that launched them. */
#ifndef NPUSCOPE_OFFLINE_LINKS_H
#define NPUSCOPE_OFFLINE_LINKS_H

#include "offline/trace/timeline.h"

/* Keys to elements of an array: open addressing, grows. All zero before; slots_done() ends it. */
struct slots {
    uint32_t *v; /* index + 1, 0: free */
    size_t n, cap;
};

struct links {
    struct offline_run *r;
    struct offline_timeline *t;
    struct slots by_id, by_kernel;
    uint32_t n_starts, n_ends;
};

void links_done(struct links *l);
/* An end of a flow: the first one of each kind counts. ERR_NOMEM, ERR_LIMIT. */
NODISCARD int links_add(struct links *l, const struct offline_event *ev, struct err *e);
/* After all flows: which range launched each, and an index of kernels. ERR_NOMEM. */
NODISCARD int links_match(struct links *l, struct err *e);
/* A complete event: the last of a place is the kernel of flows that end there. ERR_NOMEM. */
NODISCARD int links_take_kernel(struct links *l, const struct offline_event *ev, struct err *e);
/* After all events: the order of what is linked. ERR_NOMEM. */
NODISCARD int links_order(struct links *l, struct err *e);
/* The first link that ends at this event, OFFLINE_NONE: none does. */
uint32_t links_at(const struct links *l, const struct offline_event *ev);

#endif
