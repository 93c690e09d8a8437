/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a device computed, communicated, did only one of them, and did nothing
 * (doc/formats/msprof.md#overlap-analysis). Pure. Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_OVERLAP_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_OVERLAP_H

#include "base/spans.h"
#include "parsers/prof/comm/comm.h"

/* The numbers are those of the results (doc/formats/msprof.md#database). */
enum prof_overlap_kind {
    OVERLAP_COMPUTING,
    OVERLAP_COMM,
    OVERLAP_COMM_ALONE, /* not overlapped by computing */
    OVERLAP_FREE,
    N_OVERLAP_KINDS
};
extern const char *const prof_overlap_words[N_OVERLAP_KINDS];

struct prof_overlap { /* {0} at first */
    struct spans of[N_OVERLAP_KINDS];
    bool like_cpp; /* communication alone as msprof's C++ half has it (doc/formats/prof-quirks.md#overlap) */
    bool like_python; /* as its Python half has it: pieces may be empty */
    bool whole;       /* also of tasks that `how` does not keep */
    bool cut_aicpu;   /* but for tasks of AI CPUs in ts_track */
};

/*
 * The pieces of one device, in counters of the device. c: its communication. Tasks that `how` does not keep
 * are left out. Errors: ERR_NOMEM. prof_overlap_done() is allowed after a failure.
 */
NODISCARD int prof_overlap_make(struct prof_overlap *o, const struct prof *p, const struct prof_device *d,
                                const struct prof_host *h, const struct prof_comm *c,
                                const struct prof_how *how, struct err *e);
/* The same in other instants than counters: at() gives that of a counter, end() that of a task's end. */
struct prof_overlap_clock {
    int64_t (*at)(const void *arg, uint64_t counter);
    int64_t (*end)(const void *arg, const struct prof_task *t);
    const void *arg;
};
NODISCARD int prof_overlap_make_by(struct prof_overlap *o, const struct prof *p, const struct prof_device *d,
                                   const struct prof_host *h, const struct prof_comm *c,
                                   const struct prof_how *how, const struct prof_overlap_clock *clock,
                                   struct err *e);
/*
 * Make all four kinds from computing and communication, in any order: merged, free time within their span,
 * widened to [from, to] (from > to: not widened). In any unit. ERR_NOMEM.
 */
NODISCARD int prof_overlap_split(struct prof_overlap *o, int64_t from, int64_t to, struct err *e);
void prof_overlap_done(struct prof_overlap *o);

#endif
