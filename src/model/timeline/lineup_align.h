/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the same event or the same step in another rank or run, and the first difference between two steps
 * of one track.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_LINEUP_ALIGN_H
#define NPUSCOPE_MODEL_TIMELINE_LINEUP_ALIGN_H

#include "model/timeline/lineup.h"

/*
 * The event of a part that corresponds to ev (in the part of ev, ev itself): an event of the same name, on
 * the track of the same kind that fits best by name, layer and stream. Its position among the events of that
 * name in the step with the same number is the same as that of ev; without steps, its position in the whole
 * track. 1: found, 0: none, -1: error.
 */
int lineup_counterpart(struct lineup *l, const struct tl_event *ev, size_t part, struct tl_event *out,
                       struct err *e);

/*
 * The step of a part that goes on at ts, the one with a number, the last one that begins before ts; times on
 * the axis. 1: found, 0: none, -1: error.
 */
int lineup_step_at(struct lineup *l, size_t part, int64_t ts, struct step_span *out, struct err *e);
int lineup_step_numbered(struct lineup *l, size_t part, int64_t step, struct step_span *out, struct err *e);
int lineup_step_before(struct lineup *l, size_t part, int64_t ts, struct step_span *out, struct err *e);

/* How far a part lies from the base. */
struct lineup_gap {
    int64_t ns; /* between the starts of the first step that both have; without steps, of the first events */
    /*
     * a distance up to this is not far: the length of the step or, where that is not known, of the whole base
     */
    int64_t most_ns;
    int64_t step_ns; /* length of the step; 0: not known */
    bool by_step;
};
/* false: the distance is not known. */
bool lineup_distance(struct lineup *l, size_t part, struct lineup_gap *out);

enum diff_kind {
    DIFF_NONE,
    DIFF_NAME,    /* another name */
    DIFF_TIME,    /* same name; durations differ by more than the share of a's (and the least ns) */
    DIFF_MISSING, /* a has an event, b has no more */
    DIFF_MORE     /* b has an event, a has no more */
};
struct diff {
    enum diff_kind kind;
    uint64_t at;          /* events before it that are the same */
    struct tl_event a, b; /* the events that differ, where there are such */
};
/*
 * The first event of window b that differs from the event at the same position in window a. Compared are the
 * events of the track that begin in the windows, in order.
 */
NODISCARD int lineup_diff(struct lineup *l, size_t track, const struct step_span *a,
                          const struct step_span *b, double share, int64_t least_ns, struct diff *out,
                          struct err *e);

#endif
