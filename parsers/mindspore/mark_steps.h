/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps from step marks (doc/formats/mindspore1.md#step_trace_raw): a step ends with its end mark and begins
 * where the one before ended, the first one with its forward start. What lies across a missing slice of marks
 * is no step: it is left out, and numbers go on with the next end. MindSpore's analysis differs from that by
 * the rules, in some by version. Pure.
 */
#ifndef NPUSCOPE_PARSERS_MINDSPORE_MARK_STEPS_H
#define NPUSCOPE_PARSERS_MINDSPORE_MARK_STEPS_H

#include "parsers/mindspore/records/mark_records.h"

struct step_rules {
    bool no_gaps;       /* slices that are missing make no difference */
    bool end_has_time;  /* an end mark without a time ends nothing */
    bool waits_for_job; /* after its end a step waits for the next mark of the job, as before the first one */
    bool slice_begins;  /* a step's start is unknown at the beginning of a slice */
    bool slice_clears;  /* communication marks before a slice are dropped */
    bool first_stream_first; /* pairs in order of the streams' first marks, else of their numbers */
};

/* A mark at a communication op. */
struct step_comm {
    uint32_t stream, task;
    uint64_t tag, ticks;
    uint32_t order; /* among the step's */
    uint32_t group; /* steps_each_pair(): of its stream */
    bool first;
    struct where where;
};

struct steps { /* {0} with the rules at first; steps_done() */
    struct step_rules rules;
    bool skip_first;
    int64_t number; /* of the step that steps_add() gave last */
    bool has_start, has_fp, has_bp, has_end, begun;
    uint64_t start_ticks, fp_ticks, bp_ticks, end_ticks; /* of 10 ns; valid until the next call */
    struct step_comm *comms;                             /* in order of the marks */
    size_t n_comms, cap;
    bool full; /* a step had more than STEP_COMMS */
    bool given, in_job;
    uint32_t slice;     /* source of the last mark */
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
/*
 * The marks of each stream in pairs, no from 0 on in each; an odd number of them gives nothing, except in a
 * step that is not whole, where the last op has not ended. Not OK ends the walk with that error (e is set).
 */
typedef int step_pair_fn(void *arg, const struct step_comm *a, const struct step_comm *b, uint32_t no,
                         struct err *e);
NODISCARD int steps_each_pair(struct steps *s, step_pair_fn *fn, void *arg, struct err *e);
/* By their tags the two are about one op; from r1.8 on the op itself must be the same instead. */
bool step_tags_pair(const struct step_comm *a, const struct step_comm *b);
/* Free what s holds; it is as at first then, without rules. */
void steps_done(struct steps *s);

/* Ops by the tags of marks (doc/formats/mindspore1.md#framework-text). {0} at first. */
struct step_points {
    struct intern *tags;
    uint32_t *op; /* by number of the tag */
    size_t cap;
};
#define STEP_NO_POINT UINT32_MAX
/* op: what the caller knows of it. A tag put twice has the last op. Errors: ERR_NOMEM. */
NODISCARD int step_points_put(struct step_points *p, uint64_t tag, uint32_t op, struct err *e);
/* STEP_NO_POINT: the tag has none. */
uint32_t step_points_find(const struct step_points *p, uint64_t tag);
void step_points_done(struct step_points *p);

#endif
