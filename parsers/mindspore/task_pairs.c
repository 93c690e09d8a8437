/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of starts and ends, stream by stream. */
#include "config.h"

#include "parsers/mindspore/task_pairs.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/mindspore/ticks.h"

struct task_pairs_stream {
    uint32_t stream;
    bool open;
    struct task_pairs_mark start;
};

void task_pairs_done(struct task_pairs *o)
{
    intern_free(o->ids);
    free(o->v);
    *o = (struct task_pairs){ .n = 0 };
}

/* Records of a stream come in runs. */
static struct task_pairs_stream *stream_of(struct task_pairs *o, uint32_t stream, struct err *e)
{
    const struct str key = { (const char *)&stream, sizeof stream };

    if (!o->ids && intern_new(&o->ids, e))
        return NULL;
    if (o->n && o->v[o->at].stream == stream)
        return &o->v[o->at];
    uint32_t id = intern_put(o->ids, key);
    struct task_pairs_stream *v = id == INTERN_NONE ? NULL : grow_array(o->v, id, &o->cap, sizeof *v, 32);
    if (!v) {
        err_nomem(e);
        return NULL;
    }
    o->v = v;
    o->at = id;
    if (id == o->n)
        v[o->n++] = (struct task_pairs_stream){ .stream = stream };
    return &v[id];
}

bool task_pairs_add(struct task_pairs *o, const struct task_pairs_mark *m, struct task_pairs_mark *start,
                    struct err *e)
{
    struct task_pairs_stream *s = stream_of(o, o->neighbours ? 0 : m->stream, e);

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
    if (pair || !m->end || o->neighbours)
        s->open = !m->end;
    return pair;
}

void task_pairs_gap(struct task_pairs *o)
{
    for (size_t i = 0; i < o->n; i++) {
        o->unpaired += o->v[i].open;
        o->v[i].open = false;
    }
}

bool task_pairs_ns(const struct task_pairs_mark *start, const struct task_pairs_mark *end, int64_t *ts_ns,
                   int64_t *dur_ns)
{
    return start->ticks <= end->ticks && ticks_ns(start->ticks, ts_ns) &&
           ticks_ns(end->ticks - start->ticks, dur_ns);
}
