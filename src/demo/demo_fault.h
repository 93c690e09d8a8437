/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The faults that a run of --fault dies of: one row each, and where in the run each rank stops.
 *
 * One rank is to blame. It does not come to a communication op, x; the ranks of its communicator wait there,
 * all others in the next op of another communicator, in which one of those should have come. Ranks that wait
 * have ended all other work. Logs and dumps of the crash are in demo/logs.
 */
#ifndef NPUSCOPE_DEMO_FAULT_H
#define NPUSCOPE_DEMO_FAULT_H

#include "demo/demo_cut.h"

/* How the rank to blame stops. */
enum demo_stop {
    DEMO_STOP_NEVER,    /* the run ends as it should */
    DEMO_STOP_SETUP,    /* before the first step, in the set-up of the communicator: there is no profile */
    DEMO_STOP_HOST,     /* its host launches no more; what it launched before has ended */
    DEMO_STOP_STEP,     /* the same between two steps */
    DEMO_STOP_FETCH,    /* its first task, the fetch of data, does not end */
    DEMO_STOP_KERNEL,   /* a kernel of the AI cores does not end */
    DEMO_STOP_AICPU,    /* a kernel of the AI CPU does not end */
    DEMO_STOP_TRANSFER, /* it comes to x, where data does not pass between it and the others */
    DEMO_STOP_OTHER,    /* it calls another collective than x and waits there */
    DEMO_STOP_LINKS,    /* it and its neighbours find out while the links of x are made */
    DEMO_STOP_MOMENT    /* all ranks stop at one moment, whatever they do */
};

/* What becomes of the ranks that are not to blame. */
enum demo_fate {
    DEMO_FATE_NONE,
    DEMO_FATE_ENDED, /* the launcher ends those on a host where one failed, the others wait */
    DEMO_FATE_WAIT   /* all wait, until the time-out of the execution */
};

struct demo_fault_def {
    const char *name;
    const char *verdict; /* class: doc/formats/logs.md#verdict-classes */
    enum demo_stop stop, stop_torch;
    enum demo_fate fate;
    int least_ranks;
    bool accuse; /* a rank is to blame */
};

/* NULL: no fault was asked for. */
const struct demo_fault_def *demo_fault_of(const struct demo_run *run);
enum demo_stop demo_fault_stop(const struct demo_run *run);

/* Chooses run->blame. ERR_USAGE: the run has no place for such a fault; ERR_NOMEM. */
NODISCARD int demo_fault_plan(struct demo_run *run, struct err *e);

/* Where the rank of w ends; w stands at the last step, c->step. */
void demo_fault_cut(struct demo_cut *c, const struct demo_walk *w);

/* Whether two ranks are in one group of the kind. */
bool demo_fault_together(const struct demo_run *run, int a, int b, enum demo_group_kind k);
/* false: two ranks disagree, and their group has no third that shows which of them is wrong. */
bool demo_fault_decidable(const struct demo_run *run);
/* In a fault of DEMO_STOP_LINKS: the blamed rank or one next to it. */
bool demo_fault_is_near(const struct demo_run *run, int rank);

#endif
