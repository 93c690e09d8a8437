/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a run that crashes ends, rank by rank. One rank hangs in a communication op; the others finished that
 * op and wait in the next one. Ops that need its data do not start; then the job is killed, on each rank a
 * little earlier or later, while a kernel runs.
 */
#ifndef NPUSCOPE_DEMO_CUT_H
#define NPUSCOPE_DEMO_CUT_H

#include "demo/demo_run.h"

/* Where the run of one rank ends when it crashes. */
struct demo_cut {
    bool on;
    uint32_t step;     /* 0-based, the last one */
    int64_t at_ns;     /* nothing is recorded after it */
    int64_t host_ns;   /* nor of the host after this; not later than at_ns */
    uint32_t comm;     /* the first communication op that never ends */
    uint32_t comm_end; /* the first one that never starts */
    uint32_t stuck;    /* an op that started and never ends; UINT32_MAX: none */
    bool hangs;        /* in its transfers; else it waits for the rank that hangs */
    uint32_t op;       /* the first op that never starts: it waits for comm */
};

/*
 * Index of the communication op around which the last step ends, by --crashed: of its n ones the one in the
 * middle unless that says how far into the step.
 */
static inline uint32_t demo_cut_near(const struct demo_run *r)
{
    uint32_t part = r->o.crash_part ? (uint32_t)r->o.crash_part : 500;
    return (uint32_t)((uint64_t)r->net->ncomm * part / 1000);
}
/* The same between two times, in tens of ns. */
static inline int64_t demo_cut_between(const struct demo_run *r, int64_t from_ns, int64_t to_ns)
{
    int64_t part = r->o.crash_part ? r->o.crash_part : 500;
    return (from_ns + (to_ns - from_ns) * part / 1000) / 10 * 10;
}

/* Finds where and when the rank of w ends, if the options ask for a crash. w is rewound and moved. */
void demo_cut_find(struct demo_cut *c, struct demo_walk *w);

/*
 * When files of the crashed run were changed last, Unix time; 0: it did not crash. Never later than an hour
 * ago.
 */
int64_t demo_cut_date(const struct demo_cut *c, const struct demo_run *run);
/* The same of what was changed last at ns, Unix time. */
int64_t demo_date(int64_t ns);

/* About the current step of a walk: is it the last; did something happen; did work start or end. */
static inline bool demo_cut_is_last(const struct demo_cut *c, const struct demo_step *s)
{
    return c->on && s->index == c->step;
}
static inline bool demo_cut_happened(const struct demo_cut *c, const struct demo_step *s, int64_t ns)
{
    return !demo_cut_is_last(c, s) || ns <= c->at_ns;
}
static inline bool demo_cut_host_happened(const struct demo_cut *c, const struct demo_step *s, int64_t ns)
{
    return !demo_cut_is_last(c, s) || ns <= c->host_ns;
}
static inline bool demo_cut_is_stuck(const struct demo_cut *c, const struct demo_step *s,
                                     const struct demo_kernel *k)
{
    return demo_cut_is_last(c, s) && k->op == c->stuck;
}
static inline bool demo_cut_kernel_started(const struct demo_cut *c, const struct demo_step *s,
                                           const struct demo_kernel *k)
{
    return demo_cut_happened(c, s, k->start_ns) && (!demo_cut_is_last(c, s) || k->op < c->op);
}
static inline bool demo_cut_comm_started(const struct demo_cut *c, const struct demo_step *s,
                                         const struct demo_comm *x)
{
    return demo_cut_happened(c, s, x->start_ns) && (!demo_cut_is_last(c, s) || x->op < c->comm_end);
}
static inline bool demo_cut_comm_ended(const struct demo_cut *c, const struct demo_step *s,
                                       const struct demo_comm *x)
{
    return demo_cut_happened(c, s, x->start_ns + x->dur_ns) && (!demo_cut_is_last(c, s) || x->op < c->comm);
}

#endif
