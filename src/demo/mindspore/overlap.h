/*
 * Generation 1: overlap of computing and communication step by step, in the doubles of ms that the
 * vendor's analysis works with (gen1-raw.md 8.6), and the file of sums per step.
 *
 * The intervals of a step never touch those of another one. What lies between two steps comes with
 * the later one. The caller owns struct gen1_overlap; zeroed it is new.
 */
#ifndef NPUSCOPE_DEMO_MINDSPORE_OVERLAP_H
#define NPUSCOPE_DEMO_MINDSPORE_OVERLAP_H

#include "demo/mindspore/analysed.h"

struct gen1_span {
    double start, end; /* ms */
};
struct gen1_spans {
    struct gen1_span *v;
    uint32_t n, cap;
};

struct gen1_overlap {
    struct gen1_spans computing, communication, all; /* of the step; add in order of their starts */
    struct gen1_spans alone, free;                   /* gen1_overlap_step() fills these */
    bool failed;                                     /* no memory */
    /* private */
    double busy_end; /* of the step before; 0: none */
    double *step_dur, *step_end, *sum;
    uint32_t nstep, cap, now; /* steps known; the one that intervals count for */
};

void gen1_overlap_begin(struct gen1_overlap *o); /* of a step */
/* Add an interval; touching ones become one. */
void gen1_overlap_add(struct gen1_overlap *o, struct gen1_spans *s, double start, double dur);
/* All intervals of a step are there. start, dur: of its row in the timeline. */
void gen1_overlap_step(struct gen1_overlap *o, bool last, double start, double dur);
/* ascend_cluster_analyse, behind the last step. */
NODISCARD int gen1_overlap_write(const struct gen1_overlap *o, struct gen1 *g, struct err *e);
void gen1_overlap_done(struct gen1_overlap *o);

#endif
