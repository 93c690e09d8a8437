/* Pairs of neighbouring starts and ends (formats/gen1-raw.md 7.3). */
#include "config.h"

#include "derive_optime.h"

#define TICK_NS 10 /* the device's counter runs at 100 MHz (formats/gen1-raw.md 2, clocks) */

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
    return start->ticks <= end->ticks && !__builtin_mul_overflow(start->ticks, TICK_NS, ts_ns) &&
           !__builtin_mul_overflow(end->ticks - start->ticks, TICK_NS, dur_ns);
}
