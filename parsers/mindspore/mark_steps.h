/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps from step marks (doc/formats/mindspore1.md#step_trace_raw): a step ends with its end mark and begins
 * where the one before ended, the first one with its forward start. What lies across a missing slice of marks
 * is no step: it is left out, and numbers go on with the next end. Pure.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_MARK_STEPS_H
#define NPUSCOPE_PARSERS_MINDSPORE_MARK_STEPS_H

#include "parsers/mindspore/mark_records.h"

/* A mark at a communication op. */
struct step_comm {
    uint32_t stream, task;
    uint64_t tag, ticks;
    uint32_t order; /* among the step's */
    bool first;
    struct where where;
};

struct steps { /* {0} at first; steps_done() */
    bool skip_first;
    int64_t number; /* of the step that steps_add() gave last */
    bool has_start, has_fp, has_bp, has_end, begun;
    uint64_t start_ticks, fp_ticks, bp_ticks, end_ticks; /* of 10 ns; valid until the next call */
    struct step_comm *comms;                             /* in order of the marks */
    size_t n_comms, cap;
    bool given;
    struct where where; /* of the step's first mark */
};

#define STEP_COMMS ((size_t)1 << 20)
/*
 * true: m ends a step; s describes it when it has all its marks (steps_whole), numbered from 1 on whether it
 * has or not. Marks of one step are kept, up to STEP_COMMS at communication ops. Errors: ERR_NOMEM (false).
 */
bool steps_add(struct steps *s, const struct step_mark *m, struct err *e);
/* The step has its forward start, its backward end and its end. */
bool steps_whole(const struct steps *s);
/* At the end of all: true, a step was begun and not ended. It has the next number. */
bool steps_cut(struct steps *s);
/* Free what s holds; it is as at first then. */
void steps_done(struct steps *s);

#endif
