/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rank the fall of a job began with, and why, by its logs (doc/formats/logs.md#verdict-rule). Accuses
 * only where the rule holds; else it says what is known and what is missing.
 */
#ifndef NPUSCOPE_LOG_VERDICT_H
#define NPUSCOPE_LOG_VERDICT_H

#include "logs/logs.h"

enum log_sure { LOG_LOW, LOG_MEDIUM, LOG_HIGH };
const char *log_sure_word(enum log_sure s);

#define LOG_NO_EVENT SIZE_MAX

struct log_said { /* a sentence and the event it is taken from */
    struct str text;
    size_t event; /* LOG_NO_EVENT: of no single one */
};

/* What the profiles of the run say of who waits for whom (analysis/ending.h); stronger than lines of logs. */
struct log_in_comm { /* the communication op that a rank is in at the end of its profile */
    int rank;
    struct str op, group; /* "allReduce"; group n 0: not known */
};
struct log_hint {
    const int *awaited; /* ranks that the others wait for */
    size_t n;
    const struct log_in_comm *in; /* by rank; a profile may end before its rank did */
    size_t n_in;
};

struct log_verdict {
    enum cause_class cls;
    enum log_sure sure;
    bool accuse; /* a rank, or what lies outside of them, is named */
    int *ranks;  /* in order */
    size_t n_ranks;
    struct str root;            /* in words: "rank 5 (worker-1, device 1)" */
    size_t first, visible;      /* first error of the ranks above, and of anybody: events */
    int64_t stream, task, flip; /* -1 unknown */
    struct str op, kernel;
    struct log_said *chain; /* from the cause to the end */
    size_t n_chain;
    struct log_said *consequences; /* "7 ranks waited in a collective until the timeout" */
    size_t n_consequences;
    struct str *missing; /* what would make it surer */
    size_t n_missing;
    struct str *clocks; /* of servers whose clock differs, and that it was taken into account */
    size_t n_clocks;
    bool reordered; /* their own clocks would order an event of the ranks and one of others the other way */
};

/* hint: NULL: there are no profiles. *out belongs to the caller. Errors: ERR_NOMEM. */
NODISCARD int log_verdict_make(struct log_verdict **out, const struct logs *l, const struct log_hint *hint,
                               struct err *e);
void log_verdict_free(struct log_verdict *v); /* NULL is allowed */

#endif
