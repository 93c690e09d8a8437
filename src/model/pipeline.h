/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What limits a data pipeline: the part that has a full queue before it and an empty one after it
 * (doc/screens.md#data). Not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_PIPELINE_H
#define NPUSCOPE_MODEL_PIPELINE_H

#include "model/view/view.h"

/*
 * Append one sentence without its full stop: which part limits, with its figures, or that none stands out,
 * and why; nothing where the run has no queues of a pipeline. Errors: ERR_NOMEM, ERR_IO, ERR_CANCELLED.
 */
NODISCARD int pipeline_verdict(struct buf *out, const struct view_part *part, struct err *e);

#endif
