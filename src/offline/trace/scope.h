/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scope layer of trace_view.json: parts of the network over time (doc/formats/framework.md#scope-layer).
 * Kernels are added while msprof's timeline is read, the layer is made at its end. Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_SCOPE_H
#define NPUSCOPE_OFFLINE_SCOPE_H

#include "offline/trace/timeline.h"

NODISCARD int scope_new(struct scope **out, struct offline_run *r, struct err *e);
void scope_free(struct scope *s);
/* link: that ends at the event, OFFLINE_NONE: none does. ERR_NOMEM. */
NODISCARD int scope_add_kernel(struct scope *s, const struct offline_event *ev, uint32_t link, struct err *e);
/*
 * Write the layer's events, each after ", " (*more: something was written before). After all kernels were
 * added. ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int scope_write(struct scope *s, const struct offline_timeline *t, struct emit *o, bool *more,
                          struct err *e);

#endif
