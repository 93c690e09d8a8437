/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the framework (PYTORCH_API, doc/formats/analysed.md#torch_npu-tables): tracks of its threads, ops
 * with the time of their own on host and device, their call stacks, arrows to tasks, from enqueue to dequeue
 * and from forward to backward.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/bounded.h"
#include "base/grow.h"
#include "base/sort_index.h"
#include "parsers/database/database_group.h"

#include "parsers/read/lines.h"

#define SORT_HOST  2
#define TYPE_OP    50001
#define TYPE_QUEUE 50002
#define VISITS_MAX 64    /* calls with one id of CONNECTION_IDS that get arrows */
#define LOOK       16384 /* calls that are walked between two looks at the pages of files */
#define NONE       UINT32_MAX

struct call {
    int64_t from, to;
    int64_t inner;          /* ns of ops that it calls */
    int64_t device, aicore; /* ns of its tasks, and of those of ops that it calls */
    uint32_t thread;        /* number of it */
    uint32_t link;          /* NONE: it has no connections */
    uint32_t name, shapes, stack;
    uint32_t above; /* the op that calls it */
    uint32_t line;
    bool is_op, is_queue;
};
struct host {
    struct database_group *g;
    struct database *d;
    struct call *call;
    size_t n, cap;
    struct intern *threads; /* globalTid; the id is the number */
    struct database_links links;
    struct database_ids stacks;
    uint64_t left; /* calls without arrows */
};

enum { H_FROM, H_TO, H_THREAD, H_CONNECTION, H_NAME, H_SHAPES, H_CHAIN, H_TYPE, H_N };

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
/* clang-format on */

/* ---- reading ---- */

static int on_call(struct database_row *r, struct err *e)
{
    struct host *h = r->arg;
    const int64_t thread = database_int(r, H_THREAD, 0), connection = database_int(r, H_CONNECTION, -1);
    const int64_t chain = database_int(r, H_CHAIN, -1), type = database_int(r, H_TYPE, -1);
    int64_t from, to;

    if (!database_span(r, H_FROM, H_TO, &from, &to))
        return database_no_start(r);
    uint32_t number = intern_put(h->threads, (struct str){ (const char *)&thread, sizeof thread });
    struct call *v = h->n == NONE || number == INTERN_NONE
                         ? NULL
                         : spool_grow(h->g->pool, h->call, h->n, &h->cap, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    h->call = v;
    v += h->n++;
    *v = (struct call){ .from = from,
                        .to = to,
                        .thread = number,
                        .link = connection < 0 ? NONE : database_links_first(&h->links, connection),
                        .name = (uint32_t)database_int(r, H_NAME, 0),
                        .shapes = (uint32_t)database_int(r, H_SHAPES, 0),
                        .stack = chain < 0 ? DATABASE_NO_ID : database_ids_find(&h->stacks, chain),
                        .above = NONE,
                        .line = (uint32_t)r->number,
                        .is_op = type == TYPE_OP,
                        .is_queue = type == TYPE_QUEUE };
    if (v->link != NONE && v->is_op) { /* and of ops that it calls: nest() */
        v->device = h->links.v[v->link].device;
        v->aicore = h->links.v[v->link].aicore;
    }
    return OK;
}

/* Calls are walked again and again: those that lie in files shall not all be in memory. */
static void walked(const struct host *h, size_t i)
{
    if (i % LOOK == 0)
        spool_leave(h->g->pool);
}

static int64_t thread_of(const struct host *h, const struct call *c)
{
    int64_t thread;

    memcpy(&thread, intern_get(h->threads, c->thread).p, sizeof thread);
    return thread;
}

/* ---- what an op took ---- */

/* Of calls that begin together the one that lasts longer calls the others. */
static bool by_start(const void *arg, uint32_t a, uint32_t b)
{
    const struct call *v = arg, *x = &v[a], *y = &v[b];

    return x->from != y->from ? x->from < y->from : x->to > y->to;
}

/* An op is over: what it called is known. The op that calls it, NONE: none does. */
static uint32_t leave_op(struct host *h, uint32_t op)
{
    const struct call *c = &h->call[op];

    if (c->above == NONE)
        return NONE;
    struct call *above = &h->call[c->above];
    above->inner = bounded_add(above->inner, c->to - c->from);
    above->device = bounded_add(above->device, c->device);
    above->aicore = bounded_add(above->aicore, c->aicore);
    return c->above;
}

/* Ops within an op of their thread. top: by thread, the op that its next one may lie in. */
static void nest(struct host *h, const uint32_t *order, uint32_t *top)
{
    const uint32_t threads = intern_count(h->threads);

    for (uint32_t i = 0; i < threads; i++)
        top[i] = NONE;
    for (size_t i = 0; i < h->n; i++) {
        struct call *c = &h->call[order[i]];
        walked(h, i);
        if (!c->is_op)
            continue;
        uint32_t *t = &top[c->thread];
        while (*t != NONE && h->call[*t].to < c->to)
            *t = leave_op(h, *t);
        c->above = *t;
        *t = order[i];
    }
    for (uint32_t i = 0; i < threads; i++)
        while (top[i] != NONE)
            top[i] = leave_op(h, top[i]);
}

/* ---- rows ---- */

static int put_op(struct host *h, const struct call *c, struct err *e)
{
    const struct database_link own = { 0 }, *link = c->link == NONE ? &own : &h->links.v[c->link];
    struct val v[N_COLS(host_op)] = { 0 };
    char thread[32];

    snprintf(thread, sizeof thread, "%lld", (long long)(thread_of(h, c) & UINT32_MAX));
    v[COL(host_op, name_id)] = val_id(c->name);
    v[COL(host_op, rank)] = val_int(h->d->c->rank);
    v[COL(host_op, thread)] = val_cstr(thread);
    v[COL(host_op, ts_ns)] = val_int(c->from);
    v[COL(host_op, dur_ns)] = val_int(c->to - c->from);
    v[COL(host_op, self_ns)] = val_int(bounded_add(c->to - c->from, -c->inner));
    v[COL(host_op, device_ns)] = val_int(c->device);
    v[COL(host_op, device_self_ns)] = val_int(link->device);
    v[COL(host_op, aicore_ns)] = val_int(c->aicore);
    v[COL(host_op, aicore_self_ns)] = val_int(link->aicore);
    v[COL(host_op, in_shapes_id)] = val_id(c->shapes);
    v[COL(host_op, stack_id)] = c->stack == DATABASE_NO_ID ? val_null() : val_id(c->stack);
    v[COL(host_op, step)] = database_step_at(&h->g->steps, c->from);
    v[COL(host_op, source_id)] = val_int(h->d->c->f->id);
    v[COL(host_op, line)] = val_int(c->line);
    return sink_row(h->d->c->out, T_host_op, v, N_COLS(host_op), NULL, e);
}

static int put_ops(struct host *h, const uint32_t *order, struct err *e)
{
    uint32_t *top = calloc(intern_count(h->threads) + 1, sizeof *top);

    if (!top)
        return err_nomem(e);
    nest(h, order, top);
    free(top);
    for (size_t i = 0; i < h->n && !e->code; i++) {
        walked(h, i);
        if (h->call[i].is_op)
            (void)!put_op(h, &h->call[i], e);
    }
    return e->code;
}

/* ---- tracks and arrows ---- */

/* An arrow to each task of a connection, or between two calls that share it. */
static int put_arrow(struct host *h, const struct call *c, uint32_t track, const struct database_link *l,
                     struct err *e)
{
    struct database_ids *tasks = &h->g->by_connection;
    struct sink *s = h->d->c->out;
    const uint64_t id = (uint64_t)l->connection;
    bool *begun = &h->links.v[l->first].begun;
    size_t at = database_ids_first(tasks, l->connection);
    uint32_t cat = sink_intern(s, at != SIZE_MAX ? STR("async_npu")
                                  : c->is_queue  ? STR("async_task_queue")
                                                 : STR("fwdbwd"));

    if (*begun)
        return at != SIZE_MAX ? OK : sink_flow(s, track, c->from, 'f', cat, id, e);
    *begun = true;
    if (sink_flow(s, track, c->from, 's', cat, id, e))
        return e->code;
    for (; at < tasks->n && tasks->v[at].id == l->connection; at++) {
        const struct database_task *t = &h->g->task[tasks->v[at].value];
        if (t->track != SINK_NO_TRACK && sink_flow(s, t->track, t->from, 'f', cat, id, e))
            return e->code;
    }
    return OK;
}

static int put_arrows(struct host *h, const struct call *c, uint32_t track, struct err *e)
{
    struct database_links *l = &h->links;
    const int64_t id = l->v[c->link].id;

    if (l->v[c->link].visits == VISITS_MAX) {
        h->left++;
        return OK;
    }
    l->v[c->link].visits++;
    for (size_t at = c->link; at < l->n && l->v[at].id == id; at++)
        if (put_arrow(h, c, track, &l->v[at], e))
            return e->code;
    return OK;
}

static int put_event(struct host *h, const struct call *c, struct err *e)
{
    uint32_t track = database_thread(h->g, h->d, "Python", SORT_HOST, thread_of(h, c), e);

    if (track == SINK_NO_TRACK ||
        sink_event(h->d->c->out, track, c->from, c->to - c->from, c->name, c->line, e))
        return e->code;
    return c->link == NONE ? OK : put_arrows(h, c, track, e);
}

/* In order of their starts: the first one of a connection is where its arrow begins. */
static int put_events(struct host *h, const uint32_t *order, struct err *e)
{
    for (size_t i = 0; i < h->n && !e->code; i++) {
        walked(h, i);
        (void)!put_event(h, &h->call[order[i]], e);
    }
    return e->code;
}

/* What calls refer to first. */
static int read_all(struct host *h, bool ops, struct err *e)
{
    if (database_table(h->d, STR("PYTORCH_API")) == SIZE_MAX)
        return OK;
    return database_links_read(h->g, h->d, &h->links, e) ||
                   (ops && database_stacks_read(h->d, &h->stacks, e)) || intern_new(&h->threads, e) ||
                   database_read(h->d, &host_map, on_call, h, e)
               ? e->code
               : OK;
}

int database_host(struct database_group *g, struct database *d, struct err *e)
{
    bool ops = group_wants(g->g, "host_op"), tracks = group_wants(g->g, "track");
    struct host h = { .g = g, .d = d };
    uint32_t *order = NULL;

    if ((ops || tracks) && read_all(&h, ops, e) == OK && h.n &&
        prof_order(g->pool, &order, h.n, by_start, h.call, e) == OK)
        (void)!((ops && put_ops(&h, order, e)) || (tracks && put_events(&h, order, e)));
    spool_free(g->pool, order);
    if (h.left)
        parse_note(d->c, NOTE_LIMIT, h.left, "calls beyond %d that share an id of connections have no arrows",
                   VISITS_MAX);
    spool_free(g->pool, h.call);
    intern_free(h.threads);
    database_links_done(g, &h.links);
    database_ids_done(&h.stacks);
    return e->code;
}
