/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MindSpore 1.x: overlap of computing and communication step by step, in doubles of ms like MindSpore's
 * analysis (doc/formats/mindspore1.md#overlap-rows), and the file of sums per step.
 *
 * The intervals of a step never touch those of another one. A gap between two steps belongs to the later one.
 * The caller owns struct analysed_overlap, which is zeroed at first.
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_OVERLAP_H
#define NPUSCOPE_DEMO_MINDSPORE_OVERLAP_H

#include "demo/mindspore/analysed.h"

struct analysed_span {
    double start, end; /* ms */
};
struct analysed_spans {
    struct analysed_span *v;
    uint32_t n, cap;
};

struct analysed_overlap {
    struct analysed_spans computing, communication, all; /* of the step; add in order of their starts */
    struct analysed_spans alone, free;                   /* analysed_overlap_step() fills these */
    bool failed;                                         /* no memory */
    /* private */
    double busy_end; /* of the step before; 0: none */
    double *step_dur, *step_end, *sum;
    uint32_t nstep, cap, now; /* steps so far; the step that intervals now count for */
};

void analysed_overlap_begin(struct analysed_overlap *o); /* of a step */
/* Add an interval; touching ones become one. */
void analysed_overlap_add(struct analysed_overlap *o, struct analysed_spans *s, double start, double dur);
/* Call when all intervals of a step were added. start, dur: of the step's row in the timeline. */
void analysed_overlap_step(struct analysed_overlap *o, bool last, double start, double dur);
/* Writes ascend_cluster_analyse; after the last step. */
NODISCARD int analysed_overlap_write(const struct analysed_overlap *o, struct analysed *g, struct err *e);
void analysed_overlap_done(struct analysed_overlap *o);

#endif
