/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of loops and waits of CCUs, with the host's records of them and the delays of their channels. */
#include "config.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/comm/ccu.h"

/* ---- streams ---- */

static int by_task(const void *va, const void *vb)
{
    const struct prof_ccu_stream *a = va, *b = vb;

    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    return a->stream < b->stream ? -1 : a->stream > b->stream;
}

int prof_ccu_streams_of(struct prof_ccu_streams *s, const struct prof_folder *f, const struct prof_host *h,
                        struct err *e)
{
    *s = (struct prof_ccu_streams){ .v = calloc(h->n_tasks + 1, sizeof *s->v) };
    if (!s->v)
        return err_nomem(e);
    for (size_t i = 0; i < h->n_tasks; i++)
        if (h->task[i].device == f->device)
            s->v[s->n++] = (struct prof_ccu_stream){ h->task[i].task, (uint16_t)h->task[i].stream };
    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, by_task);
    return OK;
}

uint16_t prof_ccu_stream_at(const struct prof_ccu_streams *s, uint32_t task)
{
    size_t from = 0, to = s->n;

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (s->v[mid].task < task)
            from = mid + 1;
        else
            to = mid;
    }
    return from < s->n && s->v[from].task == task ? s->v[from].stream : PROF_CCU_NO_STREAM;
}

/* ---- delays ---- */

#define ALL_CHANNELS (PROF_CCU_DIES * PROF_CCU_CHANNELS)

/* A delay that is longer than all earlier ones of its channel. */
struct point {
    uint64_t counter;
    uint32_t delay, place;
    uint16_t channel; /* with its die */
};
struct delays {
    struct point *v;
    size_t n, cap;
    bool all_dies;
    struct point most[ALL_CHANNELS]; /* delay 0: none yet */
    size_t from[ALL_CHANNELS + 1];   /* where a channel's points begin, once they are in order */
};

static uint16_t channel_of(const struct delays *d, unsigned die, unsigned channel)
{
    return (uint16_t)(d->all_dies ? channel : die * PROF_CCU_CHANNELS + channel);
}

/* A delay that is not longer than an earlier one is not needed. */
static int take_delay(void *arg, const struct prof_ccu_channel *c, struct err *e)
{
    struct delays *d = arg;
    uint16_t channel = channel_of(d, c->die, c->channel);
    struct point *most = &d->most[channel];

    if (!c->mean || (c->mean <= most->delay && most->counter <= c->counter))
        return OK;
    struct point *v = grow_array(d->v, d->n, &d->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    d->v = v;
    v[d->n] = (struct point){ c->counter, c->mean, (uint32_t)d->n, channel };
    if (c->mean > most->delay)
        *most = v[d->n];
    d->n++;
    return OK;
}

static int by_channel(const void *va, const void *vb)
{
    const struct point *a = va, *b = vb;

    if (a->channel != b->channel)
        return a->channel < b->channel ? -1 : 1;
    if (a->counter != b->counter)
        return a->counter < b->counter ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* By channel and time, each the longest so far. */
static void put_in_order(struct delays *d)
{
    size_t k = 0;

    if (d->n)
        qsort(d->v, d->n, sizeof *d->v, by_channel);
    for (size_t i = 1; i < d->n; i++)
        if (d->v[i].channel == d->v[i - 1].channel && d->v[i].delay < d->v[i - 1].delay)
            d->v[i].delay = d->v[i - 1].delay;
    for (size_t c = 0; c <= ALL_CHANNELS; c++) {
        while (k < d->n && d->v[k].channel < c)
            k++;
        d->from[c] = k;
    }
}

/* The longest delay of a channel before a counter; 0: none. */
static uint32_t delay_before(const struct delays *d, unsigned channel, uint64_t counter)
{
    size_t first = d->from[channel], from = first, to = d->from[channel + 1];

    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (d->v[mid].counter < counter)
            from = mid + 1;
        else
            to = mid;
    }
    return from > first ? d->v[from - 1].delay : 0;
}

/* ---- runs ---- */

struct making {
    const struct prof_ccu_host *host;
    const struct prof_ccu_how *how;
    struct prof_ccu_streams streams;
    struct delays *delays;
    struct prof_ccu_run *v;
    size_t n, cap;
};

static int take_mission(void *arg, const struct prof_ccu_mission *m, struct err *e)
{
    struct making *a = arg;
    struct prof_ccu_run x = { .start = m->wait ? m->wait : m->start,
                              .end = m->wait ? m->wait_end[PROF_CCU_RANKS - 1] : m->end,
                              .task = m->task,
                              .place = (uint32_t)a->n,
                              .stream = prof_ccu_stream_at(&a->streams, m->task),
                              .instr = m->wait ? m->wait_instr : m->instr,
                              .rank = m->wait ? PROF_CCU_RANKS - 1 : 0,
                              .die = m->die,
                              .is_wait = m->wait != 0 };

    if (!x.start)
        return OK;
    for (unsigned i = PROF_CCU_RANKS - 1; x.is_wait && i-- > 0;)
        if (m->wait_end[i] > x.end) {
            x.end = m->wait_end[i];
            x.rank = (uint8_t)i;
        }
    struct prof_ccu_run *v = grow_array(a->v, a->n, &a->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    a->v = v;
    v[a->n++] = x;
    return OK;
}

static int same_key(const struct prof_ccu_run *a, const struct prof_ccu_run *b)
{
    return a->is_wait == b->is_wait && a->task == b->task && a->instr == b->instr;
}

static int by_key(const void *va, const void *vb)
{
    const struct prof_ccu_run *a = va, *b = vb;

    if (a->is_wait != b->is_wait)
        return a->is_wait ? 1 : -1;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    if (a->instr != b->instr)
        return a->instr < b->instr ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int by_start(const void *va, const void *vb)
{
    const struct prof_ccu_run *a = va, *b = vb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Channels that the host names for a key, each once, in its order. */
struct channels {
    uint8_t v[PROF_CCU_CHANNELS];
    bool has[PROF_CCU_CHANNELS];
    size_t n;
};

static bool is_before(const struct prof_ccu_info *i, const struct prof_ccu_run *x)
{
    if (i->is_wait != x->is_wait)
        return x->is_wait;
    return i->task < x->task || (i->task == x->task && i->instr < x->instr);
}

/* The host's records of a key: the first, and the channels of all. NULL: none. */
static const struct prof_ccu_info *info_of(const struct making *a, const struct prof_ccu_run *x,
                                           struct channels *c)
{
    const struct prof_ccu_host *h = a->host;
    const struct prof_ccu_info *first = NULL;
    size_t from = 0, to = h->n;

    *c = (struct channels){ .n = 0 };
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (is_before(&h->v[mid], x))
            from = mid + 1;
        else
            to = mid;
    }
    for (; from < h->n; from++) {
        const struct prof_ccu_info *i = &h->v[from];
        if (i->is_wait != x->is_wait || i->task != x->task || i->instr != x->instr)
            break;
        if ((a->how->by_stream && i->stream != x->stream) || (a->how->as_msprof && !i->n_channels))
            continue;
        first = first ? first : i;
        for (size_t k = 0; k < i->n_channels; k++)
            if (i->channel[k] < PROF_CCU_CHANNELS && !c->has[i->channel[k]]) {
                c->has[i->channel[k]] = true;
                c->v[c->n++] = (uint8_t)i->channel[k];
            }
    }
    return first;
}

static void find_delay(const struct delays *d, const struct channels *c, struct prof_ccu_run *x)
{
    for (size_t i = 0; i < c->n; i++) {
        uint32_t delay = delay_before(d, channel_of(d, x->die, c->v[i]), x->end);
        if (delay > x->delay) {
            x->delay = delay;
            x->channel = c->v[i];
        }
    }
}

/* Completes the runs of one key: n of them from v on. */
static void complete(const struct making *a, struct prof_ccu_run *v, size_t n)
{
    struct channels c;
    const struct prof_ccu_info *info = info_of(a, v, &c);
    size_t shown = v->is_wait ? 0 : n - 1;

    for (size_t i = 0; i < n; i++) {
        v[i].info = info;
        if (v[i].is_wait && v[i].end > v[shown].end)
            shown = i;
        if (v[i].is_wait)
            find_delay(a->delays, &c, &v[i]);
    }
    v[shown].shown = true;
}

static void complete_all(struct making *a)
{
    size_t to;

    if (a->n)
        qsort(a->v, a->n, sizeof *a->v, by_key);
    for (size_t i = 0; i < a->n; i = to) {
        for (to = i + 1; to < a->n && same_key(&a->v[i], &a->v[to]);)
            to++;
        complete(a, &a->v[i], to - i);
    }
    if (a->n)
        qsort(a->v, a->n, sizeof *a->v, by_start);
}

int prof_ccu_runs(struct prof *p, const struct prof_folder *f, const struct prof_host *h,
                  const struct prof_ccu_host *c, const struct prof_ccu_how *how, struct prof_ccu_run **out,
                  size_t *n, struct err *e)
{
    struct making a = { .host = c, .how = how };

    *out = NULL;
    *n = 0;
    if (!prof_has(f, PROF_CCU_MISSION) && !prof_has(f, PROF_CCU_MISSION1))
        return OK;
    a.delays = calloc(1, sizeof *a.delays);
    if (!a.delays)
        return err_nomem(e);
    a.delays->all_dies = how->as_msprof;
    if (prof_ccu_streams_of(&a.streams, f, h, e) == OK &&
        prof_ccu_missions(p, f, take_mission, &a, e) == OK &&
        prof_ccu_channels(p, f, take_delay, a.delays, e) == OK) {
        put_in_order(a.delays);
        complete_all(&a);
        *out = a.v;
        *n = a.n;
        a.v = NULL;
    }
    free(a.v);
    free(a.streams.v);
    free(a.delays->v);
    free(a.delays);
    return e->code;
}
