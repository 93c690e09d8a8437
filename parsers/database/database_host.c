/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of the framework (PYTORCH_API, doc/formats/analysed.md#torch_npu-tables): tracks of its threads, ops
 * with the time of their own on host and device, their call stacks, arrows to tasks, from enqueue to dequeue
 * and from forward to backward.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bounded.h"
#include "parsers/database/database_group.h"
#include "parsers/read/lines.h"

#define SORT_HOST   2
#define TYPE_OP     50001
#define TYPE_QUEUE  50002
#define VISITS_MAX  64 /* calls with one id of CONNECTION_IDS that get arrows */
#define NONE        UINT32_MAX
#define THREADS_MAX ((uint32_t)1 << 30)

struct call {
    int64_t from, to;
    int64_t inner;          /* ns of ops that it calls */
    int64_t device, aicore; /* ns of its tasks, and of those of ops that it calls */
    uint32_t thread : 30;   /* number of it */
    uint32_t is_op : 1;
    uint32_t is_queue : 1;
    uint32_t link; /* NONE: it has no connections */
    uint32_t name, shapes, stack;
    uint32_t line;
};
/* An op that is not over. */
struct open {
    int64_t to;
    int64_t inner, device, aicore; /* as in its call */
    uint32_t call;
    uint32_t above; /* number of the one that calls it, NONE: none does */
};
struct thread {
    int64_t id;
    char text[12];  /* its number in its process */
    uint32_t track; /* SINK_NO_TRACK: not known yet */
    uint32_t top;   /* the open op that the next one may lie in, NONE: none */
};
enum arrow_kind { ARROW_NPU, ARROW_QUEUE, ARROW_BACKWARD, N_ARROW_KINDS };
static const char *const arrow_names[N_ARROW_KINDS] = { "async_npu", "async_task_queue", "fwdbwd" };
struct host {
    struct database_group *g;
    struct database *d;
    struct paged call, open;
    struct call last;        /* the last one that was read */
    size_t part[PAGED_WAYS]; /* where calls begin that are in order of their starts */
    size_t n_parts;          /* above PAGED_WAYS: there are more */
    uint32_t closed;         /* an entry of open that may be used again, its above the next one; NONE: none */
    struct intern *numbers;  /* of threads, by globalTid */
    int64_t last_thread;     /* of the last call, */
    uint32_t last_number;    /* NONE: there was none */
    struct thread *thread;   /* by number, once all calls are read */
    struct database_links links;
    struct database_ids stacks;
    uint32_t arrow[N_ARROW_KINDS]; /* texts, 0: not known yet */
    uint64_t left;                 /* calls without arrows */
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

/* Of calls that begin together the one that lasts longer calls the others. */
static bool by_start(const void *a, const void *b)
{
    const struct call *x = a, *y = b;

    return x->from != y->from ? x->from < y->from : x->to > y->to;
}

static void see_order(struct host *h, const struct call *c)
{
    if (!h->call.n || by_start(c, &h->last)) {
        if (h->n_parts < PAGED_WAYS)
            h->part[h->n_parts] = h->call.n;
        h->n_parts += h->n_parts <= PAGED_WAYS;
    }
    h->last = *c;
}

/* NONE: e is set. */
static uint32_t thread_number(struct host *h, int64_t thread, struct err *e)
{
    if (h->last_number != NONE && h->last_thread == thread)
        return h->last_number;
    h->last_thread = thread;
    h->last_number = intern_put(h->numbers, (struct str){ (const char *)&thread, sizeof thread });
    if (h->last_number >= THREADS_MAX) {
        h->last_number = NONE;
        err_nomem(e);
    }
    return h->last_number;
}

static int on_call(struct database_row *r, struct err *e)
{
    struct host *h = r->arg;
    const int64_t chain = database_int(r, H_CHAIN, -1), type = database_int(r, H_TYPE, -1);
    const int64_t connection = database_int(r, H_CONNECTION, -1);
    struct call c = { .line = (uint32_t)r->number };

    if (!database_span(r, H_FROM, H_TO, &c.from, &c.to))
        return database_no_start(r);
    const uint32_t thread = thread_number(h, database_int(r, H_THREAD, 0), e);
    if (thread == NONE)
        return e->code;
    c.thread = thread & (THREADS_MAX - 1);
    c.link = connection < 0 ? NONE : database_links_first(&h->links, connection);
    c.name = (uint32_t)database_int(r, H_NAME, 0);
    c.shapes = (uint32_t)database_int(r, H_SHAPES, 0);
    c.stack = chain < 0 ? DATABASE_NO_ID : database_ids_find(&h->stacks, chain);
    c.is_op = type == TYPE_OP;
    c.is_queue = type == TYPE_QUEUE;
    if (c.link != NONE && c.is_op) { /* and of ops that it calls: leave_op() */
        const struct database_link *own = database_links_edit(&h->links, c.link);
        c.device = own->device;
        c.aicore = own->aicore;
    }
    see_order(h, &c);
    *(struct call *)paged_add(&h->call) = c;
    return paged_failed(h->g->pool, e);
}

static int make_threads(struct host *h, struct err *e)
{
    const uint32_t n = intern_count(h->numbers);

    h->thread = calloc((size_t)n + 1, sizeof *h->thread);
    if (!h->thread)
        return err_nomem(e);
    for (uint32_t i = 0; i < n; i++) {
        h->thread[i] = (struct thread){ .track = SINK_NO_TRACK, .top = NONE };
        memcpy(&h->thread[i].id, intern_get(h->numbers, i).p, sizeof h->thread[i].id);
        snprintf(h->thread[i].text, sizeof h->thread[i].text, "%" PRIu32,
                 (uint32_t)(h->thread[i].id & UINT32_MAX));
    }
    return OK;
}

static struct call call_at(struct host *h, uint32_t at)
{
    return *(const struct call *)paged_at(&h->call, at);
}

static struct call *call_edit(struct host *h, uint32_t at)
{
    return paged_edit(&h->call, at);
}

/* ---- order ---- */

/* Where a call is in order of their starts, where there are too many parts in order to walk all at once. */
struct turn {
    int64_t from, to;
    uint32_t at;
};
struct turns {
    struct paged_walk *walk; /* NULL: the order is in v */
    struct paged v;
    size_t at;
};

static bool turn_before(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    return x->from != y->from ? x->from < y->from : x->to > y->to;
}

static int turns_make(struct turns *t, struct host *h, struct err *e)
{
    *t = (struct turns){ .walk = NULL };
    if (h->n_parts <= PAGED_WAYS)
        return paged_walk_new(&t->walk, &h->call, by_start, h->part, h->n_parts, e);
    paged_init(&t->v, h->g->pool, sizeof(struct turn));
    for (size_t i = 0; i < h->call.n; i++) {
        const struct call *c = paged_at(&h->call, i);
        const struct turn turn = { c->from, c->to, (uint32_t)i };
        *(struct turn *)paged_add(&t->v) = turn;
    }
    return paged_sort(&t->v, turn_before, e);
}

static bool turns_next(struct turns *t, uint32_t *at)
{
    size_t i = 0;

    if (t->walk && !paged_walk_next(t->walk, &i))
        return false;
    if (!t->walk && t->at == t->v.n)
        return false;
    *at = t->walk ? (uint32_t)i : ((const struct turn *)paged_at(&t->v, t->at++))->at;
    return true;
}

static void turns_done(struct turns *t)
{
    paged_walk_free(t->walk);
    paged_done(&t->v);
}

/* ---- what an op took ---- */

static struct open *open_at(struct host *h, uint32_t at)
{
    return paged_edit(&h->open, at);
}

/* An op is over: what it called is known. The open op that calls it, NONE: none does. */
static uint32_t leave_op(struct host *h, uint32_t at)
{
    struct open *o = open_at(h, at);
    const struct open was = *o;

    o->above = h->closed;
    h->closed = at;
    const struct call *c = paged_at(&h->call, was.call);
    if (c->inner != was.inner || c->device != was.device || c->aicore != was.aicore) {
        struct call *changed = call_edit(h, was.call);
        changed->inner = was.inner;
        changed->device = was.device;
        changed->aicore = was.aicore;
    }
    if (was.above == NONE || paged_is_lost(h->g->pool))
        return NONE;
    struct open *above = open_at(h, was.above);
    above->inner = bounded_add(above->inner, c->to - c->from);
    above->device = bounded_add(above->device, was.device);
    above->aicore = bounded_add(above->aicore, was.aicore);
    return was.above;
}

/* An op begins, within another one of its thread or not. */
static void enter_op(struct host *h, uint32_t at, const struct call *c)
{
    struct thread *t = &h->thread[c->thread];
    uint32_t entry;

    while (t->top != NONE && open_at(h, t->top)->to < c->to)
        t->top = leave_op(h, t->top);
    entry = h->closed;
    if (entry != NONE) {
        h->closed = open_at(h, entry)->above;
    } else {
        entry = (uint32_t)h->open.n;
        (void)paged_add(&h->open);
    }
    *open_at(h, entry) = (struct open){ c->to, 0, c->device, c->aicore, at, t->top };
    t->top = entry;
}

static void leave_all(struct host *h)
{
    for (uint32_t i = 0; i < intern_count(h->numbers); i++)
        while (h->thread[i].top != NONE)
            h->thread[i].top = leave_op(h, h->thread[i].top);
}

/* ---- rows ---- */

static int put_op(struct host *h, const struct call *c, struct err *e)
{
    struct database_link link = { .device = 0 };
    struct val v[N_COLS(host_op)] = { 0 };

    if (c->link != NONE)
        link = *database_links_edit(&h->links, c->link);
    v[COL(host_op, name_id)] = val_id(c->name);
    v[COL(host_op, rank)] = val_int(h->d->c->rank);
    v[COL(host_op, thread)] = val_cstr(h->thread[c->thread].text);
    v[COL(host_op, ts_ns)] = val_int(c->from);
    v[COL(host_op, dur_ns)] = val_int(c->to - c->from);
    v[COL(host_op, self_ns)] = val_int(bounded_add(c->to - c->from, -c->inner));
    v[COL(host_op, device_ns)] = val_int(c->device);
    v[COL(host_op, device_self_ns)] = val_int(link.device);
    v[COL(host_op, aicore_ns)] = val_int(c->aicore);
    v[COL(host_op, aicore_self_ns)] = val_int(link.aicore);
    v[COL(host_op, in_shapes_id)] = val_id(c->shapes);
    v[COL(host_op, stack_id)] = c->stack == DATABASE_NO_ID ? val_null() : val_id(c->stack);
    v[COL(host_op, step)] = database_step_at(&h->g->steps, c->from);
    v[COL(host_op, source_id)] = val_int(h->d->c->f->id);
    v[COL(host_op, line)] = val_int(c->line);
    return sink_row(h->d->c->out, T_host_op, v, N_COLS(host_op), NULL, e);
}

static int put_ops(struct host *h, struct err *e)
{
    for (uint32_t i = 0; i < h->call.n && !e->code; i++) {
        const struct call c = call_at(h, i);
        if (c.is_op)
            (void)!put_op(h, &c, e);
    }
    return e->code;
}

/* ---- tracks and arrows ---- */

static uint32_t arrow_name(struct host *h, enum arrow_kind kind)
{
    if (!h->arrow[kind])
        h->arrow[kind] = sink_intern(h->d->c->out, str_of(arrow_names[kind]));
    return h->arrow[kind];
}

/* An arrow to each task of a connection, or between two calls that share it. */
static int put_arrow(struct host *h, const struct call *c, uint32_t track, const struct database_link *l,
                     struct err *e)
{
    struct database_ids *tasks = &h->g->by_connection;
    struct sink *s = h->d->c->out;
    const uint64_t id = (uint64_t)l->connection;
    struct database_link *first = database_links_edit(&h->links, l->first);
    const bool begun = first->begun;

    first->begun = true;
    size_t at = database_ids_first(tasks, (int64_t)id);
    uint32_t cat = arrow_name(h, at != SIZE_MAX ? ARROW_NPU : c->is_queue ? ARROW_QUEUE : ARROW_BACKWARD);
    if (begun)
        return at != SIZE_MAX ? OK : sink_flow(s, track, c->from, 'f', cat, id, e);
    if (sink_flow(s, track, c->from, 's', cat, id, e))
        return e->code;
    for (; database_ids_is(tasks, at, (int64_t)id); at++) {
        const struct database_task t = database_task_at(h->g, database_ids_at(tasks, at).value);
        if (t.track != SINK_NO_TRACK && sink_flow(s, t.track, t.from, 'f', cat, id, e))
            return e->code;
    }
    return OK;
}

static int put_arrows(struct host *h, const struct call *c, uint32_t track, struct err *e)
{
    struct database_links *all = &h->links;
    struct database_link *own = database_links_edit(all, c->link);
    const int64_t id = own->id;

    if (own->visits == VISITS_MAX) {
        h->left++;
        return OK;
    }
    own->visits++;
    for (size_t at = c->link; at < all->v.n; at++) {
        const struct database_link l = *database_links_edit(all, at);
        if (l.id != id)
            break;
        if (put_arrow(h, c, track, &l, e))
            return e->code;
    }
    return OK;
}

static int put_event(struct host *h, const struct call *c, struct err *e)
{
    struct thread *t = &h->thread[c->thread];

    if (t->track == SINK_NO_TRACK)
        t->track = database_thread(h->g, h->d, "Python", SORT_HOST, t->id, e);
    if (t->track == SINK_NO_TRACK ||
        sink_event(h->d->c->out, t->track, c->from, c->to - c->from, c->name, c->line, e))
        return e->code;
    return c->link == NONE ? OK : put_arrows(h, c, t->track, e);
}

/*
 * Events and what ops took, in order of their starts: the first call of a connection is where its arrow
 * begins, and an op is over when one begins that it does not call.
 */
static int put_events(struct host *h, bool tracks, struct err *e)
{
    struct turns turns;
    uint32_t at;

    (void)!turns_make(&turns, h, e);
    while (!e->code && turns_next(&turns, &at)) {
        const struct call c = call_at(h, at);
        if (c.is_op)
            enter_op(h, at, &c);
        if (tracks)
            (void)!put_event(h, &c, e);
    }
    leave_all(h);
    turns_done(&turns);
    return e->code ? e->code : paged_failed(h->g->pool, e);
}

/* What calls refer to first. */
static int read_all(struct host *h, bool ops, struct err *e)
{
    if (database_table(h->d, STR("PYTORCH_API")) == SIZE_MAX)
        return OK;
    return database_links_read(h->g, h->d, &h->links, e) ||
                   (ops && database_stacks_read(h->d, &h->stacks, e)) || intern_new(&h->numbers, e) ||
                   database_read(h->d, &host_map, on_call, h, e)
               ? e->code
               : OK;
}

int database_host(struct database_group *g, struct database *d, struct err *e)
{
    bool ops = group_wants(g->g, "host_op"), tracks = group_wants(g->g, "track");
    struct host h = { .g = g, .d = d, .last_number = NONE, .closed = NONE };

    paged_init(&h.open, g->pool, sizeof(struct open));
    paged_init(&h.call, g->pool, sizeof(struct call));
    if ((ops || tracks) && read_all(&h, ops, e) == OK && h.call.n && make_threads(&h, e) == OK &&
        put_events(&h, tracks, e) == OK && ops)
        (void)!put_ops(&h, e);
    if (h.left)
        parse_note(d->c, NOTE_LIMIT, h.left, "calls beyond %d that share an id of connections have no arrows",
                   VISITS_MAX);
    paged_done(&h.call);
    paged_done(&h.open);
    intern_free(h.numbers);
    free(h.thread);
    database_links_done(&h.links);
    database_ids_done(&h.stacks);
    return e->code;
}
