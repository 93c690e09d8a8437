/* Curves of the timeline. */
#include "config.h"

#include "prof_curves.h"

#include <stdio.h>

#include "base/grow.h"

struct prof_curve {
    char key[96];
    uint32_t track;
};

static bool find(struct prof_curves *c, const char *key, uint32_t *track)
{
    for (size_t i = 0, k = c->last; i < c->n; i++, k = k + 1 < c->n ? k + 1 : 0)
        if (strcmp(c->v[k].key, key) == 0) {
            c->last = k;
            *track = c->v[k].track;
            return true;
        }
    return false;
}

static uint32_t make(struct prof_curves *c, const struct prof_layer *l, const char *name,
                     const char *key)
{
    char process[64];

    if (c->r->n_dev > 1 && !c->f->host)
        snprintf(process, sizeof process, "%s NPU %d", l->process, c->f->device);
    else
        snprintf(process, sizeof process, "%s", l->process);
    const struct track_def def = { .rank = prof_rows_rank(c->r, c->f),
                                   .kind = TK_COUNTER,
                                   .pid = str_of(process),
                                   .tid = str_of(key),
                                   .process = str_of(process),
                                   .name = str_of(name),
                                   .sort = ((int64_t)l->sort << 40) + (int64_t)c->n,
                                   .stream = -1,
                                   .unit = str_of(l->unit),
                                   .source_id = prof_rows_source(c->f, l->tag) };
    return sink_track(c->r->g->out, &def);
}

/* SINK_NO_TRACK: e is set. */
static uint32_t curve_of(struct prof_curves *c, const struct prof_layer *l, const char *name,
                         struct err *e)
{
    struct prof_curve one;

    snprintf(one.key, sizeof one.key, "%s: %s", l->process, name);
    if (find(c, one.key, &one.track))
        return one.track;
    struct prof_curve *v = grow_array(c->v, c->n, &c->cap, sizeof *v, 32);
    if (!v) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    c->v = v;
    one.track = make(c, l, name, one.key);
    if (one.track == SINK_NO_TRACK) {
        err_nomem(e);
        return SINK_NO_TRACK;
    }
    c->last = c->n;
    v[c->n++] = one;
    return one.track;
}

int prof_curve_put(struct prof_curves *c, const struct prof_layer *l, const char *name, int64_t ts,
                   double value, struct err *e)
{
    uint32_t track = curve_of(c, l, name, e);

    if (track == SINK_NO_TRACK)
        return (int)e->code;
    return ts >= prof_begin_ns(c->f) ? sink_sample(c->r->g->out, track, ts, value, e) : OK;
}
