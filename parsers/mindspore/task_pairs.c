/* Pairs of starts and ends, stream by stream. */
#include "config.h"

#include "parsers/mindspore/task_pairs.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/mindspore/ticks.h"

struct optime_stream {
    uint32_t stream;
    bool open;
    struct optime_mark start;
};

void optime_done(struct optime *o)
{
    intern_free(o->ids);
    free(o->v);
    *o = (struct optime){ .n = 0 };
}

/* Records of a stream come in runs. */
static struct optime_stream *stream_of(struct optime *o, uint32_t stream, struct err *e)
{
    const struct str key = { (const char *)&stream, sizeof stream };

    if (!o->ids && intern_new(&o->ids, e))
        return NULL;
    if (o->n && o->v[o->at].stream == stream)
        return &o->v[o->at];
    uint32_t id = intern_put(o->ids, key);
    struct optime_stream *v =
        id == INTERN_NONE ? NULL : grow_array(o->v, id, &o->cap, sizeof *v, 32);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    o->v = v;
    o->at = id;
    if (id == o->n)
        v[o->n++] = (struct optime_stream){ .stream = stream };
    return &v[id];
}

bool optime_add(struct optime *o, const struct optime_mark *m, struct optime_mark *start,
                struct err *e)
{
    struct optime_stream *s = stream_of(o, m->stream, e);

    if (!s)
        return false;
    bool pair = m->end && s->open && s->start.task == m->task;
    *start = s->start;
    if (pair || !m->end)
        o->unpaired += !pair && s->open;
    else
        o->unpaired++;
    if (!m->end)
        s->start = *m;
    if (pair || !m->end)
        s->open = !m->end;
    return pair;
}

void optime_gap(struct optime *o)
{
    for (size_t i = 0; i < o->n; i++) {
        o->unpaired += o->v[i].open;
        o->v[i].open = false;
    }
}

bool optime_ns(const struct optime_mark *start, const struct optime_mark *end, int64_t *ts_ns,
               int64_t *dur_ns)
{
    return start->ticks <= end->ticks && ticks_ns(start->ticks, ts_ns) &&
           ticks_ns(end->ticks - start->ticks, dur_ns);
}
