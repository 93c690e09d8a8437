/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication of a device (HCCLTaskSingleDevice): its tasks by group and plane, and the ops that they
 * belong to, from the begin of the first task of the main thread to the end of its last.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/working/working.h"

/* Texts are ids of the sink. */
struct comm_op {
    uint32_t name, type, group;
    int32_t group_number;
    int64_t from, to;
    uint64_t line;
    bool by_master; /* from and to are those of tasks of the main thread, as msprof has it */
};
struct comm {
    struct working *w;
    struct database *d;
    int device;
    bool execs, comms, tracks; /* what the group feeds */
    struct intern *names;      /* of ops; the id is the index in op */
    struct comm_op *op;
    size_t cap;
    struct intern *groups;
};

enum { C_OP, C_TYPE, C_GROUP, C_TASK, C_FROM, C_DUR, C_PLANE, C_MASTER, C_N };

/* clang-format off */
static const struct database_col comm_cols[] = {
    { "op_name",    DB_TEXT, C_OP, NULL },
    { "op_type",    DB_STR,  C_TYPE, NULL },
    { "group_name", DB_TEXT, C_GROUP, NULL },
    { "hccl_name",  DB_STR,  C_TASK, NULL },
    { "timestamp",  DB_MONO, C_FROM, NULL },
    { "duration",   DB_NS,   C_DUR, NULL },
    { "plane_id",   DB_INT,  C_PLANE, NULL },
    { "is_master",  DB_INT,  C_MASTER, NULL },
};
/* clang-format on */
static const struct database_map comm_map = {
    .table = "HCCLTaskSingleDevice", DB_SLOTS(C_N), .cols = comm_cols, .n_cols = ARRAY_LEN(comm_cols)
};

static struct str text_of(const struct database_row *r, size_t slot)
{
    return r->v[slot].t == VAL_TEXT ? r->v[slot].s : STR("");
}

/* plane -1: the group's own track. */
static uint32_t track_of(struct comm *c, int32_t group, int64_t plane, struct err *e)
{
    struct database_track k = { .kind = TK_PLANE,
                                .layer = "Communication",
                                .pid = group,
                                .tid = plane,
                                .rank = c->d->c->rank,
                                .device = c->device,
                                .stream = -1,
                                .sort = ((int64_t)7 << 40) + ((int64_t)group << 16) + (plane & 0x7fff) + 1 };
    uint32_t track = database_track_find(&c->w->base.tracks, &k);
    const struct str text = intern_get(c->groups, (uint32_t)group);
    char name[80];

    if (track != SINK_NO_TRACK)
        return track;
    k.sort = plane < 0 ? k.sort - 0x8000 : k.sort;
    if (plane < 0)
        snprintf(name, sizeof name, "Group %.*s Communication", (int)(text.n < 40 ? text.n : 40), text.p);
    else
        snprintf(name, sizeof name, "Plane %lld", (long long)plane);
    k.name = str_of(name);
    return database_track(c->d, &c->w->base.tracks, &k, e);
}

static int put_event(struct comm *c, uint32_t track, uint32_t name, int64_t from, int64_t to, uint64_t line,
                     struct err *e)
{
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_event(c->d->c->out, track, from, to - from, name, line, e);
}

/* The op that a task belongs to grows with it. */
static int add_to_op(struct comm *c, const struct database_row *r, int32_t group, int64_t to, struct err *e)
{
    const struct str name = text_of(r, C_OP);
    const uint32_t before = intern_count(c->names), id = intern_put(c->names, name);
    struct comm_op *v = id == INTERN_NONE ? NULL : grow_array(c->op, id, &c->cap, sizeof *v, 64);
    const int64_t from = r->v[C_FROM].i;

    if (!v)
        return err_nomem(e);
    c->op = v;
    v += id;
    if (id == before)
        *v = (struct comm_op){ .name = sink_intern(c->d->c->out, name),
                               .type = (uint32_t)database_int(r, C_TYPE, 0),
                               .group = sink_intern(c->d->c->out, text_of(r, C_GROUP)),
                               .group_number = group,
                               .from = from,
                               .to = to,
                               .line = r->number };
    const bool master = database_int(r, C_MASTER, 1) != 0;
    if (v->by_master && !master)
        return OK;
    if (master && !v->by_master) {
        v->by_master = true;
        v->from = from;
        v->to = to;
    }
    v->from = from < v->from ? from : v->from;
    v->to = to > v->to ? to : v->to;
    return OK;
}

static int on_comm(struct database_row *r, struct err *e)
{
    struct comm *c = r->arg;
    const int64_t dur = database_int(r, C_DUR, 0), plane = database_int(r, C_PLANE, -1);

    if (r->v[C_FROM].t != VAL_INT)
        return database_no_start(r);
    const int64_t from = r->v[C_FROM].i, to = dur > 0 ? database_add(from, dur) : from;
    const uint32_t group = intern_put(c->groups, text_of(r, C_GROUP));
    if (group == INTERN_NONE)
        return err_nomem(e);
    if (add_to_op(c, r, (int32_t)group, to, e))
        return e->code;
    if (!c->tracks || plane < 0 || plane > INT16_MAX)
        return OK;
    return put_event(c, track_of(c, (int32_t)group, plane, e), (uint32_t)database_int(r, C_TASK, 0), from, to,
                     r->number, e);
}

static int put_comm(const struct comm *c, const struct comm_op *o, struct err *e)
{
    struct val v[N_COLS(comm_exec)] = { 0 };

    v[COL(comm_exec, rank)] = val_int(c->d->c->rank);
    v[COL(comm_exec, name_id)] = val_id(o->name);
    v[COL(comm_exec, type_id)] = val_id(o->type);
    v[COL(comm_exec, group_id)] = val_id(o->group);
    v[COL(comm_exec, step)] = database_step_at(&c->w->base.steps, o->from);
    v[COL(comm_exec, ts_ns)] = val_int(o->from);
    v[COL(comm_exec, dur_ns)] = val_int(o->to - o->from);
    v[COL(comm_exec, source_id)] = val_int(c->d->c->f->id);
    v[COL(comm_exec, line)] = val_int((int64_t)o->line);
    return sink_row(c->d->c->out, T_comm_exec, v, N_COLS(comm_exec), NULL, e);
}

static int put_exec(const struct comm *c, const struct comm_op *o, struct err *e)
{
    struct val v[N_COLS(op_exec)] = { 0 };
    struct op_key key = OP_KEY_INIT;
    struct op_attr attr = OP_ATTR_INIT;

    key.name_id = o->name;
    key.type_id = o->type;
    attr.core = STR("HCCL");
    attr.source_id = c->d->c->f->id;
    const int64_t op = sink_op(c->d->c->out, &key, &attr, e);
    if (!op)
        return e->code;
    v[COL(op_exec, op_id)] = val_int(op);
    v[COL(op_exec, rank)] = val_int(c->d->c->rank);
    v[COL(op_exec, step)] = database_step_at(&c->w->base.steps, o->from);
    v[COL(op_exec, ts_ns)] = val_int(o->from);
    v[COL(op_exec, dur_ns)] = val_int(o->to - o->from);
    v[COL(op_exec, device)] = val_int(c->device);
    v[COL(op_exec, source_id)] = val_int(c->d->c->f->id);
    v[COL(op_exec, line)] = val_int((int64_t)o->line);
    return sink_row(c->d->c->out, T_op_exec, v, N_COLS(op_exec), NULL, e);
}

static int put_ops(struct comm *c, struct err *e)
{
    for (uint32_t i = 0; i < intern_count(c->names); i++) {
        const struct comm_op *o = &c->op[i];
        if ((c->comms && put_comm(c, o, e)) || (c->execs && put_exec(c, o, e)) ||
            (c->tracks &&
             put_event(c, track_of(c, o->group_number, -1, e), o->name, o->from, o->to, o->line, e)))
            return e->code;
    }
    return e->code;
}

int working_comm(struct working *w, int device, struct err *e)
{
    struct comm c = { .w = w,
                      .device = device,
                      .d = working_find(w, device, STR("HCCLTaskSingleDevice")),
                      .execs = group_wants(w->base.g, "op_exec"),
                      .comms = group_wants(w->base.g, "comm_exec"),
                      .tracks = group_wants(w->base.g, "track") };

    if (!c.d || (!c.execs && !c.comms && !c.tracks))
        return OK;
    if (intern_new(&c.names, e) == OK && intern_new(&c.groups, e) == OK &&
        database_read(c.d, &comm_map, on_comm, &c, e) == OK)
        (void)!put_ops(&c, e);
    intern_free(c.names);
    intern_free(c.groups);
    free(c.op);
    return e->code;
}
