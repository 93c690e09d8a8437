/*
 * Times of ops from starts and ends of tasks, by the rule of MindSpore up to 2.0.0a0 (formats/gen1-raw.md 7.3): a start and the end right
 * behind it, of one op name, are one execution; what stands between them in time on another stream breaks the pair. Pure.
 */
#ifndef NPUSCOPE_DERIVE_OPTIME_H
#define NPUSCOPE_DERIVE_OPTIME_H

#include <stdbool.h>

#include "store/note.h"

/* A start or an end of a task whose op is known, in the order of the records. */
struct optime_mark {
    uint32_t op; /* number of the op's name: equal for equal names */
    bool end;
    uint64_t ticks;
    uint32_t stream, task;
    struct where where;
};

struct optime { /* {0} at first */
    bool open;
    struct optime_mark start;
    uint64_t unpaired; /* starts and ends that gave nothing so far, without an open start */
};

/* true: m ends the execution that began with o->start (valid until the next call). */
bool optime_add(struct optime *o, const struct optime_mark *m);
/* Start and duration in ns of an execution, false when they are no instants (damaged counters). */
bool optime_ns(const struct optime_mark *start, const struct optime_mark *end, int64_t *ts_ns,
               int64_t *dur_ns);

#endif
