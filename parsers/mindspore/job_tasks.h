/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ops of a raw job of MindSpore 1.x and the tasks they run as: Framework files of both eras
 * (doc/formats/mindspore1.md#framework-text, #framework-records, #framework_raw).
 *
 * Tasks keep the order in which the files first name them; a task named twice takes the last name. Owned by
 * the caller. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_JOB_TASKS_H
#define NPUSCOPE_PARSERS_MINDSPORE_JOB_TASKS_H

#include "parsers/registry.h"

struct job_tasks;

/*
 * Read the Framework members of g and write the table op. Errors: those of the sink, ERR_NOMEM,
 * ERR_CANCELLED. job_tasks_free() is allowed after a failure.
 */
NODISCARD int job_tasks_read(struct job_tasks **out, struct group_ctx *g, struct err *e);
void job_tasks_free(struct job_tasks *t);

#define JOB_NO_TASK UINT32_MAX
uint32_t job_tasks_count(const struct job_tasks *t);
/* Number of a task as Framework and the step marks write it, from 0 on; JOB_NO_TASK: no op has it. */
uint32_t job_tasks_find(const struct job_tasks *t, uint32_t stream, uint64_t task);
/* That of the task right after or before it, in the order of the files; JOB_NO_TASK: there is none. */
uint32_t job_tasks_neighbour(const struct job_tasks *t, uint32_t stream, uint32_t task, bool after);
/*
 * What damage may have made untrue of its op: words of a mark (doc/store.md#marks), NULL: nothing. A name
 * that no dictionary has is hash:NUMBER.
 */
const char *job_tasks_damage(const struct job_tasks *t, uint32_t i);
/* Its op. */
int64_t job_tasks_op(const struct job_tasks *t, uint32_t i);
/* Id of the op's name: sink_intern(). */
uint32_t job_tasks_name_id(const struct job_tasks *t, uint32_t i);
/* Number of the op's name, from 0 to job_tasks_names() - 1. */
uint32_t job_tasks_name_no(const struct job_tasks *t, uint32_t i);
uint32_t job_tasks_names(const struct job_tasks *t);
/* The op's full name, valid until job_tasks_free(). */
struct str job_tasks_name(const struct job_tasks *t, uint32_t i);
/* Framework was binary, of r1.6 or later; of r1.8 or later. */
bool job_tasks_binary(const struct job_tasks *t);
bool job_tasks_since_r18(const struct job_tasks *t);
/* Some tasks are lost: records or files of them are damaged. */
bool job_tasks_lost(const struct job_tasks *t);
/* Whether some op's full name begins so. */
bool job_tasks_any(const struct job_tasks *t, struct str prefix);

/*
 * Task numbers of records may begin anew (struct task_turns): give every record's numbers in order, get the
 * task where it is wanted (i NULL: it is not).
 */
bool job_tasks_turn(const struct job_tasks *t); /* they may do so */
NODISCARD int job_tasks_next(struct job_tasks *t, uint32_t stream, uint32_t task, uint32_t *i, struct err *e);

#endif
