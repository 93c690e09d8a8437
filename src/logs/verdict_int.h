/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by log_verdict.c, which decides, and the three that gather: hard causes, waits, set-up failures. */
#ifndef NPUSCOPE_LOG_VERDICT_INT_H
#define NPUSCOPE_LOG_VERDICT_INT_H

#include "logs/log_verdict.h"

/* What is known of a process. */
struct suspect {
    /* hard cause */
    size_t cause;         /* event, LOG_NO_EVENT: none */
    enum cause_class cls; /* of it and what follows within seconds */
    size_t telling;       /* the event that gives the class */
    int64_t cause_ns;     /* LOG_NO_UTC: unknown */
    /* wait */
    bool waits;
    size_t wait;            /* first event of it */
    int64_t wait_ns, index; /* -1 unknown */
    struct str op, group;
    int remote; /* rank it waited for, -1: not said */
    /* set-up */
    bool fails_setup;
    size_t setup; /* first event of it */
    /* what others say of it */
    unsigned named; /* heartbeat and cluster exceptions */
    size_t named_event;
    unsigned cqe_named; /* as the end that did not answer */
    int64_t exit_ns;    /* the launcher saw its end */
    size_t exit;        /* that event */
};

struct gather {
    const struct logs *l;
    const struct log_hint *hint;
    struct suspect *of; /* [processes] */
    size_t n;
    int n_ranks;
    size_t visible; /* first event that tells something */
    size_t outside; /* first CQE whose other end is no rank that is known */
    size_t stop;    /* first event that stopped the job from outside */
    struct arena *a;
};

/* Ranks that are found, and how. */
struct found_ranks {
    int *v, most; /* most: the highest of them */
    size_t n;
    enum cause_class cls;
    enum log_sure sure;
    size_t event;
    int of, rival; /* servers whose order is not sure; equal: there are none */
};

const char *verdict_id(const struct gather *g, size_t event);
/* Rank of "10.23.9.12/2" or of host and device, -1: unknown. */
int verdict_rank_at(const struct gather *g, struct str ip, int device);
/* Process of a rank as far as it has one, -1. */
int verdict_proc(const struct gather *g, int rank);
/* A failure in a line of an unknown rank: its class, surely nobody's. */
void verdict_unowned(const struct gather *g, struct found_ranks *out);
/* Add a rank unless it is there. Errors: ERR_NOMEM. */
NODISCARD int verdict_add_rank(struct found_ranks *f, int rank, struct gather *g, struct err *e);

/*
 * By the clocks of their own servers an event of the ranks, or the first error, and one of another rank
 * would be the other way round.
 */
bool verdict_reordered(const struct gather *g, const struct found_ranks *f, size_t first);

/* Fill g->of by all events. */
void verdict_gather_hard(struct gather *g);
void verdict_gather_waits(struct gather *g);
/*
 * The ranks that others wait for; n 0: none or not decidable (cls CAUSE_CYCLE then, CAUSE_NONE: nobody
 * waits).
 */
NODISCARD int verdict_awaited(struct gather *g, struct found_ranks *out, struct err *e);
/* The same for a communicator that was not set up. */
NODISCARD int verdict_setup(struct gather *g, struct found_ranks *out, struct err *e);

#endif
