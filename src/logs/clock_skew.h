/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far the clocks of servers differ, by moments that several of them saw (doc/formats/logs.md#skew):
 * nobody leaves a collective before all have come, so what one clock says of the last to come is before what
 * another says of the first to leave. Knows neither logs nor profiles.
 */
#ifndef NPUSCOPE_CLOCK_SKEW_H
#define NPUSCOPE_CLOCK_SKEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define SKEW_NONE INT64_MIN

/* What a server saw of a moment, by its own clock: the moment is not before `from` and not after `to`. */
struct skew_sight {
    uint64_t moment; /* of equal ones all mean the same moment */
    uint32_t server;
    int64_t from_ns, to_ns; /* SKEW_NONE: not said */
};

/* Of a server's clock against that of the first one that it can be compared with. */
struct skew {
    uint32_t with; /* that server, the lowest index of those that are compared */
    bool known;    /* the following are; with itself always */
    int64_t ahead_ns,
        within_ns;    /* the difference is ahead_ns to within_ns; 0 where that is within the bounds */
    bool contradicts; /* what was seen cannot be of clocks that differ by a constant: not known */
};

/*
 * out: [servers]. v is changed. A server of which the moments say only that it is ahead or only that it is
 * behind is not known. Instants 18 years from the first one are left out. Errors: ERR_NOMEM.
 */
NODISCARD int skew_estimate(struct skew *out, size_t servers, struct skew_sight *v, size_t n, struct err *e);

#endif
