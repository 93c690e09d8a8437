/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ccu_mission.csv, ccu_channel.csv (doc/formats/msprof.md#csv-columns): of Python's half on every chip that
 * has CCUs (upstream, analysis/viewer/ccu, analysis/msparser/hardware/ccu_mission_parser.py).
 */
#include "config.h"

#include <stdlib.h>

#include "msprof/ccu.h"

struct table {
    struct msprof_run *r;
    size_t device;
    struct msprof_csv c;
    struct prof_ccu_streams streams;
};
typedef int device_fn(struct table *t, struct err *e);

static int write_table(struct msprof_run *r, const char *name, const char *header, device_fn *fn,
                       struct err *e)
{
    struct table t = { .r = r };

    if (msprof_csv_begin(&t.c, r, name, 0, header, e))
        return e->code;
    for (; t.device < r->m.n_dev && !e->code; t.device++)
        (void)!fn(&t, e);
    return msprof_csv_end(&t.c, e);
}

/* A row that begins with its device. NULL: e is set. */
static struct emit *row_of(struct table *t, struct err *e)
{
    struct emit *o = msprof_csv_row(&t->c, e);

    if (o) {
        emit_u(o, (uint64_t)t->r->m.p->device[t->device]->device);
        emit_c(o, ',');
    }
    return o;
}

static void put_instant(const struct table *t, struct emit *o, uint64_t counter)
{
    const struct msprof_clock *c = &t->r->clock[t->device];

    msprof_put_ns(o,
                  t->r->o->compat ? msprof_local_us(c, msprof_dev(c, counter, 1e6))
                                  : prof_device_ns(t->r->m.p->device[t->device], counter),
                  true);
}

/* us; may be negative. */
static void put_duration(const struct table *t, struct emit *o, uint64_t from, uint64_t to)
{
    const struct msprof_clock *c = &t->r->clock[t->device];

    emit_repr(o, to >= from ? msprof_duration_us(c, to - from) : -msprof_duration_us(c, from - to));
    emit_c(o, '\t');
}

/* ---- ccu_mission ---- */

/* msprof shows a missing time as counter 0: a time before all others. */
static void put_loops(const struct table *t, struct emit *o, const struct prof_ccu_mission *m)
{
    if (!m->start && !t->r->o->compat) {
        emit_s(o, "N/A,N/A,N/A");
        return;
    }
    emit_u(o, m->instr);
    emit_c(o, ',');
    put_instant(t, o, m->start);
    emit_c(o, ',');
    put_duration(t, o, m->start, m->end);
}

/* rank: of the wait. */
static int put_mission(struct table *t, const struct prof_ccu_mission *m, unsigned rank, struct err *e)
{
    struct emit *o = row_of(t, e);
    uint16_t stream = prof_ccu_stream_at(&t->streams, m->task);
    bool compat = t->r->o->compat;

    if (!o)
        return e->code;
    if (stream == PROF_CCU_NO_STREAM && !compat)
        emit_s(o, "N/A");
    else
        emit_u(o, stream);
    emit_c(o, ',');
    emit_u(o, m->task);
    emit_c(o, ',');
    put_loops(t, o, m);
    emit_c(o, ',');
    if (!m->wait && !compat) {
        emit_s(o, "N/A,N/A,N/A\n");
        return OK;
    }
    emit_u(o, m->wait_instr);
    emit_c(o, ',');
    emit_u(o, rank);
    emit_c(o, ',');
    put_duration(t, o, m->wait, m->wait ? m->wait_end[rank] : 0);
    emit_c(o, '\n');
    return OK;
}

/* A wait has a row for each rank, the last rank first. */
static int on_mission(void *arg, const struct prof_ccu_mission *m, struct err *e)
{
    if (!m->wait)
        return put_mission(arg, m, 0, e);
    for (unsigned rank = PROF_CCU_RANKS; rank-- > 0;)
        if (put_mission(arg, m, rank, e))
            return e->code;
    return OK;
}

static int missions(struct table *t, struct err *e)
{
    const struct prof_folder *f = t->r->m.p->device[t->device];

    if (!t->r->m.p->chip->v6 || (!prof_has(f, PROF_CCU_MISSION) && !prof_has(f, PROF_CCU_MISSION1)))
        return OK;
    if (prof_ccu_streams_of(&t->streams, f, &t->r->m.host, e) == OK)
        (void)!prof_ccu_missions(t->r->m.p, f, on_mission, t, e);
    free(t->streams.v);
    return e->code;
}

/* ---- ccu_channel ---- */

static int on_channel(void *arg, const struct prof_ccu_channel *s, struct err *e)
{
    struct table *t = arg;
    const uint32_t delays[] = { s->min, s->max, s->mean }; /* the shortest delay gives the largest rate */
    struct emit *o = row_of(t, e);

    if (!o)
        return e->code;
    emit_u(o, s->channel);
    emit_c(o, ',');
    put_instant(t, o, s->counter);
    for (size_t i = 0; i < ARRAY_LEN(delays); i++) {
        emit_c(o, ',');
        if (delays[i])
            emit_repr(o, emit_round(prof_ccu_mbs(t->r->m.p->device[t->device], delays[i]), 3));
        else
            emit_c(o, '0');
    }
    emit_c(o, '\n');
    return OK;
}

static int channels(struct table *t, struct err *e)
{
    return t->r->m.p->chip->v6 ? prof_ccu_channels(t->r->m.p, t->r->m.p->device[t->device], on_channel, t, e)
                               : OK;
}

int msprof_ccu(struct msprof_run *r, struct err *e)
{
    if (write_table(r, "ccu_mission",
                    "Device_id,Stream ID,Task Id,Instruction ID,Instruction Start "
                    "Time(us),Instruction Duration(us),Notify Instruction ID,Notify Rank "
                    "ID,Notify Duration(us)",
                    missions, e) &&
        !emit_goes_on(e))
        return e->code;
    return write_table(r, "ccu_channel",
                       "Device_id,Channel Id,Timestamp(us),Max Bandwidth(MB/s),Min "
                       "Bandwidth(MB/s),Avg Bandwidth(MB/s)",
                       channels, e);
}
