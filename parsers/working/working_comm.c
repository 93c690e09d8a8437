/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Communication of a device (HCCLTaskSingleDevice): its tasks by group and plane, and the ops that they
 * belong to, from the begin of the first task of the main thread to the end of its last, with what they
 * moved.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bounded.h"
#include "base/grow.h"
#include "parsers/prof/comm/comm.h"
#include "parsers/prof/rows/comm_figures.h"
#include "parsers/prof/words.h"
#include "parsers/working/working.h"

/* Texts are ids of the sink. */
struct comm_op {
    uint32_t name, type, group;
    int32_t group_number;
    int64_t from, to;
    int64_t connection; /* -1: none */
    uint64_t line;
    bool by_master; /* from and to are those of tasks of the main thread, as msprof has it */
};
/* A task of an op. */
struct comm_task {
    int64_t from;
    uint32_t op, plane;
    bool master;
    struct comm_moved moved;
};
struct comm {
    struct working *w;
    struct database *d;
    int device;
    bool execs, comms, tracks; /* what the group feeds */
    struct intern *names;      /* of ops; the id is the index in op */
    struct comm_op *op;
    size_t cap;
    struct intern *groups;  /* digits of their hashes */
    struct str *group_name; /* by id of groups, once all are known; p NULL: there is none */
    struct paged task;      /* of struct comm_task */
};

enum {
    C_OP,
    C_TYPE,
    C_GROUP,
    C_TASK,
    C_FROM,
    C_DUR,
    C_PLANE,
    C_MASTER,
    C_CONNECTION,
    C_SIZE,
    C_SRC,
    C_DST,
    C_TRANSPORT,
    C_LINK,
    C_RDMA,
    C_N
};

/* clang-format off */
static const struct database_col comm_cols[] = {
    { "op_name",        DB_TEXT, C_OP, NULL },
    { "op_type",        DB_STR,  C_TYPE, NULL },
    { "group_name",     DB_TEXT, C_GROUP, NULL },
    { "hccl_name",      DB_TEXT, C_TASK, NULL },
    { "timestamp",      DB_MONO, C_FROM, NULL },
    { "duration",       DB_NS,   C_DUR, NULL },
    { "plane_id",       DB_INT,  C_PLANE, NULL },
    { "is_master",      DB_INT,  C_MASTER, NULL },
    { "connection_id",  DB_ID,   C_CONNECTION, NULL },
    { "size",           DB_INT,  C_SIZE, NULL },
    { "local_rank",     DB_ID,   C_SRC, NULL },
    { "remote_rank",    DB_ID,   C_DST, NULL },
    { "transport_type", DB_TEXT, C_TRANSPORT, NULL },
    { "link_type",      DB_TEXT, C_LINK, NULL },
    { "rdma_type",      DB_TEXT, C_RDMA, NULL },
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
    char name[80];

    if (track != SINK_NO_TRACK)
        return track;
    k.sort = plane < 0 ? k.sort - 0x8000 : k.sort;
    const struct str digits = intern_get(c->groups, (uint32_t)group),
                     text = c->group_name && c->group_name[group].p ? c->group_name[group] : digits;
    if (plane < 0)
        snprintf(name, sizeof name, "Group %.*s", (int)(text.n < 64 ? text.n : 64), text.p);
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

/* The op that a task belongs to grows with it: its number, INTERN_NONE: e is set. */
static uint32_t add_to_op(struct comm *c, const struct database_row *r, int32_t group, int64_t to,
                          struct err *e)
{
    const struct str name = text_of(r, C_OP);
    const uint32_t before = intern_count(c->names), id = intern_put(c->names, name);
    struct comm_op *v = id == INTERN_NONE ? NULL : grow_array(c->op, id, &c->cap, sizeof *v, 64);
    const int64_t from = r->v[C_FROM].i;

    if (!v) {
        err_nomem(e);
        return INTERN_NONE;
    }
    c->op = v;
    v += id;
    if (id == before)
        *v = (struct comm_op){ .name = sink_intern(c->d->c->out, name),
                               .type = (uint32_t)database_int(r, C_TYPE, 0),
                               .group = sink_intern(c->d->c->out, text_of(r, C_GROUP)),
                               .group_number = group,
                               .from = from,
                               .to = to,
                               .connection = database_int(r, C_CONNECTION, -1),
                               .line = r->number };
    const bool master = database_int(r, C_MASTER, 1) != 0;
    if (v->by_master && !master)
        return id;
    if (master && !v->by_master) {
        v->by_master = true;
        v->from = from;
        v->to = to;
    }
    v->from = from < v->from ? from : v->from;
    v->to = to > v->to ? to : v->to;
    return id;
}

/* The number of a word, UINT32_MAX: it is another one. */
static uint32_t number_of(const struct layout_word *table, const struct val *v)
{
    for (; v->t == VAL_TEXT && table->word; table++)
        if (str_eq(v->s, str_of(table->word)))
            return (uint32_t)table->value;
    return UINT32_MAX;
}

static bool is_word(const struct val *v, const char *word)
{
    return v->t == VAL_TEXT && str_eq(v->s, str_of(word));
}

/* The task for the figures of its op, the last one that was added to. */
static int keep_moved(struct comm *c, const struct database_row *r, uint32_t op, struct err *e)
{
    const struct val *name = &r->v[C_TASK];

    *(struct comm_task *)paged_add(&c->task) =
        (struct comm_task){ .from = r->v[C_FROM].i,
                            .op = op,
                            .plane = (uint32_t)database_int(r, C_PLANE, -1),
                            .master = database_int(r, C_MASTER, 1) != 0,
                            .moved = { .from = r->v[C_FROM].i,
                                       .plane = (uint32_t)database_int(r, C_PLANE, -1),
                                       .ns = database_int(r, C_DUR, 0),
                                       .size_b = (uint64_t)database_int(r, C_SIZE, 0),
                                       .src = (uint32_t)database_int(r, C_SRC, UINT32_MAX),
                                       .dst = (uint32_t)database_int(r, C_DST, UINT32_MAX),
                                       .transport = number_of(prof_transports, &r->v[C_TRANSPORT]),
                                       .link = number_of(prof_links, &r->v[C_LINK]),
                                       .rdma = number_of(prof_rdmas, &r->v[C_RDMA]),
                                       .is_copy = is_word(name, "Memcpy") || is_word(name, "Reduce_Inline"),
                                       .is_wait = is_word(name, "Notify_Wait") } };
    return paged_failed(c->w->base.pool, e);
}

static int on_comm(struct database_row *r, struct err *e)
{
    struct comm *c = r->arg;
    const int64_t dur = database_int(r, C_DUR, 0), plane = database_int(r, C_PLANE, -1);

    if (r->v[C_FROM].t != VAL_INT)
        return database_no_start(r);
    const int64_t from = r->v[C_FROM].i, to = dur > 0 ? bounded_add(from, dur) : from;
    const uint32_t group = intern_put(c->groups, text_of(r, C_GROUP));
    if (group == INTERN_NONE)
        return err_nomem(e);
    const uint32_t op = add_to_op(c, r, (int32_t)group, to, e);
    if (op == INTERN_NONE || (c->comms && keep_moved(c, r, op, e)))
        return e->code;
    if (!c->tracks || plane < 0 || plane > INT16_MAX)
        return OK;
    return put_event(c, track_of(c, (int32_t)group, plane, e), sink_intern(r->d->c->out, text_of(r, C_TASK)),
                     from, to, r->number, e);
}

/* ---- figures ---- */

static bool task_before(const void *a, const void *b)
{
    const struct comm_task *x = a, *y = b;

    return x->op != y->op ? x->op < y->op : x->from < y->from;
}

static const struct comm_task *task_at(struct comm *c, size_t at)
{
    return paged_at(&c->task, at);
}

/*
 * The figures of an op from its tasks, which are sorted; *at: its first one, and then the next op's. The main
 * plane is that of the first task of a master call, of the first task when there is none.
 */
static struct comm_figures figures_of(struct comm *c, uint32_t op, size_t *at)
{
    struct comm_figures o = { .closes = prof_rdma_closes(intern_get(c->names, op)) };
    size_t to = *at, main = *at;

    while (to < c->task.n && task_at(c, to)->op == op)
        to++;
    while (main < to && !task_at(c, main)->master)
        main++;
    const uint32_t plane = *at < to ? task_at(c, main < to ? main : *at)->plane : 0;
    for (; *at < to; ++*at) {
        struct comm_moved m = task_at(c, *at)->moved;
        m.is_main = task_at(c, *at)->plane == plane;
        comm_figures_add(&o, &m);
    }
    comm_figures_end(&o);
    return o;
}

static int put_links(const struct comm *c, const struct comm_op *o, const struct comm_figures *of,
                     int64_t exec, struct err *e)
{
    struct val v[N_COLS(comm_link)] = { 0 };

    v[COL(comm_link, rank)] = val_int(c->d->c->rank);
    v[COL(comm_link, comm_id)] = val_int(exec);
    v[COL(comm_link, step)] = database_step_at(&c->w->base.steps, o->to);
    v[COL(comm_link, name_id)] = val_id(o->name);
    v[COL(comm_link, type_id)] = val_id(o->type);
    v[COL(comm_link, group_id)] = val_id(o->group);
    v[COL(comm_link, source_id)] = val_int(c->d->c->f->id);
    v[COL(comm_link, line)] = val_int((int64_t)o->line);
    return comm_figures_links(of, v, c->d->c->out, e);
}

static int put_comm(const struct comm *c, const struct comm_op *o, const struct comm_figures *of,
                    struct err *e)
{
    struct val v[N_COLS(comm_exec)] = { 0 };
    int64_t exec = 0;

    v[COL(comm_exec, rank)] = val_int(c->d->c->rank);
    v[COL(comm_exec, name_id)] = val_id(o->name);
    v[COL(comm_exec, type_id)] = val_id(o->type);
    v[COL(comm_exec, group_id)] = val_id(o->group);
    v[COL(comm_exec, step)] = database_step_at(&c->w->base.steps, o->from);
    v[COL(comm_exec, ts_ns)] = val_int(o->from);
    v[COL(comm_exec, dur_ns)] = val_int(o->to - o->from);
    v[COL(comm_exec, source_id)] = val_int(c->d->c->f->id);
    v[COL(comm_exec, line)] = val_int((int64_t)o->line);
    comm_figures_exec(of, o->to - o->from, v);
    if (sink_row(c->d->c->out, T_comm_exec, v, N_COLS(comm_exec), &exec, e))
        return e->code;
    return put_links(c, o, of, exec, e);
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

/* ---- names of groups ---- */

enum { G_KEY, G_NAME, G_N };

/* clang-format off */
static const struct database_col hash_cols[] = {
    { "hash_key",   DB_TEXT, G_KEY, NULL },
    { "hash_value", DB_TEXT, G_NAME, NULL },
};
/* clang-format on */
static const struct database_map hash_map = {
    .table = "GeHashInfo", DB_SLOTS(G_N), .cols = hash_cols, .n_cols = ARRAY_LEN(hash_cols)
};

static int on_hash(struct database_row *r, struct err *e)
{
    struct comm *c = r->arg;
    const uint32_t group = intern_find(c->groups, text_of(r, G_KEY));

    if (group == INTERN_NONE || r->v[G_NAME].t != VAL_TEXT)
        return OK;
    c->group_name[group] = arena_str(c->w->base.g->tmp, r->v[G_NAME].s);
    return c->group_name[group].p ? OK : err_nomem(e);
}

/* Tracks say which group they are of. */
static int name_groups(struct comm *c, struct err *e)
{
    struct database *d = working_find(c->w, -1, STR("GeHashInfo"));

    c->group_name = arena_array(c->w->base.g->tmp, intern_count(c->groups) + 1, sizeof *c->group_name);
    if (!c->group_name)
        return err_nomem(e);
    return d ? database_read(d, &hash_map, on_hash, c, e) : OK;
}

/* ---- ops ---- */

static int put_op_event(struct comm *c, const struct comm_op *o, struct err *e)
{
    const struct database_task task = { .track = track_of(c, o->group_number, -1, e),
                                        .rank = c->d->c->rank,
                                        .from = o->from };

    return put_event(c, task.track, o->name, o->from, o->to, o->line, e)
               ? e->code
               : working_end(c->w, o->connection, &task, e);
}

static int put_ops(struct comm *c, struct err *e)
{
    size_t at = 0;

    if ((c->tracks && name_groups(c, e)) || paged_sort(&c->task, task_before, e))
        return e->code;
    for (uint32_t i = 0; i < intern_count(c->names); i++) {
        const struct comm_op *o = &c->op[i];
        const struct comm_figures of = figures_of(c, i, &at);
        if ((c->comms && put_comm(c, o, &of, e)) || (c->execs && put_exec(c, o, e)) ||
            (c->tracks && put_op_event(c, o, e)))
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
    paged_init(&c.task, w->base.pool, sizeof(struct comm_task));
    if (intern_new(&c.names, e) == OK && intern_new(&c.groups, e) == OK &&
        database_read(c.d, &comm_map, on_comm, &c, e) == OK)
        (void)!put_ops(&c, e);
    intern_free(c.names);
    intern_free(c.groups);
    paged_done(&c.task);
    free(c.op);
    return e->code;
}
