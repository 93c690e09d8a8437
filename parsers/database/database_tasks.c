/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TASK with what names its tasks (doc/formats/analysed.md#joins): executions of ops, events of streams and of
 * the planes of communication.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "parsers/database/database_group.h"
#include "parsers/read/opwords.h"

/* A task of communication. */
struct comm_task {
    uint32_t name;
    int32_t plane, group; /* group: number in order of appearance */
};
struct context {
    int64_t key;      /* stream and task id */
    int64_t from, to; /* ns */
};
/* A row that may be a mixed kernel as a whole. */
struct whole {
    struct database_task task;
    int64_t device, stream, id, line;
    uint32_t name;
};
struct tasks {
    struct database_group *g;
    struct database_ops ops;
    struct database_ids comm; /* globalTaskId -> index in comm_task */
    struct paged comm_task;
    struct intern *groups; /* ids of their names: the id here is the number */
    bool execs, tracks;    /* what the group feeds */
    /*
     * A mixed kernel has a row for the whole and one for each of its contexts: the whole is shown only where
     * there are none of these, which is known at the end.
     */
    struct paged context, whole;
};

/* ---- tasks of communication ---- */

enum { C_TASK, C_NAME, C_PLANE, C_GROUP, C_N };

/* clang-format off */
static const struct database_col comm_cols[] = {
    { "globalTaskId", DB_INT, C_TASK, NULL },
    { "taskType",     DB_SID, C_NAME, NULL },
    { "planeId",      DB_ID,  C_PLANE, NULL },
    { "groupName",    DB_INT, C_GROUP, NULL },
};
static const struct database_map comm_map = {
    .table = "COMMUNICATION_TASK_INFO", DB_SLOTS(C_N), .cols = comm_cols, .n_cols = ARRAY_LEN(comm_cols),
};

enum {
    T_FROM, T_TO, T_DEVICE, T_CONNECTION, T_ID, T_TYPE, T_WORD, T_CONTEXT, T_STREAM, T_TASK, T_MODEL, T_BATCH,
    T_N
};

static const struct database_col task_cols[] = {
    { "startNs",      DB_NS,     T_FROM, NULL },
    { "endNs",        DB_NS,     T_TO, NULL },
    { "deviceId",     DB_DEVICE, T_DEVICE, NULL },
    { "connectionId", DB_ID,     T_CONNECTION, NULL },
    { "globalTaskId", DB_INT,    T_ID, NULL },
    { "taskType",     DB_SID,    T_TYPE, NULL },
    { "taskType",     DB_INT,    T_WORD, NULL },
    { "contextId",    DB_ID,     T_CONTEXT, NULL },
    { "batchId",      DB_ID,     T_BATCH, NULL },
    { "streamId",     DB_INT,    T_STREAM, NULL },
    { "taskId",       DB_INT,    T_TASK, NULL },
    { "modelId",      DB_ID,     T_MODEL, NULL },
};
static const struct database_map task_map = {
    .table = "TASK", DB_SLOTS(T_N), .cols = task_cols, .n_cols = ARRAY_LEN(task_cols),
};

enum { P_NAME, P_TYPE, P_GROUP, P_FROM, P_TO, P_DEVICE, P_CONNECTION, P_N };

static const struct database_col op_cols[] = {
    { "opName",       DB_SID,    P_NAME, NULL },
    { "opType",       DB_SID,    P_TYPE, NULL },
    { "groupName",    DB_INT,    P_GROUP, NULL },
    { "startNs",      DB_NS,     P_FROM, NULL },
    { "endNs",        DB_NS,     P_TO, NULL },
    { "deviceId",     DB_DEVICE, P_DEVICE, NULL },
    { "connectionId", DB_ID,     P_CONNECTION, NULL },
};
static const struct database_map op_map = {
    .table = "COMMUNICATION_OP", DB_SLOTS(P_N), .cols = op_cols, .n_cols = ARRAY_LEN(op_cols),
};
/* clang-format on */

/* The number of a group of ranks, in order of appearance. */
static int group_number(struct tasks *t, int64_t name, int32_t *out, struct err *e)
{
    uint32_t n = intern_put(t->groups, (struct str){ (const char *)&name, sizeof name });

    if (n == INTERN_NONE)
        return err_nomem(e);
    *out = (int32_t)n;
    return OK;
}

/* The id of its name. */
static int64_t group_id(const struct tasks *t, int32_t number)
{
    int64_t name;

    memcpy(&name, intern_get(t->groups, (uint32_t)number).p, sizeof name);
    return name;
}

static int on_comm(struct database_row *r, struct err *e)
{
    struct tasks *t = r->arg;
    int64_t plane = database_int(r, C_PLANE, -1);
    struct comm_task c = { .name = (uint32_t)database_int(r, C_NAME, 0),
                           .plane = plane >= 0 && plane < INT32_MAX ? (int32_t)plane : -1 };

    if (t->comm_task.n == DATABASE_NO_ID)
        return err_nomem(e);
    if (group_number(t, database_int(r, C_GROUP, 0), &c.group, e))
        return e->code;
    *(struct comm_task *)paged_add(&t->comm_task) = c;
    return database_ids_add(&t->comm, database_int(r, C_TASK, -1), (uint32_t)t->comm_task.n - 1, e);
}

/* ---- tracks ---- */

static uint32_t plane_track(struct database_row *r, struct tasks *t, int64_t device, int32_t group,
                            int32_t plane, struct err *e)
{
    struct database_track w = { .kind = TK_PLANE,
                                .layer = "Communication",
                                .pid = group,
                                .tid = plane,
                                .rank = r->rank,
                                .device = device,
                                .stream = -1,
                                .sort = ((int64_t)7 << 40) + ((int64_t)group << 16) + plane + 1 };
    uint32_t track = database_track_find(&t->g->tracks, &w);
    char name[60];

    if (track != SINK_NO_TRACK)
        return track;
    struct str group_name = database_word(r->d, group_id(t, group));
    if (plane < 0 && group_name.p)
        snprintf(name, sizeof name, "Group %.*s Communication", (int)group_name.n, group_name.p);
    else if (plane < 0)
        snprintf(name, sizeof name, "Group %d Communication", group);
    else
        snprintf(name, sizeof name, "Plane %d", plane);
    w.name = str_of(name);
    return database_track(r->d, &t->g->tracks, &w, e);
}

static uint32_t stream_track(struct database *d, struct tasks *t, const struct database_task *task,
                             int64_t device, int64_t stream, struct err *e)
{
    struct database_track w = { .kind = TK_STREAM,
                                .layer = "Ascend Hardware",
                                .pid = -1,
                                .tid = stream,
                                .rank = task->rank,
                                .device = device,
                                .stream = stream,
                                .sort = ((int64_t)6 << 40) + (stream & UINT32_MAX) };
    uint32_t track = database_track_find(&t->g->tracks, &w);
    char name[40];

    if (track != SINK_NO_TRACK)
        return track;
    snprintf(name, sizeof name, "Stream %lld", (long long)stream);
    w.name = str_of(name);
    return database_track(d, &t->g->tracks, &w, e);
}

static int put_event(struct database_row *r, uint32_t track, uint32_t name, int64_t from, int64_t to,
                     struct err *e)
{
    if (track == SINK_NO_TRACK)
        return e->code;
    return sink_event(r->d->c->out, track, from, to - from, name, r->number, e);
}

/* ---- rows ---- */

static int put_exec(struct database_row *r, struct tasks *t, int64_t op, int64_t *exec, struct err *e)
{
    const bool is_task = r->map == &task_map;
    const size_t from = is_task ? T_FROM : P_FROM;
    struct val v[N_COLS(op_exec)] = { 0 };

    v[COL(op_exec, op_id)] = val_int(op);
    v[COL(op_exec, rank)] = val_int(r->rank);
    v[COL(op_exec, step)] = database_step_at(&t->g->steps, r->v[from].i);
    v[COL(op_exec, ts_ns)] = r->v[from];
    v[COL(op_exec, dur_ns)] = database_dur(r, from, is_task ? T_TO : P_TO);
    v[COL(op_exec, source_id)] = val_int(r->d->c->f->id);
    v[COL(op_exec, line)] = val_int((int64_t)r->number);
    if (is_task) {
        v[COL(op_exec, device)] = r->v[T_DEVICE];
        v[COL(op_exec, stream)] = r->v[T_STREAM];
        v[COL(op_exec, task)] = r->v[T_TASK];
        v[COL(op_exec, context)] = r->v[T_CONTEXT];
        v[COL(op_exec, batch)] = r->v[T_BATCH];
    } else {
        v[COL(op_exec, device)] = r->v[P_DEVICE];
    }
    return sink_row(r->d->c->out, T_op_exec, v, N_COLS(op_exec), exec, e);
}

int database_keep_task(struct database_group *g, int64_t id, int64_t connection,
                       const struct database_task *task, struct err *e)
{
    uint32_t at = (uint32_t)g->task.n;

    if (g->task.n == UINT32_MAX)
        return err_nomem(e);
    *(struct database_task *)paged_add(&g->task) = *task;
    if (task->exec && database_ids_add(&g->by_task, id, at, e))
        return e->code;
    return connection < 0 ? OK : database_ids_add(&g->by_connection, connection, at, e);
}

static int put_comm_event(struct database_row *r, struct tasks *t, const struct comm_task *c,
                          const struct database_task *task, struct err *e)
{
    uint32_t track = c->plane < 0 ? SINK_NO_TRACK
                                  : plane_track(r, t, database_int(r, T_DEVICE, -1), c->group, c->plane, e);

    return put_event(r, track, c->name, task->from, task->to, e);
}

/* A kernel that no op is known of, as a whole. */
static bool may_be_whole(struct database_row *r)
{
    static const struct str words[] = { STR("AI_CORE"),        STR("AI_VECTOR_CORE"), STR("MIX_AIC"),
                                        STR("MIX_AIV"),        STR("KERNEL_AICORE"),  STR("KERNEL_AIVEC"),
                                        STR("KERNEL_MIX_AIC"), STR("KERNEL_MIX_AIV"), STR("FFTS_PLUS") };
    struct str word = database_word(r->d, database_int(r, T_WORD, -1));

    if (r->v[T_CONTEXT].t == VAL_INT)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(word, words[i]))
            return true;
    return false;
}

static int keep_whole(struct database_row *r, struct tasks *t, const struct database_task *task,
                      uint32_t name, struct err *e)
{
    *(struct whole *)paged_add(&t->whole) = (struct whole){ .task = *task,
                                                            .device = database_int(r, T_DEVICE, -1),
                                                            .stream = database_int(r, T_STREAM, -1),
                                                            .id = database_int(r, T_TASK, -1),
                                                            .line = (int64_t)r->number,
                                                            .name = name };
    return paged_failed(t->g->pool, e);
}

static int64_t task_key(int64_t stream, int64_t task)
{
    return (int64_t)((uint64_t)stream << 32 ^ (uint64_t)task);
}

static int keep_context(struct database_row *r, struct tasks *t, const struct database_task *task,
                        struct err *e)
{
    *(struct context *)paged_add(&t->context) =
        (struct context){ task_key(database_int(r, T_STREAM, -1), database_int(r, T_TASK, -1)), task->from,
                          task->to };
    return paged_failed(t->g->pool, e);
}

static bool context_before(const void *a, const void *b)
{
    const struct context *x = a, *y = b;

    return x->key != y->key ? x->key < y->key : x->from < y->from;
}

/* By key and begin; to becomes the last end of those of the key so far. */
static int sort_contexts(struct tasks *t, struct err *e)
{
    if (paged_sort(&t->context, context_before, e))
        return e->code;
    for (size_t i = 1; i < t->context.n; i++) {
        const struct context last = *(const struct context *)paged_at(&t->context, i - 1);
        struct context *c = paged_edit(&t->context, i);
        if (c->key == last.key && c->to < last.to)
            c->to = last.to;
    }
    return paged_failed(t->g->pool, e);
}

/* Ids of tasks come again, so the time of a context must lie within that of the whole. */
static bool has_contexts(struct tasks *t, const struct whole *w)
{
    const int64_t key = task_key(w->stream, w->id);
    size_t low = 0, high = t->context.n;

    while (low < high) { /* behind the last one that begins before the whole ends */
        size_t mid = low + (high - low) / 2;
        const struct context *c = paged_at(&t->context, mid);
        if (c->key < key || (c->key == key && c->from <= w->task.to))
            low = mid + 1;
        else
            high = mid;
    }
    const struct context *c = low ? paged_at(&t->context, low - 1) : NULL;
    return c && c->key == key && c->to >= w->task.from;
}

static int put_wholes(struct database *d, struct tasks *t, struct err *e)
{
    if (sort_contexts(t, e))
        return e->code;
    for (size_t i = 0; i < t->whole.n && t->tracks; i++) {
        const struct whole w = *(const struct whole *)paged_at(&t->whole, i);
        if (has_contexts(t, &w))
            continue;
        uint32_t track = stream_track(d, t, &w.task, w.device, w.stream, e);
        if (track != SINK_NO_TRACK &&
            sink_event(d->c->out, track, w.task.from, w.task.to - w.task.from, w.name, (uint64_t)w.line, e))
            return e->code;
        if (e->code)
            return e->code;
    }
    return OK;
}

static int on_task(struct database_row *r, struct err *e)
{
    struct tasks *t = r->arg;
    int64_t id = database_int(r, T_ID, -1), stream = database_int(r, T_STREAM, -1);
    uint32_t op = database_ops_of(&t->ops, id), comm = database_ids_find(&t->comm, id);
    uint32_t name = (uint32_t)database_int(r, T_TYPE, 0);
    int64_t connection = database_int(r, T_CONNECTION, -1), device = database_int(r, T_DEVICE, -1);
    struct database_task task = { .track = SINK_NO_TRACK, .rank = r->rank };

    if (!database_span(r, T_FROM, T_TO, &task.from, &task.to))
        return database_no_start(r);
    if (op != DATABASE_NO_ID) {
        const struct database_op what = database_ops_get(&t->ops, op);
        name = what.name;
        task.is_op = true;
        task.on_aicore = str_eq(database_word(r->d, what.core), STR("AI_CORE"));
        int64_t made = t->execs ? database_ops_make(r->d, &t->ops, op, database_int(r, T_MODEL, -1), e) : 0;
        int64_t exec = 0;
        if (e->code || (made && put_exec(r, t, made, &exec, e)))
            return e->code;
        task.exec = (uint64_t)exec & UINT64_MAX >> 2; /* ids of rows are in a row, from 1 */
    } else if (comm != DATABASE_NO_ID) {
        const struct comm_task c = *(const struct comm_task *)paged_at(&t->comm_task, comm);
        name = c.name;
        if (!str_eq(database_word(r->d, database_int(r, T_WORD, -1)), STR("MEMCPY_ASYNC")))
            connection = -1; /* its arrow leads to the op, as in msprof's trace */
        if (t->tracks && put_comm_event(r, t, &c, &task, e))
            return e->code;
    }
    if (r->v[T_CONTEXT].t == VAL_INT && keep_context(r, t, &task, e))
        return e->code;
    if (op == DATABASE_NO_ID && comm == DATABASE_NO_ID && may_be_whole(r))
        return keep_whole(r, t, &task, name, e);
    if (t->tracks && stream >= 0) {
        task.track = stream_track(r->d, t, &task, device, stream, e);
        if (put_event(r, task.track, name, task.from, task.to, e))
            return e->code;
    }
    return database_keep_task(t->g, id, connection, &task, e);
}

/* ---- communication ops ---- */

static int64_t comm_op(struct database_row *r, struct err *e)
{
    struct op_key key = OP_KEY_INIT;
    struct op_attr attr = OP_ATTR_INIT;

    key.name_id = (uint32_t)database_int(r, P_NAME, 0);
    key.type_id = (uint32_t)database_int(r, P_TYPE, 0);
    attr.core = STR("HCCL");
    attr.source_id = r->d->c->f->id;
    return sink_op(r->d->c->out, &key, &attr, e);
}

static int on_comm_op(struct database_row *r, struct err *e)
{
    struct tasks *t = r->arg;
    struct database_task task = { .track = SINK_NO_TRACK, .rank = r->rank, .is_op = true };
    int64_t op, exec;
    int32_t group = 0;

    if (!database_span(r, P_FROM, P_TO, &task.from, &task.to))
        return database_no_start(r);
    if (t->execs && (!(op = comm_op(r, e)) || put_exec(r, t, op, &exec, e)))
        return e->code;
    if (!t->tracks || group_number(t, database_int(r, P_GROUP, 0), &group, e))
        return e->code;
    task.track = plane_track(r, t, database_int(r, P_DEVICE, -1), group, -1, e);
    if (put_event(r, task.track, (uint32_t)database_int(r, P_NAME, 0), task.from, task.to, e))
        return e->code;
    return database_keep_task(t->g, -1, database_int(r, P_CONNECTION, -1), &task, e);
}

int database_tasks(struct database_group *g, struct database *d, struct err *e)
{
    struct tasks t = { .g = g, .execs = group_wants(g->g, "op_exec"), .tracks = group_wants(g->g, "track") };

    if (!t.execs && !t.tracks && !group_wants(g->g, "host_op"))
        return OK;
    database_ids_init(&t.comm, g->pool);
    paged_init(&t.comm_task, g->pool, sizeof(struct comm_task));
    paged_init(&t.context, g->pool, sizeof(struct context));
    paged_init(&t.whole, g->pool, sizeof(struct whole));
    /* communication ops first: their groups get the first numbers */
    (void)!(intern_new(&t.groups, e) || database_read(d, &op_map, on_comm_op, &t, e) ||
            database_ops_read(d, &t.ops, e) || database_read(d, &comm_map, on_comm, &t, e) ||
            database_read(d, &task_map, on_task, &t, e) || put_wholes(d, &t, e));
    database_ops_done(&t.ops);
    database_ids_done(&t.comm);
    intern_free(t.groups);
    paged_done(&t.context);
    paged_done(&t.whole);
    paged_done(&t.comm_task);
    return e->code;
}
