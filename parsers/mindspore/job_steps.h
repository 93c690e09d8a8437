/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of a raw job of MindSpore 1.x: the tables step and step_part from the step marks, with the names of
 * communication ops from the point file or from the tasks around a mark's own
 * (doc/formats/mindspore1.md#step_trace_raw). Communication that the end of the data cut is a row of
 * last_activity.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_JOB_STEPS_H
#define NPUSCOPE_PARSERS_MINDSPORE_JOB_STEPS_H

#include "parsers/mindspore/job_tasks.h"

/* Errors: those of the sink, ERR_NOMEM, ERR_CANCELLED. */
NODISCARD int job_steps_read(struct group_ctx *g, const struct job_tasks *t, struct err *e);

#endif
