/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the framework (PYTORCH_API, doc/formats/analysed.md#torch_npu-tables): tracks of its threads, ops
 * with the time of their own on host and device, their call stacks, arrows to tasks, from enqueue to dequeue
 * and from forward to backward.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "base/sort_index.h"
#include "parsers/database/database_group.h"

#define SORT_HOST  2
#define TYPE_OP    50001
#define TYPE_QUEUE 50002
#define STACKS_B   ((size_t)64 << 20) /* frames of call stacks kept as text */
#define STACK_B    ((size_t)1 << 20)  /* one call stack */
#define NONE       UINT32_MAX

struct call {
    int64_t from, to;
    int64_t type, thread, connection, chain; /* -1: none */
    int64_t inner;                           /* ns of ops that it calls */
    int64_t device, device_self, aicore, aicore_self;
    uint32_t name, shapes, track, above; /* above: the op that calls it */
    uint32_t line;
};
struct host {
    struct database_group *g;
    struct database *d;
    struct call *call;
    size_t n, cap;
    struct database_ids links; /* CONNECTION_IDS: id -> index in link */
    int64_t *link;
    size_t n_links, cap_links;
    struct database_ids begun;  /* connections of links, 1: an arrow of the host began with it */
    struct database_ids frames; /* id of a frame's text -> where it lies in text */
    struct database_ids chains; /* id of a call stack -> index in frame */
    int64_t *frame;
    size_t n_frames, cap_frames;
    struct buf text, stack;
};

enum { H_FROM, H_TO, H_THREAD, H_CONNECTION, H_NAME, H_SHAPES, H_CHAIN, H_TYPE, H_N };
enum { L_ID, L_CONNECTION, L_N };
enum { F_ID, F_FRAME, F_N };
enum { T_ID, T_TEXT, T_N };

/* clang-format off */
static const struct database_col host_cols[] = {
    { "startNs",      DB_NS,  H_FROM, NULL },
    { "endNs",        DB_NS,  H_TO, NULL },
    { "globalTid",    DB_INT, H_THREAD, NULL },
    { "connectionId", DB_ID,  H_CONNECTION, NULL },
    { "name",         DB_SID, H_NAME, NULL },
    { "inputShapes",  DB_SID, H_SHAPES, NULL },
    { "callchainId",  DB_ID,  H_CHAIN, NULL },
    { "type",         DB_INT, H_TYPE, NULL },
};
static const struct database_map host_map = {
    .table = "PYTORCH_API", DB_SLOTS(H_N), .cols = host_cols, .n_cols = ARRAY_LEN(host_cols),
};
static const struct database_col link_cols[] = {
    { "id",           DB_INT, L_ID, NULL },
    { "connectionId", DB_INT, L_CONNECTION, NULL },
};
static const struct database_map link_map = {
    .table = "CONNECTION_IDS", DB_SLOTS(L_N), .cols = link_cols, .n_cols = ARRAY_LEN(link_cols),
};
/* the frames of a stack follow each other, the innermost first */
static const struct database_col frame_cols[] = {
    { "id",           DB_INT, F_ID, NULL },
    { "stack",        DB_INT, F_FRAME, NULL },
};
static const struct database_map frame_map = {
    .table = "PYTORCH_CALLCHAINS", DB_SLOTS(F_N), .cols = frame_cols, .n_cols = ARRAY_LEN(frame_cols),
};
static const struct database_col text_cols[] = {
    { "id",           DB_INT,  T_ID, NULL },
    { "value",        DB_TEXT, T_TEXT, NULL },
};
static const struct database_map text_map = {
    .table = "STRING_IDS", DB_SLOTS(T_N), .cols = text_cols, .n_cols = ARRAY_LEN(text_cols),
};
/* clang-format on */

/* ---- reading ---- */

static int on_call(struct database_row *r, struct err *e)
{
    struct host *h = r->arg;
    int64_t from, to;

    if (!database_span(r, H_FROM, H_TO, &from, &to))
        return database_no_start(r);
    struct call *v = h->n == NONE ? NULL : spool_grow(h->g->pool, h->call, h->n, &h->cap, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    h->call = v;
    v[h->n++] = (struct call){ .from = from,
                               .to = to,
                               .type = database_int(r, H_TYPE, -1),
                               .thread = database_int(r, H_THREAD, 0),
                               .connection = database_int(r, H_CONNECTION, -1),
                               .chain = database_int(r, H_CHAIN, -1),
                               .name = (uint32_t)database_int(r, H_NAME, 0),
                               .shapes = (uint32_t)database_int(r, H_SHAPES, 0),
                               .track = SINK_NO_TRACK,
                               .above = NONE,
                               .line = (uint32_t)r->number };
    return OK;
}

/* A row of two numbers: the second one is kept in order, found by the first. */
static int keep_pair(struct host *h, struct database_ids *ids, int64_t **v, size_t *n, size_t *cap,
                     int64_t id, int64_t value, struct err *e)
{
    int64_t *more = *n == NONE ? NULL : spool_grow(h->g->pool, *v, *n, cap, sizeof *more, 1024);

    if (!more)
        return err_nomem(e);
    *v = more;
    more[*n] = value;
    return database_ids_add(ids, id, (uint32_t)(*n)++, e);
}

static int on_link(struct database_row *r, struct err *e)
{
    struct host *h = r->arg;

    if (database_ids_add(&h->begun, database_int(r, L_CONNECTION, -1), 0, e))
        return e->code;
    return keep_pair(h, &h->links, &h->link, &h->n_links, &h->cap_links, database_int(r, L_ID, -1),
                     database_int(r, L_CONNECTION, -1), e);
}

static int on_frame(struct database_row *r, struct err *e)
{
    struct host *h = r->arg;
    int64_t frame = database_int(r, F_FRAME, -1);

    if (database_ids_add(&h->frames, frame, 0, e))
        return e->code;
    return keep_pair(h, &h->chains, &h->frame, &h->n_frames, &h->cap_frames, database_int(r, F_ID, -1), frame,
                     e);
}

/* The frames' texts alone are kept: other texts are many. */
static int on_text(struct database_row *r, struct err *e)
{
    struct host *h = r->arg;
    size_t at = database_ids_first(&h->frames, database_int(r, T_ID, -1));
    struct str text = r->v[T_TEXT].t == VAL_TEXT ? r->v[T_TEXT].s : STR_NULL;
    uint32_t n = (uint32_t)text.n;

    if (at == SIZE_MAX || !text.n || text.n > STACK_B || h->text.n + text.n > STACKS_B)
        return OK;
    h->frames.v[at].value = (uint32_t)h->text.n + 1;
    buf_add(&h->text, (struct str){ (const char *)&n, sizeof n });
    buf_add(&h->text, text);
    return buf_failed(&h->text) ? err_nomem(e) : OK;
}

/* ---- call stacks ---- */

static struct str frame_text(struct host *h, int64_t frame)
{
    uint32_t at = database_ids_find(&h->frames, frame), n;

    if (at == DATABASE_NO_ID || !at)
        return STR_NULL;
    memcpy(&n, h->text.p + at - 1, sizeof n);
    return (struct str){ h->text.p + at - 1 + sizeof n, n };
}

/* As the text files have it: one frame a line. */
static struct val stack_of(struct host *h, int64_t chain)
{
    size_t at = chain < 0 ? SIZE_MAX : database_ids_first(&h->chains, chain);

    if (at == SIZE_MAX)
        return val_null();
    buf_clear(&h->stack);
    for (; at < h->chains.n && h->chains.v[at].id == chain; at++) {
        struct str one = frame_text(h, h->frame[h->chains.v[at].value]);
        if (h->stack.n && one.n)
            buf_puts(&h->stack, ";\n");
        buf_add(&h->stack, one);
        if (h->stack.n > STACK_B)
            break;
    }
    return h->stack.n && !buf_failed(&h->stack) ? sink_text(h->d->c->out, buf_str(&h->stack)) : val_null();
}

/* ---- what an op took ---- */

static bool by_thread(const void *arg, uint32_t a, uint32_t b)
{
    const struct call *v = arg, *x = &v[a], *y = &v[b];

    if (x->thread != y->thread)
        return x->thread < y->thread;
    if (x->from != y->from)
        return x->from < y->from;
    return x->to > y->to;
}

static bool by_start(const void *arg, uint32_t a, uint32_t b)
{
    const struct call *v = arg;

    return v[a].from < v[b].from;
}

/* Ops within an op of their thread: on order, which is by thread and start. */
static void nest(struct host *h, const uint32_t *order)
{
    uint32_t top = NONE;

    for (size_t i = 0; i < h->n; i++) {
        struct call *c = &h->call[order[i]];
        if (c->type != TYPE_OP)
            continue;
        while (top != NONE && (h->call[top].thread != c->thread || h->call[top].to < c->to))
            top = h->call[top].above;
        c->above = top;
        if (top != NONE)
            h->call[top].inner += c->to - c->from;
        top = order[i];
    }
}

/* The tasks of its connections, of their own first; then those of the ops that an op calls. */
static void add_device(struct host *h, const uint32_t *order)
{
    struct database_ids *tasks = &h->g->by_connection;

    for (size_t i = 0; i < h->n; i++) {
        struct call *c = &h->call[i];
        size_t at = c->type == TYPE_OP && c->connection >= 0 ? database_ids_first(&h->links, c->connection)
                                                             : SIZE_MAX;
        for (; at < h->links.n && h->links.v[at].id == c->connection; at++) {
            int64_t connection = h->link[h->links.v[at].value];
            size_t k = database_ids_first(tasks, connection);
            for (; k < tasks->n && tasks->v[k].id == connection; k++) {
                const struct database_task *t = &h->g->task[tasks->v[k].value];
                c->device_self += t->is_op ? t->to - t->from : 0;
                c->aicore_self += t->on_aicore ? t->to - t->from : 0;
            }
        }
        c->device = c->device_self;
        c->aicore = c->aicore_self;
    }
    for (size_t i = h->n; i-- > 0;) {
        const struct call *c = &h->call[order[i]];
        if (c->above == NONE)
            continue;
        h->call[c->above].device += c->device;
        h->call[c->above].aicore += c->aicore;
    }
}

/* ---- rows ---- */

static int put_op(struct host *h, const struct call *c, struct err *e)
{
    struct val v[N_COLS(host_op)] = { 0 };
    char thread[32];

    snprintf(thread, sizeof thread, "%lld", (long long)(c->thread & UINT32_MAX));
    v[COL(host_op, name_id)] = val_id(c->name);
    v[COL(host_op, rank)] = val_int(h->d->c->rank);
    v[COL(host_op, thread)] = val_cstr(thread);
    v[COL(host_op, ts_ns)] = val_int(c->from);
    v[COL(host_op, dur_ns)] = val_int(c->to - c->from);
    v[COL(host_op, self_ns)] = val_int(c->to - c->from - c->inner);
    v[COL(host_op, device_ns)] = val_int(c->device);
    v[COL(host_op, device_self_ns)] = val_int(c->device_self);
    v[COL(host_op, aicore_ns)] = val_int(c->aicore);
    v[COL(host_op, aicore_self_ns)] = val_int(c->aicore_self);
    v[COL(host_op, in_shapes_id)] = val_id(c->shapes);
    v[COL(host_op, stack_id)] = stack_of(h, c->chain);
    v[COL(host_op, step)] = database_step_at(&h->g->steps, c->from);
    v[COL(host_op, source_id)] = val_int(h->d->c->f->id);
    v[COL(host_op, line)] = val_int(c->line);
    return sink_row(h->d->c->out, T_host_op, v, N_COLS(host_op), NULL, e);
}

static int put_ops(struct host *h, struct err *e)
{
    uint32_t *order = NULL;

    if (prof_order(h->g->pool, &order, h->n, by_thread, h->call, e))
        return e->code;
    nest(h, order);
    add_device(h, order);
    spool_free(h->g->pool, order);
    for (size_t i = 0; i < h->n && !e->code; i++)
        if (h->call[i].type == TYPE_OP)
            (void)!put_op(h, &h->call[i], e);
    return e->code;
}

/* ---- tracks and arrows ---- */

/* An arrow to each task of a connection, or between two calls that share it. */
static int put_arrow(struct host *h, const struct call *c, int64_t connection, struct err *e)
{
    struct database_ids *tasks = &h->g->by_connection;
    struct sink *s = h->d->c->out;
    size_t at = database_ids_first(tasks, connection);
    uint32_t cat = sink_intern(s, at != SIZE_MAX          ? STR("async_npu")
                                  : c->type == TYPE_QUEUE ? STR("async_task_queue")
                                                          : STR("fwdbwd"));
    size_t begun = database_ids_first(&h->begun, connection);

    if (begun == SIZE_MAX)
        return OK;
    if (h->begun.v[begun].value)
        return at != SIZE_MAX ? OK : sink_flow(s, c->track, c->from, 'f', cat, (uint64_t)connection, e);
    h->begun.v[begun].value = 1;
    if (sink_flow(s, c->track, c->from, 's', cat, (uint64_t)connection, e))
        return e->code;
    for (; at < tasks->n && tasks->v[at].id == connection; at++) {
        const struct database_task *t = &h->g->task[tasks->v[at].value];
        if (t->track != SINK_NO_TRACK && sink_flow(s, t->track, t->from, 'f', cat, (uint64_t)connection, e))
            return e->code;
    }
    return OK;
}

static int put_event(struct host *h, struct call *c, struct err *e)
{
    c->track = database_thread(h->g, h->d, "Python", SORT_HOST, c->thread, e);
    if (c->track == SINK_NO_TRACK ||
        sink_event(h->d->c->out, c->track, c->from, c->to - c->from, c->name, c->line, e))
        return e->code;
    size_t at = c->connection < 0 ? SIZE_MAX : database_ids_first(&h->links, c->connection);
    for (; at < h->links.n && h->links.v[at].id == c->connection; at++)
        if (put_arrow(h, c, h->link[h->links.v[at].value], e))
            return e->code;
    return OK;
}

/* In order of their starts: the first one of a connection is where its arrow begins. */
static int put_events(struct host *h, struct err *e)
{
    uint32_t *order = NULL;

    if (prof_order(h->g->pool, &order, h->n, by_start, h->call, e))
        return e->code;
    for (size_t i = 0; i < h->n && !e->code; i++)
        (void)!put_event(h, &h->call[order[i]], e);
    spool_free(h->g->pool, order);
    return e->code;
}

static int read_all(struct host *h, bool ops, struct err *e)
{
    if (database_read(h->d, &host_map, on_call, h, e) || !h->n)
        return e->code;
    if (database_read(h->d, &link_map, on_link, h, e))
        return e->code;
    if (!ops || database_read(h->d, &frame_map, on_frame, h, e) || !h->n_frames)
        return e->code;
    return database_read(h->d, &text_map, on_text, h, e);
}

int database_host(struct database_group *g, struct database *d, struct err *e)
{
    bool ops = group_wants(g->g, "host_op"), tracks = group_wants(g->g, "track");
    struct host h = { .g = g, .d = d };

    h.links.pool = h.begun.pool = h.frames.pool = h.chains.pool = g->pool;
    buf_init(&h.text, 2 * STACKS_B);
    buf_init(&h.stack, 2 * STACK_B);
    if ((ops || tracks) && read_all(&h, ops, e) == OK && h.n)
        (void)!((ops && put_ops(&h, e)) || (tracks && put_events(&h, e)));
    spool_free(g->pool, h.call);
    spool_free(g->pool, h.link);
    spool_free(g->pool, h.frame);
    database_ids_done(&h.links);
    database_ids_done(&h.begun);
    database_ids_done(&h.frames);
    database_ids_done(&h.chains);
    buf_done(&h.text);
    buf_done(&h.stack);
    return e->code;
}
