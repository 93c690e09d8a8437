/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a run ended, from what lies there (doc/screens.md#triage): a state and the sentences that are its
 * evidence. Pure: same unit and time, same answer.
 */
#ifndef NPUSCOPE_STATE_H
#define NPUSCOPE_STATE_H

#include "run/inventory.h"

enum run_state {
    RUN_ANALYSED,     /* results are there */
    RUN_NOT_ANALYSED, /* stopped in order, no results */
    RUN_CRASHED,      /* no stop time, or raw data cut */
    RUN_RUNNING,      /* no stop time, and a raw file changed in the last RUN_RUNNING_S seconds */
    RUN_UNKNOWN       /* nothing that shows it: loose files */
};

#define RUN_RUNNING_S    60
#define RUN_SKEW_S       2 /* later than now by more is a clock that is ahead */
#define RUN_EVIDENCE_MAX 12

struct run_verdict {
    enum run_state state;
    size_t n;
    char evidence[RUN_EVIDENCE_MAX][200]; /* sentences without a full stop, what matters most first */
};

/* "ANALYSED", "NOT ANALYSED", "CRASHED", "STILL RUNNING", "UNKNOWN". */
const char *run_state_word(enum run_state s);
/* Of two states the one that matters more: a crash before all others. */
enum run_state run_state_worse(enum run_state a, enum run_state b);
/*
 * State of one rank of the unit; -1: of the unit. now_ns: Unix time, compared with the files' modification
 * times. A time in the future is told as clock skew and is no sign that the run goes on.
 */
void run_state_of(const struct unit *u, int rank, int64_t now_ns, struct run_verdict *out);
/* Add a sentence, when there is room. */
/* In the language of tr(). */
void run_verdict_add(struct run_verdict *v, const char *fmt, ...) PRINTF_LIKE(2, 3);
/*
 * The number of a slice that is not there although a later one is, after f in the chain; the name is f's with
 * that number. -1: none.
 */
int run_slice_gap(const struct source_file *f);

#endif
