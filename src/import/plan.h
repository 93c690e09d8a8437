/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are read, in which order, and which are left because another source has the same rows
 * (doc/store.md#kinds-and-tables).
 */
#ifndef NPUSCOPE_PLAN_H
#define NPUSCOPE_PLAN_H

#include "run/inventory.h"

#define PLAN_NOTE_B  200                   /* room for a reason */
#define PLAN_LATER_B (UINT64_C(256) << 10) /* a set below this is not worth a second visit */

/* Files that are read or left together: same topic, rank and priority; or one file without a topic.
 */
struct plan_set {
    struct source_file **files; /* first slices */
    size_t n;
    const char *topic; /* NULL: none */
    int rank, priority, order;
    uint64_t lead_b;           /* bytes of the topic's first choice */
    unsigned panes;            /* panes that the topic feeds (bits) */
    bool later;                /* left for later (plan_leave, room_leave) */
    char no_room[PLAN_NOTE_B]; /* the reason, when it was left because it does not fit; else "" */
    bool done;                 /* read before (plan_done_before) */
};

struct plan {
    struct plan_set *sets; /* in order of reading; sets of one topic and rank follow each other by priority */
    size_t n;
    size_t n_small; /* the first n_small sets are the small tables, which feed the first screen */
    uint64_t bytes; /* of the sets to read when nothing is damaged */
    unsigned files;
};

NODISCARD int plan_make(struct plan *out, const struct unit *u, struct err *e);
/*
 * Leave large sets for later that feed only these panes (bits); small ones are read whatever they feed. Where
 * the run has no trace, the timeline is also fed by everything that device tracks are made from.
 */
void plan_leave(struct plan *p, unsigned panes);
/* Mark the sets whose files a finished store has: known() returns true for the source id of such a file. */
void plan_done_before(struct plan *p, bool (*known)(void *arg, uint32_t source_id), void *arg);
/* Count bytes and files of the sets still to be read, after sets were left. */
void plan_count(struct plan *p);
/* Panes (bits) that sets left for later feed. */
unsigned plan_left(const struct plan *p);
/* Whether the set is neither left nor done: bytes and files of the plan count those. */
static inline bool plan_is_read(const struct plan_set *s)
{
    return !s->later && !s->done;
}
void plan_done(struct plan *p);
/* Whether both sets have the same topic and rank, so that only one of them is needed. */
bool plan_same_topic(const struct plan_set *a, const struct plan_set *b);
uint64_t plan_set_bytes(const struct plan_set *s);

#endif
