/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication that CCUs run: a track for each die with its groups of loops and waits, and curves of the
 * channels.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "parsers/prof/comm/ccu.h"
#include "parsers/prof/rows/curves.h"

#define SORT_CCU 30 /* as msprof orders layers */

/* ---- tracks ---- */

static int put_run(struct prof_tracks *t, const struct prof_ccu_run *x, struct err *e)
{
    int64_t from = prof_device_ns(t->f, x->start), to = prof_device_ns(t->f, x->end);
    struct sink *s = t->r->g->out;
    char name[48] = "LoopGroup";

    if (from < prof_begin_ns(t->f))
        return OK;
    uint32_t track = prof_tracks_get(t, x->die, e);
    if (track == SINK_NO_TRACK)
        return e->code;
    if (x->is_wait)
        snprintf(name, sizeof name, "Wait for rank %u", (unsigned)x->rank);
    return sink_event(s, track, from, to > from ? to - from : 0, sink_intern(s, str_of(name)), 0, e);
}

static int put_runs(struct prof_rows *r, const struct prof_device *d, const struct prof_ccu_host *h,
                    struct err *e)
{
    const struct prof_ccu_how how = { .by_stream = false };
    struct prof_tracks t = { .r = r,
                             .f = d->f,
                             .kind = TK_ENGINE,
                             .process = "CCU",
                             .what = "Die",
                             .sort = SORT_CCU,
                             .source = prof_rows_source(d->f, PROF_CCU_MISSION) };
    struct prof_ccu_run *v;
    size_t n;

    if (!t.source)
        t.source = prof_rows_source(d->f, PROF_CCU_MISSION1);
    if (prof_ccu_runs(r->m.p, d->f, &r->m.host, h, &how, &v, &n, e))
        return e->code;
    for (size_t i = 0; i < n && !e->code; i++)
        (void)!put_run(&t, &v[i], e);
    prof_tracks_done(&t);
    free(v);
    return e->code;
}

int prof_rows_ccu(struct prof_rows *r, struct err *e)
{
    struct prof_ccu_host h;

    if (!r->m.p->chip->v6)
        return OK;
    if (prof_ccu_host_read(&h, r->m.p, e) == OK)
        for (size_t i = 0; i < r->m.n_dev && !e->code; i++)
            (void)!put_runs(r, &r->m.dev[i], &h, e);
    prof_ccu_host_done(&h);
    return e->code;
}

/* ---- curves ---- */

struct channels {
    struct prof_curves *c;
    bool used[PROF_CCU_DIES][PROF_CCU_CHANNELS];
};

/* A channel that nothing went through yet has no curve. */
static int on_channel(void *arg, const struct prof_ccu_channel *s, struct err *e)
{
    static const struct prof_layer layers[PROF_CCU_DIES] = {
        { "CCU Channel", "MB/s", PROF_CCU_CHANNEL, SORT_CCU + 21 },
        { "CCU Channel", "MB/s", PROF_CCU_CHANNEL1, SORT_CCU + 22 },
    };
    const struct {
        const char *name;
        uint32_t delay;
    } series[] = { { "Max", s->min }, { "Min", s->max }, { "Avg", s->mean } };
    struct channels *x = arg;
    bool *used = &x->used[s->die][s->channel];
    int64_t ts = prof_device_ns(x->c->f, s->counter);
    char name[48];

    *used |= s->max || s->min || s->mean;
    for (size_t i = 0; *used && i < ARRAY_LEN(series); i++) {
        snprintf(name, sizeof name, "Die %u Channel %u/%s", s->die, s->channel, series[i].name);
        if (prof_curve_put(x->c, &layers[s->die], name, ts, prof_ccu_mbs(x->c->f, series[i].delay), e))
            return e->code;
    }
    return OK;
}

int prof_curves_ccu(struct prof_curves *c, struct err *e)
{
    struct channels x = { .c = c };

    return c->r->m.p->chip->v6 ? prof_ccu_channels(c->r->m.p, c->f, on_channel, &x, e) : OK;
}
