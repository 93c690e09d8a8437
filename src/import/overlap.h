/*
 * Tracks that say when a rank computed, communicated, did both, and did nothing, for ranks whose executions come from raw data: what a trace of the
 * vendor has as overlap analysis (formats/gen1-raw.md 8.6). Between sources, when every row is settled.
 */
#ifndef NPUSCOPE_OVERLAP_H
#define NPUSCOPE_OVERLAP_H

#include "store/fill.h"

/* Errors: those of the store, ERR_NOMEM. */
NODISCARD int overlap_write(struct fill *f, struct err *e);

/* ---- unions of intervals, for overlap.c and its test ---- */

struct span {
    int64_t from_ns, to_ns; /* from_ns < to_ns */
};
struct spans { /* {0} at first; spans_done() ends it */
    struct span *v;
    size_t n, cap;
    bool mixed; /* they did not come in order of their ends */
};

/* Add an interval; an empty one is none. ERR_NOMEM. */
NODISCARD int spans_add(struct spans *s, int64_t from_ns, int64_t to_ns, struct err *e);
/* Their union, in order. */
void spans_merge(struct spans *s);
/* What is in a and not in b, and what lies between the parts of a: both merged; out empty. ERR_NOMEM. */
NODISCARD int spans_less(const struct spans *a, const struct spans *b, struct spans *out,
                         struct err *e);
NODISCARD int spans_gaps(const struct spans *a, struct spans *out, struct err *e);
void spans_done(struct spans *s);

#endif
