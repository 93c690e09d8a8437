/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FLOPs of the ops of a raw job of MindSpore 1.x from the AI Core counters: the table op_flops
 * (doc/formats/mindspore1.md#flops).
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_JOB_FLOPS_H
#define NPUSCOPE_PARSERS_MINDSPORE_JOB_FLOPS_H

#include "parsers/mindspore/job_tasks.h"

/* Executions of the ops of one name: job_tasks_name_no(). */
struct job_mean {
    uint64_t n;
    int64_t total_ns;
};

/*
 * One row per name, from its first record; names without an execution have none. Rate and use are upstream's
 * up to 2.0.0a0: both units together over the mean time, and of the cube unit's peak. Errors: those of the
 * sink, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int job_flops_read(struct group_ctx *g, const struct job_tasks *t, const struct job_mean *means,
                             struct err *e);

#endif
