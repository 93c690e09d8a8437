/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication ops of a job's profiles that nobody leaves before all have come: by them the clocks of
 * servers are compared (doc/formats/logs.md#skew).
 */
#ifndef NPUSCOPE_JOB_MET_H
#define NPUSCOPE_JOB_MET_H

#include "analysis/ending.h"
#include "logs/logs.h"

#define MET_OPS 512 /* of a rank, its last ones */

struct job_mets {
    struct log_met *v; /* freed by who made them */
    size_t n, room;
};
/*
 * Add those of a rank of a store; its clock must be Unix time. placed: also those whose clock was lost and
 * placed anew (doc/store.md#marks). Errors: ERR_NOMEM, those of the store.
 */
NODISCARD int job_met_rank(struct job_mets *m, struct store *s, int rank, bool placed, struct err *e);
/*
 * The last whole ones of each rank of x whose store is loaded and whose clock is Unix time. *out is the
 * caller's. Errors: ERR_NOMEM, those of the stores.
 */
NODISCARD int job_met_read(struct log_met **out, size_t *n, struct session *s, const struct ending *x,
                           struct err *e);

#endif
