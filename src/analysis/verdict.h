/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What matters about a run in a few lines, worst first: ranks that hang, how it ended, a rank that the others
 * wait for, a device that waits for data, memory, slow steps. A line is there only where its rule holds
 * (doc/rules.md#verdict); without one the last line says what is known instead. Used by the Triage pane,
 * `triage` and `report`. Owns its lines.
 */
#ifndef NPUSCOPE_VERDICT_H
#define NPUSCOPE_VERDICT_H

#include "analysis/ending.h"
#include "analysis/job_logs.h"
#include "analysis/peers.h"

enum verdict_kind {
    VERDICT_DIED,    /* why it died, by its logs */
    VERDICT_FIRST,   /* the first error of that, else what is seen of it */
    VERDICT_CLOCKS,  /* clocks of servers differ, and an event of that moves by it */
    VERDICT_BLOCKED, /* ranks in a communication op that others have left */
    VERDICT_BEHIND,  /* ranks that did fewer steps than the others */
    VERDICT_ENDED,   /* the run ended without being stopped */
    VERDICT_LATE,    /* the rank that the others wait for */
    VERDICT_LINK,    /* a link that is slower than the others */
    VERDICT_PREPARE, /* the device waits for data or for the host */
    VERDICT_COMM,    /* communication that no compute hides takes much of a step */
    VERDICT_IDLE,    /* the device has nothing to do */
    VERDICT_MEMORY,  /* it is nearly full, or a rank holds more than the others */
    VERDICT_STEP,    /* a step that took much longer than the others */
    VERDICT_NONE,    /* no rule holds */
    N_VERDICTS
};
#define VERDICT_MAX       12
#define VERDICT_STEP_SLOW 1.5 /* times the median: a longer step is a line */

struct verdict_line {
    enum verdict_kind kind;
    char text[400];         /* made of names in the data: make it safe when shown */
    int rank;               /* -1: not of one rank */
    size_t index;           /* of the rank in the session, SIZE_MAX */
    int64_t step;           /* NO_STEP */
    char op[ENDING_NAME_B]; /* full name, "" none */
    double value;           /* what the rule compares: time per step in ns, or a share 0..1; NAN none */
    int64_t at_unix_ns;     /* when, 0: not known */
    enum pane_id go;        /* the proof */
    char filter[64];        /* for that pane's first view, "" none */
};

struct verdict {
    struct verdict_line line[VERDICT_MAX];
    size_t n; /* at least 1 */
};

/* "blocked", "ended", ...: for programs; "ERROR", "WARN", "INFO" or "GOOD". */
const char *verdict_word(enum verdict_kind k);
const char *verdict_severity(enum verdict_kind k);
/* When such a line is there, in sentences for people: doc/rules.md#verdict. */
const char *verdict_rule(enum verdict_kind k);
/* Of verdict_line.value: "ns" or "share"; NULL: it has none. */
const char *verdict_unit(enum verdict_kind k);
/*
 * x: of the same session; logs too, NULL: not read, or there are none. s NULL: nothing is known of ops.
 * Never fails: a rule whose data cannot be read does not hold.
 */
void verdict_make(struct verdict *out, struct session *s, const struct peers *p, const struct ending *x,
                  const struct job_logs *logs);

#endif
