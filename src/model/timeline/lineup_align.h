/*
 * What corresponds in another rank or run: the same event, the same step. And what differs between two steps
 * of one track.
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_LINEUP_ALIGN_H
#define NPUSCOPE_MODEL_TIMELINE_LINEUP_ALIGN_H

#include "model/timeline/lineup.h"

/*
 * The event of a part that stands for ev, in its own part ev itself: of the same name, on the track of the
 * same kind that fits best by name, layer and stream, and in the step with the same number at the same place
 * among its namesakes; without steps at the same place in the whole track. 1 found, 0 none, -1 error.
 */
int lineup_counterpart(struct lineup *l, const struct tl_event *ev, size_t part, struct tl_event *out,
                       struct err *e);

/*
 * The step of a part that goes on at ts, the one with a number, the one before; times on the axis. 1 found, 0
 * none, -1 error.
 */
int lineup_step_at(struct lineup *l, size_t part, int64_t ts, struct step_span *out, struct err *e);
int lineup_step_numbered(struct lineup *l, size_t part, int64_t step, struct step_span *out, struct err *e);
int lineup_step_before(struct lineup *l, size_t part, int64_t ts, struct step_span *out, struct err *e);

/* How far a part lies from the base. */
struct lineup_gap {
    int64_t ns; /* between the starts of the first step that both have; without steps, of the first events */
    /* so much is not far: the length of the step, where that is not known of the whole base */
    int64_t most_ns;
    int64_t step_ns; /* length of the step, 0 not known */
    bool by_step;
};
/* false: nothing is known. */
bool lineup_distance(struct lineup *l, size_t part, struct lineup_gap *out);

enum diff_kind {
    DIFF_NONE,
    DIFF_NAME,    /* another name */
    DIFF_TIME,    /* the same, but longer or shorter by more than the share of a (and the least ns) */
    DIFF_MISSING, /* a has an event here, b ends */
    DIFF_MORE     /* b has an event here, a ends */
};
struct diff {
    enum diff_kind kind;
    uint64_t at;          /* events before it that are the same */
    struct tl_event a, b; /* where there are such */
};
/*
 * The first event of window b that differs from that at the same place of window a: events of the track that
 * begin in them, in order.
 */
NODISCARD int lineup_diff(struct lineup *l, size_t track, const struct step_span *a,
                          const struct step_span *b, double share, int64_t least_ns, struct diff *out,
                          struct err *e);

#endif
