/* Pairs of neighbouring starts and ends (formats/gen1-raw.md 7.3). */
#include "config.h"

#include "derive_optime.h"

#include "ticks.h"

bool optime_add(struct optime *o, const struct optime_mark *m)
{
    bool pair = o->open && m->end && o->start.op == m->op;

    o->unpaired += pair ? 0 : (uint64_t)o->open + m->end;
    o->open = !m->end;
    if (!m->end)
        o->start = *m;
    return pair;
}

bool optime_ns(const struct optime_mark *start, const struct optime_mark *end, int64_t *ts_ns,
               int64_t *dur_ns)
{
    return start->ticks <= end->ticks && ticks_ns(start->ticks, ts_ns) &&
           ticks_ns(end->ticks - start->ticks, dur_ns);
}
