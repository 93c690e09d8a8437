/* SPDX-License-Identifier: Apache-2.0 */
/* Forward ops of torch_npu and their backward ops (doc/formats/framework.md#torch_npu-trace_view). */
#ifndef NPUSCOPE_OFFLINE_TORCH_PASSES_H
#define NPUSCOPE_OFFLINE_TORCH_PASSES_H

#include "offline/run.h"

/* From the latest forward to the latest backward op of a sequence number, where they have other threads. */
struct torch_pass {
    uint64_t sequence;
    uint32_t forward, backward; /* ranges */
};
/*
 * Sequence numbers in order of their first appearance. *v is an array of the run's pool, which spool_free()
 * ends, also after an error. Errors: ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int torch_passes(struct offline_run *r, struct torch_pass **v, size_t *n, struct err *e);

#endif
