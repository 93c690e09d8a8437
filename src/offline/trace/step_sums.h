/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What step_trace_time.csv sums up by step while msprof's timeline is read
 * (doc/formats/framework.md#step_trace_time). Not thread-safe.
 */
#ifndef NPUSCOPE_OFFLINE_STEP_SUMS_H
#define NPUSCOPE_OFFLINE_STEP_SUMS_H

#include "offline/trace/decimal28.h"
#include "offline/trace/timeline.h"

/* Of a step, or of the whole: ns. */
struct step_sum {
    struct str id;
    int64_t from, to;
    int64_t computing, communication, not_overlapped, idle;
    int64_t first; /* start of the first work from `from` on, INT64_MAX: none */
    /* communication events in order of (start, name, duration) */
    bool has_comm;
    int64_t comm_first, comm_last; /* starts of the first and last */
    uint32_t last_name;            /* text of the timeline */
    double last_dur;               /* us */
    bool has_bubble;
    struct decimal28 bubble;
};

NODISCARD int step_sums_new(struct step_sums **out, struct offline_run *r, struct err *e);
void step_sums_free(struct step_sums *s);
void step_sums_overlap(struct step_sums *s, enum overlap_thread thread, const struct offline_event *ev);
NODISCARD int step_sums_comm(struct step_sums *s, unsigned layer, const struct offline_event *ev,
                             struct err *e);
/* The sums, by step. */
const struct step_sum *step_sums_get(struct step_sums *s, size_t *n);
/*
 * MindSpore 2.5: sums of Computing, Communication, Not Overlapped, Free (by enum overlap_thread) of all.
 */
const struct decimal28 *step_sums_all(const struct step_sums *s, enum overlap_thread thread);

#endif
