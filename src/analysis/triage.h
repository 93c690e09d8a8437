/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first screen's facts (doc/screens.md#triage): state of the run with its evidence, where a step and the
 * device time go, and what inventory, parsers and consistency checks found. Used by the Triage pane and by
 * `report`.
 */
#ifndef NPUSCOPE_TRIAGE_H
#define NPUSCOPE_TRIAGE_H

#include "analysis/ending.h"

struct triage_part { /* one line of a breakdown */
    const char *label;
    enum op_class cls;
    double mean_ns, p50_ns, p95_ns; /* NAN: unknown */
    double share;                   /* of the whole, 0..1; NAN unknown */
};
#define TRIAGE_PARTS 6

struct triage_finding {
    char severity[8]; /* ERROR, WARN, INFO */
    char rule[12];
    char text[480]; /* raw bytes: sanitise when shown; in the language of tr() */
    int form;       /* which of the rule's sentences the text is, */
    char args[480]; /* and what fills it (base/lang/fill.h) */
    double gain;    /* upper bound of what would vanish, 0..1; NAN none */
    int64_t step;   /* NO_STEP: it is about the run */
    enum pane_id go;
    char filter[200]; /* filter line for that pane's first view, "" none */
    const char *sql;  /* statement that shows the rows it was found in, NULL none */
};

struct triage {
    struct run_verdict verdict;
    const struct unit *unit;
    int rank;
    size_t index;                  /* of the rank in the session */
    char when[48];                 /* start of the run with its zone, "" unknown */
    char versions[200];            /* "MindSpore 2.0.0   CANN 6.3   Ascend 910" */
    uint64_t steps;                /* recorded steps, without one that the end of the run cut */
    int64_t first_step, last_step; /* of those that were recorded in full */
    int64_t from_step, to_step;    /* of these those in the scope: the means are of them */
    bool first_left_out;           /* the means leave out the first recorded step */
    double step_ns;                /* mean length of a step, NAN unknown */
    struct triage_part step[TRIAGE_PARTS];
    size_t n_step;
    struct triage_part device[TRIAGE_PARTS];
    size_t n_device;
    double flops_per_step;           /* as the files of the profilers give it; NAN unknown */
    double flops_once;               /* of each op once, where that is not known; NAN unknown */
    double flops_per_s;              /* of these, over the time named by flops_over; NAN unknown */
    double utilisation;              /* that rate as a share of the peak; NAN unknown */
    const char *flops_over;          /* fwd+bwd, compute or op time, for tr(); NULL unknown */
    double peak_memory_b;            /* NAN unknown */
    char peak_memory_of[16];         /* what that is: alive, reserved, process (doc/glossary.md) */
    struct ending *ending;           /* that of this rank, and how far the others came; NULL: not read yet */
    struct triage_finding *findings; /* worst first */
    size_t n_findings;
};

/*
 * The facts of the selected rank; without a store only its state. known: the ranks of this session as
 * ending_make() gave them (the caller's), NULL: they are read. now_ns: Unix time.
 */
NODISCARD int triage_make(struct triage **out, struct session *s, const struct ending *known, int64_t now_ns,
                          struct err *e);
void triage_free(struct triage *t);
/* Recorded steps of a rank and their mean length (NAN: unknown), as triage_make() gives them. */
NODISCARD int triage_steps(struct store *s, const struct view_scope *scope, int rank, uint64_t *steps,
                           double *step_ns, struct err *e);
/* The first step of the rank that was recorded in full, which means leave out; `otherwise` if none was. */
int64_t triage_first_step(struct store *s, int rank, int64_t otherwise);

#endif
