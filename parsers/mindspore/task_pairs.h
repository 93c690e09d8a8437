/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executions from starts and ends of tasks (doc/formats/mindspore1.md#hwts, #damaged-data). A stream runs its
 * tasks one after another: the end of a task belongs to the last start on its stream, if that is of the same
 * task. Streams run in parallel; MindSpore's analysis pairs neighbouring records only, which loses executions
 * where streams overlap (doc/formats/mindspore1.md#op-executions): the rule neighbours.
 *
 * Records carry a sequence number; where it jumps records are lost, and what was open then is given up: its
 * end may be that of another execution. Pure but for its memory: an entry for each stream.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_TASK_PAIRS_H
#define NPUSCOPE_PARSERS_MINDSPORE_TASK_PAIRS_H

#include <stdbool.h>

#include "base/str.h"
#include "store/note.h"

/* A start or an end of a task, in the order of the records. */
struct task_pairs_mark {
    uint32_t task; /* what start and end have in common: the number of the task as Framework names it */
    bool end;
    uint64_t ticks;
    uint32_t stream;
    uint16_t id; /* task id as recorded */
    struct where where;
};

struct task_pairs_stream;
struct task_pairs {  /* {0} with the rule at first */
    bool neighbours; /* all streams are one, and a record between start and end parts them */
    struct intern *ids;
    struct task_pairs_stream *v; /* by id of the stream */
    size_t n, cap, at;
    uint64_t unpaired; /* starts and ends without the other, except open ones */
};

void task_pairs_done(struct task_pairs *o);
/* true: m ends the execution that began with *start. Out of memory: false, e is set. */
bool task_pairs_add(struct task_pairs *o, const struct task_pairs_mark *m, struct task_pairs_mark *start,
                    struct err *e);
/* Records were lost here. */
void task_pairs_gap(struct task_pairs *o);
/* Start and duration in ns of an execution, false when they are no instants (damaged counters). */
bool task_pairs_ns(const struct task_pairs_mark *start, const struct task_pairs_mark *end, int64_t *ts_ns,
                   int64_t *dur_ns);

#endif
