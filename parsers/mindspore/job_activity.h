/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each stream of a device did last, from the starts and ends of tasks in HWTS records: for runs that
 * ended in the middle of something (doc/formats/mindspore1.md#hwts, #damaged-data). A stream runs its tasks
 * one after another, so a start without its end at the end of the data is a task that was running; but one
 * begun before records were lost may have ended in the gap: its state is unknown. {0} at first. Not
 * thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_JOB_ACTIVITY_H
#define NPUSCOPE_PARSERS_MINDSPORE_JOB_ACTIVITY_H

#include "parsers/mindspore/job_tasks.h"
#include "parsers/mindspore/records/hwts_records.h"

struct job_stream;
struct job_activity {
    struct intern *ids;
    struct job_stream *v; /* by id of the stream */
    size_t cap;
    uint32_t at; /* of the previous record: streams come in runs */
};

/*
 * A start or an end of a task, in the order of the records; task: of job_tasks_next(), or JOB_NO_TASK.
 * Errors: ERR_NOMEM.
 */
NODISCARD int job_activity_add(struct job_activity *a, const struct hwts_record *r, uint32_t task,
                               struct err *e);
/* Records were lost here. */
void job_activity_gap(struct job_activity *a);
/* A row of last_activity for each stream. Errors: those of the sink. */
NODISCARD int job_activity_write(const struct job_activity *a, struct group_ctx *g, const struct job_tasks *t,
                                 struct err *e);
void job_activity_done(struct job_activity *a);

#endif
