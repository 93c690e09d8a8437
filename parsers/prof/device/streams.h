/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which logical stream a device's stream is part of (doc/formats/prof.md#additional-records,
 * logic_stream_info). Not thread-safe.
 */
#ifndef NPUSCOPE_PARSERS_PROF_DEVICE_STREAMS_H
#define NPUSCOPE_PARSERS_PROF_DEVICE_STREAMS_H

#include "parsers/prof/prof.h"

struct prof_stream_pair {
    uint32_t physical, logical;
};
struct prof_streams {              /* {0} at first */
    struct prof_stream_pair *pair; /* by physical */
    size_t n, cap;
};

/*
 * Read the logical streams of p's host. prof_streams_done() is allowed after a failure. Errors: ERR_NOMEM,
 * ERR_CANCELLED.
 */
NODISCARD int prof_streams_read(struct prof_streams *s, struct prof *p, struct err *e);
void prof_streams_done(struct prof_streams *s);
/*
 * The logical stream of a physical one; the stream itself when no record has it. The last record about a
 * stream counts.
 */
uint32_t prof_stream_logical(const struct prof_streams *s, uint32_t physical);

#endif
