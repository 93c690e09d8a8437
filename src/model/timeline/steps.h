/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start and end of the steps of a rank: from table step; where that has no times (analysed files of MindSpore
 * 2.x and torch_npu), from the events that profilers put around a step on the host, named "ProfilerStep#17".
 * Times are ns as stored.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_STEPS_H
#define NPUSCOPE_MODEL_TIMELINE_STEPS_H

#include "model/timeline/timeline.h"

struct step_span {
    int64_t step, from_ns, to_ns; /* [from, to); to INT64_MAX: it has no end */
};

struct step_list {
    struct step_span *p; /* by start */
    size_t n;
};

/*
 * Owned by the caller, freed with steps_free(). No steps with times: n is 0. Errors: ERR_NOMEM, ERR_IO,
 * ERR_FORMAT.
 */
NODISCARD int steps_load(struct step_list *out, struct store *s, int rank, struct timeline *t, struct err *e);
void steps_free(struct step_list *l);

/* The step that goes on at ts; the one with this number; the latest one that begins before ts. NULL: none. */
const struct step_span *steps_at(const struct step_list *l, int64_t ts);
const struct step_span *steps_numbered(const struct step_list *l, int64_t step);
const struct step_span *steps_before(const struct step_list *l, int64_t ts);

#endif
