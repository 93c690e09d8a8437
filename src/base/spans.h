/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of instants as intervals: unions, differences, gaps. The unit is the caller's. Not thread-safe.
 */
#ifndef NPUSCOPE_SPANS_H
#define NPUSCOPE_SPANS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/large/spool.h"

struct span {
    int64_t from, to; /* from < to */
};
struct spans { /* {0}, or a pool, at first; spans_done() ends it */
    struct span *v;
    size_t n, cap;
    bool mixed;          /* they did not come in order of their ends */
    struct spool *spool; /* where v lies; NULL: it is malloc()ed */
};

/* Add an interval; an empty one is none. ERR_NOMEM. */
NODISCARD int spans_add(struct spans *s, int64_t from, int64_t to, struct err *e);
/* One more as it is: not joined with what it touches, also an empty one. ERR_NOMEM. */
NODISCARD int spans_put(struct spans *s, int64_t from, int64_t to, struct err *e);
/* Their union, in order; what touches is one. */
void spans_merge(struct spans *s);
/* What is in a and not in b, and what lies between the parts of a: both merged; out empty. ERR_NOMEM. */
NODISCARD int spans_less(const struct spans *a, const struct spans *b, struct spans *out, struct err *e);
NODISCARD int spans_gaps(const struct spans *a, struct spans *out, struct err *e);
void spans_done(struct spans *s);

#endif
