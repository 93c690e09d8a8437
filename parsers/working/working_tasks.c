/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks of a device (AscendTask) with what they compute (TaskInfo, ge_summary): ops, executions, tracks of
 * streams.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "parsers/read/opwords.h"
#include "parsers/working/working.h"

#define UNSET   INT64_C(4294967295)
#define NO_OP   UINT32_MAX
#define UNKNOWN "UNKNOWN"

/* ---- what tasks compute ---- */

/* A task by numbers, which have 32 bits: its bytes are a key. */
struct task_key {
    uint32_t device, stream, task, batch, context;
};
/* Texts are ids of the sink, 0: none. */
struct op {
    uint32_t name, type;
    uint32_t in_shapes, in_types, in_formats, out_shapes, out_types, out_formats;
    const char *core, *state, *hf32; /* NULL: not known */
    int64_t model, block, mix_block; /* -1: not set */
    int64_t id;                      /* op.id, 0: not made yet */
    uint32_t source_id;
};
struct working_ops {
    struct intern *keys; /* the id is the index in v */
    struct op *v;
    size_t cap;
};

enum {
    O_DEVICE,
    O_STREAM,
    O_TASK,
    O_BATCH,
    O_CONTEXT,
    O_NAME,
    O_TYPE,
    O_CORE,
    O_MODEL,
    O_BLOCK,
    O_MIX_BLOCK,
    O_IN_SHAPES,
    O_IN_TYPES,
    O_IN_FORMATS,
    O_OUT_SHAPES,
    O_OUT_TYPES,
    O_OUT_FORMATS,
    O_STATE,
    O_HF32,
    O_N
};

/* clang-format off */
static const struct database_col op_cols[] = {
    { "device_id",         DB_INT,  O_DEVICE, NULL },
    { "stream_id",         DB_INT,  O_STREAM, NULL },
    { "task_id",           DB_INT,  O_TASK, NULL },
    { "batch_id",          DB_INT,  O_BATCH, NULL },
    { "context_id",        DB_ID,   O_CONTEXT, NULL },
    { "op_name",           DB_STR,  O_NAME, NULL },
    { "op_type",           DB_STR,  O_TYPE, NULL },
    { "task_type",         DB_TEXT, O_CORE, NULL },
    { "model_id",          DB_ID,   O_MODEL, NULL },
    { "block_num|block_dim", DB_INT, O_BLOCK, NULL },
    { "mix_block_num|mix_block_dim", DB_INT, O_MIX_BLOCK, NULL },
    { "input_shapes",      DB_TEXT, O_IN_SHAPES, NULL },
    { "input_data_types",  DB_TEXT, O_IN_TYPES, NULL },
    { "input_formats",     DB_TEXT, O_IN_FORMATS, NULL },
    { "output_shapes",     DB_TEXT, O_OUT_SHAPES, NULL },
    { "output_data_types", DB_TEXT, O_OUT_TYPES, NULL },
    { "output_formats",    DB_TEXT, O_OUT_FORMATS, NULL },
    { "op_state",          DB_TEXT, O_STATE, NULL },
    { "op_flag",           DB_TEXT, O_HF32, NULL },
};
/* clang-format on */
static const struct database_map op_maps[] = {
    { .table = "TaskInfo", DB_SLOTS(O_N), .cols = op_cols, .n_cols = ARRAY_LEN(op_cols) },
    { .table = "ge_summary", DB_SLOTS(O_N), .cols = op_cols, .n_cols = ARRAY_LEN(op_cols) },
};

struct reading_ops {
    struct working *w;
    int device; /* of rows that do not say it */
};

/* A description of tensors; "N/A" is none. */
static uint32_t words_of(const struct database_row *r, size_t slot)
{
    const struct val *v = &r->v[slot];

    if (v->t != VAL_TEXT || str_eq(v->s, STR("N/A")) || !v->s.n)
        return 0;
    return sink_intern(r->d->c->out, op_shapes(v->s));
}

/* One of these words, for it lives longer than the row; NULL: another one. */
static const char *one_of(const struct val *v, const struct str *from, const char *const *to, size_t n)
{
    for (size_t i = 0; v->t == VAL_TEXT && i < n; i++)
        if (str_eq(v->s, from[i]))
            return to[i];
    return NULL;
}

static const char *state_of(const struct val *v)
{
    static const struct str from[] = { STR("0"), STR("1"), STR("static"), STR("dynamic") };
    static const char *const to[] = { "static", "dynamic", "static", "dynamic" };

    return one_of(v, from, to, ARRAY_LEN(from));
}

static const char *hf32_of(const struct val *v)
{
    static const struct str from[] = { STR("NO"), STR("YES") };
    static const char *const to[] = { "NO", "YES" };

    return one_of(v, from, to, ARRAY_LEN(from));
}

static uint32_t key_put(struct intern *keys, const struct task_key *key)
{
    return intern_put(keys, (struct str){ (const char *)key, sizeof *key });
}

static int on_op(struct database_row *r, struct err *e)
{
    const struct reading_ops *g = r->arg;
    struct working_ops *o = g->w->ops;
    const struct task_key key = { .device = (uint32_t)database_int(r, O_DEVICE, g->device),
                                  .stream = (uint32_t)database_int(r, O_STREAM, -1),
                                  .task = (uint32_t)database_int(r, O_TASK, -1),
                                  .batch = (uint32_t)database_int(r, O_BATCH, 0),
                                  .context = (uint32_t)database_int(r, O_CONTEXT, -1) };
    uint32_t before = intern_count(o->keys), id = key_put(o->keys, &key);
    struct op *v = id == INTERN_NONE ? NULL : grow_array(o->v, id, &o->cap, sizeof *v, 256);

    if (!v)
        return err_nomem(e);
    o->v = v;
    if (id != before)
        return OK; /* the first one counts */
    v[id] = (struct op){ .name = (uint32_t)database_int(r, O_NAME, 0),
                         .type = (uint32_t)database_int(r, O_TYPE, 0),
                         .in_shapes = words_of(r, O_IN_SHAPES),
                         .in_types = words_of(r, O_IN_TYPES),
                         .in_formats = words_of(r, O_IN_FORMATS),
                         .out_shapes = words_of(r, O_OUT_SHAPES),
                         .out_types = words_of(r, O_OUT_TYPES),
                         .out_formats = words_of(r, O_OUT_FORMATS),
                         .model = database_int(r, O_MODEL, -1),
                         .block = database_int(r, O_BLOCK, -1),
                         .mix_block = database_int(r, O_MIX_BLOCK, -1),
                         .state = state_of(&r->v[O_STATE]),
                         .hf32 = hf32_of(&r->v[O_HF32]),
                         .source_id = r->d->c->f->id };
    if (r->v[O_CORE].t == VAL_TEXT) {
        const struct str core = arena_str(r->d->c->tmp, op_core(r->v[O_CORE].s));
        if (!core.p)
            return err_nomem(e);
        v[id].core = core.p;
    }
    return OK;
}

int working_ops_read(struct working *w, struct err *e)
{
    struct reading_ops g = { w, -1 };

    w->ops = calloc(1, sizeof *w->ops);
    if (!w->ops || intern_new(&w->ops->keys, e))
        return e->code ? e->code : err_nomem(e);
    for (size_t k = 0; k < ARRAY_LEN(op_maps) && !intern_count(w->ops->keys); k++)
        for (size_t i = 0; i < w->base.n; i++) {
            g.device = w->device[i];
            if (database_read(&w->base.db[i], &op_maps[k], on_op, &g, e))
                return e->code;
        }
    return OK;
}

void working_ops_done(struct working *w)
{
    if (!w->ops)
        return;
    intern_free(w->ops->keys);
    free(w->ops->v);
    free(w->ops);
    w->ops = NULL;
}

uint32_t working_op_name(struct working *w, int device, int64_t stream, int64_t task)
{
    struct task_key key = { (uint32_t)device, (uint32_t)stream, (uint32_t)task, 0, UINT32_MAX };
    const uint32_t at = intern_find(w->ops->keys, (struct str){ (const char *)&key, sizeof key });

    key.batch = 1; /* numbers of tasks begin anew with each batch, which AI CPUs do not tell */
    if (at == INTERN_NONE ||
        intern_find(w->ops->keys, (struct str){ (const char *)&key, sizeof key }) != INTERN_NONE)
        return 0;
    return w->ops->v[at].name;
}

static int64_t make_op(struct database *d, struct op *o, struct err *e)
{
    struct op_key key = OP_KEY_INIT;
    struct op_attr attr = OP_ATTR_INIT;

    if (o->id)
        return o->id;
    key.name_id = o->name;
    key.type_id = o->type;
    key.model_id = o->model;
    key.in_shapes_id = o->in_shapes;
    key.in_types_id = o->in_types;
    key.in_formats_id = o->in_formats;
    key.out_shapes_id = o->out_shapes;
    attr.out_types_id = o->out_types;
    attr.out_formats_id = o->out_formats;
    attr.core = o->core ? str_of(o->core) : STR_NULL;
    attr.state = o->state ? str_of(o->state) : STR_NULL;
    attr.hf32 = o->hf32 ? str_of(o->hf32) : STR_NULL;
    attr.block_num = o->block;
    attr.mix_block_num = o->mix_block;
    attr.source_id = o->source_id;
    return o->id = sink_op(d->c->out, &key, &attr, e);
}

/* ---- executions by their tasks ---- */

struct working_execs {
    struct intern *keys; /* struct task_key with device 0 and batch 0 */
    struct queue {
        uint32_t first, last; /* indexes in v */
    } * queue;                /* by id of keys */
    size_t cap_queues;
    struct exec {
        int64_t id;
        uint32_t next;
    } * v;
    size_t n, cap;
};

static int keep_exec(struct working_execs *x, int64_t stream, int64_t task, int64_t context, int64_t id,
                     struct err *e)
{
    const struct task_key key = { 0, (uint32_t)stream, (uint32_t)task, 0, (uint32_t)context };
    uint32_t before = intern_count(x->keys), at = key_put(x->keys, &key);
    struct queue *q = at == INTERN_NONE ? NULL : grow_array(x->queue, at, &x->cap_queues, sizeof *q, 256);
    if (!q)
        return err_nomem(e);
    x->queue = q;
    struct exec *v = x->n == NO_OP ? NULL : grow_array(x->v, x->n, &x->cap, sizeof *v, 256);
    if (!v)
        return err_nomem(e);
    x->v = v;
    v[x->n] = (struct exec){ id, NO_OP };
    if (at == before)
        q[at].first = NO_OP;
    if (q[at].first == NO_OP)
        q[at].first = (uint32_t)x->n;
    else
        v[q[at].last].next = (uint32_t)x->n;
    q[at].last = (uint32_t)x->n++;
    return OK;
}

int64_t working_exec(struct working *w, int64_t stream, int64_t task, int64_t context)
{
    struct working_execs *x = w->execs;
    const struct task_key key = { 0, (uint32_t)stream, (uint32_t)task, 0, (uint32_t)context };
    uint32_t at = x ? intern_find(x->keys, (struct str){ (const char *)&key, sizeof key }) : INTERN_NONE;

    if (at == INTERN_NONE || x->queue[at].first == NO_OP)
        return 0;
    const struct exec *v = &x->v[x->queue[at].first];
    x->queue[at].first = v->next;
    return v->id;
}

void working_execs_done(struct working *w)
{
    if (!w->execs)
        return;
    intern_free(w->execs->keys);
    free(w->execs->queue);
    free(w->execs->v);
    free(w->execs);
    w->execs = NULL;
}

/* ---- tasks ---- */

enum { T_STREAM, T_TASK, T_CONTEXT, T_BATCH, T_FROM, T_DUR, T_HOST, T_DEVICE, T_CONNECTION, T_N };

/* clang-format off */
static const struct database_col task_cols[] = {
    { "stream_id",        DB_INT,  T_STREAM, NULL },
    { "task_id",          DB_INT,  T_TASK, NULL },
    { "context_id",       DB_ID,   T_CONTEXT, NULL },
    { "batch_id",         DB_INT,  T_BATCH, NULL },
    { "start_time",       DB_MONO, T_FROM, NULL },
    { "duration",         DB_NS,   T_DUR, NULL },
    { "host_task_type",   DB_TEXT, T_HOST, NULL },
    { "device_task_type", DB_TEXT, T_DEVICE, NULL },
    { "connection_id",    DB_ID,   T_CONNECTION, NULL },
};
/* clang-format on */
static const struct database_map task_map = {
    .table = "AscendTask", DB_SLOTS(T_N), .cols = task_cols, .n_cols = ARRAY_LEN(task_cols)
};
static const struct database_col context_cols[] = {
    { "stream_id", DB_INT, T_STREAM, NULL },
    { "task_id", DB_INT, T_TASK, NULL },
    { "context_id", DB_ID, T_CONTEXT, NULL },
    { "batch_id", DB_INT, T_BATCH, NULL },
};
static const struct database_map context_map = {
    .table = "AscendTask", DB_SLOTS(T_N), .cols = context_cols, .n_cols = ARRAY_LEN(context_cols)
};

struct tasks {
    struct working *w;
    int device;
    bool execs, tracks;
    struct intern *with_contexts; /* struct task_key of mixed kernels: their contexts are shown alone */
};

static struct task_key key_of(const struct database_row *r, int device, int64_t context)
{
    return (struct task_key){ .device = (uint32_t)device,
                              .stream = (uint32_t)database_int(r, T_STREAM, -1),
                              .task = (uint32_t)database_int(r, T_TASK, -1),
                              .batch = (uint32_t)database_int(r, T_BATCH, 0),
                              .context = (uint32_t)context };
}

static int on_context(struct database_row *r, struct err *e)
{
    struct tasks *t = r->arg;
    const struct task_key key = key_of(r, t->device, -1);

    if (r->v[T_CONTEXT].t == VAL_INT && key_put(t->with_contexts, &key) == INTERN_NONE)
        return err_nomem(e);
    return OK;
}

/* The name of a task that is no op's: the host's word for it, else the device's. */
static struct str word_of(const struct database_row *r)
{
    const struct val *v = &r->v[T_HOST];

    if (v->t == VAL_TEXT && !str_eq(v->s, STR(UNKNOWN)) && !str_eq(v->s, STR("FFTS_PLUS")))
        return v->s;
    v = &r->v[T_DEVICE];
    return v->t == VAL_TEXT ? v->s : STR("task");
}

static uint32_t stream_track(const struct database_row *r, struct tasks *t, int64_t stream, struct err *e)
{
    char name[40];
    struct database_track k = { .kind = TK_STREAM,
                                .layer = "Ascend Hardware",
                                .pid = -1,
                                .tid = stream,
                                .rank = r->rank,
                                .device = t->device,
                                .stream = stream,
                                .sort = ((int64_t)6 << 40) + (stream & UINT32_MAX) };
    uint32_t track = database_track_find(&t->w->base.tracks, &k);

    if (track != SINK_NO_TRACK)
        return track;
    snprintf(name, sizeof name, "Stream %lld", (long long)stream);
    k.name = str_of(name);
    return database_track(r->d, &t->w->base.tracks, &k, e);
}

static int put_exec(const struct database_row *r, struct tasks *t, struct op *o, int64_t dur, struct err *e)
{
    struct val v[N_COLS(op_exec)] = { 0 };
    const int64_t from = r->v[T_FROM].i, op = make_op(r->d, o, e);
    int64_t id;

    if (!op)
        return e->code;
    v[COL(op_exec, op_id)] = val_int(op);
    v[COL(op_exec, rank)] = val_int(r->rank);
    v[COL(op_exec, step)] = database_step_at(&t->w->base.steps, from);
    v[COL(op_exec, ts_ns)] = val_int(from);
    v[COL(op_exec, dur_ns)] = val_int(dur);
    v[COL(op_exec, device)] = val_int(t->device);
    v[COL(op_exec, stream)] = r->v[T_STREAM];
    v[COL(op_exec, task)] = r->v[T_TASK];
    v[COL(op_exec, context)] = r->v[T_CONTEXT];
    v[COL(op_exec, batch)] = r->v[T_BATCH];
    v[COL(op_exec, source_id)] = val_int(r->d->c->f->id);
    v[COL(op_exec, line)] = val_int((int64_t)r->number);
    if (sink_row(r->d->c->out, T_op_exec, v, N_COLS(op_exec), &id, e))
        return e->code;
    return keep_exec(t->w->execs, database_int(r, T_STREAM, -1), database_int(r, T_TASK, -1),
                     database_int(r, T_CONTEXT, -1), id, e);
}

static int on_task(struct database_row *r, struct err *e)
{
    struct tasks *t = r->arg;
    const int64_t dur = database_int(r, T_DUR, 0), stream = database_int(r, T_STREAM, -1);
    const struct task_key key = key_of(r, t->device, database_int(r, T_CONTEXT, -1)),
                          outer = key_of(r, t->device, -1);
    uint32_t at, name;

    if (r->v[T_FROM].t != VAL_INT) { /* the host issued it, the device never began it */
        r->d->c->rows--;
        return OK;
    }
    at = intern_find(t->w->ops->keys, (struct str){ (const char *)&key, sizeof key });
    if (at == INTERN_NONE && r->v[T_CONTEXT].t != VAL_INT &&
        intern_find(t->with_contexts, (struct str){ (const char *)&outer, sizeof outer }) != INTERN_NONE)
        return OK;
    if (at != INTERN_NONE && t->execs && put_exec(r, t, &t->w->ops->v[at], dur > 0 ? dur : 0, e))
        return e->code;
    if (!t->tracks || stream < 0)
        return OK;
    name = at != INTERN_NONE ? t->w->ops->v[at].name : sink_intern(r->d->c->out, word_of(r));
    const struct database_task task = { .track = stream_track(r, t, stream, e),
                                        .rank = r->rank,
                                        .from = r->v[T_FROM].i };
    if (task.track == SINK_NO_TRACK ||
        sink_event(r->d->c->out, task.track, task.from, dur > 0 ? dur : 0, name, r->number, e))
        return e->code;
    return working_end(t->w, database_int(r, T_CONNECTION, -1), &task, e);
}

int working_tasks(struct working *w, int device, struct err *e)
{
    struct tasks t = { .w = w,
                       .device = device,
                       .execs = group_wants(w->base.g, "op_exec"),
                       .tracks = group_wants(w->base.g, "track") };
    struct database *d = working_find(w, device, STR("AscendTask"));

    if (!d || (!t.execs && !t.tracks))
        return OK;
    w->execs = calloc(1, sizeof *w->execs);
    if (!w->execs)
        return err_nomem(e);
    (void)!(intern_new(&w->execs->keys, e) || intern_new(&t.with_contexts, e) ||
            database_read(d, &context_map, on_context, &t, e) || database_read(d, &task_map, on_task, &t, e));
    intern_free(t.with_contexts);
    return e->code;
}
