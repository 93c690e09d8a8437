/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AI CPU tasks of a raw job of MindSpore 1.x: the table aicpu_exec, as aicpu_intermediate_N.csv has it
 * (doc/formats/mindspore1.md#aicpu_intermediate).
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_JOB_AICPU_H
#define NPUSCOPE_PARSERS_MINDSPORE_JOB_AICPU_H

#include "parsers/mindspore/job_tasks.h"

/* Errors: those of the sink, ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int job_aicpu_read(struct group_ctx *g, const struct job_tasks *t, struct err *e);

#endif
