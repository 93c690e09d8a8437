/* SPDX-License-Identifier: Apache-2.0 */
/* Records of CCUs, and the host's records of their instructions. */
#include "config.h"

#include "parsers/prof/comm/ccu.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/prof_layout.h"

enum {
    CCU_MISSION_RECORD(FIELD_AT) CCU_CHANNEL_RECORD(FIELD_AT) CCU_WHAT(FIELD_AT) CCU_AT(FIELD_AT)
        CCU_WAIT_OWN(FIELD_AT) CCU_GROUP_OWN(FIELD_AT)
};

#define NO_CHANNEL UINT16_MAX
#define NO_REMOTE  UINT32_MAX
#define PACKET     4096.0

/* ---- the device ---- */

struct reading {
    uint8_t die;
    union {
        prof_ccu_mission_fn *mission;
        prof_ccu_channel_fn *channel;
    } fn;
    void *arg;
};

static int take_mission(void *arg, struct prof_record *x, struct err *e)
{
    const struct reading *g = arg;
    struct rec *r = &x->rec;
    struct prof_ccu_mission m = { .start = rec_u64(r, CM_START),
                                  .end = rec_u64(r, CM_END),
                                  .wait = rec_u64(r, CM_WAIT),
                                  .task = rec_u32(r, CM_TASK),
                                  .instr = rec_u16(r, CM_INSTR),
                                  .wait_instr = rec_u16(r, CM_WAIT_INSTR),
                                  .die = g->die };

    for (size_t i = 0; i < PROF_CCU_RANKS; i++)
        m.wait_end[PROF_CCU_RANKS - 1 - i] = m.wait + 4 * (uint64_t)rec_u16(r, CM_WAITED + 2 * i);
    return g->fn.mission(g->arg, &m, e);
}

int prof_ccu_missions(struct prof *p, const struct prof_folder *f, prof_ccu_mission_fn *fn, void *arg,
                      struct err *e)
{
    struct reading g = { .fn.mission = fn, .arg = arg };

    if (prof_read(p, f, PROF_CCU_MISSION, take_mission, &g, e))
        return e->code;
    g.die = 1;
    return prof_read(p, f, PROF_CCU_MISSION1, take_mission, &g, e);
}

/* Offset of a channel's values: see the layout. */
static size_t channel_at(unsigned channel)
{
    unsigned k = channel - 120;

    if (channel < 120)
        return 4 * (size_t)(channel / 12 * 64 + channel % 12 * 5);
    return 4 * (size_t)(640 + k / 4 * 32 + 6 + k % 4 * 5);
}

static int take_channels(void *arg, struct prof_record *x, struct err *e)
{
    const struct reading *g = arg;

    for (unsigned i = 0; i < PROF_CCU_CHANNELS; i++) {
        size_t at = channel_at(i);
        const struct prof_ccu_channel c = { .counter = rec_u64(&x->rec, at + CC_TIME),
                                            .max = rec_u32(&x->rec, at + CC_MAX),
                                            .min = rec_u32(&x->rec, at + CC_MIN),
                                            .mean = rec_u32(&x->rec, at + CC_MEAN),
                                            .channel = (uint8_t)i,
                                            .die = g->die };
        if (c.counter && g->fn.channel(g->arg, &c, e))
            return e->code;
    }
    return OK;
}

int prof_ccu_channels(struct prof *p, const struct prof_folder *f, prof_ccu_channel_fn *fn, void *arg,
                      struct err *e)
{
    struct reading g = { .fn.channel = fn, .arg = arg };

    if (prof_read(p, f, PROF_CCU_CHANNEL, take_channels, &g, e))
        return e->code;
    g.die = 1;
    return prof_read(p, f, PROF_CCU_CHANNEL1, take_channels, &g, e);
}

double prof_ccu_mbs(const struct prof_folder *f, uint32_t delay)
{
    double hz = f->meta.counter_hz ? (double)f->meta.counter_hz : 1e9;

    return delay ? PACKET / ((double)delay / hz * 1e6) * (1e6 / 1024 / 1024) : 0;
}

/* ---- the host ---- */

struct infos {
    struct prof_ccu_host *h;
    size_t cap;
    bool is_wait;
};

static uint8_t take_ids(struct prof_ccu_info *i, struct rec *r)
{
    uint8_t n = 0;

    for (size_t k = 0; k < PROF_CCU_RANKS; k++) {
        uint16_t channel = rec_u16(r, CI_CHANNEL + 2 * k);
        if (channel != NO_CHANNEL && rec_u32(r, CI_REMOTE + 4 * k) != NO_REMOTE)
            i->channel[n++] = channel;
    }
    return n;
}

static int take_info(void *arg, struct prof_record *x, struct err *e)
{
    struct infos *a = arg;
    struct rec *r = &x->rec;
    struct prof_ccu_info i = { .task = rec_u32(r, CI_TASK),
                               .stream = rec_u16(r, CI_STREAM),
                               .instr = rec_u16(r, CI_INSTR),
                               .place = (uint32_t)a->h->n,
                               .die = rec_u8(r, CI_DIE),
                               .is_wait = a->is_wait };

    if (a->is_wait) {
        i.mask = rec_u32(r, CI_MASK);
    } else {
        i.size_b = rec_u64(r, CI_SIZE);
        i.reduce = rec_u8(r, CI_REDUCE);
        i.input = rec_u8(r, CI_INPUT);
        i.output = rec_u8(r, CI_OUTPUT);
    }
    i.n_channels = take_ids(&i, r);
    struct prof_ccu_info *v = grow_array(a->h->v, a->h->n, &a->cap, sizeof *v, 64);
    if (!v)
        return err_nomem(e);
    a->h->v = v;
    v[a->h->n++] = i;
    return OK;
}

static int by_key(const void *va, const void *vb)
{
    const struct prof_ccu_info *a = va, *b = vb;

    if (a->is_wait != b->is_wait)
        return a->is_wait ? 1 : -1;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    if (a->instr != b->instr)
        return a->instr < b->instr ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

int prof_ccu_host_read(struct prof_ccu_host *h, struct prof *p, struct err *e)
{
    static const enum prof_tag tags[] = { PROF_CCU_GROUP, PROF_CCU_WAIT };
    struct infos a = { .h = h };

    *h = (struct prof_ccu_host){ .v = NULL };
    for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
        a.is_wait = tags[i] == PROF_CCU_WAIT;
        if (prof_read(p, p->host, tags[i], take_info, &a, e))
            return e->code;
    }
    if (h->n)
        qsort(h->v, h->n, sizeof *h->v, by_key);
    return OK;
}

void prof_ccu_host_done(struct prof_ccu_host *h)
{
    free(h->v);
    *h = (struct prof_ccu_host){ .v = NULL };
}
