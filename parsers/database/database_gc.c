/* SPDX-License-Identifier: Apache-2.0 */
/* Garbage collections (GC_RECORD, doc/formats/analysed.md#torch_npu-tables): host ops on their own track. */
#include "config.h"

#include "parsers/database/database_group.h"

/* After all threads of the framework. */
#define SORT_GC (((int64_t)2 << 40) + ((int64_t)1 << 33))

struct collections {
    struct database_group *g;
    struct database *d;
    uint32_t track; /* SINK_NO_TRACK: not made yet, or not wanted */
    uint32_t name;  /* text, 0: not known yet */
    bool ops, tracks;
};

enum { C_FROM, C_TO, C_N };

/* clang-format off */
static const struct database_col gc_cols[] = {
    { "startNs", DB_NS, C_FROM, NULL },
    { "endNs",   DB_NS, C_TO, NULL },
};
static const struct database_map gc_map = {
    .table = "GC_RECORD", DB_SLOTS(C_N), .cols = gc_cols, .n_cols = ARRAY_LEN(gc_cols),
};
/* clang-format on */

static int put_event(struct collections *x, int64_t from, int64_t to, uint32_t line, struct err *e)
{
    const struct database_track w = { .kind = TK_HOST_THREAD,
                                      .layer = "Python",
                                      .tid = -1,
                                      .rank = x->d->c->rank,
                                      .device = -1,
                                      .stream = -1,
                                      .sort = SORT_GC,
                                      .name = STR("garbage collection") };

    if (x->track == SINK_NO_TRACK)
        x->track = database_track(x->d, &x->g->tracks, &w, e);
    return x->track == SINK_NO_TRACK ? e->code
                                     : sink_event(x->d->c->out, x->track, from, to - from, x->name, line, e);
}

static int put_op(struct collections *x, int64_t from, int64_t to, uint32_t line, struct err *e)
{
    struct val v[N_COLS(host_op)] = { 0 };

    v[COL(host_op, name_id)] = v[COL(host_op, type_id)] = val_id(x->name);
    v[COL(host_op, rank)] = val_int(x->d->c->rank);
    v[COL(host_op, ts_ns)] = val_int(from);
    v[COL(host_op, dur_ns)] = v[COL(host_op, self_ns)] = val_int(to - from);
    v[COL(host_op, step)] = database_step_at(&x->g->steps, from);
    v[COL(host_op, source_id)] = val_int(x->d->c->f->id);
    v[COL(host_op, line)] = val_int(line);
    return sink_row(x->d->c->out, T_host_op, v, N_COLS(host_op), NULL, e);
}

static int on_collection(struct database_row *r, struct err *e)
{
    struct collections *x = r->arg;
    int64_t from, to;

    if (!database_span(r, C_FROM, C_TO, &from, &to))
        return database_no_start(r);
    if (!x->name)
        x->name = sink_intern(x->d->c->out, STR("GC"));
    if (x->tracks && put_event(x, from, to, (uint32_t)r->number, e))
        return e->code;
    return x->ops ? put_op(x, from, to, (uint32_t)r->number, e) : OK;
}

int database_collections(struct database_group *g, struct database *d, struct err *e)
{
    struct collections x = { .g = g,
                             .d = d,
                             .track = SINK_NO_TRACK,
                             .ops = group_wants(g->g, "host_op"),
                             .tracks = group_wants(g->g, "track") };

    if ((!x.ops && !x.tracks) || database_table(d, STR("GC_RECORD")) == SIZE_MAX)
        return OK;
    return database_read(d, &gc_map, on_collection, &x, e);
}
